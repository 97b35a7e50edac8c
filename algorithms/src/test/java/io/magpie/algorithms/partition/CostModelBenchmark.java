package io.magpie.algorithms.partition;

import io.magpie.algorithms.partition.CostModel.Formula;
import io.magpie.algorithms.partition.CostModel.Row;
import io.magpie.stm.Device;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Prints what the phases of the partitioner cost by formulas, and what the simulator counts, as
 * lines of CSV.
 *
 * <p>Arguments: parts to divide into, default 8; graphs as {@link
 * io.magpie.algorithms.graph.GraphGenerators} names them, default four kinds of three sizes.
 */
final class CostModelBenchmark {
  private static final List<String> GRAPHS =
      List.of(
          "grid:16",
          "grid:32",
          "grid:64",
          "road:256",
          "road:1024",
          "road:4096",
          "rmat:scale=8,edges=1024",
          "rmat:scale=10,edges=4096",
          "rmat:scale=12,edges=16384",
          "star:256",
          "star:1024",
          "star:4096");

  private CostModelBenchmark() {}

  /** Runs the benchmark. */
  public static void main(String[] arguments) {
    int parts = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 8;
    List<String> graphs =
        arguments.length > 1 ? Arrays.asList(arguments).subList(1, arguments.length) : GRAPHS;
    System.out.println(
        "phase,graph,n,arcs,max degree,k,work,work/thesis,work/own,steps,steps/thesis,steps/own,"
            + "transfers,transfers/thesis,transfers/own");
    try (Device device = Device.open(CostModel.DEVICE)) {
      for (String graph : graphs) {
        for (Row row : CostModel.measure(device, graph + ",weights=none", parts)) {
          print(graph, row);
        }
      }
    }
  }

  private static void print(String graph, Row row) {
    Formula thesis = row.phase().thesis;
    Formula own = row.phase().own;
    System.out.printf(
        Locale.ROOT,
        "%s,%s,%.0f,%.0f,%.0f,%.0f,%.0f,%s,%s,%.0f,%s,%s,%.0f,%s,%s%n",
        row.phase().name().toLowerCase(Locale.ROOT).replace('_', ' '),
        graph.replace(',', ' '),
        row.shape().vertices(),
        row.shape().arcs(),
        row.shape().maxDegree(),
        row.shape().parts(),
        row.work(),
        ratio(thesis, thesis == null ? 0 : row.workRatio(thesis)),
        ratio(own, row.workRatio(own)),
        row.steps(),
        ratio(thesis, thesis == null ? 0 : row.stepsRatio(thesis)),
        ratio(own, row.stepsRatio(own)),
        row.transfers(),
        ratio(thesis, thesis == null ? 0 : row.transfersRatio(thesis)),
        ratio(own, row.transfersRatio(own)));
  }

  /** Empty where there is no formula. */
  private static String ratio(Formula formula, double value) {
    return formula == null ? "" : String.format(Locale.ROOT, "%.2f", value);
  }
}
