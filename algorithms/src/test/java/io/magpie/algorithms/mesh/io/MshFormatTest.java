package io.magpie.algorithms.mesh.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class MshFormatTest {
  private static final String HEAD_2 = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
  private static final String NODES_2 =
      HEAD_2 + "$Nodes\n4\n10 0 0 1\n7 4 0 1\n30 4 2 1\n8 0 2 1\n$EndNodes\n"; // ends in line 10
  private static final String HEAD_4 = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n";
  private static final String NODES_4 =
      HEAD_4
          + "$Nodes\n2 4 1 4\n1 1 1 2\n1\n2\n0 0 0 0.5\n4 0 0 0.75\n"
          + "2 1 0 2\n3\n4\n4 2 0\n0 2 0\n$EndNodes\n"; // ends in line 16

  @TempDir Path folder;

  private Path file(String content) throws IOException {
    return Files.writeString(folder.resolve("m.msh"), content);
  }

  private static String data(String of, String name, int components, String... values) {
    return String.format(
        Locale.ROOT,
        "$%sData\n1\n\"%s\"\n1\n0.0\n3\n0\n%d\n%d\n%s\n$End%sData\n",
        of,
        name,
        components,
        values.length,
        String.join("\n", values),
        of);
  }

  @Test
  void tagsMayHaveGapsAndAnyOrder() throws IOException {
    Mesh mesh =
        MeshFormats.readMesh(
            file(
                NODES_2
                    + "$Elements\n4\n9 2 2 5 1 10 7 30\n4 2 2 6 1 10 8 30\n2 1 2 -3 1 7 30\n"
                    + "1 15 2 2 1 8\n$EndElements\n"
                    + data("Element", "a b", 2, "2 0 0", "9 1 2", "4 3 4")
                    + data("Node", "height", 1, "7 .7", "8 .8", "10 .1", "30 .3")));
    assertArrayEquals(new int[] {0, 2, 3, 0, 1, 2}, mesh.corners());
    assertArrayEquals(new double[] {6, 3, 4, 5, 1, 2}, mesh.triangleAttributeValues());
    assertEquals(3, mesh.segmentMarker(0));
    assertEquals(2, mesh.vertexMarker(3));
    assertEquals(0.7, mesh.attribute(1, 0));
    assertEquals(0.3, mesh.attribute(2, 0));
  }

  /** A curve and a surface may have the same number, and numbers may be negative. */
  @Test
  void negativeTagsOfEntitiesAreKeptApart() throws IOException {
    String box = " 0 0 0 4 2 0 ";
    Mesh mesh =
        MeshFormats.readMesh(
            file(
                NODES_4.replace(
                        "$Nodes",
                        "$Entities\n0 1 1 0\n-1%s1 7 0\n-1%s1 8 0\n$EndEntities\n$Nodes"
                            .formatted(box, box))
                    + "$Elements\n2 2 1 2\n1 -1 1 1\n1 1 2\n2 -1 2 1\n2 1 2 3\n$EndElements\n"));
    assertEquals(7, mesh.segmentMarker(0));
    assertArrayEquals(new double[] {8}, mesh.triangleAttributeValues());
  }

  @Test
  void boundsOfTagsMayBeAsGreatAsTags() throws IOException {
    PlanarGraph graph =
        MeshFormats.readGraph(
            file(
                HEAD_4
                    + "$Nodes\n1 2 2147483646 2147483647\n1 1 0 2\n2147483647\n2147483646\n"
                    + "0 0 0\n4 0 0\n$EndNodes\n$Elements\n1 1 2147483647 2147483647\n"
                    + "1 1 1 1\n2147483647 2147483646 2147483647\n$EndElements\n"));
    assertArrayEquals(new int[] {1, 0}, graph.segmentEnds());
  }

  @Test
  void markersOfTrianglesAreAnAttribute() throws IOException {
    String elements =
        NODES_2 + "$Elements\n3\n1 1 2 3 1 7 30\n2 2 2 5 1 10 7 30\n3 2 2 6 1 10 30 8\n";
    String other = data("Element", "x", 1, "2 .2", "3 .3");
    Mesh mesh =
        MeshFormats.readMesh(
            file(elements + "$EndElements\n" + other + data("Element", "marker", 1, "2 8", "3 9")));
    assertArrayEquals(new double[] {5, 8, 0.2, 6, 9, 0.3}, mesh.triangleAttributeValues());
    assertEquals(3, mesh.segmentMarker(0));
    mesh =
        MeshFormats.readMesh(
            file(elements + "$EndElements\n" + data("Element", "marker", 1, "1 4", "2 0", "3 0")));
    assertArrayEquals(new double[] {5, 6}, mesh.triangleAttributeValues());
    assertEquals(4, mesh.segmentMarker(0));
  }

  @Test
  void parametersAndOtherSectionsAreSkipped() throws IOException {
    PlanarGraph graph =
        MeshFormats.readGraph(
            file(
                NODES_4.replace("$Nodes", "$Comments\n$Nodes\n0\n$EndComments\n$Nodes")
                    + "$Elements\n"
                    + "1 1 1 1\n"
                    + "1 1 1 1\n"
                    + "5 4 2\n"
                    + "$EndElements\n"
                    + "$Periodic\n"
                    + "0\n"
                    + "$EndPeriodic"));
    assertArrayEquals(new double[] {0, 0, 4, 0, 4, 2, 0, 2}, graph.coordinates());
    assertArrayEquals(new int[] {3, 1}, graph.segmentEnds());
    assertFalse(graph.hasSegmentMarkers());
  }

  @Test
  void filesAreWrittenSo() throws IOException {
    Path file = folder.resolve("w.msh");
    PlanarGraph graph =
        PlanarGraph.builder(new double[] {0, 0, 4, 0.1, 0, 3})
            .segments(new int[] {0, 1, 1, 2, 2, 0}, new int[] {7, 0, 7})
            .vertexAttributes(1, new double[] {1, 0.5, 2})
            .vertexMarkers(new int[] {0, -1, 2})
            .build();
    MeshFormats.write(
        Mesh.builder(graph, new int[] {0, 1, 2}).triangleAttributes(1, new double[] {6}).build(),
        file);
    assertEquals(
        HEAD_4
            + "$Entities\n0 2 1 0\n1 0 0.1 0 4 3 0 0 0\n2 0 0 0 4 3 0 1 7 0\n1 0 0 0 4 3 0 1 6 0\n"
            + "$EndEntities\n$Nodes\n1 3 1 3\n2 1 0 3\n1\n2\n3\n0 0 0\n4 0.1 0\n0 3 0\n$EndNodes\n"
            + "$Elements\n3 4 1 4\n1 1 1 1\n2 2 3\n1 2 1 2\n1 1 2\n3 3 1\n2 1 2 1\n4 1 2 3\n"
            + "$EndElements\n"
            + data("Node", "marker", 1, "1 0", "2 -1", "3 2").replace("0.0", "0")
            + data("Node", "attribute0", 1, "1 1", "2 0.5", "3 2").replace("0.0", "0"),
        Files.readString(file));
  }

  /** An attribute that numbers triangles makes neither an entity nor a physical group of each. */
  @Test
  void manyLabelsAreData() throws IOException {
    for (int count : new int[] {1000, 1001}) {
      double[] coordinates = new double[2 * (count + 2)];
      int[] corners = new int[3 * count];
      int[] markers = new int[count + 2];
      int[] ends = new int[2 * (count + 2)];
      double[] labels = new double[count];
      for (int v = 0; v < count + 2; v++) { // a strip of triangles
        coordinates[2 * v] = v;
        coordinates[2 * v + 1] = v % 2;
        ends[2 * v] = v < count ? v : v == count ? 0 : count;
        ends[2 * v + 1] = v < count ? v + 2 : v == count ? 1 : count + 1;
        markers[v] = Math.min(v, count - 1);
      }
      for (int t = 0; t < count; t++) {
        labels[t] = t + 1;
        for (int k = 0; k < 3; k++) {
          corners[3 * t + k] = t + (t % 2 == 0 || k == 0 ? new int[] {0, 2, 1}[k] : k);
        }
      }
      PlanarGraph graph = PlanarGraph.builder(coordinates).segments(ends, markers).build();
      Mesh mesh = Mesh.builder(graph, corners).triangleAttributes(1, labels).build();
      Path file = folder.resolve("many.msh");
      MeshFormats.write(mesh, file);
      String text = Files.readString(file);
      assertEquals(count > 1000, text.contains("\"attribute0\""));
      assertEquals(count > 1000, text.contains("\"marker\""));
      assertEquals(count > 1000, text.contains("$Entities\n0 1 1 0\n"));
      Mesh read = MeshFormats.readMesh(file);
      assertArrayEquals(labels, read.triangleAttributeValues());
      for (int s = 0; s < markers.length; s++) {
        assertEquals(markers[s], read.segmentMarker(s));
      }
    }
  }

  static Arguments[] faults() {
    String elements = NODES_2 + "$Elements\n2\n1 2 2 0 1 10 7 30\n";
    String complete = elements + "2 2 2 0 1 10 30 8\n$EndElements\n"; // ends in line 15
    return new Arguments[] {
      Arguments.of("", 0, "an empty file, expected $MeshFormat"),
      Arguments.of(HEAD_2, 3, "the end of the file, expected a section $Nodes"),
      Arguments.of(NODES_4, 16, "the end of the file, expected a section $Elements"),
      Arguments.of(
          complete + data("Element", "marker", 1, "1 5"), 24, "values 'marker' for 1 triangles"),
      Arguments.of("OFF\n", 1, "'OFF', expected $MeshFormat"),
      Arguments.of(HEAD_2.replace("2.2", "4"), 2, "version '4', expected 4.1 or 2.2"),
      Arguments.of(HEAD_2.replace(" 0 8", " 1 8"), 2, "a binary file, expected one of text"),
      Arguments.of(HEAD_2 + "$Nodes\n2\n1 0 0 0\n2 0 0 1\n", 7, "z 1.0, expected z 0.0"),
      Arguments.of(HEAD_2 + "$Nodes\n2\n1 0 0 0\n1 0 1 0\n$EndNodes\n", 8, "two nodes of the same"),
      Arguments.of(NODES_2.replace("\n4\n", "\n3\n"), 9, "'8', expected $EndNodes"),
      Arguments.of(NODES_2.replace("\n4\n", "\n5\n"), 10, "'$EndNodes', expected the tag of a"),
      Arguments.of(NODES_4.replace("2 4 1 4", "2 5 1 4"), 5, "5 nodes, expected 4 as the blocks"),
      Arguments.of(elements + "2 3 2 0 1 10 7 30 8\n", 14, "element type 3, a quadrangle"),
      Arguments.of(elements + "2 99 2 0 1 10 7 30 8\n", 14, "element type 99, expected triangles"),
      Arguments.of(elements + "2 2 2 0 1 10 7 9\n", 14, "node 9, expected the tag of a node"),
      Arguments.of(elements + "2 2 2 0 1 10 7 7\n$EndElements\n", 14, "the corners 1 2 2"),
      Arguments.of(elements + "2 2 2 0 1 7 10 30\n$EndElements\n", 14, "an invalid mesh"),
      Arguments.of(elements + "1 2 2 0 1 7 10 30\n$EndElements\n", 15, "two elements of the same"),
      Arguments.of(elements + "2 1 2 0 1 7 7\n$EndElements\n", 14, "a segment from vertex 2 to"),
      Arguments.of(
          NODES_4 + "$Elements\n1 2 1 1\n1 1 1 1\n5 4 2\n$EndElements\n",
          18,
          "2 elements, expected"),
      Arguments.of(NODES_4 + "$Elements\n1 1 1 1\n2 1 3 1\n", 19, "element type 3, a quadrangle"),
      Arguments.of(NODES_4 + "$Nodes\n0 0 0 0\n", 17, "a second section $Nodes, expected one"),
      Arguments.of(NODES_4 + "$PartitionedEntities\n", 17, "partitioned entities, expected"),
      Arguments.of(NODES_4 + "\n$Periodic\n", 18, "'$Periodic' without an end, expected '$EndPer"),
      Arguments.of(NODES_4 + "$\u0007x\n", 17, "'$?x' without an end, expected '$End?x'"),
      Arguments.of(NODES_4 + "Nodes\n", 17, "'Nodes', expected a section"),
      Arguments.of(
          complete + data("Element", "x", 1, "1 5"), 24, "values 'x' for 1 triangles, expected"),
      Arguments.of(
          complete + data("Node", "marker", 1, "10 5", "7 .5", "30 1", "8 1"),
          24,
          "0.5 in the data 'marker', expected markers"),
      Arguments.of(complete + data("Node", "x", 1, "10 nan"), 25, "'nan', expected a value"),
    };
  }

  @ParameterizedTest
  @MethodSource("faults")
  void faultsAreReportedWithTheirLine(String content, int line, String found) throws IOException {
    FormatFaults.assertFault(folder.resolve("m.msh"), content, line, found);
  }
}
