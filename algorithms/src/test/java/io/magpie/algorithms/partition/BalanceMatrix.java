package io.magpie.algorithms.partition;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.stm.Device;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.StringJoiner;

/**
 * Partitions graphs that are awkward to balance, for many numbers of parts and imbalances, and
 * evaluates each result by itself.
 *
 * <p>Arguments: a device, such as {@code cuda}. Prints a line of CSV for each graph, number of
 * parts and imbalance: what a part may weigh, the heaviest part and the cut as {@link
 * PartitionVerifier} finds them, and a verdict: {@code feasible}; {@code impossible} with the
 * reason, where no partition can be balanced; {@code not found}. Exit status 1 if a result was
 * wrong, or if it was not balanced although all vertices weigh the same.
 */
final class BalanceMatrix {
  static final List<Integer> PARTS = List.of(1, 2, 3, 8, 32, 64, 100, 128);
  static final List<Double> IMBALANCES = List.of(0.0, 0.01, 0.03, 0.10);
  private static final int MOST_WEIGHT = 9;

  /**
   * One partition.
   *
   * @param limit what a part may weigh; -1 where it is impossible
   * @param heaviest the heaviest part, likewise
   * @param cut the weight of the edges between parts, likewise
   * @param verdict feasible, not found, wrong or impossible, and why
   * @param failed whether that must not be
   */
  record Row(
      String graph,
      String weights,
      int vertices,
      int parts,
      double imbalance,
      long limit,
      long heaviest,
      long cut,
      String verdict,
      boolean failed) {
    @Override
    public String toString() {
      StringJoiner line = new StringJoiner(",");
      line.add(graph).add(weights).add(Integer.toString(vertices)).add(Integer.toString(parts));
      line.add(String.format(Locale.ROOT, "%.2f", imbalance));
      for (long value : new long[] {limit, heaviest, cut}) {
        line.add(value < 0 ? "" : Long.toString(value));
      }
      return line.add('"' + verdict + '"').toString();
    }
  }

  private BalanceMatrix() {}

  /** The graphs by name: with components, hubs, long paths, dense ones, and isolated vertices. */
  static Map<String, Graph> graphs() {
    Map<String, Graph> graphs = new LinkedHashMap<>();
    graphs.put("disconnected", disconnected());
    graphs.put("star", GraphGenerators.generate("star:3000,weights=none"));
    graphs.put("path", GraphGenerators.generate("path:3000,weights=none"));
    graphs.put("clique", GraphGenerators.generate("complete:300,weights=none"));
    graphs.put("isolated", Graph.of(new int[2001], new int[0], null));
    graphs.put("small path", GraphGenerators.generate("path:50,weights=none"));
    return graphs;
  }

  /** Grids, cliques, paths and isolated vertices side by side. */
  private static Graph disconnected() {
    List<Graph> pieces =
        List.of(
            GraphGenerators.generate("grid:30,weights=none"),
            GraphGenerators.generate("complete:40,weights=none"),
            GraphGenerators.generate("path:500,weights=none"),
            GraphGenerators.generate("grid:7,weights=none"),
            GraphGenerators.generate("star:200,weights=none"),
            Graph.of(new int[301], new int[0], null));
    int n = pieces.stream().mapToInt(Graph::vertices).sum();
    GraphBuilder builder = new GraphBuilder(n, false);
    int first = 0;
    for (Graph piece : pieces) {
      for (int a : piece.canonicalArcs()) {
        builder.addEdge(first + piece.source(a), first + piece.neighbors()[a]);
      }
      first += piece.vertices();
    }
    return builder.build();
  }

  /** The same graph with weights of 1 to 9 for its vertices. */
  static Graph weighted(Graph graph) {
    int[] weights =
        new Random(graph.vertices()).ints(graph.vertices(), 1, MOST_WEIGHT + 1).toArray();
    return Graph.of(graph.offsets(), graph.neighbors(), graph.weights(), weights);
  }

  /** Partitions a graph, and looks what came of it. */
  static Row row(Device device, String name, Graph graph, int parts, double imbalance) {
    boolean weighted = graph.vertexWeights() != null;
    String weights = weighted ? "1.." + MOST_WEIGHT : "1";
    int n = graph.vertices();
    PartitionResult result;
    try {
      PartitionOptions options = PartitionOptions.of(parts).withImbalance(imbalance);
      result = GraphPartitioner.run(device, graph, options);
    } catch (ImpossibleBalanceException e) {
      String verdict = "impossible: " + e.getMessage();
      return new Row(
          name, weights, n, parts, imbalance, -1, -1, -1, verdict, parts <= n && !weighted);
    }
    PartitionQuality found = PartitionVerifier.evaluate(graph, result.parts(), parts, imbalance);
    List<String> wrong = PartitionVerifier.differences(result);
    String verdict =
        !wrong.isEmpty()
            ? "wrong: " + String.join("; ", wrong)
            : found.feasible() ? "feasible" : "not found";
    return new Row(
        name,
        weights,
        n,
        parts,
        imbalance,
        found.limit(),
        found.heaviest(),
        found.cut(),
        verdict,
        !wrong.isEmpty() || (!found.feasible() && !weighted) || parts > n);
  }

  /** Runs all. */
  public static void main(String[] arguments) {
    boolean failed = false;
    System.out.println("graph,vertex weights,n,k,imbalance,limit,heaviest,cut,verdict");
    try (Device device = Device.open(arguments.length > 0 ? arguments[0] : "auto")) {
      for (Map.Entry<String, Graph> each : graphs().entrySet()) {
        for (Graph graph : List.of(each.getValue(), weighted(each.getValue()))) {
          for (int parts : PARTS) {
            for (double imbalance : IMBALANCES) {
              Row row = row(device, each.getKey(), graph, parts, imbalance);
              System.out.println(row);
              failed |= row.failed();
            }
          }
        }
      }
    }
    if (failed) {
      System.exit(1);
    }
  }
}
