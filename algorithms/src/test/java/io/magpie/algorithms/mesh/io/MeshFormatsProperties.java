package io.magpie.algorithms.mesh.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.PropertyFolder;
import io.magpie.algorithms.mesh.DelaunayTriangulation;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

class MeshFormatsProperties {
  private static Path folder;

  @BeforeContainer
  static void makeFolder() throws IOException {
    folder = PropertyFolder.make("mesh-formats");
  }

  @AfterContainer
  static void removeFolder() throws IOException {
    PropertyFolder.remove(folder);
  }

  @Provide
  Arbitrary<String> suffixes() {
    return Arbitraries.of(MeshFormats.suffixes());
  }

  /** Formats that can hold everything. */
  @Provide
  Arbitrary<String> fullFormats() {
    return Arbitraries.of(".vtk", ".vtu");
  }

  @Provide
  Arbitrary<String> compressions() {
    return Arbitraries.of("", ".gz", ".xz");
  }

  /** Points of all magnitudes that doubles have between each other, triangulated, with labels. */
  private static Mesh mesh(int points, Random random) {
    double[] coordinates = new double[2 * points + 6];
    System.arraycopy(new double[] {-2, -2, 3, -0.0, 0.1, 1e3}, 0, coordinates, 0, 6);
    for (int i = 6; i < coordinates.length; i++) {
      coordinates[i] = Math.scalb(random.nextDouble(), -random.nextInt(40));
    }
    PlanarGraph.Builder builder =
        PlanarGraph.builder(coordinates)
            .vertexMarkers(random.nextBoolean() ? markers(points + 3, random) : null);
    int attributes = random.nextInt(3);
    builder.vertexAttributes(attributes, values(attributes * (points + 3), random));
    Mesh bare = DelaunayTriangulation.ofConvexHull(PlanarGraph.of(coordinates));
    int[] ends = segmentEnds(bare, random);
    builder.segments(ends, random.nextBoolean() ? markers(ends.length / 2, random) : null);
    int triangleAttributes = random.nextInt(3);
    double[] values = values(triangleAttributes * bare.triangles(), random);
    if (random.nextBoolean()) {
      int most = 1 + random.nextInt(3);
      for (int i = 0; i < values.length; i += triangleAttributes) {
        values[i] = 1 + random.nextInt(most);
      }
    }
    builder.holes(values(2 * random.nextInt(3), random));
    int t = random.nextInt(bare.triangles());
    double x =
        (bare.x(bare.corner(t, 0)) + bare.x(bare.corner(t, 1)) + bare.x(bare.corner(t, 2))) / 3;
    double y =
        (bare.y(bare.corner(t, 0)) + bare.y(bare.corner(t, 1)) + bare.y(bare.corner(t, 2))) / 3;
    if (random.nextBoolean()) {
      builder.regions(List.of(new PlanarGraph.Region(x, y, -0.5, random.nextDouble() - 0.5)));
    }
    return Mesh.builder(builder.build(), bare.corners())
        .triangleAttributes(triangleAttributes, values)
        .build()
        .boundedByRegions();
  }

  /** The boundary, and some edges inside. */
  private static int[] segmentEnds(Mesh mesh, Random random) {
    List<Integer> ends = new ArrayList<>();
    for (int end : mesh.planarGraph().segmentEnds()) {
      ends.add(end);
    }
    for (int t = 0; t < mesh.triangles(); t++) {
      for (int k = 0; k < 3; k++) {
        if (mesh.neighbor(t, k) > t && random.nextInt(4) == 0) {
          ends.add(0, mesh.corner(t, (k + 1) % 3));
          ends.add(1, mesh.corner(t, (k + 2) % 3));
        }
      }
    }
    return ends.stream().mapToInt(Integer::intValue).toArray();
  }

  private static int[] markers(int count, Random random) {
    int from = random.nextBoolean() ? 0 : Integer.MIN_VALUE;
    int to = random.nextBoolean() ? 3 : Integer.MAX_VALUE;
    return random.ints(count, from, to).toArray();
  }

  private static double[] values(int count, Random random) {
    return random
        .doubles(count)
        .map(each -> random.nextBoolean() ? each : -Math.rint(each * 1e17))
        .toArray();
  }

  /** Whatever a format cannot hold, what all hold comes back. */
  @Property(tries = 200)
  void verticesSegmentsAndTrianglesComeBack(
      @ForAll @IntRange(max = 12) int points,
      @ForAll("suffixes") String suffix,
      @ForAll("compressions") String compression,
      @ForAll Random random)
      throws IOException {
    Mesh mesh = mesh(points, random);
    Path file = folder.resolve("m" + suffix + compression);
    MeshFormats.write(mesh, file);
    Mesh read = MeshFormats.readMesh(file);
    assertArrayEquals(mesh.coordinates(), read.coordinates());
    assertArrayEquals(mesh.corners(), read.corners());
    if (suffix.equals(".off")) { // which does not list those of the boundary
      for (int i = 0; i < mesh.corners().length; i++) {
        assertEquals(mesh.segmentsOfEdges()[i] < 0, read.segmentsOfEdges()[i] < 0);
      }
    } else {
      assertArrayEquals(mesh.segmentsOfEdges(), read.segmentsOfEdges());
      assertArrayEquals(mesh.planarGraph().segmentEnds(), read.planarGraph().segmentEnds());
    }
    MeshFormats.write(mesh.planarGraph(), file);
    PlanarGraph graph = MeshFormats.readGraph(file);
    assertArrayEquals(mesh.coordinates(), graph.coordinates());
    assertArrayEquals(mesh.planarGraph().segmentEnds(), graph.segmentEnds());
  }

  @Property(tries = 300)
  void allComesBack(
      @ForAll @IntRange(max = 12) int points,
      @ForAll("fullFormats") String suffix,
      @ForAll Random random)
      throws IOException {
    Mesh mesh = mesh(points, random);
    Path file = folder.resolve("full" + suffix);
    MeshFormats.write(mesh, file);
    Mesh read = MeshFormats.readMesh(file);
    assertSameLabels(mesh.planarGraph(), read.planarGraph());
    assertEquals(mesh.planarGraph().hasVertexMarkers(), read.planarGraph().hasVertexMarkers());
    assertEquals(mesh.planarGraph().hasSegmentMarkers(), read.planarGraph().hasSegmentMarkers());
    assertEquals(mesh.triangleAttributes(), read.triangleAttributes());
    assertArrayEquals(mesh.triangleAttributeValues(), read.triangleAttributeValues());
    assertEquals(mesh.regions(), read.regions());
    assertEquals(mesh.hasAreaBounds(), read.hasAreaBounds());
    assertEquals(mesh.holes(), read.holes());
    for (int hole = 0; hole < mesh.holes(); hole++) {
      assertEquals(mesh.holeX(hole), read.holeX(hole));
      assertEquals(mesh.holeY(hole), read.holeY(hole));
    }
  }

  private static void assertSameLabels(PlanarGraph expected, PlanarGraph actual) {
    assertEquals(expected.attributes(), actual.attributes());
    for (int v = 0; v < expected.vertices(); v++) {
      assertEquals(expected.vertexMarker(v), actual.vertexMarker(v));
      for (int a = 0; a < expected.attributes(); a++) {
        assertEquals(expected.attribute(v, a), actual.attribute(v, a));
      }
    }
    for (int s = 0; s < expected.segments(); s++) {
      assertEquals(expected.segmentMarker(s), actual.segmentMarker(s));
    }
  }

  /** Gmsh files hold no holes and regions, and do not distinguish markers of 0 from none. */
  @Property(tries = 300)
  void labelsOfGmshComeBack(@ForAll @IntRange(max = 12) int points, @ForAll Random random)
      throws IOException {
    Mesh mesh = mesh(points, random);
    Path file = folder.resolve("labels.msh");
    MeshFormats.write(mesh, file);
    Mesh read = MeshFormats.readMesh(file);
    assertSameLabels(mesh.planarGraph(), read.planarGraph());
    assertEquals(mesh.triangleAttributes(), read.triangleAttributes());
    assertArrayEquals(mesh.triangleAttributeValues(), read.triangleAttributeValues());
  }

  /** Any damage gives an exception that names the file, or a mesh whose adjacency is consistent. */
  @Property(tries = 1000)
  void damagedFilesNeverMakeInvalidMeshes(
      @ForAll @IntRange(max = 5) int points,
      @ForAll("suffixes") String suffix,
      @ForAll Random random)
      throws IOException {
    Path file = folder.resolve("damaged" + suffix);
    MeshFormats.write(mesh(points, random), file);
    byte[] bytes = Files.readAllBytes(file);
    String replacements = "0123456789 -\n\t.aex#/$<\"\u0000\u00ff";
    for (int i = 0; i < 1 + random.nextInt(3); i++) {
      bytes[random.nextInt(bytes.length)] =
          (byte) replacements.charAt(random.nextInt(replacements.length()));
    }
    Files.write(file, bytes);
    try {
      MeshFormats.read(file).mesh().ifPresent(MeshFormatsProperties::assertConsistent);
    } catch (FileFormatException e) {
      assertTrue(e.getMessage().startsWith(file.toString()), e::getMessage);
    }
  }

  /** Formats whose end shows, at least that of vertices, segments and triangles. */
  @Provide
  Arbitrary<String> formatsWithAnEnd() {
    return Arbitraries.of(".vtk", ".vtu", ".msh");
  }

  /** A file that lost its end at any byte is refused, unless vertices and cells are all there. */
  @Property(tries = 4)
  void truncatedFilesLoseNoCells(
      @ForAll @IntRange(max = 4) int points,
      @ForAll("formatsWithAnEnd") String suffix,
      @ForAll Random random)
      throws IOException {
    Mesh mesh = mesh(points, random);
    Path file = folder.resolve("truncated" + suffix);
    MeshFormats.write(mesh, file);
    byte[] bytes = Files.readAllBytes(file);
    for (int length = 0; length < bytes.length; length++) {
      Files.write(file, Arrays.copyOf(bytes, length));
      try {
        Mesh read = MeshFormats.readMesh(file);
        assertArrayEquals(mesh.coordinates(), read.coordinates());
        assertArrayEquals(mesh.corners(), read.corners());
        assertArrayEquals(mesh.planarGraph().segmentEnds(), read.planarGraph().segmentEnds());
        if (suffix.equals(".vtu")) {
          assertEquals(bytes.length - 1, length); // without the last line feed
        }
      } catch (FileFormatException e) {
        assertTrue(length < bytes.length - 1, e::getMessage);
        assertTrue(e.getMessage().startsWith(file.toString()), e::getMessage);
        assertFalse(e.getMessage().contains("found no triangles"), e::getMessage);
      }
    }
  }

  @Tag("slow")
  @Property(tries = 10)
  void moreTruncatedFilesLoseNoCells(
      @ForAll @IntRange(max = 4) int points,
      @ForAll("formatsWithAnEnd") String suffix,
      @ForAll Random random)
      throws IOException {
    truncatedFilesLoseNoCells(points, suffix, random);
  }

  /**
   * Counts at the beginning say how many lines follow, but not how many digits the last one has.
   */
  @Property(tries = 10)
  void offFilesWithoutTheirLastLineAreRefused(
      @ForAll @IntRange(max = 4) int points, @ForAll Random random) throws IOException {
    Path file = folder.resolve("truncated.off");
    MeshFormats.write(mesh(points, random), file);
    String text = Files.readString(file);
    int end = text.lastIndexOf('\n', text.length() - 2) + 1;
    for (int length = 0; length <= end; length++) {
      Files.writeString(file, text.substring(0, length));
      assertThrows(FileFormatException.class, () -> MeshFormats.read(file));
    }
  }

  private static void assertConsistent(Mesh read) {
    for (int t = 0; t < read.triangles(); t++) {
      for (int k = 0; k < 3; k++) {
        int other = read.neighbor(t, k);
        assertTrue(other < 0 ? read.segment(t, k) >= 0 : joined(read, other, t));
      }
    }
  }

  private static boolean joined(Mesh mesh, int t, int other) {
    return mesh.neighbor(t, 0) == other
        || mesh.neighbor(t, 1) == other
        || mesh.neighbor(t, 2) == other;
  }
}
