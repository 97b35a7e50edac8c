package io.magpie.algorithms.partition;

import io.magpie.algorithms.graph.Graph;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.KernelModule;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The end of a round for the cut, by random parts, wishes and worths. */
final class HubRounds implements AutoCloseable {
  private static final int RECORD_WORDS = 12;

  private final Holder held;
  private final KernelModule module;
  private final DeviceGraph graph;
  private final DeviceArray<long[]> table;
  private final DeviceArray<int[]> part;
  private final DeviceArray<int[]> partWeights;
  private final Object[] all;
  private final Object[] pieces;
  private final DeviceArray<int[]> gains;
  private final int[] hubs;
  private final int[] wish;
  private final int[] worth;

  HubRounds(Device device, Graph input, int parts, Random random) {
    DeviceMemory memory = new DeviceMemory(device);
    held = new Holder(memory);
    module = device.load(Coarsening.MODULE);
    graph = DeviceGraph.copyOf(memory, input);
    int n = graph.vertices();
    int[] offsets = graph.offsets().toArray();
    int degree = Population.hubDegree(new Phases(module, PartitionOptions.of(parts)), parts);
    hubs = IntStream.range(0, n).filter(v -> offsets[v + 1] - offsets[v] >= degree).toArray();
    int[] starts = new int[hubs.length + 1];
    for (int h = 0; h < hubs.length; h++) {
      int arcs = offsets[hubs[h] + 1] - offsets[hubs[h]];
      starts[h + 1] = starts[h] + (arcs + degree - 1) / degree;
    }
    int rows = starts[hubs.length];
    int[] owners = new int[rows];
    for (int h = 0; h < hubs.length; h++) {
      Arrays.fill(owners, starts[h], starts[h + 1], h);
    }
    int[] home = random.ints(n, 0, parts).toArray();
    wish = new int[n];
    worth = random.ints(n, -3, 8).toArray();
    int[] weights = new int[parts];
    int[] vertexWeights = graph.vertexWeights().toArray();
    for (int v = 0; v < n; v++) {
      wish[v] = random.nextInt(4) == 0 ? -1 : (home[v] + 1 + random.nextInt(parts - 1)) % parts;
      weights[home[v]] += vertexWeights[v];
    }
    table = memory.longs(graph.arcs());
    part = held.copyOf(home);
    partWeights = held.copyOf(weights);
    gains = held.ints(rows);
    int[] nowhere = new int[n];
    Arrays.fill(nowhere, -1);
    all =
        new Object[] {
          1,
          n,
          graph.arcs(),
          parts,
          1,
          degree,
          graph.offsets(),
          graph.neighbors(),
          graph.weights(),
          graph.vertexWeights(),
          part,
          held.ints(n),
          partWeights,
          held.ints(parts),
          held.ints(n),
          table,
          held.ints(n),
          held.ints(n),
          held.ints(n),
          held.ints(n),
          held.ints(n),
          held.copyOf(wish),
          held.copyOf(worth),
          held.copyOf(nowhere),
          held.ints(RECORD_WORDS)
        };
    pieces =
        new Object[] {
          hubs.length, rows, degree, held.copyOf(hubs), held.copyOf(starts), held.copyOf(owners)
        };
  }

  int[] hubs() {
    return hubs.clone();
  }

  /** The part that a vertex would go to; negative: none. */
  int wish(int v) {
    return wish[v];
  }

  /** What the vertex thinks that it gains by that. */
  int worth(int v) {
    return worth[v];
  }

  int[] parts() {
    return part.toArray();
  }

  /** As kernels keep them. */
  int[] partWeights() {
    return partWeights.toArray();
  }

  /** Lets hubs move; gives all parts. */
  int[] move() {
    long items = 1L << 10;
    run("sum_hub_gains", items, pieces, gains);
    run("settle_hubs", items, pieces, gains);
    run("make_moves", graph.vertices(), new Object[0]);
    return parts();
  }

  private void run(String kernel, long items, Object[] middle, Object... last) {
    module.phase(kernel).run(items, Stream.of(all, middle, last).flatMap(Arrays::stream).toArray());
  }

  @Override
  public void close() {
    held.close();
    held.memory.free(table);
    graph.close();
    module.close();
  }
}
