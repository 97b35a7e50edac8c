package io.magpie.examples.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.Setting;
import io.magpie.algorithms.Settings;
import io.magpie.algorithms.graph.Graph;
import io.magpie.examples.compare.Comparison.Outcome;
import io.magpie.examples.compare.Comparison.Prepared;
import io.magpie.examples.input.GeneratedGraph;
import io.magpie.examples.input.GeneratedMesh;
import io.magpie.examples.input.GraphHash;
import io.magpie.examples.input.GraphInput;
import io.magpie.examples.input.Input;
import io.magpie.stm.Device;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GraphComparisonTest {
  /** How many edges a graph has, and some more. */
  private static final class Count extends GraphComparison<Settings, Long> {
    static final Setting<Integer> MORE = Setting.whole("more", 0, 0, 9, "how many more");

    Count() {
      super("count", "edges of a graph", Settings.of(MORE));
      counter("edges", Long::longValue);
      counter("twice", edges -> 2 * edges);
      baseline(
          "arcs", "half of the arcs", (graph, options) -> graph.arcs() / 2 + options.get(MORE));
    }

    @Override
    protected Solution<Long> solve(Device device, Graph graph, Settings options) {
      return new Solution<>(graph.edges() + options.get(MORE), 2.5, List.of());
    }

    @Override
    protected Optional<String> mistake(Graph graph, Long edges) {
      return edges == graph.edges() ? Optional.empty() : Optional.of(edges + " are too many");
    }
  }

  private static final Count COUNT = new Count();

  private static Prepared<Settings> prepared() throws IOException {
    Input source = COUNT.source(GeneratedGraph.of("path:n=5"));
    return COUNT.prepare(source, Progress.NONE);
  }

  @Test
  void tellsWhatItIs() throws IOException {
    assertEquals("count", COUNT.name());
    assertEquals("edges of a graph", COUNT.summary());
    assertEquals(Settings.of(Count.MORE), COUNT.defaults());
    assertEquals(List.of("edges", "twice"), COUNT.shown());
    assertEquals(List.of(Baseline.of("arcs", "half of the arcs")), COUNT.baselines());
    assertEquals(Map.of("vertices", 5L, "edges", 4L), prepared().sizes());
    assertEquals(List.of("vertices", "edges"), List.copyOf(prepared().sizes().keySet()));
    GraphInput same = (GraphInput) COUNT.source(GeneratedGraph.of("path:n=5"));
    assertEquals(GraphHash.of(same.graph()), prepared().hash());
  }

  @Test
  void runsMeasureThemselvesAndAreChecked() throws IOException {
    Settings wrong = COUNT.defaults().with(Count.MORE, 3);
    try (Device device = Device.open("cpu:1")) {
      Outcome right = prepared().variant(device, COUNT.defaults()).run();
      assertEquals(Map.of("edges", 4L, "twice", 8L), right.counters());
      assertEquals(2.5, right.millis().get(Outcome.KERNELS));
      assertTrue(right.millis().get(Outcome.TOTAL) >= 0, right::toString);
      assertEquals(Optional.empty(), right.mistake().get());
      assertEquals(
          Optional.of("7 are too many"), prepared().variant(device, wrong).run().mistake().get());
    }
    Outcome baseline = prepared().baseline("arcs", wrong).run();
    assertEquals(Map.of("edges", 7L, "twice", 14L), baseline.counters());
    assertEquals(List.of(Outcome.TOTAL), List.copyOf(baseline.millis().keySet()));
    assertEquals(Optional.of("7 are too many"), baseline.mistake().get());
  }

  @Test
  void whatThereIsNotIsRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> prepared().baseline("none", COUNT.defaults()));
    assertThrows(
        IllegalArgumentException.class, () -> COUNT.source(GeneratedMesh.of("uniform:100")));
  }
}
