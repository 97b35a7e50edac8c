package io.magpie.algorithms.partition;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Holder;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import io.magpie.stm.StmOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** The end of a round for the cut, by random parts, wishes and worths. */
final class HubRounds implements AutoCloseable {

  private final Holder held;
  private final KernelModule module;
  private final DeviceGraph graph;
  private final DeviceArray<long[]> table;
  private final DeviceArray<int[]> part;
  private final DeviceArray<int[]> partWeights;
  private final Fields all;
  private final Fields pieces;
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
    int degree = Population.hubDegree(new Launches(module, false, StmOptions.defaults()), parts);
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
        new Fields()
            .set("members", 1)
            .set("vertices", n)
            .set("arcs", graph.arcs())
            .set("parts", parts)
            .set("how", new Fields().set("additions", 1).set("hub_degree", degree))
            .set("offsets", graph.offsets())
            .set("neighbors", graph.neighbors())
            .set("weights", graph.weights())
            .set("vertex_weights", graph.vertexWeights())
            .set("part", part)
            .set("best", held.ints(n))
            .set("part_weights", partWeights)
            .set("best_weights", held.ints(parts))
            .set("touched", held.ints(n))
            .set("table", table)
            .set("entries", held.ints(n))
            .set("inside", held.ints(n))
            .set("outside", held.ints(n))
            .set("other", held.ints(n))
            .set("moved", held.ints(n))
            .set("wish", held.copyOf(wish))
            .set("worth", held.copyOf(worth))
            .set("go", held.copyOf(nowhere))
            .set("records", held.ints(module.intConstant("record::words")));
    pieces =
        new Fields()
            .set("hubs", hubs.length)
            .set("pieces", rows)
            .set("piece", degree)
            .set("list", held.copyOf(hubs))
            .set("starts", held.copyOf(starts))
            .set("owners", held.copyOf(owners));
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
    for (String kernel : List.of("sum_hub_gains", "settle_hubs")) {
      Fields fields = new Fields().set("all", all).set("hubs", pieces).set("gains", gains);
      module.kernel(kernel).run(items, fields);
    }
    module.kernel("make_moves").run(graph.vertices(), new Fields().set("all", all));
    return parts();
  }

  @Override
  public void close() {
    held.close();
    held.memory().free(table);
    graph.close();
    module.close();
  }
}
