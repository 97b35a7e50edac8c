/**
 * Files of meshes, and of graphs to triangulate. {@link
 * io.magpie.algorithms.mesh.io.TriangleFormat} reads and writes those of Triangle, {@link
 * io.magpie.algorithms.mesh.io.MeshFormats} those that other programs for meshes exchange. Depends
 * on the model in {@code io.magpie.algorithms.mesh}; neither refinement nor verification depends on
 * it.
 *
 * <h2>Formats of one file</h2>
 *
 * All hold vertices, segments and triangles. What else comes back:
 *
 * <table>
 * <caption>What each format holds</caption>
 * <tr><th>suffix</th><th>format</th><th>markers</th><th>attributes</th><th>holes and
 *     regions</th></tr>
 * <tr><td>{@code .obj}</td><td>Wavefront</td><td>none</td><td>none</td><td>none</td></tr>
 * <tr><td>{@code .off}</td><td>Geomview</td><td>none</td><td>none</td><td>none</td></tr>
 * </table>
 *
 * What a format has no place for is not written; {@link
 * io.magpie.algorithms.mesh.io.TriangleFormat} has a place for all of it. Area bounds of triangles
 * and origins of segments are in none of these, nor is the number of the first vertex, which each
 * format settles. Every fault is a {@link io.magpie.algorithms.FileFormatException} that names
 * file, line, what was found and what was expected.
 *
 * <h3>{@code .obj}: Wavefront</h3>
 *
 * <pre>
 * v X Y Z
 * f VERTEX VERTEX VERTEX          VERTEX also as V/TEXTURE/NORMAL
 * l VERTEX VERTEX ...
 * </pre>
 *
 * Vertices count from 1, in the order of their lines, or back from the last one before the line,
 * -1. What follows the third coordinate, a weight or a color, is skipped, and so are comments from
 * {@code #} on, textures ({@code vt}), normals ({@code vn}), points ({@code p}), groups and
 * materials. Faces of more vertices, free-form curves and surfaces, and lines continued by a
 * backslash are refused.
 *
 * <h3>{@code .off}: Geomview</h3>
 *
 * <pre>
 * OFF                             may be missing
 * VERTICES FACES EDGES
 * X Y Z
 * 3 VERTEX VERTEX VERTEX          a triangle
 * 2 VERTEX VERTEX                 a segment
 * </pre>
 *
 * Vertices count from 0. {@code #} starts a comment, lines without anything else are skipped, and
 * every vertex and face has a line. The number of edges is not checked, as is usual, and written as
 * 0. Colors of faces are skipped, and so is what follows the coordinates of vertices in files of
 * {@code COFF}, {@code NOFF} and {@code STOFF}. Faces of more vertices, other dimensions ({@code
 * 4OFF}, {@code nOFF}) and binary files are refused.
 */
package io.magpie.algorithms.mesh.io;
