package io.magpie.examples.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.magpie.algorithms.components.ComponentsOptions.Output;
import io.magpie.algorithms.components.ComponentsReference;
import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphFormats;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.mesh.DelaunayTriangulation;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.MeshGenerators;
import io.magpie.algorithms.mesh.io.TriangleFormat;
import io.magpie.algorithms.mesh.refine.RefinementOptions;
import io.magpie.algorithms.msf.KruskalReference;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import io.magpie.algorithms.msf.MsfResult;
import io.magpie.algorithms.msf.MsfVerifier;
import io.magpie.algorithms.paths.PathsOptions.Lengths;
import io.magpie.algorithms.paths.PathsReference;
import io.magpie.algorithms.paths.PathsResult;
import io.magpie.algorithms.sat.Formula;
import io.magpie.algorithms.sat.FormulaGenerator;
import io.magpie.algorithms.sat.SurveyOptions;
import io.magpie.examples.compare.Comparison.Outcome;
import io.magpie.examples.compare.Comparison.Program;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The program of {@code examples/openmp}: its results by the checkers that all systems have. */
class OpenMpProgramTest {
  private static final Path SOURCE =
      Path.of(System.getProperty("magpie.basedir"), "openmp", "magpie-openmp.cpp").toAbsolutePath();

  /** Threads that spin while others wait for the processor would take most of the time. */
  private static final String PASSIVE = "export OMP_WAIT_POLICY=passive\n";

  @TempDir static Path shared;
  @TempDir Path folder;

  private static Path program;

  /** Runs with as many threads as there are processors. */
  private static Path alone;

  /** Runs with more threads than there are processors, which take single items: they all meet. */
  private static Path crowded;

  /** What a process printed, both streams, and its exit status. */
  private record Ended(int status, String text) {}

  private static Ended run(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.onExit().join().exitValue(), text);
  }

  private static Ended run(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    return run(command);
  }

  @BeforeAll
  static void build() throws IOException {
    assumeTrue(Files.exists(SOURCE), "not a clone");
    String given = System.getenv("MAGPIE_CXX");
    String compiler = given == null ? "g++" : given;
    Path probe =
        Files.writeString(shared.resolve("probe.cpp"), "#include <omp.h>\nint main() {}\n");
    Ended probed;
    try {
      probed = run(List.of(compiler, "-fopenmp", probe.toString(), "-o", shared + "/probe"));
    } catch (IOException e) {
      probed = new Ended(127, e.getMessage());
    }
    assumeTrue(probed.status() == 0, compiler + " has no OpenMP: " + probed.text());
    program = shared.resolve("magpie-openmp");
    List<String> command = new ArrayList<>(List.of(compiler, "-std=c++20", "-O1", "-fopenmp"));
    command.addAll(List.of("-Wall", "-Wextra", "-Werror"));
    Path root = SOURCE.getParent().getParent().getParent();
    for (String headers : List.of("stm-kernels", "algorithms")) {
      command.addAll(List.of("-I", root.resolve(headers).resolve("src/main/cuda").toString()));
    }
    command.addAll(List.of("-o", program.toString(), SOURCE.toString()));
    Ended built = run(command);
    assertEquals(0, built.status(), built.text());
    crowded = script("exec " + program + " \"$@\" --threads 5 --grain 1");
    alone = script("exec " + program + " \"$@\"");
  }

  private static Path script(String text) throws IOException {
    Path file = Files.createTempFile(shared, "script", "");
    Files.writeString(file, "#!/bin/sh\n" + PASSIVE + text + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  private static void assertVerified(Function<ExternalProgram, Program> made) {
    for (Path executable : List.of(alone, crowded)) {
      try (Program each = made.apply(new ExternalProgram(OpenMpProgram.NAME, executable))) {
        Outcome outcome = each.run();
        assertEquals(Optional.empty(), outcome.mistake().get(), executable.toString());
        assertTrue(
            outcome.millis().get(Outcome.KERNELS) <= outcome.millis().get(Outcome.TOTAL),
            outcome.toString());
      }
    }
  }

  private static Program paths(
      ExternalProgram external, DirectedGraph graph, int source, Lengths lengths) {
    PathsResult reference = PathsReference.run(graph, source, lengths);
    return OpenMpProgram.paths(
        external, graph, source, lengths, found -> PathsGraph.mistake(found, reference));
  }

  private static Program forest(ExternalProgram external, Graph graph, Objective objective) {
    MsfResult reference = KruskalReference.run(graph, objective);
    return OpenMpProgram.forest(
        external,
        graph,
        objective,
        arcs -> MsfVerifier.verify(arcs, reference).stream().findFirst());
  }

  private static Program components(ExternalProgram external, Graph graph) {
    int[] labels = ComponentsReference.run(graph, Output.LABELS).labels();
    return OpenMpProgram.components(
        external,
        graph,
        found ->
            Arrays.equals(found, labels)
                ? Optional.empty()
                : Optional.of("other labels than the reference"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "path:400",
        "star:3000",
        "road:3000,weights=1..1000",
        "rmat:scale=11,weights=1..9",
        "rmat:scale=11,directed,weights=0..3",
        "random:n=2000,m=1500,directed",
        "random:n=2000,m=9000,directed,weights=float:0..1",
        "grid:40,weights=7..7"
      })
  void distancesAreThoseOfTheReference(String spec) {
    boolean directed = spec.contains("directed");
    DirectedGraph graph =
        directed
            ? GraphGenerators.parse(spec).generateDirected()
            : DirectedGraph.of(GraphGenerators.generate(spec));
    for (Lengths lengths : Lengths.values()) {
      if (lengths == Lengths.UNIT || graph.weighted()) {
        for (int source : new int[] {0, graph.vertices() - 1}) {
          assertVerified(external -> paths(external, graph, source, lengths));
        }
      }
    }
  }

  /** A graph of one vertex, with arcs to itself, and one of vertices without arcs. */
  @Test
  void distancesOfGraphsWithHardlyAnything() {
    DirectedGraph loops = DirectedGraph.of(new int[] {0, 2}, new int[] {0, 0}, new int[] {0, 5});
    DirectedGraph lone = DirectedGraph.of(new int[4], new int[0], new int[0]);
    for (Lengths lengths : Lengths.values()) {
      assertVerified(external -> paths(external, loops, 0, lengths));
      assertVerified(external -> paths(external, lone, 1, lengths));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "path:3000,weights=1..10",
        "path:300000", // all choose the edge before them: threads unite what others are uniting
        "star:3000,weights=5..5",
        "road:3000,weights=1..1000",
        "rmat:scale=11,weights=1..9",
        "random:n=3000,m=1200,weights=1..100",
        "random:n=2000,m=9000,weights=long:-1000000000000..1000000000000",
        "random:n=2000,m=9000,weights=float:-1..1",
        "random:n=2000,m=9000,weights=double:0..1",
        "grid:50"
      })
  void forestsAndComponentsAreThoseOfTheReference(String spec) {
    Graph graph = GraphGenerators.generate(spec);
    for (Objective objective : Objective.values()) {
      assertVerified(external -> forest(external, graph, objective));
    }
    assertVerified(external -> components(external, graph));
  }

  /**
   * Nothing; vertices alone; one edge many times, and to itself, below 0, too; weights all the
   * same.
   */
  @Test
  void forestsAndComponentsOfGraphsWithHardlyAnything() {
    GraphBuilder parallel = new GraphBuilder(3, true);
    for (int weight : new int[] {4, -2, -2, 9}) {
      parallel.addEdge(2, 0, weight);
      parallel.addEdge(1, 1, weight);
    }
    GraphBuilder complete = new GraphBuilder(60, true);
    for (int v = 0; v < 60; v++) {
      for (int w = v + 1; w < 60; w++) {
        complete.addEdge(v, w, 1);
      }
    }
    for (Graph graph :
        List.of(
            new GraphBuilder(0, true).build(),
            new GraphBuilder(5, false).build(),
            parallel.build(),
            complete.build())) {
      for (Objective objective : Objective.values()) {
        assertVerified(external -> forest(external, graph, objective));
      }
      assertVerified(external -> components(external, graph));
    }
  }

  /** Weights of vertices follow those of arcs in the file. */
  @Test
  void weightsOfVerticesAreSkipped() {
    GraphBuilder builder = new GraphBuilder(3, true);
    builder.addEdge(0, 1, 4);
    Graph graph = builder.vertexWeights(new int[] {7, 8, 9}).build();
    assertVerified(external -> forest(external, graph, Objective.MINIMUM));
  }

  private static Outcome surveys(Path executable, Formula formula, SurveyOptions options) {
    try (OpenMpProgram.Surveys surveys =
        new OpenMpProgram.Surveys(new ExternalProgram(OpenMpProgram.NAME, executable), formula)) {
      return SatComparison.outcome(List.of(surveys.run(options)), formula);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'ksat:n=1000,ratio=4.0', 1", // decimation alone, mostly
    "'ksat:n=500,ratio=3.5', 2", // no bias from the beginning
    "'ksat:n=300,k=5,ratio=12', 3",
    "'ksat:n=400,k=2,ratio=0.5', 4"
  })
  void formulasAreSolved(String spec, int seed) {
    Formula formula = FormulaGenerator.parse(spec).generate();
    for (Path executable : List.of(alone, crowded)) {
      Outcome outcome = surveys(executable, formula, SurveyOptions.defaults().withSeed(seed));
      assertEquals(1, outcome.counters().get("solved"), outcome.toString());
      assertEquals(Optional.empty(), outcome.mistake().get());
    }
  }

  /** Fixing variables is what it is about: without that the local search would do all. */
  @Test
  void variablesAreFixedBeforeTheLocalSearchTakesOver() {
    Formula formula = FormulaGenerator.parse("ksat:n=1000,ratio=4.0").generate();
    Outcome outcome = surveys(alone, formula, SurveyOptions.defaults());
    assertTrue(outcome.counters().get("decimations") > 0, outcome.toString());
    assertTrue(outcome.counters().get("sweeps") > 10, outcome.toString());
  }

  @Test
  void formulasOfHardlyAnything() {
    SurveyOptions options = SurveyOptions.defaults();
    for (Formula solvable :
        List.of(
            Formula.of(0),
            Formula.of(3),
            Formula.of(2, new int[] {1, 1, -2}, new int[] {2, -2}),
            Formula.of(2, new int[] {1}, new int[] {-1, 2}))) {
      Outcome outcome = surveys(alone, solvable, options);
      assertEquals(1, outcome.counters().get("solved"), solvable.toString());
      assertEquals(Optional.empty(), outcome.mistake().get(), solvable.toString());
    }
    for (Formula contradiction :
        List.of(
            Formula.of(1, new int[] {1}, new int[] {-1}),
            Formula.of(1, new int[0]),
            Formula.of(2, new int[] {1}, new int[] {-1, 2}, new int[] {-1, -2}))) {
      Outcome outcome = surveys(alone, contradiction, options);
      assertEquals(1, outcome.counters().get("contradictions"), contradiction.toString());
    }
  }

  /** The program as it is, but for its result. */
  private ExternalProgram spoiled(String edit) throws IOException {
    return new ExternalProgram(
        OpenMpProgram.NAME, script(program + " \"$@\" && sed -i '" + edit + "' result"));
  }

  private static String mistake(Program made) {
    try (Program each = made) {
      return each.run().mistake().get().orElse("none");
    }
  }

  @Test
  void wrongResultsAreNoticed() throws IOException {
    DirectedGraph path = DirectedGraph.of(GraphGenerators.generate("path:9"));
    assertEquals(
        "vertex 3 has distance 7, by the reference 3",
        mistake(paths(spoiled("4s/.*/7/"), path, 0, Lengths.UNIT)));
    Graph graph = GraphGenerators.generate("star:9,weights=1..5");
    assertEquals(
        "arc 99 is none of the graph's 16",
        mistake(forest(spoiled("2s/.*/99/"), graph, Objective.MINIMUM)));
    assertEquals(
        "7 edges were chosen; 9 vertices in 1 components need 8",
        mistake(forest(spoiled("1d"), graph, Objective.MINIMUM)));
    assertEquals(
        "other labels than the reference", mistake(components(spoiled("2s/.*/1/"), graph)));
    assertEquals(
        "the program named a vertex that there is not",
        mistake(components(spoiled("2s/.*/9/"), graph)));
    Formula formula = Formula.of(2, new int[] {1}, new int[] {2});
    try (OpenMpProgram.Surveys surveys =
        new OpenMpProgram.Surveys(spoiled("s/v 2/v -2/"), formula)) {
      Outcome outcome =
          SatComparison.outcome(List.of(surveys.run(SurveyOptions.defaults())), formula);
      assertEquals(
          "1 of 2 clauses are not satisfied, the first of them clause 2, [2]",
          outcome.mistake().get().orElse("none"));
    }
  }

  private static Program refinement(
      ExternalProgram external, Mesh mesh, RefinementOptions options) {
    return new RefinementComparison.Problem(mesh, "").openMp(external, options);
  }

  @ParameterizedTest
  @CsvSource({
    "uniform:2000, 30, 0",
    "uniform:300, 33, 0",
    "uniform:300, 20, 0.001",
    "uniform:3, 30, 0",
    "clustered:2000, 30, 0",
    "graded:1000, 30, 0",
    "grid:400, 28, 0.3",
    "holes:9, 25, 0",
    "map:400, 28, 0",
    "spokes:20, 25, 0"
  })
  void meshesAreRefined(String spec, double angle, double area) {
    Mesh mesh = DelaunayTriangulation.of(MeshGenerators.generate(spec));
    RefinementOptions options =
        RefinementOptions.defaults().withMinimumAngle(angle).withMaximumArea(area);
    assertVerified(external -> refinement(external, mesh, options));
  }

  /** Small angles between segments, which keep bad triangles, and a hole. */
  @Test
  void meshesWithSmallAnglesAreRefined() throws IOException {
    Files.writeString(
        folder.resolve("m.poly"),
        "7 2\n1 0 0\n2 8 0\n3 8 1\n4 0 4\n5 2 1\n6 3 1\n7 2 2\n"
            + "8\n1 1 2\n2 2 3\n3 3 4\n4 4 1\n5 1 3\n6 5 6\n7 6 7\n8 7 5\n1\n1 2.2 1.2\n");
    Mesh mesh = DelaunayTriangulation.of(TriangleFormat.readGraph(folder.resolve("m")));
    assertVerified(external -> refinement(external, mesh, RefinementOptions.defaults()));
  }

  private Path graphFile(String spec, UnaryOperator<byte[]> change) throws IOException {
    Path file = folder.resolve("graph.mpg");
    GraphFormats.write(GraphGenerators.generate(spec), file);
    return Files.write(file, change.apply(Files.readAllBytes(file)));
  }

  /** Changes a word, and the checksum with it. */
  private static byte[] changed(byte[] bytes, int place, int word) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    buffer.putInt(place, word);
    CRC32C sum = new CRC32C();
    sum.update(bytes, 0, bytes.length - Integer.BYTES);
    buffer.putInt(bytes.length - Integer.BYTES, (int) sum.getValue());
    return bytes;
  }

  private void assertRefused(int status, String expected, String... arguments) throws IOException {
    Path out = folder.resolve("out");
    List<String> words = new ArrayList<>(List.of(arguments));
    words.addAll(List.of("--out", out.toString()));
    Ended ended = run(words.toArray(new String[0]));
    assertEquals(status, ended.status(), ended.text());
    assertTrue(ended.text().startsWith("magpie-openmp: "), ended.text());
    assertTrue(ended.text().contains(expected), ended.text());
    assertFalse(ended.text().contains("milliseconds"), ended.text());
    try (var files = Files.list(folder)) {
      assertTrue(files.noneMatch(each -> each.getFileName().toString().startsWith("out")));
    }
  }

  @Test
  void damagedGraphsAreRefused() throws IOException {
    String file = folder.resolve("graph.mpg").toString();
    String spec = "path:5,weights=1..9";
    assertRefused(1, file + ": cannot be read: No such file or directory", "cc", file);
    graphFile(spec, bytes -> Arrays.copyOf(bytes, 20));
    assertRefused(1, file + ": the end of the file", "cc", file);
    graphFile(spec, bytes -> Arrays.copyOf(bytes, bytes.length - 1));
    assertRefused(1, file + ": a file of 131 bytes; expected 132 for its numbers", "mst", file);
    graphFile(spec, bytes -> "p sp 2 1 and so on".getBytes(StandardCharsets.UTF_8));
    assertRefused(1, file + ": another signature; expected a Magpie snapshot", "bfs", file);
    graphFile(
        spec,
        bytes -> {
          bytes[70] ^= 1;
          return bytes;
        });
    assertRefused(1, file + ": another checksum", "sssp", file);
    graphFile(spec, bytes -> changed(bytes, 12, 2));
    assertRefused(1, file + ": version 2; expected version 1", "cc", file);
    graphFile(spec, bytes -> changed(bytes, 44, 100));
    assertRefused(1, file + ": offsets that do not ascend", "cc", file);
    graphFile(spec, bytes -> changed(bytes, 64, -7));
    assertRefused(1, file + ": an arc to vertex -7; expected vertices below 5", "cc", file);
    graphFile(spec, bytes -> changed(bytes, 28, 1 << 20));
    assertRefused(1, " vertices and 8 arcs; expected 0 to ", "cc", file);
  }

  @Test
  void graphsThatDoNotSuitAreRefused() throws IOException {
    Path file = folder.resolve("graph.mpg");
    GraphFormats.write(GraphGenerators.parse("random:n=9,m=20,directed").generateDirected(), file);
    for (String each : List.of("mst", "cc")) {
      assertRefused(
          1, file + ": a directed graph; expected an undirected one", each, file.toString());
    }
    assertRefused(
        1,
        "--source 9: expected a vertex of " + file + ", which has 9, counted from 0",
        "bfs",
        file.toString(),
        "--source",
        "9");
    GraphBuilder negative = new GraphBuilder(2, true);
    negative.addEdge(0, 1, -3);
    GraphFormats.write(negative.build(), file);
    assertRefused(1, file + ": a weight of -3; expected weights from 0", "sssp", file.toString());
    GraphFormats.write(GraphGenerators.generate("path:9,weights=long:1..2"), file);
    assertRefused(1, file + ": weights of 64 bits", "sssp", file.toString());
    GraphFormats.write(new GraphBuilder(0, false).build(), file);
    assertRefused(1, "which has 0, counted from 0", "bfs", file.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | 0: the end of the file; expected a header",
        "'p sat 1 1' | 1: 'p sat 1 1'; expected a header 'p cnf VARIABLES CLAUSES'",
        "'c x\np cnf 2 1\n1 3 0' | 3: '3'; expected a literal, -2 to 2",
        "'p cnf 2 1\n1 x 0' | 2: 'x'; expected a literal",
        "'p cnf 2 1\n1 2' | 2: the end of the file inside a clause",
        "'p cnf 2 2\n1 2 0' | 2: the end of the file after 1 clauses; expected 2",
        "'p cnf 2 1\n1 0 2 0' | 2: more clauses; expected 1",
        "'p cnf 2 99999999999\n' | 1: '99999999999'; expected the number of clauses"
      })
  void damagedFormulasAreRefused(String text, String expected) throws IOException {
    Path file = Files.writeString(folder.resolve("formula.cnf"), text);
    assertRefused(1, file + ":" + expected, "sp", file.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "node | '3 2\n0 0 0\n1 1 0\n' | 3: the end of the file; expected a vertex",
        "node | '3 2\n0 0 0\n1 1 0\n3 0 1\n' | 4: vertex 3; expected vertices in order from 0 or 1",
        "node | '3 2\n0 0 0\n1 1 x\n2 0 1\n' | 3: 'x'; expected a coordinate",
        "node | '3 2\n0 0 0\n1 1 inf\n2 0 1\n' | 3: a number that is not finite; expected",
        "ele | '1 3\n0 0 1 3\n' | 2: '3'; expected a vertex that there is",
        "ele | '1 3\n0 0 1\n' | 2: the end of the line; expected a vertex that there is",
        "poly | '3 2\n' | 1: '3'; expected 0, as vertices are in the .node file",
        "poly | '0 2\n1 1\n0 0 1\n' | 3: the end of the line; expected a marker"
      })
  void damagedMeshesAreRefused(String suffix, String text, String expected) throws IOException {
    Path base = folder.resolve("mesh");
    Files.writeString(folder.resolve("mesh.node"), "3 2\n0 0 0\n1 1 0 # a comment\n\n2 0 1\n");
    Files.writeString(folder.resolve("mesh.ele"), "1 3\n0 0 1 2\n");
    Files.writeString(folder.resolve("mesh.poly"), "0 2\n3 0\n0 0 1\n1 1 2\n2 2 0\n0\n");
    Ended sound = run("dmr", base.toString());
    assertEquals(0, sound.status(), sound.text());
    Files.writeString(folder.resolve("mesh." + suffix), text);
    assertRefused(1, base + "." + suffix + ":" + expected, "dmr", base.toString());
  }

  /** Files that are sound one by one. */
  @Test
  void whatIsNoMeshIsRefused() throws IOException {
    String base = folder.resolve("mesh").toString();
    Files.writeString(folder.resolve("mesh.node"), "4 2\n0 0 0\n1 1 0\n2 1 1\n3 0 1\n");
    Files.writeString(folder.resolve("mesh.ele"), "2 3\n0 0 1 2\n1 0 2 3\n");
    Files.writeString(folder.resolve("mesh.poly"), "0 2\n3 0\n0 0 1\n1 1 2\n2 2 3\n0\n");
    assertRefused(1, "the edge from vertex 0 to 3, on the boundary, is no segment", "dmr", base);
    Files.writeString(folder.resolve("mesh.ele"), "1 3\n0 0 2 1\n");
    assertRefused(1, "triangle 0 is not counter-clockwise", "dmr", base);
    Files.writeString(folder.resolve("mesh.ele"), "3 3\n0 0 1 2\n1 0 1 2\n2 0 1 2\n");
    assertRefused(1, "more than two triangles have the edge from vertex 0 to 1", "dmr", base);
  }

  @Test
  void wrongWordsAreRefused() throws IOException {
    String file = graphFile("path:5", bytes -> bytes).toString();
    assertRefused(2, "there is no program 'bsf'", "bsf", file);
    assertRefused(2, "there is no option --source here", "cc", file, "--source", "1");
    assertRefused(2, "--grain 0: expected 1 to 1048576", "cc", file, "--grain", "0");
    assertRefused(2, "--threads many: expected 1 to 4096", "cc", file, "--threads", "many");
    assertRefused(2, "--threads : expected 1 to 4096", "cc", file, "--threads", "");
    assertRefused(2, "--source -1: expected 0 to 2147483647", "bfs", file, "--source", "-1");
    assertRefused(
        2, "--objective least: expected minimum or maximum", "mst", file, "--objective", "least");
    assertRefused(2, "--noise 2: expected 0 to 1", "sp", file, "--noise", "2");
    assertRefused(2, "'grain' is no option", "cc", file, "grain", "7");
    Ended lacking = run("cc", file, "--out");
    assertEquals(2, lacking.status(), lacking.text());
    assertTrue(lacking.text().contains("--out lacks its value"), lacking.text());
    assertEquals(2, run().status());
    Ended help = run("--help");
    assertEquals(0, help.status(), help.text());
    assertTrue(help.text().startsWith("usage: magpie-openmp PROGRAM FILE"), help.text());
  }

  @Test
  void filesOfOtherNamesAreLeftAsTheyAre() throws IOException {
    String file = graphFile("path:5", bytes -> bytes).toString();
    Path out = folder.resolve("out");
    Path mine = Files.writeString(folder.resolve("out.part"), "mine");
    Ended ended = run("cc", file, "--out", out.toString());
    assertEquals(0, ended.status(), ended.text());
    assertEquals(5, Files.readAllLines(out).size());
    assertEquals("mine", Files.readString(mine));
    try (var files = Files.list(folder)) {
      assertEquals(3, files.count(), "graph, result and the other file");
    }
  }

  @Test
  void aFolderThatIsNotThereIsToldAndNothingIsLeft() throws IOException {
    String file = graphFile("path:5", bytes -> bytes).toString();
    String out = folder.resolve("none/out").toString();
    Ended ended = run("cc", file, "--out", out);
    assertEquals(1, ended.status(), ended.text());
    assertTrue(
        ended.text().contains(out + ": cannot be written: No such file or directory"),
        ended.text());
  }
}
