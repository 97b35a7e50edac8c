/**
 * Files of meshes, and of graphs to triangulate. {@link
 * io.magpie.algorithms.mesh.io.TriangleFormat} reads and writes those of Triangle, {@link
 * io.magpie.algorithms.mesh.io.MeshFormats} those that mesh programs exchange. Depends on the model
 * in {@code io.magpie.algorithms.mesh}; neither refinement nor verification depends on it.
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
 * <tr><td>{@code .vtk}</td><td>VTK, of text</td><td>all</td><td>all</td><td>all</td></tr>
 * <tr><td>{@code .vtu}</td><td>VTK, XML</td><td>all</td><td>all</td><td>all</td></tr>
 * <tr><td>{@code .msh}</td><td>Gmsh, of text</td><td>all</td><td>all</td><td>none</td></tr>
 * </table>
 *
 * What a format cannot hold is not written; the files of {@link
 * io.magpie.algorithms.mesh.io.TriangleFormat} hold all of it. None of these formats holds the area
 * bounds of triangles or the origins of segments, and each fixes the number of the first vertex.
 * Every fault is a {@link io.magpie.algorithms.FileFormatException} that names the file, the line,
 * what was found and what was expected.
 *
 * <p>Truncated files are refused where the format allows it. A {@code .vtu} is never read without
 * its end. A {@code .vtk} of an unstructured grid and a {@code .msh} are never read without any of
 * their vertices, segments or triangles, but sections with data after these may be missing
 * entirely, and the last number of a {@code .vtk} may have lost digits. So may the last line of a
 * {@code .off}. An {@code .obj}, and a {@code .vtk} of polygonal data, may end anywhere between
 * their statements or sections.
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
 * {@code #} on, textures ({@code vt}), normals ({@code vn}), points ({@code p}), groups ({@code g},
 * {@code o}, {@code s}, {@code mg}), materials ({@code usemtl}, {@code mtllib}, {@code usemap},
 * {@code maplib}) and display attributes ({@code lod}, {@code bevel}, {@code c_interp}, {@code
 * d_interp}, {@code shadow_obj}, {@code trace_obj}), with the lines that continue them after a
 * backslash. Faces of more vertices, free-form curves and surfaces, other statements, and faces and
 * lines continued by a backslash are refused.
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
 * Faces of two vertices are read as segments. Segments of the boundary are not written: few
 * programs accept faces of two vertices, and the triangles determine the boundary. Vertices count
 * from 0. {@code #} starts a comment, lines without anything else are skipped, and every vertex and
 * face has a line. The number of edges is not checked, as is usual, and written as 0. Colors of
 * faces are skipped, and so is what follows the coordinates of vertices in files of {@code COFF},
 * {@code NOFF} and {@code STOFF}. Faces of more vertices, other dimensions ({@code 4OFF}, {@code
 * nOFF}) and binary files are refused.
 *
 * <h3>{@code .vtk}: VTK, unstructured grids of text</h3>
 *
 * <pre>
 * # vtk DataFile Version 3.0
 * TITLE
 * ASCII
 * DATASET UNSTRUCTURED_GRID
 * FIELD FieldData 2               only where there are any
 * holes 2 HOLES double            X Y
 * regions 4 REGIONS double        X Y ATTRIBUTE AREA
 * POINTS VERTICES double          X Y Z
 * CELLS CELLS VALUES              2 VERTEX VERTEX, 3 VERTEX VERTEX VERTEX
 * CELL_TYPES CELLS                3 for a line, 5 for a triangle
 * POINT_DATA VERTICES
 * FIELD FieldData ARRAYS
 * marker 1 VERTICES int
 * attribute0 1 VERTICES double
 * CELL_DATA CELLS                 as for points
 * </pre>
 *
 * Points count from 0. The array {@code marker} has the markers of vertices and segments, every
 * other one attributes, as many as it has components; names of these are lost. Cells of segments
 * are written first; attributes are 0 for them, and markers 0 for triangles. Where markers of
 * triangles are not all 0, they are read as the first attribute.
 *
 * <p>The form of version 5, {@code OFFSETS} and {@code CONNECTIVITY}, is read as well, and so is
 * {@code POLYDATA}, whose cells VTK counts from those of {@code VERTICES} to {@code LINES} and
 * {@code POLYGONS}, whatever the order of these sections. {@code POINTS} is required, and so are
 * {@code CELLS} and the types of all cells in an unstructured grid; each of these sections may
 * appear once. Cells may also be points, which are ignored, lines of several points, and polygons
 * of three. Data of the other kinds ({@code SCALARS}, {@code VECTORS} and the like) are attributes;
 * colors of tables, numbers of points, {@code METADATA} and other fields of the whole are skipped.
 * Cells of other types, values that are not finite, arrays of text and binary files are refused.
 *
 * <h3>{@code .vtu}: VTK, unstructured grids in XML</h3>
 *
 * <p>The same in elements: an {@code UnstructuredGrid} of one {@code Piece}, with {@code
 * DataArray}s of format {@code ascii} in {@code Points}, {@code Cells}, {@code PointData}, {@code
 * CellData} and, for holes and regions, {@code FieldData}. What is in other elements is skipped.
 * Arrays of the formats {@code binary} and {@code appended}, further pieces and other types of
 * files are refused. A document type is ignored.
 *
 * <h3>{@code .msh}: Gmsh, text</h3>
 *
 * Versions 4.1 and 2.2 are read, 4.1 is written. Nodes count in the order of the file, elements in
 * that of their tags. The first physical tag of a line is the marker of the segment, that of a
 * point the marker of its vertex, and that of a triangle its first attribute; where no element of a
 * kind has one, or all triangles have the tag 1, there are no such markers or attributes. {@code
 * $NodeData} are further attributes of vertices, {@code $ElementData} of triangles, as many as they
 * have components, and must have values for all of them; with the name {@code marker} they are the
 * markers of vertices and of lines, and of triangles, unless all of these are 0, the attribute
 * after the physical tag. Both {@code $Nodes} and {@code $Elements} are required.
 *
 * <p>Segments are written with their markers as physical tags, unless one is negative, and
 * triangles with their first attribute, if it is a whole number of 1 or more for all and not 1 for
 * all, else with the tag 1; the rest is written as data, and so are markers or attributes of more
 * than 1000 different values. Once some elements have a physical tag, Gmsh saves those without one,
 * which are segments of marker 0, only by {@code Mesh.SaveAll}.
 *
 * <p>Other sections, such as {@code $PhysicalNames} and {@code $Periodic}, are skipped, and so are
 * the partitions of elements in version 2.2, whose files list the whole mesh. Elements of other
 * types, partitioned entities of version 4.1, other versions and binary files are refused.
 */
package io.magpie.algorithms.mesh.io;
