package io.magpie.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.WeightType;
import io.magpie.examples.input.InputException;
import io.magpie.spark.TestEdges.Edge;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Forests that are as they were found, and that are not, over edges in several partitions. */
class SecondPassTest {
  private static final int VERTICES = 200;
  private static final int PARTITIONS = 4;
  private static final Configuration CONFIGURATION = new Configuration();
  private static JavaSparkContext spark;

  @TempDir private Path folder;

  private List<Edge> edges;
  private List<Edge> chosen;

  @BeforeAll
  static void start() {
    System.setProperty("org.slf4j.simpleLogger.log.org.apache.spark", "off"); // as Forest does
    spark =
        new JavaSparkContext(
            new SparkConf()
                .setAppName("second pass")
                .setMaster("local[1]")
                .set("spark.ui.enabled", "false")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.driver.bindAddress", "127.0.0.1"));
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  @BeforeEach
  void drawEdges() {
    edges = new ArrayList<>(TestEdges.random(20260404, VERTICES, 1200, 5));
    TreeSet<Long> ids = TestEdges.forest(edges, false);
    chosen = new ArrayList<>(edges.stream().filter(edge -> ids.contains(edge.id())).toList());
    Collections.shuffle(edges, new Random(20260404));
  }

  private ParquetRows rows() throws IOException {
    Path input = folder.resolve("edges.parquet");
    TestEdges.write(
        input,
        "required int64 id; required int32 src; required int32 dst; required int32 weight;",
        edges);
    ParquetRows.Columns columns = new ParquetRows.Columns("src", "dst", "weight", "id");
    return ParquetRows.of(input.toString(), columns, (long) VERTICES, CONFIGURATION);
  }

  private SecondPass pass(int count, long weight) throws IOException {
    Path file = folder.resolve("forest.parquet");
    TestEdges.write(
        file,
        "required int64 id; required int32 src; required int32 dst; required int32 weight;",
        chosen);
    return new SecondPass(
        file.toString(),
        count,
        BigDecimal.valueOf(weight),
        VERTICES,
        WeightType.INT,
        true,
        Settings.of(CONFIGURATION));
  }

  private long weight() {
    return chosen.stream().mapToLong(Edge::weight).sum();
  }

  /** What a pass says of the chosen edges. */
  private String mistake() throws IOException {
    List<String> mistakes = pass(chosen.size(), weight()).run(spark, rows(), PARTITIONS);
    assertTrue(mistakes.size() <= 1, mistakes::toString);
    return String.join("", mistakes);
  }

  @Test
  void theForestIsRight() throws IOException {
    assertEquals("", mistake());
  }

  @Test
  void anEdgeThatDoesNotComeIsMissed() throws IOException {
    edges.remove(chosen.get(7));
    assertEquals(
        "1 of the chosen edges did not come, the first in row 7 (from 0) of the forest's",
        mistake());
  }

  /** Each task sees one of the two. */
  @Test
  void anEdgeOfTwoPartitionsIsToldEvenIfAsManyCome() throws IOException {
    edges.remove(chosen.get(7));
    edges.remove(chosen.get(9));
    edges.add(0, chosen.get(9));
    edges.add(chosen.get(9));
    refusedAsRepeated(chosen.get(9));
  }

  @Test
  void anIdThatIsRepeatedIsAFaultOfTheInput() throws IOException {
    Edge twice = chosen.get(5);
    int at = edges.indexOf(twice);
    edges.add(at, twice); // in one partition
    refusedAsRepeated(twice);
  }

  /** Another edge of a chosen one's id, before it or after it, in its partition or another. */
  @ParameterizedTest
  @ValueSource(ints = {-300, 0, 1, 300})
  void anIdOfTwoEdgesThatDifferIsAFaultOfTheInput(int after) throws IOException {
    Edge one = chosen.get(5);
    edges.remove(one);
    edges.add(600, one);
    edges.add(600 + after, new Edge(one.id(), one.source(), one.target(), one.weight() + 1));
    refusedAsRepeated(one);
  }

  /** None of them was chosen, and none should have been. */
  @Test
  void anIdOfEdgesThatWereNotChosenMayBeRepeated() throws IOException {
    Edge one = chosen.get(5);
    edges.add(0, new Edge(5000, one.source(), one.target(), one.weight() + 1));
    edges.add(new Edge(5000, one.source(), one.target(), one.weight() + 2));
    assertEquals("", mistake());
  }

  @Test
  void anEdgeUnlikeTheChosenOneOfItsIdIsWrong() throws IOException {
    Edge one = chosen.get(5);
    edges.set(edges.indexOf(one), new Edge(one.id(), one.source(), one.target(), one.weight() + 1));
    String mistake = mistake();
    assertTrue(mistake.startsWith("edge number " + one.id() + " joins "), mistake);
    assertTrue(mistake.contains(", the chosen one of that number "), mistake);
  }

  private void refusedAsRepeated(Edge edge) {
    InputException refused = assertThrows(InputException.class, this::mistake);
    String told = "two edges have the id " + edge.id() + "; give each its own, or leave out --id";
    assertTrue(refused.getMessage().startsWith(told), refused.getMessage());
  }

  @Test
  void theFirstRowThatShowsAMistakeIsTold() throws IOException {
    Edge other = chosen.get(5);
    Edge later = new Edge(5000, other.source(), other.target(), other.weight() - 1);
    Edge first = new Edge(6000, other.source(), other.target(), other.weight() - 2);
    edges.add(1100, later);
    edges.add(100, first);
    String mistake = mistake();
    assertTrue(mistake.startsWith("edge number 6000 joins "), mistake);
    String path = "; the forest joins them over edge number " + other.id() + " of weight ";
    assertTrue(mistake.contains(path + other.weight() + ", which comes later"), mistake);
  }

  @Test
  void aForestThatDoesNotSpanIsWrong() throws IOException {
    Edge bridge = chosen.remove(3);
    String mistake = mistake();
    assertTrue(mistake.endsWith(", which the forest does not"), mistake + " without " + bridge);
  }

  @Test
  void whatIsWrongWithTheForestItselfComesFirst() throws IOException {
    edges.add(0, new Edge(5000, 0, 1, -100));
    chosen.set(3, chosen.get(2));
    assertEquals(
        "the number " + chosen.get(2).id() + " of a chosen edge does not ascend", mistake());
  }

  @Test
  void anotherWeightThanTheJobSaysIsWrong() throws IOException {
    assertEquals(
        List.of("the chosen edges weigh " + weight() + ", the forest says " + (weight() + 1)),
        pass(chosen.size(), weight() + 1).run(spark, rows(), PARTITIONS));
  }

  @Test
  void anotherNumberOfEdgesThanTheJobSaysCannotBeReadAgain() throws IOException {
    SecondPass pass = pass(chosen.size() + 1, weight());
    ParquetRows rows = rows();
    Exception failed = assertThrows(Exception.class, () -> pass.run(spark, rows, PARTITIONS));
    String told = Forest.ofTask(failed, true).orElseThrow().getMessage();
    assertTrue(told.contains("it has " + chosen.size() + " edges with weights of type int"), told);
  }

  @Test
  void filesThatHaveChangedAreAFaultOfTheInput() throws IOException {
    SecondPass pass = pass(chosen.size(), weight());
    ParquetRows rows = rows();
    Files.setLastModifiedTime(folder.resolve("edges.parquet"), FileTime.fromMillis(1));
    InputException refused =
        assertThrows(InputException.class, () -> pass.run(spark, rows, PARTITIONS));
    assertTrue(refused.getMessage().contains("has changed since the job began"));
  }
}
