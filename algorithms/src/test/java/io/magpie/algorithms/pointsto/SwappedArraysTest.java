package io.magpie.algorithms.pointsto;

import io.magpie.algorithms.SwappedArrays;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.pointsto.ConstraintSet.Kind;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.StmOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Arrays of an analysis: where one is given for another one, nothing is launched. */
class SwappedArraysTest {
  @Test
  void constraintsAreNotWritten() {
    ConstraintSet.Builder given = ConstraintSet.builder(9);
    for (Kind kind : Kind.values()) {
      given.add(kind, 1, 2);
    }
    DeviceMemory memory = new DeviceMemory(Variants.device("cpu:1"));
    try (DeviceConstraints constraints = new DeviceConstraints(memory, given.build(), "pointsto")) {
      Launches launches = new Launches(constraints.module(), false, StmOptions.defaults());
      Nodes nodes = new Nodes(constraints, launches);
      try (Edges edges = new Edges(memory, nodes, launches, 9, false)) {
        check(constraints, nodes, edges, constraints.location());
        for (Kind kind : Kind.values()) {
          for (DeviceArray<int[]> input : List.of(constraints.to(kind), constraints.from(kind))) {
            check(constraints, nodes, edges, input);
          }
        }
      }
    }
  }

  private static void check(
      DeviceConstraints constraints, Nodes nodes, Edges edges, DeviceArray<int[]> input) {
    SwappedArrays.assertInputRefused(
        constraints.module(),
        "add_copies",
        fields(constraints, nodes, edges.fields()),
        fields(constraints, nodes, edges.fields().set("owner", input)),
        "edges.owner");
  }

  @Test
  void numbersOfNodesAreNotSwapped() {
    DeviceMemory memory = new DeviceMemory(Variants.device("cpu:1"));
    ConstraintSet given = ConstraintSet.builder(9).add(Kind.COPY, 1, 2).build();
    try (DeviceConstraints constraints = new DeviceConstraints(memory, given, "pointsto")) {
      Nodes nodes =
          new Nodes(constraints, new Launches(constraints.module(), false, StmOptions.defaults()));
      Fields swapped = nodes.fields().set("rep", nodes.changed()).set("changed", nodes.rep());
      SwappedArrays.assertOtherRefused(
          constraints.module(),
          "start_nodes",
          new Fields().set("nodes", nodes.fields()),
          new Fields().set("nodes", swapped),
          "nodes.rep",
          "nodes.changed");
    }
  }

  private static Fields fields(DeviceConstraints constraints, Nodes nodes, Fields edges) {
    return new Fields()
        .set("nodes", nodes.fields())
        .set("edges", edges)
        .set("count", 0)
        .set("to", constraints.to(Kind.COPY))
        .set("from", constraints.from(Kind.COPY));
  }
}
