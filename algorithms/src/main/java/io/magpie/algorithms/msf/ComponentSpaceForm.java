package io.magpie.algorithms.msf;

import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;

/**
 * LonestarGPU's form: one representative of each component, two components united at a time, the
 * smaller into the larger, by the kernels of component_space_form.cuh.
 */
final class ComponentSpaceForm extends ArcForm {
  private final int vertices;
  private final DeviceArray<int[]> size;
  private final DeviceArray<int[]> componentWeight;
  private final DeviceArray<long[]> componentEdge;
  private final DeviceArray<int[]> arc;
  private final DeviceArray<int[]> list;
  private final DeviceArray<int[]> count;

  ComponentSpaceForm(WorkingForest forest) {
    super(forest);
    this.vertices = graph.vertices();
    Scratch scratch = graph.scratch();
    this.size = scratch.ints("size", vertices);
    this.componentWeight = scratch.ints("comp_weight", vertices);
    this.componentEdge = scratch.longs("comp_edge", vertices);
    this.arc = scratch.ints("arc", vertices);
    this.list = scratch.ints("list", vertices);
    this.count = scratch.ints("count", 1);
  }

  @Override
  public int solve() {
    forest.startAlone();
    forest.run("start_sizes", vertices, new Fields().set("vertices", vertices).set("size", size));
    long components = vertices;
    int rounds = 0;
    for (long before = 0; components != before && components > 1; ) {
      checkRounds(rounds);
      before = components;
      int representatives = findRepresentatives();
      if (representatives > 0) {
        components -= unify(representatives);
        forest.flatten(false);
        rounds++;
      }
    }
    return rounds;
  }

  /** Lists an element for each component that has an edge to another; gives their number. */
  private int findRepresentatives() {
    forest.run(
        "forget_minima",
        vertices,
        new Fields()
            .set("vertices", vertices)
            .set("comp_weight", componentWeight)
            .set("comp_edge", componentEdge));
    forest.run(
        "find_minimum",
        vertices,
        new Fields()
            .set("vertices", vertices)
            .set("offsets", graph.offsets())
            .set("neighbors", graph.neighbors())
            .set("weights", graph.weights())
            .set("parent", forest.parent())
            .set("elem", forest.best())
            .set("comp_weight", componentWeight));
    forest.run(
        "find_representative",
        vertices,
        new Fields()
            .set("vertices", vertices)
            .set("parent", forest.parent())
            .set("elem", forest.best())
            .set("comp_weight", componentWeight)
            .set("comp_edge", componentEdge));
    count.fill(0);
    forest.run(
        "verify_representative",
        vertices,
        new Fields()
            .set("vertices", vertices)
            .set("offsets", graph.offsets())
            .set("neighbors", graph.neighbors())
            .set("weights", graph.weights())
            .set("parent", forest.parent())
            .set("elem", forest.best())
            .set("comp_weight", componentWeight)
            .set("comp_edge", componentEdge)
            .set("arc", arc)
            .set("list", list)
            .set("count", count));
    return count.getInt(0);
  }

  /** Unites each representative's component with its partner; gives how many components ended. */
  private long unify(int representatives) {
    return forest
        .launches()
        .transact(
            "unify",
            list,
            representatives,
            new Fields()
                .set("objects", graph.objects())
                .set("neighbors", graph.neighbors())
                .set("arc", arc)
                .set("parent", forest.parent())
                .set("size", size)
                .set("edge_of", forest.edgeOf()))
        .commits();
  }
}
