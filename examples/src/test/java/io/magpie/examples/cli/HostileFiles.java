package io.magpie.examples.cli;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.graph.Coordinates;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphFormats;
import io.magpie.algorithms.graph.GraphTooLargeException;
import io.magpie.algorithms.jts.GeometryFiles;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import io.magpie.algorithms.mesh.io.MeshFormats;
import io.magpie.algorithms.mesh.io.TriangleFormat;
import io.magpie.algorithms.partition.PartitionFormat;
import io.magpie.examples.input.GraphAdjustments;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/**
 * Damaged files: each format that is read, plain and compressed, with bits flipped, cut, moved,
 * repeated and numbers replaced. A file is refused by one clear line, or read as what it says: by
 * {@link StrictGraph} for graphs, by a plain reading of its words for Triangle's files and
 * partitions, by {@code gzip} and {@code xz} for what is compressed. Called by {@code
 * src/test/hostile/files.sh}:
 *
 * <pre>HostileFiles --seed N --case GLOB CASES SECONDS MEGABYTES</pre>
 *
 * <p>MEGABYTES is what the largest compressed files unfold to. A case is {@code FORMAT NUMBER}; its
 * file lies in the current folder until the next of its format, and for good if it failed.
 */
final class HostileFiles {
  private static final List<String> GRAPHS = GraphFormats.suffixes();
  private static final List<String> OTHERS =
      Stream.of(
              List.of(".node", ".ele", ".poly", ".part", ".xyz"),
              MeshFormats.suffixes(),
              GeometryFiles.suffixes())
          .flatMap(List::stream)
          .toList();
  private static final List<String> COMPRESSIONS = List.of("", ".gz", ".xz");
  private static final List<String> NUMBERS =
      List.of(
          "-1",
          "0",
          "1",
          "2147483647",
          "2147483648",
          "4294967297",
          "9223372036854775808",
          "99999999999999999999999",
          "1e9",
          "1.5",
          "2147483646.9999999",
          "NaN",
          "Infinity",
          "0x1",
          "",
          "+1",
          "\u0661",
          "1_0",
          "null");
  private static final int PARTS = 3;
  private static final int LONGEST_MESSAGE = 600;

  private final HostileCases cases;
  private final List<Graph> graphs = new ArrayList<>();

  private HostileFiles(HostileCases cases) {
    this.cases = cases;
  }

  public static void main(String[] arguments) throws IOException {
    Locale.setDefault(Locale.ROOT);
    HostileCases cases = new HostileCases("files", arguments);
    HostileFiles files = new HostileFiles(cases);
    files.addAll(Integer.parseInt(cases.argument(0).orElseThrow()));
    System.exit(cases.run(Long.parseLong(cases.argument(1).orElseThrow())));
  }

  private void addAll(int count) {
    Random random = cases.random();
    for (boolean weighted : new boolean[] {false, true}) {
      graphs.add(graph(random, 12, 20, weighted).build());
      graphs.add(graph(random, 90, 200, weighted).build());
      int[] vertexWeights = random.ints(12, 0, 1000).toArray();
      graphs.add(graph(random, 12, 20, weighted).vertexWeights(vertexWeights).build());
    }
    long seed = random.nextLong();
    List<String> formats = new ArrayList<>();
    for (String compression : COMPRESSIONS) {
      GRAPHS.forEach(suffix -> formats.add(suffix + compression));
      OTHERS.forEach(suffix -> formats.add(suffix + compression));
    }
    formats.add(".history"); // not read compressed
    addMembers();
    addOdd(Integer.parseInt(cases.argument(2).orElseThrow()) << 20);
    for (int i = 0; i < count; i++) {
      String format = formats.get(i % formats.size());
      String name = format.substring(1) + " " + i / formats.size();
      Random own = new Random(seed ^ ((long) name.hashCode() << 32) ^ i);
      cases.add(name, repeat(name), () -> wrong(format, name, own));
    }
  }

  /** A second member of a gzip file with each kind of fault; what gzip refuses is no graph. */
  private void addMembers() {
    Map<String, UnaryOperator<byte[]>> faults = new LinkedHashMap<>();
    faults.put("magic", member -> changed(member, 0, 0x1e));
    faults.put("method", member -> changed(member, 2, 7));
    faults.put("flags", member -> changed(member, 3, 0xe0));
    faults.put("cut header", member -> Arrays.copyOf(member, 7));
    faults.put("cut data", member -> Arrays.copyOf(member, member.length - 12));
    faults.put("checksum", member -> changed(member, member.length - 8, member[0]));
    faults.put("length", member -> changed(member, member.length - 4, 0x77));
    faults.put("zero before it", member -> spliced(member, 0, 0, new byte[1]));
    faults.put("zeros before it", member -> spliced(member, 0, 0, new byte[600]));
    faults.put("text in its place", member -> text("# no member"));
    for (String suffix : Stream.concat(GRAPHS.stream(), Stream.of(".node", ".part")).toList()) {
      faults.forEach(
          (fault, damage) -> {
            String name = suffix.substring(1) + ".gz second member " + fault;
            cases.addFirst(name, repeat(name), () -> secondMember(suffix, damage));
          });
    }
  }

  private String secondMember(String suffix, UnaryOperator<byte[]> damage) throws Exception {
    Path folder = Files.createDirectories(Path.of("members" + suffix));
    byte[] text = original(suffix, folder, new Random(1));
    if (suffix.matches("\\.(el|wel|txt)")) {
      text = withoutFirstLine(text); // which says how many lines there must be
    }
    int cut = text.length / 2;
    while (suffix.matches("\\.(el|wel|txt)") && text[cut - 1] != '\n') {
      cut++; // at the end of a line, so that the first half is a list by itself
    }
    byte[] first = gzip(Arrays.copyOf(text, cut));
    byte[] second = damage.apply(gzip(Arrays.copyOfRange(text, cut, text.length)));
    Path file = folder.resolve("damaged" + suffix + ".gz");
    byte[] bytes = spliced(first, first.length, first.length, second);
    Files.write(file, bytes);
    return judged(suffix, ".gz", file, bytes);
  }

  private static byte[] withoutFirstLine(byte[] text) {
    int from = 0;
    while (text[from++] != '\n') {
      // Up to its end.
    }
    return Arrays.copyOfRange(text, from, text.length);
  }

  private static byte[] changed(byte[] bytes, int at, int value) {
    byte[] changed = bytes.clone();
    changed[at] = (byte) (value == (changed[at] & 0xff) ? value + 1 : value);
    return changed;
  }

  private static byte[] gzip(byte[] bytes) {
    try {
      return compressed(bytes, ".gz", 1);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // in memory
    }
  }

  /** Files of every kind of oddness, each with the statuses that it may end with. */
  private void addOdd(int large) {
    byte[] good = text("p sp 3 2\na 1 2 5\na 2 3 7\n");
    String banner = "%%MatrixMarket matrix coordinate ";
    odd("missing.gr", null, 3);
    odd("empty.gr", new byte[0], 3);
    odd("good.gr", good, 0);
    odd("good.GR", good, 0);
    odd("unknown.doc", good, 2, 3);
    odd("carriage returns.gr", text("p sp 3 2\r\na 1 2 5\r\na 2 3 7\r\n"), 0);
    odd("byte order mark.gr", spliced(good, 0, 0, new byte[] {-17, -69, -65}), 0);
    odd("wide characters.gr", "p sp 3 2\na 1 2 5\na 2 3 7\n".getBytes(StandardCharsets.UTF_16), 3);
    odd("zero bytes.gr", new byte[4096], 3);
    odd("not compressed.gr.gz", good, 3);
    odd("not compressed.gr.xz", good, 3);
    odd("compressed.gr", gzip(good), 3);
    odd("nothing compressed.gr.gz", gzip(new byte[0]), 3);
    odd("promises vertices.gr", text("p sp 2147483647 0\n"), 3, 5);
    odd("promises arcs.gr", text("p sp 2 2147483639\na 1 2 5\n"), 3, 5);
    odd("promises all.graph", text("2147483638 2147483638\n2\n1\n"), 3, 5);
    odd(
        "promises all.mtx",
        text(banner + "integer symmetric\n2147483638 2147483638 2147483638\n2 1 1\n"),
        3,
        5);
    odd("promises vertices.wel", text("# Nodes: 2147483638 Edges: 1\n0 1 5\n"), 0, 3, 5);
    odd("promises a label.wel", text("0 2147483637 5\n"), 0, 3, 5);
    odd("promises all.egr", words(2147483638, 2147483638, 0, 0), 3, 5);
    odd("promises arcs.egr", words(1, 2147483638, 0, 2147483638, 0), 3, 5);
    odd(
        "promises all.mpg",
        words(0x47504d89, 0x0a1a0a0d, 0x01020304, 1, 1, 0, 2147483638, 0, 2147483638, 0),
        3,
        5);
    odd(
        "promises all.mpe",
        words(0x45504d89, 0x0a1a0a0d, 0x01020304, 1, 1, 0, 2147483638, 0, 2147483638, 0),
        3,
        5);
    odd("almost whole.mtx", text(banner + "real symmetric\n2 2 1\n2 1 2147483646.9999999\n"), 0);
    odd("almost one.mtx", text(banner + "real symmetric\n2 2 1\n2 1 0.99999999999999999999\n"), 0);
    odd("skew.mtx", text(banner + "integer skew-symmetric\n2 2 1\n2 1 1\n"), 3);
    odd("no number.mtx", text(banner + "real symmetric\n2 2 1\n2 1 NaN\n"), 3);
    odd("negative.wel", text("0 1 -5\n"), 0);
    odd("one long word.wel.gz", repeated("", "9", large), 3);
    odd("one long line.wel.gz", repeated("", "1 ", large), 3);
    odd("one long comment.wel.gz", repeated("#", "x", large), 0);
    odd("one long blank.wel.gz", repeated("0", " ", large), 3);
    odd("zero bytes.wel.gz", repeated("", "\0", large), 3);
    odd("many empty lines.wel.gz", repeated("0 1 5\n", "\n", large), 0);
    Path loop = Path.of("loop.gr");
    cases.addFirst(
        "odd loop of links",
        repeat("odd loop of links"),
        () -> {
          Files.deleteIfExists(loop);
          Files.createSymbolicLink(loop, loop);
          return msf(loop, 3);
        });
    cases.addFirst(
        "odd folder",
        repeat("odd folder"),
        () -> {
          Files.createDirectories(Path.of("folder.gr"));
          return msf(Path.of("folder.gr"), 3);
        });
    oddMesh("promises vertices", "2147483647 2 0 0\n1 0 0\n", 3, 5);
    oddMesh("promises attributes", "3 2 700000000 0\n1 0 0\n", 3, 5);
    oddMesh("no number", "3 2 0 0\n1 0 0\n2 NaN 0\n3 0 1\n", 3);
    oddMesh("infinite", "3 2 0 0\n1 0 0\n2 1e999 0\n3 0 1\n", 3);
    oddMesh("three dimensions", "3 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n", 3);
    // A region outside of the domain must be refused.
    String square = "4 2 0 0\n1 0 0\n2 1 0\n3 1 1\n4 0 1\n4 0\n1 1 2\n2 2 3\n3 3 4\n4 4 1\n0\n";
    Path regions = Path.of("regions.poly");
    List<String> line = List.of("refine", "--device=cpu:1", "--poly=" + regions);
    cases.addFirst(
        "odd regions",
        HostileCall.typed(line),
        () -> {
          Files.write(regions, text(square + "1\n1 1.5 0.5 7 0.001\n"));
          return HostileCall.of(line).otherThan(2, 3);
        });
  }

  private void odd(String file, byte[] contents, Integer... statuses) {
    cases.addFirst(
        "odd " + file,
        repeat("odd " + file),
        () -> {
          Path path = Files.createDirectories(Path.of("odd")).resolve(file);
          if (contents != null) {
            Files.write(path, contents);
          }
          return msf(path, statuses);
        });
  }

  private static String msf(Path file, Integer... statuses) {
    return HostileCall.of(List.of("msf", "--device=cpu:1", "--graph=" + file)).otherThan(statuses);
  }

  private void oddMesh(String name, String contents, Integer... statuses) {
    cases.addFirst(
        "odd " + name + ".node",
        repeat("odd " + name + ".node"),
        () -> {
          Path file = Path.of(name.replace(' ', '-') + ".node");
          Files.write(file, text(contents));
          return HostileCall.of(List.of("refine", "--device=cpu:1", "--poly=" + file))
              .otherThan(statuses);
        });
  }

  private static byte[] words(int... words) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * words.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asIntBuffer().put(words);
    return bytes.array();
  }

  /** A text and another many times, compressed. */
  private static byte[] repeated(String first, String other, int bytes) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] block = text(other.repeat((1 << 16) / other.length()));
    try (OutputStream out = new GZIPOutputStream(all)) {
      out.write(text(first));
      for (int written = 0; written < bytes; written += block.length) {
        out.write(block);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // in memory
    }
    return all.toByteArray();
  }

  private String repeat(String name) {
    return "hostile.sh --keep --seed " + cases.seed() + " --case 'files/" + name + "' all files";
  }

  private static GraphBuilder graph(Random random, int vertices, int edges, boolean weighted) {
    GraphBuilder builder = new GraphBuilder(vertices, weighted);
    for (int e = 0; e < edges; e++) {
      int weight = weighted ? random.nextInt(random.nextBoolean() ? 9 : Integer.MAX_VALUE) : 1;
      builder.addEdge(random.nextInt(vertices), random.nextInt(vertices), weight);
    }
    return builder;
  }

  // ---- One case.

  private String wrong(String format, String name, Random random) throws Exception {
    String compression = format.endsWith(".gz") || format.endsWith(".xz") ? last(format) : "";
    String suffix = format.substring(0, format.length() - compression.length());
    Path folder = Files.createDirectories(Path.of("f" + format));
    byte[] text = original(suffix, folder, random);
    boolean insideOut = compression.isEmpty() || random.nextInt(3) == 0;
    byte[] contents = insideOut ? damaged(text, random) : text;
    byte[] bytes = compressed(contents, compression, 1 + random.nextInt(3));
    if (!insideOut) {
      bytes = damaged(bytes, random);
    }
    Path file = folder.resolve("damaged" + format);
    Files.write(file, bytes);
    String wrong = judged(suffix, compression, file, bytes);
    if (wrong != null) {
      Files.move(file, file.resolveSibling(name.replace(' ', '-') + format));
    }
    return wrong;
  }

  private static String last(String format) {
    return format.substring(format.lastIndexOf('.'));
  }

  private String judged(String suffix, String compression, Path file, byte[] bytes)
      throws Exception {
    if (suffix.equals(".history")) {
      // What is not refused, or wrong, is verified if there is something to verify, and only then.
      int right = hasCommittedAccess(bytes) ? 0 : 1;
      return HostileCall.of(List.of("verify", "--history", file.toString())).otherThan(right, 3, 8);
    }
    Object read;
    try {
      read = read(suffix, file);
    } catch (GraphTooLargeException | OutOfMemoryError tooLarge) {
      return null;
    } catch (IOException | IllegalArgumentException refusal) {
      String unclear = unclear(file, refusal);
      return unclear == null && GRAPHS.contains(suffix) ? wrongByDefault(file, null) : unclear;
    }
    if (GRAPHS.contains(suffix)) {
      String wrong = wrongByDefault(file, read);
      if (wrong != null) {
        return wrong;
      }
    }
    byte[] contents = bytes;
    if (!compression.isEmpty()) {
      contents = decompressed(compression, file);
      if (contents == null) {
        return "is read, though " + (compression.equals(".gz") ? "gzip" : "xz") + " refuses it";
      }
    }
    try {
      return difference(suffix, contents, read);
    } catch (IllegalArgumentException e) {
      return "is read, though a strict reader finds " + e.getMessage();
    }
  }

  /**
   * What is wrong if weights of any type are read; null if nothing is.
   *
   * @param counted the graph as it is read with weights that count, or null if that is refused
   */
  private static String wrongByDefault(Path file, Object counted) {
    try {
      Graph any = GraphFormats.read(file);
      return counted == null || counted.equals(any) ? null : "is another graph by default: " + any;
    } catch (GraphTooLargeException | OutOfMemoryError tooLarge) {
      return null;
    } catch (IOException | IllegalArgumentException refusal) {
      return counted == null ? unclear(file, refusal) : "is read, but by default " + refusal;
    }
  }

  /** What a refusal lacks; null if it is as it should be. */
  private static String unclear(Path file, Exception refusal) {
    String message = String.valueOf(refusal.getMessage());
    if (!(refusal instanceof FileFormatException)) {
      return "escaped: " + refusal;
    }
    if (message.contains("\n") || message.length() > LONGEST_MESSAGE) {
      return "refused by more than a line: " + message;
    }
    if (message.chars().anyMatch(Character::isISOControl)) {
      return "refused with raw control characters: " + message;
    }
    boolean names = message.contains(file.getFileName().toString());
    return names ? null : "refused without the file's name: " + message;
  }

  private static Object read(String suffix, Path file) throws IOException {
    return switch (suffix) {
      case ".node", ".poly" -> TriangleFormat.readGraph(file);
      case ".ele" -> TriangleFormat.readMesh(file);
      case ".part" -> PartitionFormat.read(file, 12, PARTS);
      case ".xyz" -> Coordinates.read(file, 12);
      case ".obj", ".off", ".vtk", ".vtu", ".msh" -> MeshFormats.read(file);
      case ".wkt", ".geojson" -> GeometryFiles.readGraph(file);
      default -> GraphFormats.read(file, GraphAdjustments.READING);
    };
  }

  private static byte[] decompressed(String compression, Path file)
      throws IOException, InterruptedException {
    Path out = file.resolveSibling("plain");
    Process process =
        new ProcessBuilder(compression.equals(".gz") ? "gzip" : "xz", "-dc")
            .redirectInput(file.toFile())
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException("gzip or xz does not end");
    }
    return process.exitValue() == 0 ? Files.readAllBytes(out) : null;
  }

  // ---- What a file says.

  private static String difference(String suffix, byte[] contents, Object read) {
    switch (suffix) {
      case ".node", ".poly" -> {
        PlanarGraph graph = (PlanarGraph) read;
        List<String[]> lines = words(contents);
        int points = graph.vertices() + 1;
        return !points(lines, graph)
            ? "says other points"
            : suffix.equals(".poly") && !segments(lines.subList(points, lines.size()), graph)
                ? "says other segments"
                : null;
      }
      case ".ele" -> {
        List<String[]> lines = words(contents);
        int triangles = Integer.parseInt(lines.get(0)[0]);
        boolean same = ((Mesh) read).triangles() == triangles && lines.size() == triangles + 1;
        return same ? null : "has another number of triangles";
      }
      case ".part" -> {
        List<Integer> parts = words(contents).stream().map(l -> Integer.valueOf(l[0])).toList();
        boolean same = parts.equals(Arrays.stream((int[]) read).boxed().toList());
        return same ? null : "says other parts";
      }
      case ".obj" -> {
        MeshFormats.Contents mesh = (MeshFormats.Contents) read;
        long vertices = words(contents).stream().filter(l -> l[0].equals("v")).count();
        long faces = words(contents).stream().filter(l -> l[0].equals("f")).count();
        boolean same =
            mesh.graph().vertices() == vertices
                && mesh.mesh().map(Mesh::triangles).orElse(0) == faces;
        return same ? null : "has another number of vertices or triangles";
      }
      case ".xyz", ".off", ".vtk", ".vtu", ".msh", ".wkt", ".geojson" -> {
        return null; // what matters is how it is refused
      }
      default -> {
        StrictGraph expected = StrictGraph.parse(suffix, contents);
        StrictGraph actual = StrictGraph.of((Graph) read);
        return expected.equals(actual) ? null : "is read as another graph than it says";
      }
    }
  }

  /** Whether a history has a transaction that committed and read or wrote something. */
  private static boolean hasCommittedAccess(byte[] contents) {
    return words(contents, "\r\n?|\n", "[ \t\f]+").stream()
        .anyMatch(line -> line.length > 7 && line[4].equals("commit"));
  }

  /** The words of each line of Triangle's files that has some, without comments. */
  private static List<String[]> words(byte[] contents) {
    return words(contents, "\n", "[ \t\r]+");
  }

  /** The words of each line that has some, without comments; line ends and blanks are patterns. */
  private static List<String[]> words(byte[] contents, String ends, String blanks) {
    return Stream.of(new String(contents, StandardCharsets.ISO_8859_1).split(ends))
        .map(line -> line.replaceFirst("(?s)#.*", "").replaceFirst("^" + blanks, ""))
        .filter(line -> !line.isEmpty())
        .map(line -> line.split(blanks))
        .toList();
  }

  private static boolean points(List<String[]> lines, PlanarGraph graph) {
    boolean same = Integer.parseInt(lines.get(0)[0]) == graph.vertices();
    for (int v = 0; same && v < graph.vertices(); v++) {
      String[] line = lines.get(v + 1);
      same = Double.parseDouble(line[1]) == graph.x(v) && Double.parseDouble(line[2]) == graph.y(v);
    }
    return same;
  }

  private static boolean segments(List<String[]> lines, PlanarGraph graph) {
    boolean same = Integer.parseInt(lines.get(0)[0]) == graph.segments();
    for (int s = 0; same && s < graph.segments(); s++) {
      String[] line = lines.get(s + 1);
      same =
          Integer.parseInt(line[1]) == graph.segmentStart(s) + graph.firstIndex()
              && Integer.parseInt(line[2]) == graph.segmentEnd(s) + graph.firstIndex();
    }
    return same && Integer.parseInt(lines.get(graph.segments() + 1)[0]) == graph.holes();
  }

  // ---- Files without fault.

  private byte[] original(String suffix, Path folder, Random random) throws IOException {
    switch (suffix) {
      case ".node" -> {
        return text("4 2 1 1\n1 0 0 7.5 0\n2 1 0 -1 1\n3 1 1e0 3 0\n4 0 1 2 9\n");
      }
      case ".poly" -> {
        return text(
            "# a square with a hole\n8 2 0 1\n0 0 0 1\n1 9 0 1\n2 9 9 1\n3 0 9 1\n"
                + "4 3 3 2\n5 6 3 2\n6 6 6 2\n7 3 6 2\n8 1\n0 0 1 1\n1 1 2 1\n2 2 3 1\n"
                + "3 3 0 1\n4 4 5 2\n5 5 6 2\n6 6 7 2\n7 7 4 2\n1\n0 4.5 4.5\n");
      }
      case ".ele" -> {
        Files.write(folder.resolve("damaged.node"), text("4 2 0 0\n1 0 0\n2 4 0\n3 4 3\n4 0 3\n"));
        return text("2 3 1\n1 1 2 3 0.5\n2 1 3 4 -7\n");
      }
      case ".part" -> {
        return text("0\n1\n2\n1\n0\n0\n2\n2\n1\n1\n0\n2\n");
      }
      case ".xyz" -> {
        return text("0 0.5 1\n1 1.5 0\n-2e3 .5 0\n".repeat(4));
      }
      case ".obj", ".off", ".vtk", ".vtu", ".msh" -> {
        Path file = folder.resolve("original" + suffix);
        MeshFormats.write(mesh(), file);
        return Files.readAllBytes(file);
      }
      case ".wkt" -> {
        return text(
            "MULTIPOLYGON (((0 0, 9 0, 9 9, 0 9, 0 0), (1 1, 1 8, 8 8, 8 1, 1 1)), ((3 3, 5 3, 5"
                + " 5.5, 3 3)))\nLINESTRING (0 0, 0.5 0.5)\nPOINT (2.5e-1 0.75)\n");
      }
      case ".geojson" -> {
        return text(
            "{\"type\": \"FeatureCollection\", \"features\": [{\"type\": \"Feature\", \"geometry\":"
                + " {\"type\": \"Polygon\",\n\"coordinates\": [[[0, 0], [9, 0], [9, 9], [0, 0]], [[4,"
                + " 1], [5, 1], [5, 2e0], [4, 1]]]}},\n{\"type\": \"Feature\", \"geometry\":"
                + " {\"type\": \"Point\", \"coordinates\": [6, 1.5]}}]}\n");
      }
      case ".history" -> {
        return history();
      }
      default -> {
        return graph(suffix, folder, random);
      }
    }
  }

  /** Two triangles with labels of all kinds. */
  private static Mesh mesh() {
    PlanarGraph graph =
        PlanarGraph.builder(new double[] {0, 0, 4, 0, 4, 2.5, 0, 2.5})
            .vertexAttributes(1, new double[] {1, 0.5, -2, 7})
            .vertexMarkers(new int[] {0, -1, 2, 3})
            .segments(new int[] {0, 1, 1, 2, 2, 3, 3, 0, 0, 2}, new int[] {1, 2, 2, 1, 0})
            .regions(List.of(new PlanarGraph.Region(1, 2, 3, 4)))
            .build();
    return Mesh.builder(graph, new int[] {0, 1, 2, 0, 2, 3})
        .triangleAttributes(2, new double[] {5, 0.5, 6, 0.25})
        .build();
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte[] history() throws IOException {
    Path file = Path.of("history");
    if (!Files.exists(file)) {
      String load = "--workload=drawn:objects=9,accesses=3";
      HostileCall.of(
          List.of("verify", load, "--transactions=12", "--device=cpu:1", "--save=history"));
    }
    return Files.readAllBytes(file);
  }

  private byte[] graph(String suffix, Path folder, Random random) throws IOException {
    List<Graph> fitting =
        graphs.stream()
            .filter(g -> !suffix.equals(".el") || !g.weighted())
            .filter(g -> !suffix.equals(".wel") || g.weighted())
            .filter(g -> g.vertexWeights() == null || suffix.matches("\\.graph|\\.mpg"))
            .toList();
    Path file = folder.resolve("original" + suffix);
    GraphFormats.write(fitting.get(random.nextInt(fitting.size())), file);
    byte[] bytes = Files.readAllBytes(file);
    if (suffix.matches("\\.(el|wel|txt)") && random.nextBoolean()) {
      return withoutFirstLine(bytes);
    }
    if (suffix.equals(".mtx") && random.nextInt(3) == 0) {
      String text = new String(bytes, StandardCharsets.ISO_8859_1);
      return text(text.replace(" symmetric", " general").replace("integer", "real"));
    }
    return bytes;
  }

  /** Compressed in one part or several. */
  private static byte[] compressed(byte[] bytes, String compression, int parts) throws IOException {
    if (compression.isEmpty()) {
      return bytes;
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int part = 0; part < parts; part++) {
      int from = bytes.length * part / parts;
      int to = bytes.length * (part + 1) / parts;
      try (OutputStream out =
          compression.equals(".gz")
              ? new GZIPOutputStream(all)
              : new XZOutputStream(all, new LZMA2Options(1))) {
        out.write(bytes, from, to - from);
      }
    }
    return all.toByteArray();
  }

  // ---- Damage.

  private static byte[] damaged(byte[] bytes, Random random) {
    byte[] damaged = bytes;
    for (int times = 1 + random.nextInt(2); times > 0; times--) {
      damaged = damagedOnce(damaged, random);
    }
    return damaged;
  }

  private static byte[] damagedOnce(byte[] bytes, Random random) {
    int length = bytes.length;
    int at = place(bytes, random);
    int block = 1 + random.nextInt(1 + Math.min(40, length - at));
    int end = Math.min(length, at + block);
    switch (random.nextInt(10)) {
      case 0, 1 -> {
        byte[] flipped = bytes.clone();
        if (at < length) {
          flipped[at] ^= (byte) (1 << random.nextInt(8));
        }
        return flipped;
      }
      case 2 -> {
        return Arrays.copyOf(bytes, at);
      }
      case 3 -> {
        return spliced(bytes, at, end, new byte[0]);
      }
      case 4 -> {
        return spliced(bytes, end, end, Arrays.copyOfRange(bytes, at, end));
      }
      case 5 -> {
        byte[] more = new byte[1 + random.nextInt(3)];
        random.nextBytes(more);
        return spliced(bytes, at, at, more);
      }
      case 6 -> {
        return spliced(bytes, at, at, new byte[1 + random.nextInt(8)]);
      }
      case 7 -> {
        String blanks =
            List.of("\n", "\r", " ", "\t", "\n\n", "#", "%", "c", "\u001b[31m")
                .get(random.nextInt(9));
        return spliced(bytes, at, at, text(blanks));
      }
      case 8 -> {
        byte[] word = text(NUMBERS.get(random.nextInt(NUMBERS.size())));
        int to = at;
        while (to < length && bytes[to] > ' ') {
          to++;
        }
        return spliced(bytes, at, to, word);
      }
      default -> { // a word of 32 bits, as headers of binary files have them
        int word =
            List.of(-1, 0, 1, Integer.MAX_VALUE, Integer.MIN_VALUE, 1 << 30).get(random.nextInt(6));
        byte[] four = {(byte) word, (byte) (word >> 8), (byte) (word >> 16), (byte) (word >> 24)};
        int aligned = at & ~3;
        return spliced(bytes, aligned, Math.min(length, aligned + 4), four);
      }
    }
  }

  /** Where to damage: anywhere, or where something begins: the file, a word, a member of gzip. */
  private static int place(byte[] bytes, Random random) {
    int at = random.nextInt(bytes.length + 1);
    switch (random.nextInt(4)) {
      case 0 -> {
        return Math.min(bytes.length, random.nextInt(24));
      }
      case 1 -> {
        for (int i = at; i + 2 < bytes.length; i++) {
          if (bytes[i] == 0x1f && bytes[i + 1] == (byte) 0x8b && bytes[i + 2] == 8) {
            return Math.min(bytes.length, i + random.nextInt(11));
          }
        }
        return at;
      }
      case 2 -> {
        while (at > 0 && at < bytes.length && bytes[at - 1] > ' ') {
          at--;
        }
        return at;
      }
      default -> {
        return at;
      }
    }
  }

  private static byte[] spliced(byte[] bytes, int from, int to, byte[] instead) {
    byte[] spliced = Arrays.copyOf(bytes, bytes.length - (to - from) + instead.length);
    System.arraycopy(instead, 0, spliced, from, instead.length);
    System.arraycopy(bytes, to, spliced, from + instead.length, bytes.length - to);
    return spliced;
  }
}
