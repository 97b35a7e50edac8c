package io.magpie.algorithms.components;

import io.magpie.algorithms.components.ComponentsOptions.Form;
import io.magpie.algorithms.internal.driver.GraphOnDevice;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.Fields;
import java.util.BitSet;

/**
 * Unions over a sample of the edges, then over those that it left: by compare-exchange or by
 * transactions, with the kernels and regions of sampled_form.cuh.
 */
final class SampledForm implements ComponentsForm {
  /** Arcs that are looked at for the component that has most of them. */
  private static final int SAMPLES = 1024;

  /** Edges for which a list has room at least. */
  private static final int LEAST_CAPACITY = 1024;

  private final Trees trees;
  private final GraphOnDevice graph;
  private final Launches launches;
  private final boolean transactional;

  /** The root of the component that is left out, of one word. */
  private final DeviceArray<int[]> skip;

  /** Whether vertices are left of which one lane would have too many arcs, of one word. */
  private final DeviceArray<int[]> heavy;

  SampledForm(Trees trees) {
    this.trees = trees;
    this.graph = trees.graph();
    this.launches = trees.launches();
    this.transactional = trees.options().form() == Form.TRANSACTIONAL;
    this.skip = graph.scratch().ints("skip", 1);
    this.heavy = graph.scratch().ints("heavy", 1);
  }

  @Override
  public int solve() {
    launches.run("start", graph.vertices(), overVertices());
    flatten(); // while nothing is hooked, which is what makes long ways short in little time
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
      flatten(); // where transactions leave ways that are longer than those of link_sampled
    } else {
      launches.run("link_sampled", graph.vertices(), overVertices());
    }
    chooseSkipped();
    if (transactional) {
      uniteListed();
    } else {
      runLeft(
          "link",
          new Fields().set("forest", trees.forest() ? 1 : 0).set("edge_of", trees.edgeOf()));
    }
    flatten();
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

  /** Points every vertex to its root. */
  private void flatten() {
    launches.run(
        "flatten",
        graph.vertices(),
        new Fields().set("vertices", graph.vertices()).set("parent", trees.parent()));
  }

  /** Chooses the component whose arcs need not be walked over, if there is one. */
  private void chooseSkipped() {
    int count = Math.min(SAMPLES, graph.arcs());
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
    launches.runPieces(
        "choose_skipped",
        1,
        1,
        new Fields()
            .set("count", count)
            .set("labels", labels)
            .set("skip", skip)
            .set("heavy", heavy));
  }

  /** Runs the kernels of this name over the arcs that the sample has left. */
  private void runLeft(String name, Fields fields) {
    // A processor's threads take their pieces one arc after another, whosever they are.
    boolean warps = launches.device().machine() != Machine.CPU;
    fields.set(
        "left",
        trees
            .pieceFields()
            .set("most_light", warps ? launches.constant("light_arcs") : 0)
            .set("skip", skip)
            .set("heavy", heavy)
            .set("parent", trees.parent()));
    if (warps) {
      launches.run(name + "_light", graph.vertices(), fields);
    }
    trees.runPieces(name + "_heavy", fields);
  }

  private void uniteListed() {
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
      runLeft("list", new Fields().set("ends", ends).set("arcs", arcs).set("count", count));
      listed = Integer.toUnsignedLong(count.getInt(0));
    } while (listed > capacity);
    if (listed > 0) {
      launches.transact(
          "unite_listed", null, listed, inRegion().set("ends", ends).set("arcs", arcs));
    }
  }
}
