package com.example.matching;

import io.magpie.algorithms.Setting;
import io.magpie.algorithms.Settings;
import io.magpie.algorithms.TransactionSettings;
import io.magpie.algorithms.graph.EdgePicture;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphGenerator;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.examples.compare.GraphComparison;
import io.magpie.stm.Device;
import io.magpie.stm.RegionReport;
import io.magpie.stm.RunData;
import io.magpie.stm.StmOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.IntStream;

/** Maximal matchings: edges of which no two meet, and to which no other edge can be added. */
public final class Matching extends GraphComparison<Settings, int[]> {
  static final Setting<Boolean> SORTED =
      Setting.either("order", "degree", "given", false, "edges of vertices with few go first");

  public Matching() {
    super("matching", "maximal matching", Settings.of(SORTED, TransactionSettings.POLICY));
    counter("pairs", partner -> ends(partner).length / 2);
    baseline("greedy", "one vertex after another, one thread", (graph, o) -> Oracle.greedy(graph));
  }

  /** Gives each vertex its partner, or {@link Oracle#NONE}. */
  @Override
  protected Solution<int[]> solve(Device device, Graph graph, Settings options) {
    int[] ends = options.get(SORTED) ? sorted(graph) : graph.edgeEnds();
    try (RunData data = new RunData(device)) {
      data.guarded("partner", Oracle.nobody(graph)).array("ends", ends);
      StmOptions stm = options.get(TransactionSettings.STM);
      RegionReport report =
          device.load("matching").region("match").run(stm, ends.length / 2, data.fields());
      return Solution.of(data.ints("partner"), report.requireComplete());
    }
  }

  /** The ends of all edges, first of those whose ends have few. */
  static int[] sorted(Graph graph) {
    int[] ends = graph.edgeEnds();
    return IntStream.range(0, ends.length / 2)
        .mapToLong(
            e -> (long) (graph.degree(ends[2 * e]) + graph.degree(ends[2 * e + 1])) << 32 | e)
        .sorted()
        .mapToInt(key -> (int) key)
        .flatMap(e -> IntStream.of(ends[2 * e], ends[2 * e + 1]))
        .toArray();
  }

  @Override
  protected Optional<String> mistake(Graph graph, int[] partner) {
    return Oracle.mistake(graph, partner);
  }

  /** The ends of the edges that were chosen. */
  private static int[] ends(int[] partner) {
    return IntStream.range(0, partner.length)
        .filter(v -> v < partner[v])
        .flatMap(v -> IntStream.of(v, partner[v]))
        .toArray();
  }

  /** Matches a network of roads on a device, and draws it to a file. */
  public static void main(String... deviceAndFile) throws IOException {
    GraphGenerator roads = GraphGenerators.parse("road:600");
    Graph graph = roads.generate();
    Matching matching = new Matching();
    try (Device device = Device.open(deviceAndFile[0])) {
      int[] ends = ends(matching.solve(device, graph, matching.defaults()).result());
      System.out.printf("%s: %d of %d vertices matched%n", device, ends.length, graph.vertices());
      EdgePicture picture = EdgePicture.of(graph, roads.coordinates().orElseThrow(), ends);
      picture.withSize(420).write(Path.of(deviceAndFile[1]));
    }
  }
}
