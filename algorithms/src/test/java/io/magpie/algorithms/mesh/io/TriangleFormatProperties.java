package io.magpie.algorithms.mesh.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

class TriangleFormatProperties {
  private static final List<String> SUFFIXES = List.of(".node", ".poly", ".ele");
  private static Path folder;

  @BeforeContainer
  static void makeFolder() throws IOException {
    folder = Files.createTempDirectory("triangle-format");
  }

  @AfterContainer
  static void removeFolder() throws IOException {
    empty();
    Files.delete(folder);
  }

  private static void empty() throws IOException {
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
  }

  @Provide
  Arbitrary<String> compressions() {
    return Arbitraries.of("", ".gz", ".xz");
  }

  private static double[] values(int count, Random random) {
    return random
        .doubles(count)
        .map(each -> random.nextBoolean() ? each : Math.rint(each * 1e17))
        .toArray();
  }

  /** A row of triangles over points in convex position, with or without each optional part. */
  private static Mesh mesh(int triangles, Random random) {
    int vertices = triangles == 0 ? random.nextInt(3) : triangles + 2;
    double[] coordinates = new double[2 * vertices];
    for (int v = 0; v < vertices; v++) {
      coordinates[2 * v] = v + random.nextDouble();
      coordinates[2 * v + 1] = coordinates[2 * v] * coordinates[2 * v] * 1e10;
    }
    int[] corners = new int[3 * triangles];
    List<Integer> ends = new ArrayList<>();
    for (int t = 0; t < triangles; t++) {
      corners[3 * t + 1] = t + 1;
      corners[3 * t + 2] = t + 2;
      if (random.nextBoolean()) {
        ends.addAll(List.of(t + 2, 0));
      }
    }
    int attributes = random.nextInt(3);
    int segments = ends.size() / 2;
    PlanarGraph.Builder builder =
        PlanarGraph.builder(coordinates)
            .vertexAttributes(attributes, values(attributes * vertices, random))
            .vertexMarkers(random.nextBoolean() ? random.ints(vertices).toArray() : null)
            .segments(
                ends.stream().mapToInt(Integer::intValue).toArray(),
                random.nextBoolean() ? random.ints(segments).toArray() : null)
            .holes(values(2 * random.nextInt(3), random))
            .firstIndex(vertices == 0 ? 0 : random.nextInt(2));
    if (triangles > 0 && random.nextBoolean()) {
      int t = random.nextInt(triangles);
      double x = (coordinates[0] + coordinates[2 * t + 2] + coordinates[2 * t + 4]) / 3;
      double y = (coordinates[1] + coordinates[2 * t + 3] + coordinates[2 * t + 5]) / 3;
      double[] labels = values(2, random);
      double area = random.nextBoolean() ? labels[1] : -labels[1];
      builder.regions(List.of(new PlanarGraph.Region(x, y, labels[0], area)));
    }
    int triangleAttributes = random.nextInt(3);
    return Mesh.builder(builder.build(), corners)
        .triangleAttributes(triangleAttributes, values(triangleAttributes * triangles, random))
        .build()
        .boundedByRegions();
  }

  private static void assertSameGraph(PlanarGraph expected, PlanarGraph actual) {
    assertArrayEquals(expected.coordinates(), actual.coordinates());
    assertArrayEquals(expected.segmentEnds(), actual.segmentEnds());
    assertEquals(expected.hasVertexMarkers(), actual.hasVertexMarkers());
    assertEquals(expected.hasSegmentMarkers(), actual.hasSegmentMarkers());
    assertEquals(expected.attributes(), actual.attributes());
    assertEquals(expected.firstIndex(), actual.firstIndex());
    assertEquals(expected.regions(), actual.regions());
    assertEquals(expected.holes(), actual.holes());
    for (int v = 0; v < expected.vertices(); v++) {
      assertEquals(expected.vertexMarker(v), actual.vertexMarker(v));
      for (int a = 0; a < expected.attributes(); a++) {
        assertEquals(expected.attribute(v, a), actual.attribute(v, a));
      }
    }
    for (int s = 0; s < expected.segments(); s++) {
      assertEquals(expected.segmentMarker(s), actual.segmentMarker(s));
    }
    for (int hole = 0; hole < expected.holes(); hole++) {
      assertEquals(expected.holeX(hole), actual.holeX(hole));
      assertEquals(expected.holeY(hole), actual.holeY(hole));
    }
  }

  @Property(tries = 300)
  void whatIsWrittenComesBack(
      @ForAll @IntRange(max = 12) int triangles,
      @ForAll("compressions") String compression,
      @ForAll Random random)
      throws IOException {
    empty();
    Path base = folder.resolve("m" + compression);
    Mesh mesh = mesh(triangles, random);
    TriangleFormat.write(mesh, base);
    Mesh read = TriangleFormat.readMesh(base);
    assertSameGraph(mesh.planarGraph(), read.planarGraph());
    assertArrayEquals(mesh.corners(), read.corners());
    assertArrayEquals(mesh.neighbors(), read.neighbors());
    assertArrayEquals(mesh.segmentsOfEdges(), read.segmentsOfEdges());
    assertEquals(mesh.triangleAttributes(), read.triangleAttributes());
    assertEquals(mesh.hasAreaBounds(), read.hasAreaBounds());
    for (int t = 0; t < mesh.triangles(); t++) {
      assertEquals(mesh.areaBound(t), read.areaBound(t));
      for (int a = 0; a < mesh.triangleAttributes(); a++) {
        assertEquals(mesh.triangleAttribute(t, a), read.triangleAttribute(t, a));
      }
    }
    empty();
    TriangleFormat.write(mesh.planarGraph(), base);
    assertSameGraph(mesh.planarGraph(), TriangleFormat.readGraph(base));
  }

  /** Any damage gives an exception that names a file, or a mesh whose adjacency is consistent. */
  @Property(tries = 600)
  void damagedFilesNeverMakeInvalidMeshes(
      @ForAll @IntRange(max = 6) int triangles, @ForAll Random random) throws IOException {
    empty();
    Path base = folder.resolve("damaged");
    TriangleFormat.write(mesh(triangles, random), base);
    Path file = folder.resolve("damaged" + SUFFIXES.get(random.nextInt(3)));
    byte[] bytes = Files.readAllBytes(file);
    String replacements = "0123456789 -\n\t.aex#\u0000\u00ff";
    for (int i = 0; i < 1 + random.nextInt(3); i++) {
      bytes[random.nextInt(bytes.length)] =
          (byte) replacements.charAt(random.nextInt(replacements.length()));
    }
    Files.write(file, bytes);
    try {
      Mesh read = TriangleFormat.readMesh(base);
      for (int t = 0; t < read.triangles(); t++) {
        for (int k = 0; k < 3; k++) {
          int other = read.neighbor(t, k);
          assertTrue(other >= 0 ? joined(read, other, t) : read.segment(t, k) >= 0);
        }
      }
    } catch (FileFormatException e) {
      assertTrue(e.getMessage().startsWith(base.toString()), e::getMessage);
    }
  }

  private static boolean joined(Mesh mesh, int t, int other) {
    return mesh.neighbor(t, 0) == other
        || mesh.neighbor(t, 1) == other
        || mesh.neighbor(t, 2) == other;
  }
}
