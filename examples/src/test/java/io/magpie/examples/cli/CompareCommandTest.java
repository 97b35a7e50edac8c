package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Synchronization;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompareCommandTest {
  /** Programs of others, run and verified where they are installed. */
  @ParameterizedTest
  @CsvSource({
    "gpmetis, partition, --generate, grid:40, parts=4 part-weights=1:2:3:4, cut",
    "gpmetis, partition, --generate, rmat:scale=9, parts=4, cut",
    "triangle, refine, --points, uniform:300, angle=25, triangles",
    "triangle, refine, --points, holes:9, angle=25, triangles",
    "triangle, refine, --poly, REGIONS, angle=25, triangles",
    "magpie-openmp, msf, --generate, road:500, merge=atomic, rounds",
    "magpie-openmp, paths, --generate, star:50, lengths=unit, rounds",
    "magpie-openmp, components, --generate, rmat:scale=9, form=atomic, rounds",
    "magpie-openmp, sat, --cnf, 'ksat:n=200,ratio=3', fraction=0.02, solved",
    "magpie-openmp, refine, --points, holes:9, angle=25, triangles"
  })
  void programsOfOthersAreVerified(
      String program,
      String algorithm,
      String option,
      String input,
      String variants,
      String counter)
      throws IOException {
    Path regions = folder.resolve("regions.poly");
    Files.writeString(
        regions,
        "4 2\n1 0 0\n2 4 0\n3 4 4\n4 0 4\n5\n1 1 2\n2 2 3\n3 3 4\n4 4 1\n5 1 3\n0\n"
            + "2\n1 3 1 7 0.1\n2 1 3 8 -1\n");
    List<String> words = new ArrayList<>(List.of("compare", algorithm, option));
    words.add(input.equals("REGIONS") ? regions.toString() : input);
    words.addAll(List.of("--devices", "cpu:1", "--variants"));
    words.addAll(List.of(variants.split(" ")));
    words.addAll(List.of("--with", program, "--repeats", "2", "--json", "-"));
    CommandRun run = CommandRun.of(words.toArray(new String[0]));
    boolean there =
        new ProcessBuilder("sh", "-c", "command -v " + program)
                .redirectErrorStream(true)
                .start()
                .onExit()
                .join()
                .exitValue()
            == 0;
    if (!there) {
      run.expect(ExitStatus.USAGE);
      assertTrue(run.err().contains("there is no " + program + " on PATH; install "), run.err());
      return;
    }
    List<JsonNode> runs = new ArrayList<>();
    for (String line : run.expect(ExitStatus.OK).out().lines().toList()) {
      JsonNode value = new ObjectMapper().readTree(line);
      if (value.at("/contestant").asText().equals(program) && value.has("verdict")) {
        runs.add(value);
      }
    }
    assertFalse(runs.isEmpty(), run.out());
    for (JsonNode each : runs) {
      assertEquals("verified", each.at("/verdict").asText(), each.toString());
      assertTrue(each.at("/counters/" + counter).asLong() > 0, each.toString());
    }
  }

  @TempDir Path folder;

  @Test
  void comparesVariantsOnDevicesWithBaselines() throws IOException {
    Path jsonLines = folder.resolve("runs.jsonl");
    Path csv = folder.resolve("runs.csv");
    CommandRun run =
        CommandRun.of(
                "compare",
                "msf",
                "--generate",
                "random:200,m=600,seed=5",
                "--variants",
                "merge=stm,atomic",
                "policy=hand_off,priority_rule",
                "--devices",
                "cpu:2,sim:1:4",
                "--with",
                "kruskal,filter-kruskal,jgrapht",
                "--repeats",
                "2",
                "--warmups",
                "1",
                "--json",
                jsonLines.toString(),
                "--csv",
                csv.toString())
            .expect(ExitStatus.OK);
    for (String expected :
        List.of(
            "stm hand_off",
            "stm priority_rule",
            "atomic",
            "\nkruskal",
            "filter-kruskal",
            "jgrapht",
            "sim:1:4",
            "Simulator times do not measure performance, so no ratios are given for them.")) {
      assertTrue(run.out().contains(expected), run.out());
    }
    run.out()
        .lines()
        .filter(line -> line.contains("sim:1:4 "))
        .forEach(line -> assertFalse(line.contains("too few rounds"), line));
    List<JsonNode> values = new ArrayList<>();
    for (String line : Files.readAllLines(jsonLines)) {
      values.add(new ObjectMapper().readTree(line));
    }
    int contestants = 3 * 2 + 3;
    assertEquals(contestants * 3, values.stream().filter(v -> kind(v).equals("run")).count());
    assertEquals(contestants, values.stream().filter(v -> kind(v).equals("summary")).count());
    for (JsonNode value : values) {
      assertEquals(5, value.at("/input/seed").asInt());
      assertTrue(value.at("/input/hash").asText().matches("sha256:[0-9a-f]{64}"));
      for (String name : List.of("revision", "version", "time", "device", "variant", "host")) {
        assertTrue(value.has(name), name);
      }
      if (kind(value).equals("run")) {
        assertEquals("verified", value.at("/verdict").asText());
        assertTrue(value.at("/millis/total").asDouble() > 0);
        boolean stm = value.at("/variant/merge").asText().equals("stm");
        assertEquals(stm, value.at("/counters/commits").asLong(-1) > 0, value.toString());
        assertEquals(stm, value.at("/aborts").has("outranked"));
        assertEquals(value.at("/baseline").asBoolean(), value.at("/variant").isEmpty());
      } else {
        boolean first = value == values.get(values.size() - contestants);
        boolean simulated = value.at("/device/machine").asText().equals("sim");
        assertEquals(!first && !simulated, value.has("ratioToFirst"), value.toString());
      }
    }
    List<String> lines = Files.readAllLines(csv);
    assertEquals(1 + contestants * 3, lines.size());
    int columns = lines.get(0).split(",", -1).length;
    for (String line : lines) {
      assertEquals(columns, line.replaceAll("\"[^\"]*\"", "").split(",", -1).length, line);
    }
  }

  @Test
  void comparesRefinements() throws IOException {
    Path jsonLines = folder.resolve("runs.jsonl");
    CommandRun run =
        CommandRun.of(
                "compare",
                "refine",
                "--points",
                "uniform:200,seed=5",
                "--variants",
                "sync=all",
                "point=all",
                "angle=25",
                "--devices",
                "cpu:2",
                "--repeats",
                "2",
                "--json",
                jsonLines.toString())
            .expect(ExitStatus.OK);
    for (String expected :
        List.of("transactions off-center", "marks circumcenter", "two-stages off-center")) {
      assertTrue(run.out().contains(expected), run.out());
    }
    List<String> lines = Files.readAllLines(jsonLines);
    int variants = 2 * Synchronization.values().length;
    assertEquals(variants * 3 + variants, lines.size());
    for (String line : lines) {
      JsonNode value = new ObjectMapper().readTree(line);
      assertEquals(200, value.at("/input/vertices").asInt());
      assertEquals(5, value.at("/input/seed").asInt());
      assertEquals("25", value.at("/variant/angle").asText());
      if (kind(value).equals("run")) {
        assertEquals("verified", value.at("/verdict").asText());
        assertTrue(value.at("/counters/inserted").asLong() > 0, line);
        assertTrue(value.at("/millis/kernels").asDouble() > 0, line);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "msf, --generate, road:300, merge=stm, 'new,kept,device'",
    "components, --generate, road:300, form=transactional, 'new,kept'",
    "partition, --generate, grid:20, parts=3, 'new,kept,device'",
    "refine, --points, uniform:200, sync=marks, 'new,kept,device'"
  })
  void placesOfResultsAreCompared(
      String algorithm, String option, String input, String variant, String results)
      throws IOException {
    Path jsonLines = folder.resolve("runs.jsonl");
    CommandRun.of(
            "compare",
            algorithm,
            option,
            input,
            "--variants",
            variant,
            "--devices",
            "cpu:2",
            "--results",
            results,
            "--repeats",
            "2",
            "--json",
            jsonLines.toString())
        .expect(ExitStatus.OK);
    Map<String, Integer> lines = new TreeMap<>();
    for (JsonNode value : JsonSchema.validated(Files.readString(jsonLines))) {
      String place = value.at("/variant/results").asText("new");
      lines.merge(place, 1, Integer::sum);
      String label = value.at("/contestant").asText();
      assertEquals(!place.equals("new"), label.endsWith(" results=" + place), label);
      if (kind(value).equals("run")) {
        assertEquals("verified", value.at("/verdict").asText());
      }
    }
    assertEquals(Set.of(results.split(",")), lines.keySet());
    assertEquals(Set.of(3 + 1), Set.copyOf(lines.values()));
  }

  @ParameterizedTest
  @CsvSource({
    "paths, --digraph, 'random:99,m=300,directed', kept, 'kept: paths makes new arrays only'",
    "components, --generate, road:99, device, 'device: components has results in Java only'",
    "msf, --generate, road:99, old, 'old: expected some of new, kept and device'",
    "msf, --generate, road:99, 'kept,kept', 'kept is given twice'"
  })
  void refusesOtherPlacesOfResults(
      String algorithm, String option, String input, String results, String reason) {
    CommandRun run =
        CommandRun.of("compare", algorithm, option, input, "--results", results)
            .expect(ExitStatus.USAGE);
    assertTrue(run.err().contains("--results"), run.err());
    assertTrue(run.err().contains(reason), run.err());
  }

  @ParameterizedTest
  @CsvSource({
    "--variants, layout=hilbert, kept, angle=30, hilbert",
    "--variants, layout=all, device, hilbert, hilbert",
    "--ladder, optimizations, kept, three phases, shuffled"
  })
  void refusesVariantsThatNeedNewArraysForTheirResults(
      String option, String variants, String place, String variant, String layout) {
    CommandRun run =
        CommandRun.of(
                "compare",
                "refine",
                "--points",
                "uniform:30",
                option,
                variants,
                "--results",
                "new," + place)
            .expect(ExitStatus.USAGE);
    assertTrue(
        run.err()
            .contains(
                ("--results " + place + ": variant '" + variant + "': layout=" + layout)
                    + " needs new arrays"),
        run.err());
  }

  /** Triangles left beside them are no mistake, but counted. */
  @Test
  void comparesVariantsThatKeepSegmentsWhole() throws IOException {
    Path jsonLines = folder.resolve("runs.jsonl");
    CommandRun.of(
            "compare",
            "refine",
            "--points",
            "uniform:300",
            "--variants",
            "split=inside,none",
            "--devices",
            "cpu:1",
            "--repeats",
            "1",
            "--warmups",
            "0",
            "--json",
            jsonLines.toString())
        .expect(ExitStatus.OK);
    int runs = 0;
    for (JsonNode value : JsonSchema.validated(Files.readString(jsonLines))) {
      if (kind(value).equals("run")) {
        runs++;
        assertEquals("verified", value.at("/verdict").asText());
        assertTrue(value.at("/counters/badLeft").asLong() > 0, value.toString());
      }
    }
    assertEquals(2, runs);
  }

  @Test
  void comparesPartitionsAndShowsTheirCuts() throws IOException {
    Path jsonLines = folder.resolve("runs.jsonl");
    CommandRun run =
        CommandRun.of(
                "compare",
                "partition",
                "--generate",
                "grid:40",
                "--variants",
                "parts=2,5",
                "effort=fast,default",
                "seed=7",
                "--devices",
                "cpu:2",
                "--repeats",
                "2",
                "--json",
                jsonLines.toString())
            .expect(ExitStatus.OK);
    assertTrue(run.out().matches("(?s).*contestant +device +cut +total ms.*"), run.out());
    List<String> lines = Files.readAllLines(jsonLines);
    assertEquals(4 * 3 + 4, lines.size());
    for (String line : lines) {
      JsonNode value = new ObjectMapper().readTree(line);
      assertTrue(value.at("/input/source").asText().endsWith("weights=none"), line);
      if (kind(value).equals("run")) {
        assertEquals("verified", value.at("/verdict").asText());
        assertTrue(value.at("/counters/cut").asLong() >= 40, line);
        // One round warms up; each takes the next seed.
        assertEquals(8 + value.at("/round").asInt(), value.at("/counters/seed").asInt(), line);
        assertTrue(value.at("/millis/kernels").asDouble() > 0, line);
      }
    }
  }

  /** A small version of each input that a ladder names, in one file and told apart by reports. */
  @Test
  void climbsALadderOnItsInputs() throws IOException {
    climbsOnInputs("thesis-3.4", 5, 5, "random-75M");
  }

  @Tag("slow")
  @Test
  void climbsALadderOfMoreInputs() throws IOException {
    climbsOnInputs("thesis-3.2", 9, 6, "USA-like");
  }

  private void climbsOnInputs(String ladder, int inputs, int contestants, String name)
      throws IOException {
    Path jsonLines = folder.resolve("a.jsonl");
    Path csv = folder.resolve("a.csv");
    CommandRun run =
        CommandRun.of(
                "compare",
                "msf",
                "--ladder",
                ladder,
                "--fraction",
                "0.00005",
                "--devices",
                "cpu:2",
                "--with",
                "kruskal",
                "--repeats",
                "1",
                "--warmups",
                "0",
                "--json",
                jsonLines.toString(),
                "--csv",
                csv.toString())
            .expect(ExitStatus.OK);
    assertTrue(run.out().contains(ladder + ", " + name + "\n"), run.out());
    List<String> lines = Files.readAllLines(jsonLines);
    assertEquals(inputs * 2 * contestants, lines.size());
    Set<String> hashes = new HashSet<>();
    Set<String> variants = new HashSet<>();
    Set<String> names = new HashSet<>();
    for (JsonNode value : JsonSchema.validated(Files.readString(jsonLines))) {
      assertEquals(ladder, value.at("/ladder/name").asText());
      names.add(value.at("/ladder/input").asText());
      if (value.at("/kind").asText().equals("run")) {
        assertEquals("verified", value.at("/verdict").asText(), value.toString());
        hashes.add(value.at("/input/hash").asText());
        variants.add(value.at("/variant").toString());
      }
    }
    assertEquals(inputs, hashes.size());
    assertEquals(inputs, names.size());
    assertTrue(names.contains(name), names.toString());
    assertEquals(contestants, variants.size());
    List<String> rows = Files.readAllLines(csv);
    assertEquals(1 + inputs * contestants, rows.size());
    assertTrue(rows.get(0).contains(",ladder,ladder_input,input,"), rows.get(0));
    assertTrue(rows.stream().anyMatch(r -> r.contains("," + ladder + "," + name + ",")), "" + rows);
    long cells = rows.get(0).chars().filter(c -> c == ',').count();
    for (String row : rows) { // quoted ones have commas of their own
      assertEquals(cells, row.replaceAll("\"[^\"]*\"", "").chars().filter(c -> c == ',').count());
    }
    CommandRun.of("report", jsonLines.toString(), "--out", folder.resolve("a.html").toString())
        .expect(ExitStatus.OK);
  }

  /** Settings and counters may have the same names, and that of the seed of the input. */
  @Test
  void columnsHaveNamesOfTheirOwn() throws IOException {
    Path csv = folder.resolve("a.csv");
    CommandRun.of(
            "compare",
            "partition",
            "--generate",
            "grid:6",
            "--variants",
            "parts=2",
            "--devices",
            "cpu:1",
            "--repeats",
            "1",
            "--warmups",
            "0",
            "--csv",
            csv.toString())
        .expect(ExitStatus.OK);
    List<String> head = List.of(Files.readAllLines(csv).get(0).split(","));
    assertEquals(head.size(), new HashSet<>(head).size(), head.toString());
    assertTrue(head.contains("seed") && head.contains("variant_seed"), head.toString());
  }

  /**
   * A failure on one input of a ladder leaves the others, names the input, and the first decides
   * the exit status.
   */
  @Test
  void aFailureOnOneInputLeavesTheOthers() throws IOException {
    Path jsonLines = folder.resolve("a.jsonl");
    Path csv = folder.resolve("a.csv");
    String command =
        "compare wrong --ladder failing --devices cpu:1 --repeats 3 --warmups 0 --json "
            + jsonLines
            + " --csv "
            + csv;
    CommandRun run = CommandRun.of(command.split(" ")).expect(ExitStatus.BAD_INPUT);
    List<String> told = run.err().lines().filter(l -> l.startsWith("magpie compare: ")).toList();
    assertEquals(3, told.size(), run.err());
    assertTrue(
        told.get(0).startsWith("magpie compare: failing, unsuitable: path:n=44,"), told.get(0));
    assertTrue(told.get(1).contains(" failing, too-large: Java's heap of "), told.get(1));
    assertTrue(
        told.get(2).contains(" failing, wrong: third on cpu:1 is wrong: 4 instead of 3;"),
        told.get(2));
    assertTrue(run.out().startsWith("failing, wrong\ninput     path:n=3,"), run.out());
    assertTrue(run.out().contains("\n\nfailing, right\ninput     path:n=2,"), run.out());
    List<String> failed = new ArrayList<>();
    List<String> measured = new ArrayList<>();
    for (JsonNode value : JsonSchema.validated(Files.readString(jsonLines))) {
      assertEquals("failing", value.at("/ladder/name").asText());
      String input = value.at("/ladder/input").asText();
      if (kind(value).equals("failure")) {
        for (String part : List.of("", "/ladder", "/input")) {
          ObjectNode object = (ObjectNode) value.at(part);
          object.put("surprise", "new");
          assertFalse(JsonSchema.objections(value).isEmpty(), value::toString);
          object.remove("surprise");
        }
        failed.add(input + " " + value.at("/input/source").asText().split(",")[0]);
      } else if (kind(value).equals("run")) {
        measured.add(input);
      }
    }
    assertEquals(List.of("unsuitable path:n=44", "too-large path:n=55"), failed);
    assertEquals(6, measured.stream().filter("wrong"::equals).count(), measured.toString());
    assertEquals(6, measured.stream().filter("right"::equals).count(), measured.toString());
    assertEquals(1 + 12, Files.readAllLines(csv).size());
    CommandRun.of("report", jsonLines.toString(), "--out", folder.resolve("a.html").toString())
        .expect(ExitStatus.OK);
  }

  /** Reports of inputs that are done hold none of what was made of them. */
  @Test
  void oneInputOfALadderIsInMemoryAtATime() {
    String command = "compare wrong --ladder remembered --devices cpu:1 --repeats 1 --json -";
    CommandRun.of(command.split(" ")).expect(ExitStatus.OK);
  }

  /** A device that is not there is told once, not for each input. */
  @Test
  void whatHasNothingToDoWithInputsEndsALadder() {
    CommandRun run =
        CommandRun.of("compare", "wrong", "--ladder", "failing", "--devices", "cuda:99")
            .expect(ExitStatus.DEVICE_UNAVAILABLE);
    assertEquals(1, run.err().split("magpie compare: ", -1).length - 1, run.err());
    assertFalse(run.err().contains("failing, "), run.err());
  }

  /** An input of the user's own takes the place of the ladder's. */
  @Test
  void climbsLaddersOnAGivenInput() {
    CommandRun run =
        CommandRun.of(
                "compare",
                "msf",
                "--ladder",
                "thesis-3.2",
                "--generate",
                "road:50",
                "--devices",
                "cpu:1",
                "--repeats",
                "1",
                "--warmups",
                "0")
            .expect(ExitStatus.OK);
    assertEquals(1, run.out().split("input ", -1).length - 1, run.out());
    assertTrue(run.out().contains("vertices, lock-free"), run.out());
    assertFalse(run.out().contains("USA"), run.out());
  }

  /** Each step of each ladder is a run of its own, and is verified. */
  @ParameterizedTest
  @CsvSource({"optimizations, 13, + less divergence", "stages, 4, + work sharing"})
  void climbsLadders(String ladder, int steps, String label) throws IOException {
    Path jsonLines = folder.resolve(ladder + ".jsonl");
    CommandRun run =
        CommandRun.of(
                "compare",
                "refine",
                "--points",
                "uniform:200",
                "--ladder",
                ladder,
                "--devices",
                "cpu:2",
                "--repeats",
                "1",
                "--warmups",
                "0",
                "--json",
                jsonLines.toString())
            .expect(ExitStatus.OK);
    for (String column : List.of(label, "inserted", "aborts", "bad left", "launches")) {
      assertTrue(run.out().contains(column), run.out());
    }
    List<String> lines = Files.readAllLines(jsonLines);
    assertEquals(2 * steps, lines.size());
    Set<String> variants = new HashSet<>();
    for (String line : lines.subList(0, steps)) {
      JsonNode value = new ObjectMapper().readTree(line);
      assertEquals("verified", value.at("/verdict").asText());
      assertEquals(0, value.at("/counters/badLeft").asInt());
      assertEquals("{\"name\":\"" + ladder + "\"}", value.get("ladder").toString());
      variants.add(value.at("/variant").toString());
    }
    assertEquals(steps, variants.size(), "two steps are the same");
  }

  private static String kind(JsonNode value) {
    return value.at("/kind").asText();
  }

  @Test
  void leavesOutImpossibleCombinationsOfAll() {
    CommandRun run =
        CommandRun.of(
                "compare",
                "msf",
                "--generate",
                "road:30",
                "--variants",
                "merge=all",
                "traversal=all",
                "discovery=all",
                "filter=all",
                "reads=all",
                "--devices",
                "cpu:1",
                "--repeats",
                "1",
                "--warmups",
                "0")
            .expect(ExitStatus.OK);
    // Edge: three filters; vertex: two discoveries. Each with atomic, or stm with two kinds of
    // reads. And others' forms.
    assertEquals(
        5 * 3 + 3,
        run.out().lines().filter(line -> line.endsWith("  verified")).count(),
        run.out());
  }

  @Test
  void refusesAnImpossibleVariantUnlessAllWereAskedFor() {
    CommandRun one =
        CommandRun.of("compare", "wrong", "--generate", "path:3", "--variants", "when=impossible")
            .expect(ExitStatus.USAGE);
    assertTrue(one.err().contains("when=impossible is impossible: by nature"), one.err());
    CommandRun all =
        CommandRun.of(
                "compare",
                "wrong",
                "--generate",
                "path:3",
                "--variants",
                "when=all",
                "--devices",
                "cpu:1",
                "--repeats",
                "1",
                "--warmups",
                "0")
            .expect(ExitStatus.OK);
    assertFalse(all.out().contains("impossible"), all.out());
  }

  @Test
  void jsonLinesCanReplaceTheTable() {
    CommandRun run =
        CommandRun.of(
                "compare",
                "msf",
                "--generate",
                "path:9",
                "--devices",
                "cpu:1",
                "--repeats",
                "1",
                "--warmups",
                "0",
                "--json",
                "-",
                "--measure",
                "kernels",
                "--verify",
                "first")
            .expect(ExitStatus.OK);
    assertEquals(2, run.out().lines().count());
    assertTrue(run.out().lines().allMatch(line -> line.startsWith("{") && line.endsWith("}")));
  }

  /** Its input and options are unknown only because it is. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "compare coloring --edges a.edges --colors 3",
        "compare coloring --points uniform:9",
        "--stacktrace compare coloring"
      })
  void anUnknownAlgorithmIsToldFirst(String words) {
    CommandRun run = CommandRun.of(words.split(" ")).expect(ExitStatus.USAGE);
    assertTrue(
        run.err().startsWith("magpie compare: there is no algorithm 'coloring'; expected one of "),
        run.err());
    assertTrue(
        run.err()
            .contains(
                "; to add your own, put a jar that has"
                    + " META-INF/services/io.magpie.examples.compare.Comparison on MAGPIE_CLASSPATH"
                    + " (now not set)\n"),
        run.err());
    assertFalse(run.err().contains("Unknown option"), run.err());
    assertFalse(run.err().contains("--variants"), run.err());
  }

  @Test
  void anUnknownOptionOfAKnownAlgorithmIsTold() {
    CommandRun run =
        CommandRun.of("compare", "msf", "--generate", "path:9", "--colors", "3")
            .expect(ExitStatus.USAGE);
    assertTrue(run.err().contains("'--colors'"), run.err());
  }

  /** Its clock ticks in steps of 10 ms, and these runs say that they took one. */
  @Test
  void noShareOfTheProcessorIsShownOfRunsTooShortForIt() {
    List<String> lines =
        CommandRun.of(
                "compare", "wrong", "--generate", "path:3", "--devices", "cpu:1", "--repeats", "3")
            .expect(ExitStatus.OK)
            .out()
            .lines()
            .toList();
    String head = lines.stream().filter(l -> l.startsWith("contestant ")).findFirst().orElseThrow();
    String row = lines.get(lines.indexOf(head) + 1);
    int column = head.indexOf("cpu/wall");
    assertEquals("       -", row.substring(column, column + "cpu/wall".length()), row);
  }

  /** One that sleeps is like one that others keep from the processor. */
  @Test
  void whatOthersDisturbedIsVoid() throws IOException {
    Path jsonLines = folder.resolve("disturbed.jsonl");
    String command =
        "compare wrong --generate path:3 --variants when=never,sleeps --devices cpu:1"
            + " --repeats 6 --json "
            + jsonLines;
    CommandRun run = CommandRun.of(command.split(" ")).expect(ExitStatus.OK);
    assertTrue(run.out().contains("other programs may have taken it"), run.out());
    assertTrue(
        run.out().lines().anyMatch(line -> line.matches("sleeps .* 600\\.000  +void  +verified")),
        run.out());
    List<JsonNode> summaries = new ArrayList<>();
    for (String line : Files.readAllLines(jsonLines)) {
      if (line.contains("\"kind\":\"summary\"")) {
        summaries.add(new ObjectMapper().readTree(line));
      }
    }
    assertEquals(
        List.of("null", "false"),
        List.of(
            summaries.get(0).get("processors").toString(),
            summaries.get(0).get("disturbed").toString()));
    assertTrue(summaries.get(1).get("processors").asDouble() < 0.9, summaries::toString);
    assertTrue(summaries.get(1).get("disturbed").asBoolean(), summaries::toString);
    assertEquals("void", summaries.get(1).at("/ratioToFirst/verdict").asText());
  }

  @Test
  void aWrongResultDecidesTheExitStatus() throws IOException {
    Path jsonLines = folder.resolve("wrong.jsonl");
    CommandRun run =
        CommandRun.of(
                "compare",
                "wrong",
                "--generate",
                "path:3",
                "--variants",
                "when=never,third",
                "--devices",
                "cpu:1",
                "--repeats",
                "3",
                "--json",
                jsonLines.toString())
            .expect(ExitStatus.NOT_VERIFIED);
    assertTrue(
        run.err()
            .contains(
                "third on cpu:1 is wrong: 4 instead of 3; try --devices cpu-checked:2, which checks"
                    + " indices\n"),
        run.err());
    assertTrue(run.out().contains("1 wrong"), run.out());
    assertEquals(
        1,
        Files.readAllLines(jsonLines).stream()
            .filter(l -> l.contains("\"verdict\":\"wrong\""))
            .count());
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu-checked:1", "sim"})
  void whatRanWhereIndicesAreCheckedIsWrongForAnotherReason(String device) {
    String command =
        "compare wrong --generate path:3 --variants when=third --repeats 3 --devices " + device;
    CommandRun run = CommandRun.of(command.split(" ")).expect(ExitStatus.NOT_VERIFIED);
    assertTrue(run.err().endsWith(" is wrong: 4 instead of 3\n"), run.err());
  }

  /** A millisecond is too short for any machine. */
  @Test
  void aVariantThatDoesNotFinishIsToldAndTheOthersAreMeasured() throws IOException {
    Path jsonLines = folder.resolve("unfinished.jsonl");
    CommandRun run =
        CommandRun.of(
                "compare",
                "msf",
                "--generate",
                "road:1M",
                "--variants",
                "merge=stm",
                "timeout=60,0.001",
                "--devices",
                "cpu:1",
                "--repeats",
                "2",
                "--json",
                jsonLines.toString())
            .expect(ExitStatus.NOT_VERIFIED);
    assertTrue(run.err().contains("0.001 on cpu:1 did not finish: region "), run.err());
    assertTrue(run.err().contains("items are unfinished"), run.err());
    assertTrue(
        run.err()
            .contains(
                "; --variants timeout=SECONDS gives it longer; try --devices cpu-checked:2, which checks"
                    + " indices\n"),
        run.err());
    assertTrue(run.out().lines().anyMatch(line -> line.endsWith("unfinished")), run.out());
    List<String> lines = Files.readAllLines(jsonLines);
    assertEquals(3, lines.stream().filter(l -> l.contains("\"kind\":\"run\"")).count());
    assertTrue(lines.get(lines.size() - 1).contains("did not finish"), lines.toString());
  }

  @Test
  void aFailureKeepsWhatWasMeasuredAndSaysSo() throws IOException {
    List<String> lines = failing("never,throws", ExitStatus.INTERNAL_ERROR, "on purpose");
    assertTrue(
        lines
            .get(lines.size() - 1)
            .contains("throws on cpu:1 failed: java.lang.IllegalStateException: on purpose"),
        lines.toString());
    assertTrue(lines.get(lines.size() - 1).contains("\"kind\":\"failure\""), lines.toString());
    // A B, B A, A, and B fails in its third run.
    assertEquals(5, lines.stream().filter(l -> l.contains("\"kind\":\"run\"")).count());
    assertFalse(lines.toString().contains("\"verdict\":\"wrong\""));
  }

  @Test
  void aFailureBeforeAllRunsIsToldWithoutATable() {
    String command =
        "compare wrong --generate path:3 --variants when=never,throws run=first --devices cpu:1";
    CommandRun run = CommandRun.of(command.split(" ")).expect(ExitStatus.INTERNAL_ERROR);
    assertEquals("", run.out());
    assertTrue(
        run.err()
            .startsWith(
                "magpie compare: throws on cpu:1 failed:"
                    + " java.lang.IllegalStateException: on purpose\n"),
        run.err());
  }

  @Test
  void aLackOfMemoryKeepsWhatWasMeasured() throws IOException {
    List<String> lines = failing("never,out-of-memory", ExitStatus.OUT_OF_MEMORY, "Java's heap of");
    assertTrue(lines.get(lines.size() - 1).contains("OutOfMemoryError"), lines.toString());
    assertEquals(5, lines.stream().filter(l -> l.contains("\"kind\":\"run\"")).count());
  }

  /** Nothing that was measured is lost to what comes after it, nor is the first failure. */
  @Test
  void whatCannotBeClosedHidesNothing() throws IOException {
    List<String> lines = failing("cannot-close", ExitStatus.INTERNAL_ERROR, "cannot be closed");
    assertEquals(5, lines.stream().filter(l -> l.contains("\"kind\":\"run\"")).count());
    lines = failing("throws,cannot-close", ExitStatus.INTERNAL_ERROR, "on purpose");
    assertTrue(lines.get(lines.size() - 1).contains("on purpose"), lines.toString());
  }

  private List<String> failing(String when, ExitStatus status, String message) throws IOException {
    Path jsonLines = folder.resolve("failed.jsonl");
    CommandRun run =
        CommandRun.of(
                "compare",
                "wrong",
                "--generate",
                "path:3",
                "--variants",
                "when=" + when,
                "--devices",
                "cpu:1",
                "--repeats",
                "5",
                "--warmups",
                "0",
                "--json",
                jsonLines.toString())
            .expect(status);
    assertTrue(run.err().contains(message), run.err());
    return Files.readAllLines(jsonLines);
  }

  /** As by a time limit, or by Ctrl-C. */
  @Test
  void anEndFromOutsideKeepsWhatWasMeasured() throws IOException, InterruptedException {
    Path jsonLines = folder.resolve("ended.jsonl");
    String output =
        endedWhileWaiting(
            jsonLines, "--generate", "path:3", "--variants", "when=never,waits", "--repeats", "5");
    // A B, B A, A, and B waits in its third run.
    assertTrue(output.contains("runs until then: 5"), output);
    assertEquals(1, output.lines().filter(l -> l.startsWith("input ")).count());
    List<String> lines = Files.readAllLines(jsonLines);
    assertTrue(lines.get(lines.size() - 1).contains("ended from outside"), lines.toString());
    assertEquals(5, lines.stream().filter(l -> l.contains("\"kind\":\"run\"")).count());
  }

  /** What was measured on the inputs before is kept, too, and is not told as ended. */
  @Test
  void anEndFromOutsideKeepsTheInputsBefore() throws IOException, InterruptedException {
    Path jsonLines = folder.resolve("ended.jsonl");
    String output = endedWhileWaiting(jsonLines, "--ladder", "inputs", "--repeats", "4");
    assertTrue(output.contains("inputs, short\ninput "), output);
    assertTrue(output.contains("inputs, long\ninput "), output);
    List<String> before = new ArrayList<>();
    List<String> last = new ArrayList<>();
    for (String line : Files.readAllLines(jsonLines)) {
      (line.contains("path:n=2,") ? before : last).add(line);
    }
    // Two contestants: eight runs and two summaries, then five runs and what ended them.
    assertEquals(10, before.size(), before.toString());
    assertFalse(before.toString().contains("ended from outside"), before.toString());
    assertEquals(5, last.stream().filter(l -> l.contains("\"kind\":\"run\"")).count());
    assertTrue(last.get(last.size() - 1).contains("ended from outside"), last.toString());
  }

  /** The output of a comparison that is ended by a signal when a contestant begins to wait. */
  private String endedWhileWaiting(Path jsonLines, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.add("-Djava.io.tmpdir=" + folder);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of("compare", "wrong", "--devices", "cpu:1", "--warmups", "0"));
    command.addAll(List.of(arguments));
    command.addAll(List.of("--json", jsonLines.toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    CompletableFuture.delayedExecutor(2, TimeUnit.MINUTES).execute(process::destroyForcibly);
    StringBuilder output = new StringBuilder();
    try (BufferedReader reader = process.inputReader()) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        output.append(line).append('\n');
        if (line.contains("waiting in the third run")) {
          process.toHandle().destroy(); // leaves its output open
        }
      }
    } finally {
      process.destroyForcibly();
    }
    assertEquals(143, process.waitFor(), output.toString()); // 128 and SIGTERM
    return output.toString();
  }
}
