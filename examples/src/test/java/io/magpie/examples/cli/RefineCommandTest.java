package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.magpie.algorithms.mesh.AngleHistogram;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.io.MeshFormats;
import io.magpie.algorithms.mesh.io.TriangleFormat;
import io.magpie.algorithms.mesh.refine.RefinementOptions;
import io.magpie.algorithms.mesh.verify.MeshVerifier;
import io.magpie.examples.cli.options.EnumOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RefineCommandTest {
  @TempDir Path folder;

  private String file(String name) {
    return folder.resolve(name).toString();
  }

  private static CommandRun refine(String... arguments) {
    return CommandRun.of(
        Stream.concat(Stream.of("refine", "--device", "cpu:2"), Arrays.stream(arguments))
            .toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource({
    "cpu:2, uniform:400, --sync transactions",
    "cpu:2, holes:6, --sync transactions --policy priority_rule --angle 25",
    "cpu:2, clustered:300, --sync marks --max-area 0.001",
    "cpu-checked:2, map:200, --sync marks --slice 16 --point circumcenter --angle 20",
    "sim:3:4, grid:100, --sync transactions --threads-in-flight 8 --batch 1",
    "sim:0:32, graded:60, --sync marks",
    "cpu:2, uniform:300, --sync three-phases --phases work=slots sorted=on --layout shuffled",
    "cpu:2, holes:4, --sync two-stages --phases priority=lower sharing=on --layout hilbert",
    "sim:5:8, uniform:40, --sync atomic-stages --phases lists=local recycling=off --batch 1",
    "cpu:2, clustered:200, --sync maximal-sets --overlap cavities --slice 32",
    "sim:3:4, uniform:40, --sync maximal-sets --angle 25",
  })
  void verifiesEveryVariant(String device, String points, String options) {
    List<String> arguments = new ArrayList<>(List.of("refine", "--points", points, "--verify"));
    arguments.addAll(List.of("--device", CommandRun.compiled(device)));
    arguments.addAll(List.of(options.split(" ")));
    CommandRun run = CommandRun.of(arguments.toArray(new String[0])).expect(ExitStatus.OK);
    assertTrue(run.out().contains("verified  "), run.out());
    assertTrue(run.out().contains("outcome   finished"), run.out());
    assertFalse(run.out().contains("degrees     all angles"), "nobody asked for the histogram");
    assertEquals("", run.err());
    assertTrue(run.out().contains("aborts    "), run.out());
  }

  @Test
  void showsRoundsBehindTheResultIfAsked() {
    String[] call = {
      "refine", "--device", "cpu", "--points", "uniform:99", "--verify", "--details"
    };
    String all = CommandRun.of(call).expect(ExitStatus.OK).out();
    String few = CommandRun.of(Arrays.copyOf(call, 6)).expect(ExitStatus.OK).out();
    assertTrue(all.indexOf("\noutcome ") < all.indexOf("\ntime "), all);
    assertTrue(all.indexOf("\nverified ") < all.indexOf("\nround "), all);
    assertFalse(few.contains("\nround "), few);
  }

  @Test
  void refinesAMeshFromFilesToFiles() throws IOException {
    Files.writeString(folder.resolve("a.node"), "4 2 0 0\n1 0 0\n2 4 0\n3 5 2\n4 0 2\n");
    Files.writeString(folder.resolve("a.ele"), "2 3 0\n1 1 2 4\n2 2 3 4\n");
    CommandRun run =
        refine("--mesh", file("a"), "--out", file("b.gz"), "--histogram").expect(ExitStatus.OK);
    assertTrue(run.out().contains("degrees     all angles"), run.out());
    assertFalse(run.out().contains("verified"), "nobody asked for it");
    Mesh before = TriangleFormat.readMesh(folder.resolve("a"));
    Mesh after = TriangleFormat.readMesh(folder.resolve("b"));
    assertTrue(after.vertices() > before.vertices());
    for (int v = 0; v < before.vertices(); v++) {
      assertEquals(before.x(v), after.x(v));
      assertEquals(before.y(v), after.y(v));
    }
    assertTrue(MeshVerifier.delaunay(after).passed());
    assertTrue(AngleHistogram.of(after).smallest() >= 30);
    assertEquals(1, after.planarGraph().firstIndex());
  }

  @Test
  void triangulatesWhatHasNoTrianglesAndWhatIsAskedTo() throws IOException {
    Files.writeString(
        folder.resolve("square.poly"),
        "4 2 0 0\n0 0 0\n1 4 0\n2 4 4\n3 0 4\n4 0\n0 0 1\n1 1 2\n2 2 3\n3 3 0\n0\n");
    CommandRun square = refine("--mesh", file("square"), "--verify").expect(ExitStatus.OK);
    assertTrue(square.out().contains("4 segments kept"), square.out());
    // A kite, cut along its longer diagonal: no Delaunay triangulation.
    Files.writeString(folder.resolve("kite.node"), "4 2 0 0\n1 0 0\n2 4 -1\n3 8 0\n4 4 1\n");
    Files.writeString(folder.resolve("kite.ele"), "2 3 0\n1 1 2 3\n2 1 3 4\n");
    refine("--mesh", file("kite")).expect(ExitStatus.BAD_INPUT);
    refine("--poly", file("kite"), "--verify").expect(ExitStatus.OK);
  }

  @Test
  void insertedVerticesAreCounted() throws IOException {
    CommandRun run =
        refine("--points", "uniform:100", "--steiner", "7", "--verify", "--out", file("part"))
            .expect(ExitStatus.STOPPED_EARLY);
    assertTrue(run.err().contains("stopped at 107 vertices"), run.err());
    assertTrue(run.err().contains("--steiner"), run.err());
    assertTrue(run.out().contains("verified  "), run.out());
    assertEquals(107, TriangleFormat.readMesh(folder.resolve("part")).vertices());
    refine("--points", "uniform:100", "--steiner", "5000", "--verify").expect(ExitStatus.OK);
    CommandRun json =
        refine("--points", "uniform:100", "--steiner", "7", "--json", "-")
            .expect(ExitStatus.STOPPED_EARLY);
    assertTrue(json.out().replace(" ", "").contains("\"maximumSteinerPoints\":7"), json.out());
  }

  /** A square with a vertex near one side, a segment from there, and a vertex near that. */
  @ParameterizedTest
  @CsvSource({"all, false, false", "inside, true, false", "none, true, true"})
  void segmentsStayWholeOnRequest(String split, boolean outer, boolean inner) throws IOException {
    Files.writeString(
        folder.resolve("s.poly"),
        "6 2 0 0\n0 0 0\n1 4 0\n2 4 4\n3 0 4\n4 2 0.1\n5 1.2 2\n"
            + "5 1\n0 0 1 1\n1 1 2 1\n2 2 3 1\n3 3 0 1\n4 4 3 2\n0\n");
    CommandRun run =
        refine("--poly", file("s"), "--split", split, "--verify", "--out", file("s.1"))
            .expect(outer ? ExitStatus.STOPPED_EARLY : ExitStatus.OK);
    assertTrue(run.out().contains("verified  "), run.out());
    assertTrue(run.out().contains("outcome   " + (outer ? "segments kept" : "finished")));
    assertEquals(
        outer,
        run.err()
                .contains(
                    "stopped where repair points are beyond segments that stay whole, or too near")
            && run.err().contains("--split all"),
        run.err());
    Mesh mesh = TriangleFormat.readMesh(folder.resolve("s.1"));
    long ofBoundary =
        IntStream.range(0, mesh.segments()).filter(s -> mesh.segmentMarker(s) == 1).count();
    assertEquals(outer, ofBoundary == 4);
    assertEquals(inner, mesh.segments() - ofBoundary == 1);
  }

  @Test
  void aStopLeavesAValidMeshAndSaysSo() throws IOException {
    CommandRun run =
        refine(
                "--points",
                "uniform:100",
                "--max-vertices",
                "150",
                "--verify",
                "--out",
                file("part"),
                "--json",
                file("part.json"))
            .expect(ExitStatus.STOPPED_EARLY);
    assertTrue(run.err().contains("stopped at 150 vertices"), run.err());
    assertTrue(run.err().contains("--max-vertices"), run.err());
    assertTrue(run.out().contains("outcome   vertex limit"), run.out());
    assertTrue(run.out().contains("verified  "), run.out());
    Mesh mesh = TriangleFormat.readMesh(folder.resolve("part"));
    assertEquals(150, mesh.vertices());
    assertTrue(MeshVerifier.delaunay(mesh).passed());
    JsonNode value = new ObjectMapper().readTree(folder.resolve("part.json").toFile());
    assertEquals("vertex-limit", value.at("/outcome").asText());
    assertEquals("verified", value.at("/verdict").asText());
    assertTrue(value.at("/mesh/bad").asInt() > 0);
  }

  @Test
  void theSizeIsComparedWithAReference() {
    String[] small = {"--points", "uniform:100", "--verify"};
    CommandRun without = refine(small).expect(ExitStatus.OK);
    assertTrue(without.out().matches("(?s).*10 size +- +no reference given.*"), without.out());
    CommandRun with =
        refine("--points", "uniform:100", "--verify", "--reference-triangles", "100000")
            .expect(ExitStatus.OK);
    assertTrue(with.out().matches("(?s).*10 size +ok .*of the reference's 100,000.*"), with.out());
    CommandRun wrong =
        refine("--points", "uniform:100", "--verify", "--reference-triangles", "10")
            .expect(ExitStatus.NOT_VERIFIED);
    assertTrue(wrong.err().contains("of the reference's 10, at most 1.45 may be"), wrong.err());
  }

  /** What failed is the evidence; it is left on request, and the status is the same. */
  @Test
  void aWrongMeshIsKeptOnRequest() throws IOException {
    String[] wrong = {
      "--points", "uniform:100", "--verify", "--reference-triangles", "10", "--out", file("w")
    };
    CommandRun run = refine(wrong).expect(ExitStatus.NOT_VERIFIED);
    assertTrue(run.err().contains("it was not written, --keep-wrong has it written"), run.err());
    assertFalse(Files.exists(folder.resolve("w.node")));
    List<String> more = new ArrayList<>(List.of(wrong));
    more.addAll(List.of("--keep-wrong", "--svg", file("w.svg")));
    CommandRun kept = refine(more.toArray(new String[0])).expect(ExitStatus.NOT_VERIFIED);
    assertTrue(kept.err().contains("of the reference's 10"), kept.err());
    assertFalse(kept.err().contains("not written"), kept.err());
    assertTrue(MeshVerifier.delaunay(TriangleFormat.readMesh(folder.resolve("w"))).passed());
    assertTrue(Files.exists(folder.resolve("w.svg")));
    refine("--points", "uniform:100", "--keep-wrong").expect(ExitStatus.USAGE);
  }

  private static final String TRIANGLE_POLY =
      "3 2 0 0\n0 0 0\n1 4 0\n2 0 4\n3 0\n0 0 1\n1 1 2\n2 2 0\n0\n";

  /** A square of side 8 and one in it, of side 4, and no hole. */
  private static final String NESTED_SQUARES =
      """
      8 2
      1 0 0
      2 8 0
      3 8 8
      4 0 8
      5 2 2
      6 6 2
      7 6 6
      8 2 6
      8
      1 1 2
      2 2 3
      3 3 4
      4 4 1
      5 5 6
      6 6 7
      7 7 8
      8 8 5
      0
      """;

  /** As the name of a file that is there; else it is what names of others begin with. */
  @Test
  void anUnknownSuffixIsTold() throws IOException {
    for (String option : List.of("--mesh", "--poly")) {
      for (String name : List.of("a.stl", "a.json", "a.STL.gz", "a")) {
        Path file = Files.writeString(folder.resolve(name), "solid");
        CommandRun run = refine(option, file.toString()).expect(ExitStatus.BAD_INPUT);
        assertTrue(
            run.err().contains(file + ": the suffix tells the format; expected .obj, "), run.err());
        assertTrue(run.err().contains(".geojson, or in Triangle's format .node or"), run.err());
        Files.delete(file);
        run = refine(option, file.toString()).expect(ExitStatus.BAD_INPUT);
        assertTrue(run.err().contains(".node: no such file"), run.err());
      }
      Files.writeString(folder.resolve("b"), "no part of it");
      Files.writeString(folder.resolve("b.ele"), "0 3 0\n");
      CommandRun run = refine(option, file("b")).expect(ExitStatus.BAD_INPUT);
      assertTrue(run.err().contains("b.node: no such file"), run.err());
    }
  }

  @Test
  void theInputIsNotReplaced() throws IOException {
    Files.writeString(folder.resolve("self.poly"), TRIANGLE_POLY);
    for (String out : List.of("self", "self.poly", "./self.gz")) {
      CommandRun run = refine("--poly", file("self"), "--out", file(out)).expect(ExitStatus.USAGE);
      assertTrue(run.err().contains("would replace the input's own files"), run.err());
      assertTrue(run.err().contains("self.1"), run.err());
    }
    assertEquals(TRIANGLE_POLY, Files.readString(folder.resolve("self.poly")));
    refine("--poly", file("self"), "--out", file("self.1")).expect(ExitStatus.OK);
    assertTrue(Files.exists(folder.resolve("self.1.node")));
  }

  /** By links of any of the options, from either side, and over a link to a folder. */
  @Test
  void theInputIsNotReplacedThroughLinks() throws IOException {
    String good = file("good.vtk");
    refine("--points", "uniform:20", "--angle", "15", "--out", good).expect(ExitStatus.OK);
    byte[] before = Files.readAllBytes(Path.of(good));
    Files.createSymbolicLink(folder.resolve("link.vtk"), Path.of("good.vtk"));
    Files.createSymbolicLink(folder.resolve("same"), Path.of("."));
    Files.createSymbolicLink(folder.resolve("b.node"), Path.of("good.vtk"));
    for (List<String> words :
        List.of(
            List.of("--out", "link.vtk"),
            List.of("--out", "same/link.vtk"),
            List.of("--out", "b"),
            List.of("--json", "link.vtk"),
            List.of("--profile", "same/good.vtk"))) {
      CommandRun run =
          refine("--mesh", good, words.get(0), file(words.get(1))).expect(ExitStatus.USAGE);
      assertTrue(run.err().contains("would replace the input's own file " + good), run.err());
    }
    CommandRun run = refine("--mesh", file("link.vtk"), "--out", good).expect(ExitStatus.USAGE);
    assertTrue(run.err().contains("own file " + file("link.vtk")), run.err());
    assertArrayEquals(before, Files.readAllBytes(Path.of(good)));
    Files.writeString(folder.resolve("self.poly"), TRIANGLE_POLY);
    Files.createSymbolicLink(folder.resolve("o.ele"), Path.of("self.poly"));
    refine("--poly", file("self"), "--out", file("o")).expect(ExitStatus.USAGE);
    assertEquals(TRIANGLE_POLY, Files.readString(folder.resolve("self.poly")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"m.stl", "m.vtp", "m.PLY.gz", "v1.json"})
  void otherFormatsAreRefused(String out) throws IOException {
    CommandRun run = refine("--points", "uniform:10", "--out", file(out)).expect(ExitStatus.USAGE);
    assertTrue(run.err().contains("BASE.node, BASE.ele and BASE.poly"), run.err());
    assertTrue(run.err().contains(".obj"), run.err());
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(0, files.count());
    }
  }

  /** The formats themselves have tests of their own. */
  @ParameterizedTest
  @MethodSource("suffixes")
  void meshesOfOtherFormatsAreReadAndWritten(String suffix) throws IOException {
    String first = file("m" + suffix);
    String second = file("m.2" + suffix + ".gz");
    refine("--points", "uniform:20", "--angle", "15", "--out", first).expect(ExitStatus.OK);
    refine("--input", "mesh:" + first, "--angle", "28", "--out", second, "--verify")
        .expect(ExitStatus.OK);
    Mesh before = MeshFormats.readMesh(Path.of(first));
    Mesh after = MeshFormats.readMesh(Path.of(second));
    assertTrue(after.vertices() > before.vertices());
    assertArrayEquals(
        before.coordinates(), Arrays.copyOf(after.coordinates(), 2 * before.vertices()));
    refine("--poly", first, "--out", file("base")).expect(ExitStatus.OK);
    assertTrue(Files.exists(folder.resolve("base.ele")));
    CommandRun run = refine("--mesh", first, "--out", first).expect(ExitStatus.USAGE);
    assertTrue(run.err().contains("choose another name"), run.err());
  }

  static List<String> suffixes() {
    return MeshFormats.suffixes();
  }

  @Test
  void segmentsOfOtherFormatsAreTriangulated() throws IOException {
    Path file = folder.resolve("triangle.obj");
    Files.writeString(file, "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 4 0 0\nl 1 2\nl 4 3\nl 3 1\n");
    CommandRun run = refine("--mesh", file.toString()).expect(ExitStatus.BAD_INPUT);
    assertTrue(run.err().contains("--merge-duplicates does so"), run.err());
    refine("--mesh", file.toString(), "--merge-duplicates", "--out", file("t.obj"))
        .expect(ExitStatus.OK);
    assertEquals(3, MeshFormats.readMesh(folder.resolve("t.obj")).vertices());
    run = refine("--mesh", file("t.obj"), "--merge-duplicates").expect(ExitStatus.BAD_INPUT);
    assertTrue(run.err().contains("whose vertices cannot be merged"), run.err());
  }

  @Test
  void polygonsAreTriangulatedWithTheirHoles() throws IOException {
    Path file = folder.resolve("plot.wkt");
    Files.writeString(
        file, "POLYGON ((0 0, 3 0, 3 3, 0 3, 0 0), (1 1, 1 2, 2 2, 2 1, 1 1))\nPOINT (0.5 0.5)");
    refine("--input", "poly:" + file, "--verify", "--out", file("plot.off")).expect(ExitStatus.OK);
    Mesh mesh = MeshFormats.readMesh(folder.resolve("plot.off"));
    double area = 0;
    for (int t = 0; t < mesh.triangles(); t++) {
      int a = mesh.corner(t, 0);
      int b = mesh.corner(t, 1);
      int c = mesh.corner(t, 2);
      area +=
          ((mesh.x(b) - mesh.x(a)) * (mesh.y(c) - mesh.y(a))
                  - (mesh.x(c) - mesh.x(a)) * (mesh.y(b) - mesh.y(a)))
              / 2;
    }
    assertEquals(8, area, 1e-9);
    refine("--mesh", file.toString(), "--out", file("same.off")).expect(ExitStatus.OK);
    assertEquals(mesh.vertices(), MeshFormats.readMesh(folder.resolve("same.off")).vertices());
    CommandRun run =
        refine("--poly", file.toString(), "--merge-duplicates").expect(ExitStatus.USAGE);
    assertTrue(run.err().contains("whose vertices at one place are one"), run.err());
    Files.writeString(folder.resolve("bow.geojson"), "{\"type\": \"Polygon\", \"coordinates\": 7}");
    run = refine("--mesh", file("bow.geojson")).expect(ExitStatus.BAD_INPUT);
    assertTrue(run.err().contains("bow.geojson: found malformed GeoJSON"), run.err());
    run = refine("--poly", file.toString(), "--out", file("p.wkt")).expect(ExitStatus.USAGE);
    assertTrue(run.err().contains("leave out .wkt"), run.err());
  }

  @Test
  void aFaultOfAnotherFormatNamesItsLine() throws IOException {
    Files.writeString(
        folder.resolve("quad.obj"), "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
    CommandRun run = refine("--mesh", file("quad.obj")).expect(ExitStatus.BAD_INPUT);
    assertTrue(run.err().contains("quad.obj:5: found a face of more than three"), run.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"lake.q30", "mesh.v2", "obj", "a.1"})
  void whatFollowsADotMayBePartOfTheName(String out) {
    refine("--points", "uniform:10", "--out", file(out)).expect(ExitStatus.OK);
    assertTrue(Files.exists(folder.resolve(out + ".node")));
  }

  /** What follows from the mesh is that of the mesh which is written. */
  @Test
  void edgesNeighborsAndVoronoiAreWrittenOnRequest() throws IOException {
    refine("--points", "uniform:50", "--out", file("m.gz"), "--edges", "--neighbors", "--voronoi")
        .expect(ExitStatus.OK);
    Mesh mesh = TriangleFormat.readMesh(folder.resolve("m"));
    Path again = folder.resolve("again.gz");
    TriangleFormat.write(mesh, again, EnumSet.allOf(TriangleFormat.Part.class));
    for (String suffix : List.of(".node", ".ele", ".edge", ".neigh", ".v.node", ".v.edge")) {
      assertArrayEquals(
          Files.readAllBytes(folder.resolve("again" + suffix + ".gz")),
          Files.readAllBytes(folder.resolve("m" + suffix + ".gz")),
          suffix);
    }
    CommandRun run = refine("--points", "uniform:50", "--edges").expect(ExitStatus.USAGE);
    assertTrue(run.err().contains("have no effect without --out"), run.err());
    Files.createDirectories(folder.resolve("x.neigh").resolve("full"));
    refine("--points", "uniform:50", "--out", file("x"), "--neighbors")
        .expect(ExitStatus.OUTPUT_FAILED);
  }

  /** The halves of a square are of two materials, and the file has no line between them. */
  @Test
  void materialsStayWhereNoSegmentIsBetween() throws IOException {
    Files.writeString(
        folder.resolve("m.vtk"),
        """
        # vtk DataFile Version 3.0
        two materials
        ASCII
        DATASET UNSTRUCTURED_GRID
        POINTS 4 double
        0 0 0 8 0 0 8 8 0 0 8 0
        CELLS 2 8
        3 0 1 2
        3 0 2 3
        CELL_TYPES 2
        5 5
        CELL_DATA 2
        SCALARS material int 1
        LOOKUP_TABLE default
        7 8
        """);
    refine("--mesh", file("m.vtk"), "--max-area", "0.1", "--verify", "--out", file("m.1.vtk"))
        .expect(ExitStatus.OK);
    Mesh mesh = MeshFormats.readMesh(folder.resolve("m.1.vtk"));
    assertTrue(mesh.triangles() >= 640, mesh.triangles() + " triangles");
    for (int t = 0; t < mesh.triangles(); t++) {
      double above = 0; // the diagonal, three times how far the centroid lies there
      for (int k = 0; k < 3; k++) {
        above += mesh.y(mesh.corner(t, k)) - mesh.x(mesh.corner(t, k));
      }
      if (Math.abs(above) > 1e-9) {
        assertEquals(above < 0 ? 7 : 8, mesh.triangleAttribute(t, 0), "triangle " + t);
      }
    }
  }

  /** One of the two triangles of a square is to be finer; the other one may stay as it is. */
  @Test
  void areasBoundSingleTriangles() throws IOException {
    Files.writeString(folder.resolve("m.node"), "4 2\n1 0 0\n2 8 0\n3 8 8\n4 0 8\n");
    Files.writeString(folder.resolve("m.ele"), "2 3 0\n1 1 2 3\n2 1 3 4\n");
    Files.writeString(folder.resolve("m.area"), "2\n1 0.5\n2 -1\n");
    CommandRun run =
        refine("--mesh", file("m"), "--verify", "--out", file("m.1")).expect(ExitStatus.OK);
    assertTrue(run.out().contains(", areas of at most 0.5 by triangle"), run.out());
    Mesh mesh = TriangleFormat.readMesh(folder.resolve("m.1"));
    double largestBelow = 0;
    double largestAbove = 0;
    for (int t = 0; t < mesh.triangles(); t++) {
      int a = mesh.corner(t, 0);
      int b = mesh.corner(t, 1);
      int c = mesh.corner(t, 2);
      double area =
          ((mesh.x(b) - mesh.x(a)) * (mesh.y(c) - mesh.y(a))
                  - (mesh.y(b) - mesh.y(a)) * (mesh.x(c) - mesh.x(a)))
              / 2;
      if (mesh.x(a) + mesh.x(b) + mesh.x(c) > mesh.y(a) + mesh.y(b) + mesh.y(c)) {
        largestBelow = Math.max(largestBelow, area);
      } else {
        largestAbove = Math.max(largestAbove, area);
      }
    }
    assertTrue(largestBelow <= 0.5, largestBelow + " below the diagonal");
    assertTrue(largestAbove > 1, largestAbove + " above it");
    CommandRun compared =
        CommandRun.of("compare", "refine", "--mesh", file("m"), "--devices", "cpu:1");
    compared.expect(ExitStatus.OK);
  }

  /** Areas bound triangles, which --poly makes itself. */
  @Test
  void areasAreReadOnlyWhereTrianglesAre() throws IOException {
    refine("--points", "uniform:10", "--out", file("m")).expect(ExitStatus.OK);
    Files.writeString(folder.resolve("m.area"), "1\n1 0.1\n");
    refine("--poly", file("m")).expect(ExitStatus.OK);
    CommandRun run = refine("--mesh", file("m")).expect(ExitStatus.BAD_INPUT);
    assertTrue(run.err().contains("m.area:1: found '1', expected "), run.err());
  }

  /** Where something else is wrong as well, the hint would be of no use. */
  @Test
  void mergingIsOfferedOnlyForDuplicates() throws IOException {
    Files.writeString(folder.resolve("far.node"), "4 2 0 0\n1 0 0\n2 0 0\n3 1e300 0\n4 0 4\n");
    CommandRun run = refine("--poly", file("far")).expect(ExitStatus.BAD_INPUT);
    assertTrue(run.err().contains("move or scale everything"), run.err());
    assertFalse(run.err().contains("--merge-duplicates"), run.err());
  }

  @Test
  void duplicatesAreMergedOnRequest() throws IOException {
    Files.writeString(folder.resolve("twice.node"), "5 2 0 0\n1 0 0\n2 4 0\n3 0 0\n4 0 4\n5 4 0\n");
    CommandRun run = refine("--poly", file("twice")).expect(ExitStatus.BAD_INPUT);
    assertTrue(
        run.err().contains("vertices 1 and 3 at 0.0 0.0; 2 and 5 at 4.0 0.0 coincide"), run.err());
    assertTrue(run.err().contains("--merge-duplicates"), run.err());
    refine("--poly", file("twice"), "--merge-duplicates", "--verify", "--out", file("once"))
        .expect(ExitStatus.OK);
    Mesh mesh = TriangleFormat.readMesh(folder.resolve("once"));
    assertEquals(4, mesh.y(2));
    Files.writeString(folder.resolve("twice.ele"), "1 3 0\n1 1 2 4\n");
    refine("--mesh", file("twice"), "--merge-duplicates").expect(ExitStatus.BAD_INPUT);
    refine("--points", "uniform:9", "--merge-duplicates").expect(ExitStatus.USAGE);
  }

  /** Their areas and attributes come with the mesh that is written, and bound it again. */
  @Test
  void regionsBoundAreas() throws IOException {
    Files.writeString(folder.resolve("r.poly"), NESTED_SQUARES + "2\n1 1 1 7 2\n2 4 4 8 0.125\n");
    CommandRun run =
        refine("--poly", file("r"), "--verify", "--out", file("r.1")).expect(ExitStatus.OK);
    assertTrue(run.out().contains(", areas of at most 0.125 to 2 in 2 regions"), run.out());
    Mesh mesh = TriangleFormat.readMesh(folder.resolve("r.1"));
    assertEquals(2, mesh.regions().size());
    for (int t = 0; t < mesh.triangles(); t++) {
      double attribute = mesh.triangleAttribute(t, 0);
      assertTrue(attribute == 7 || attribute == 8, attribute + " of triangle " + t);
      assertEquals(attribute == 7 ? 2 : 0.125, mesh.areaBound(t));
    }
    CommandRun again =
        refine("--mesh", file("r.1"), "--max-area", "0.5", "--verify", "--out", file("r.2"))
            .expect(ExitStatus.OK);
    assertTrue(
        again.out().contains(", areas of at most 0.5 and of at most 0.125 to 2 in 2 regions"),
        again.out());
    Mesh finer = TriangleFormat.readMesh(folder.resolve("r.2"));
    assertEquals(1, finer.triangleAttributes());
    assertTrue(finer.triangles() > mesh.triangles(), finer.triangles() + " triangles");
  }

  /** Of several points in one part of the domain the last counts, also where bounds are told. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 1 1 7 2; 2 4 4 8 0.5; 3 1 7 9 1  | of at most 0.5 to 1 in 2 regions | 2",
        "1 4 4 7 2; 2 3 4 8 0.5             | of at most 0.5 in a region       | 1",
        "1 1 1 7 1; 2 4 4 8 1; 3 4 3 7 1    | of at most 1 in 2 regions        | 2",
        "1 4 4 7 0.5; 2 3 4 8 -1            |                                  | 0",
        "1 4 4 7 -1                         |                                  | 0",
      })
  void boundsAreThoseThatHold(String lines, String areas, int count) throws IOException {
    String[] regions = lines.split("; *");
    Files.writeString(
        folder.resolve("r.poly"),
        NESTED_SQUARES + regions.length + "\n" + String.join("\n", regions) + "\n");
    CommandRun run = refine("--poly", file("r")).expect(ExitStatus.OK);
    String expected = "angles of at least 30 degrees" + (areas == null ? "" : ", areas " + areas);
    assertTrue(run.out().contains(expected + "\n"), run.out());
    CommandRun json = refine("--poly", file("r"), "--json").expect(ExitStatus.OK);
    assertEquals(count, new ObjectMapper().readTree(json.out()).at("/bounds/regions").asInt());
  }

  @Test
  void oddRegionsAreRefused() throws IOException {
    Files.writeString(folder.resolve("r.poly"), NESTED_SQUARES + "1\n# outside\n1 9 1 7 2\n");
    String fault =
        "r.poly:22: found an invalid region: region 1 at 9.0 1.0 lies outside of the domain or"
            + " in a hole, expected a point inside of the domain and not on its segments (move its"
            + " point inside, or remove it)";
    CommandRun run = refine("--poly", file("r")).expect(ExitStatus.BAD_INPUT);
    assertTrue(run.err().contains(fault), run.err());
    CommandRun compared =
        CommandRun.of("compare", "refine", "--poly", file("r")).expect(ExitStatus.BAD_INPUT);
    assertTrue(compared.err().contains(fault), compared.err());
    Files.writeString(folder.resolve("a.node"), "3 2\n0 0 0\n1 4 0\n2 0 4\n");
    Files.writeString(folder.resolve("a.ele"), "1 3 0\n0 0 1 2\n");
    Files.writeString(folder.resolve("a.poly"), "0\n0\n0\n1\n0 1 0 2\n");
    CommandRun onSegment = refine("--mesh", file("a")).expect(ExitStatus.BAD_INPUT);
    assertTrue(onSegment.err().contains("a.poly:5: found an invalid region"), onSegment.err());
  }

  /** More triangles than any device holds. */
  @Test
  void regionsWithoutRoomAreRefused() throws IOException {
    Files.writeString(folder.resolve("r.poly"), NESTED_SQUARES + "1\n1 1 1 7 1e-30\n");
    CommandRun run = refine("--poly", file("r")).expect(ExitStatus.BAD_INPUT);
    assertTrue(run.err().contains("the area bounds of triangles, 1.00e-30 at least"), run.err());
    assertTrue(run.err().contains("multiply them by"), run.err());
  }

  @Test
  void overlapsAreRefused() throws IOException {
    Files.writeString(folder.resolve("o.node"), "6 2\n1 0 0\n2 4 0\n3 0 4\n4 1 1\n5 5 1\n6 1 5\n");
    Files.writeString(folder.resolve("o.ele"), "2 3\n1 1 2 3\n2 4 5 6\n");
    CommandRun run = refine("--mesh", file("o"), "--verify").expect(ExitStatus.BAD_INPUT);
    assertTrue(run.err().contains("o.ele:3: "), run.err());
    assertTrue(run.err().contains("triangles 1 and 2 overlap"), run.err());
  }

  @Test
  void drawsBeforeAndAfter() throws IOException {
    refine("--points", "disc:50", "--png", file("a.png"), "--svg", file("a.SVG"))
        .expect(ExitStatus.OK);
    PngHeader image = PngHeader.of(folder.resolve("a.png"));
    assertTrue(image.width() > 3 * image.height() / 2, "two meshes side by side");
    assertTrue(Files.readString(folder.resolve("a.SVG")).contains("<svg"));
    refine("--points", "disc:50", "--png", file("b.png"), "--pixels", "100").expect(ExitStatus.OK);
    int width = PngHeader.of(folder.resolve("b.png")).width();
    assertTrue(width > 200 && width <= 2 * (100 + 16), width + " pixels");
  }

  @Test
  void profileHasALineForEachRound() throws IOException {
    CommandRun run =
        refine("--points", "uniform:500", "--profile", file("rounds.csv"), "--json")
            .expect(ExitStatus.OK);
    JsonNode value = new ObjectMapper().readTree(run.out());
    List<String> lines = Files.readAllLines(folder.resolve("rounds.csv"));
    assertEquals(
        "round,items,waiting,inserted,pushed,cancelled,outranked,stolen,wait_expired,locked,"
            + "requested,launches,ms,large",
        lines.get(0));
    assertEquals(value.at("/rounds").asInt(), lines.size() - 1);
    long inserted = 0;
    for (int i = 1; i < lines.size(); i++) {
      String[] cells = lines.get(i).split(",", -1);
      assertEquals(14, cells.length, lines.get(i));
      assertEquals(Integer.toString(i), cells[0]);
      inserted += Long.parseLong(cells[3]);
      JsonNode round = value.at("/profile/" + (i - 1));
      assertEquals(cells[1], round.at("/items").asText());
      assertEquals(cells[3], round.at("/inserted").asText());
      assertEquals(cells[11], round.at("/launches").asText());
      assertTrue(round.at("/launches").asInt() > 0, lines.get(i));
      assertEquals(cells[13], round.at("/large").asBoolean() ? "1" : "0");
    }
    assertEquals(
        value.at("/mesh/insertedInside").asLong() + value.at("/mesh/insertedOnSegments").asLong(),
        inserted);
  }

  /** Of a circle the first cavities are too large for a step. */
  @Test
  void availableParallelismHasALineForEachStep() throws IOException {
    List<String> arguments = new ArrayList<>(List.of("--points", "circle:60", "--json"));
    arguments.addAll(List.of("--sync", "maximal-sets"));
    arguments.addAll(List.of("--available-parallelism", file("steps.csv")));
    CommandRun run = refine(arguments.toArray(String[]::new)).expect(ExitStatus.OK);
    JsonNode value = new ObjectMapper().readTree(run.out());
    List<String> lines = Files.readAllLines(folder.resolve("steps.csv"));
    assertEquals("step,items,parallelism,large", lines.get(0));
    long inserted = 0;
    long large = 0;
    for (int i = 1; i < lines.size(); i++) {
      String[] cells = lines.get(i).split(",", -1);
      assertEquals(4, cells.length, lines.get(i));
      assertEquals(Integer.toString(i), cells[0]);
      assertTrue(Long.parseLong(cells[2]) <= Long.parseLong(cells[1]), lines.get(i));
      inserted += Long.parseLong(cells[2]) + Long.parseLong(cells[3]);
      large += Long.parseLong(cells[3]);
    }
    assertEquals(
        value.at("/mesh/insertedInside").asLong() + value.at("/mesh/insertedOnSegments").asLong(),
        inserted);
    assertTrue(large > 0, lines::toString);
    for (JsonNode round : value.at("/profile")) {
      large -= round.at("/large").asBoolean() ? round.at("/inserted").asLong() : 0;
    }
    assertEquals(0, large, "inserted in rounds of large cavities");
    assertTrue(lines.size() - 1 < value.at("/rounds").asInt(), lines::toString);
    assertEquals(value.at("/profile/0/items").asText(), lines.get(1).split(",", -1)[1]);
  }

  /** Aborts are told by round and by cause, and their sums are those of the run. */
  @ParameterizedTest
  @CsvSource({
    "--sync transactions, outranked stolen wait_expired requested",
    "--sync marks, outranked",
    "--sync three-phases, outranked stolen",
    "--sync two-stages, outranked stolen",
  })
  void abortsHaveACauseAndARound(String options, String possible) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("refine", "--points", "uniform:60"));
    arguments.addAll(List.of("--device", "sim:1:4", "--batch", "1", "--json"));
    arguments.addAll(List.of(options.split(" ")));
    CommandRun run = CommandRun.of(arguments.toArray(new String[0])).expect(ExitStatus.OK);
    JsonNode value = new ObjectMapper().readTree(run.out());
    long all = 0;
    for (String cause : List.of("outranked", "stolen", "wait_expired", "locked", "requested")) {
      long sum = 0;
      for (JsonNode round : value.at("/profile")) {
        sum += round.at("/aborts/" + cause).asLong();
      }
      assertEquals(value.at("/aborts/" + cause).asLong(-1), sum, cause);
      assertTrue(sum == 0 || List.of(possible.split(" ")).contains(cause), cause + " " + sum);
      all += sum;
    }
    assertTrue(all > 0, "rivals that never met");
  }

  /** Pins the names and types of all fields: programs read them. */
  @Test
  void jsonHasItsShape() throws IOException {
    CommandRun run =
        refine("--points", "uniform:64", "--verify", "--histogram", "--json").expect(ExitStatus.OK);
    JsonNode value = new ObjectMapper().readTree(run.out());
    assertEquals(
        List.of(
            "format NUMBER",
            "algorithm STRING",
            "version STRING",
            "revision STRING",
            "device.spec STRING",
            "device.machine STRING",
            "device.name STRING",
            "device.warpWidth NUMBER",
            "device.parallelism NUMBER",
            "device.memoryBytes NUMBER",
            "device.detail STRING",
            "input.source STRING",
            "input.hash STRING",
            "input.vertices NUMBER",
            "input.triangles NUMBER",
            "input.segments NUMBER",
            "input.smallestAngle NUMBER",
            "input.largestAngle NUMBER",
            "input.bad NUMBER",
            "bounds.minimumAngle NUMBER",
            "bounds.maximumArea NUMBER",
            "bounds.maximumVertices NUMBER",
            "bounds.maximumSteinerPoints NUMBER",
            "bounds.regions NUMBER",
            "variant OBJECT",
            "mesh.vertices NUMBER",
            "mesh.triangles NUMBER",
            "mesh.segments NUMBER",
            "mesh.smallestAngle NUMBER",
            "mesh.largestAngle NUMBER",
            "mesh.insertedInside NUMBER",
            "mesh.insertedOnSegments NUMBER",
            "mesh.bad NUMBER",
            "mesh.excused NUMBER",
            "mesh.givenUp NUMBER",
            "mesh.angles[] NUMBER",
            "mesh.smallestAngles[] NUMBER",
            "millis.total NUMBER",
            "millis.load NUMBER",
            "millis.upload NUMBER",
            "millis.select NUMBER",
            "millis.refine NUMBER",
            "millis.download NUMBER",
            "millis.other NUMBER",
            "rounds NUMBER",
            "profile[].items NUMBER",
            "profile[].waiting NUMBER",
            "profile[].inserted NUMBER",
            "profile[].pushed NUMBER",
            "profile[].cancels NUMBER",
            "profile[].aborts.outranked NUMBER",
            "profile[].aborts.stolen NUMBER",
            "profile[].aborts.wait_expired NUMBER",
            "profile[].aborts.locked NUMBER",
            "profile[].aborts.requested NUMBER",
            "profile[].launches NUMBER",
            "profile[].millis NUMBER",
            "profile[].large BOOLEAN",
            "items NUMBER",
            "cancels NUMBER",
            "aborts.outranked NUMBER",
            "aborts.stolen NUMBER",
            "aborts.wait_expired NUMBER",
            "aborts.locked NUMBER",
            "aborts.requested NUMBER",
            "outcome STRING",
            "verdict STRING",
            "checks[].check STRING",
            "checks[].status STRING",
            "checks[].faults NUMBER",
            "checks[].detail STRING"),
        JsonShape.of(value));
    assertEquals(11, value.at("/checks").size());
    assertEquals("verified", value.at("/verdict").asText());
    assertEquals(0, value.at("/mesh/bad").asInt());
    assertTrue(value.at("/input/hash").asText().matches("sha256:[0-9a-f]{64}"));
  }

  @Test
  void helpNamesTheDefaults() {
    String help = CommandRun.of("refine", "--help").out().replaceAll("\\s+", " ");
    RefinementOptions defaults = RefinementOptions.defaults();
    for (Enum<?> each :
        List.of(defaults.synchronization(), defaults.insertion(), defaults.layout())) {
      String name = EnumOption.name(each);
      assertTrue(help.contains(name + " (the default"), name);
    }
    assertTrue(help.contains("default 30."), help);
    assertTrue(help.contains("uniform:n=..,seed=.."), help);
    assertTrue(help.contains("the end of 'magpie refine --help' has all kinds"), help);
    assertTrue(help.contains("more than " + MeshVerifier.LARGEST_RATIO + " times"), help);
  }
}
