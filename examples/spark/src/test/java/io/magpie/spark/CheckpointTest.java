package io.magpie.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.magpie.examples.cli.ExitStatus;
import io.magpie.examples.cli.output.BuildInfo;
import io.magpie.spark.TestEdges.Edge;
import io.magpie.spark.TestJobs.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that are started again with the forests that earlier ones have kept. */
class CheckpointTest {
  private static final int PARTITIONS = 5;
  private static final List<Edge> EDGES = TestEdges.random(20260402, 200, 1500, 3);
  private static final String COLUMNS =
      "required int32 src; required int32 dst; required int32 weight;";

  @TempDir private Path folder;

  @AfterEach
  void nothingIsPlanned() {
    FlakyFileSystem.plan(0, 0);
  }

  private Path input() {
    return folder.resolve("edges.parquet");
  }

  private Path checkpoint() {
    return folder.resolve("kept");
  }

  /** A job of one task at a time, of which none is repeated. */
  private Run job(String... more) {
    Stream<String> words =
        Stream.of("--partitions", "" + PARTITIONS, "--out", folder.resolve("forest").toString());
    return withoutPartitions(TestJobs.words(words, more));
  }

  /**
   * Runs a job that must be done, and have the forest of all edges.
   *
   * @param made how many partitions it must read; a file is opened once for each
   * @param found how many files it must tell of
   */
  private void assertForest(int made, int found) throws IOException {
    FlakyFileSystem.plan(1 + made, Integer.MAX_VALUE); // with the footer
    Run run = job("--json");
    assertEquals(ExitStatus.OK.code(), run.status(), run.err());
    assertEquals(0, FlakyFileSystem.successesLeft());
    JsonNode spark = new ObjectMapper().readTree(run.out()).get("spark");
    assertEquals(found == 0, spark.has("edgesPerSecond"), spark::toString);
    JsonNode kept = spark.get("checkpoint");
    assertEquals(found, kept.get("found").asInt(), kept::toString);
    assertEquals(checkpoint().toString(), kept.get("folder").asText());
    assertEquals(TestEdges.forest(EDGES, false), TestJobs.ids(folder.resolve("forest")));
    TestEdges.remove(folder.resolve("forest"));
    assertEquals(PARTITIONS + 1, names().size(), () -> names().toString());
  }

  /** What there is, without the checksums of Hadoop's local files. */
  private List<String> names() {
    try (Stream<Path> files = Files.list(checkpoint())) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.startsWith("."))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aJobGoesOnWhereAnEarlierOneEnded() throws IOException {
    TestEdges.write(input(), COLUMNS, EDGES);
    FlakyFileSystem.plan(1 + 3, Integer.MAX_VALUE);
    Run failed = job();
    assertEquals(ExitStatus.BAD_INPUT.code(), failed.status(), failed.out());
    assertEquals(1 + 3, names().size(), () -> names().toString());
    assertForest(PARTITIONS - 3, 3);
    assertForest(0, PARTITIONS);
  }

  @Test
  void whatIsNotWholeOrOfAnotherJobIsMadeAgain() throws IOException {
    TestEdges.write(input(), COLUMNS, EDGES);
    Run other = job("--objective", "maximum");
    assertEquals(ExitStatus.OK.code(), other.status(), other.err());
    TestEdges.remove(folder.resolve("forest"));
    byte[] ofOther = Files.readAllBytes(checkpoint().resolve("forest-2"));
    TestEdges.remove(checkpoint());
    assertForest(PARTITIONS, 0);
    byte[] whole = Files.readAllBytes(checkpoint().resolve("forest-0"));
    byte[] last = Files.readAllBytes(checkpoint().resolve("forest-4"));
    byte[] flipped = last.clone();
    flipped[last.length / 2] ^= 4;
    byte[] longer = Arrays.copyOf(whole, whole.length + 1);
    byte[] manyEdges = last.clone();
    int count = 2 + "magpie-checkpoint-1".length() + 2 + "sha256:".length() + 64 + 4;
    Arrays.fill(manyEdges, count, count + 4, (byte) 0x7f);
    byte[] shorter = Arrays.copyOf(whole, whole.length - 1);
    replace(0, shorter);
    replace(1, whole); // of another partition
    replace(2, ofOther);
    replace(3, new byte[0]);
    replace(4, flipped);
    assertForest(PARTITIONS, PARTITIONS);
    replace(0, longer);
    replace(4, manyEdges);
    assertForest(2, PARTITIONS);
    assertForest(0, PARTITIONS);
  }

  /** Writes a file without Hadoop's checksum, which would tell of the damage before. */
  private void replace(int partition, byte[] content) throws IOException {
    Files.deleteIfExists(checkpoint().resolve(".forest-" + partition + ".crc"));
    Files.write(checkpoint().resolve("forest-" + partition), content);
  }

  @Test
  void whatHadoopTellsOfDamageIsNoFailure() throws IOException {
    TestEdges.write(input(), COLUMNS, EDGES);
    assertForest(PARTITIONS, 0);
    Path one = checkpoint().resolve("forest-3");
    byte[] bytes = Files.readAllBytes(one);
    bytes[bytes.length / 2] ^= 4;
    Files.write(one, bytes);
    assertForest(1, PARTITIONS);
  }

  @Test
  void aManifestThatWasNotDoneIsNone() throws IOException {
    TestEdges.write(input(), COLUMNS, EDGES);
    Files.createDirectory(checkpoint());
    Path attempt = Files.writeString(checkpoint().resolve("_attempt-5"), "{\"format\": \"mag");
    FlakyFileSystem.plan(0, 0);
    job().done();
    TestEdges.remove(folder.resolve("forest"));
    Files.delete(attempt);
    assertForest(0, PARTITIONS);
  }

  @Test
  void forestsOfAnotherJobAreRefused() throws IOException {
    TestEdges.write(input(), COLUMNS.replace("weight;", "weight; required int32 id;"), EDGES);
    job().done();
    TestEdges.remove(folder.resolve("forest"));
    List<String> before = names();
    refused("objective minimum there, maximum here", "--objective", "maximum");
    refused("partitions 5 there, 4 here", "--partitions", "4");
    refused("vertices 200 there, 201 here", "--vertices", "201");
    refused(
        "columns \"src\", \"dst\", \"weight\" there, \"src\", \"dst\", \"weight\", \"id\" here",
        "--id",
        "id");
    refused(
        "columns \"src\", \"dst\", \"weight\" there, \"id\", \"dst\", \"weight\" here",
        "--source",
        "id");
    FileTime time = Files.getLastModifiedTime(input());
    Files.setLastModifiedTime(input(), FileTime.fromMillis(time.toMillis() + 1000));
    refused("files sha256:");
    Files.setLastModifiedTime(input(), time);
    assertEquals(before, names());
    assertForest(0, PARTITIONS);
  }

  @Test
  void forestsOfAnotherBuildAreRefused() throws IOException {
    TestEdges.write(input(), COLUMNS, EDGES);
    job().done();
    TestEdges.remove(folder.resolve("forest"));
    String before = System.getProperty(BuildInfo.HOME);
    Path home = Files.createDirectory(folder.resolve("home"));
    Files.writeString(home.resolve("REVISION"), "another");
    String here = BuildInfo.version() + " " + BuildInfo.revision();
    System.setProperty(BuildInfo.HOME, home.toString());
    try {
      refused("build " + here + " there, " + BuildInfo.version() + " another here");
    } finally {
      if (before == null) {
        System.clearProperty(BuildInfo.HOME);
      } else {
        System.setProperty(BuildInfo.HOME, before);
      }
    }
    assertForest(0, PARTITIONS);
  }

  @Test
  void namesOfColumnsAreNotTakenForOthers() {
    TreeSet<String> all = new TreeSet<>();
    for (String[] names :
        new String[][] {
          {"a, b", "c"}, {"a", "b, c"}, {"a\", \"b", "c"}, {"a", "b\", \"c"}, {"a\\\", \"b", "c"}
        }) {
      all.add(new ParquetRows.Columns(names[0], names[1], "weight", null).quoted());
    }
    assertEquals(5, all.size(), all::toString);
  }

  private static Edge weighing(Edge edge, long weight) {
    return new Edge(edge.id(), edge.source(), edge.target(), weight);
  }

  /** The edges are others, and nothing that is told of their file is. */
  @Test
  void whatWasKeptOfOtherEdgesIsFoundByTheSecondPass() throws IOException {
    TestEdges.write(input(), COLUMNS, EDGES);
    FileTime time = Files.getLastModifiedTime(input());
    job().done();
    TestEdges.remove(folder.resolve("forest"));
    long length = Files.size(input());
    TreeSet<Long> chosen = TestEdges.forest(EDGES, false);
    Edge light = EDGES.stream().filter(e -> chosen.contains(e.id())).findFirst().orElseThrow();
    Edge heavy = EDGES.stream().filter(e -> e.weight() > light.weight()).findFirst().orElseThrow();
    List<Edge> others = new ArrayList<>(EDGES);
    others.set((int) light.id(), weighing(light, heavy.weight()));
    others.set((int) heavy.id(), weighing(heavy, light.weight()));
    Files.delete(input());
    TestEdges.write(input(), COLUMNS, others);
    assertEquals(length, Files.size(input()));
    Files.setLastModifiedTime(input(), time);
    Run run = job("--verify");
    assertEquals(ExitStatus.NOT_VERIFIED.code(), run.status(), run.out() + run.err());
    assertTrue(run.err().contains("the forest is wrong: "), run.err());
    assertTrue(run.err().contains("; remove --checkpoint " + checkpoint() + " before"), run.err());
    TestEdges.remove(checkpoint());
    Run again = job("--verify");
    assertEquals(ExitStatus.OK.code(), again.status(), again.out() + again.err());
  }

  /** One line, before any task, and the folder is as it was. */
  private void refused(String difference, String... more) {
    List<String> options = new ArrayList<>(List.of(more));
    String[] others = options.toArray(new String[0]);
    Run run = options.contains("--partitions") ? withoutPartitions(others) : job(others);
    assertEquals(ExitStatus.BAD_INPUT.code(), run.status(), run.out() + run.err());
    String folderAndFault = checkpoint() + ": has forests of another job: " + difference;
    assertTrue(run.err().contains(folderAndFault), run.err());
    assertEquals(1, run.err().lines().count(), run.err());
    assertFalse(Files.exists(folder.resolve("forest")));
  }

  /** A job whose partitions the test tells. */
  private Run withoutPartitions(String... more) {
    Stream<String> words =
        Stream.of("--master", "local[1,1]", "--checkpoint", checkpoint().toString());
    return TestJobs.job(TestJobs.flaky(input(), TestJobs.words(words, more)));
  }

  @Test
  void generatedEdgesAreKnownByTheirSpecification() {
    String[] words = {
      "--generate",
      "rmat:scale=6,edges=200",
      "--partitions",
      "3",
      "--master",
      "local[1,1]",
      "--checkpoint",
      checkpoint().toString()
    };
    TestJobs.job(words).done();
    Run again = TestJobs.job(words);
    assertEquals(ExitStatus.OK.code(), again.status(), again.err());
    String told = "kept      files of 3 of 3 partitions were in " + checkpoint();
    assertTrue(again.out().contains(told), again.out());
    assertFalse(again.out().contains("edges a second"), again.out());
    words[1] = "rmat:scale=6,edges=200,seed=2";
    Run other = TestJobs.job(words);
    assertEquals(ExitStatus.BAD_INPUT.code(), other.status(), other.out());
    assertTrue(other.err().contains("seed=1,weights=max there, rmat:scale=6,"), other.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "notes.txt | mine | has notes.txt and no checkpoint; name another folder by --checkpoint",
        "_checkpoint.json | not JSON | /_checkpoint.json: is not one of this version; remove",
        "_checkpoint.json | {\"format\": \"magpie-checkpoint-0\", \"job\": {}} | is not one of this"
            + " version",
        "_checkpoint.json | [] | is not one of this version",
      })
  void foldersOfSomethingElseAreRefused(String file, String content, String message)
      throws IOException {
    TestEdges.write(input(), COLUMNS, EDGES);
    Files.createDirectory(checkpoint());
    Files.writeString(checkpoint().resolve(file), content);
    Run run = job();
    assertEquals(ExitStatus.BAD_INPUT.code(), run.status(), run.out());
    assertTrue(run.err().contains(checkpoint().toString()), run.err());
    assertTrue(run.err().contains(message), run.err());
    assertEquals(1, run.err().lines().count(), run.err());
    assertEquals(List.of(file), names());
  }

  @ParameterizedTest
  @ValueSource(strings = {"s3a://bucket/kept", "nosuch:/kept", "a:b"})
  void addressesThatAreWrongAreRefused(String address) {
    Run run =
        TestJobs.job(
            "--generate", "rmat:scale=5", "--master", "local[1,1]", "--checkpoint", address);
    assertEquals(ExitStatus.OUTPUT_FAILED.code(), run.status(), run.err());
    assertTrue(run.err().contains(address + ": cannot be used: "), run.err());
    assertEquals(1, run.err().lines().count(), run.err());
  }

  @Test
  void aFileIsNoFolder() throws IOException {
    TestEdges.write(input(), COLUMNS, EDGES);
    Files.writeString(checkpoint(), "mine");
    Run run = job();
    assertEquals(ExitStatus.BAD_INPUT.code(), run.status(), run.out());
    assertTrue(run.err().contains(checkpoint() + ": is a file; name a folder by"), run.err());
    assertEquals("mine", Files.readString(checkpoint()));
  }
}
