package io.magpie.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.magpie.examples.cli.ExitStatus;
import io.magpie.spark.TestEdges.Edge;
import io.magpie.spark.TestJobs.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.jgrapht.alg.connectivity.ConnectivityInspector;
import org.jgrapht.graph.DefaultEdge;
import org.jgrapht.graph.Pseudograph;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code magpie components --engine spark}, with Spark in this process. */
class ComponentsTest {
  private static final String MASTER = "local[2,3]";
  private static final long SEED = 20260903;
  private static final String COLUMNS = "required int32 src; required int64 dst;";

  @TempDir private Path folder;

  @AfterEach
  void nothingIsPlanned() {
    FlakyFileSystem.plan(0, 0);
  }

  private static Run job(String... arguments) {
    return TestJobs.magpie(
        TestJobs.words(
            Stream.of("components", "--engine", "spark", "--master", MASTER), arguments));
  }

  /** For each vertex the least one of its component, by JGraphT. */
  static List<Integer> expected(List<Edge> edges, int vertices) {
    Pseudograph<Integer, DefaultEdge> graph = new Pseudograph<>(DefaultEdge.class);
    IntStream.range(0, vertices).forEach(graph::addVertex);
    edges.forEach(edge -> graph.addEdge(edge.source(), edge.target()));
    Integer[] labels = new Integer[vertices];
    new ConnectivityInspector<>(graph)
        .connectedSets()
        .forEach(set -> set.forEach(vertex -> labels[vertex] = Collections.min(set)));
    return List.of(labels);
  }

  /** Few edges, so that there are many components, some of a single vertex. */
  private static List<Edge> edges(int vertices) {
    return TestEdges.random(SEED, vertices, vertices / 2, 1);
  }

  static List<Integer> read(Path out) throws IOException {
    List<Integer> labels = new ArrayList<>();
    org.apache.hadoop.fs.Path file =
        new org.apache.hadoop.fs.Path(out.resolve("part-00000.parquet").toUri());
    try (ParquetReader<Group> reader =
        ParquetReader.builder(new GroupReadSupport(), file).build()) {
      for (Group row = reader.read(); row != null; row = reader.read()) {
        assertEquals(labels.size(), row.getInteger("vertex", 0));
        labels.add(row.getInteger("component", 0));
      }
    }
    return labels;
  }

  /** Runs a job that must be done, and gives its labels. */
  private List<Integer> labels(String... arguments) throws IOException {
    Path out = folder.resolve("components");
    Run run = job(TestJobs.words(Stream.of(arguments), "--out", out.toString())).done();
    assertEquals("", run.err());
    List<Integer> labels = read(out);
    JsonNode manifest = new ObjectMapper().readTree(out.resolve("_manifest.json").toFile());
    assertEquals(labels.size(), manifest.get("vertices").asInt());
    assertEquals(labels.stream().distinct().count(), manifest.get("components").asLong());
    long largest =
        labels.stream()
            .collect(Collectors.groupingBy(label -> label, Collectors.counting()))
            .values()
            .stream()
            .mapToLong(count -> count)
            .max()
            .orElse(0);
    assertEquals(largest, manifest.get("largest").asLong());
    assertTrue(run.out().contains("the largest of " + largest + " vert"), run.out());
    assertNothingIsLeft();
    TestEdges.remove(out);
    return labels;
  }

  private void assertNothingIsLeft() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      assertFalse(files.anyMatch(file -> file.toString().contains("attempts")));
    }
  }

  @ParameterizedTest
  @CsvSource({"1, false", "2, true", "7, false", "7, true", "64, true"})
  void labelsAreTheLeastVerticesWhateverThePartitionsAndTheOrder(int partitions, boolean shuffled)
      throws IOException {
    int vertices = 700;
    List<Edge> edges = new ArrayList<>(edges(vertices));
    List<Integer> expected = expected(edges, vertices);
    if (shuffled) {
      Collections.shuffle(edges, new Random(SEED + partitions));
    }
    Path input = folder.resolve("edges.parquet");
    TestEdges.write(input, COLUMNS, edges);
    String[] words = {
      "--input", input.toString(), "--vertices", "" + vertices, "--partitions", "" + partitions
    };
    assertEquals(expected, labels(words));
    assertEquals(expected, labels(TestJobs.words(Stream.of(words), "--verify")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"rmat:scale=9,edges=300 | 7", "random:n=500,m=300,weights=float:0..1 | 2"})
  void generatedEdgesHaveTheComponentsOfTheOtherEngines(String spec, int partitions)
      throws IOException {
    List<Integer> labels = labels("--generate", spec, "--partitions", "" + partitions, "--verify");
    for (String engine : new String[] {"memory", "stream"}) {
      Path out = folder.resolve(engine);
      TestJobs.magpie(
              "components",
              "--engine",
              engine,
              "--generate",
              spec,
              "--device",
              "cpu:1",
              "--out",
              out.toString())
          .done();
      assertEquals(
          Files.readAllLines(out), labels.stream().map(label -> "" + label).toList(), engine);
    }
  }

  /** A text that was converted has them, with its last vertices and without weights. */
  @ParameterizedTest
  @CsvSource({"none", "1..9"})
  void convertedEdgesHaveTheComponentsOfTheText(String weights) throws IOException {
    Path text = folder.resolve("a.mtx");
    String spec = "random:n=300,m=150,weights=" + weights;
    TestJobs.magpie("generate", spec, "--out", text.toString()).done();
    Path edges = folder.resolve("edges.parquet");
    String[] words = {
      "convert", "--engine", "stream", "--graph", text.toString(), "--out", edges.toString()
    };
    TestJobs.magpie(words).done();
    Path out = folder.resolve("lines");
    TestJobs.magpie(
            "components", "--graph", text.toString(), "--device", "cpu:1", "--out", out.toString())
        .done();
    assertEquals(
        Files.readAllLines(out),
        labels("--input", edges.toString(), "--partitions", "3").stream()
            .map(label -> "" + label)
            .toList());
  }

  @Test
  void aTaskThatFailsIsRepeated() throws IOException {
    List<Edge> edges = edges(200);
    Path input = folder.resolve("edges.parquet");
    TestEdges.write(input, COLUMNS, edges);
    FlakyFileSystem.plan(1, 2); // after the footer, two attempts of tasks
    List<Integer> labels = labels(TestJobs.flaky(input, "--partitions", "3", "--vertices", "200"));
    assertEquals(0, FlakyFileSystem.failuresLeft());
    assertEquals(expected(edges, 200), labels);
    FlakyFileSystem.plan(1 + 3, 2); // the same in the second pass
    labels = labels(TestJobs.flaky(input, "--partitions", "3", "--vertices", "200", "--verify"));
    assertEquals(0, FlakyFileSystem.failuresLeft());
    assertEquals(expected(edges, 200), labels);
  }

  @Test
  void aJobGoesOnWhereAnEarlierOneEnded() throws IOException {
    List<Edge> edges = edges(200);
    Path input = folder.resolve("edges.parquet");
    TestEdges.write(input, COLUMNS + "required int32 weight;", edges);
    String kept = folder.resolve("kept").toString();
    String[] words =
        TestJobs.flaky(input, "--partitions", "3", "--vertices", "200", "--checkpoint", kept);
    assertEquals(expected(edges, 200), labels(words));
    FlakyFileSystem.plan(1, Integer.MAX_VALUE); // no more than the footer
    assertEquals(expected(edges, 200), labels(words));
    FlakyFileSystem.plan(0, 0);
    Run other =
        TestJobs.job(
            TestJobs.flaky(input, "--partitions", "3", "--checkpoint", kept, "--master", MASTER));
    assertEquals(ExitStatus.BAD_INPUT.code(), other.status(), other.err());
    assertTrue(other.err().contains("columns"), other.err());
  }

  /** Edges change between the passes, and nothing that is told of their file does. */
  @ParameterizedTest
  @CsvSource({"1", "7"})
  void componentsThatEdgesDoNotMakeAreWrong(int partitions) throws IOException {
    // A path of which an edge in the middle is cut, and another one added to its end.
    List<Edge> path = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      path.add(new Edge(i, i, i == 40 ? 40 : i + 1, 1));
    }
    Path input = folder.resolve("edges.parquet");
    TestEdges.write(input, COLUMNS, path);
    path.set(40, new Edge(40, 40, 41, 1));
    path.set(60, new Edge(60, 60, 60, 1));
    Path changed = folder.resolve("changed.parquet");
    TestEdges.write(changed, COLUMNS, path);
    assertEquals(Files.size(input), Files.size(changed));
    Files.setLastModifiedTime(changed, Files.getLastModifiedTime(input));
    FlakyFileSystem.plan(
        1 + partitions, // the footer, and the first pass
        () -> Files.move(changed, input, StandardCopyOption.REPLACE_EXISTING));
    Path out = folder.resolve("components");
    Path json = folder.resolve("json");
    Run run =
        job(
            TestJobs.flaky(
                input,
                "--partitions",
                "" + partitions,
                "--verify",
                "--out",
                out.toString(),
                "--json",
                json.toString()));
    assertEquals(ExitStatus.NOT_VERIFIED.code(), run.status(), run.out() + run.err());
    String mistake = "vertex 41 has label 41, the least vertex that its edges lead to is 0";
    assertTrue(run.err().contains("the components are wrong: " + mistake), run.err());
    JsonNode told = new ObjectMapper().readTree(json.toFile());
    assertEquals("wrong", told.get("verdict").asText());
    assertEquals(mistake, told.get("mistakes").get(0).asText());
    assertEquals("so have 59 more", told.get("mistakes").get(1).asText());
    assertFalse(Files.exists(out));
    assertNothingIsLeft();
  }

  @Test
  void inputThatChangesBetweenThePassesIsRefused() throws IOException {
    Path input = folder.resolve("edges.parquet");
    TestEdges.write(input, COLUMNS, edges(200));
    FlakyFileSystem.plan(1 + 2, () -> Files.setLastModifiedTime(input, FileTime.fromMillis(1)));
    Path out = folder.resolve("components");
    Run run =
        job(
            TestJobs.flaky(
                input,
                "--conf",
                "spark.task.cpus=2", // one task at a time
                "--partitions",
                "2",
                "--verify",
                "--out",
                out.toString()));
    assertEquals(ExitStatus.BAD_INPUT.code(), run.status(), run.out() + run.err());
    assertTrue(run.err().contains(input + ": has changed since the job began"), run.err());
    assertFalse(Files.exists(out));
    assertNothingIsLeft();
  }

  @Test
  void noVerticesHaveNoComponents() throws IOException {
    Path input = folder.resolve("edges.parquet");
    TestEdges.write(input, COLUMNS, List.of());
    assertEquals(List.of(), labels("--input", input.toString(), "--verify"));
    assertEquals(
        List.of(0, 1, 2), labels("--input", input.toString(), "--vertices", "3", "--verify"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--generate rmat:scale=5 --weight w | Unknown option: '--weight'",
        "--generate rmat:scale=5 --objective maximum | Unknown option: '--objective'",
        "--generate rmat:scale=5,weights=double:0..1 | weights of type int or float; leave them out",
        "--generate rmat:scale=5 --source x | --source is for files; leave it out",
        "--generate rmat:scale=5 --verify | --verify reads the result where it was written",
        "--generate grid:10 | its edges cannot be had one by one",
        "--input a --source x --target x | --source, --target must name different columns",
      })
  void optionsThatMakeNoSenseAreRefused(String options, String message) {
    Run run = job(options.split(" "));
    assertEquals(ExitStatus.USAGE.code(), run.status(), run.err());
    assertTrue(run.err().contains(message), run.err());
  }

  @Test
  void helpIsThatOfTheEngine() {
    Run run = job("--help");
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("--partitions"), run.out());
    assertFalse(run.out().contains("--form"), run.out());
  }
}
