package io.magpie.spark;

import io.magpie.examples.cli.output.Counts;
import io.magpie.examples.cli.output.NamedLines;
import java.util.LinkedHashMap;
import java.util.Map;

/** Components that a job has found. */
record ComponentsOutcome(Job job) implements JobOutcome {
  @Override
  public String algorithm() {
    return Components.NAME;
  }

  @Override
  public String noun() {
    return "components";
  }

  @Override
  public String holds() {
    return "the components are those of the edges of a second pass";
  }

  @Override
  public Map<String, Object> manifest() {
    Map<String, Object> manifest = new LinkedHashMap<>();
    manifest.put("format", "magpie-components-1");
    manifest.put("input", job.edges().description());
    manifest.put("vertices", job.edges().vertices());
    manifest.put("inputEdges", job.edges().rows());
    manifest.put("components", job.components());
    manifest.put("largest", job.result().largest());
    return manifest;
  }

  @Override
  public void addFound(Map<String, Object> json, Map<String, Object> input) {
    Map<String, Object> found = new LinkedHashMap<>();
    found.put("components", job.components());
    found.put("largest", job.result().largest());
    json.put("found", found);
  }

  @Override
  public void printFound(NamedLines to) {
    to.line(
        "found",
        "%s, the largest of %s",
        Counts.number(job.components(), "component", "components"),
        Counts.number(job.result().largest(), "vertex", "vertices"));
  }
}
