/**
 * Graphs as input of the algorithms: the CSR form, files, and generators.
 *
 * <p>{@link io.magpie.algorithms.graph.Graph} is an undirected graph whose arrays are copied to a
 * device as they are. It comes from a file ({@link io.magpie.algorithms.graph.GraphFormats}), from
 * a seeded generator ({@link io.magpie.algorithms.graph.GraphGenerators}) or from edges given one
 * by one ({@link io.magpie.algorithms.graph.GraphBuilder}). {@link
 * io.magpie.algorithms.graph.DirectedGraph} is a directed one in the same layout, in which no arc
 * implies another; it comes from the same sources.
 *
 * <h2>Layout in memory</h2>
 *
 * <pre>
 * offsets       vertices + 1 ints; the arcs of v are offsets[v] .. offsets[v + 1] - 1
 * neighbors     arcs ints; the target of each arc
 * weights       arcs ints, longs, floats or doubles; absent when unweighted
 * vertexWeights vertices ints, 0 .. 2^31 - 1; absent as a rule
 * </pre>
 *
 * An edge of two different vertices is two arcs of equal weight, a self-loop is one arc. At most
 * 2^31 - 9 arcs. Weights of arcs are finite numbers of one {@link
 * io.magpie.algorithms.graph.WeightType}, negative ones included; those of a directed graph are
 * ints, 0 .. 2^31 - 1.
 *
 * <h2>Directions</h2>
 *
 * Formats either list undirected edges ({@code p tw}, symmetric matrices), from which both arcs are
 * made, or arcs (all others). Arcs are kept as they are, in their order, where every arc has its
 * other direction of equal weight. Where one is missing, {@link
 * io.magpie.algorithms.graph.Symmetry} decides: complete them (the default) or refuse the file.
 * Data completed has its lists in order of target. A {@code .graph} file without one is always
 * refused: its form asks for both.
 *
 * <p>Read as a directed graph ({@link io.magpie.algorithms.graph.GraphFormats#readDirected}), a
 * file gives its arcs as they are, in their order, and nothing is added:
 *
 * <table>
 * <caption>What a line or an entry of each format is</caption>
 * <tr><th>format</th><th>as a directed graph</th></tr>
 * <tr><td>{@code .gr}, {@code p sp}</td><td>directed by definition: {@code a FROM TO WEIGHT} is one
 *     arc</td></tr>
 * <tr><td>{@code .gr}, {@code p tw}</td><td>undirected by definition: each edge is two arcs, a
 *     self-loop one</td></tr>
 * <tr><td>{@code .graph}</td><td>undirected by definition: both directions are listed, or the file
 *     is refused</td></tr>
 * <tr><td>{@code .mtx}, general</td><td>the entry in row i and column j is the arc from i to
 *     j</td></tr>
 * <tr><td>{@code .mtx}, symmetric</td><td>an entry off the diagonal is two arcs</td></tr>
 * <tr><td>{@code .el}, {@code .wel}, {@code .txt}</td><td>{@code FROM TO} is one arc</td></tr>
 * <tr><td>{@code .egr}, {@code .mpg}</td><td>the arcs that are stored</td></tr>
 * <tr><td>{@code .mpe}</td><td>undirected by definition: each edge is two arcs, a self-loop
 *     one</td></tr>
 * </table>
 *
 * A directed graph is written in all formats but {@code .graph} and {@code .mpe}, every arc once
 * and in its order: {@code .gr} as {@code p sp}, which needs weights, {@code .mtx} as a general
 * matrix, edge lists with a line for each arc. Only {@code .mpg} says that it is a directed graph,
 * and is then refused where an undirected one is read; of the other formats whoever reads the file
 * says so.
 *
 * <h2>Files</h2>
 *
 * The suffix tells the format, in either case of letters; {@code .gz} or {@code .xz} after it tells
 * the compression. For what has no such name, such as a pipe, {@link
 * io.magpie.algorithms.graph.ReadOptions#format()} says both; every format is read once from its
 * beginning to its end. Several gzip members or xz streams are one file, and each must be complete.
 * After them zero bytes are ignored as gzip and xz do (xz: multiples of four); anything else is a
 * fault. In text formats tokens are separated by blanks or tabs, lines end by LF or CR LF, empty
 * lines are skipped except in {@code .graph}, and numbers are decimal. Counts in headers must
 * match. Every fault is a {@link io.magpie.algorithms.FileFormatException} that names file, line,
 * what was found and what was expected.
 *
 * <h3>Weights</h3>
 *
 * <table>
 * <caption>Weights of edges that each format holds</caption>
 * <tr><th>format</th><th>weights</th></tr>
 * <tr><td>{@code .gr}, {@code .graph}</td><td>whole numbers of 64 bits: ints and longs</td></tr>
 * <tr><td>{@code .mtx}, integer</td><td>whole numbers of 64 bits: ints and longs</td></tr>
 * <tr><td>{@code .mtx}, real; {@code .wel}, {@code .txt}</td><td>decimal numbers: all
 *     types</td></tr>
 * <tr><td>{@code .egr}</td><td>ints</td></tr>
 * <tr><td>{@code .mpg}, {@code .mpe}</td><td>all types, and it says which</td></tr>
 * </table>
 *
 * By default the type of a graph's weights is the first of int, long and double that holds all
 * weights of its file; {@link io.magpie.algorithms.graph.FileWeights} asks for one. Whole numbers
 * of 64 bits are taken exactly, however they are written, other decimals as the nearest double or
 * float; weights of binary files are not rounded to a type that is asked for. So a text that was
 * written from doubles that are all whole numbers comes back as ints, unless doubles are asked for.
 * Not-a-numbers, infinities and what is beyond the type are refused. A directed graph is read with
 * {@link io.magpie.algorithms.graph.FileWeights#COUNTS}, or, where that is asked for, with {@link
 * io.magpie.algorithms.graph.FileWeights#LENGTHS}.
 *
 * <h3>{@code .gr}: DIMACS shortest paths, and PACE</h3>
 *
 * <pre>
 * c a comment
 * p sp VERTICES ARCS        or   p tw VERTICES EDGES
 * a FROM TO WEIGHT               U V
 * </pre>
 *
 * Vertices count from 1. The form of the 9th DIMACS challenge ({@code p sp}) has weighted arcs,
 * road networks list both directions; that of the PACE challenge ({@code p tw}) has unweighted
 * edges, each once. A weighted graph is written as the former, an unweighted one, which must be
 * undirected, as the latter.
 *
 * <h3>{@code .graph}: METIS</h3>
 *
 * <pre>
 * % a comment
 * VERTICES EDGES [FORMAT [CONSTRAINTS]]
 * [WEIGHT OF VERTEX 1] NEIGHBOR [WEIGHT] NEIGHBOR [WEIGHT] ...
 * </pre>
 *
 * One line for each vertex, counted from 1; an empty line is a vertex without edges. FORMAT is up
 * to three binary digits: vertex sizes (must be 0), vertex weights, edge weights. CONSTRAINTS, the
 * number of weights of a vertex, is at most 1. Every edge is in the lists of both its end points
 * and is counted once in EDGES. METIS itself has neither self-loops nor weights below 1; here a
 * self-loop is one entry in its vertex's list.
 *
 * <h3>{@code .mtx}: Matrix Market</h3>
 *
 * <pre>
 * %%MatrixMarket matrix coordinate pattern|integer|real general|symmetric
 * % a comment
 * ROWS COLUMNS ENTRIES
 * ROW COLUMN [VALUE]
 * </pre>
 *
 * The adjacency matrix: square, counted from 1, an entry is an arc from ROW to COLUMN, its value
 * the weight (stored zeros are edges of weight 0). A symmetric matrix lists the lower triangle
 * only. Where counts are asked for ({@link io.magpie.algorithms.graph.FileWeights#COUNTS}), a real
 * value, as in {@code .wel} and {@code .txt}, must be a whole number, unless {@link
 * io.magpie.algorithms.graph.ReadOptions#weightScale()} says what to multiply by before rounding to
 * the nearest whole number, halves to the even one. Both are decided by the decimal as it is
 * written. Dense (array), complex, skew-symmetric and hermitian matrices are refused. Written as a
 * symmetric matrix, that of a directed graph as a general one, pattern, integer, or of floats and
 * doubles real.
 *
 * <h3>{@code .el}, {@code .wel}, {@code .txt}: edge lists of SNAP and GAPBS</h3>
 *
 * <pre>
 * # Nodes: VERTICES Edges: LINES
 * FROM TO [WEIGHT]
 * </pre>
 *
 * Vertices count from 0. Lines that start with {@code #} or {@code %} are comments. {@code .el} has
 * no weights, {@code .wel} has, in {@code .txt} the first line decides. The graph has as many
 * vertices as the largest label asks for, or as a comment {@code Nodes:} says if that is more;
 * fewer lines than a comment {@code Edges:} says is a fault. With {@link
 * io.magpie.algorithms.graph.ReadOptions#relabel()} labels are numbered in the order of their
 * appearance. An edge listed in both directions is one edge, listed twice in one direction it is
 * two. Written with the comment, and each edge or arc once. A {@code .txt} file without edges is
 * read as unweighted.
 *
 * <h3>{@code .egr}: ECL, 32-bit variant</h3>
 *
 * Little-endian int32 throughout, no magic: VERTICES, ARCS, VERTICES + 1 offsets, ARCS targets
 * counted from 0, and, if the file goes on, ARCS weights. A file without arcs is read as
 * unweighted. The last offset may be less than ARCS, as in some published files: the arcs from
 * there on belong to no vertex and are dropped.
 *
 * <h3>{@code .mpg}: Magpie snapshot</h3>
 *
 * A graph exactly as it is in memory. Little endian throughout:
 *
 * <pre>
 * byte 0   8 bytes  magic: 89 'M' 'P' 'G' 0d 0a 1a 0a
 *      8   int32    byte order mark 0x01020304
 *     12   int32    version, 1
 *     16   int32    flags: 1 weights follow, 2 vertex weights follow, 4 directed,
 *                   8 weights have 8 bytes each, 16 weights are floating point (IEEE 754)
 *     20   int32    reserved, 0
 *     24   int64    VERTICES
 *     32   int64    ARCS
 *     40   int32    VERTICES + 1 offsets, ARCS targets
 *          int32, int64, float or double by the flags: [ARCS weights]
 *          int32    [VERTICES vertex weights]
 *   then   int32    CRC-32C of all bytes before
 * </pre>
 *
 * <h3>{@code .mpe}: Magpie edges</h3>
 *
 * Undirected edges, any number of them, as {@link io.magpie.algorithms.graph.FileEdges} takes them
 * one by one: none of the other formats has both more than 2^31 edges and numbers that need no
 * parsing. Little endian throughout:
 *
 * <pre>
 * byte 0   8 bytes  magic: 89 'M' 'P' 'E' 0d 0a 1a 0a
 *      8   int32    byte order mark 0x01020304
 *     12   int32    version, 1
 *     16   int32    flags: 1 edges have weights, 8 of 8 bytes each, 16 of floating point (IEEE 754)
 *     20   int32    reserved, 0
 *     24   int64    VERTICES, up to 2147483638
 *     32   int64    EDGES, up to 2^56
 *     40   EDGES times: int32 and int32, the ends from 0, in any order;
 *          int32, int64, float or double by the flags: [weight]
 *   then   int32    CRC-32C of all bytes before
 * </pre>
 *
 * Self-loops and repeated edges are permitted, and each counts. An edge's number is its place in
 * the file, from 0.
 *
 * <h2>Edges one by one</h2>
 *
 * {@link io.magpie.algorithms.graph.FileEdges} reads files that are larger than memory: {@code
 * .el}, {@code .wel}, {@code .txt}, {@code .gr} and {@code .mtx}, also compressed, twice, since
 * vertices have to be counted before the first edge is taken; {@code .mpg} and {@code .mpe}, not
 * compressed, by ranges of bytes. {@code .graph} and {@code .egr} are refused. A snapshot in which
 * an arc lacks its other direction is refused at its end; in texts both directions of an edge are
 * two edges.
 *
 * <p>Only {@code .graph} and {@code .mpg} hold weights of vertices; the others refuse to write
 * them.
 */
package io.magpie.algorithms.graph;
