package io.magpie.spark;

import io.magpie.algorithms.graph.GeneratedEdges;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import picocli.CommandLine.Command;

/**
 * Finds connected components in a job of Apache Spark: {@code magpie components --engine spark},
 * and what {@code spark-submit} runs. They are those of a forest of edges that all weigh 1.
 */
@Command(
    name = Components.NAME,
    description = "Find the connected components of a graph in a job of Apache Spark.")
public final class Components extends JobCommand {
  static final String NAME = "components";

  /** A new command. */
  Components() {}

  /**
   * Runs {@code magpie components --engine spark} with these arguments. A failure ends the process
   * with its status; where all is done this returns, as YARN takes for failed what ends before it
   * does.
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
    return "the components are";
  }

  @Override
  void checkOwnOptions() {}

  @Override
  List<String> columnOptions() {
    return List.of();
  }

  @Override
  ParquetRows.Columns columns(String source, String target) {
    return new ParquetRows.Columns(source, target, null, null);
  }

  @Override
  GeneratedEdges taken(GeneratedEdges edges) {
    if (!edges.has("weights")) {
      return edges.with("weights", "none");
    }
    if (edges.weightType() == WeightType.LONG || edges.weightType() == WeightType.DOUBLE) {
      throw usage(
          "--generate "
              + edges.spec()
              + ": partitions compute weights of type int or float; leave them out, as components"
              + " do not depend on them");
    }
    return edges;
  }

  @Override
  Objective objective() {
    return Objective.MINIMUM;
  }

  @Override
  ForestJob.Product product() {
    return ForestJob.Product.COMPONENTS;
  }

  @Override
  List<String> mistakes(
      JavaSparkContext spark, Edges edges, ForestJob.Result result, int partitions) {
    return new ComponentsPass(
            result.file(),
            edges.vertices(),
            edges.vertices() - result.edges(),
            Settings.of(spark.hadoopConfiguration()))
        .run(spark, edges, partitions);
  }

  @Override
  JobOutcome outcome(JobOutcome.Job job) {
    return new ComponentsOutcome(job);
  }
}
