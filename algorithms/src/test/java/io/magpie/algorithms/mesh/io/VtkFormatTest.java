package io.magpie.algorithms.mesh.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class VtkFormatTest {
  private static final String HEAD = "# vtk DataFile Version 2.0\na title\nASCII\n";
  private static final String GRID = HEAD + "DATASET UNSTRUCTURED_GRID\n";
  private static final String POINTS =
      GRID + "POINTS 4 float\n0 0 1 4 0 1\n4 2 1\n0 2 1\n"; // ends in line 8
  private static final String CELLS =
      POINTS + "CELLS 2 8\n3 0 1 2\n3 0 2 3\nCELL_TYPES 2\n5 5\n"; // ends in line 13

  @TempDir Path folder;

  private Path file(String content) throws IOException {
    return Files.writeString(folder.resolve("m.vtk"), content);
  }

  @Test
  void allKindsOfDataAreAttributes() throws IOException {
    Mesh mesh =
        MeshFormats.readMesh(
            file(
                POINTS
                    + "CELLS 4 15\n1 3\n3 0 1 2\n4 0 1 2\n3\n3 3 0 2\nCELL_TYPES 4\n1 5 4 5\n"
                    + "CELL_DATA 4\nSCALARS marker int\nLOOKUP_TABLE default\n9 0 7 0\n"
                    + "SCALARS material float 2\n1 2 3 4 5 6 7 8\n"
                    + "POINT_DATA 4\nSCALARS height double 1\nLOOKUP_TABLE mine\n.1 .2 .3 .4\n"
                    + "LOOKUP_TABLE mine 1\n0 0 0 1\n"
                    + "VECTORS speed double\n1 0 0 2 0 0\n3 0 0 4 0 0\nMETADATA\nINFORMATION 0\n\n"
                    + "FIELD FieldData 2\nmarker 1 4 int\n1 2 3 -4\nMETADATA\nCOMPONENT_NAMES\n\n"
                    + "last 1 4 float\n5 6 7 8\nGLOBAL_IDS ids vtkIdType\n0 1 2 3\n"));
    assertArrayEquals(new int[] {0, 1, 2, 3, 0, 2}, mesh.corners());
    assertEquals(7, mesh.segmentMarker(0));
    assertEquals(7, mesh.segmentMarker(2));
    assertEquals(-4, mesh.vertexMarker(3));
    assertEquals(5, mesh.attributes());
    assertEquals(0.3, mesh.attribute(2, 0));
    assertEquals(4, mesh.attribute(3, 1));
    assertEquals(8, mesh.attribute(3, 4));
    assertArrayEquals(new double[] {3, 4, 7, 8}, mesh.triangleAttributeValues());
  }

  @Test
  void markersOfTrianglesAreAnAttribute() throws IOException {
    Mesh mesh =
        MeshFormats.readMesh(
            file(CELLS + "CELL_DATA 2\nSCALARS a int\n1 2\nSCALARS marker int\n3 4\n"));
    assertArrayEquals(new double[] {3, 1, 4, 2}, mesh.triangleAttributeValues());
  }

  @Test
  void filesAreWrittenSo() throws IOException {
    Path file = folder.resolve("w.vtk");
    PlanarGraph graph =
        PlanarGraph.builder(new double[] {0, 0, 4, 0.1, 0, 3})
            .segments(new int[] {0, 1, 1, 2, 2, 0}, new int[] {7, 8, -9})
            .vertexAttributes(1, new double[] {1, 0.5, 2})
            .holes(new double[] {9, 9.5})
            .regions(List.of(new PlanarGraph.Region(1, 1, 2.5, -1)))
            .build();
    MeshFormats.write(
        Mesh.builder(graph, new int[] {0, 1, 2}).triangleAttributes(1, new double[] {6}).build(),
        file);
    assertEquals(
        "# vtk DataFile Version 3.0\nMagpie\nASCII\nDATASET UNSTRUCTURED_GRID\n"
            + "FIELD FieldData 2\nholes 2 1 double\n9 9.5\nregions 4 1 double\n1 1 2.5 -1\n"
            + "POINTS 3 double\n0 0 0\n4 0.1 0\n0 3 0\n"
            + "CELLS 4 13\n2 0 1\n2 1 2\n2 2 0\n3 0 1 2\nCELL_TYPES 4\n3\n3\n3\n5\n"
            + "POINT_DATA 3\nFIELD FieldData 1\nattribute0 1 3 double\n1\n0.5\n2\n"
            + "CELL_DATA 4\nFIELD FieldData 2\nmarker 1 4 int\n7\n8\n-9\n0\n"
            + "attribute0 1 4 double\n0\n0\n0\n6\n",
        Files.readString(file));
  }

  @Test
  void withoutMarkersThereAreNone() throws IOException {
    PlanarGraph graph = MeshFormats.readGraph(file(POINTS + "CELLS 1 3\n2 0 1\nCELL_TYPES 1\n3\n"));
    assertFalse(graph.hasSegmentMarkers());
    assertFalse(graph.hasVertexMarkers());
    assertEquals(1, graph.segments());
  }

  /** VTK counts the cells of polygonal data by their kind, whatever the order of the sections. */
  @Test
  void cellDataOfPolydataStartWithTheLines() throws IOException {
    String points =
        GRID.replace("UNSTRUCTURED_GRID", "POLYDATA") + "POINTS 4 float\n0 0 0 4 0 0 4 2 0 0 2 0\n";
    String polygons = "POLYGONS 2 8\n3 0 1 2\n3 0 2 3\n";
    String data = "CELL_DATA 3\nSCALARS marker int\nLOOKUP_TABLE default\n7 1 2\n";
    String line = "LINES 1 3\n2 0 2\n";
    for (String cells : List.of(polygons + line, line + polygons)) {
      Mesh mesh = MeshFormats.readMesh(file(points + cells + data));
      assertEquals(7, mesh.segmentMarker(0));
      assertEquals(0, mesh.segmentStart(0));
      assertEquals(2, mesh.segmentEnd(0));
      assertArrayEquals(new double[] {1, 2}, mesh.triangleAttributeValues());
    }
  }

  @Test
  void keywordsMayBeInLowerCase() throws IOException {
    Mesh mesh =
        MeshFormats.readMesh(
            file(
                POINTS
                    + "cells 3 6\noffsets vtktypeint64\n0 3 6\n"
                    + "connectivity vtktypeint64\n0 1 2 0 2 3\ncell_types 2\n5 5\n"
                    + "cell_data 2\nscalars a int\nlookup_table default\n3 4\n"));
    assertArrayEquals(new int[] {0, 1, 2, 0, 2, 3}, mesh.corners());
    assertArrayEquals(new double[] {3, 4}, mesh.triangleAttributeValues());
  }

  @Test
  void theLastSectionMayHaveNoCells() throws IOException {
    String points = "POINTS 1 float\n0 0 0\n";
    assertEquals(1, MeshFormats.readGraph(file(GRID + points + "CELLS 0 0")).vertices());
    String polydata = GRID.replace("UNSTRUCTURED_GRID", "POLYDATA") + points;
    assertEquals(1, MeshFormats.readGraph(file(polydata + "LINES 0 0\n")).vertices());
  }

  static Arguments[] faults() {
    String cells = POINTS + "CELLS 2 8\n3 0 1 2\n3 0 2 3\n";
    return new Arguments[] {
      Arguments.of("", 0, "an empty file, expected the line '# vtk"),
      Arguments.of("# vtk DataFile\nVersio 1\n", 2, "'Versio', expected the line '# vtk"),
      Arguments.of("<VTKFile>", 1, "'<VTKFile>', expected the line '# vtk"),
      Arguments.of(HEAD.replace("ASCII", "BINARY"), 3, "'BINARY', expected ASCII"),
      Arguments.of(HEAD + "DATASET STRUCTURED_GRID\n", 4, "'STRUCTURED_GRID', expected UNSTR"),
      Arguments.of(GRID + "POINTS 2 double\n0 0 0\n1 0 1\n", 7, "z 1.0, expected z 0.0"),
      Arguments.of(GRID + "POINTS 2 double\n0 0 0\n1 0\n", 7, "the end of the file, expected a c"),
      Arguments.of(GRID + "POINTS 1 double\n0 nan 0\n", 6, "'nan', expected a coordinate"),
      Arguments.of(cells + "CELL_TYPES 2\n5\n9\n", 14, "cell type 9, a quadrilateral"),
      Arguments.of(cells + "CELL_TYPES 2\n5\n42\n", 14, "cell type 42, expected triangles"),
      Arguments.of(cells + "CELL_TYPES 2\n5\n3\n", 11, "a cell of type 3 with 3 points"),
      Arguments.of(cells + "CELL_TYPES 1\n5\n", 12, "1 types of cells, expected those of 2"),
      Arguments.of(cells.replace("2 8", "2 9"), 9, "9 values of cells, expected 8"),
      Arguments.of(cells.replace("0 2 3", "0 2 4"), 11, "'4', expected a vertex, 0 to 3"),
      Arguments.of(CELLS.replace("0 2 3", "0 2 1"), 11, "an invalid mesh"),
      Arguments.of(CELLS.replace("0 2 3", "0 2 2"), 11, "the corners 0 2 2, expected three"),
      Arguments.of(CELLS + "CELL_DATA 3\n", 14, "data of 3 cells, expected those of 2 cells"),
      Arguments.of(CELLS + "POINT_DATA 3\n", 14, "data of 3 points, expected those of 4"),
      Arguments.of(
          CELLS + "CELL_DATA 2\nFIELD f 1\nx 1 3 int\n1 2 3\n", 16, "3 values of the array 'x'"),
      Arguments.of(
          CELLS + "CELL_DATA 2\nSCALARS marker float\n1 1.5\n", 16, "1.5 in the array 'marker'"),
      Arguments.of(CELLS + "CELL_DATA 2\nSCALARS m float 0\n", 15, "0 components of the array"),
      Arguments.of(CELLS + "CELL_DATA 2\nFIELD f 1\nx 1 2 string\n", 16, "'string', expected a"),
      Arguments.of(
          CELLS + "POINT_DATA 4\nSCALARS x int\n1 2 3 4\nPOINTS 1 double\n7 7 1\n",
          17,
          "a second section POINTS, expected one"),
      Arguments.of(GRID, 4, "the end of the file, expected a section POINTS"),
      Arguments.of(POINTS, 8, "the end of the file, expected a section CELLS"),
      Arguments.of(cells, 11, "the end of the file, expected a section CELL_TYPES"),
      Arguments.of(CELLS + "CELLS 0 0\n", 14, "a second section CELLS, expected one"),
      Arguments.of(CELLS + "LINES 0 0\n", 14, "'LINES', expected CELLS and CELL_TYPES of an"),
      Arguments.of(
          GRID.replace("UNSTRUCTURED_GRID", "POLYDATA") + "CELLS 0 0\n",
          5,
          "'CELLS', expected VERTICES, LINES"),
      Arguments.of(POINTS + "CELLS 2 3\nOTHERS\n", 10, "'OTHERS', expected OFFSETS"),
      Arguments.of(CELLS + "POINTED\n", 14, "'POINTED', expected a keyword"),
      Arguments.of(
          POINTS + "CELLS 2 3\nOFFSETS vtktypeint64\n0 2\nCONNECTIVITY vtktypeint64\n0 1 2\n",
          11,
          "the last offset 2, expected 3"),
      Arguments.of(
          POINTS + "CELLS 3 3\nOFFSETS vtktypeint64\n0 2 1\n", 11, "'1', expected an offset, 2 to"),
      Arguments.of(
          GRID.replace("UNSTRUCTURED_GRID", "POLYDATA")
              + "POINTS 4 float\n0 0 0 4 0 0 4 2 0 0 2 0\nPOLYGONS 2 9\n3 0 1 2\n4 0 1 2 3\n",
          9,
          "a cell of type 7 with 4 points"),
      Arguments.of(
          GRID.replace("UNSTRUCTURED_GRID", "POLYDATA")
              + "POINTS 3 float\n0 0 0 4 0 0 4 2 0\nTRIANGLE_STRIPS 1 4\n3 0 1 2\n",
          8,
          "cell type 6, a strip of triangles"),
    };
  }

  @ParameterizedTest
  @MethodSource("faults")
  void faultsAreReportedWithTheirLine(String content, int line, String found) throws IOException {
    FormatFaults.assertFault(folder.resolve("m.vtk"), content, line, found);
  }
}
