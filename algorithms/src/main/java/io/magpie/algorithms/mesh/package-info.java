/**
 * Triangulations of planar domains.
 *
 * <p>{@link io.magpie.algorithms.mesh.PlanarGraph} is what is to be triangulated, {@link
 * io.magpie.algorithms.mesh.Mesh} is a triangulation of it with its adjacency, and {@link
 * io.magpie.algorithms.mesh.DelaunayTriangulation} makes one of the other. Both are read and
 * written by {@link io.magpie.algorithms.mesh.TriangleFormat}; {@link
 * io.magpie.algorithms.mesh.MeshGenerators} makes graphs from a seed. {@link
 * io.magpie.algorithms.mesh.MeshVerifier} checks a mesh and what a refinement made of it, {@link
 * io.magpie.algorithms.mesh.AngleHistogram} counts its angles, and {@link
 * io.magpie.algorithms.mesh.MeshPicture} draws it.
 *
 * <h2>Conventions</h2>
 *
 * Triangles are counter-clockwise. Edge k of a triangle lies opposite its corner k and runs from
 * corner (k + 1) mod 3 to corner (k + 2) mod 3, so the triangle lies to its left. Vertices,
 * triangles, segments and holes are numbered from 0; files may count from 1.
 */
package io.magpie.algorithms.mesh;
