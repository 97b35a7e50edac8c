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

  /** Arcs that are looked at. */
  private final int samples;

  // The fields of the launches, made before their time begins, as the arrays are: the device has
  // nothing to do until they are there.
  private final Fields overVertices;
  private final Fields flatten;
  private final Fields sampleLabels;
  private final Fields chooseSkipped;

  /** What is left by the sample. */
  private final Fields left;

  private final Fields link;

  // Those of transactions; null without them.
  private final Fields uniteSampled;
  private final Fields list;
  private final Fields uniteListed;

  SampledForm(Trees trees) {
    this.trees = trees;
    this.graph = trees.graph();
    this.launches = trees.launches();
    this.transactional = trees.options().form() == Form.TRANSACTIONAL;
    this.samples = Math.min(SAMPLES, graph.arcs());
    // The root of the component that is left out, and whether vertices are left of which one lane
    // would have too many arcs: of one word each.
    DeviceArray<int[]> skip = graph.scratch().ints("skip", 1);
    DeviceArray<int[]> heavy = graph.scratch().ints("heavy", 1);
    DeviceArray<int[]> labels = graph.scratch().ints("labels", samples);
    this.overVertices =
        new Fields()
            .set("vertices", graph.vertices())
            .set("forest", trees.forest() ? 1 : 0)
            .set("offsets", graph.offsets())
            .set("neighbors", graph.neighbors())
            .set("parent", trees.parent())
            .set("edge_of", trees.edgeOf());
    this.flatten = new Fields().set("vertices", graph.vertices()).set("parent", trees.parent());
    this.sampleLabels =
        new Fields()
            .set("arcs", graph.arcs())
            .set("count", samples)
            .set("neighbors", graph.neighbors())
            .set("parent", trees.parent())
            .set("labels", labels);
    this.chooseSkipped =
        new Fields()
            .set("count", samples)
            .set("labels", labels)
            .set("skip", skip)
            .set("heavy", heavy);
    this.left =
        trees
            .pieceFields()
            .set("most_light", warps() ? launches.constant("light_arcs") : 0)
            .set("skip", skip)
            .set("heavy", heavy)
            .set("parent", trees.parent());
    this.link =
        new Fields()
            .set("left", left)
            .set("forest", trees.forest() ? 1 : 0)
            .set("edge_of", trees.edgeOf());
    this.uniteSampled =
        transactional
            ? inRegion().set("offsets", graph.offsets()).set("neighbors", graph.neighbors())
            : null;
    this.list = transactional ? new Fields().set("left", left) : null;
    this.uniteListed = transactional ? inRegion() : null;
    if (transactional) {
      listOf(capacity());
    }
  }

  /** A processor's threads take their pieces one arc after another, whosever they are. */
  private boolean warps() {
    return launches.device().machine() != Machine.CPU;
  }

  @Override
  public int solve() {
    launches.run("start", graph.vertices(), overVertices);
    flatten(); // while nothing is hooked, which is what makes long ways short in little time
    if (transactional) {
      for (int nth = 0; nth < launches.constant("sampled_arcs"); nth++) {
        launches.transact("unite_sampled", null, graph.vertices(), uniteSampled.set("nth", nth));
      }
      flatten(); // where transactions leave ways that are longer than those of link_sampled
    } else {
      launches.run("link_sampled", graph.vertices(), overVertices);
    }
    chooseSkipped();
    if (transactional) {
      uniteListed();
    } else {
      runLeft("link", link);
    }
    flatten();
    return 2;
  }

  /** Edges have the numbers of arcs. */
  @Override
  public int[] arcs(BitSet edges) {
    return edges.stream().toArray();
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
    launches.run("flatten", graph.vertices(), flatten);
  }

  /** Chooses the component whose arcs need not be walked over, if there is one. */
  private void chooseSkipped() {
    launches.run("sample_labels", samples, sampleLabels);
    launches.runPieces("choose_skipped", 1, 1, chooseSkipped);
  }

  /** Runs the kernels of this name over the arcs that the sample has left. */
  private void runLeft(String name, Fields fields) {
    if (warps()) {
      launches.run(name + "_light", graph.vertices(), fields);
    }
    trees.runPieces(name + "_heavy", fields);
  }

  /** A list of edges: their ends, their arcs, and how many there are. */
  private record EdgeList(
      DeviceArray<long[]> ends, DeviceArray<int[]> arcs, DeviceArray<int[]> count) {}

  private EdgeList listOf(long length) {
    return new EdgeList(
        graph.scratch().longs("ends", length),
        graph.scratch().ints("arcs", length),
        graph.scratch().ints("count", 1));
  }

  /** Edges that a list has room for at first. */
  private long capacity() {
    return Math.min(graph.arcs(), Math.max(LEAST_CAPACITY, graph.vertices()));
  }

  private void uniteListed() {
    long capacity = capacity();
    long listed = 0;
    EdgeList edges;
    do {
      // A list that was too short for its edges is made as long as it must be, and built again.
      capacity = Math.max(capacity, listed);
      edges = listOf(capacity);
      edges.count.fill(0);
      runLeft(
          "list", list.set("ends", edges.ends).set("arcs", edges.arcs).set("count", edges.count));
      listed = Integer.toUnsignedLong(edges.count.getInt(0));
    } while (listed > capacity);
    if (listed > 0) {
      launches.transact(
          "unite_listed",
          null,
          listed,
          uniteListed.set("ends", edges.ends).set("arcs", edges.arcs));
    }
  }
}
