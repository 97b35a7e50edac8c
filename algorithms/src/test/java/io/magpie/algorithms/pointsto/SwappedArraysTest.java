package io.magpie.algorithms.pointsto;

import io.magpie.algorithms.SwappedInputs;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.pointsto.ConstraintSet.Kind;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.StmOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Constraints are an input: where they are given for a result, nothing is launched. */
class SwappedInputsTest {
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
    SwappedInputs.assertRefused(
        constraints.module(),
        "add_copies",
        fields(nodes, edges.fields(), input),
        fields(nodes, edges.fields().set("owner", input), edges.owner()),
        "edges.owner");
  }

  private static Fields fields(Nodes nodes, Fields edges, DeviceArray<int[]> constraints) {
    return new Fields()
        .set("nodes", nodes.fields())
        .set("edges", edges)
        .set("count", 0)
        .set("to", constraints)
        .set("from", constraints);
  }
}
