/**
 * Triangulations of planar domains: the model, and what makes and draws one on the host.
 *
 * <p>{@link io.magpie.algorithms.mesh.PlanarGraph} is what is to be triangulated, {@link
 * io.magpie.algorithms.mesh.Mesh} is a triangulation of it with its adjacency, and {@link
 * io.magpie.algorithms.mesh.DelaunayTriangulation} makes one of the other. {@link
 * io.magpie.algorithms.mesh.MeshGenerators} makes graphs from a seed, {@link
 * io.magpie.algorithms.mesh.AngleHistogram} counts the angles of a mesh, and {@link
 * io.magpie.algorithms.mesh.MeshPicture} draws it. {@link
 * io.magpie.algorithms.mesh.RefinementClaim} is all that a refiner and a verifier have in common.
 *
 * <h2>Packages</h2>
 *
 * <table>
 * <caption>What depends on what; a test keeps it so</caption>
 * <tr><th>package</th><th>holds</th><th>depends on</th></tr>
 * <tr><td>{@code mesh}</td><td>the model</td><td>{@code internal}</td></tr>
 * <tr><td>{@code mesh.io}</td><td>files of meshes</td><td>the model</td></tr>
 * <tr><td>{@code mesh.refine}</td><td>refinement on a device</td><td>the model</td></tr>
 * <tr><td>{@code mesh.verify}</td><td>checks of meshes and of refinements</td><td>the
 *     model</td></tr>
 * <tr><td>{@code mesh.internal}</td><td>geometry on coordinates, not public</td><td>nothing
 *     here</td></tr>
 * </table>
 *
 * <h2>Conventions</h2>
 *
 * Triangles are counter-clockwise. Edge k of a triangle lies opposite its corner k and runs from
 * corner (k + 1) mod 3 to corner (k + 2) mod 3, so the triangle lies to its left. Vertices,
 * triangles, segments and holes are numbered from 0; files may count from 1.
 */
package io.magpie.algorithms.mesh;
