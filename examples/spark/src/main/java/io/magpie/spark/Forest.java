package io.magpie.spark;

import io.magpie.algorithms.graph.GeneratedEdges;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import java.util.List;
import java.util.Locale;
import org.apache.spark.api.java.JavaSparkContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Computes a spanning forest in a job of Apache Spark: {@code magpie msf --engine spark}, and what
 * {@code spark-submit} runs.
 */
@Command(
    name = Forest.NAME,
    description = "Compute a minimum or maximum spanning forest in a job of Apache Spark.")
public final class Forest extends JobCommand {
  static final String NAME = "msf";

  @Option(
      names = "--weight",
      paramLabel = "COLUMN",
      defaultValue = "weight",
      description =
          "The weights, finite numbers of type int, long, float or double; default"
              + " ${DEFAULT-VALUE}.")
  private String weight;

  @Option(
      names = "--id",
      paramLabel = "COLUMN",
      description =
          "Numbers of edges, int or long from 0, each different: of equal weights the edge of least"
              + " number is chosen. By default an edge's number is its row, counted over all files"
              + " in the order of their paths.")
  private String id;

  @Option(
      names = "--objective",
      paramLabel = "OBJECTIVE",
      defaultValue = "minimum",
      description = "minimum or maximum; default ${DEFAULT-VALUE}.")
  private String objective;

  /** A new command. */
  Forest() {}

  /**
   * Runs {@code magpie msf --engine spark} with these arguments. A failure ends the process with
   * its status; where all is done this returns, as YARN takes for failed what ends before it does.
   */
  public static void main(String[] arguments) {
    submit(NAME, arguments);
  }

  @Override
  String name() {
    return NAME;
  }

  @Override
  String found() {
    return "the forest is";
  }

  @Override
  void checkOwnOptions() {
    if (!objective.equals("minimum") && !objective.equals("maximum")) {
      throw usage("--objective must be minimum or maximum, but is '" + objective + "'");
    }
  }

  @Override
  List<String> columnOptions() {
    return List.of("--weight", "--id");
  }

  @Override
  ParquetRows.Columns columns(String source, String target) {
    return new ParquetRows.Columns(source, target, weight, id);
  }

  @Override
  GeneratedEdges taken(GeneratedEdges edges) {
    WeightType type = edges.weightType();
    if (!edges.isWeighted() || type == WeightType.LONG || type == WeightType.DOUBLE) {
      throw usage(
          "--generate "
              + edges.spec()
              + ": partitions compute weights of type int or float; give them, as in"
              + " weights=1..100");
    }
    return edges;
  }

  @Override
  Objective objective() {
    return Objective.valueOf(objective.toUpperCase(Locale.ROOT));
  }

  @Override
  ForestJob.Product product() {
    return ForestJob.Product.FOREST;
  }

  @Override
  List<String> mistakes(
      JavaSparkContext spark, Edges edges, ForestJob.Result result, int partitions) {
    return new SecondPass(
            result.file(),
            result.edges(),
            result.weight(),
            edges.vertices(),
            edges.weightType(),
            objective() == Objective.MINIMUM,
            Settings.of(spark.hadoopConfiguration()))
        .run(spark, edges, partitions);
  }

  @Override
  JobOutcome outcome(JobOutcome.Job job) {
    return new ForestOutcome(job, objective);
  }
}
