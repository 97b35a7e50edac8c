package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.internal.Parallel;
import io.magpie.algorithms.mesh.TriangleAreaBound;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Numbers of triangles' regions that also stand for bounds of a {@link TriangleAreaBound}, for one
 * pass. Who is larger than the function allows gets a bound below its area, and not below a quarter
 * of that: those that take its place are asked about anew. Such bounds are powers of 2^(1/8), so
 * that there are few of them; the next lower one counts, and may ask for up to 9% more.
 */
final class FunctionBounds {
  private static final int STEPS_PER_OCTAVE = 8;
  private static final double LEAST_SHARE = 0.25;
  private static final double ROUNDING = 1e-9;

  /** Marks a triangle that the function does not bound. */
  private static final int UNBOUNDED = Integer.MAX_VALUE;

  /**
   * A region of the domain, and a bound.
   *
   * @param step of the bound, {@link #UNBOUNDED} for none
   */
  private record Part(int region, int step) {}

  private final MeshKernels kernels;
  private final int shift;
  private final double[] domainBounds;
  private final int[] regionBefore; // by number; null where numbers are regions of the domain
  private final List<int[]> steps = new ArrayList<>(); // by slot, for each call of `ask`
  private final Set<Part> broken = ConcurrentHashMap.newKeySet();
  private double smallest = Double.POSITIVE_INFINITY;
  private int[] regionOf; // by number
  private Map<Part, Integer> numbers;

  /**
   * Those of nothing.
   *
   * @param domain the regions of the domain
   * @param before those that triangles have; null where they have regions of the domain
   */
  FunctionBounds(MeshKernels kernels, DomainRegions domain, FunctionBounds before) {
    this.kernels = kernels;
    this.shift = Integer.SIZE - Integer.numberOfTrailingZeros(kernels.mostRegions);
    double[] bounds = domain.bounds();
    int count = Math.max(1, domain.count());
    this.domainBounds = new double[count];
    for (int region = 0; region < count; region++) {
      domainBounds[region] = bounds.length == 0 ? Double.POSITIVE_INFINITY : bounds[region];
    }
    this.regionBefore = before == null ? null : before.regionOf;
  }

  /**
   * Asks about the triangles of so many records, those behind the ones that were asked about.
   *
   * @throws IllegalArgumentException if the function gives a bound that is not above 0; what it
   *     throws comes through, of the first of the triangles
   */
  void ask(TriangleAreaBound function, double[] positions, int[] records) {
    int[] stepOf = new int[records.length / kernels.recordWords];
    List<Asked> asked =
        Parallel.map(
            stepOf.length, (from, to) -> ask(function, positions, records, stepOf, from, to));
    for (Asked each : asked) {
      if (each.failure != null) {
        throw each.failure;
      }
      smallest = Math.min(smallest, each.smallest);
    }
    steps.add(stepOf);
  }

  /**
   * What came of some triangles.
   *
   * @param smallest bound of one that is larger
   * @param failure what the function threw, which ended it; else null
   */
  private record Asked(double smallest, RuntimeException failure) {}

  private Asked ask(
      TriangleAreaBound function,
      double[] positions,
      int[] records,
      int[] stepOf,
      int from,
      int to) {
    double least = Double.POSITIVE_INFINITY;
    for (int slot = from; slot < to; slot++) {
      int at = slot * kernels.recordWords;
      int flags = records[at + kernels.flagsWord];
      stepOf[slot] = UNBOUNDED;
      if ((flags & kernels.live) != 0) {
        double bound;
        try {
          bound = asked(function, positions, records, at);
        } catch (RuntimeException e) { // threads of a pool would wrap it
          return new Asked(least, e);
        }
        double area = area(positions, records, at);
        if (2 * area > DeviceMesh.doubled(bound)) {
          stepOf[slot] = step(Math.max(bound, LEAST_SHARE * area), area);
          broken.add(new Part(region(flags), stepOf[slot]));
          least = Math.min(least, bound);
        }
      }
    }
    return new Asked(least, null);
  }

  private static double asked(
      TriangleAreaBound function, double[] positions, int[] records, int at) {
    double ax = positions[2 * records[at]];
    double ay = positions[2 * records[at] + 1];
    double bx = positions[2 * records[at + 1]];
    double by = positions[2 * records[at + 1] + 1];
    double cx = positions[2 * records[at + 2]];
    double cy = positions[2 * records[at + 2] + 1];
    double bound = function.of(ax, ay, bx, by, cx, cy);
    if (!(bound > 0)) {
      throw new IllegalArgumentException(
          String.format(
              "the area bound of the triangle (%s, %s), (%s, %s), (%s, %s) is %s: it must be above"
                  + " 0",
              ax, ay, bx, by, cx, cy, bound));
    }
    return bound;
  }

  private static double area(double[] positions, int[] records, int at) {
    int a = 2 * records[at];
    int b = 2 * records[at + 1];
    int c = 2 * records[at + 2];
    double left = (positions[b] - positions[a]) * (positions[c + 1] - positions[a + 1]);
    double right = (positions[b + 1] - positions[a + 1]) * (positions[c] - positions[a]);
    return (left - right) / 2;
  }

  /** The last step that is at most a bound, and below an area by more than rounding. */
  private static int step(double bound, double area) {
    int step = (int) Math.floor(STEPS_PER_OCTAVE * Math.log(bound) / Math.log(2));
    while (boundOf(step) > area * (1 - ROUNDING)) {
      step--;
    }
    return step;
  }

  private static double boundOf(int step) {
    return step == UNBOUNDED
        ? Double.POSITIVE_INFINITY
        : Math.pow(2, (double) step / STEPS_PER_OCTAVE);
  }

  private int region(int flags) {
    int number = flags >>> shift;
    return regionBefore == null ? number : regionBefore[number];
  }

  /** Whether any triangle is larger than the function allows. */
  boolean areBroken() {
    return !broken.isEmpty();
  }

  /** The smallest bound of a triangle that is larger; positive infinity if there is none. */
  double smallest() {
    return smallest;
  }

  /**
   * Numbers what there is, in the order of bounds.
   *
   * @return the bound of each number
   */
  double[] number() {
    List<Part> parts = new ArrayList<>();
    for (int region = 0; region < domainBounds.length; region++) {
      parts.add(new Part(region, UNBOUNDED));
    }
    parts.addAll(broken);
    parts.sort(Comparator.comparingDouble(this::bound).thenComparingInt(Part::region));
    numbers = new HashMap<>();
    regionOf = new int[parts.size()];
    double[] bounds = new double[parts.size()];
    for (Part part : parts) {
      int number = numbers.size();
      numbers.put(part, number);
      regionOf[number] = part.region;
      bounds[number] = bound(part);
    }
    return bounds;
  }

  private double bound(Part part) {
    return Math.min(domainBounds[part.region], boundOf(part.step));
  }

  /**
   * Gives triangles their numbers.
   *
   * @param records as they were when it was asked about them, if it was
   * @param call the number of that call of {@link #ask}, from 0
   */
  void give(int[] records, int call) {
    int[] stepOf = steps.isEmpty() ? null : steps.get(call);
    for (int at = 0; at < records.length; at += kernels.recordWords) {
      int flags = records[at + kernels.flagsWord];
      if ((flags & kernels.live) != 0) {
        int step = stepOf == null ? UNBOUNDED : stepOf[at / kernels.recordWords];
        int number = numbers.get(new Part(region(flags), step));
        records[at + kernels.flagsWord] = flags & ((1 << shift) - 1) | number << shift;
      }
    }
  }
}
