package io.magpie.examples.cli;

import io.magpie.algorithms.graph.Graph;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * What a graph file says, by the words of the package {@code graph} alone: written without a look
 * at the readers, slow, and strict. What is wrong with a file is an {@link
 * IllegalArgumentException}.
 *
 * @param vertices how many
 * @param weighted whether edges have weights of their own
 * @param edges each as {@code u v weight} with u up to v, and how many there are of it
 * @param vertexWeights empty if there are none
 */
record StrictGraph(
    int vertices, boolean weighted, Map<String, Integer> edges, List<Integer> vertexWeights) {
  private static final int MOST_VERTICES = 20_000_000;

  /** The same of a graph in memory. */
  static StrictGraph of(Graph graph) {
    Edges edges = new Edges();
    for (int u = 0; u < graph.vertices(); u++) {
      for (int a = graph.offsets()[u]; a < graph.offsets()[u + 1]; a++) {
        edges.arc(u, graph.neighbors()[a], graph.weighted() ? graph.weights()[a] : 1);
      }
    }
    if (!edges.there.equals(edges.back)) {
      throw new IllegalArgumentException("the graph in memory lacks arcs of the other direction");
    }
    return new StrictGraph(
        graph.vertices(),
        graph.weighted(),
        edges.counted(),
        graph.vertexWeights() == null
            ? List.of()
            : Arrays.stream(graph.vertexWeights()).boxed().toList());
  }

  /** The graph of a file's contents, not compressed. */
  static StrictGraph parse(String suffix, byte[] contents) {
    return switch (suffix) {
      case ".gr" -> dimacs(lines(contents));
      case ".graph" -> metis(lines(contents));
      case ".mtx" -> matrix(lines(contents));
      case ".el", ".wel", ".txt" -> edgeList(suffix, lines(contents));
      case ".egr" -> ecl(ByteBuffer.wrap(contents).order(ByteOrder.LITTLE_ENDIAN));
      case ".mpg" -> snapshot(contents);
      case ".mpe" -> binaryEdges(contents);
      default -> throw new IllegalStateException(suffix);
    };
  }

  /** Arcs by direction: an arc and one back of the same weight are one edge. */
  private static final class Edges {
    private final Map<String, Integer> there = new TreeMap<>();
    private final Map<String, Integer> back = new TreeMap<>();
    private int most = -1;

    void arc(int u, int v, int weight) {
      String edge = Math.min(u, v) + " " + Math.max(u, v) + " " + weight;
      if (u <= v) {
        there.merge(edge, 1, Integer::sum);
      }
      if (u >= v) {
        back.merge(edge, 1, Integer::sum);
      }
      most = Math.max(most, Math.max(u, v));
    }

    void edge(int u, int v, int weight) {
      arc(u, v, weight);
      if (u != v) {
        arc(v, u, weight);
      }
    }

    Map<String, Integer> counted() {
      Map<String, Integer> all = new TreeMap<>(there);
      back.forEach((edge, count) -> all.merge(edge, count, Math::max));
      return all;
    }
  }

  private static List<String[]> lines(byte[] contents) {
    List<String[]> lines = new ArrayList<>();
    String text = new String(contents, StandardCharsets.ISO_8859_1);
    for (String line : text.split("\n", -1)) {
      String bare = line.replaceAll("^[ \t\r]+|[ \t\r]+$", "");
      lines.add(bare.isEmpty() ? new String[0] : bare.split("[ \t\r]+"));
    }
    if (lines.get(lines.size() - 1).length == 0) {
      lines.remove(lines.size() - 1); // what follows the last line's end is no line
    }
    return lines;
  }

  private static void require(boolean right, String what) {
    if (!right) {
      throw new IllegalArgumentException(what);
    }
  }

  private static long number(String word, long least, long most) {
    require(word.matches("[+]?[0-9]{1,25}"), "'" + word + "' is no number");
    java.math.BigInteger value = new java.math.BigInteger(word);
    require(value.bitLength() < 64, word + " is too large");
    require(value.longValue() >= least && value.longValue() <= most, word + " is out of range");
    return value.longValue();
  }

  private static int vertices(String word) {
    return (int) number(word, 0, MOST_VERTICES);
  }

  private static int weight(String word) {
    return (int) number(word, 0, Integer.MAX_VALUE);
  }

  private static StrictGraph dimacs(List<String[]> lines) {
    String[] header = null;
    Edges edges = new Edges();
    int vertices = 0;
    long found = 0;
    for (String[] line : lines) {
      if (line.length == 0 || line[0].startsWith("c")) {
        continue;
      }
      if (header == null) {
        header = line;
        require(line.length == 4 && line[0].equals("p"), "no header");
        require(line[1].equals("sp") || line[1].equals("tw"), "an unknown header");
        vertices = vertices(line[2]);
        continue;
      }
      found++;
      boolean arc = header[1].equals("sp");
      require(line.length == (arc ? 4 : 2) && (!arc || line[0].equals("a")), "no arc");
      int at = arc ? 1 : 0;
      int u = (int) number(line[at], 1, vertices) - 1;
      int v = (int) number(line[at + 1], 1, vertices) - 1;
      if (arc) {
        edges.arc(u, v, weight(line[3]));
      } else {
        edges.edge(u, v, 1);
      }
    }
    require(header != null, "no header");
    require(found == number(header[3], 0, Long.MAX_VALUE), "another number of arcs");
    return new StrictGraph(vertices, header[1].equals("sp"), edges.counted(), List.of());
  }

  private static StrictGraph metis(List<String[]> all) {
    List<String[]> lines =
        new ArrayList<>(all.stream().filter(l -> l.length == 0 || !l[0].startsWith("%")).toList());
    while (!lines.isEmpty() && lines.get(0).length == 0) {
      lines.remove(0);
    }
    require(!lines.isEmpty(), "no header");
    String[] header = lines.remove(0);
    require(header.length >= 2 && header.length <= 4, "no header");
    int vertices = vertices(header[0]);
    String format = header.length > 2 ? header[2] : "0";
    require(format.matches("0{0,2}[01]|0?1[01]"), "format " + format);
    if (header.length > 3) {
      number(header[3], 0, 1);
    }
    boolean weighted = format.endsWith("1");
    int own = format.length() > 1 && format.charAt(format.length() - 2) == '1' ? 1 : 0;
    require(lines.size() >= vertices, "too few lines");
    Edges edges = new Edges();
    List<Integer> vertexWeights = new ArrayList<>();
    long entries = 0;
    for (int u = 0; u < lines.size(); u++) {
      String[] line = lines.get(u);
      require(u < vertices || line.length == 0, "too many lines");
      if (u < vertices && own == 1) {
        require(line.length > 0, "no weight of the vertex");
        vertexWeights.add(weight(line[0]));
      }
      int step = weighted ? 2 : 1;
      for (int i = own; i < line.length; i += step) {
        require(i + step <= line.length, "no weight");
        int v = (int) number(line[i], 1, vertices) - 1;
        edges.arc(u, v, weighted ? weight(line[i + 1]) : 1);
        entries += u == v ? 2 : 1;
      }
    }
    require(edges.there.equals(edges.back), "an edge in one list only");
    require(entries == 2 * number(header[1], 0, Integer.MAX_VALUE), "another number of edges");
    return new StrictGraph(vertices, weighted, edges.counted(), vertexWeights);
  }

  private static StrictGraph matrix(List<String[]> lines) {
    require(!lines.isEmpty() && lines.get(0).length == 5, "no banner");
    String banner = String.join(" ", lines.get(0)).toLowerCase(Locale.ROOT);
    require(
        banner.matches(
            "%%matrixmarket matrix coordinate (pattern|integer|real) (general|symmetric)"),
        "an unknown banner");
    boolean pattern = banner.contains("pattern");
    boolean real = banner.contains(" real ");
    boolean symmetric = banner.endsWith("symmetric");
    String[] sizes = null;
    int vertices = 0;
    long found = 0;
    Edges edges = new Edges();
    for (String[] line : lines.subList(1, lines.size())) {
      if (line.length == 0 || line[0].startsWith("%")) {
        continue;
      }
      if (sizes == null) {
        sizes = line;
        require(sizes.length == 3, "no sizes");
        vertices = vertices(sizes[0]);
        require(vertices(sizes[1]) == vertices, "not square");
        continue;
      }
      require(line.length == (pattern ? 2 : 3), "no entry");
      found++;
      int u = (int) number(line[0], 1, vertices) - 1;
      int v = (int) number(line[1], 1, vertices) - 1;
      require(!symmetric || u >= v, "above the diagonal");
      int weight = pattern ? 1 : real ? whole(line[2]) : weight(line[2]);
      if (symmetric) {
        edges.edge(u, v, weight);
      } else {
        edges.arc(u, v, weight);
      }
    }
    require(sizes != null && found == number(sizes[2], 0, Long.MAX_VALUE), "another number");
    return new StrictGraph(vertices, !pattern, edges.counted(), List.of());
  }

  /** A real value that is a whole number, as it is written and not as it is rounded. */
  private static int whole(String word) {
    require(
        word.matches("[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]{1,3})?"),
        "'" + word + "' is no number");
    try {
      return weight(new java.math.BigDecimal(word).toBigIntegerExact().toString());
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("'" + word + "' is not whole", e);
    }
  }

  private static StrictGraph edgeList(String suffix, List<String[]> lines) {
    require(!lines.isEmpty(), "an empty file");
    Edges edges = new Edges();
    Boolean weighted = suffix.equals(".wel") ? Boolean.TRUE : null;
    weighted = suffix.equals(".el") ? Boolean.FALSE : weighted;
    long nodes = 0;
    long declared = 0;
    long found = 0;
    for (String[] line : lines) {
      if (line.length == 0 || line[0].startsWith("%")) {
        continue;
      }
      if (line[0].startsWith("#")) {
        for (int i = 0; i + 1 < line.length; i++) {
          if (line[i].equals("Nodes:") || line[i].equals("#Nodes:")) {
            nodes = number(line[i + 1], 0, MOST_VERTICES);
          } else if (line[i].equals("Edges:")) {
            declared = number(line[i + 1], 0, Long.MAX_VALUE);
          }
        }
        continue;
      }
      weighted = weighted == null ? Boolean.valueOf(line.length == 3) : weighted;
      require(line.length == (weighted ? 3 : 2), "no edge");
      found++;
      int u = (int) number(line[0], 0, MOST_VERTICES);
      int v = (int) number(line[1], 0, MOST_VERTICES);
      edges.arc(u, v, weighted ? weight(line[2]) : 1);
    }
    require(found >= declared, "too few edges");
    int vertices = (int) Math.max(nodes, edges.most + 1);
    return new StrictGraph(vertices, Boolean.TRUE.equals(weighted), edges.counted(), List.of());
  }

  private static StrictGraph ecl(ByteBuffer in) {
    require(in.remaining() >= 12, "too short");
    int vertices = in.getInt();
    int arcs = in.getInt();
    require(vertices >= 0 && arcs >= 0, "negative counts");
    long bare = 4L * (vertices + 1L + arcs);
    require(in.remaining() == bare || in.remaining() == bare + 4L * arcs, "another length");
    boolean weighted = in.remaining() > bare;
    return csr(in, vertices, arcs, weighted, false, false);
  }

  private static StrictGraph csr(
      ByteBuffer in, int vertices, int arcs, boolean weighted, boolean owned, boolean exact) {
    int[] offsets = ints(in, vertices + 1);
    int[] targets = ints(in, arcs);
    int[] weights = weighted ? ints(in, arcs) : null;
    int[] vertexWeights = owned ? ints(in, vertices) : new int[0];
    require(offsets[0] == 0, "the first offset");
    require(offsets[vertices] == arcs || (!exact && offsets[vertices] < arcs), "the last offset");
    Edges edges = new Edges();
    for (int u = 0; u < vertices; u++) {
      require(offsets[u] <= offsets[u + 1] && offsets[u + 1] <= arcs, "offsets descend");
      for (int a = offsets[u]; a < offsets[u + 1]; a++) {
        require(targets[a] >= 0 && targets[a] < vertices, "no such target");
        require(weights == null || weights[a] >= 0, "a negative weight");
        edges.arc(u, targets[a], weights == null ? 1 : weights[a]);
      }
    }
    require(Arrays.stream(vertexWeights).allMatch(w -> w >= 0), "a negative weight of a vertex");
    return new StrictGraph(
        vertices, weighted, edges.counted(), Arrays.stream(vertexWeights).boxed().toList());
  }

  private static int[] ints(ByteBuffer in, int count) {
    int[] ints = new int[count];
    in.asIntBuffer().get(ints);
    in.position(in.position() + 4 * count);
    return ints;
  }

  private static StrictGraph snapshot(byte[] contents) {
    ByteBuffer in = header(contents, 0x0a1a0a0d47504d89L, 48);
    int flags = in.getInt();
    require(flags >= 0 && flags <= 3 && in.getInt() == 0, "unknown flags, or a directed graph");
    long vertices = in.getLong();
    long arcs = in.getLong();
    require(vertices >= 0 && vertices <= MOST_VERTICES && arcs >= 0, "too large");
    long words = vertices + 1 + arcs * (1 + (flags & 1)) + vertices * (flags >> 1);
    require(arcs <= contents.length && 44 + 4 * words == contents.length, "another length");
    return csr(in, (int) vertices, (int) arcs, (flags & 1) != 0, (flags & 2) != 0, true);
  }

  private static StrictGraph binaryEdges(byte[] contents) {
    ByteBuffer in = header(contents, 0x0a1a0a0d45504d89L, 44);
    int flags = in.getInt();
    require(flags >= 0 && flags <= 1 && in.getInt() == 0, "unknown flags, or other weights");
    long vertices = in.getLong();
    long count = in.getLong();
    require(vertices >= 0 && vertices <= MOST_VERTICES && count >= 0, "too large");
    require(
        count <= contents.length && 44 + (8L + 4 * flags) * count == contents.length,
        "another length");
    Edges edges = new Edges();
    for (long i = 0; i < count; i++) {
      int u = in.getInt();
      int v = in.getInt();
      int weight = flags == 1 ? in.getInt() : 1;
      require(Math.min(u, v) >= 0 && Math.max(u, v) < vertices, "no such end");
      require(weight >= 0, "a negative weight");
      edges.edge(u, v, weight);
    }
    return new StrictGraph((int) vertices, flags == 1, edges.counted(), List.of());
  }

  /** A binary file of Magpie's from its flags on, with a right checksum. */
  private static ByteBuffer header(byte[] contents, long magic, int least) {
    ByteBuffer in = ByteBuffer.wrap(contents).order(ByteOrder.LITTLE_ENDIAN);
    require(contents.length >= least, "too short");
    require(in.getLong() == magic, "another magic");
    require(in.getInt() == 0x01020304 && in.getInt() == 1, "another order or version");
    CRC32C sum = new CRC32C();
    sum.update(contents, 0, contents.length - 4);
    require((int) sum.getValue() == in.getInt(contents.length - 4), "a wrong checksum");
    return in;
  }
}
