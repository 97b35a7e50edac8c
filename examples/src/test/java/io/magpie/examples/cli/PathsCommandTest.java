package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathsCommandTest {
  @TempDir Path folder;

  private Path arcs() throws IOException {
    return Files.writeString(
        folder.resolve("arcs.gr"), "p sp 5 5\na 1 2 4\na 1 3 1\na 3 2 2\na 2 4 0\na 5 1 1\n");
  }

  @ParameterizedTest
  @CsvSource({
    "cpu:2, --lengths unit",
    "cpu:2, --lengths weights --order near-far",
    "cpu:2, --lengths weights --order bins",
    "sim:1:4, --lengths weights --order bins --delta 20 --balance split",
    "cpu-checked:2, --direction auto --predecessors with-distance",
    "cpu:2, --direction pull --predecessors none",
    "sim:1:4, --lengths weights --drive topology --sync atomic-free",
    "sim:3:4, --lengths weights --predecessors with-distance --sync transactional --timeout 30",
    "cpu:2, --lengths weights --balance split --degree-bound 1",
    "cpu-checked:2, --balance virtual-split --drive topology --predecessors with-distance",
    "sim:1:4, --lengths weights --order near-far --balance heavy --degree-bound 4",
    "sim:3:4, --balance none --sync atomic-free",
    "sim:0:32, --sync transactional --predecessors with-distance --policy priority_rule",
  })
  void verifiesEveryVariant(String device, String options) {
    List<String> arguments =
        new ArrayList<>(
            List.of("paths", "--digraph", "random:300,m=1500,weights=0..99,directed", "--verify"));
    arguments.addAll(List.of("--device", CommandRun.compiled(device)));
    arguments.addAll(List.of(options.split(" ")));
    CommandRun run = CommandRun.of(arguments.toArray(new String[0])).expect(ExitStatus.OK);
    assertTrue(run.out().contains("verified"), run.out());
    assertTrue(run.out().contains("300 vertices, 1,500 arcs"), run.out());
    assertEquals("", run.err());
    assertEquals(options.contains("transactional"), run.out().contains("aborts    "), run.out());
    assertEquals(options.contains("auto"), run.out().contains("of them pulling"), run.out());
    assertEquals(options.matches(".*(split|heavy).*"), run.out().contains("lanes     "), run.out());
  }

  /** A hub of 8 arcs at a bound of 3: two nodes more. */
  @Test
  void splitNodesAreTold() throws IOException {
    String[] call = {
      "paths", "--device", "cpu:1", "--generate", "star:9", "--balance", "split", "--degree-bound"
    };
    List<String> words = new ArrayList<>(List.of(call));
    words.addAll(List.of("3", "--verify"));
    String out = CommandRun.of(words.toArray(new String[0])).expect(ExitStatus.OK).out();
    assertTrue(out.contains("of at most 3 arcs: 2 nodes more than vertices"), out);
    assertTrue(out.contains("bound and nodes "), out);
    words.add("--json");
    JsonNode value =
        new ObjectMapper()
            .readTree(CommandRun.of(words.toArray(new String[0])).expect(ExitStatus.OK).out());
    assertEquals(3, value.at("/degreeBound").asInt());
    assertEquals(2, value.at("/extraNodes").asInt());
    assertEquals(3, value.at("/variant/degreeBound").asInt());
    assertTrue(value.at("/millis/prepare").asDouble() > 0, value::toPrettyString);
    assertPreparationIsPartOfKernels(value);
  }

  /** On a path of 40 vertices warps go on after 32 rounds, and to its end. */
  @Test
  void aSourceThatNoArcLeavesIsTold() throws IOException {
    String[] call = {
      "paths", "--device", "cpu:1", "--digraph", arcs().toString(), "--source", "3", "--verify"
    };
    String out = CommandRun.of(call).expect(ExitStatus.OK).out();
    assertTrue(
        out.contains("from vertex 3 to 1 of 5 vertices, the farthest at distance 0; no arc leads"),
        out);
  }

  @Test
  void roundsOfWarpsAreTold() throws IOException {
    List<String> words =
        new ArrayList<>(List.of("paths", "--device", "sim:1:4", "--generate", "path:40"));
    words.addAll(List.of("--local-rounds", "9", "--verify"));
    String out = CommandRun.of(words.toArray(new String[0])).expect(ExitStatus.OK).out();
    assertTrue(out.contains("33, warps going on for up to 9; distances fell 39 times"), out);
    words.add("--json");
    JsonNode value =
        new ObjectMapper()
            .readTree(CommandRun.of(words.toArray(new String[0])).expect(ExitStatus.OK).out());
    assertEquals(9, value.at("/localRounds").asInt());
    assertEquals(33, value.at("/rounds").asInt());
  }

  private static void assertPreparationIsPartOfKernels(JsonNode value) {
    double prepare = value.at("/millis/prepare").asDouble(-1);
    double solve = value.at("/millis/solve").asDouble(-1);
    assertTrue(prepare >= 0 && solve > 0, value::toPrettyString);
    assertEquals(prepare + solve, value.at("/millis/kernels").asDouble(), 1e-9);
  }

  /** A bound that is given, and lanes for vertices, leave nothing to be prepared. */
  @ParameterizedTest
  @ValueSource(strings = {"--balance pieces", "--balance none", "--balance heavy --degree-bound 3"})
  void nothingIsPreparedWithoutNodes(String options) throws IOException {
    List<String> words =
        new ArrayList<>(List.of("paths", "--device", "cpu:1", "--generate", "star:9", "--json"));
    words.addAll(List.of(options.split(" ")));
    JsonNode value =
        new ObjectMapper()
            .readTree(CommandRun.of(words.toArray(new String[0])).expect(ExitStatus.OK).out());
    assertEquals(0, value.at("/millis/prepare").asDouble(-1), value::toPrettyString);
    assertPreparationIsPartOfKernels(value);
  }

  /** Each step of each ladder is a run of its own, and is verified. */
  @ParameterizedTest
  @CsvSource({
    "split-sssp, 15, + atomic minima",
    "virtual-bfs, 25, virtual at 8",
    "heavy-sssp, 13, equal pieces"
  })
  void climbsLadders(String ladder, int steps, String label) throws IOException {
    climbs(ladder, steps, label);
  }

  @Tag("slow") // runs each step
  @ParameterizedTest
  @CsvSource({
    "split-bfs, 15, split at 8",
    "virtual-sssp, 25, + atomic minima",
    "heavy-bfs, 13, heavy above 1"
  })
  void climbsTheSameByOtherLengths(String ladder, int steps, String label) throws IOException {
    climbs(ladder, steps, label);
  }

  private void climbs(String ladder, int steps, String label) throws IOException {
    Path lines = folder.resolve(ladder + ".jsonl");
    String[] call = {
      "compare",
      "paths",
      "--digraph",
      "rmat:6,edges=600,weights=1..9,directed",
      "--devices",
      "cpu:2",
      "--repeats",
      "1",
      "--warmups",
      "0",
      "--ladder",
      ladder,
      "--json",
      lines.toString()
    };
    CommandRun run = CommandRun.of(call).expect(ExitStatus.OK);
    assertTrue(run.out().contains(label), run.out());
    Set<String> variants = new HashSet<>();
    for (String line : Files.readAllLines(lines).subList(0, steps)) {
      JsonNode value = new ObjectMapper().readTree(line);
      assertEquals("run", value.at("/kind").asText());
      assertEquals("verified", value.at("/verdict").asText());
      variants.add(value.at("/variant").toString());
      assertPreparationIsPartOfKernels(value);
      String balance = value.at("/variant/balance").asText();
      assertEquals(
          balance.endsWith("split") || value.at("/variant/degree-bound").asText().equals("0"),
          value.at("/millis/prepare").asDouble() > 0,
          value::toPrettyString);
    }
    assertEquals(steps, variants.size(), "two steps are the same");
  }

  @Test
  void printsAndWritesTheKnownPathsOfASmallGraph() throws IOException {
    Path paths = folder.resolve("paths.txt");
    String[] call = {
      "paths", "--device", "cpu", "--digraph", arcs().toString(), "--out", paths.toString()
    };
    CommandRun run = CommandRun.of(call).expect(ExitStatus.OK);
    assertTrue(
        run.out().contains("from vertex 0 to 4 of 5 vertices, the farthest at distance 2"),
        run.out());
    assertFalse(run.out().contains("verified"), "nobody asked for it");
    assertEquals(List.of("0 0 0", "1 1 0", "2 1 0", "3 2 1"), Files.readAllLines(paths));

    List<String> longer = new ArrayList<>(Arrays.asList(call));
    longer.addAll(List.of("--lengths", "weights", "--source", "4", "--predecessors", "none"));
    CommandRun.of(longer.toArray(new String[0])).expect(ExitStatus.OK);
    assertEquals(List.of("0 1", "1 4", "2 2", "3 4", "4 0"), Files.readAllLines(paths));
  }

  /** Breadth-first search does not use weights, so any will do. */
  @Test
  void realAndNegativeWeightsAreNoMatterToABreadthFirstSearch() throws IOException {
    Path matrix =
        Files.writeString(
            folder.resolve("real.mtx"),
            "%%MatrixMarket matrix coordinate real general\n4 4 3\n1 2 0.5\n2 3 -1\n3 4 1e-9\n");
    String[] call = {"paths", "--device", "cpu:1", "--digraph", matrix.toString(), "--verify"};
    String out = CommandRun.of(call).expect(ExitStatus.OK).out();
    assertTrue(out.contains("to 4 of 4 vertices, the farthest at distance 3"), out);
    List<String> weighted = new ArrayList<>(Arrays.asList(call));
    weighted.addAll(List.of("--lengths", "weights"));
    CommandRun.of(weighted.toArray(new String[0])).expect(ExitStatus.BAD_INPUT);
  }

  /** The same file, read as edges: both ways. */
  @Test
  void anUndirectedGraphHasBothDirections() throws IOException {
    String out =
        CommandRun.of("paths", "--device", "cpu", "--graph", arcs().toString(), "--verify")
            .expect(ExitStatus.OK)
            .out();
    assertTrue(out.contains("5 vertices, 10 arcs"), out);
    assertTrue(out.contains("to 5 of 5 vertices"), out);
  }

  @Test
  void tellsProgramsTheSame() throws IOException {
    JsonNode value =
        new ObjectMapper()
            .readTree(
                CommandRun.of(
                        "paths",
                        "--device",
                        "cpu:1",
                        "--digraph",
                        arcs().toString(),
                        "--lengths",
                        "weights",
                        "--verify",
                        "--json")
                    .expect(ExitStatus.OK)
                    .out());
    assertEquals("{\"source\":0,\"reached\":4,\"farthest\":3}", value.get("paths").toString());
    assertEquals("verified", value.get("verdict").textValue());
    assertEquals("weights", value.at("/variant/lengths").textValue());
    assertEquals(5, value.at("/input/arcs").asInt());
  }

  @Test
  void showsPhasesBehindTheResultIfAsked() {
    String[] call = {"paths", "--device", "cpu", "--generate", "road:99", "--verify", "--details"};
    String all = CommandRun.of(call).expect(ExitStatus.OK).out();
    String few = CommandRun.of(Arrays.copyOf(call, 6)).expect(ExitStatus.OK).out();
    assertTrue(all.contains("search_atomic"), all);
    assertTrue(all.indexOf("verified") < all.indexOf("search_atomic"), all);
    assertFalse(few.contains("search_atomic"), few);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--generate road:9 --source -1 | --source must be a vertex, 0 or more, but is -1",
        "--generate road:9 --weights 1..5 | --weights has no effect without --lengths weights",
        "--digraph a.mtx --weight-scale 10 | --weight-scale has no effect without --lengths weights",
        "--generate road:9 --order near-far | --order has no effect without --lengths weights",
        "--generate road:9 --lengths weights --delta 4 | --delta has no effect without --order"
            + " near-far or bins",
        "--generate road:9 --lengths weights --order bins --delta -1 | --delta must be at least 0",
        "--generate road:9 --direction pull --sync atomic | --sync has no effect without"
            + " --direction push or auto",
        "--generate road:9 --direction pull --balance split | --balance has no effect without"
            + " --direction push",
        "--generate road:9 --direction auto --balance heavy | --balance has no effect without"
            + " --direction push",
        "--generate road:9 --degree-bound 4 | --degree-bound has no effect without --balance split,"
            + " virtual-split or heavy",
        "--generate road:9 --balance split --degree-bound -1 | --degree-bound must be at least 0",
        "--generate road:9 --balance split --predecessors with-distance --sync transactional |"
            + " balance=split needs sync=atomic or atomic-free",
        "--generate road:9 --sync transactional | sync=transactional needs"
            + " predecessors=with-distance",
        "--digraph rmat:5,directed --relabel | --relabel is for files;" + " leave it out",
        "--digraph rmat:x | scale=x",
        "--generate road:9 --png /nowhere/a.png --predecessors none | --png draws predecessors",
        "--digraph rmat:5,directed --png /nowhere/a.png | has no coordinates"
      })
  void whatMakesNoSenseIsRefused(String options, String message) {
    CommandRun run = CommandRun.of(("paths " + options).split(" ")).expect(ExitStatus.USAGE);
    assertTrue(run.err().contains(message), run.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--generate road:9 --source 9 | --source 9 is not a vertex of the graph; expected 0 to 8",
        "--generate path:0 | the graph has no vertices where paths could begin",
        "--generate path:9 --local-rounds 16 | local-rounds=16 is for devices whose warps have"
            + " several lanes, and those of cpu:1 have one; leave it out, or use 0",
        "--generate road:9,weights=none --lengths weights | the graph has no weights; draw some",
        "--digraph /nowhere/at/all.gr | /nowhere/at/all.gr: no such file"
      })
  void inputsThatDoNotSuitAreTold(String options, String message) {
    CommandRun run =
        CommandRun.of(("paths --device cpu:1 " + options).split(" ")).expect(ExitStatus.BAD_INPUT);
    assertTrue(run.err().contains(message), run.err());
  }

  /** A word has no room for such distances and a predecessor. */
  @Test
  void distancesThatMayNotFitAreRefused() {
    String[] call =
        "paths --device cpu:1 --generate path:9,weights=max --lengths weights".split(" ");
    CommandRun.of(call).expect(ExitStatus.OK);
    CommandRun run =
        CommandRun.of(
                Stream.concat(Stream.of(call), Stream.of("--predecessors", "with-distance"))
                    .toArray(String[]::new))
            .expect(ExitStatus.BAD_INPUT);
    assertTrue(run.err().contains("path:n=9"), run.err());
    assertTrue(run.err().contains("use predecessors=afterwards"), run.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sync=atomic,atomic-free direction=push,auto",
        "lengths=weights order=all",
        "lengths=weights predecessors=with-distance sync=transactional,atomic"
      })
  void comparesVariantsAndPrograms(String variants) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "compare",
                "paths",
                "--digraph",
                "rmat:7,edges=900,weights=1..50,directed",
                "--devices",
                "cpu:2",
                "--repeats",
                "2",
                "--warmups",
                "0",
                "--with",
                "sequential,lists,jgrapht",
                "--variants"));
    words.addAll(List.of(variants.split(" ")));
    CommandRun run = CommandRun.of(words.toArray(new String[0])).expect(ExitStatus.OK);
    assertTrue(run.out().contains("jgrapht"), run.out());
    assertTrue(run.out().matches("(?s).*relaxations +extra nodes.*"), run.out());
  }

  @Test
  void aComparisonByWeightsNeedsSome() {
    CommandRun run =
        CommandRun.of(
                "compare",
                "paths",
                "--digraph",
                "rmat:5,weights=none,directed",
                "--devices",
                "cpu:1",
                "--variants",
                "lengths=weights")
            .expect(ExitStatus.BAD_INPUT);
    assertTrue(run.err().contains("lengths=weights needs some"), run.err());
  }
}
