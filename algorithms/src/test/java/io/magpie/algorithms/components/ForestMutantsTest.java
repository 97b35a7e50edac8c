package io.magpie.algorithms.components;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.components.ComponentsOptions.Direction;
import io.magpie.algorithms.components.ComponentsOptions.Form;
import io.magpie.algorithms.components.ComponentsOptions.Output;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.stm.Device;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What mutants.cuh breaks is noticed, by the verifier also where a count of edges would not do. */
class ForestMutantsTest {
  private static final Map<String, String> DEFINES = Map.of("MAGPIE_COMPONENTS_MUTANTS", "1");
  private static final int NO_MUTANT = 0;
  private static final int EDGE_APART_FROM_PARENT = 1;
  private static final int DIRECTION_BY_EDGE = 2;
  private static final int TRIES = 20;

  @ParameterizedTest
  @EnumSource
  @Tag("slow")
  void anEdgeStoredApartFromTheParentClosesACycle(Direction direction) {
    int cyclic = 0;
    int asMany = 0;
    for (int seed = 1; seed <= TRIES; seed++) {
      Graph graph = GraphGenerators.generate("random:n=60,m=150,seed=" + seed);
      try (Device device = Device.open("sim:" + seed + ":4")) {
        device.define("components", DEFINES);
        choose(device, NO_MUTANT);
        assertEquals(List.of(), ComponentsVerifier.verify(run(device, graph, direction)));
        choose(device, EDGE_APART_FROM_PARENT);
        ComponentsResult broken = run(device, graph, direction);
        List<String> wrong = ComponentsVerifier.verify(broken);
        if (wrong.stream().anyMatch(each -> each.contains("closes a cycle"))) {
          cyclic++;
          asMany += edges(broken) == graph.vertices() - broken.components() ? 1 : 0;
        }
        assertEquals(
            List.of(),
            wrong.stream().filter(each -> each.contains("label")).toList(),
            "trees stay trees");
      }
    }
    assertTrue(asMany > 0, asMany + " of " + cyclic + " cyclic ones have as many as a forest");
  }

  /**
   * Two roots each hooked under the other, over an edge each. Labels survive it: a walk around the
   * cycle ends with one of the two a root again, and edges that are not marked are asked again.
   */
  @Test
  @Tag("slow")
  void rootsHookedUpAndDownInOneRoundAreNoticed() {
    int noticed = 0;
    for (int seed = 1; seed <= TRIES; seed++) {
      Graph graph = GraphGenerators.generate("random:n=60,m=150,seed=" + seed);
      try (Device device = Device.open("sim:" + seed + ":4")) {
        device.define("components", DEFINES);
        choose(device, DIRECTION_BY_EDGE);
        noticed += isNoticed(device, graph) ? 1 : 0;
      }
    }
    assertTrue(noticed > 0, "no run of " + TRIES + " was noticed");
  }

  private static boolean isNoticed(Device device, Graph graph) {
    try {
      ComponentsResult broken = run(device, graph, Direction.FIXED);
      return !ComponentsVerifier.verify(broken).isEmpty();
    } catch (IllegalStateException e) {
      return e.getMessage().contains("no root") || e.getMessage().contains("no end");
    }
  }

  private static int edges(ComponentsResult result) {
    return result.forest().orElseThrow().length;
  }

  private static ComponentsResult run(Device device, Graph graph, Direction direction) {
    return ConnectedComponents.run(
        device,
        graph,
        ComponentsOptions.defaults()
            .withForm(Form.ATOMIC_FREE)
            .withDirection(direction)
            .withOutput(Output.FOREST));
  }

  private static void choose(Device device, int number) {
    try (KernelModule module = device.load("components")) {
      module.kernel("choose_components_mutant").run(1, new Fields().set("number", number));
    }
  }
}
