package io.magpie.examples.benchmarks;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.RegionReport;
import io.magpie.stm.StmOptions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Wires that are laid on a grid.
 *
 * @param width cells of a row
 * @param height rows of a layer
 * @param layers their number
 * @param wires pairs of cells to connect
 * @param seed of all draws
 */
record Labyrinth(int width, int height, int layers, int wires, long seed) implements Benchmark {
  /** Words that items have to search in, together. */
  private static final long MOST_ROOM = 1L << 31;

  static Labyrinth of(WorkloadSpec spec) {
    int width = spec.count("width", spec.byContention("128", "64", "32"), 1, 1024);
    int height = spec.count("height", spec.byContention("128", "64", "32"), 1, 1024);
    int layers = spec.count("layers", spec.byContention("5", "3", "3"), 1, 64);
    int wires = spec.count("wires", spec.byContention("256", "256", "128"), 1, 1 << 20);
    long cells = (long) width * height * layers;
    if (2L * wires > cells) {
      throw spec.bad(
          "wires="
              + wires
              + ": expected at most half as many as there are cells, "
              + cells
              + ", because all ends are distinct");
    }
    if (wires * cells > MOST_ROOM) {
      throw spec.bad(
          "wires="
              + wires
              + " on "
              + cells
              + " cells: each searches in a copy of the grid, and together these would have "
              + wires * cells
              + " cells; expected at most "
              + MOST_ROOM
              + ", so ask for fewer wires or a smaller grid");
    }
    return new Labyrinth(width, height, layers, wires, spec.seed());
  }

  int cells() {
    return width * height * layers;
  }

  @Override
  public boolean storesInApply() {
    return true;
  }

  /** Pairs of cells, all of which are different. */
  @Override
  public Instance generate() {
    SplittableRandom random = new SplittableRandom(seed);
    boolean[] drawn = new boolean[cells()];
    int[] pairs = new int[2 * wires];
    for (int i = 0; i < pairs.length; i++) {
      int cell = random.nextInt(drawn.length);
      while (drawn[cell]) {
        cell = (cell + 1) % drawn.length;
      }
      drawn[cell] = true;
      pairs[i] = cell;
    }
    return new Board(this, pairs);
  }

  /** Whether two cells lie side by side. */
  private boolean besides(int a, int b) {
    int apart = Math.abs(a - b);
    return apart == 1 && a / width == b / width
        || apart == width && a / (width * height) == b / (width * height)
        || apart == width * height;
  }

  /**
   * The grid before, which is empty.
   *
   * @param labyrinth its size
   * @param pairs of cells to connect
   */
  record Board(Labyrinth labyrinth, int[] pairs) implements Instance {
    int items() {
      return pairs.length / 2;
    }

    @Override
    public Map<String, Long> sizes() {
      Map<String, Long> sizes = new LinkedHashMap<>();
      sizes.put("cells", (long) labyrinth.cells());
      sizes.put("wires", (long) items());
      return sizes;
    }

    @Override
    public void addTo(ContentHash hash) {
      hash.add(labyrinth.width, labyrinth.height, labyrinth.layers).add(pairs);
    }

    @Override
    public Finished run(Device device, Synchronization how, StmOptions options) {
      long room = (long) items() * labyrinth.cells();
      try (OnDevice here = new OnDevice(device)) {
        DeviceArray<int[]> grid = here.ints(labyrinth.cells());
        DeviceArray<int[]> laid = here.ints(items());
        RegionReport report =
            here.load("benchmark_labyrinth")
                .region("route")
                .run(
                    options,
                    items(),
                    new Fields()
                        .set("grid", grid, here.objects(labyrinth.cells()))
                        .set("width", labyrinth.width)
                        .set("height", labyrinth.height)
                        .set("pairs", here.copyOf(pairs))
                        .set("steps", here.ints(room))
                        .set("cells", here.ints(room))
                        .set("laid", laid))
                .requireComplete();
        return Finished.of(report, new Result(this, grid.toArray(), laid.toArray()));
      }
    }
  }

  /**
   * The grid after.
   *
   * @param begun what there was to do
   * @param grid of each cell its wire, counted from 1; 0 if it is free
   * @param laid of each wire its cells; 0 if there was no way
   */
  record Result(Board begun, int[] grid, int[] laid) implements CheckedResult {
    /**
     * What is wrong with it. The cells of a wire are one way from end to end: each has two of them
     * next to it, and each end one. A wire that was not laid has no way now either, as cells stay
     * taken.
     */
    @Override
    public Optional<String> mistake() {
      int[] cells = new int[laid.length + 1];
      for (int cell = 0; cell < grid.length; cell++) {
        if (grid[cell] < 0 || grid[cell] > laid.length) {
          return Optional.of("cell " + cell + " has wire " + grid[cell] + ", which does not exist");
        }
        cells[grid[cell]]++;
      }
      for (int item = 0; item < laid.length; item++) {
        int wire = item + 1;
        if (cells[wire] != laid[item]) {
          return Optional.of(
              "wire " + wire + " has " + cells[wire] + " cells, and its item says " + laid[item]);
        }
        int from = begun.pairs[2 * item];
        int to = begun.pairs[2 * item + 1];
        if (laid[item] == 0 && reaches(from, to, 0) > 0) {
          return Optional.of("wire " + wire + " was not laid, but there is a path");
        }
        if (laid[item] > 0
            && (grid[from] != wire || grid[to] != wire || reaches(from, to, wire) != laid[item])) {
          return Optional.of("wire " + wire + " does not lead from " + from + " to " + to);
        }
      }
      return Optional.empty();
    }

    /** Cells of a shortest way through cells with this content; 0 if there is none. */
    private int reaches(int from, int to, int content) {
      if (grid[from] != content || grid[to] != content) {
        return 0;
      }
      Labyrinth size = begun.labyrinth;
      int[] steps = new int[grid.length];
      int layer = size.width * size.height;
      Deque<Integer> queue = new ArrayDeque<>();
      steps[from] = 1;
      queue.add(from);
      while (!queue.isEmpty() && steps[to] == 0) {
        int here = queue.remove();
        for (int apart : new int[] {1, -1, size.width, -size.width, layer, -layer}) {
          int there = here + apart;
          if (there >= 0
              && there < grid.length
              && size.besides(here, there)
              && steps[there] == 0
              && grid[there] == content) {
            steps[there] = steps[here] + 1;
            queue.add(there);
          }
        }
      }
      return steps[to];
    }
  }
}
