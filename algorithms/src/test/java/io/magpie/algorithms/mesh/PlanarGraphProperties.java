package io.magpie.algorithms.mesh;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class PlanarGraphProperties {
  @Property(tries = 300)
  void placesAndLinesStayTheSame(
      @ForAll @IntRange(min = 2, max = 40) int vertices,
      @ForAll @IntRange(min = 1, max = 8) int side,
      @ForAll Random random) {
    double[] coordinates = new double[2 * vertices];
    for (int i = 0; i < coordinates.length; i++) {
      coordinates[i] = random.nextInt(side);
    }
    int[] ends = new int[2 * random.nextInt(60)];
    for (int i = 0; i < ends.length; i += 2) {
      ends[i] = random.nextInt(vertices);
      ends[i + 1] = (ends[i] + 1 + random.nextInt(vertices - 1)) % vertices;
    }
    PlanarGraph graph = PlanarGraph.of(coordinates, ends);
    PlanarGraph merged = graph.withoutDuplicates();
    assertEquals(places(graph), places(merged));
    assertEquals(places(graph).size(), merged.vertices());
    assertEquals(lines(graph), lines(merged));
    assertEquals(lines(graph).size(), merged.segments());
  }

  private static List<Double> place(PlanarGraph graph, int v) {
    return List.of(graph.x(v), graph.y(v));
  }

  private static Set<List<Double>> places(PlanarGraph graph) {
    Set<List<Double>> places = new HashSet<>();
    for (int v = 0; v < graph.vertices(); v++) {
      places.add(place(graph, v));
    }
    return places;
  }

  /** The pairs of different places that segments join, whichever way. */
  private static Set<Set<List<Double>>> lines(PlanarGraph graph) {
    Set<Set<List<Double>>> lines = new HashSet<>();
    for (int s = 0; s < graph.segments(); s++) {
      List<Double> start = place(graph, graph.segmentStart(s));
      List<Double> end = place(graph, graph.segmentEnd(s));
      if (!start.equals(end)) {
        lines.add(Set.of(start, end));
      }
    }
    return lines;
  }
}
