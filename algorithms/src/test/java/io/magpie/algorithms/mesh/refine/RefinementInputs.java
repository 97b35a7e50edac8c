package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.mesh.DelaunayTriangulation;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.MeshGenerators;
import io.magpie.algorithms.mesh.PlanarGraph;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Triangulations to refine: of every generator, and such as refinement finds hard. */
final class RefinementInputs {
  private RefinementInputs() {}

  /** By name; each of some hundred triangles at most. */
  static Map<String, Mesh> all() {
    Map<String, Mesh> meshes = new LinkedHashMap<>();
    for (String spec :
        List.of(
            "uniform:200",
            "disc:60",
            "clustered:150",
            "graded:100",
            "grid:64,jitter=0",
            "grid:64,jitter=1e-6",
            "holes:2",
            "map:200")) {
      meshes.put(spec, generated(spec));
    }
    meshes.put("one triangle", triangulated(new double[] {0, 0, 4, 0, 0, 3}));
    meshes.put("one equilateral triangle", triangulated(new double[] {0, 0, 1, 0, 0.5, 0.8660254}));
    meshes.put("one flat triangle", triangulated(new double[] {0, 0, 1, 1e-3, 2, 0}));
    meshes.put("two triangles", triangulated(new double[] {0, 0, 1, 0, 1, 1, 0, 1}));
    meshes.put("two acute triangles", triangulated(new double[] {0, 0, 1, 0.2, 2, 0, 1, -0.3}));
    meshes.put("cocircular ring", triangulated(ring()));
    meshes.put("collinear hull", triangulated(collinearHull()));
    meshes.put("many scales", triangulated(spiral()));
    meshes.put("coordinates of 1e16", scaled(generated("uniform:50"), 1e16));
    meshes.put("coordinates of 1e-16", scaled(generated("uniform:50"), 1e-16));
    meshes.put("coordinates of 1e60", scaled(generated("uniform:50"), 1e60));
    meshes.put("coordinates of 1e-50", scaled(generated("holes:1"), 1e-50));
    meshes.put("holes far from the origin", moved(generated("holes:2"), 1e6));
    meshes.put("cross", square(0.5, 0.1, 0.5, 0.9, 0.1, 0.5, 0.5, 0.5, 0.5, 0.5, 0.9, 0.5));
    meshes.put(
        "dangling segments", square(0, 0, 0.4, 0.3, 0.6, 0.6, 0.6, 0.62, 0.1, 0.9, 0.3, 0.9));
    meshes.put("parallel segments", square(0.2, 0.5, 0.8, 0.5, 0.3, 0.501, 0.7, 0.501));
    for (double degrees : new double[] {1, 5, 20, 45, 59}) {
      meshes.put("wedge of " + degrees, wedge(degrees));
      meshes.put("fan of " + degrees, fan(degrees, 5, 1));
    }
    meshes.put("full fan", fan(360.0 / 24, 24, 2));
    meshes.put("two fans that share segments", bowTie());
    meshes.put("regions", withRegions(square(0, 0, 1, 1, 0.5, 0.5, 0.9, 0.1, 0.1, 0.9, 0.5, 0.5)));
    meshes.put("bounded regions", withBounds(meshes.get("regions"), 0.02));
    meshes.put("bounded fan", withBounds(withRegions(fan(5, 5, 1)), 0.02));
    meshes.put("provinces", withRegions(generated("map:300,seed=3")));
    meshes.put("attributes around holes", withAttributes(generated("holes:3")));
    meshes.put("attributes of a cross", withAttributes(meshes.get("cross")));
    return meshes;
  }

  static Mesh generated(String spec) {
    return DelaunayTriangulation.of(MeshGenerators.generate(spec));
  }

  static Mesh triangulated(double... coordinates) {
    return DelaunayTriangulation.of(PlanarGraph.of(coordinates));
  }

  /**
   * The same, all coordinates multiplied; triangulated again, as rounding may change what is
   * Delaunay.
   */
  static Mesh scaled(Mesh mesh, double factor) {
    return mapped(mesh, factor, 0);
  }

  static Mesh moved(Mesh mesh, double distance) {
    return mapped(mesh, 1, distance);
  }

  private static Mesh mapped(Mesh mesh, double factor, double distance) {
    PlanarGraph graph = mesh.planarGraph();
    int[] ends = new int[2 * graph.segments()];
    int[] markers = new int[graph.segments()];
    for (int s = 0; s < graph.segments(); s++) {
      ends[2 * s] = graph.segmentStart(s);
      ends[2 * s + 1] = graph.segmentEnd(s);
      markers[s] = graph.segmentMarker(s);
    }
    double[] holes = new double[2 * graph.holes()];
    for (int hole = 0; hole < graph.holes(); hole++) {
      holes[2 * hole] = graph.holeX(hole) * factor + distance;
      holes[2 * hole + 1] = graph.holeY(hole) * factor + distance;
    }
    double[] coordinates = graph.coordinates().clone();
    for (int i = 0; i < coordinates.length; i++) {
      coordinates[i] = coordinates[i] * factor + distance;
    }
    return DelaunayTriangulation.of(
        PlanarGraph.builder(coordinates).segments(ends, markers).holes(holes).build());
  }

  /**
   * So many points on the unit circle: every circumcircle contains all of them, but for rounding.
   */
  static Mesh circle(int corners) {
    double[] points = new double[2 * corners];
    for (int i = 0; i < corners; i++) {
      points[2 * i] = Math.cos(2 * Math.PI * i / corners);
      points[2 * i + 1] = Math.sin(2 * Math.PI * i / corners);
    }
    return triangulated(points);
  }

  /** A square lattice of so many tilted square holes in each direction, and a square around it. */
  static Mesh congruentHoles(int side) {
    double[] hole = {0.2, 0.2, 0.7, 0.3, 0.6, 0.8, 0.1, 0.7};
    int cells = side * side;
    double[] points = new double[8 * (cells + 1)];
    double[] inside = new double[2 * cells];
    for (int cell = 0; cell < cells; cell++) {
      double x = cell / side;
      double y = cell % side;
      for (int i = 0; i < 8; i += 2) {
        points[8 * cell + i] = x + hole[i];
        points[8 * cell + i + 1] = y + hole[i + 1];
      }
      inside[2 * cell] = x + 0.4;
      inside[2 * cell + 1] = y + 0.5;
    }
    double[] around = {0, 0, side, 0, side, side, 0, side};
    System.arraycopy(around, 0, points, 8 * cells, around.length);
    int[] ends = new int[points.length];
    Arrays.setAll(ends, i -> i / 8 * 4 + (i + 1) / 2 % 4);
    return DelaunayTriangulation.of(
        PlanarGraph.builder(points).segments(ends, null).holes(inside).build());
  }

  /** The 36 points with whole coordinates at distance 65 from the origin, and some inside. */
  private static double[] ring() {
    List<Double> points = new ArrayList<>();
    for (int x = -65; x <= 65; x++) {
      for (int y = -65; y <= 65; y++) {
        if (x * x + y * y == 65 * 65) {
          points.add((double) x);
          points.add((double) y);
        }
      }
    }
    return points.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** Edges of more classes of length than there are bins for. */
  private static double[] spiral() {
    double[] points = new double[2 * 40];
    for (int i = 0; i < 40; i++) {
      points[2 * i] = Math.scalb(Math.cos(2.4 * i), i);
      points[2 * i + 1] = Math.scalb(Math.sin(2.4 * i), i);
    }
    return points;
  }

  /** A square whose sides have points on them, at uneven distances. */
  private static double[] collinearHull() {
    List<Double> points = new ArrayList<>();
    for (int i = 0; i <= 16; i++) {
      double at = i * i;
      points.addAll(List.of(at, 0.0, 256 - at, 256.0));
      if (i > 0 && i < 16) {
        points.addAll(List.of(0.0, at, 256.0, 256 - at));
      }
    }
    return points.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** A unit square and segments within: x and y of both ends, which may be corners. */
  static Mesh square(double... ends) {
    return graph(new double[] {0, 0, 1, 0, 1, 0, 1, 1, 1, 1, 0, 1, 0, 1, 0, 0}, ends);
  }

  /** A unit square with four segments across: most vertices near to an edge that has two sides. */
  static Mesh comb() {
    return square(
        0.2, 0.05, 0.2, 0.95, 0.4, 0.05, 0.4, 0.95, 0.6, 0.05, 0.6, 0.95, 0.8, 0.05, 0.8, 0.95);
  }

  /** Of segments, by x and y of both ends; equal ends are one vertex. Markers are their numbers. */
  private static Mesh graph(double[]... segments) {
    Map<List<Double>, Integer> numbers = new LinkedHashMap<>();
    double[] all = Arrays.stream(segments).flatMapToDouble(Arrays::stream).toArray();
    int[] ends = new int[all.length / 2];
    int[] markers = new int[ends.length / 2];
    for (int i = 0; i < ends.length; i++) {
      List<Double> point = List.of(all[2 * i], all[2 * i + 1]);
      ends[i] = numbers.computeIfAbsent(point, absent -> numbers.size());
      markers[i / 2] = 2 + i / 2;
    }
    double[] coordinates =
        numbers.keySet().stream().flatMap(List::stream).mapToDouble(Double::doubleValue).toArray();
    int[] vertexMarkers = new int[numbers.size()];
    Arrays.setAll(vertexMarkers, v -> 1000 + v);
    return DelaunayTriangulation.of(
        PlanarGraph.builder(coordinates)
            .segments(ends, markers)
            .vertexMarkers(vertexMarkers)
            .vertexAttributes(1, Arrays.copyOf(coordinates, numbers.size()))
            .build());
  }

  /** A triangle with that angle between its long sides. */
  static Mesh wedge(double degrees) {
    double angle = Math.toRadians(degrees);
    return graph(
        new double[] {0, 0, 1, 0, 1, 0, 0.9 * Math.cos(angle), 0.9 * Math.sin(angle)},
        new double[] {0.9 * Math.cos(angle), 0.9 * Math.sin(angle), 0, 0});
  }

  /** A square around segments of different lengths at one vertex, with that angle between. */
  static Mesh fan(double degrees, int count, long seed) {
    Random random = new Random(seed);
    double[] ends = new double[4 * count];
    for (int i = 0; i < count; i++) {
      double angle = Math.toRadians(degrees * i + 3);
      double length = 0.2 + 0.25 * random.nextDouble();
      ends[4 * i] = 0.5;
      ends[4 * i + 1] = 0.5;
      ends[4 * i + 2] = 0.5 + length * Math.cos(angle);
      ends[4 * i + 3] = 0.5 + length * Math.sin(angle);
    }
    return square(ends);
  }

  /** Segments between two vertices where they make small angles, by way of others. */
  private static Mesh bowTie() {
    return square(
        0.2, 0.5, 0.8, 0.5, 0.2, 0.5, 0.5, 0.52, 0.5, 0.52, 0.8, 0.5, 0.2, 0.5, 0.5, 0.47, 0.5,
        0.47, 0.8, 0.5);
  }

  /**
   * The same mesh; vertices have three attributes: one that is constant, one linear in x and y, and
   * one at random.
   */
  static Mesh withAttributes(Mesh mesh) {
    PlanarGraph graph = mesh.planarGraph();
    Random random = new Random(1);
    double[] values = new double[3 * mesh.vertices()];
    for (int v = 0; v < mesh.vertices(); v++) {
      values[3 * v] = 0.1;
      values[3 * v + 1] = 2 * mesh.x(v) - 3 * mesh.y(v) + 1;
      values[3 * v + 2] = random.nextGaussian();
    }
    int[] ends = new int[2 * graph.segments()];
    for (int s = 0; s < graph.segments(); s++) {
      ends[2 * s] = graph.segmentStart(s);
      ends[2 * s + 1] = graph.segmentEnd(s);
    }
    double[] holes = new double[2 * graph.holes()];
    for (int hole = 0; hole < graph.holes(); hole++) {
      holes[2 * hole] = graph.holeX(hole);
      holes[2 * hole + 1] = graph.holeY(hole);
    }
    return DelaunayTriangulation.of(
        PlanarGraph.builder(mesh.coordinates())
            .segments(ends, null)
            .holes(holes)
            .vertexAttributes(3, values)
            .build());
  }

  /** The same mesh; the area of triangles whose first attribute is even is bounded. */
  static Mesh withBounds(Mesh mesh, double area) {
    double[] bounds = new double[mesh.triangles()];
    for (int t = 0; t < bounds.length; t++) {
      bounds[t] = mesh.triangleAttribute(t, 0) % 2 == 0 ? area : Double.POSITIVE_INFINITY;
    }
    return mesh.toBuilder().areaBounds(bounds).build();
  }

  /** The same mesh; triangles have two attributes, which tell the regions that segments bound. */
  static Mesh withRegions(Mesh mesh) {
    int[] region = new int[mesh.triangles()];
    Arrays.fill(region, -1);
    int regions = 0;
    ArrayDeque<Integer> open = new ArrayDeque<>();
    for (int seed = 0; seed < mesh.triangles(); seed++) {
      if (region[seed] >= 0) {
        continue;
      }
      region[seed] = regions++;
      open.add(seed);
      while (!open.isEmpty()) {
        int t = open.remove();
        for (int k = 0; k < 3; k++) {
          int next = mesh.neighbor(t, k);
          if (next >= 0 && mesh.segment(t, k) < 0 && region[next] < 0) {
            region[next] = region[t];
            open.add(next);
          }
        }
      }
    }
    double[] attributes = new double[2 * mesh.triangles()];
    for (int t = 0; t < mesh.triangles(); t++) {
      attributes[2 * t] = region[t];
      attributes[2 * t + 1] = region[t] % 2 == 0 ? -0.5 : Double.MIN_VALUE;
    }
    int[] origins = new int[mesh.segments()];
    Arrays.setAll(origins, s -> s);
    return Mesh.builder(mesh.planarGraph(), mesh.corners().clone())
        .segmentOrigins(origins)
        .triangleAttributes(2, attributes)
        .build();
  }
}
