package io.magpie.spark;

import io.magpie.examples.cli.output.NamedLines;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A forest that a job has found.
 *
 * @param objective minimum or maximum
 */
record ForestOutcome(Job job, String objective) implements JobOutcome {
  @Override
  public String algorithm() {
    return Forest.NAME;
  }

  @Override
  public String noun() {
    return "forest";
  }

  @Override
  public String holds() {
    return "no edge of a second pass is before the last one of its path";
  }

  @Override
  public Map<String, Object> manifest() {
    Map<String, Object> manifest = new LinkedHashMap<>();
    manifest.put("format", "magpie-forest-1");
    manifest.put("input", job.edges().description());
    manifest.put("objective", objective);
    manifest.put("vertices", job.edges().vertices());
    manifest.put("inputEdges", job.edges().rows());
    manifest.put("edges", job.result().edges());
    manifest.put("components", job.components());
    manifest.put("weight", job.result().weight());
    manifest.put("weightType", job.edges().weightType().toString());
    return manifest;
  }

  @Override
  public void addFound(Map<String, Object> json, Map<String, Object> input) {
    input.put("weightType", job.edges().weightType().toString());
    json.put("objective", objective);
    Map<String, Object> forest = new LinkedHashMap<>();
    forest.put("edges", job.result().edges());
    forest.put("components", job.components());
    forest.put("weight", job.result().weight());
    json.put("forest", forest);
  }

  @Override
  public void printFound(NamedLines to) {
    to.line(
        "forest",
        "%,d edges, %,d component%s, total weight %s",
        job.result().edges(),
        job.components(),
        job.components() == 1 ? "" : "s",
        job.result().weight().toPlainString());
  }
}
