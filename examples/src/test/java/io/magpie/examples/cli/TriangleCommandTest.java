package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.RefinementClaim;
import io.magpie.algorithms.mesh.io.TriangleFormat;
import io.magpie.algorithms.mesh.verify.MeshVerification;
import io.magpie.algorithms.mesh.verify.MeshVerifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TriangleCommandTest {
  @TempDir Path folder;

  /** A square of side 8 with a notch on top; in it a square hole, and a region beside that. */
  @BeforeEach
  void write() throws IOException {
    Files.writeString(
        folder.resolve("a.poly"),
        """
        9 2 0 0
        1 0 0
        2 8 0
        3 8 8
        4 4 6
        5 0 8
        6 2 2
        7 4 2
        8 4 4
        9 2 4
        9 1
        1 1 2 5
        2 2 3 0
        3 3 4 0
        4 4 5 0
        5 5 1 0
        6 6 7 -2
        7 7 8 0
        8 8 9 0
        9 9 6 0
        1
        1 3 3
        1
        1 6 1 7 0.5
        """);
    Files.writeString(folder.resolve("p.node"), "4 2 0 0\n0 0 0\n1 8 0\n2 8 8\n3 0 9\n");
  }

  private CommandRun triangle(String... words) {
    List<String> all = new ArrayList<>(List.of("triangle", "--device", "cpu:2"));
    Arrays.stream(words)
        .map(word -> word.startsWith("-") ? word : folder.resolve(word).toString())
        .forEach(all::add);
    return CommandRun.of(all.toArray(new String[0]));
  }

  private Set<String> written() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(each -> each.getFileName().toString())
          .filter(name -> !Set.of("a.poly", "p.node").contains(name))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private Mesh mesh(String base) throws IOException {
    return TriangleFormat.readMesh(folder.resolve(base));
  }

  private static long parts(Mesh mesh, int marker) {
    return IntStream.range(0, mesh.segments()).filter(s -> mesh.segmentMarker(s) == marker).count();
  }

  private static double area(Mesh mesh, int t) {
    int a = mesh.corner(t, 0);
    int b = mesh.corner(t, 1);
    int c = mesh.corner(t, 2);
    return ((mesh.x(b) - mesh.x(a)) * (mesh.y(c) - mesh.y(a))
            - (mesh.y(b) - mesh.y(a)) * (mesh.x(c) - mesh.x(a)))
        / 2;
  }

  private static double area(Mesh mesh) {
    double area = 0;
    for (int t = 0; t < mesh.triangles(); t++) {
      area += area(mesh, t);
    }
    return area;
  }

  private static double largest(Mesh mesh) {
    double largest = 0;
    for (int t = 0; t < mesh.triangles(); t++) {
      largest = Math.max(largest, area(mesh, t));
    }
    return largest;
  }

  private static int bad(Mesh mesh, double angle) {
    MeshVerification found =
        MeshVerifier.verify(mesh, mesh, RefinementClaim.of(angle).withStop(Long.MAX_VALUE));
    return (int) found.bad();
  }

  /** By hand, but for the order of triangles and corners, which Triangle may choose differently. */
  @Test
  void aTriangulationIsWrittenAsByTriangle() throws IOException {
    Files.writeString(
        folder.resolve("s.poly"),
        "4 2 0 0\n1 0 0\n2 4 0\n3 4 2\n4 0 2\n5 1\n1 1 2 9\n2 1 3 0\n3 2 3 0\n4 3 4 8\n5 4 1 0\n0\n");
    triangle("-penv", "s.poly").expect(ExitStatus.OK);
    assertEquals("4 2 0 1\n1 0 0 9\n2 4 0 9\n3 4 2 8\n4 0 2 8\n", read("s.1.node"));
    assertEquals("2 3 0\n1 4 1 3\n2 3 1 2\n", read("s.1.ele"));
    assertEquals(
        "0 2 0 1\n5 1\n1 1 2 9\n2 1 3 0\n3 2 3 1\n4 3 4 8\n5 4 1 1\n0\n", read("s.1.poly"));
    assertEquals("5 1\n1 1 3 0\n2 3 4 8\n3 4 1 1\n4 1 2 9\n5 2 3 1\n", read("s.1.edge"));
    assertEquals("2 3\n1 2 -1 -1\n2 -1 -1 1\n", read("s.1.neigh"));
    assertEquals("2 2 0 0\n1 2 1\n2 2 1\n", read("s.1.v.node"));
  }

  private String read(String name) throws IOException {
    return Files.readString(folder.resolve(name));
  }

  @Test
  void withoutSwitchesPointsAreTriangulated() throws IOException {
    CommandRun run = triangle("p").expect(ExitStatus.OK);
    assertEquals(Set.of("p.1.ele", "p.1.node"), written());
    assertEquals(
        "4 2 0 1\n0 0 0 1\n1 8 0 1\n2 8 8 1\n3 0 9 1\n",
        Files.readString(folder.resolve("p.1.node")));
    assertEquals(2, mesh("p.1").triangles());
    assertTrue(run.out().contains("4 vertices, 2 triangles, 4 segments"), run.out());
    assertEquals("", triangle("-Q", "p.node").expect(ExitStatus.OK).out());
  }

  /** A script's usual call. */
  @Test
  void aGraphIsRefined() throws IOException {
    CommandRun run = triangle("-pq30a0.1DnC", "a.poly").expect(ExitStatus.OK);
    assertEquals(Set.of("a.1.ele", "a.1.neigh", "a.1.node", "a.1.poly"), written());
    Mesh mesh = mesh("a.1");
    assertEquals(8 * 8 - 2 * 8 / 2 - 2 * 2, area(mesh), 1e-9);
    assertTrue(largest(mesh) <= 0.1, largest(mesh) + "");
    assertEquals(0, bad(mesh, 30));
    assertEquals(0, mesh.triangleAttributes());
    assertTrue(MeshVerifier.delaunay(Mesh.of(mesh.coordinates(), mesh.corners())).passed());
    assertTrue(run.out().contains("verified "), run.out());
    assertTrue(run.out().contains("a.1.neigh"), run.out());
    for (int s = 0; s < mesh.segments(); s++) {
      double x = (mesh.x(mesh.segmentStart(s)) + mesh.x(mesh.segmentEnd(s))) / 2;
      double y = (mesh.y(mesh.segmentStart(s)) + mesh.y(mesh.segmentEnd(s))) / 2;
      int expected = y == 0 ? 5 : y == 2 && x > 2 && x < 4 ? -2 : 1;
      assertEquals(expected, mesh.segmentMarker(s), x + " " + y);
    }
    for (int v = 0; v < mesh.vertices(); v++) {
      double x = mesh.x(v);
      double y = mesh.y(v);
      boolean onOuter = x == 0 || x == 8 || Math.abs(y - (x < 4 ? 8 - x / 2 : 4 + x / 2)) < 1e-12;
      boolean onHole = x >= 2 && x <= 4 && y >= 2 && y <= 4;
      int expected = y == 0 ? 5 : onHole && y == 2 ? -2 : onOuter || onHole ? 1 : 0;
      assertEquals(expected, mesh.vertexMarker(v), x + " " + y);
    }
  }

  /** Attributes and areas of regions only where they are asked for; never with -r. */
  @ParameterizedTest
  @CsvSource({
    "-pq, a.poly, 0, false",
    "-pqA, a.poly, 1, false",
    "-pqa, a.poly, 0, true",
    "-pqaA, a.poly, 1, true",
    "-pA, a.poly, 1, false",
    "-A, p, 0, false",
  })
  void regionsCountOnRequest(String switches, String file, int attributes, boolean bounded)
      throws IOException {
    triangle(switches, file).expect(ExitStatus.OK);
    String base = file.substring(0, 1) + ".1";
    List<String> lines = Files.readAllLines(folder.resolve(base + ".ele"));
    assertTrue(lines.get(0).endsWith(" 3 " + attributes), lines.get(0));
    Mesh mesh = mesh(base);
    assertEquals(bounded, largest(mesh) <= 0.5, largest(mesh) + "");
    if (attributes == 1) {
      assertEquals(7, mesh.triangleAttribute(0, 0));
    }
    assertEquals(file.equals("p") ? 0 : 1, mesh.regions().size());
    if (switches.equals("-pqA")) {
      triangle("-rpq33", "a.1").expect(ExitStatus.OK); // areas of regions do not count
      assertTrue(largest(mesh("a.2")) > 0.5);
      assertEquals(7, mesh("a.2").triangleAttribute(0, 0));
    }
  }

  @Test
  void aMeshIsRefinedWithinItsAreas() throws IOException {
    triangle("-pq20", "a.poly").expect(ExitStatus.OK);
    int triangles = mesh("a.1").triangles();
    StringBuilder areas = new StringBuilder(triangles + "\n");
    for (int t = 1; t <= triangles; t++) {
      areas.append(t).append(t == 1 ? " 0.01\n" : " -1\n");
    }
    CommandRun missing = triangle("-rpqa", "a.1").expect(ExitStatus.BAD_INPUT);
    assertTrue(missing.err().contains("a.1.area: no such file, and -a without"), missing.err());
    Files.writeString(folder.resolve("a.1.area"), areas);
    triangle("-rpq20aC", "a.1").expect(ExitStatus.OK);
    int refined = mesh("a.2").triangles();
    assertTrue(refined > triangles + 20, triangles + " became " + refined);
    triangle("-p", "a.1.area").expect(ExitStatus.OK); // implies -r and -a, which bound no angle
    assertTrue(mesh("a.2").triangles() <= refined, "" + mesh("a.2").triangles());
    triangle("-rpq20", "a.1").expect(ExitStatus.OK); // what is asked is there already
    assertEquals(triangles, mesh("a.2").triangles());
    assertTrue(Files.exists(folder.resolve("a.2.poly")));
    // Without p the segments are not read, and not written.
    Files.delete(folder.resolve("a.2.poly"));
    Files.writeString(folder.resolve("a.1.poly"), "malformed");
    triangle("-rq20", "a.1").expect(ExitStatus.OK);
    assertTrue(Files.notExists(folder.resolve("a.2.poly")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-p     | a.poly   | a.1.ele a.1.node a.1.poly                                | 52",
        "-pO    | a        | a.1.ele a.1.node a.1.poly                                | 56",
        "-pc    | a        | a.1.ele a.1.node a.1.poly                                | 60",
        "-pPNev | a        | a.1.edge a.1.ele a.1.v.edge a.1.v.node                   |",
        "-pE    | a        | a.1.node a.1.poly                                        |",
        "-pIq   | a        | a.ele a.node                                             |",
        "-c     | p        | p.1.ele p.1.node p.1.poly                                | 68",
        "-I     | p.node   | p.ele                                                    |",
        "-zV    | p        | p.1.ele p.1.node                                         | 68",
      })
  void filesAreThoseOfTriangle(String switches, String file, String names, Double area)
      throws IOException {
    triangle(switches, file).expect(ExitStatus.OK);
    assertEquals(Set.of(names.split(" +")), written());
    if (area != null) {
      assertEquals(area, area(mesh(file.substring(0, 1) + ".1")), 1e-9);
    }
  }

  /** What counts is where the points were read, not what else lies there. */
  @ParameterizedTest
  @CsvSource({"-pI, 9, 9", "-pqI, 10, 1000", "-pqIj, 10, 1000", "-pIN, 0, 0"})
  void aNodeThatWasNotReadIsReplaced(String switches, int least, int most) throws IOException {
    Files.writeString(folder.resolve("a.node"), "3 2 0 0\n1 0 0\n2 1 0\n3 0 1\n");
    triangle(switches, "a").expect(ExitStatus.OK);
    assertEquals(Set.of("a.ele", "a.node"), written());
    int vertices = Integer.parseInt(read("a.node").split(" ")[0]);
    assertEquals(most == 0, vertices == 3, "" + vertices);
    assertTrue(most == 0 || vertices >= least && vertices <= most, "" + vertices);
    if (most > 0) { // .ele has the corners of .node
      Files.delete(folder.resolve("a.poly"));
      assertEquals(52, area(mesh("a")), 1e-9);
    }
  }

  @Test
  void aNodeThatWasReadIsKept() throws IOException {
    String points = read("p.node");
    Files.writeString(folder.resolve("p.poly"), "0 2\n4\n0 0 1\n1 1 2\n2 2 3\n3 3 0\n0\n");
    CommandRun run = triangle("-pqI", "p").expect(ExitStatus.USAGE);
    assertTrue(run.err().contains("so the vertices that are added would be lost"), run.err());
    triangle("-pI", "p").expect(ExitStatus.OK);
    assertEquals(Set.of("p.ele", "p.poly"), written());
    assertEquals(points, read("p.node"));
    CommandRun none = triangle("-pI", "none").expect(ExitStatus.BAD_INPUT);
    assertTrue(none.err().contains("none.poly: no such file, and -p reads it"), none.err());
  }

  @Test
  void markersAreOmittedOnRequest() throws IOException {
    triangle("-pBq", "a").expect(ExitStatus.OK);
    assertTrue(Files.readAllLines(folder.resolve("a.1.node")).get(0).endsWith(" 2 0 0"));
    assertTrue(Files.readAllLines(folder.resolve("a.1.poly")).get(1).endsWith(" 0"));
  }

  /** The first vertex is that of no triangle, the third lies in the hole. */
  @Test
  void unusedVerticesAreDroppedOnRequest() throws IOException {
    Files.writeString(
        folder.resolve("u.poly"),
        """
        9 2 1 0
        1 20 0 1
        2 0 0 2
        3 3.5 3 3
        4 8 0 4
        5 4 8 5
        6 2 2 6
        7 4 2 7
        8 4 4 8
        9 30 30 9
        6 1
        1 2 4 3
        2 4 5 0
        3 5 2 0
        4 6 7 4
        5 7 8 0
        6 8 6 0
        1
        1 3.5 2.5
        """);
    triangle("-pe", "u").expect(ExitStatus.OK);
    Mesh all = mesh("u.1");
    triangle("-pjenA", "u").expect(ExitStatus.OK);
    Mesh used = mesh("u.1");
    assertEquals(
        """
        6 2 1 1
        1 0 0 2 3
        2 8 0 4 3
        3 4 8 5 1
        4 2 2 6 4
        5 4 2 7 4
        6 4 4 8 1
        """,
        read("u.1.node"));
    assertEquals(9, all.vertices());
    assertEquals(area(all), area(used));
    assertEquals(all.triangles(), used.triangles());
    assertEquals(all.holes(), used.holes());
    for (int s = 0; s < all.segments(); s++) {
      assertEquals(all.segmentMarker(s), used.segmentMarker(s));
      assertEquals(all.x(all.segmentStart(s)), used.x(used.segmentStart(s)));
      assertEquals(all.y(all.segmentEnd(s)), used.y(used.segmentEnd(s)));
    }
    for (int t = 0; t < all.triangles(); t++) {
      assertEquals(all.x(all.corner(t, 0)), used.x(used.corner(t, 0)));
      assertEquals(all.y(all.corner(t, 2)), used.y(used.corner(t, 2)));
    }
  }

  @Test
  void addedVerticesMayBeFew() throws IOException {
    CommandRun run = triangle("-pq30S5", "a").expect(ExitStatus.STOPPED_EARLY);
    assertTrue(run.err().contains("stopped early (vertex limit) with 5 vertices added"), run.err());
    assertEquals(14, mesh("a.1").vertices());
    triangle("-pq30S0", "a").expect(ExitStatus.STOPPED_EARLY);
    assertEquals(9, mesh("a.1").vertices());
    triangle("-pq30S5000", "a").expect(ExitStatus.OK);
  }

  /** Segments of marker 2 are the boundary, that of marker 3 is an inner one. */
  @ParameterizedTest
  @CsvSource({"-pqC, 0, 0", "-pqYC, 5, 0", "-pqYYC, 5, 1", "-Y -pqYC, 5, 1", "-pY, 5, 1"})
  void segmentsStayWholeOnRequest(String switches, int outer, int inner) throws IOException {
    Files.writeString(
        folder.resolve("y.poly"),
        "6 2\n1 0 0\n2 8 0\n3 8 8\n4 4 6\n5 0 8\n6 2.6 0.2\n"
            + "6 1\n1 1 2 2\n2 2 3 2\n3 3 4 2\n4 4 5 2\n5 5 1 2\n6 5 6 3\n0\n");
    List<String> words = new ArrayList<>(List.of(switches.split(" ")));
    words.add("y");
    boolean left = outer > 0 && switches.contains("q");
    CommandRun run =
        triangle(words.toArray(new String[0]))
            .expect(left ? ExitStatus.STOPPED_EARLY : ExitStatus.OK);
    Mesh mesh = mesh("y.1");
    assertEquals(outer > 0, parts(mesh, 2) == 5);
    assertEquals(inner > 0, parts(mesh, 3) == 1);
    if (left) {
      assertTrue(run.err().contains("stopped early (segments kept) with "), run.err());
      assertTrue(run.err().contains("left; the mesh was written. Leave out Y"), run.err());
      assertTrue(bad(mesh, 20) > 0);
      assertTrue(run.err().contains(" " + bad(mesh, 20) + " bad "), run.err());
    }
  }

  /** Without a bound, only segments are split; here also two that meet at a small angle. */
  @Test
  void segmentsAreDelaunayOnRequest() throws IOException {
    Files.writeString(
        folder.resolve("w.poly"),
        "4 2\n1 0 0\n2 10 0\n3 12 1\n4 2 1\n5 1\n1 1 2 1\n2 2 3 1\n3 3 4 1\n4 4 1 1\n5 1 3 1\n0\n");
    triangle("-p", "w").expect(ExitStatus.OK);
    Mesh constrained = mesh("w.1");
    assertFalse(
        MeshVerifier.delaunay(Mesh.of(constrained.coordinates(), constrained.corners())).passed());
    triangle("-pDC", "w").expect(ExitStatus.OK);
    Mesh mesh = mesh("w.1");
    assertTrue(MeshVerifier.delaunay(Mesh.of(mesh.coordinates(), mesh.corners())).passed());
    assertTrue(mesh.vertices() > 4, "" + mesh.vertices());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-pDY a     | -Y with -D: where segments stay whole",
        "-pqYYY a   | '-pqYYY': Y three times; once for the boundary, twice for all segments",
        "-ps a      | '-ps': -s is not supported: it inserts segments by splitting them; use -D",
        "-pqu a     | -u is not supported",
        "-Ij p      | so its numbers would be others",
        "-po2 a     | -o is not supported: it makes triangles of six nodes",
        "-pX a      | -X is not supported",
        "-pw a      | -w is not supported: it weighs vertices by an attribute",
        "-W p       | -W is not supported: it weighs vertices by an attribute",
        "-pqL a     | -L is not supported: it asks earlier versions of Triangle",
        "-pg a      | -g is not supported",
        "-pk a      | 'k' is not a switch of Triangle; supported are p r q a A c D",
        "-p3 a      | -p takes no number; leave out 3",
        "-pq34 a    | -q34: angles of at most 33.0 degrees can be asked for",
        "-pq034. a  | -q034.: angles of at most 33.0 degrees can be asked for",
        "-pq1.2.3 a | '1.2.3' is no number",
        "-pa0 a     | -a0: expected an area above 0",
        "-pa-1 a    | -a: expected a number such as 0.1, without sign or exponent",
        "-pa-.5 a   | -a: expected a number such as 0.1, without sign or exponent",
        "-pq-5 a    | -q: expected a number such as 0.1, without sign or exponent",
        "-pq+5 a    | -q: expected a number such as 0.1, without sign or exponent",
        "-pqa1e-3 a | '-pqa1e-3': -a: expected a number such as 0.1, without sign or exponent",
        "-pq3E1 a   | -q: expected a number such as 0.1, without sign or exponent",
        "-pqS5.5 a  | -S: expected a whole number",
        "-pqS-5 a   | -S: expected a whole number",
        "-pqS1e3 a  | -S: expected a whole number",
        "-pqS a     | -S: expected a number of vertices, as in -S1000",
        "-pS5 a     | -S has no effect without -q, -a or -D",
        "-a p       | -a without a number has bounds in regions (with -p) or in FILE.area",
        "-pBe a     | -B with -e",
        "-rI a      | -I with -r would write over FILE.ele",
        "-Iq p      | so the vertices that are added would be lost",
        "-NE p      | nothing would be written",
        "-p         | the name of a file is missing",
        "-p a p     | name one",
        "--pq a     | Unknown option: '--pq'",
      })
  void whatIsNotPossibleIsRefused(String words, String message) throws IOException {
    CommandRun run = triangle(words.split(" ")).expect(ExitStatus.USAGE);
    assertTrue(run.err().contains(message), run.err());
    assertEquals(Set.of(), written());
  }

  @Test
  void aNumberAfterABlankIsPointedAt() {
    CommandRun run = CommandRun.of("triangle", "-pq", "-a", "0.1", "reg").expect(ExitStatus.USAGE);
    assertTrue(run.err().contains("name one, or write a number without a blank, -a0.1"), run.err());
  }

  @Test
  void oneThingIsNotSeveral() {
    CommandRun run = triangle("-pqS1", "a").expect(ExitStatus.STOPPED_EARLY);
    assertTrue(run.err().contains("with 1 vertex added: "), run.err());
  }

  @Test
  void theInputIsNotReplacedThroughLinks() throws IOException {
    String poly = read("a.poly");
    Files.createSymbolicLink(folder.resolve("a.1.node"), Path.of("a.poly"));
    CommandRun run = triangle("-p", "a").expect(ExitStatus.USAGE);
    assertTrue(run.err().contains("a.1.node would replace the input's own file"), run.err());
    assertEquals(poly, read("a.poly"));
  }

  @Test
  void faultsOfFilesAreNamed() throws IOException {
    CommandRun noSegments = triangle("-p", "p").expect(ExitStatus.BAD_INPUT);
    assertTrue(
        noSegments.err().contains("p.poly: no such file, and -p reads it"), noSegments.err());
    CommandRun noTriangles = triangle("-rq", "p").expect(ExitStatus.BAD_INPUT);
    assertTrue(noTriangles.err().contains("p.ele"), noTriangles.err());
    Files.writeString(folder.resolve("t.node"), "4 2\n1 0 0\n2 1 0\n3 0 0\n4 0 1\n");
    CommandRun twice = triangle("t").expect(ExitStatus.BAD_INPUT);
    assertTrue(twice.err().contains("vertices 1 and 3 at 0.0 0.0 coincide"), twice.err());
    assertTrue(twice.err().contains("magpie refine --merge-duplicates"), twice.err());
    CommandRun small = triangle("-pqa0.0000000000000000001", "a").expect(ExitStatus.BAD_INPUT);
    assertTrue(small.err().contains("a: -a0.0000000000000000001: an area of 52"), small.err());
    Files.writeString(
        folder.resolve("r.poly"),
        Files.readString(folder.resolve("a.poly")).replace("1 6 1 7 0.5", "1 60 1 7 0.5"));
    CommandRun region = triangle("-pqa", "r").expect(ExitStatus.BAD_INPUT);
    assertTrue(region.err().contains("r.poly:24: found an invalid region"), region.err());
  }

  @Test
  void waysToTheSameTriangulationAreIgnored() throws IOException {
    assertEquals("", triangle("-p", "a").expect(ExitStatus.OK).err());
    String triangles = read("a.1.ele");
    CommandRun run = triangle("-piFl", "a").expect(ExitStatus.OK);
    assertEquals(triangles, read("a.1.ele"));
    assertEquals(3, run.err().lines().count(), run.err());
    for (String letter : List.of("i", "F", "l")) {
      assertTrue(run.err().contains("-" + letter + " is ignored: it "), run.err());
      assertTrue(run.err().contains("; the triangulation is the same"), run.err());
    }
    assertEquals("", triangle("-piQ", "a").expect(ExitStatus.OK).err());
  }

  @Test
  void verboseIsNoVersion() throws IOException {
    String switched = triangle("-V", "p").expect(ExitStatus.OK).out();
    assertTrue(switched.contains("4 vertices, 2 triangles"), switched);
    assertEquals(Set.of("p.1.ele", "p.1.node"), written());
    triangle("-p", "-V", "a.poly").expect(ExitStatus.OK);
    assertTrue(Files.exists(folder.resolve("a.1.poly")));
    String details = triangle("-V", "-pq", "a.poly").expect(ExitStatus.OK).out();
    String plain = triangle("-pq", "a.poly").expect(ExitStatus.OK).out();
    assertTrue(details.lines().count() > plain.lines().count(), details);
    String version = CommandRun.of("--version").expect(ExitStatus.OK).out();
    assertEquals(version, CommandRun.of("triangle", "--version").expect(ExitStatus.OK).out());
    assertEquals(version, CommandRun.of("refine", "-V").expect(ExitStatus.OK).out());
  }

  @Test
  void helpHasTheSwitches() {
    String help = triangle("-ph", "a").expect(ExitStatus.OK).out();
    assertTrue(help.contains("  q  no angle below 20 degrees"), help);
    assertEquals(help, CommandRun.of("triangle", "--help").expect(ExitStatus.OK).out());
    for (String word : List.of("-h", "-H", "-?", "-pqH")) {
      assertEquals(help, CommandRun.of("triangle", word).expect(ExitStatus.OK).out(), word);
    }
  }
}
