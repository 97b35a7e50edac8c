package io.magpie.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.FileWeights;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphFormats;
import io.magpie.algorithms.graph.ReadOptions;
import io.magpie.examples.cli.ExitStatus;
import io.magpie.spark.TestEdges.Edge;
import io.magpie.spark.TestJobs.Run;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeTry;

/** Texts that are converted to Parquet, what jobs make of that, and the way back. */
class ConvertProperties {
  private static final String[] LONGS = {
    "0",
    "-1",
    "7",
    "" + Integer.MAX_VALUE,
    "" + Long.MIN_VALUE,
    "" + Long.MAX_VALUE,
    "9007199254740993",
    "-9007199254740993"
  };
  private static final String[] DOUBLES = {
    "0",
    "-0.0",
    "1.5",
    "-2.25",
    "4.9e-324",
    "-4.9e-324",
    "2.2250738585072014e-308",
    "1.7976931348623157e308",
    "-1.7976931348623157e308",
    "1e-310"
  };

  /**
   * A line of a text.
   *
   * @param weight as it is written
   */
  record Line(int source, int target, String weight) {}

  private Path folder;

  @BeforeTry
  void makeFolder() throws IOException {
    folder = Files.createTempDirectory("convert");
  }

  @AfterTry
  void removeFolder() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  @Provide
  Arbitrary<List<Line>> longs() {
    return lines(LONGS);
  }

  @Provide
  Arbitrary<List<Line>> doubles() {
    return lines(DOUBLES);
  }

  /** With self-loops and parallel edges. */
  private static Arbitrary<List<Line>> lines(String[] weights) {
    Arbitrary<Integer> vertices = Arbitraries.integers().between(0, 12);
    return Combinators.combine(vertices, vertices, Arbitraries.of(weights))
        .as(Line::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(40);
  }

  private Path text(List<Line> lines) throws IOException {
    List<String> text =
        lines.stream().map(l -> l.source() + " " + l.target() + " " + l.weight()).toList();
    return Files.write(folder.resolve("edges.wel"), text);
  }

  private Path converted(Path from, String engine, String type) {
    Path to = folder.resolve(engine + ".parquet");
    TestJobs.magpie(
            "convert",
            "--engine",
            engine,
            "--graph",
            from.toString(),
            "--weight-type",
            type,
            "--out",
            to.toString())
        .done();
    return to;
  }

  private TreeSet<Long> forest(Path edges, int partitions, String... more) throws IOException {
    Path out = folder.resolve("forest-" + edges.getFileName());
    Stream<String> words =
        Stream.of("--input", edges.toString(), "--partitions", "" + partitions, "--verify");
    TestJobs.job(
            TestJobs.words(
                Stream.concat(words, Stream.of(more)),
                "--master",
                "local[2]",
                "--device",
                "cpu:1",
                "--out",
                out.toString()))
        .done();
    return TestJobs.ids(out);
  }

  /** Where a weight is among all. */
  private static long rank(BigDecimal weight, TreeSet<BigDecimal> all) {
    return all.headSet(weight).size();
  }

  private static BigDecimal exact(Number weight) {
    return weight instanceof Double || weight instanceof Float
        ? new BigDecimal(weight.doubleValue())
        : BigDecimal.valueOf(weight.longValue());
  }

  @Property(tries = 6)
  void forestsOfLongs(
      @ForAll("longs") List<Line> lines, @ForAll @IntRange(min = 1, max = 9) int partitions)
      throws IOException {
    assertForests(lines, "long", partitions);
  }

  @Property(tries = 6)
  void forestsOfDoubles(
      @ForAll("doubles") List<Line> lines, @ForAll @IntRange(min = 1, max = 9) int partitions)
      throws IOException {
    assertForests(lines, "double", partitions);
  }

  /** By rows where edges are taken one by one, by canonical arcs where the graph is in memory. */
  private void assertForests(List<Line> lines, String type, int partitions) throws IOException {
    Path text = text(lines);
    List<BigDecimal> weights =
        lines.stream()
            .map(
                line ->
                    type.equals("double")
                        ? new BigDecimal(Double.parseDouble(line.weight()))
                        : new BigDecimal(line.weight()))
            .toList();
    TreeSet<BigDecimal> all = new TreeSet<>(weights);
    List<Edge> rows = new ArrayList<>();
    for (Line line : lines) {
      long rank = rank(weights.get(rows.size()), all);
      rows.add(new Edge(rows.size(), line.source(), line.target(), rank));
    }
    assertEquals(
        TestEdges.forest(rows, false), forest(converted(text, "stream", type), partitions));
    Graph graph =
        GraphFormats.read(
            text, ReadOptions.defaults().withWeights(FileWeights.valueOf(type.toUpperCase())));
    List<Edge> arcs = new ArrayList<>();
    int[] ends = graph.edgeEnds();
    int[] canonical = graph.canonicalArcs();
    for (int i = 0; i < canonical.length; i++) {
      long rank = rank(exact(graph.exactWeight(canonical[i])), all);
      arcs.add(new Edge(canonical[i], ends[2 * i], ends[2 * i + 1], rank));
    }
    assertEquals(
        TestEdges.forest(arcs, false),
        forest(converted(text, "memory", type), partitions, "--id", "id"));
  }

  @Property(tries = 25)
  void longsComeBack(@ForAll("longs") List<Line> lines) throws IOException {
    assertComesBack(lines, "long");
  }

  @Property(tries = 25)
  void doublesComeBack(@ForAll("doubles") List<Line> lines) throws IOException {
    assertComesBack(lines, "double");
  }

  /** Line by line where edges are taken one by one, else as the graph that the text makes. */
  private void assertComesBack(List<Line> lines, String type) throws IOException {
    Path text = text(lines);
    ReadOptions options =
        ReadOptions.defaults().withWeights(FileWeights.valueOf(type.toUpperCase()));
    Graph graph = GraphFormats.read(text, options);
    for (String engine : new String[] {"stream", "memory"}) {
      Path back = folder.resolve(engine + ".mpg");
      TestJobs.magpie(
              "convert",
              "--parquet",
              converted(text, engine, type).toString(),
              "--out",
              back.toString())
          .done();
      Graph again = GraphFormats.read(back);
      assertEquals(graph.weightType(), again.weightType());
      assertEquals(graph.vertices(), again.vertices());
      assertEquals(engine.equals("stream") ? edges(lines, type) : edges(graph), edges(again));
    }
  }

  /** All lines, as sorted text of what they mean. */
  private static List<String> edges(List<Line> lines, String type) {
    return lines.stream()
        .map(
            line ->
                Math.min(line.source(), line.target())
                    + " "
                    + Math.max(line.source(), line.target())
                    + " "
                    + (type.equals("double")
                        ? Double.toString(Double.parseDouble(line.weight()) + 0.0)
                        : line.weight()))
        .sorted()
        .toList();
  }

  /** All edges, as sorted text. */
  static List<String> edges(Graph graph) {
    int[] ends = graph.edgeEnds();
    int[] arcs = graph.canonicalArcs();
    List<String> edges = new ArrayList<>();
    for (int i = 0; i < arcs.length; i++) {
      String weight = graph.weighted() ? " " + graph.exactWeight(arcs[i]) : "";
      edges.add(ends[2 * i] + " " + ends[2 * i + 1] + weight);
    }
    edges.sort(Comparator.naturalOrder());
    return edges;
  }

  @Property(tries = 10)
  void whatIsNoNumberIsRefusedWithItsLine(
      @ForAll("doubles") List<Line> lines, @ForAll @IntRange(max = 39) int at) throws IOException {
    int wrong = Math.min(at, lines.size());
    List<Line> all = new ArrayList<>(lines);
    all.add(wrong, new Line(0, 1, "NaN"));
    Path text = text(all);
    for (String engine : new String[] {"stream", "memory"}) {
      Path out = folder.resolve("none.parquet");
      Run run =
          TestJobs.magpie(
              "convert", "--engine", engine, "--graph", text.toString(), "--out", out.toString());
      assertEquals(ExitStatus.BAD_INPUT.code(), run.status(), run.out() + run.err());
      assertTrue(run.err().contains(text + ":" + (wrong + 1)), run.err());
      assertEquals(1, run.err().lines().count(), run.err());
      try (Stream<Path> left = Files.list(folder)) {
        assertEquals(List.of(text), left.toList());
      }
    }
  }
}
