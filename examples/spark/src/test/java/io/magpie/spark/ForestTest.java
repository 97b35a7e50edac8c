package io.magpie.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.magpie.examples.cli.ExitStatus;
import io.magpie.spark.TestEdges.Edge;
import io.magpie.spark.TestJobs.Run;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.spark.SparkException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code magpie msf --engine spark}, with Spark in this process. */
class ForestTest {
  private static final String MASTER = "local[2,3]";
  private static final long SEED = 20260401;
  private static final String KRYO = "org.apache.spark.serializer.KryoSerializer";

  @TempDir private Path folder;

  /** Runs a job that must be done, and gives its rows. */
  private List<String> forest(String... arguments) throws IOException {
    Path out = folder.resolve("forest");
    Run run =
        TestJobs.job(
            TestJobs.words(Stream.of(arguments), "--out", out.toString(), "--master", MASTER));
    assertEquals("", run.done().err());
    List<String> rows = TestEdges.read(out);
    JsonNode manifest = new ObjectMapper().readTree(out.resolve("_manifest.json").toFile());
    assertEquals(rows.size(), manifest.get("edges").asInt());
    assertNoAttempts();
    return rows;
  }

  private void assertNoAttempts() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<String> left =
          files
              .map(file -> file.getFileName().toString())
              .filter(n -> n.contains("attempt"))
              .toList();
      assertEquals(List.of(), left);
    }
  }

  private static List<String> expected(List<Edge> edges, boolean maximum, boolean floating) {
    TreeSet<Long> ids = TestEdges.forest(edges, maximum);
    return edges.stream()
        .filter(edge -> ids.contains(edge.id()))
        .sorted((a, b) -> Long.compare(a.id(), b.id()))
        .map(
            edge ->
                edge.id()
                    + " "
                    + edge.source()
                    + " "
                    + edge.target()
                    + " "
                    + edge.weight()
                    + (floating ? ".0" : ""))
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "1, int32, int32, 1",
    "1, double, int64, 9",
    "2, float, int32, 5",
    "7, int64, int64, 1000",
    "7, double, int32, 1",
    "64, int32, int64, 1",
    "64, float, int64, 3",
    "64, int64, int32, 2",
  })
  void rowsAreNumberedInTheOrderOfFiles(int partitions, String weight, String vertex, int weights)
      throws IOException {
    List<Edge> edges = TestEdges.random(SEED, 300, 2000, weights);
    String columns =
        "required %s src; optional %s dst; optional %s weight;".formatted(vertex, vertex, weight);
    Path input = Files.createDirectory(folder.resolve("edges"));
    TestEdges.write(input.resolve("b.parquet"), columns, edges.subList(700, 701));
    TestEdges.write(input.resolve("a.parquet"), columns, edges.subList(0, 700));
    TestEdges.write(input.resolve("c.parquet"), columns, edges.subList(701, 2000));
    assertEquals(
        expected(edges, false, weight.equals("float") || weight.equals("double")),
        forest("--input", input.toString(), "--partitions", "" + partitions));
  }

  @ParameterizedTest
  @CsvSource({"1, int32", "2, float", "7, int32", "7, double", "64, int64"})
  void idsDecideWhateverTheOrderOfRows(int partitions, String weight) throws IOException {
    List<Edge> edges = new ArrayList<>();
    for (Edge edge : TestEdges.random(SEED + partitions, 300, 2000, 4)) {
      long id = Long.reverse(edge.id()) >>> 1; // of all sizes, in another order
      edges.add(new Edge(id, edge.source(), edge.target(), edge.weight()));
    }
    Collections.shuffle(edges, new Random(SEED));
    Path input = folder.resolve("edges.parquet");
    String columns =
        "required int64 id; required int32 src; required int32 dst; required %s weight;";
    TestEdges.write(input, columns.formatted(weight), edges);
    String[] options = {
      "--input", input.toString(), "--id", "id", "--objective", "maximum", "--partitions", ""
    };
    options[7] = "" + partitions;
    boolean floating = weight.equals("float") || weight.equals("double");
    assertEquals(expected(edges, true, floating), forest(options));
  }

  @ParameterizedTest
  @CsvSource({"1, 4M, '2 partitions'", "2, 4M, '1 partition'", "1, 1M, '1 partition'"})
  void thereAreAsManyPartitionsAsTasksAtOnce(int cpus, String edges, String partitions) {
    Run run =
        TestJobs.job(
            "--generate",
            "rmat:scale=10,edges=" + edges,
            "--conf",
            "spark.task.cpus=" + cpus,
            "--master",
            MASTER);
    assertEquals(ExitStatus.OK.code(), run.status(), run.err());
    assertTrue(run.out().contains(MASTER + ", " + partitions + ", "), run.out());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"rmat:scale=9,edges=6000 | 7", "random:n=500,m=900,weights=float:0..1 | 2"})
  void generatedEdgesHaveTheForestsOfTheOtherEngines(String spec, int partitions)
      throws IOException {
    Path stream = folder.resolve("stream");
    for (String engine : new String[] {"stream", "memory"}) {
      String[] words = {
        "msf", "--engine", engine, "--generate", spec, "--device", "cpu:1", "--out", ""
      };
      words[8] = folder.resolve(engine).toString();
      TestJobs.magpie(words).done();
    }
    List<String> rows = withoutIds(forest("--generate", spec, "--partitions", "" + partitions));
    assertEquals(Files.readAllLines(stream), rows);
    assertEquals(
        inOneForm(Files.readAllLines(folder.resolve("memory"))),
        inOneForm(rows),
        "weights of these differ, so there is one least forest");
  }

  private static List<String> withoutIds(List<String> rows) {
    return rows.stream().map(row -> row.substring(row.indexOf(' ') + 1)).toList();
  }

  /** In memory edges are in the order of lists of neighbors, with the lesser end first. */
  private static List<String> inOneForm(List<String> rows) {
    return rows.stream()
        .map(row -> row.split(" "))
        .map(
            words ->
                Integer.parseInt(words[0]) <= Integer.parseInt(words[1])
                    ? String.join(" ", words)
                    : String.join(" ", words[1], words[0], words[2]))
        .sorted()
        .toList();
  }

  /** Where weights are equal, numbers decide, which are those of arcs in memory. */
  @ParameterizedTest
  @CsvSource({"7, 1", "7, 2", "64, 1"})
  void convertedEdgesHaveTheForestOfTheEngineInMemory(int partitions, int weights)
      throws IOException {
    TreeSet<String> pairs = new TreeSet<>(); // so lists of neighbors ascend
    for (Edge edge : TestEdges.random(SEED, 300, 2000, 1)) {
      int least = Math.min(edge.source(), edge.target());
      int most = Math.max(edge.source(), edge.target());
      if (least < most) {
        pairs.add("%03d %03d".formatted(least, most));
      }
    }
    Random random = new Random(SEED);
    Path text = folder.resolve("edges.wel");
    Files.write(text, pairs.stream().map(pair -> pair + " " + random.nextInt(weights)).toList());
    Path input = folder.resolve("edges.parquet");
    TestJobs.magpie("convert", "--graph", text.toString(), "--out", input.toString()).done();
    Path memory = folder.resolve("memory");
    String[] words = {"msf", "--graph", text.toString(), "--device", "cpu:1", "--out", ""};
    words[6] = memory.toString();
    TestJobs.magpie(words).done();
    String[] options = {"--input", input.toString(), "--id", "id", "--partitions", ""};
    options[5] = "" + partitions;
    assertEquals(Files.readAllLines(memory), withoutIds(forest(options)));
  }

  @Test
  void theSerializerOfAClusterIsOfNoAccount() throws IOException {
    List<Edge> edges = TestEdges.random(SEED, 200, 1500, 3);
    Path input = folder.resolve("edges.parquet");
    TestEdges.write(input, COLUMNS, edges);
    System.setProperty("spark.serializer", KRYO); // as spark-submit does
    try {
      List<String> rows = forest("--input", input.toString(), "--partitions", "6");
      assertEquals(expected(edges, false, false), rows);
    } finally {
      System.clearProperty("spark.serializer");
    }
  }

  @Test
  void aTaskThatFailsIsRepeated() throws IOException {
    List<Edge> edges = TestEdges.random(SEED, 200, 1500, 3);
    Path input = folder.resolve("edges.parquet");
    TestEdges.write(input, COLUMNS, edges);
    FlakyFileSystem.plan(1, 2); // after the footer, two attempts of tasks
    List<String> rows = forest(TestJobs.flaky(input, "--partitions", "3"));
    assertEquals(0, FlakyFileSystem.failuresLeft());
    assertEquals(expected(edges, false, false), rows);
  }

  @ParameterizedTest
  @CsvSource({"1, int32", "7, int64", "7, float", "64, double"})
  void forestsAreVerified(int partitions, String weight) throws IOException {
    List<Edge> edges = TestEdges.random(SEED + partitions, 300, 2000, 5);
    Collections.shuffle(edges = new ArrayList<>(edges), new Random(SEED));
    Path input = folder.resolve("edges.parquet");
    String columns =
        "required int64 id; required int32 src; required int32 dst; required %s weight;";
    TestEdges.write(input, columns.formatted(weight), edges);
    for (String objective : new String[] {"minimum", "maximum"}) {
      assertVerified(
          "--input",
          input.toString(),
          "--id",
          "id",
          "--objective",
          objective,
          "--partitions",
          "" + partitions);
    }
    assertVerified("--input", input.toString(), "--partitions", "" + partitions);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"rmat:scale=9,edges=60000 | 7", "random:n=500,m=90000,weights=float:0..1 | 2"})
  void forestsOfGeneratedEdgesAreVerified(String spec, int partitions) throws IOException {
    assertVerified("--generate", spec, "--partitions", "" + partitions);
  }

  private void assertVerified(String... arguments) throws IOException {
    Path out = folder.resolve("forest");
    String[] words =
        TestJobs.words(
            Stream.of(arguments), "--verify", "--out", out.toString(), "--master", MASTER);
    Run run = TestJobs.job(words).done();
    assertTrue(run.out().contains("verified  no edge of a second pass is before"), run.out());
    assertNoAttempts();
    TestEdges.remove(out);
  }

  /** The edges change between the passes, and nothing that is told of their file does. */
  @Test
  void aForestThatEdgesDoNotHaveIsWrong() throws IOException {
    List<Edge> edges = new ArrayList<>();
    for (Edge edge : TestEdges.random(SEED, 200, 1500, 3)) {
      edges.add(new Edge(edge.id(), edge.source(), edge.target(), edge.id()));
    }
    Path input = folder.resolve("edges.parquet");
    TestEdges.write(input, COLUMNS, edges);
    long id = TestEdges.forest(edges, false).last();
    Edge last = edges.get((int) id);
    Edge next = edges.get((int) id + 1);
    edges.set((int) id, new Edge(id, last.source(), last.target(), next.weight()));
    edges.set((int) id + 1, new Edge(id + 1, next.source(), next.target(), last.weight()));
    Path changed = folder.resolve("changed.parquet");
    TestEdges.write(changed, COLUMNS, edges);
    assertEquals(Files.size(input), Files.size(changed));
    Files.setLastModifiedTime(changed, Files.getLastModifiedTime(input));
    FlakyFileSystem.plan(
        2, // the footer, and the one partition
        () -> Files.move(changed, input, StandardCopyOption.REPLACE_EXISTING));
    Path out = folder.resolve("forest");
    Path json = folder.resolve("json");
    Run run =
        TestJobs.job(
            TestJobs.flaky(
                input,
                "--partitions",
                "1",
                "--master",
                MASTER,
                "--verify",
                "--out",
                out.toString(),
                "--json",
                json.toString()));
    assertEquals(ExitStatus.NOT_VERIFIED.code(), run.status(), run.out() + run.err());
    String mistake = "edge number " + id + " joins ";
    assertTrue(run.err().contains("the forest is wrong: " + mistake), run.err());
    assertTrue(run.out().contains("WRONG     " + mistake), run.out());
    JsonNode told = new ObjectMapper().readTree(json.toFile());
    assertEquals("wrong", told.get("verdict").asText());
    assertTrue(told.get("mistakes").get(0).asText().startsWith(mistake), told::toString);
    assertFalse(Files.exists(out));
    assertNoAttempts();
  }

  /** The second of two tasks of the second pass notices it. */
  @Test
  void inputThatChangesBetweenThePassesIsRefused() throws IOException {
    Path input = folder.resolve("edges.parquet");
    TestEdges.write(input, COLUMNS, TestEdges.random(SEED, 200, 1500, 3));
    FlakyFileSystem.plan(
        3, // the footer, and two partitions
        () -> Files.setLastModifiedTime(input, FileTime.fromMillis(1)));
    Path out = folder.resolve("forest");
    Run run =
        TestJobs.job(
            TestJobs.flaky(
                input,
                "--partitions",
                "2",
                "--master",
                "local[1,1]",
                "--verify",
                "--out",
                out.toString()));
    assertEquals(ExitStatus.BAD_INPUT.code(), run.status(), run.out() + run.err());
    assertTrue(run.err().contains(input + ": has changed since the job began"), run.err());
    assertEquals(1, run.err().lines().count(), run.err());
    assertFalse(Files.exists(out));
    assertNoAttempts();
  }

  @Test
  void anIdThatTheSecondPassFindsRepeatedIsRefused() throws IOException {
    // The first partition drops the edge that has the id of one of the second.
    List<Edge> edges = List.of(new Edge(7, 0, 1, 5), new Edge(8, 0, 1, 4), new Edge(7, 0, 1, 3));
    Path input = folder.resolve("edges.parquet");
    String columns =
        "required int64 id; required int32 src; required int32 dst; required int32 weight;";
    TestEdges.write(input, columns, edges);
    String[] options = {"--input", input.toString(), "--id", "id", "--partitions", "2"};
    assertEquals(List.of("7 0 1 3"), forest(options));
    TestEdges.remove(folder.resolve("forest"));
    refused(
        ExitStatus.BAD_INPUT,
        "two edges have the id 7; give each its own",
        Stream.concat(Stream.of(options), Stream.of("--verify")).toArray(String[]::new));
  }

  @Test
  void aJobThatFailsLeavesNothing() throws IOException {
    Path input = folder.resolve("edges.parquet");
    TestEdges.write(input, COLUMNS, TestEdges.random(SEED, 200, 1500, 3));
    Path out = folder.resolve("a/b/forest");
    FlakyFileSystem.plan(1, Integer.MAX_VALUE);
    Run run = TestJobs.job(TestJobs.flaky(input, "--master", MASTER, "--out", out.toString()));
    FlakyFileSystem.plan(0, 0);
    assertEquals(ExitStatus.BAD_INPUT.code(), run.status(), run.err());
    assertTrue(
        run.err().contains(input + ": cannot be read: the disk of edges.parquet does not answer;"),
        run.err());
    assertEquals(1, run.err().lines().count(), run.err());
    assertFalse(Files.exists(folder.resolve("a")));
    assertNoAttempts();
  }

  private static final String COLUMNS =
      "required int32 src; required int32 dst; required int32 weight;";

  /** What is wrong with a row or a file is one line, with the file; nothing is written. */
  private void refused(ExitStatus status, String message, String... arguments) throws IOException {
    Path out = folder.resolve("forest");
    Run run =
        TestJobs.job(
            TestJobs.words(Stream.of(arguments), "--out", out.toString(), "--master", MASTER));
    assertEquals(status.code(), run.status(), run.out() + run.err());
    assertTrue(run.err().contains(message), run.err());
    assertEquals("", run.out());
    assertFalse(Files.exists(out));
    assertNoAttempts();
    if (status == ExitStatus.BAD_INPUT) {
      assertEquals(1, run.err().lines().count(), run.err());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "required int32 src; required int32 dst; | has no column 'weight', but src, dst; name it by"
            + " --weight",
        "required binary src; required int32 dst; required int32 weight; | column 'src' has the"
            + " type required binary src; expected int or long: cast it, or name another by"
            + " --source",
        "required int32 src; required int32 dst; required int32 weight (DATE); | expected int,"
            + " long, float or double",
        "required int32 src; required int32 dst; repeated int32 weight; | expected int, long,",
      })
  void columnsThatDoNotFitAreRefused(String columns, String message) throws IOException {
    Path input = folder.resolve("edges.parquet");
    TestEdges.write(input, columns, TestEdges.random(SEED, 9, 20, 3));
    refused(ExitStatus.BAD_INPUT, message, "--input", input.toString());
    refused(ExitStatus.BAD_INPUT, input.toString(), "--input", input.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "src | -3 | column 'src' has -3; vertices are numbered from 0 | 5",
        "dst | 9000000000 | column 'dst' has 9000000000; of 50 vertices the last is 49: see | 5",
        "weight | NaN | column 'weight' has NaN; leave out edges that must not be chosen | 1",
        "weight | -Infinity | column 'weight' has -Infinity; leave out edges | 5",
        "weight | | column 'weight' has no value; leave out edges | 5",
        "id | -1 | column 'id' has -1; ids are from 0 on | 2",
        "id | 7 | two edges have the id 7; give each its own | 1",
      })
  void wrongRowsAreRefused(String column, String value, String message, String partitions)
      throws IOException {
    MessageType schema =
        MessageTypeParser.parseMessageType(
            "message edges {required int64 src; required int64 dst; optional double weight;"
                + " required int64 id;}");
    List<Group> rows = new ArrayList<>();
    for (int i = 0; i < 500; i++) { // the wrong one and another, of which the first is told
      Group row = new SimpleGroupFactory(schema).newGroup();
      boolean wrong = i == 321 || i == 400;
      for (String name : new String[] {"src", "dst", "weight", "id"}) {
        long right = name.equals("id") ? i : name.equals("weight") ? -i : i % 50;
        boolean here = wrong && name.equals(column);
        if (name.equals("weight") && !(here && value == null)) {
          row.add(name, here ? Double.parseDouble(value) : right);
        } else if (!name.equals("weight")) {
          row.add(name, here ? Long.parseLong(value) : name.equals("dst") ? (i + 1) % 50 : right);
        }
      }
      rows.add(row);
    }
    Path input = folder.resolve("edges.parquet");
    TestEdges.writeRows(input, schema, rows);
    String[] options = {
      "--input", input.toString(), "--id", "id", "--vertices", "50", "--partitions", partitions
    };
    refused(ExitStatus.BAD_INPUT, message, options);
    if (!message.startsWith("two")) {
      refused(ExitStatus.BAD_INPUT, input + ": row 321 (from 0): " + message, options);
    }
  }

  @Test
  void filesAreTakenByTheirNamesBelowWhatIsGiven() throws IOException {
    List<Edge> edges = TestEdges.random(SEED, 200, 1500, 3);
    Path input = Files.createDirectories(folder.resolve("_edges/.of/b/c"));
    TestEdges.write(input.resolve("a.parquet"), COLUMNS, edges.subList(0, 700));
    TestEdges.write(input.resolve("d"), COLUMNS, edges.subList(1, 8));
    input = input.getParent().getParent();
    TestEdges.write(input.resolve("d.parquet"), COLUMNS, edges.subList(700, 1500));
    for (String hidden :
        new String[] {"_a.parquet", ".a.parquet", "_a/a.parquet", "b/.a/a.parquet"}) {
      Files.createDirectories(input.resolve(hidden).getParent());
      TestEdges.write(input.resolve(hidden), COLUMNS, edges.subList(2, 9));
    }
    for (Path given : List.of(input, relative(input), input.resolve("b/../b/.."))) {
      assertEquals(expected(edges, false, false), forest("--input", given.toString()));
      TestEdges.remove(folder.resolve("forest"));
    }
    Path named = input.resolve("b/c/d");
    List<Edge> few = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      Edge edge = edges.get(i + 1);
      few.add(new Edge(i, edge.source(), edge.target(), edge.weight()));
    }
    for (Path given : List.of(named, relative(named))) {
      assertEquals(expected(few, false, false), forest("--input", given.toString()));
      TestEdges.remove(folder.resolve("forest"));
    }
  }

  /** The same path, as seen from where this process is. */
  private static Path relative(Path path) {
    return Path.of("").toAbsolutePath().relativize(path.toAbsolutePath());
  }

  @ParameterizedTest
  @CsvSource({
    "s3a://bucket/edges, S3AFileSystem not found",
    "nosuch:/edges, nosuch",
    "a:b, Relative path in absolute URI",
  })
  void addressesThatAreWrongAreRefused(String address, String reason) throws IOException {
    refused(ExitStatus.BAD_INPUT, reason, "--input", address);
    Run run = TestJobs.job("--generate", "rmat:scale=5", "--master", MASTER, "--out", address);
    assertEquals(ExitStatus.OUTPUT_FAILED.code(), run.status(), run.err());
    assertTrue(run.err().contains(reason), run.err());
    assertEquals(1, run.err().lines().count(), run.err());
  }

  @ParameterizedTest
  @ValueSource(longs = {2147483638L, Long.MAX_VALUE})
  void verticesThatNoGraphHasAreRefused(long vertex) throws IOException {
    MessageType schema =
        MessageTypeParser.parseMessageType(
            "message edges {required int32 src; required int64 dst; required int32 weight;}");
    Path input = folder.resolve("edges.parquet");
    Group row = new SimpleGroupFactory(schema).newGroup();
    TestEdges.writeRows(
        input, schema, List.of(row.append("src", 1).append("dst", vertex).append("weight", 2)));
    refused(
        ExitStatus.BAD_INPUT,
        "has the vertex " + vertex + ", and a graph at most 2147483638 vertices",
        "--input",
        input.toString());
  }

  @Test
  void filesThatCannotBeReadAreRefused() throws IOException {
    Path input = folder.resolve("edges.parquet");
    refused(ExitStatus.BAD_INPUT, "there is no such file or folder", "--input", input.toString());
    refused(ExitStatus.BAD_INPUT, "has no file *.parquet", "--input", folder.toString());
    Files.writeString(input, "not Parquet, which would begin and end otherwise");
    refused(ExitStatus.BAD_INPUT, "cannot be read as Parquet", "--input", input.toString());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void pagesThatAreDamagedAreRefused(int partitions) throws IOException {
    Path input = folder.resolve("edges.parquet");
    TestEdges.write(input, COLUMNS, TestEdges.random(SEED, 200, 1500, 3));
    byte[] bytes = Files.readAllBytes(input);
    Arrays.fill(bytes, 4, bytes.length / 2, (byte) 0xff); // of pages, not of the footer
    Files.write(input, bytes);
    Files.delete(folder.resolve(".edges.parquet.crc"));
    String[] options = {"--input", input.toString(), "--partitions", "" + partitions};
    refused(ExitStatus.BAD_INPUT, input + ": cannot be read: ", options);
  }

  /** As it comes from an executor in a process of its own. */
  @Test
  void lackOfMemoryIsToldOfTheProcessThatLacksIt() {
    Exception failed = new SparkException("the job", new OutOfMemoryError("Java heap space"));
    RuntimeException told = Forest.ofTask(failed, false).orElseThrow();
    assertEquals(ExitStatus.OUT_OF_MEMORY, ExitStatus.of(told));
    assertTrue(told.getMessage().contains("spark.executor.memory"), told.getMessage());
    assertThrows(OutOfMemoryError.class, () -> Forest.ofTask(failed, true));
  }

  @Test
  void whatIsNeitherInputNorSparkIsAFaultOfMagpies() {
    IllegalArgumentException fault = new IllegalArgumentException("a wrong number");
    Exception failed = new SparkException("the job", fault);
    assertEquals(fault, Forest.ofTask(failed, true).orElseThrow());
    assertEquals(
        Optional.empty(),
        Forest.ofTask(new SparkException("the job", new IOException("no disk")), true));
  }

  @Test
  void aFolderThatIsThereIsLeftAsItIs() throws IOException {
    Path file = Files.writeString(folder.resolve("mine"), "kept");
    Run run =
        TestJobs.job("--generate", "rmat:scale=5", "--master", MASTER, "--out", file.toString());
    assertEquals(ExitStatus.OUTPUT_FAILED.code(), run.status(), run.err());
    assertTrue(run.err().contains("mine: is there already; remove it"), run.err());
    assertEquals("kept", Files.readString(file));
    assertNoAttempts();
  }

  @Test
  void noEdgesHaveAForestOfNone() throws IOException {
    Path input = folder.resolve("edges.parquet");
    TestEdges.write(input, COLUMNS, List.of());
    assertEquals(List.of(), forest("--input", input.toString(), "--vertices", "5"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--generate rmat:scale=5 --id id | --id is for files; leave it out",
        "--generate rmat:scale=5,weights=double:0..1 | weights of type int or float",
        "--generate rmat:scale=5,weights=none | weights of type int or float",
        "--generate grid:10 | its edges cannot be had one by one",
        "--generate rmat:scale=5 --partitions 0 | --partitions must be 1 or more, but is 0",
        "--generate rmat:scale=5 --objective least | --objective must be minimum or maximum",
        "--generate rmat:scale=5 --device gpu9 | --device: ",
        "--generate rmat:scale=5 --verify | --verify reads the result where it was written; give"
            + " --out, too",
        "--generate rmat:scale=5 --out a --checkpoint a | --checkpoint a is in the folder of --out",
        "--generate rmat:scale=5 --out a --checkpoint a/b/ | --checkpoint a/b/ is in the folder of",
        "--generate rmat:scale=5 --out file:${here}/b/../a --checkpoint a | --checkpoint a is in"
            + " the",
        "--generate rmat:scale=5 --out a/b --checkpoint file:${here}/a | --out a/b is in the folder"
            + " of --checkpoint, which stays",
        "--generate rmat:scale=5 --out a --json a/b | --json a/b: is in the folder of --out, a;",
        "--generate rmat:scale=5 --checkpoint file:${here}/a --json a/b | is in the folder of"
            + " --checkpoint, ",
        "--input ${here} --json a/b | --json a/b: is in the folder of --input, ",
        "--generate rmat:scale=5 --out a --json a | --json a: a is to be a folder there",
        "--generate rmat:scale=5 --checkpoint a/b --json a | --json a: a/b is to be a folder there",
        "--input a --json a | --json: a would replace the input's own file a",
        "--input a --source x --target x | must name different columns",
        "--input a --vertices -1 | --vertices must be 0 to 2147483638, but is -1",
        "--input a --vertices 2147483639 | must be 0 to 2147483638, but is 2147483639",
        "--input  --id id | --input: the value is empty",
        "--generate rmat:scale=5 --out  --partitions 1 | --out: the value is empty",
        "--partitions 3 | Missing required argument",
        "--generate rmat:scale=5 --master spark://here:7077 | --partitions is needed with the"
            + " master spark://here:7077",
        "--generate rmat:scale=5 --master local-cluster[2,1,512] | --partitions is needed",
        "--generate rmat:scale=5 --conf spark.serializer="
            + KRYO
            + " | partitions are sent by Java's serialization only; leave it out",
      })
  void optionsThatMakeNoSenseAreRefused(String options, String message) {
    String here = Path.of("").toAbsolutePath().toString();
    Run run = TestJobs.job(options.replace("${here}", here).split(" "));
    assertEquals(ExitStatus.USAGE.code(), run.status(), run.err());
    assertTrue(run.err().contains(message), run.err());
  }

  @Test
  void aMasterThatIsNoneIsAnError() {
    Run run =
        TestJobs.job("--generate", "rmat:scale=5", "--partitions", "1", "--master", "nowhere:7");
    assertNotEquals(0, run.status());
    assertTrue(run.err().contains("Spark cannot start with the master nowhere:7"), run.err());
    String remedy = "MAGPIE_JAVA_OPTIONS=-Dorg.slf4j.simpleLogger.log.org.apache.spark=error";
    assertTrue(run.err().contains(remedy + " shows Spark's log"), run.err());
  }

  @Test
  void whatIsSubmittedReturnsAndLeavesNoThreadThatJavaWaitsFor() throws InterruptedException {
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    PrintStream out = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      Forest.main(new String[] {"--generate", "rmat:scale=5", "--master", MASTER});
    } finally {
      System.setOut(out);
    }
    String text = printed.toString(StandardCharsets.UTF_8);
    assertTrue(text.contains("forest "), text);
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (!thread.isDaemon() && !before.contains(thread)) {
        thread.join(20_000); // one of Netty's ends by itself, a second after its last task
        assertFalse(thread.isAlive(), thread.toString());
      }
    }
  }

  @Test
  void helpIsThatOfTheEngine() {
    Run run = TestJobs.job("--help");
    assertEquals(0, run.status(), run.err());
    assertTrue(run.out().contains("--partitions"), run.out());
    assertFalse(run.out().contains("--chunk"), run.out());
  }
}
