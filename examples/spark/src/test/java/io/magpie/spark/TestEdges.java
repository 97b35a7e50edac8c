package io.magpie.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.hadoop.util.HadoopOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.jgrapht.alg.spanning.KruskalMinimumSpanningTree;
import org.jgrapht.graph.WeightedPseudograph;

/** Edges for tests, files of them, and JGraphT's forest of them. */
final class TestEdges {
  /**
   * An edge.
   *
   * @param weight a whole number, whatever the type of the column
   */
  record Edge(long id, int source, int target, long weight) {}

  private TestEdges() {}

  /**
   * Edges at random, with self-loops, parallel ones and vertices without any.
   *
   * @param weights how many different weights there are
   */
  static List<Edge> random(long seed, int vertices, int edges, int weights) {
    Random random = new Random(seed);
    return IntStream.range(0, edges)
        .mapToObj(
            i ->
                new Edge(
                    i,
                    random.nextInt(vertices),
                    random.nextInt(vertices),
                    random.nextInt(weights) - weights / 2))
        .toList();
  }

  /** The ids of the forest's edges, by JGraphT, with weight and id as one weight. */
  static TreeSet<Long> forest(List<Edge> edges, boolean maximum) {
    Comparator<Edge> byWeight = Comparator.comparingLong(Edge::weight);
    List<Edge> order = new ArrayList<>(edges);
    order.sort((maximum ? byWeight.reversed() : byWeight).thenComparingLong(Edge::id));
    WeightedPseudograph<Integer, Long> graph = new WeightedPseudograph<>(Long.class);
    for (int i = 0; i < order.size(); i++) {
      Edge edge = order.get(i);
      graph.addVertex(edge.source());
      graph.addVertex(edge.target());
      graph.addEdge(edge.source(), edge.target(), edge.id());
      graph.setEdgeWeight(edge.id(), i);
    }
    return new TreeSet<>(new KruskalMinimumSpanningTree<>(graph).getSpanningTree().getEdges());
  }

  /**
   * Writes a file of several row groups.
   *
   * @param columns as a Parquet schema has them: of src, dst, weight and id those that are to be
   *     there
   */
  static void write(Path file, String columns, List<Edge> edges) throws IOException {
    MessageType schema = MessageTypeParser.parseMessageType("message edges {" + columns + "}");
    SimpleGroupFactory rows = new SimpleGroupFactory(schema);
    List<Group> groups = new ArrayList<>();
    for (Edge edge : edges) {
      Group row = rows.newGroup();
      for (String name : new String[] {"src", "dst", "weight", "id"}) {
        long value =
            switch (name) {
              case "src" -> edge.source();
              case "dst" -> edge.target();
              case "id" -> edge.id();
              default -> edge.weight();
            };
        if (schema.containsField(name)) {
          switch (schema.getType(name).asPrimitiveType().getPrimitiveTypeName()) {
            case INT32 -> row.add(name, (int) value);
            case INT64 -> row.add(name, value);
            case FLOAT -> row.add(name, (float) value);
            case DOUBLE -> row.add(name, (double) value);
            default -> row.add(name, Long.toString(value));
          }
        }
      }
      groups.add(row);
    }
    writeRows(file, schema, groups);
  }

  static void writeRows(Path file, MessageType schema, List<Group> rows) throws IOException {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(file.toUri());
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(HadoopOutputFile.fromPath(path, new Configuration()))
            .withType(schema)
            .withRowGroupSize(4096L)
            .withMinRowCountForPageSizeCheck(10)
            .build()) {
      for (Group row : rows) {
        writer.write(row);
      }
    }
  }

  /** Removes a folder with files. */
  static void remove(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }

  /** The rows of a result, as text of id, src, dst and weight. */
  static List<String> read(Path folder) throws IOException {
    List<String> rows = new ArrayList<>();
    org.apache.hadoop.fs.Path path =
        new org.apache.hadoop.fs.Path(folder.resolve("part-00000.parquet").toUri());
    try (ParquetReader<Group> reader =
        ParquetReader.builder(new GroupReadSupport(), path).build()) {
      for (Group row = reader.read(); row != null; row = reader.read()) {
        rows.add(
            row.getLong("id", 0)
                + " "
                + row.getInteger("src", 0)
                + " "
                + row.getInteger("dst", 0)
                + " "
                + row.getValueToString(3, 0));
      }
    }
    return rows;
  }
}
