package io.magpie.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.examples.cli.output.OutputException;
import io.magpie.spark.TestEdges.Edge;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of components that are as they were found, and that are not. */
class ComponentsPassTest {
  private static final int VERTICES = 200;
  private static final int PARTITIONS = 6; // so that tasks unite what others have united
  private static final Configuration CONFIGURATION = new Configuration();
  private static JavaSparkContext spark;

  @TempDir private Path folder;

  private List<Edge> edges;
  private List<Integer> labels;

  @BeforeAll
  static void start() {
    SparkLog.quieten();
    spark =
        new JavaSparkContext(
            new SparkConf()
                .setAppName("components pass")
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
    edges = TestEdges.random(20260905, VERTICES, 150, 1);
    labels = new ArrayList<>(ComponentsTest.expected(edges, VERTICES));
  }

  private int components() {
    return (int) ComponentsTest.expected(edges, VERTICES).stream().distinct().count();
  }

  /** What the pass says of the labels. */
  private List<String> mistakes(int components) throws IOException {
    Path input = folder.resolve("edges.parquet");
    TestEdges.write(input, "required int32 src; required int32 dst;", edges);
    Path written = folder.resolve("components.parquet");
    MessageType schema =
        MessageTypeParser.parseMessageType(
            "message components {required int32 vertex; required int32 component;}");
    SimpleGroupFactory made = new SimpleGroupFactory(schema);
    List<Group> rows = new ArrayList<>();
    for (int vertex = 0; vertex < labels.size(); vertex++) {
      rows.add(
          made.newGroup().append("vertex", vertex).append("component", (int) labels.get(vertex)));
    }
    TestEdges.writeRows(written, schema, rows);
    ParquetRows.Columns columns = new ParquetRows.Columns("src", "dst", null, null);
    ParquetRows all = ParquetRows.of(input.toString(), columns, (long) VERTICES, CONFIGURATION);
    return new ComponentsPass(written.toString(), VERTICES, components, Settings.of(CONFIGURATION))
        .run(spark, all, PARTITIONS);
  }

  @Test
  void theComponentsAreRight() throws IOException {
    assertEquals(List.of(), mistakes(components()));
  }

  @Test
  void anotherNumberThanTheJobSaysIsWrong() throws IOException {
    int right = components();
    assertEquals(
        List.of("the result says " + (right + 1) + " components, the edges make " + right),
        mistakes(right + 1));
  }

  @Test
  void aLabelThatIsNotTheLeastIsWrong() throws IOException {
    int least = labels.get(150);
    labels.set(150, 150);
    assertEquals(
        List.of("vertex 150 has label 150, the least vertex that its edges lead to is " + least),
        mistakes(components()));
  }

  /** A row that is wrong in itself is one of the result, not of the input. */
  @Test
  void aLabelThatIsNoVertexCannotBeReadAgain() throws IOException {
    labels.set(150, VERTICES);
    assertCannotBeRead("row 150 (from 0): column 'component' has 200");
  }

  @Test
  void aRowTooFewCannotBeReadAgain() throws IOException {
    labels.remove(VERTICES - 1);
    assertCannotBeRead("it has 199 rows for 200 vertices");
  }

  private void assertCannotBeRead(String why) {
    Exception failed = assertThrows(Exception.class, () -> mistakes(components()));
    RuntimeException told = JobCommand.ofTask(failed, true).orElseThrow();
    assertEquals(OutputException.class, told.getClass(), told.getMessage());
    assertTrue(
        told.getMessage().startsWith("the components that were written cannot be read again: "),
        told.getMessage());
    assertTrue(told.getMessage().contains(why), told.getMessage());
  }
}
