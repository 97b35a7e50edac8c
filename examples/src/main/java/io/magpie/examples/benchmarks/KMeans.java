package io.magpie.examples.benchmarks;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.Kernel;
import io.magpie.stm.KernelModule;
import io.magpie.stm.RegionReport;
import io.magpie.stm.StmObjects;
import io.magpie.stm.StmOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Points that join the cluster whose center is nearest, some times over.
 *
 * @param points their number
 * @param dimensions coordinates of a point
 * @param clusters their number
 * @param iterations how often centers move
 * @param seed of all draws
 */
record KMeans(int points, int dimensions, int clusters, int iterations, long seed)
    implements Benchmark {
  /** Coordinates are below this. */
  private static final int RANGE = 1 << 16;

  static KMeans of(WorkloadSpec spec) {
    int points = spec.count("points", "64k", 1, 1 << 24);
    int dimensions = spec.count("dimensions", "16", 1, 64);
    int clusters = spec.count("clusters", spec.byContention("512", "40", "15"), 1, 4096);
    if (clusters > points) {
      throw spec.bad(
          "clusters=" + clusters + ": expected at most one for each of the points, " + points);
    }
    return new KMeans(
        points, dimensions, clusters, spec.count("iterations", "3", 1, 100), spec.seed());
  }

  @Override
  public boolean storesInApply() {
    return true;
  }

  @Override
  public Set<Synchronization> forms() {
    return EnumSet.of(Synchronization.STM, Synchronization.LOCK_FREE);
  }

  /** Points around centers that are drawn, as STAMP's random inputs are. */
  @Override
  public Instance generate() {
    SplittableRandom random = new SplittableRandom(seed);
    int[] middles = random.ints((long) clusters * dimensions, 0, RANGE).toArray();
    int spread = RANGE / 16;
    int[] all = new int[points * dimensions];
    for (int point = 0; point < points; point++) {
      int middle = random.nextInt(clusters);
      for (int d = 0; d < dimensions; d++) {
        int at = middles[middle * dimensions + d] + random.nextInt(2 * spread) - spread;
        all[point * dimensions + d] = Math.max(0, Math.min(RANGE - 1, at));
      }
    }
    return new Points(this, all);
  }

  /**
   * The points; the first of them are the first centers.
   *
   * @param kmeans the benchmark
   * @param points row after row
   */
  record Points(KMeans kmeans, int[] points) implements Instance {
    @Override
    public Map<String, Long> sizes() {
      Map<String, Long> sizes = new LinkedHashMap<>();
      sizes.put("points", (long) kmeans.points);
      sizes.put("clusters", (long) kmeans.clusters);
      return sizes;
    }

    @Override
    public void addTo(ContentHash hash) {
      hash.add(kmeans.points, kmeans.dimensions, kmeans.clusters, kmeans.iterations).add(points);
    }

    int[] firstCenters() {
      return Arrays.copyOf(points, kmeans.clusters * kmeans.dimensions);
    }

    @Override
    public Finished run(Device device, Synchronization how, StmOptions options) {
      int columns = kmeans.dimensions + 1;
      List<RegionReport> regions = new ArrayList<>();
      double millis = 0;
      try (OnDevice here = new OnDevice(device)) {
        KernelModule module = here.load("benchmark_kmeans");
        DeviceArray<long[]> sums = here.longs((long) kmeans.clusters * columns);
        DeviceArray<int[]> centers = here.copyOf(firstCenters());
        DeviceArray<int[]> cluster = here.ints(kmeans.points);
        StmObjects objects = here.objects(kmeans.clusters);
        Fields fields =
            new Fields()
                .set(
                    "all",
                    new Fields()
                        .set("points", here.copyOf(points))
                        .set("centers", centers)
                        .set("dimensions", kmeans.dimensions)
                        .set("clusters", kmeans.clusters))
                .set("cluster", cluster);
        int[] before = firstCenters();
        for (int iteration = 1; ; iteration++) {
          if (how == Synchronization.LOCK_FREE) {
            Kernel.Report report =
                module
                    .kernel("join_cluster_lock_free")
                    .run(kmeans.points, fields.set("sums", sums, columns));
            millis += report.kernelMillis();
          } else {
            RegionReport report =
                module
                    .region("join_cluster")
                    .run(options, kmeans.points, fields.set("sums", sums, columns, objects))
                    .requireComplete();
            millis += report.kernelMillis();
            regions.add(report);
          }
          long[] summed = sums.toArray();
          if (iteration == kmeans.iterations) {
            return new Finished(
                (long) kmeans.points * iteration,
                millis,
                regions,
                new Result(this, before, summed, cluster.toArray()));
          }
          before = moved(before, summed);
          centers.copyFrom(before);
          sums.fill(0);
        }
      }
    }

    /** Each center in the middle of its cluster; where that is empty it stays. */
    private int[] moved(int[] centers, long[] sums) {
      int[] moved = centers.clone();
      for (int c = 0; c < kmeans.clusters; c++) {
        int row = c * (kmeans.dimensions + 1);
        long count = sums[row + kmeans.dimensions];
        for (int d = 0; d < kmeans.dimensions && count > 0; d++) {
          moved[c * kmeans.dimensions + d] = (int) (sums[row + d] / count);
        }
      }
      return moved;
    }
  }

  /**
   * What the last iteration left.
   *
   * @param begun the points
   * @param centers those that were joined
   * @param sums of each cluster the coordinates of its points, then their number
   * @param cluster of each point
   */
  record Result(Points begun, int[] centers, long[] sums, int[] cluster) implements CheckedResult {
    /**
     * What is wrong with it: the centers that the iterations before lead to, the nearest of these
     * for each point, and the sums over the points, one after the other.
     */
    @Override
    public Optional<String> mistake() {
      int dimensions = begun.kmeans.dimensions;
      int moved = Arrays.mismatch(centers, expectedCenters());
      if (moved >= 0) {
        return Optional.of(
            "before the last iteration the center of cluster "
                + moved / dimensions
                + " is not in the middle of its points");
      }
      OptionalInt astray =
          IntStream.range(0, cluster.length)
              .parallel()
              .filter(point -> cluster[point] != nearest(centers, point))
              .findFirst();
      if (astray.isPresent()) {
        int point = astray.getAsInt();
        return Optional.of(
            "point "
                + point
                + " joined cluster "
                + cluster[point]
                + ", and the nearest is "
                + nearest(centers, point));
      }
      long[] expected = sumsOf(cluster);
      int different = Arrays.mismatch(sums, expected);
      return different < 0
          ? Optional.empty()
          : Optional.of(
              "cluster "
                  + different / (dimensions + 1)
                  + " has the sum "
                  + sums[different]
                  + ", and its points "
                  + expected[different]);
    }

    /** Where the centers are before the last iteration, by the points alone. */
    private int[] expectedCenters() {
      int[] expected = begun.firstCenters();
      for (int iteration = 1; iteration < begun.kmeans.iterations; iteration++) {
        int[] from = expected;
        int[] joined =
            IntStream.range(0, cluster.length)
                .parallel()
                .map(point -> nearest(from, point))
                .toArray();
        long[] summed = sumsOf(joined);
        expected = from.clone();
        for (int at = 0; at < expected.length; at++) {
          int row = at / begun.kmeans.dimensions * (begun.kmeans.dimensions + 1);
          long count = summed[row + begun.kmeans.dimensions];
          if (count != 0) {
            expected[at] = (int) (summed[row + at % begun.kmeans.dimensions] / count);
          }
        }
      }
      return expected;
    }

    /** Of each cluster the coordinates of the points that joined it, then their number. */
    private long[] sumsOf(int[] joined) {
      int dimensions = begun.kmeans.dimensions;
      long[] summed = new long[sums.length];
      for (int point = 0; point < joined.length; point++) {
        int row = joined[point] * (dimensions + 1);
        for (int d = 0; d < dimensions; d++) {
          summed[row + d] += begun.points[point * dimensions + d];
        }
        summed[row + dimensions]++;
      }
      return summed;
    }

    private int nearest(int[] from, int point) {
      int dimensions = begun.kmeans.dimensions;
      int best = 0;
      long least = Long.MAX_VALUE;
      for (int c = 0; c < begun.kmeans.clusters; c++) {
        long squares = 0;
        for (int d = 0; d < dimensions; d++) {
          long apart = (long) begun.points[point * dimensions + d] - from[c * dimensions + d];
          squares += apart * apart;
        }
        if (squares < least) {
          least = squares;
          best = c;
        }
      }
      return best;
    }
  }
}
