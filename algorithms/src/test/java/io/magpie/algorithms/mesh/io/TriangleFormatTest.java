package io.magpie.algorithms.mesh.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.mesh.DelaunayTriangulation;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import io.magpie.algorithms.mesh.io.TriangleFormat.Constraint;
import io.magpie.algorithms.mesh.io.TriangleFormat.Part;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TriangleFormatTest {
  private static final String NODE = "4 2 0 0\n0 0 0\n1 4 0\n2 4 2\n3 0 2\n";
  private static final String ELE = "2 3 0\n0 0 1 2\n1 2 3 0\n";
  private static final String POLY = "0 2 0 0\n1 1\n0 2 0 7\n0\n";

  @TempDir Path folder;

  private Path base() {
    return folder.resolve("k.1");
  }

  private void file(String suffix, String content) throws IOException {
    Files.writeString(folder.resolve("k.1" + suffix), content);
  }

  private String content(String suffix) throws IOException {
    return Files.readString(folder.resolve("k.1" + suffix));
  }

  private Set<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(each -> each.getFileName().toString()).collect(Collectors.toSet());
    }
  }

  @Test
  void trianglesWithoutSegmentsGetTheirBoundary() throws IOException {
    file(".node", NODE);
    file(".ele", ELE);
    Mesh mesh = TriangleFormat.readMesh(base());
    assertArrayEquals(new double[] {0, 0, 4, 0, 4, 2, 0, 2}, mesh.coordinates());
    assertArrayEquals(new int[] {0, 1, 2, 2, 3, 0}, mesh.corners());
    assertEquals(4, mesh.segments());
    assertEquals(1, mesh.segmentMarker(3));
  }

  @Test
  void everythingIsKeptAndWrittenBackInTheSameWay() throws IOException {
    file(
        ".node",
        "# points,\rand no number\r\n\n 4\t2 2 1 # header\r\n  1 0 -0.0 .5 1e3 -7\r\n"
            + "2 4 0 1 2 0#3\n\n#\n3 +4.0E0 2 3 4 5\n4 0 2 5 6 2147483647");
    file(".ele", "2 3 1\n17 1 2 3 0.25\n\n17 3 4 1 -8 # last");
    file(
        ".poly",
        "0\n5 1\n1 1 2 -3\n2 2 3 4\n3 3 4 0\n4 4 1 2\n-9 1 3 6\n1\n1 8 9.5\n"
            + "2 # regions\n1 0.5 0.5 7 0.125\n2 1 1 3\n");
    Mesh mesh = TriangleFormat.readMesh(base());
    TriangleFormat.write(mesh, base());
    assertEquals(
        "4 2 2 1\n1 0 -0.0 0.5 1000 -7\n2 4 0 1 2 0\n3 4 2 3 4 5\n4 0 2 5 6 2147483647\n",
        content(".node"));
    assertEquals("2 3 1\n1 1 2 3 0.25\n2 3 4 1 -8\n", content(".ele"));
    assertEquals(
        "0 2 2 1\n5 1\n1 1 2 -3\n2 2 3 4\n3 3 4 0\n4 4 1 2\n5 1 3 6\n1\n1 8 9.5\n"
            + "2\n1 0.5 0.5 7 0.125\n2 1 1 3 3\n",
        content(".poly"));
  }

  @Test
  void clockwiseTrianglesAreTurned() throws IOException {
    file(".node", NODE);
    file(".ele", ELE.replace("1 2 3 0", "1 2 0 3"));
    assertArrayEquals(new int[] {0, 1, 2, 2, 3, 0}, TriangleFormat.readMesh(base()).corners());
  }

  @Test
  void pointsMayBeInThePoly() throws IOException {
    file(".poly", "3 2 0 1\n0 0 0 5\n1 1 0 6\n2 0 1 7\n1 0\n0 0 2\n0\n");
    PlanarGraph graph = TriangleFormat.readGraph(base());
    assertEquals(3, graph.vertices());
    assertEquals(7, graph.vertexMarker(2));
    assertEquals(2, graph.segmentEnd(0));
    assertFalse(graph.hasSegmentMarkers());
    assertFalse(TriangleFormat.hasTriangles(base()));
  }

  @Test
  void pointsAloneAreAGraph() throws IOException {
    file(".node", "2\n1 5 6\n2 7 8\n");
    PlanarGraph graph = TriangleFormat.readGraph(base());
    assertArrayEquals(new double[] {5, 6, 7, 8}, graph.coordinates());
    assertEquals(1, graph.firstIndex());
  }

  @ParameterizedTest
  @ValueSource(strings = {"k.1", "k.1.node", "k.1.poly", "k.1.ele", "k.1.gz", "k.1.ele.gz"})
  void aBaseMayHaveTheEndingOfItsFiles(String name) throws IOException {
    file(".node", NODE);
    file(".ele", ELE);
    Mesh mesh = TriangleFormat.readMesh(folder.resolve(name));
    assertEquals(2, mesh.triangles());
    assertTrue(TriangleFormat.hasTriangles(folder.resolve(name)));
    for (String suffix : List.of(".node", ".ele")) {
      Files.delete(folder.resolve("k.1" + suffix));
    }
    TriangleFormat.write(mesh, folder.resolve(name));
    String compression = name.endsWith(".gz") ? ".gz" : "";
    assertEquals(
        Set.of("k.1.node" + compression, "k.1.poly" + compression, "k.1.ele" + compression),
        names());
  }

  static Stream<Arguments> malformed() {
    return Stream.of(
        Arguments.of("", ELE, POLY, ".node: found an empty file, expected a header"),
        Arguments.of("# x\n", ELE, POLY, ".node:1: found the end of the file, expected a header"),
        Arguments.of(
            "x\n", ELE, POLY, ".node:1: found 'x', expected the number of vertices, 0 to "),
        Arguments.of("4 3 0 0\n", ELE, POLY, ".node:1: found '3', expected 2, the dimension"),
        Arguments.of(
            "4 2 0 2\n",
            ELE,
            POLY,
            ".node:1: found '2', expected 0 or 1, whether there are markers of vertices"),
        Arguments.of(
            "4 2 0 0 0\n",
            ELE,
            POLY,
            ".node:1: found '0', expected the end of the line after the header"),
        Arguments.of(
            NODE.replace("0 0 0\n", "2 0 0\n"),
            ELE,
            POLY,
            ".node:2: found '2', expected 0 or 1, the number of the first vertex"),
        Arguments.of(
            NODE.replace("2 4 2\n", "3 4 2\n"),
            ELE,
            POLY,
            ".node:4: found vertex 3, expected vertex 2, as vertices are listed in order"),
        Arguments.of(
            NODE.replace("1 4 0\n", "1 4 nan\n"),
            ELE,
            POLY,
            ".node:3: found 'nan', expected a coordinate, a finite number"),
        Arguments.of(
            NODE.replace("1 4 0\n", "1 4 1e400\n"),
            ELE,
            POLY,
            ".node:3: found '1e400', expected a coordinate, a finite number"),
        Arguments.of(
            NODE.replace("1 4 0\n", "1 4\n"),
            ELE,
            POLY,
            ".node:3: found the end of the line, expected a coordinate, a finite number"),
        Arguments.of(
            NODE.replace("1 4 0\n", "1 4 0 1\n"),
            ELE,
            POLY,
            ".node:3: found '1', expected the end of the line after the vertex"),
        Arguments.of(
            "5" + NODE.substring(1),
            ELE,
            POLY,
            ".node:5: found the end of the file after 4 vertices, expected 5 vertices as their"
                + " count says (the file may be truncated; correct the count if the lines are"
                + " right)"),
        Arguments.of(
            NODE + "4 1 1\n",
            ELE,
            POLY,
            ".node:6: found more vertices, expected 4 vertices as their count says (correct the"
                + " count if the lines are right)"),
        Arguments.of(
            NODE,
            ELE.replace("2 3 0\n", "2 6 0\n"),
            POLY,
            ".ele:1: found '6', expected 3, the corners of a triangle"),
        Arguments.of(
            NODE,
            ELE.replace("1 2 3 0", "1 2 4 0"),
            POLY,
            ".ele:3: found '4', expected a vertex, 0 to 3"),
        Arguments.of(
            NODE,
            ELE.replace("1 2 3 0", "1 2 3"),
            POLY,
            ".ele:3: found the end of the line, expected a vertex, 0 to 3"),
        Arguments.of(
            NODE,
            "3" + ELE.substring(1),
            POLY,
            ".ele:3: found the end of the file after 2 triangles, expected 3 triangles"),
        Arguments.of(
            NODE, ELE + "2 0 1 3\n", POLY, ".ele:4: found more triangles, expected 2 triangles"),
        Arguments.of(
            "0\n",
            ELE,
            POLY.replace("1 1\n0 2 0 7", "0 0"),
            ".ele:2: found '0', expected no vertex, as there are none"),
        Arguments.of(
            NODE,
            ELE.replace("1 2 3 0", "1 2 2 0"),
            POLY,
            ".ele:3: found the corners 2 2 0, expected three vertices that do not lie on one line"),
        Arguments.of(
            NODE,
            ELE.replace("1 2 3 0", "1 2 0 1"),
            POLY,
            ".ele:3: found an invalid mesh: triangles 0 and 1 both have an edge from vertex 0 to"
                + " 1"),
        Arguments.of(
            NODE,
            ELE,
            POLY.replace("0 2 0 7", "0 1 3 7"),
            ".ele: found an invalid mesh: segment 0 from vertex 1 to 3 is no edge of the"
                + " triangulation, expected triangles that meet in whole edges, and segments that"
                + " are edges of triangles"),
        Arguments.of(NODE, ELE, "0\n", ".poly:1: found the end of the file, expected a header"),
        Arguments.of(
            NODE,
            ELE,
            POLY.replace("0 2 0 7", "0 2 2 7"),
            ".poly:3: found a segment from vertex 2 to itself, expected two different vertices"),
        Arguments.of(
            NODE,
            ELE,
            POLY.replace("0 2 0 7", "0 2 0"),
            ".poly:3: found the end of the line, expected a marker"),
        Arguments.of(
            NODE,
            ELE,
            POLY.replace("0 2 0 7", "0 2 0 2147483648"),
            ".poly:3: found '2147483648', expected a marker"),
        Arguments.of(
            NODE,
            ELE,
            "0 2 0 0\n1 1\n0 2 0 7\n",
            ".poly:3: found the end of the file, expected the number of holes"),
        Arguments.of(
            NODE,
            ELE,
            "0 2 0 0\n1 1\n0 2 0 7\n1\n",
            ".poly:4: found the end of the file after 0 holes, expected 1 holes"),
        Arguments.of(
            NODE,
            ELE,
            POLY + "1\n1 2 3\n",
            ".poly:6: found the end of the line, expected an attribute"),
        Arguments.of(
            NODE,
            ELE,
            POLY + "1\n1 2 3 4 5\n6\n",
            ".poly:7: found more regions, expected 1 regions"));
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void faultsAreNamed(String node, String ele, String poly, String message) throws IOException {
    file(".node", node);
    file(".ele", ele);
    file(".poly", poly);
    FileFormatException e =
        assertThrows(FileFormatException.class, () -> TriangleFormat.readMesh(base()));
    String expected = base() + message;
    assertTrue(
        e.getMessage().startsWith(expected), () -> e.getMessage() + "\nexpected\n" + expected);
  }

  @Test
  void overlapsHaveALine() throws IOException {
    file(".node", "6 2\n1 0 0\n2 4 0\n3 0 4\n4 1 1\n5 5 1\n6 1 5\n");
    file(".ele", "2 3 0\n# the first\n1 1 2 3\n\n# the second\n2 4 5 6\n");
    FileFormatException e =
        assertThrows(FileFormatException.class, () -> TriangleFormat.readMesh(base()));
    assertTrue(
        e.getMessage()
            .startsWith(
                base()
                    + ".ele:6: found an invalid mesh: triangles 1 and 2 overlap: the edge of"
                    + " triangle 1 from vertex 2 to 3 crosses the edge of triangle 2"),
        e.getMessage());
  }

  /** Attributes are those of the triangles' file, whatever those of the regions are. */
  @Test
  void areasOfRegionsBoundThoseOfTriangles() throws IOException {
    file(".node", NODE);
    file(".ele", "2 3 1\n0 0 1 2 3\n1 2 3 0 4\n");
    file(".poly", POLY);
    assertFalse(TriangleFormat.readMesh(base()).hasAreaBounds());
    file(".poly", POLY + "# regions\n2\n\n0 3 1 5 0.1\n1 1 1 6 -1\n");
    Mesh mesh = TriangleFormat.readMesh(base());
    assertEquals(2, mesh.regions().size());
    assertEquals(0.1, mesh.areaBound(0));
    assertEquals(Double.POSITIVE_INFINITY, mesh.areaBound(1));
    assertEquals(1, mesh.triangleAttributes());
    assertEquals(3, mesh.triangleAttribute(0, 0));
    assertEquals(4, mesh.triangleAttribute(1, 0));
    file(".poly", POLY + "1\n0 3 1 0.25\n"); // a single value is both
    assertEquals(0.25, TriangleFormat.readMesh(base()).areaBound(0));
    Mesh triangulated = DelaunayTriangulation.ofConvexHull(TriangleFormat.readGraph(base()));
    assertEquals(1, triangulated.triangleAttributes());
    int right = triangulated.hasAreaBounds() && triangulated.areaBound(0) == 0.25 ? 0 : 1;
    assertEquals(0.25, triangulated.areaBound(right));
    assertEquals(0.25, triangulated.triangleAttribute(right, 0));
    assertEquals(0, triangulated.triangleAttribute(1 - right, 0));
  }

  @Test
  void regionsElsewhereAreRefused() throws IOException {
    file(".node", NODE);
    file(".ele", ELE);
    file(".poly", "# k\n" + POLY + "2\n0 3 1 5 0.1\n\n# outside\n1 9 1 6 0.2\n");
    FileFormatException e =
        assertThrows(FileFormatException.class, () -> TriangleFormat.readMesh(base()));
    assertEquals(
        base()
            + ".poly:10: found an invalid region: region 1 at 9.0 1.0 lies outside of the"
            + " domain or in a hole, expected a point inside of the domain and not on its segments"
            + " (move its point inside, or remove it)",
        e.getMessage());
    file(".poly", POLY + "1\n0 2 1 5 0.1\n");
    e = assertThrows(FileFormatException.class, () -> TriangleFormat.readMesh(base()));
    assertEquals(
        base()
            + ".poly:6: found an invalid region: region 0 at 2.0 1.0 lies on a segment, expected"
            + " a point inside of the domain and not on its segments (move its point to one of the"
            + " sides)",
        e.getMessage());
    file(".poly", POLY + "1\n0 1e-80 1 5 0.1\n");
    e = assertThrows(FileFormatException.class, () -> TriangleFormat.readMesh(base()));
    assertTrue(
        e.getMessage()
            .startsWith(
                base()
                    + ".poly:6: found an invalid region: region 0 at 1.0E-80 1.0 lies outside of"
                    + " the range of exact arithmetic, 0 or of magnitude 2^-204 to 2^250, expected"),
        e.getMessage());
    file(".poly", POLY + "1\n0 2 1 5 0\n"); // bounds nothing
    assertFalse(TriangleFormat.readMesh(base()).hasAreaBounds());
  }

  @Test
  void regionsThatAreLeftOutBoundNothing() throws IOException {
    file(".node", NODE);
    file(".ele", ELE);
    file(".poly", POLY + "1\n0 1 1.5 7 0.1\n");
    Mesh mesh = TriangleFormat.readMesh(base(), EnumSet.of(Constraint.SEGMENTS));
    assertEquals(1, mesh.regions().size());
    assertTrue(mesh.hasAreaBounds());
    assertEquals(Double.POSITIVE_INFINITY, mesh.areaBound(0));
    assertEquals(Double.POSITIVE_INFINITY, mesh.areaBound(1));
    file(".area", "2\n1 -1\n2 0.25\n");
    Mesh single =
        TriangleFormat.readMesh(base(), EnumSet.of(Constraint.SEGMENTS, Constraint.AREAS));
    assertEquals(Double.POSITIVE_INFINITY, single.areaBound(0));
    assertEquals(0.25, single.areaBound(1));
    assertFalse(TriangleFormat.readMesh(base(), EnumSet.noneOf(Constraint.class)).hasAreaBounds());
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> TriangleFormat.readMesh(base(), EnumSet.of(Constraint.REGIONS)));
    assertEquals(
        "REGIONS without SEGMENTS, which bound them and are in the same file: add SEGMENTS, or leave"
            + " out REGIONS",
        e.getMessage());
  }

  @Test
  void areasBoundSingleTriangles() throws IOException {
    file(".node", NODE);
    file(".ele", ELE);
    file(".area", "# bounds\n2\n\n0 0.1 # of the first\n1 -1\n");
    Mesh mesh = TriangleFormat.readMesh(base());
    assertEquals(0.1, mesh.areaBound(0));
    assertEquals(Double.POSITIVE_INFINITY, mesh.areaBound(1));
    assertEquals(0.1, TriangleFormat.readMesh(folder.resolve("k.1.area")).areaBound(0));
    file(".area", "2\n1 0\n2 3e1\n"); // may count from 1 where vertices count from 0
    assertEquals(Double.POSITIVE_INFINITY, TriangleFormat.readMesh(base()).areaBound(0));
    assertEquals(30, TriangleFormat.readMesh(base()).areaBound(1));
    file(".poly", POLY + "1\n0 1 1 7 20\n"); // the second one is its region
    assertEquals(20, TriangleFormat.readMesh(base()).areaBound(1));
    file(".area", "2\n1 -1\n2 0.5\n");
    assertEquals(Double.POSITIVE_INFINITY, TriangleFormat.readMesh(base()).areaBound(0));
    assertEquals(0.5, TriangleFormat.readMesh(base()).areaBound(1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''               | : found an empty file, expected the number of triangles",
        "3;0 1;1 1;2 1    | :1: found '3', expected 2, the number of triangles, each of which has",
        "2 1;0 1;1 1      | :1: found '1'",
        "2;0 1            | :2: found the end of the file after 1 area bounds, expected 2",
        "2;0 1;2 1        | :3: found '2', expected triangle 1, as bounds are listed in the order",
        "2;2 1;3 1        | :2: found '2', expected 0 or 1, the number of the first triangle",
        "2;0 1;#;1        | :4: found the end of the line, expected an area",
        "2;0 1;1 small    | :3: found 'small', expected an area, a finite number",
        "2;0 1;1 inf      | :3: found 'inf', expected an area, a finite number",
        "2;0 1;1 1 1      | :3: found '1'",
        "2;0 1;1 1;2 1    | :4: found more area bounds, expected 2 area bounds as their count says",
      })
  void faultsOfAreasAreNamed(String lines, String message) throws IOException {
    file(".node", NODE);
    file(".ele", ELE);
    file(".area", lines.replace(';', '\n'));
    FileFormatException e =
        assertThrows(FileFormatException.class, () -> TriangleFormat.readMesh(base()));
    String expected = base() + ".area" + message;
    assertTrue(
        e.getMessage().startsWith(expected), () -> e.getMessage() + "\nexpected\n" + expected);
  }

  @Test
  void basesAreTheSameUnderAnyName() throws IOException {
    for (String same : List.of("k.1", "k.1.poly", "k.1.node.gz", "./k.1.xz", "../%s/k.1")) {
      Path other = folder.resolve(String.format(same, folder.getFileName()));
      assertTrue(TriangleFormat.haveSameBase(base(), other), same);
    }
    for (String other : List.of("k", "k.2", "k.1.1", "none/k.1")) {
      assertFalse(TriangleFormat.haveSameBase(base(), folder.resolve(other)), other);
    }
  }

  /** A count that promises more than there is must not take memory for it. */
  @Test
  void largeCountsFailForTheMissingLines() throws IOException {
    file(".node", "1073741819 2 0 1\n0 0 0 0\n");
    FileFormatException e =
        assertThrows(FileFormatException.class, () -> TriangleFormat.readGraph(base()));
    assertEquals(
        base()
            + ".node:2: found the end of the file after 1 vertices, expected 1073741819 vertices as"
            + " their count says (the file may be truncated; correct the count if the lines are"
            + " right)",
        e.getMessage());
  }

  /** A rectangle of sides 4 and 2, cut from 0 0 to 4 2; its lower side has a marker. */
  @Test
  void edgesNeighborsAndCircumcentersAreWritten() throws IOException {
    file(".node", "4 2 1 0\n1 0 0 10\n2 4 0 14\n3 4 2 14\n4 0 2 10\n");
    file(".ele", "2 3 0\n1 1 2 3\n2 3 4 1\n");
    file(".poly", "0 2 1 0\n3 1\n1 2 1 5\n2 3 1 7\n3 1 4 0\n0\n");
    Mesh mesh = TriangleFormat.readMesh(base());
    Set<Part> parts = EnumSet.of(Part.EDGES, Part.NEIGHBORS, Part.VORONOI);
    Path out = folder.resolve("o");
    TriangleFormat.write(mesh, out, parts);
    assertEquals(
        Set.of("k.1.node", "k.1.ele", "k.1.poly", "o.edge", "o.neigh", "o.v.node", "o.v.edge"),
        names());
    assertEquals(
        Set.of("o.edge", "o.neigh", "o.v.node", "o.v.edge"),
        TriangleFormat.filesOfMesh(out, parts).stream()
            .map(each -> each.getFileName().toString())
            .collect(Collectors.toSet()));
    // Sides without a marker, and with marker 0, count as 1.
    assertEquals(
        "5 1\n1 2 3 1\n2 3 1 7\n3 1 2 5\n4 4 1 1\n5 3 4 1\n",
        Files.readString(folder.resolve("o.edge")));
    assertEquals("2 3\n1 -1 2 -1\n2 -1 1 -1\n", Files.readString(folder.resolve("o.neigh")));
    assertEquals("2 2 1 0\n1 2 1 12\n2 2 1 12\n", Files.readString(folder.resolve("o.v.node")));
    assertEquals(
        "5 0\n1 1 -1 2 0\n2 1 2\n3 1 -1 0 -4\n4 2 -1 -2 0\n5 2 -1 0 4\n",
        Files.readString(folder.resolve("o.v.edge")));
  }

  /** The doubled area is far below the rounding error of its products, or of about their size. */
  @ParameterizedTest
  @CsvSource({
    "1,0, 0.5,1e-12",
    "1,1.000000000931322574615478515625, -1,-0.999999999068677425384521484375",
    "1,1.000000000931322574615478515625, -1,-0.9",
    "1e6,1000000.1, -1e6,-1000000.0999999",
    "1e70,1e70, 3e69,3.0000000000000003e69",
    "0.1,0.3, 0.7,2.1",
  })
  void circumcentersOfThinTrianglesAreRight(double bx, double by, double cx, double cy)
      throws IOException {
    file(".node", "3 2 1 0\n1 0 0 0\n2 " + bx + " " + by + " 1\n3 " + cx + " " + cy + " 2\n");
    file(".ele", "1 3 0\n1 1 2 3\n");
    TriangleFormat.write(
        TriangleFormat.readMesh(base()), folder.resolve("o"), EnumSet.of(Part.VORONOI));
    String[] found = Files.readString(folder.resolve("o.v.node")).split("\\s+");
    BigDecimal b0 = new BigDecimal(bx);
    BigDecimal b1 = new BigDecimal(by);
    BigDecimal c0 = new BigDecimal(cx);
    BigDecimal c1 = new BigDecimal(cy);
    BigDecimal area = b0.multiply(c1).subtract(b1.multiply(c0)).multiply(BigDecimal.valueOf(2));
    BigDecimal bb = b0.multiply(b0).add(b1.multiply(b1));
    BigDecimal cc = c0.multiply(c0).add(c1.multiply(c1));
    double x = quotient(c1.multiply(bb).subtract(b1.multiply(cc)), area);
    double y = quotient(b0.multiply(cc).subtract(c0.multiply(bb)), area);
    double radius = Math.hypot(x, y);
    assertEquals(x, Double.parseDouble(found[5]), 1e-13 * radius);
    assertEquals(y, Double.parseDouble(found[6]), 1e-13 * radius);
  }

  private static double quotient(BigDecimal a, BigDecimal b) {
    return a.divide(b, MathContext.DECIMAL128).doubleValue();
  }

  @Test
  void circumcentersBeyondDoublesAreRefused() throws IOException {
    file(".node", "3 2 1 0\n1 0 0 0\n2 1e75 1e-60 1\n3 5e74 5.000000000000001e-61 1e20\n");
    file(".ele", "1 3 0\n1 1 2 3\n");
    Mesh mesh = TriangleFormat.readMesh(base());
    IOException e =
        assertThrows(
            IOException.class,
            () -> TriangleFormat.write(mesh, folder.resolve("o"), EnumSet.of(Part.VORONOI)));
    assertEquals(
        "at the circumcenter of triangle 1 a coordinate or attribute is beyond the range of doubles,"
            + " as that triangle is too thin; leave out the Voronoi diagram",
        e.getMessage());
    assertEquals(Set.of("k.1.node", "k.1.ele"), names());
  }

  @Test
  void missingFilesAreNamed() throws IOException {
    assertEquals(
        base() + ".ele: there is no such file, nor one of that name with .gz or .xz added",
        assertThrows(NoSuchFileException.class, () -> TriangleFormat.readMesh(base()))
            .getMessage());
    file(".ele", ELE);
    file(".poly", POLY);
    assertEquals(
        base() + ".node: there is no such file, nor one of that name with .gz or .xz added",
        assertThrows(NoSuchFileException.class, () -> TriangleFormat.readMesh(base()))
            .getMessage());
  }

  @Test
  void theSameFileTwiceIsRefused() throws IOException {
    file(".node", NODE);
    file(".ele", ELE);
    file(".ele.gz", "");
    assertEquals(
        base()
            + ".ele: found "
            + base()
            + ".ele.gz as well, expected only one of them (remove the one that is out of date)",
        assertThrows(FileFormatException.class, () -> TriangleFormat.readMesh(base()))
            .getMessage());
  }

  /** The last of three files cannot take its place: a folder is there. */
  @Test
  void aFailedWriteLeavesNothing() throws IOException {
    file(".node", NODE);
    file(".ele", ELE);
    Mesh mesh = TriangleFormat.readMesh(base());
    Path taken = folder.resolve("l.ele");
    Files.createDirectories(taken.resolve("full"));
    assertThrows(IOException.class, () -> TriangleFormat.write(mesh, folder.resolve("l")));
    assertEquals(Set.of("k.1.node", "k.1.ele", "l.ele"), names());
    Path nowhere = folder.resolve("none").resolve("m");
    assertThrows(NoSuchFileException.class, () -> TriangleFormat.write(mesh, nowhere));
  }
}
