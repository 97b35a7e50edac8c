package io.magpie.algorithms.graph;

import io.magpie.algorithms.internal.GeneratorSpec;
import io.magpie.algorithms.internal.SeededHash;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.function.LongToIntFunction;
import java.util.function.Supplier;

/**
 * Seeded graph generators, named by a short text.
 *
 * <p>A spec is a kind, a colon and parameters: {@code random:n=1000,m=5000,seed=7}. The value of
 * the kind's first parameter may stand alone: {@code road:1000000}, {@code random:1000,m=5000}.
 * Counts may end in {@code k}, {@code M} or {@code G} (thousand, million, thousand million).
 *
 * <table>
 * <caption>Kinds</caption>
 * <tr><th>kind</th><th>parameters (default)</th><th>graph</th></tr>
 * <tr><td>random</td><td>n, m (5n), directed</td><td>m edges with end points drawn uniformly and independently
 *     from all pairs of different vertices: parallel edges are possible, self-loops are not</td></tr>
 * <tr><td>rmat</td><td>scale or n, edges (16n), constants (graph500) or a (0.57), b (0.19), c
 *     (0.19), directed</td><td>recursive matrix (Chakrabarti, Zhan, Faloutsos, SDM 2004) with n
 *     vertices, any number, or 2^scale. The matrix is split into quadrants as equal as they can be,
 *     level by level, down to single entries, and no edge is rejected: n = 2^scale gives the graph
 *     of that scale. The constants {@code graph500} are the probabilities above, {@code gtgraph}
 *     stands for {@code a=0.45,b=0.15,c=0.15}; the last quadrant has what is left of 1. Vertices are
 *     renumbered at random, parallel edges and self-loops are kept</td></tr>
 * <tr><td>powerlaw</td><td>n, m (8n), exponent (2.3)</td><td>m edges with end points drawn
 *     independently, vertex v in proportion to {@code (v + 10)^(-1 / (exponent - 1))} (Chung and Lu,
 *     2002): degrees follow a power law; parallel edges are possible, self-loops are left
 *     out</td></tr>
 * <tr><td>ba</td><td>n, d (8)</td><td>preferential attachment (Barabasi and Albert, 1999): each
 *     vertex in turn gets d edges to ends of earlier ones, drawn uniformly (by Batagelj and Brandes,
 *     2005); parallel edges are possible, self-loops are left out</td></tr>
 * <tr><td>web</td><td>n, m (8n, or as many as cap allows), cap (255), exponent (2.1), local
 *     (0.75), directed</td><td>a look-alike of a crawl of the web: at most {@code cap} of the m edges begin at a vertex, by a
 *     power law of exponent 2.72, and at some as many; where they end follows one of about {@code
 *     exponent} (both as measured by Broder et al., 2000), and most end near by: an edge ends
 *     anywhere, or with probability {@code local} in the sixteenth of the vertices that it begins
 *     in, and so on down to blocks of 16 or fewer. No arc is there twice, and none is a self-loop; without {@code
 *     directed}, two vertices that link to each other have two parallel edges</td></tr>
 * <tr><td>grid</td><td>rows, columns (rows)</td><td>2-D grid, four neighbors, numbered by
 *     rows</td></tr>
 * <tr><td>grid3</td><td>columns, rows (columns), layers (rows)</td><td>3-D grid, six neighbors,
 *     numbered by layers, in each by rows</td></tr>
 * <tr><td>road</td><td>n, degree (2.4375)</td><td>like a road network: connected, planar, sparse,
 *     long chains of vertices of degree two, large diameter; {@code degree} arcs for each vertex on
 *     average, from 2 to 4. A random spanning tree of a grid (each vertex is joined to the one above or the one to
 *     its left) and some of the remaining grid edges; weights default to distances between
 *     points that are drawn in their grid cells, 1 to 22362</td></tr>
 * <tr><td>knn</td><td>n, k (5)</td><td>n points drawn uniformly from the unit square; an edge where
 *     one of two points is among the other's k nearest, each pair once; weights default to
 *     distances in units of 2^-30 of the square's side</td></tr>
 * <tr><td>rgg</td><td>n, radius (0.55 sqrt(ln n / n))</td><td>n points drawn uniformly from the unit
 *     square; an edge where two are no farther apart than the radius; weights default to distances
 *     as for knn</td></tr>
 * <tr><td>star</td><td>n</td><td>vertex 0 joined to all others</td></tr>
 * <tr><td>path</td><td>n</td><td>vertex v joined to v + 1</td></tr>
 * <tr><td>complete</td><td>n</td><td>every pair joined</td></tr>
 * </table>
 *
 * <p>{@code directed} stands alone, as in {@code rmat:scale=20,directed}: each edge becomes one arc
 * from the end point that is drawn first to the second, in place of two, and the graph is a {@link
 * DirectedGraph}. Without it, the same seed gives the same edges in both directions.
 *
 * <p>Every kind takes {@code seed} (1) and {@code weights}: {@code none}, {@code L..H}, {@code H}
 * for {@code 1..H}, {@code max} for {@code 1..2147483647} (the default except for road, knn and
 * rgg), {@code distance} (road, knn and rgg), or a {@link WeightRange} of any type, such as {@code
 * double:-1..1}, of directed graphs one of ints or floats from 0. Drawn weights are a hash of seed
 * and end points, see {@link Graph#withWeights(long, int, int)}.
 *
 * <p>The result depends on the spec only, never on the number of threads. Memory while generating:
 * the graph and 4 bytes for each vertex (knn: 20 + 4k bytes for each vertex, rgg: 16; web: without
 * {@code directed} also the directed graph). Every list is in ascending order of target.
 */
public final class GraphGenerators {
  private static final String WEIGHTS = "weights";
  private static final String DIRECTED = "directed";
  private static final String CONSTANTS = "constants";
  private static final List<String> COMMON = List.of(WEIGHTS);

  /** Parameters without a value. */
  private static final Set<String> FLAGS = Set.of(DIRECTED);

  /** The probabilities of R-MAT's quadrants but the last, as other generators have them. */
  private record RmatConstants(String a, String b, String c) {}

  private static final String GRAPH500 = "graph500";

  private static final Map<String, RmatConstants> RMAT_CONSTANTS =
      new TreeMap<>(
          Map.of(
              GRAPH500,
              new RmatConstants("0.57", "0.19", "0.19"),
              "gtgraph",
              new RmatConstants("0.45", "0.15", "0.15")));

  /** The kinds with their parameters, the positional one first; "=" marks those with a default. */
  private static final Map<String, List<String>> KINDS = kinds();

  private GraphGenerators() {}

  private static Map<String, List<String>> kinds() {
    Map<String, List<String>> kinds = new LinkedHashMap<>();
    kinds.put("random", List.of("n", "m", DIRECTED));
    kinds.put("rmat", List.of("scale", "n", "edges", CONSTANTS, "a", "b", "c", DIRECTED));
    kinds.put("powerlaw", List.of("n", "m", "exponent"));
    kinds.put("ba", List.of("n", "d"));
    kinds.put("web", List.of("n", "m", "cap", "exponent", "local", DIRECTED));
    kinds.put("grid", List.of("rows", "columns"));
    kinds.put("grid3", List.of("columns", "rows", "layers"));
    kinds.put("road", List.of("n", "degree"));
    kinds.put("knn", List.of("n", "k"));
    kinds.put("rgg", List.of("n", "radius"));
    kinds.put("star", List.of("n"));
    kinds.put("path", List.of("n"));
    kinds.put("complete", List.of("n"));
    return Collections.unmodifiableMap(kinds);
  }

  /**
   * Parses a spec.
   *
   * @param spec such as {@code road:1000000} or {@code random:n=1000,m=5000,seed=7}
   * @return its generator; nothing is generated yet
   * @throws IllegalArgumentException when the kind or a parameter is unknown, missing or out of
   *     range; the message lists what is possible
   */
  public static GraphGenerator parse(String spec) {
    return generator(new GeneratorSpec(spec, "graph", KINDS, COMMON, FLAGS));
  }

  /**
   * Parses a spec and makes its graph.
   *
   * @param spec as for {@link #parse}
   * @return the graph
   * @throws IllegalArgumentException as for {@link #parse}, and when the spec says {@code directed}
   * @throws GraphTooLargeException when the graph has more arcs than a graph can hold
   */
  public static Graph generate(String spec) {
    return parse(spec).generate();
  }

  /**
   * Whether this is the name of a kind.
   *
   * @param name such as {@code rmat}, in either case
   */
  public static boolean isKind(String name) {
    return KINDS.containsKey(name.toLowerCase(Locale.ROOT));
  }

  /**
   * One line for each kind, for help texts.
   *
   * @return the kinds with their parameters
   */
  public static List<String> usage() {
    return GeneratorSpec.usage(KINDS, COMMON, FLAGS);
  }

  /** How far the heaviest vertex of a power law is from weighing without bound. */
  private static final double POWER_LAW_SHIFT = 10;

  private static Graph powerLaw(int n, long m, double exponent, long seed) {
    // The inverse of the distribution's integral; StrictMath, so that all machines agree.
    double power = 1 - 1 / (exponent - 1);
    double first = StrictMath.pow(POWER_LAW_SHIFT, power);
    double span = StrictMath.pow(n + POWER_LAW_SHIFT, power) - first;
    long key = SeededHash.key(seed);
    LongToIntFunction end =
        i -> {
          double at = first + SeededHash.unit(SeededHash.draw(key, i)) * span;
          return (int) Math.min(n - 1, StrictMath.pow(at, 1 / power) - POWER_LAW_SHIFT);
        };
    return ReplayedEdges.build(
        n, m, i -> properEdge(end.applyAsInt(2 * i), end.applyAsInt(2 * i + 1)));
  }

  private static Graph attachment(int n, int d, long seed) {
    long key = SeededHash.key(seed);
    requireArcs(2L * n * d);
    return ReplayedEdges.build(
        n,
        (long) n * d,
        i -> {
          // Ends in order: 2i is the end of edge i at its own vertex, 2i + 1 the one that it draws
          // from those before; drawn ends are looked up, not kept.
          long end = 2 * i + 1;
          while ((end & 1) == 1) {
            end = SeededHash.below(SeededHash.draw(key, end >>> 1), end);
          }
          return properEdge((int) (i / d), (int) ((end >>> 1) / d));
        });
  }

  private static long properEdge(int u, int v) {
    return u == v ? ReplayedEdges.NONE : ReplayedEdges.pack(u, v);
  }

  private static Graph grid(int rows, int columns) {
    long n = (long) rows * columns;
    requireArcs(4 * n - 2L * rows - 2L * columns);
    return ReplayedEdges.build(
        (int) n,
        2 * n,
        i -> {
          int v = (int) (i >>> 1);
          if ((i & 1) == 0) {
            return v % columns + 1 < columns ? ReplayedEdges.pack(v, v + 1) : ReplayedEdges.NONE;
          }
          return (long) v + columns < n ? ReplayedEdges.pack(v, v + columns) : ReplayedEdges.NONE;
        });
  }

  private static Graph grid3(int columns, int rows, int layers) {
    int layer = columns * rows;
    long n = (long) layer * layers;
    requireArcs(6 * n - 2L * rows * layers - 2L * columns * layers - 2L * layer);
    return ReplayedEdges.build(
        (int) n,
        3 * n,
        i -> {
          int v = (int) (i / 3);
          int within = v % layer;
          return switch ((int) (i % 3)) {
            case 0 -> v % columns + 1 < columns ? ReplayedEdges.pack(v, v + 1) : ReplayedEdges.NONE;
            case 1 ->
                (long) within + columns < layer
                    ? ReplayedEdges.pack(v, v + columns)
                    : ReplayedEdges.NONE;
            default -> (long) v + layer < n ? ReplayedEdges.pack(v, v + layer) : ReplayedEdges.NONE;
          };
        });
  }

  private static int roadColumns(int n) {
    return Math.max(1, (int) Math.ceil(Math.sqrt(n)));
  }

  private static Graph road(int n, double degree, long seed) {
    requireArcs((long) (n * degree));
    int columns = roadColumns(n);
    int rows = (int) (((long) n + columns - 1) / Math.max(1, columns));
    // Vertices off the first row and column have two candidates, of which one is in the tree; the
    // other is kept with the probability that gives the wanted number of edges.
    double spare = Math.max(1, n - (double) rows - columns + 1);
    double wanted = n * degree / 2 - (n - 1.0);
    long keep = (long) (Math.min(1, Math.max(0, wanted / spare)) * (1L << 32));
    long key = SeededHash.key(SeededHash.mix(seed ^ 0x74726565L));
    return ReplayedEdges.build(
        n,
        2L * n,
        i -> {
          int v = (int) (i >>> 1);
          boolean upward = (i & 1) == 0;
          boolean hasUp = v >= columns;
          boolean hasLeft = v % columns != 0;
          if (!(upward ? hasUp : hasLeft)) {
            return ReplayedEdges.NONE;
          }
          long random = SeededHash.draw(key, v);
          boolean treeUp = hasUp && (!hasLeft || (random & 1) == 0);
          if (upward != treeUp && random >>> 32 >= keep) {
            return ReplayedEdges.NONE;
          }
          return ReplayedEdges.pack(upward ? v - columns : v - 1, v);
        });
  }

  private static long roadKey(long seed) {
    return SeededHash.key(SeededHash.mix(seed ^ 0x706f696e74L));
  }

  /** Rows go down, as numbers in a grid are read. */
  private static Coordinates roadCoordinates(int n, long seed) {
    int columns = roadColumns(n);
    long key = roadKey(seed);
    return Coordinates.of(
        n,
        v -> v % columns + fraction(SeededHash.draw(key, v)),
        v -> -(v / columns + fraction(SeededHash.draw(key, v) << 32)));
  }

  private static EdgeWeight roadDistance(int n, long seed) {
    int columns = roadColumns(n);
    long key = roadKey(seed);
    return (u, v) -> {
      long p = SeededHash.draw(key, u);
      long q = SeededHash.draw(key, v);
      double dx = (u % columns - v % columns) + (fraction(p) - fraction(q));
      double dy = (u / columns - v / columns) + (fraction(p << 32) - fraction(q << 32));
      return 1 + (int) (Math.sqrt(dx * dx + dy * dy) * 10000);
    };
  }

  private static double fraction(long random) {
    return (random >>> 32) * 0x1p-32;
  }

  /** A graph of {@code n - 1} edges. */
  private static Graph tree(int n, ReplayedEdges.Source source) {
    int edges = Math.max(0, n - 1);
    requireArcs(2L * edges);
    return ReplayedEdges.build(n, edges, source);
  }

  /** Fails before memory is taken where there will be too many arcs. */
  private static void requireArcs(long arcs) {
    if (arcs > Graph.MAX_ARCS) {
      throw new GraphTooLargeException("arcs", arcs, Graph.MAX_ARCS);
    }
  }

  private static Graph complete(int n) {
    long pairs = (long) n * (n - 1) / 2;
    requireArcs(2 * pairs);
    int[] offsets = new int[n + 1];
    int[] neighbors = new int[(int) (2 * pairs)];
    int next = 0;
    for (int v = 0; v < n; v++) {
      for (int u = 0; u < n; u++) {
        if (u != v) {
          neighbors[next++] = u;
        }
      }
      offsets[v + 1] = next;
    }
    return Graph.trusted(offsets, neighbors, null, null);
  }

  static GraphGenerator generator(GeneratorSpec spec) {
    return switch (spec.kind()) {
      case "random" -> random(spec);
      case "rmat" -> rmat(spec);
      case "powerlaw" -> powerLaw(spec);
      case "ba" -> attachment(spec);
      case "web" -> web(spec);
      case "grid" -> grid(spec);
      case "grid3" -> grid3(spec);
      case "road" -> road(spec);
      case "knn" -> nearestNeighbors(spec);
      case "rgg" -> randomGeometric(spec);
      case "star" -> star(spec);
      case "path" -> path(spec);
      case "complete" -> complete(spec);
      default -> throw new AssertionError(spec.kind());
    };
  }

  private static GraphGenerator random(GeneratorSpec spec) {
    int n = vertices(spec, "n", null);
    long m = edges(spec, n, 5L * n);
    boolean directed = spec.flag(DIRECTED);
    long seed = spec.seed();
    return finish(spec, seed, n, m, directed, () -> new UniformEnds(n, seed));
  }

  /** The edges of a spec by their number. */
  static GeneratedEdges edges(String spec) {
    return edges(new GeneratorSpec(spec, "graph", KINDS, COMMON, FLAGS));
  }

  /** Whether a spec is of a kind whose edges can be had one by one. */
  static boolean hasEdges(String spec) {
    GeneratorSpec parsed = new GeneratorSpec(spec, "graph", KINDS, COMMON, FLAGS);
    return List.of("random", "rmat").contains(parsed.kind()) && !parsed.flag(DIRECTED);
  }

  static GeneratedEdges edges(GeneratorSpec spec) {
    int n;
    long count;
    LongFunction<NumberedEnds> ends;
    switch (spec.kind()) {
      case "random" -> {
        n = vertices(spec, "n", null);
        count = edges(spec, n, 5L * n, GeneratedEdges.MAX_EDGES);
        ends = seed -> new UniformEnds(n, seed);
      }
      case "rmat" -> {
        n = rmatVertices(spec);
        count = rmatEdges(spec, n, 16L * n, GeneratedEdges.MAX_EDGES);
        ends = rmatEnds(spec, n);
      }
      default -> throw GeneratedEdges.refusal(spec);
    }
    if (spec.flag(DIRECTED)) {
      throw GeneratedEdges.refusal(spec);
    }
    long seed = spec.seed();
    DrawnWeights weight = drawnWeight(spec, seed, spec.text(WEIGHTS, "max"), false);
    return new GeneratedEdges(spec, n, count, ends.apply(seed), weight);
  }

  private static GraphGenerator rmat(GeneratorSpec spec) {
    int n = rmatVertices(spec);
    long byDefault = Math.min(Graph.MAX_ARCS / 2, 16L * n);
    long edges = rmatEdges(spec, n, byDefault, Graph.MAX_ARCS);
    LongFunction<NumberedEnds> ends = rmatEnds(spec, n);
    boolean directed = spec.flag(DIRECTED);
    long seed = spec.seed();
    return finish(spec, seed, n, edges, directed, () -> ends.apply(seed));
  }

  private static long rmatEdges(GeneratorSpec spec, int n, long byDefault, long most) {
    long edges = spec.integer("edges", Long.toString(byDefault), 0, most);
    if (n == 0 && edges > 0) {
      throw spec.bad("edges=" + edges + " need n of at least 1");
    }
    return edges;
  }

  /** The edges by a seed. */
  private static LongFunction<NumberedEnds> rmatEnds(GeneratorSpec spec, int n) {
    RmatConstants constants = rmatConstants(spec);
    double a = spec.real("a", constants.a(), 0, 1);
    double b = spec.real("b", constants.b(), 0, 1);
    double c = spec.real("c", constants.c(), 0, 1);
    if (a + b + c > 1 + 1e-9) {
      throw spec.bad("a + b + c is " + (a + b + c) + ", expected at most 1");
    }
    return seed -> new RecursiveMatrix(n, a, b, c, seed);
  }

  private static int rmatVertices(GeneratorSpec spec) {
    if (spec.has("scale") && spec.has("n")) {
      throw spec.bad("'scale' and 'n' are given, but each says how many vertices there are");
    }
    if (!spec.has("scale") && !spec.has("n")) {
      throw spec.bad("'scale' or 'n' is missing");
    }
    return spec.has("n")
        ? vertices(spec, "n", null)
        : 1 << (int) spec.integer("scale", null, 0, 30);
  }

  /** Those of a name; the complete text has the numbers alone. */
  private static RmatConstants rmatConstants(GeneratorSpec spec) {
    String name = spec.choice(CONSTANTS, GRAPH500, List.copyOf(RMAT_CONSTANTS.keySet()));
    if (spec.has(CONSTANTS)) {
      for (String each : List.of("a", "b", "c")) {
        if (spec.has(each)) {
          throw spec.bad("'" + each + "' is given, but constants=" + name + " already sets it");
        }
      }
    }
    return RMAT_CONSTANTS.get(name);
  }

  private static GraphGenerator powerLaw(GeneratorSpec spec) {
    int n = vertices(spec, "n", null);
    long m = edges(spec, n, Math.min(Graph.MAX_ARCS / 2, 8L * n));
    double exponent = spec.real("exponent", "2.3", 2.01, 10);
    long seed = spec.seed();
    return finish(spec, seed, null, null, () -> powerLaw(n, m, exponent, seed));
  }

  /** The number m of edges between different ones of n vertices. */
  private static long edges(GeneratorSpec spec, int n, long byDefault) {
    return edges(spec, n, byDefault, Graph.MAX_ARCS / 2);
  }

  private static long edges(GeneratorSpec spec, int n, long byDefault, long most) {
    long m = spec.integer("m", Long.toString(n < 2 ? 0 : byDefault), 0, most);
    if (n < 2 && m > 0) {
      throw spec.bad("m=" + m + " edges between different vertices need n of at least 2");
    }
    return m;
  }

  private static GraphGenerator attachment(GeneratorSpec spec) {
    int n = vertices(spec, "n", null);
    int d = (int) spec.integer("d", "8", 1, 1024);
    long seed = spec.seed();
    return finish(spec, seed, null, null, () -> attachment(n, d, seed));
  }

  private static GraphGenerator web(GeneratorSpec spec) {
    int n = vertices(spec, "n", null);
    int cap = (int) spec.ahead("cap", "255", 1, WebLookalike.LARGEST_CAP);
    long most = WebLookalike.mostLinks(n, cap);
    long m = edges(spec, n, Math.min(Graph.MAX_ARCS / 2, Math.min(8L * n, most)));
    spec.integer("cap", Integer.toString(cap), 1, WebLookalike.LARGEST_CAP);
    if (m > most) {
      throw spec.bad(
          "m="
              + m
              + ": expected at most "
              + most
              + ", as no more edges begin at a vertex than cap and n - 1 allow");
    }
    double exponent = spec.real("exponent", "2.1", 2.01, 10);
    double local = spec.real("local", "0.75", 0, 1);
    boolean directed = spec.flag(DIRECTED);
    long seed = spec.seed();
    return finish(
        spec,
        seed,
        directed,
        () -> new WebLookalike(n, m, cap, exponent, local, seed).graph(),
        () -> new WebLookalike(n, m, cap, exponent, local, seed).directedGraph());
  }

  private static GraphGenerator grid(GeneratorSpec spec) {
    int rows = vertices(spec, "rows", null);
    int columns = vertices(spec, "columns", Integer.toString(rows));
    if ((long) rows * columns > Graph.MAX_VERTICES) {
      throw tooManyVertices(spec, rows + " rows of " + columns);
    }
    return finish(
        spec,
        spec.seed(),
        null,
        () -> Coordinates.of(rows * columns, v -> v % columns, v -> -(v / columns)),
        () -> grid(rows, columns));
  }

  private static GraphGenerator grid3(GeneratorSpec spec) {
    int columns = vertices(spec, "columns", null);
    int rows = vertices(spec, "rows", Integer.toString(columns));
    int layers = vertices(spec, "layers", Integer.toString(rows));
    double vertices = (double) columns * rows * layers;
    if (vertices > Graph.MAX_VERTICES || (long) columns * rows > Graph.MAX_VERTICES) {
      throw tooManyVertices(spec, columns + " x " + rows + " x " + layers);
    }
    return finish(spec, spec.seed(), null, null, () -> grid3(columns, rows, layers));
  }

  private static IllegalArgumentException tooManyVertices(GeneratorSpec spec, String what) {
    return spec.bad(what + " are too many vertices; expected at most " + Graph.MAX_VERTICES);
  }

  private static GraphGenerator road(GeneratorSpec spec) {
    int n = vertices(spec, "n", null);
    double degree = spec.real("degree", "2.4375", 2, 4);
    long seed = spec.seed();
    return finish(
        spec,
        seed,
        roadDistance(n, seed),
        () -> roadCoordinates(n, seed),
        () -> road(n, degree, seed));
  }

  private static GraphGenerator nearestNeighbors(GeneratorSpec spec) {
    int n = vertices(spec, "n", null);
    int k = (int) spec.integer("k", "5", 1, 1024);
    long seed = spec.seed();
    NearestNeighbors neighbors = new NearestNeighbors(n, k, seed);
    PlanePoints points = neighbors.points();
    return finish(spec, seed, points::distance, points::coordinates, neighbors::graph);
  }

  private static GraphGenerator randomGeometric(GeneratorSpec spec) {
    int n = vertices(spec, "n", null);
    double radius =
        spec.real(
            "radius",
            Double.toString(RandomGeometric.usualRadius(n)),
            0,
            RandomGeometric.LARGEST_RADIUS);
    long seed = spec.seed();
    RandomGeometric geometric = new RandomGeometric(n, radius, seed);
    PlanePoints points = geometric.points();
    return finish(spec, seed, points::distance, points::coordinates, geometric::graph);
  }

  private static GraphGenerator star(GeneratorSpec spec) {
    int n = vertices(spec, "n", null);
    return finish(
        spec, spec.seed(), null, null, () -> tree(n, i -> ReplayedEdges.pack(0, (int) i + 1)));
  }

  private static GraphGenerator path(GeneratorSpec spec) {
    int n = vertices(spec, "n", null);
    return finish(
        spec,
        spec.seed(),
        null,
        null,
        () -> tree(n, i -> ReplayedEdges.pack((int) i, (int) i + 1)));
  }

  private static GraphGenerator complete(GeneratorSpec spec) {
    int n = vertices(spec, "n", null);
    return finish(spec, spec.seed(), null, null, () -> complete(n));
  }

  /** Reads the weights, and puts a kind together that may be directed. */
  private static GraphGenerator finish(
      GeneratorSpec spec,
      long seed,
      int vertices,
      long candidates,
      boolean directed,
      Supplier<ReplayedEdges.Source> edges) {
    return finish(
        spec,
        seed,
        directed,
        () -> ReplayedEdges.build(vertices, candidates, edges.get()),
        () -> ReplayedEdges.buildDirected(vertices, candidates, edges.get()));
  }

  private static GraphGenerator finish(
      GeneratorSpec spec,
      long seed,
      boolean directed,
      GraphGenerator.Recipe<Graph> edges,
      GraphGenerator.Recipe<DirectedGraph> arcs) {
    if (!directed) {
      return finish(spec, seed, null, null, edges);
    }
    EdgeWeight weight = weight(spec, seed, null, true);
    return GraphGenerator.directed(
        spec, type(weight), weight == null ? arcs : () -> arcs.generate().withWeights(weight));
  }

  /** Reads the weights, which every kind has, and puts structure and weights together. */
  private static GraphGenerator finish(
      GeneratorSpec spec,
      long seed,
      EdgeWeight distance,
      Supplier<Coordinates> coordinates,
      GraphGenerator.Recipe<Graph> structure) {
    EdgeWeight weight = weight(spec, seed, distance, false);
    return new GraphGenerator(
        spec,
        type(weight),
        weight == null ? structure : () -> structure.generate().withWeights(weight),
        coordinates);
  }

  private static WeightType type(EdgeWeight weight) {
    return weight == null ? null : weight.type();
  }

  /** Reads the weights; null for none. */
  private static EdgeWeight weight(
      GeneratorSpec spec, long seed, EdgeWeight distance, boolean directed) {
    String value = spec.text(WEIGHTS, distance == null ? "max" : "distance");
    return distance != null && value.equals("distance")
        ? distance
        : drawnWeight(spec, seed, value, directed);
  }

  /** The same of a value that asks for no distances. */
  private static DrawnWeights drawnWeight(
      GeneratorSpec spec, long seed, String value, boolean directed) {
    if (value.equals("none")) {
      return null;
    }
    if (value.equals("distance")) {
      throw spec.bad("only road, knn and rgg have distances; expected weights=L..H, max or none");
    }
    if (WeightRange.namesType(value)) {
      try {
        WeightRange range = WeightRange.parse(value);
        if (directed) {
          DirectedGraph.requireLengths(range);
        }
        return EdgeWeight.drawn(seed, range);
      } catch (IllegalArgumentException e) {
        throw spec.bad(e.getMessage());
      }
    }
    int dots = value.indexOf("..");
    String least = dots < 0 ? "1" : value.substring(0, dots);
    String most = value.equals("max") ? "2147483647" : dots < 0 ? value : value.substring(dots + 2);
    int min = (int) spec.number(WEIGHTS, least, 0, Integer.MAX_VALUE);
    int max = (int) spec.number(WEIGHTS, most, 0, Integer.MAX_VALUE);
    if (max < min) {
      throw spec.bad("weights=" + value + " is an empty range");
    }
    return EdgeWeight.drawn(seed, min, max);
  }

  private static int vertices(GeneratorSpec spec, String name, String byDefault) {
    return (int) spec.integer(name, byDefault, 0, Graph.MAX_VERTICES);
  }
}
