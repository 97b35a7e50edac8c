package io.magpie.algorithms.mesh.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class VtuFormatTest {
  private static final String HEAD = "<VTKFile type='UnstructuredGrid'>\n<UnstructuredGrid>\n";
  private static final String POINTS =
      HEAD
          + "<Piece NumberOfPoints='4' NumberOfCells='2'>\n<Points>\n"
          + "<DataArray NumberOfComponents='3' format='ascii'>\n"
          + "0 0 1 4 0 1\n4 2 1\n0 2 1</DataArray>\n</Points>\n"; // ends in line 9
  private static final String CELLS =
      POINTS
          + "<Cells>\n<DataArray Name='connectivity' format='ascii'>\n0 1 2\n0 2 3\n</DataArray>\n"
          + "<DataArray Name='offsets' format='ascii'>3 6</DataArray>\n"
          + "<DataArray Name='types' format='ascii'>\n5\n5\n</DataArray>\n</Cells>\n"; // line 20
  private static final String END = "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";

  @TempDir Path folder;

  private Path file(String content) throws IOException {
    return Files.writeString(folder.resolve("m.vtu"), content);
  }

  @Test
  void arraysMayBeInAnyOrder() throws IOException {
    String data =
        "<CellData><DataArray Name='marker' format='ascii'>0 0</DataArray>"
            + "<DataArray Name='two' NumberOfComponents='2' format='ascii'>1 2\r\n3 4</DataArray>"
            + "</CellData>\n<!-- -7 --><PointData><DataArray Name='heat' format='ascii'>"
            + "1e1 <Note>8</Note> .5 3 <![CDATA[4]]></DataArray></PointData>\n";
    Mesh mesh =
        MeshFormats.readMesh(
            file("<?xml version='1.0'?>" + CELLS.replace("<Points>", data + "<Points>") + END));
    assertArrayEquals(new int[] {0, 1, 2, 0, 2, 3}, mesh.corners());
    assertArrayEquals(new double[] {1, 2, 3, 4}, mesh.triangleAttributeValues());
    assertEquals(1, mesh.attributes());
    assertEquals(10, mesh.attribute(0, 0));
    assertEquals(0.5, mesh.attribute(1, 0));
    assertEquals(4, mesh.attribute(3, 0));
  }

  @Test
  void filesAreWrittenSo() throws IOException {
    Path file = folder.resolve("w.vtu");
    PlanarGraph graph =
        PlanarGraph.builder(new double[] {0, 0, 4, 0.1, 0, 3})
            .segments(new int[] {0, 1, 1, 2, 2, 0}, new int[] {7, 8, -9})
            .vertexAttributes(1, new double[] {1, 0.5, 2})
            .holes(new double[] {9, 9.5})
            .build();
    MeshFormats.write(
        Mesh.builder(graph, new int[] {0, 1, 2}).triangleAttributes(1, new double[] {6}).build(),
        file);
    assertEquals(
        """
        <?xml version="1.0"?>
        <VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian">
        <UnstructuredGrid>
        <FieldData>
        <DataArray type="Float64" Name="holes" NumberOfComponents="2" NumberOfTuples="1" format="ascii">
        9 9.5
        </DataArray>
        </FieldData>
        <Piece NumberOfPoints="3" NumberOfCells="4">
        <Points>
        <DataArray type="Float64" NumberOfComponents="3" format="ascii">
        0 0 0
        4 0.1 0
        0 3 0
        </DataArray>
        </Points>
        <Cells>
        <DataArray type="Int32" Name="connectivity" format="ascii">
        0 1
        1 2
        2 0
        0 1 2
        </DataArray>
        <DataArray type="Int32" Name="offsets" format="ascii">
        2
        4
        6
        9
        </DataArray>
        <DataArray type="UInt8" Name="types" format="ascii">
        3
        3
        3
        5
        </DataArray>
        </Cells>
        <PointData>
        <DataArray type="Float64" Name="attribute0" format="ascii">
        1
        0.5
        2
        </DataArray>
        </PointData>
        <CellData>
        <DataArray type="Int32" Name="marker" format="ascii">
        7
        8
        -9
        0
        </DataArray>
        <DataArray type="Float64" Name="attribute0" format="ascii">
        0
        0
        0
        6
        </DataArray>
        </CellData>
        </Piece>
        </UnstructuredGrid>
        </VTKFile>
        """,
        Files.readString(file));
  }

  /** A document type can neither name another file nor repeat itself without an end. */
  @Test
  void entitiesAreNotFollowed() throws IOException {
    Path secret = Files.writeString(folder.resolve("secret"), "0 0 1");
    FormatFaults.assertFault(
        folder.resolve("m.vtu"),
        "<!DOCTYPE VTKFile [<!ENTITY a SYSTEM '"
            + secret.toUri()
            + "'>]>\n"
            + CELLS.replace("0 0 1 4", "&a; 4")
            + END,
        7,
        "malformed XML");
  }

  @Test
  void bytesThatAreNoTextAreRefused() throws IOException {
    Path file = folder.resolve("m.vtu");
    Files.write(file, (CELLS + "\u00fc" + END).getBytes(StandardCharsets.ISO_8859_1));
    FileFormatException fault =
        assertThrows(FileFormatException.class, () -> MeshFormats.read(file));
    assertTrue(fault.getMessage().contains("found bytes that are not UTF-8"), fault::getMessage);
  }

  static Arguments[] faults() {
    return new Arguments[] {
      Arguments.of("", 1, "malformed XML"),
      Arguments.of("# vtk DataFile\n", 1, "malformed XML: Content is not allowed in prolog."),
      Arguments.of("<VTKFile type='PolyData'/>", 1, "an element 'VTKFile' of type 'PolyData'"),
      Arguments.of("<\n\nsvg/>", 1, "malformed XML"),
      Arguments.of("<svg/>", 1, "an element 'svg', expected an element VTKFile"),
      Arguments.of(HEAD + "</UnstructuredGrid></VTKFile>", 0, "no piece, expected"),
      Arguments.of(CELLS, 21, "malformed XML"),
      Arguments.of(CELLS + "</Piece>\n<Piece>" + END, 22, "a second piece, expected one"),
      Arguments.of(CELLS.replace("Points='4'", "Points='5'") + END, 21, "4 points, expected 5"),
      Arguments.of(
          HEAD + "<Piece NumberOfPoints='5' NumberOfCells='0'>\n" + END, 4, "0 points, expected 5"),
      Arguments.of(CELLS.replace("Cells='2'", "Cells='3'") + END, 21, "2 types of cells"),
      Arguments.of(CELLS.replace("Cells='2'", "Cells='-1'") + END, 3, "NumberOfCells '-1'"),
      Arguments.of(
          CELLS.replace("'3' format='ascii'", "'3' format='appended'") + END,
          5,
          "an array '' of format 'appended', expected format 'ascii'"),
      Arguments.of(CELLS.replace("4 2 1", "4 2 2") + END, 7, "z 2.0, expected z 1.0"),
      Arguments.of(CELLS.replace("4 2 1", "4 inf 1") + END, 7, "'inf', expected a finite"),
      Arguments.of(CELLS.replace("4 2 1", "4 2") + END, 8, "11 values of the array ''"),
      Arguments.of(CELLS.replace("='3' format", "='2' format") + END, 5, "points of 2 components"),
      Arguments.of(CELLS.replace("0 2 3", "0 2 4") + END, 13, "vertex 4, expected a vertex, 0"),
      Arguments.of(CELLS.replace("0 2 3", "0 2 .5") + END, 13, "0.5 in the array 'connect"),
      Arguments.of(CELLS.replace("0 2 3", "0 2 2") + END, 13, "the corners 0 2 2, expected"),
      Arguments.of(CELLS.replace("0 2 3", "0 2 1") + END, 13, "an invalid mesh"),
      Arguments.of(CELLS.replace("5\n5\n", "5\n9\n") + END, 18, "cell type 9, a quadrilateral"),
      Arguments.of(CELLS.replace("3 6", "3 7") + END, 18, "the offset 7 of cell 1, expected more"),
      Arguments.of(CELLS.replace("3 6", "3 5") + END, 13, "a cell of type 5 with 2 points"),
      Arguments.of(CELLS.replace("'types'", "'kinds'") + END, 21, "cells without one of their"),
      Arguments.of(
          CELLS
              + "<PointData>\n<DataArray Name='x' format='ascii'>\n1 2 3</DataArray></PointData>"
              + END,
          22,
          "3 values of the array 'x', expected one for each of the 4 points"),
    };
  }

  @ParameterizedTest
  @MethodSource("faults")
  void faultsAreReportedWithTheirLine(String content, int line, String found) throws IOException {
    FormatFaults.assertFault(folder.resolve("m.vtu"), content, line, found);
  }
}
