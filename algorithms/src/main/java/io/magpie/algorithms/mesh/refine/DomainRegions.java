package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.mesh.Mesh;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What triangles have in common with those that take their place in refinement, attributes and area
 * bounds, as numbers: triangles of the same number, their region, have the same, and bounds ascend
 * with the numbers.
 */
final class DomainRegions {
  /** The region of each triangle; empty if triangles have neither attributes nor bounds. */
  private final int[] ofTriangles;

  private final int attributes;
  private final boolean bounded;

  /**
   * Of each region the attributes of its triangles, and behind them their bound if there is one.
   */
  private final List<double[]> labels;

  /**
   * Numbers the regions of a mesh.
   *
   * @throws IllegalArgumentException if there are more than {@code most}
   */
  DomainRegions(Mesh mesh, int most) {
    attributes = mesh.triangleAttributes();
    bounded = mesh.hasAreaBounds();
    ofTriangles = new int[attributes > 0 || bounded ? mesh.triangles() : 0];
    List<double[]> found = new ArrayList<>();
    Map<List<Double>, Integer> known = new HashMap<>();
    int region = 0;
    for (int t = 0; t < ofTriangles.length; t++) {
      if (t == 0 || !liesIn(mesh, t, found.get(region))) {
        region = number(label(mesh, t), found, known, most);
      }
      ofTriangles[t] = region;
    }
    labels = bounded ? ascending(found) : found;
  }

  /** The labels in the order of their bounds, after which triangles are numbered anew. */
  private List<double[]> ascending(List<double[]> found) {
    List<Integer> order = new ArrayList<>();
    for (int region = 0; region < found.size(); region++) {
      order.add(region);
    }
    order.sort(Comparator.comparingDouble(region -> found.get(region)[attributes]));
    int[] numbers = new int[found.size()];
    List<double[]> sorted = new ArrayList<>();
    for (int region : order) {
      numbers[region] = sorted.size();
      sorted.add(found.get(region));
    }
    for (int t = 0; t < ofTriangles.length; t++) {
      ofTriangles[t] = numbers[ofTriangles[t]];
    }
    return sorted;
  }

  /** Whether a triangle has what those of a region have. */
  private boolean liesIn(Mesh mesh, int t, double[] label) {
    return Arrays.equals(
            mesh.triangleAttributeValues(),
            attributes * t,
            attributes * (t + 1),
            label,
            0,
            attributes)
        && (!bounded || mesh.areaBound(t) == label[attributes]);
  }

  private double[] label(Mesh mesh, int t) {
    double[] label = new double[attributes + (bounded ? 1 : 0)];
    System.arraycopy(mesh.triangleAttributeValues(), attributes * t, label, 0, attributes);
    if (bounded) {
      label[attributes] = mesh.areaBound(t);
    }
    return label;
  }

  /** The region of triangles with a label, a new one if there are none yet. */
  private static int number(
      double[] label, List<double[]> found, Map<List<Double>, Integer> known, int most) {
    Integer number = known.putIfAbsent(Arrays.stream(label).boxed().toList(), found.size());
    if (number != null) {
      return number;
    }
    if (found.size() == most) {
      throw new IllegalArgumentException(
          "triangles have more than " + most + " different attributes and area bounds");
    }
    found.add(label);
    return found.size() - 1;
  }

  int[] ofTriangles() {
    return ofTriangles;
  }

  int count() {
    return labels.size();
  }

  /** Whether triangles have anything that makes regions. */
  boolean any() {
    return !labels.isEmpty();
  }

  /** Whether triangles in two regions have the same area bound. */
  boolean sameBound(int region, int other) {
    return !bounded || labels.get(region)[attributes] == labels.get(other)[attributes];
  }

  /** The area bound of each region; empty if there is none. */
  double[] bounds() {
    return bounded
        ? labels.stream().mapToDouble(label -> label[attributes]).toArray()
        : new double[0];
  }

  /** The attributes of triangles that lie in these regions. */
  double[] attributesIn(int[] regions) {
    double[] values = new double[attributes * (attributes == 0 ? 0 : regions.length)];
    for (int i = 0; i < values.length; i++) {
      values[i] = labels.get(regions[i / attributes])[i % attributes];
    }
    return values;
  }

  /** The area bounds of triangles that lie in these regions; null if there are none. */
  double[] boundsIn(int[] regions) {
    return bounded
        ? Arrays.stream(regions).mapToDouble(region -> labels.get(region)[attributes]).toArray()
        : null;
  }
}
