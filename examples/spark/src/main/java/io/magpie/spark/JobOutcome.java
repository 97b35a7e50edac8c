package io.magpie.spark;

import io.magpie.examples.cli.output.BuildInfo;
import io.magpie.examples.cli.output.NamedLines;
import io.magpie.examples.cli.output.Verdict;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a job has found, as text and as JSON. */
interface JobOutcome {
  /**
   * A job that is done.
   *
   * @param edges what it worked on
   * @param result of it
   * @param run how it ran
   * @param kept what was kept of it; null if nothing was
   * @param verified what a second pass has shown; null if there was none
   */
  record Job(Edges edges, ForestJob.Result result, Run run, Kept kept, Verified verified) {
    /** Whether the job surely made all forests, so that its time is that of all edges. */
    private boolean madeAll() {
      return kept == null || kept.found == 0;
    }

    /** Trees of the forest. */
    int components() {
      return edges.vertices() - result.edges();
    }
  }

  /**
   * How a job ran.
   *
   * @param version Spark's
   * @param master Spark's
   * @param partitions how many
   * @param device of each task, as it was given
   * @param millis from the plan to the result
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
   * @param mistakes what is wrong with the result
   */
  record Verified(double millis, List<String> mistakes) {}

  Job job();

  /** The command. */
  String algorithm();

  /** What the time ends with, and what it is called. */
  String noun();

  /** What a second pass has shown if nothing is wrong. */
  String holds();

  /** The manifest of a result, without its files. */
  Map<String, Object> manifest();

  /**
   * Adds what was found to JSON.
   *
   * @param input what the edges are, which it may add to
   */
  void addFound(Map<String, Object> json, Map<String, Object> input);

  /** Prints what was found. */
  void printFound(NamedLines to);

  default Verdict verdict() {
    Verified verified = job().verified;
    return new Verdict(verified != null, verified == null ? List.of() : verified.mistakes);
  }

  /** As the definition of the schema describes it whose name ends in {@code OnSpark}. */
  default Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("algorithm", algorithm());
    json.put("version", BuildInfo.version());
    json.put("revision", BuildInfo.revision());
    Edges edges = job().edges;
    Map<String, Object> input = new LinkedHashMap<>();
    input.put("source", edges.description());
    input.put("vertices", edges.vertices());
    input.put("edges", edges.rows());
    json.put("input", input);
    addFound(json, input);
    Map<String, Object> millis = new LinkedHashMap<>();
    millis.put("total", job().run.millis);
    if (job().verified != null) {
      millis.put("verify", job().verified.millis);
    }
    json.put("millis", millis);
    json.put("spark", spark());
    verdict().addTo(json);
    return json;
  }

  private Map<String, Object> spark() {
    Run run = job().run;
    Map<String, Object> spark = new LinkedHashMap<>();
    spark.put("version", run.version);
    spark.put("master", run.master);
    spark.put("partitions", run.partitions);
    spark.put("device", run.device);
    if (job().madeAll()) {
      spark.put("edgesPerSecond", run.edgesPerSecond(job().edges));
    }
    if (job().kept != null) {
      Map<String, Object> checkpoint = new LinkedHashMap<>();
      checkpoint.put("folder", job().kept.folder);
      checkpoint.put("found", job().kept.found);
      spark.put("checkpoint", checkpoint);
    }
    return spark;
  }

  default void print(PrintWriter out) {
    NamedLines to = new NamedLines(out);
    Edges edges = job().edges;
    Run run = job().run;
    to.line("edges", "%s", edges.description());
    to.line("", "%,d vertices, %,d edges", edges.vertices(), edges.rows());
    to.line(
        "spark",
        "%s, %,d partition%s, device %s",
        run.master,
        run.partitions,
        run.partitions == 1 ? "" : "s",
        run.device);
    if (job().kept != null) {
      to.line(
          "kept",
          "files of %,d of %,d partitions were in %s",
          job().kept.found,
          run.partitions,
          job().kept.folder);
    }
    printFound(to);
    to.line("time", "%.3f ms from the plan to the %s", run.millis, noun());
    if (job().madeAll()) {
      to.line("", "%,.0f edges a second", run.edgesPerSecond(edges));
    }
    verdict()
        .print(to, () -> String.format(Locale.ROOT, "%s; %.3f ms", holds(), job().verified.millis));
    out.flush();
  }
}
