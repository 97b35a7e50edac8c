package io.magpie.algorithms.msf;

import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.algorithms.msf.MsfOptions.Discovery;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;

/**
 * The vertex-centric form: rounds of discovery, merge, pruning and flattening over all vertices, by
 * the kernels of vertex_form.cuh.
 */
final class VertexForm extends ArcForm {
  private final int vertices;
  private final boolean atomicFree;
  private final DeviceArray<int[]> live;
  private final DeviceArray<int[]> active;
  private final DeviceArray<int[]> remaining;

  VertexForm(WorkingForest forest) {
    super(forest);
    this.vertices = graph.vertices();
    this.atomicFree = forest.options().discovery() == Discovery.ATOMIC_FREE;
    Scratch scratch = graph.scratch();
    this.live = scratch.ints("live", graph.arcs());
    this.active = scratch.ints("active", vertices);
    this.remaining = scratch.ints("remaining", 1);
  }

  @Override
  public int solve() {
    forest.startAlone();
    forest.run(
        "open_vertices",
        Math.max(vertices, graph.arcs()),
        new Fields()
            .set("vertices", vertices)
            .set("arcs", graph.arcs())
            .set("weights", graph.weights())
            .set("live", live)
            .set("active", active));
    pruneAndFlatten();
    int rounds = 0;
    for (; discover(); rounds++) {
      checkRounds(rounds);
      merge();
      pruneAndFlatten();
    }
    return rounds;
  }

  /** Finds the components' least edges; gives whether there is one. */
  private boolean discover() {
    forest.run(
        "reset", vertices, new Fields().set("vertices", vertices).set("best", forest.best()));
    do {
      // Counted anew each time: a sum over many repetitions could come round to 0.
      remaining.fill(0);
      forest.flag().fill(0);
      forest.run(
          "discover",
          vertices,
          new Fields()
              .set("vertices", vertices)
              .set("atomic_free", atomicFree ? 1 : 0)
              .set("offsets", graph.offsets())
              .set("live", live)
              .set("parent", forest.parent())
              .set("active", active)
              .set("best", forest.best())
              .set("changed", forest.flag())
              .set("remaining", remaining));
    } while (atomicFree && forest.flag().getInt(0) != 0);
    return remaining.getInt(0) != 0;
  }

  private void merge() {
    Fields fields =
        new Fields()
            .set("neighbors", graph.neighbors())
            .set("best", forest.best())
            .set("parent", forest.parent())
            .set("edge_of", forest.edgeOf());
    if (forest.transactional()) {
      forest.merge("merge_vertices", null, vertices, fields.set("objects", graph.objects()));
    } else {
      forest.run("merge_hooking", vertices, fields.set("vertices", vertices));
    }
  }

  private void pruneAndFlatten() {
    do {
      forest.flag().fill(0);
      forest.run(
          "prune_and_flatten",
          vertices,
          new Fields()
              .set("vertices", vertices)
              .set("offsets", graph.offsets())
              .set("neighbors", graph.neighbors())
              .set("active", active)
              .set("live", live)
              .set("parent", forest.parent())
              .set("changed", forest.flag()));
    } while (forest.flag().getInt(0) != 0);
  }
}
