package io.magpie.spark;

import io.magpie.examples.cli.output.BuildInfo;
import io.magpie.examples.cli.output.NamedLines;
import io.magpie.examples.cli.output.Verdict;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a job has found, as text and as JSON.
 *
 * @param edges what the forest is of
 * @param objective minimum or maximum
 * @param result of the job
 * @param run how it ran
 * @param kept what was kept of it; null if nothing was
 * @param verified what a second pass has shown; null if there was none
 */
record JobOutcome(
    Edges edges, String objective, ForestJob.Result result, Run run, Kept kept, Verified verified) {
  /**
   * How a job ran.
   *
   * @param version Spark's
   * @param master Spark's
   * @param partitions how many
   * @param device of each task, as it was given
   * @param millis from the plan to the forest
   */
  record Run(String version, String master, int partitions, String device, double millis) {
    double edgesPerSecond(Edges edges) {
      return edges.rows() / (millis / 1e3);
    }
  }

  /**
   * The forests of partitions that are kept.
   *
   * @param folder as it was given
   * @param found for how many partitions files were there when the job began
   */
  record Kept(String folder, int found) {}

  /**
   * A second pass.
   *
   * @param millis how long it took
   * @param mistakes what is wrong with the forest
   */
  record Verified(double millis, List<String> mistakes) {}

  Verdict verdict() {
    return new Verdict(verified != null, verified == null ? List.of() : verified.mistakes);
  }

  /** Whether the job surely made all forests, so that its time is that of all edges. */
  private boolean madeAll() {
    return kept == null || kept.found == 0;
  }

  private int components() {
    return edges.vertices() - result.edges();
  }

  /** The manifest of a result, without its files. */
  Map<String, Object> manifest() {
    Map<String, Object> manifest = new LinkedHashMap<>();
    manifest.put("format", "magpie-forest-1");
    manifest.put("input", edges.description());
    manifest.put("objective", objective);
    manifest.put("vertices", edges.vertices());
    manifest.put("inputEdges", edges.rows());
    manifest.put("edges", result.edges());
    manifest.put("components", components());
    manifest.put("weight", result.weight());
    manifest.put("weightType", edges.weightType().toString());
    return manifest;
  }

  /** As the definition {@code msfOnSpark} of the schema describes it. */
  Map<String, Object> json() {
    Map<String, Object> input = new LinkedHashMap<>();
    input.put("source", edges.description());
    input.put("vertices", edges.vertices());
    input.put("edges", edges.rows());
    input.put("weightType", edges.weightType().toString());
    Map<String, Object> forest = new LinkedHashMap<>();
    forest.put("edges", result.edges());
    forest.put("components", components());
    forest.put("weight", result.weight());
    Map<String, Object> spark = new LinkedHashMap<>();
    spark.put("version", run.version);
    spark.put("master", run.master);
    spark.put("partitions", run.partitions);
    spark.put("device", run.device);
    if (madeAll()) {
      spark.put("edgesPerSecond", run.edgesPerSecond(edges));
    }
    if (kept != null) {
      Map<String, Object> checkpoint = new LinkedHashMap<>();
      checkpoint.put("folder", kept.folder);
      checkpoint.put("found", kept.found);
      spark.put("checkpoint", checkpoint);
    }
    Map<String, Object> millis = new LinkedHashMap<>();
    millis.put("total", run.millis);
    if (verified != null) {
      millis.put("verify", verified.millis);
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("algorithm", "msf");
    json.put("version", BuildInfo.version());
    json.put("revision", BuildInfo.revision());
    json.put("input", input);
    json.put("objective", objective);
    json.put("forest", forest);
    json.put("millis", millis);
    json.put("spark", spark);
    verdict().addTo(json);
    return json;
  }

  void print(PrintWriter out) {
    NamedLines to = new NamedLines(out);
    to.line("edges", "%s", edges.description());
    to.line("", "%,d vertices, %,d edges", edges.vertices(), edges.rows());
    to.line(
        "spark",
        "%s, %,d partition%s, device %s",
        run.master,
        run.partitions,
        run.partitions == 1 ? "" : "s",
        run.device);
    if (kept != null) {
      to.line(
          "kept",
          "files of %,d of %,d partitions were in %s",
          kept.found,
          run.partitions,
          kept.folder);
    }
    to.line(
        "forest",
        "%,d edges, %,d component%s, total weight %s",
        result.edges(),
        components(),
        components() == 1 ? "" : "s",
        result.weight().toPlainString());
    to.line("time", "%.3f ms from the plan to the forest", run.millis);
    if (madeAll()) {
      to.line("", "%,.0f edges a second", run.edgesPerSecond(edges));
    }
    verdict()
        .print(
            to,
            () ->
                String.format(
                    Locale.ROOT,
                    "no edge of a second pass is before the last one of its path; %.3f ms",
                    verified.millis));
    out.flush();
  }
}
