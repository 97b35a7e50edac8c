package io.magpie.algorithms.mesh.verify;

import io.magpie.algorithms.mesh.Mesh;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What triangles pass on to those that take their place.
 *
 * @param attributes how many each has
 * @param values the attributes of triangle t from {@code attributes * t} on
 * @param areaBounds of triangle t at t, positive infinity for none; empty if there are none at all
 */
record TriangleLabels(int attributes, double[] values, double[] areaBounds) {
  static final TriangleLabels NONE = new TriangleLabels(0, new double[0], new double[0]);

  static TriangleLabels of(Mesh mesh) {
    int attributes = mesh.triangleAttributes();
    if (attributes == 0 && !mesh.hasAreaBounds()) {
      return NONE;
    }
    double[] bounds = new double[mesh.hasAreaBounds() ? mesh.triangles() : 0];
    Arrays.setAll(bounds, mesh::areaBound);
    return new TriangleLabels(attributes, mesh.triangleAttributeValues(), bounds);
  }

  boolean isEmpty() {
    return attributes == 0 && !bounded();
  }

  boolean bounded() {
    return areaBounds.length > 0;
  }

  double areaBound(int t) {
    return bounded() ? areaBounds[t] : Double.POSITIVE_INFINITY;
  }

  /** The smallest bound; positive infinity if there is none. */
  double smallestBound() {
    return Arrays.stream(areaBounds).min().orElse(Double.POSITIVE_INFINITY);
  }

  /** Whether a triangle has what one of others, which have the same kinds of labels, has. */
  boolean same(int t, TriangleLabels others, int other) {
    return Arrays.equals(
            values,
            attributes * t,
            attributes * (t + 1),
            others.values,
            attributes * other,
            attributes * (other + 1))
        && areaBound(t) == others.areaBound(other);
  }

  /** The attributes of a triangle, and its bound. */
  List<Double> of(int t) {
    List<Double> all = new ArrayList<>();
    for (int i = attributes * t; i < attributes * (t + 1); i++) {
      all.add(values[i]);
    }
    all.add(areaBound(t));
    return all;
  }

  /** Those in words. */
  String text(int t) {
    List<Double> attributesOfIt = of(t).subList(0, attributes);
    return (attributes == 0 ? "" : "attributes " + attributesOfIt)
        + (attributes > 0 && bounded() ? " and " : "")
        + (bounded() ? "area bound " + areaBound(t) : "");
  }
}
