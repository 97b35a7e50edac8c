package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.internal.Parallel;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Boruvka's method on all processors of the host, without a device, as LonestarGPU has it and ports
 * of it to Cilk Plus: components in a set of trees, two of which are locked to be united.
 *
 * <p>Method of a round: each edge that joins two components is offered to both ends, which keep the
 * lightest; each component keeps the lightest of those that its vertices kept, and the vertex that
 * kept it represents the component; representatives that chose the same edge leave it to the
 * component of the lower number; the others lock both components, the lower number first, and put
 * the smaller one under the larger. Rounds end when no edge is left between components. Of equal
 * weights the edge of lesser canonical arc is lighter, so each edge that is chosen unites two
 * components. Shares no code with the kernels.
 *
 * <p>Cost: O((vertices + arcs) log(vertices)) time. Memory: 36 bytes for each vertex, up to 20 more
 * for each component while the lists of a round are joined, and where weights are not ints from 0
 * their keys.
 */
public final class ParallelBoruvka {
  private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);
  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

  /** Heavier than every edge. */
  private static final long NONE = Long.MAX_VALUE;

  private final Graph graph;
  private final Objective objective;
  private final int n;
  private final int[] offsets;
  private final int[] neighbors;

  /** What is compared in place of weights; null if all are equal. */
  private final int[] keys;

  /** The lightest edge of each vertex to another component: key << 32 | canonical arc. */
  private final long[] elementWeights;

  /** The same of each component. */
  private final long[] componentWeights;

  /** For each vertex its component, as it is when a round begins. */
  private final int[] components;

  /** Trees: for each vertex one that is nearer to its component's root, which is the component. */
  private final int[] parents;

  /** Vertices of each component; of the component whoever has locked it. */
  private final int[] sizes;

  private final int[] locks;

  private ParallelBoruvka(Graph graph, Objective objective) {
    this.graph = graph;
    this.objective = objective;
    n = graph.vertices();
    offsets = graph.offsets();
    neighbors = graph.neighbors();
    keys = WeightKeys.of(graph, objective);
    elementWeights = new long[n];
    componentWeights = new long[n];
    components = IntStream.range(0, n).toArray();
    parents = components.clone();
    sizes = new int[n];
    Arrays.fill(sizes, 1);
    locks = new int[n];
  }

  /**
   * Computes a minimum or maximum spanning forest on all processors.
   *
   * @param graph any graph; edges of an unweighted one weigh 1
   * @param objective which of the two
   * @return the forest: of equal weights, the edges of lesser canonical arc; without a report
   */
  public static MsfResult run(Graph graph, Objective objective) {
    return new ParallelBoruvka(graph, objective).run();
  }

  private MsfResult run() {
    int[] arcs = new int[Math.max(n - 1, 0)];
    int chosen = 0;
    while (true) {
      int[] united = round();
      if (united.length == 0) {
        break;
      }
      System.arraycopy(united, 0, arcs, chosen, united.length);
      chosen += united.length;
    }
    arcs = Arrays.copyOf(arcs, chosen);
    Arrays.sort(arcs);
    BigDecimal weight =
        WeightKeys.areWeights(graph, objective)
            ? BigDecimal.valueOf(Arrays.stream(arcs).mapToLong(this::key).sum())
            : WeightSum.of(graph, arcs);
    return new MsfResult(graph, ArcSet.of(arcs), components, weight, objective, null);
  }

  private int key(int arc) {
    return keys == null ? 1 : keys[arc];
  }

  /** Gives the canonical arcs that united two components. */
  private int[] round() {
    Parallel.forRanges(
        n,
        (from, to) -> {
          Arrays.fill(elementWeights, from, to, NONE);
          Arrays.fill(componentWeights, from, to, NONE);
        });
    Parallel.forRanges(n, this::weighElements);
    Parallel.forRanges(
        n,
        (from, to) -> {
          for (int v = from; v < to; v++) {
            lower(componentWeights, components[v], elementWeights[v]);
          }
        });
    int[] representatives = joined(Parallel.map(n, this::representatives));
    int[] united =
        joined(
            Parallel.map(representatives.length, (from, to) -> unite(representatives, from, to)));
    Parallel.forRanges(
        n,
        (from, to) -> {
          for (int v = from; v < to; v++) {
            components[v] = root(v);
            // Others may walk through v meanwhile: all it ever has are its ancestors.
            INTS.setOpaque(parents, v, components[v]);
          }
        });
    return united;
  }

  private static int[] joined(List<int[]> lists) {
    return lists.stream().flatMapToInt(Arrays::stream).toArray();
  }

  /** Each edge once, at its smaller end. */
  private void weighElements(int from, int to) {
    for (int v = from; v < to; v++) {
      long least = NONE;
      for (int a = offsets[v]; a < offsets[v + 1]; a++) {
        int w = neighbors[a];
        if (w > v && components[w] != components[v]) {
          long weight = (long) key(a) << Integer.SIZE | a;
          least = Math.min(least, weight);
          lower(elementWeights, w, weight);
        }
      }
      lower(elementWeights, v, least);
    }
  }

  private static void lower(long[] words, int place, long offer) {
    long held = (long) LONGS.getOpaque(words, place);
    while (offer < held) {
      long found = (long) LONGS.compareAndExchange(words, place, held, offer);
      if (found == held) {
        return;
      }
      held = found;
    }
  }

  /** The elements that have their component's lightest edge, unless the other end is to unite. */
  private int[] representatives(int from, int to) {
    IntStream.Builder found = IntStream.builder();
    for (int v = from; v < to; v++) {
      long weight = elementWeights[v];
      if (weight != NONE && weight == componentWeights[components[v]]) {
        int partner = components[otherEnd(v, (int) weight)];
        if (componentWeights[partner] != weight || components[v] < partner) {
          found.add(v);
        }
      }
    }
    return found.build().toArray();
  }

  private int otherEnd(int vertex, int arc) {
    return neighbors[arc] == vertex ? graph.source(arc) : neighbors[arc];
  }

  private int[] unite(int[] representatives, int from, int to) {
    IntStream.Builder united = IntStream.builder();
    for (int i = from; i < to; i++) {
      int v = representatives[i];
      int arc = (int) elementWeights[v];
      if (unite(v, otherEnd(v, arc))) {
        united.add(arc);
      }
    }
    return united.build().toArray();
  }

  /** Unites the components of two vertices; false if they are one. */
  private boolean unite(int one, int other) {
    while (true) {
      int a = root(one);
      int b = root(other);
      if (a == b) {
        return false;
      }
      lock(Math.min(a, b));
      lock(Math.max(a, b));
      // Whoever put one under another component had locked it.
      boolean roots = parents[a] == a && parents[b] == b;
      if (roots) {
        int larger = sizes[a] >= sizes[b] ? a : b;
        int smaller = a + b - larger;
        sizes[larger] += sizes[smaller];
        INTS.setRelease(parents, smaller, larger);
      }
      INTS.setRelease(locks, a, 0);
      INTS.setRelease(locks, b, 0);
      if (roots) {
        return true;
      }
    }
  }

  private void lock(int component) {
    for (int poll = 1; !INTS.weakCompareAndSetAcquire(locks, component, 0, 1); poll++) {
      if (poll % 64 == 0) {
        Thread.yield();
      } else {
        Thread.onSpinWait();
      }
    }
  }

  private int root(int vertex) {
    int v = vertex;
    int up = (int) INTS.getAcquire(parents, v);
    while (up != v) {
      v = up;
      up = (int) INTS.getAcquire(parents, v);
    }
    return v;
  }
}
