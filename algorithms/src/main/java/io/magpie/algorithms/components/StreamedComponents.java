package io.magpie.algorithms.components;

import io.magpie.algorithms.msf.EdgeChunk;
import io.magpie.algorithms.msf.EdgeSource;
import io.magpie.algorithms.msf.MsfOptions;
import io.magpie.algorithms.msf.NumberedForest;
import io.magpie.algorithms.msf.StreamReport;
import io.magpie.algorithms.msf.StreamedForest;
import io.magpie.stm.Device;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Connected components of graphs that do not fit: those of a forest of the edges, which come in
 * chunks as {@link StreamedForest} takes them. Weights have no effect on what is found; without
 * them, each edge weighs 1.
 *
 * <p>Memory is that of {@link StreamedForest}, whose labels become these; {@link #largest} and
 * {@link #verify} take 4 bytes more of Java memory for each vertex while they run.
 */
public final class StreamedComponents {
  /** Edges of a chunk where edges are checked. */
  private static final int CHUNK = 1 << 20;

  private final int[] labels;
  private final NumberedForest forest;

  private StreamedComponents(int[] labels, NumberedForest forest) {
    this.labels = labels;
    this.forest = forest;
  }

  /**
   * Finds the components of a source's edges.
   *
   * @param device where
   * @param source the edges; read to its end and not closed
   * @param options how the forest is found
   * @param chunk edges of a chunk, as {@link StreamedForest#run(Device, EdgeSource, MsfOptions,
   *     int)} takes them
   * @return the components
   * @throws IllegalArgumentException as that throws it
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   * @throws io.magpie.stm.UnfinishedItemsException if transactions did not finish
   */
  public static StreamedComponents run(
      Device device, EdgeSource source, MsfOptions options, int chunk) {
    return ofOwn(StreamedForest.run(device, source, options, chunk));
  }

  /**
   * Finds the components of a source's edges by several devices at once, each of which takes the
   * next chunk when it is done with its last. Components of a union of sets of edges are those of
   * the forests of these sets, so each device keeps a forest of the edges that it took, and {@link
   * StreamedForest#run(List, EdgeSource, MsfOptions, int)} merges them. The labels are those of one
   * device.
   *
   * @param devices at least one, each of them once
   * @param source the edges; read to its end by a thread at a time, and not closed
   * @param options how forests are found
   * @param chunk edges of a chunk, as for one device
   * @return the components, with a report of all devices
   * @throws IllegalArgumentException as for one device, or if there is none, or one is there twice
   * @throws io.magpie.stm.DeviceOutOfMemoryException if a device has too little free memory; no
   *     other one takes over what it was to do
   * @throws io.magpie.stm.UnfinishedItemsException if transactions did not finish
   */
  public static StreamedComponents run(
      List<Device> devices, EdgeSource source, MsfOptions options, int chunk) {
    return ofOwn(StreamedForest.run(devices, source, options, chunk));
  }

  /**
   * Finds the components of a source's edges in no more memory of the device than is allowed, as
   * {@link StreamedForest#run(Device, EdgeSource, MsfOptions, int, long)} takes it.
   *
   * @param device where
   * @param source the edges; read to its end and not closed
   * @param options how the forest is found
   * @param chunk edges of a chunk
   * @param memory bytes that the run may hold on the device
   * @return the components
   * @throws IllegalArgumentException as that throws it
   * @throws io.magpie.stm.DeviceOutOfMemoryException as that throws it
   * @throws io.magpie.stm.UnfinishedItemsException if transactions did not finish
   */
  public static StreamedComponents run(
      Device device, EdgeSource source, MsfOptions options, int chunk, long memory) {
    return ofOwn(StreamedForest.run(device, source, options, chunk, memory));
  }

  /**
   * The same in no more memory of each device than is allowed, as {@link StreamedForest#run(List,
   * EdgeSource, MsfOptions, int, long)} takes it.
   *
   * @param devices at least one, each of them once
   * @param source the edges; read to its end by a thread at a time, and not closed
   * @param options how forests are found
   * @param chunk edges of a chunk
   * @param memory bytes that the run may hold on each device
   * @return the components, with a report of all devices
   * @throws IllegalArgumentException as that throws it
   * @throws io.magpie.stm.DeviceOutOfMemoryException as that throws it
   * @throws io.magpie.stm.UnfinishedItemsException if transactions did not finish
   */
  public static StreamedComponents run(
      List<Device> devices, EdgeSource source, MsfOptions options, int chunk, long memory) {
    return ofOwn(StreamedForest.run(devices, source, options, chunk, memory));
  }

  /** The components of a forest whose labels become theirs. */
  private static StreamedComponents ofOwn(NumberedForest forest) {
    labelByLeast(forest.labels());
    return new StreamedComponents(forest.labels(), forest);
  }

  /** The components of a forest, whose labels stay: 4 bytes of Java memory for each vertex. */
  public static StreamedComponents of(NumberedForest forest) {
    int[] labels = forest.labels().clone();
    labelByLeast(labels);
    return new StreamedComponents(labels, forest);
  }

  /**
   * Gives each component its least vertex as its label, which is any of its vertices before.
   * Meanwhile labels that are known are told by their complements, which are negative.
   */
  private static void labelByLeast(int[] labels) {
    for (int v = 0; v < labels.length; v++) {
      int root = labels[v];
      if (root < 0) { // v stands for a component that an earlier vertex is of
        continue;
      }
      if (labels[root] >= 0) {
        labels[root] = ~v;
      }
      labels[v] = labels[root];
    }
    for (int v = 0; v < labels.length; v++) {
      labels[v] = ~labels[v];
    }
  }

  /** For each vertex the least vertex of its component; not a copy. */
  public int[] labels() {
    return labels;
  }

  /** Number of components, isolated vertices included. */
  public int components() {
    return forest.components();
  }

  /** Vertices of the largest component; 0 if there are no vertices. */
  public int largest() {
    int[] sizes = new int[labels.length];
    int most = 0;
    for (int label : labels) {
      most = Math.max(most, ++sizes[label]);
    }
    return most;
  }

  /** A forest that spans the components. */
  public NumberedForest forest() {
    return forest;
  }

  /** How they were found. */
  public StreamReport report() {
    return forest.report().orElseThrow();
  }

  /**
   * Checks the components by a second pass over the edges, which are united one by one, always the
   * larger root below the smaller. Time: nearly proportional to the edges. Memory: 4 bytes for each
   * vertex, and a chunk.
   *
   * @param source the same edges, from the first on; read to its end and not closed
   * @return what is wrong, one sentence each; empty if nothing is
   */
  public List<String> verify(EdgeSource source) {
    List<String> wrong = new ArrayList<>();
    if (source.vertices() != labels.length) {
      wrong.add("there are " + labels.length + " labels for " + source.vertices() + " vertices");
      return wrong;
    }
    int[] parent = new int[labels.length];
    Arrays.setAll(parent, v -> v);
    EdgeChunk chunk = new EdgeChunk(CHUNK, source.weightType());
    for (source.next(chunk); chunk.size() > 0; source.next(chunk)) {
      for (int i = 0; i < chunk.size(); i++) {
        int u = root(parent, chunk.sources()[i]);
        int v = root(parent, chunk.targets()[i]);
        parent[Math.max(u, v)] = Math.min(u, v);
      }
      chunk.clear();
    }
    int found = 0;
    int mistakes = 0;
    for (int v = 0; v < parent.length; v++) {
      int expected = root(parent, v);
      found += expected == v ? 1 : 0;
      if (labels[v] != expected && mistakes++ == 0) {
        wrong.add(
            "vertex "
                + v
                + " has label "
                + labels[v]
                + ", the least vertex that its edges lead to is "
                + expected);
      }
    }
    if (mistakes > 1) {
      wrong.add("so have " + (mistakes - 1) + " more");
    }
    if (components() != found) {
      wrong.add("the result says " + components() + " components, the edges make " + found);
    }
    return wrong;
  }

  private static int root(int[] parent, int vertex) {
    int v = vertex;
    while (parent[v] != v) {
      parent[v] = parent[parent[v]];
      v = parent[v];
    }
    return v;
  }

  @Override
  public String toString() {
    return components() + " components of " + labels.length + " vertices";
  }
}
