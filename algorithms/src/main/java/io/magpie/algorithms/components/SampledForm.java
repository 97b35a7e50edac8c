package io.magpie.algorithms.components;

import io.magpie.algorithms.components.ComponentsOptions.Form;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Unions over a sample of the edges, then over those that it left: by compare-exchange or by
 * transactions, with the kernels and regions of sampled_form.cuh.
 */
final class SampledForm implements ComponentsForm {
  /** No component is skipped. */
  private static final int NONE = -1;

  /** Arcs that are looked at for the component that has most of them. */
  private static final int SAMPLES = 1024;

  /** Edges for which a list has room at least. */
  private static final int LEAST_CAPACITY = 1024;

  private final Trees trees;
  private final DeviceGraph graph;
  private final Launches launches;
  private final boolean transactional;

  SampledForm(Trees trees) {
    this.trees = trees;
    this.graph = trees.graph();
    this.launches = trees.launches();
    this.transactional = trees.options().form() == Form.TRANSACTIONAL;
  }

  @Override
  public int solve() {
    launches.run("start", graph.vertices(), overVertices());
    if (transactional) {
      for (int nth = 0; nth < launches.constant("sampled_arcs"); nth++) {
        launches.transact(
            "unite_sampled",
            null,
            graph.vertices(),
            inRegion()
                .set("nth", nth)
                .set("offsets", graph.offsets())
                .set("neighbors", graph.neighbors()));
      }
    } else {
      launches.run("link_sampled", graph.vertices(), overVertices());
    }
    trees.flatten();
    int skip = toSkip();
    if (transactional) {
      uniteListed(skip);
    } else {
      trees.runPieces(
          "link_rest",
          new Fields()
              .set("skip", skip)
              .set("forest", trees.forest() ? 1 : 0)
              .set("parent", trees.parent())
              .set("edge_of", trees.edgeOf()));
    }
    trees.flatten();
    return 2;
  }

  /** Edges have the numbers of arcs. */
  @Override
  public int[] arcs(BitSet edges) {
    return edges.stream().toArray();
  }

  private Fields overVertices() {
    return new Fields()
        .set("vertices", graph.vertices())
        .set("forest", trees.forest() ? 1 : 0)
        .set("offsets", graph.offsets())
        .set("neighbors", graph.neighbors())
        .set("parent", trees.parent())
        .set("edge_of", trees.edgeOf());
  }

  private Fields inRegion() {
    return new Fields()
        .set("vertices", graph.objects())
        .set("forest", trees.forest() ? 1 : 0)
        .set("parent", trees.parent())
        .set("edge_of", trees.edgeOf());
  }

  /**
   * The root of a component whose arcs need not be walked over. To leave it out means to walk over
   * both directions of all other edges in place of one direction of all: that is less only if more
   * than half of the arcs are its own, which a sample of them tells. How many vertices it has does
   * not matter: isolated ones cost nothing, and a long path has few arcs.
   */
  private int toSkip() {
    int count = Math.min(SAMPLES, graph.arcs());
    if (count == 0) {
      return NONE;
    }
    DeviceArray<int[]> labels = graph.scratch().ints("labels", count);
    launches.run(
        "sample_labels",
        count,
        new Fields()
            .set("arcs", graph.arcs())
            .set("count", count)
            .set("neighbors", graph.neighbors())
            .set("parent", trees.parent())
            .set("labels", labels));
    int[] sorted = labels.toArray();
    Arrays.sort(sorted);
    // What more than half of them have is in the middle.
    int middle = sorted[count / 2];
    long share = Arrays.stream(sorted).filter(label -> label == middle).count();
    return 2 * share > count ? middle : NONE;
  }

  private void uniteListed(int skip) {
    DeviceArray<int[]> count = graph.scratch().ints("count", 1);
    long capacity = Math.min(graph.arcs(), Math.max(LEAST_CAPACITY, graph.vertices()));
    long listed = 0;
    DeviceArray<long[]> ends;
    DeviceArray<int[]> arcs;
    do {
      // A list that was too short for its edges is made as long as it must be, and built again.
      capacity = Math.max(capacity, listed);
      ends = graph.scratch().longs("ends", capacity);
      arcs = graph.scratch().ints("arcs", capacity);
      count.fill(0);
      trees.runPieces(
          "list_crossing",
          new Fields()
              .set("skip", skip)
              .set("parent", trees.parent())
              .set("ends", ends)
              .set("arcs", arcs)
              .set("count", count));
      listed = Integer.toUnsignedLong(count.getInt(0));
    } while (listed > capacity);
    if (listed > 0) {
      launches.transact(
          "unite_listed", null, listed, inRegion().set("ends", ends).set("arcs", arcs));
    }
  }
}
