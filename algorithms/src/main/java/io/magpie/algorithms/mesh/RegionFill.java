package io.magpie.algorithms.mesh;

import io.magpie.algorithms.internal.Parallel;
import io.magpie.algorithms.mesh.internal.Predicates;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;

/**
 * Finds which triangles lie in which region of a planar graph: what can be reached from the
 * triangle that holds the region's point without crossing a segment. A later region takes the place
 * of an earlier one, as in Triangle.
 *
 * <p>Points are found by exact signs in the triangles whose range of abscissas has theirs. The
 * result is the same every time. Memory: 8 bytes for each triangle.
 */
final class RegionFill {
  private static final int NONE = -1;

  private final Mesh mesh;
  private final List<PlanarGraph.Region> regions;

  /** The numbers of regions, by the abscissa of their points. */
  private final int[] byX;

  /** Those abscissas. */
  private final double[] abscissas;

  /** Of each region the first triangle that has its point. */
  private final AtomicIntegerArray firstHolder;

  /** Of each region 1 if its point lies on a segment. */
  private final AtomicIntegerArray barred;

  private RegionFill(Mesh mesh) {
    this.mesh = mesh;
    this.regions = mesh.regions();
    for (int r = 0; r < regions.size(); r++) {
      requireExact(r);
    }
    this.byX =
        IntStream.range(0, regions.size())
            .boxed()
            .sorted(Comparator.comparingDouble(r -> regions.get(r).x()))
            .mapToInt(Integer::intValue)
            .toArray();
    this.abscissas = Arrays.stream(byX).mapToDouble(r -> regions.get(r).x()).toArray();
    int[] nowhere = new int[regions.size()];
    Arrays.fill(nowhere, Integer.MAX_VALUE);
    this.firstHolder = new AtomicIntegerArray(nowhere);
    this.barred = new AtomicIntegerArray(nowhere.length);
  }

  /**
   * The mesh, whose triangles have no attributes, with that of its region for each, and its bound.
   */
  static Mesh triangulated(Mesh mesh) {
    if (mesh.regions().isEmpty()) {
      return mesh;
    }
    int[] regionOf = new RegionFill(mesh).fill();
    double[] values = new double[regionOf.length];
    for (int t = 0; t < values.length; t++) {
      values[t] = regionOf[t] == NONE ? 0 : mesh.regions().get(regionOf[t]).attribute();
    }
    return mesh.toBuilder()
        .triangleAttributes(1, values)
        .areaBounds(hasAreas(mesh) ? bounds(mesh, regionOf) : null)
        .build();
  }

  /** The mesh with the bounds of its regions; itself if these have none. */
  static Mesh bounded(Mesh mesh) {
    return hasAreas(mesh)
        ? mesh.toBuilder().areaBounds(bounds(mesh, new RegionFill(mesh).fill())).build()
        : mesh;
  }

  /** Whether a region of the mesh bounds areas. */
  static boolean hasAreas(Mesh mesh) {
    return mesh.regions().stream().anyMatch(region -> region.maxArea() > 0);
  }

  private static double[] bounds(Mesh mesh, int[] regionOf) {
    double[] bounds = new double[regionOf.length];
    for (int t = 0; t < bounds.length; t++) {
      double area = regionOf[t] == NONE ? 0 : mesh.regions().get(regionOf[t]).maxArea();
      bounds[t] = area > 0 ? area : Double.POSITIVE_INFINITY;
    }
    return bounds;
  }

  private void requireExact(int region) {
    PlanarGraph.Region at = regions.get(region);
    if (!Predicates.isExactFor(at.x()) || !Predicates.isExactFor(at.y())) {
      throw fault(
          region,
          "outside of the range of exact arithmetic, 0 or of magnitude 2^-204 to 2^250",
          "move or scale everything");
    }
  }

  private RegionFaultException fault(int region, String place, String remedy) {
    PlanarGraph.Region at = regions.get(region);
    int number = region + mesh.planarGraph().firstIndex();
    return new RegionFaultException(
        region, "region " + number + " at " + at.x() + " " + at.y() + " lies " + place, remedy);
  }

  /** The last region that each triangle lies in, or none. */
  private int[] fill() {
    int[] holders = locate();
    int[] regionOf = new int[mesh.triangles()];
    Arrays.fill(regionOf, NONE);
    int[] pending = new int[regionOf.length]; // each triangle waits once at most
    for (int r = holders.length - 1; r >= 0; r--) {
      if (regionOf[holders[r]] != NONE) {
        continue; // a later region has it all
      }
      int waiting = 0;
      regionOf[holders[r]] = r;
      pending[waiting++] = holders[r];
      while (waiting > 0) {
        int t = pending[--waiting];
        for (int k = 0; k < 3; k++) {
          int across = mesh.neighbor(t, k);
          if (across >= 0 && mesh.segment(t, k) < 0 && regionOf[across] == NONE) {
            regionOf[across] = r;
            pending[waiting++] = across;
          }
        }
      }
    }
    return regionOf;
  }

  /** The triangle that holds each region's point; of several the first. */
  private int[] locate() {
    int[] holders = new int[regions.size()];
    Parallel.forRanges(mesh.triangles(), this::lookIn);
    for (int r = 0; r < holders.length; r++) {
      holders[r] = firstHolder.get(r);
      if (holders[r] == Integer.MAX_VALUE) {
        throw fault(r, "outside of the domain or in a hole", "move its point inside, or remove it");
      }
      if (barred.get(r) != 0) {
        throw fault(r, "on a segment", "move its point to one of the sides");
      }
    }
    return holders;
  }

  private void lookIn(int from, int to) {
    for (int t = from; t < to; t++) {
      double ax = mesh.x(mesh.corner(t, 0));
      double bx = mesh.x(mesh.corner(t, 1));
      double cx = mesh.x(mesh.corner(t, 2));
      double right = Math.max(ax, Math.max(bx, cx));
      int i = firstAtLeast(Math.min(ax, Math.min(bx, cx)));
      for (; i < byX.length && abscissas[i] <= right; i++) {
        look(t, byX[i]);
      }
    }
  }

  private int firstAtLeast(double x) {
    int low = 0;
    int high = abscissas.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (abscissas[middle] < x) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private void look(int t, int region) {
    PlanarGraph.Region p = regions.get(region);
    boolean onSegment = false;
    for (int k = 0; k < 3; k++) {
      int from = mesh.corner(t, (k + 1) % 3);
      int to = mesh.corner(t, (k + 2) % 3);
      double side =
          Predicates.orient2d(mesh.x(from), mesh.y(from), mesh.x(to), mesh.y(to), p.x(), p.y());
      if (!(side >= 0)) {
        return;
      }
      onSegment |= side == 0 && mesh.segment(t, k) >= 0;
    }
    firstHolder.accumulateAndGet(region, t, Math::min);
    if (onSegment) {
      barred.set(region, 1);
    }
  }
}
