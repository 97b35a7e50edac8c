package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.magpie.algorithms.partition.PartitionFormat;
import io.magpie.algorithms.partition.PartitionOptions;
import io.magpie.examples.cli.options.EnumOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PartitionCommandTest {
  @TempDir Path folder;

  private String file(String name) {
    return folder.resolve(name).toString();
  }

  private static CommandRun partition(String... arguments) {
    return CommandRun.of(
        Stream.concat(Stream.of("partition", "--device", "cpu:2"), Arrays.stream(arguments))
            .toArray(String[]::new));
  }

  /** Each value of each choice, beside the defaults of the others. */
  static Stream<Arguments> variants() {
    Stream.Builder<Arguments> variants = Stream.builder();
    for (Enum<?>[] values :
        List.of(
            PartitionOptions.Effort.values(),
            PartitionOptions.Coarsening.values(),
            PartitionOptions.Matching.values(),
            PartitionOptions.Rating.values(),
            PartitionOptions.Candidates.values(),
            PartitionOptions.Contraction.values(),
            PartitionOptions.Refinement.values())) {
      for (Enum<?> value : values) {
        String option = "--" + value.getDeclaringClass().getSimpleName().toLowerCase(Locale.ROOT);
        variants.add(Arguments.of("cpu:2", "road:3000", option + " " + EnumOption.name(value)));
      }
    }
    variants.add(Arguments.of("cpu-checked:2", "knn:n=2500,weights=1..9", "--imbalance 0"));
    variants.add(Arguments.of("sim:3:4", "rmat:scale=6", "--matching stm --refinement stm"));
    variants.add(Arguments.of("cpu:2", "grid:60", "--refinement stm --policy priority_rule"));
    return variants.build();
  }

  @ParameterizedTest
  @MethodSource("variants")
  void verifiesEveryVariant(String device, String graph, String options) {
    List<String> arguments = new ArrayList<>(List.of("partition", "--generate", graph, "-k", "5"));
    arguments.addAll(List.of("--verify", "--device", device));
    arguments.addAll(List.of(options.split(" ")));
    CommandRun run = CommandRun.of(arguments.toArray(new String[0])).expect(ExitStatus.OK);
    assertTrue(run.out().contains("verified  "), run.out());
    assertTrue(run.out().contains("balance   5 parts"), run.out());
    assertTrue(run.out().lines().count() <= 10, run.out());
    assertEquals("", run.err());
  }

  @Test
  void showsLevelsAndPhasesBehindTheResultIfAsked() {
    String out =
        CommandRun.of(
                "partition",
                "--device",
                "cpu",
                "--generate",
                "grid:30",
                "-k",
                "4",
                "--verify",
                "--details")
            .expect(ExitStatus.OK)
            .out();
    List<Integer> places = new ArrayList<>();
    for (String each :
        List.of(
            "\ncut ",
            "\nbalance ",
            "\ntime ",
            "\nverified ",
            "\nmemory ",
            "\nlevel ",
            "\nphase ")) {
      places.add(out.indexOf(each));
    }
    assertTrue(places.get(0) > 0, out);
    assertEquals(places.stream().sorted().toList(), places, out);
  }

  @Test
  void writesPartsThatItAndOthersRead() throws IOException {
    Files.writeString(
        folder.resolve("ring.graph"), "6 6 010\n4 2 6\n1 1 3\n1 2 4\n4 3 5\n1 4 6\n1 5 1\n");
    CommandRun run =
        partition(
                "--graph",
                file("ring.graph"),
                "-k",
                "2",
                "--imbalance",
                "0",
                "--verify",
                "--out",
                file("ring.part.2"))
            .expect(ExitStatus.OK);
    assertTrue(run.out().contains("6 vertices with weights, 6 edges\n"), run.out());
    assertTrue(run.out().contains("balance   2 parts of at most 6, the heaviest 6"), run.out());
    assertTrue(run.out().contains("cut       2; 4 vertices at boundaries"), run.out());
    int[] parts = PartitionFormat.read(folder.resolve("ring.part.2"), 6, 2);
    assertTrue(parts[0] != parts[3], Arrays.toString(parts));
    CommandRun again =
        CommandRun.of(
                "partition",
                "--graph",
                file("ring.graph"),
                "-k",
                "2",
                "--imbalance",
                "0",
                "--evaluate",
                file("ring.part.2"))
            .expect(ExitStatus.OK);
    assertTrue(again.out().contains("cut       2; 4 vertices at boundaries"), again.out());
    assertFalse(again.out().contains("device"), again.out());
  }

  @Test
  void unitWeightsTakeWeightsAway() throws IOException {
    Files.writeString(
        folder.resolve("path.graph"), "4 3 011\n9 2 5\n1 1 5 3 1\n1 2 1 4 1\n1 3 1\n");
    CommandRun weighted =
        partition("--graph", file("path.graph"), "-k", "2", "--imbalance", "0.5")
            .expect(ExitStatus.OK);
    assertTrue(weighted.out().contains("4 vertices with weights, 3 edges with weights"));
    assertTrue(weighted.out().contains("parts of at most 9,"), weighted.out());
    CommandRun plain =
        partition("--graph", file("path.graph"), "-k", "2", "--unit-weights", "--imbalance", "0")
            .expect(ExitStatus.OK);
    assertTrue(plain.out().contains("parts of at most 2,"), plain.out());
    assertTrue(plain.out().contains("cut       1;"), plain.out());
  }

  @Test
  void totalsNeedNotFitIn32Bits() throws IOException {
    int most = Integer.MAX_VALUE;
    Files.writeString(
        folder.resolve("heavy.graph"),
        "4 3 011\n"
            + (most + " 2 " + most + "\n")
            + (most + " 1 " + most + " 3 " + most + "\n")
            + (most + " 2 " + most + " 4 " + most + "\n")
            + (most + " 3 " + most + "\n"));
    CommandRun run =
        partition(
                "--graph",
                file("heavy.graph"),
                "-k",
                "2",
                "--imbalance",
                "0",
                "--verify",
                "--json",
                file("heavy.json"))
            .expect(ExitStatus.OK);
    assertTrue(run.out().contains("parts of at most 4,294,967,294,"), run.out());
    assertTrue(run.out().contains("cut       2,147,483,647;"), run.out());
    assertTrue(run.out().contains("verified  "), run.out());
    String json = Files.readString(folder.resolve("heavy.json"));
    assertTrue(json.contains("4294967294"), json);
  }

  @Test
  void unitWeightsLetValuesOfAMatrixBeAnything() throws IOException {
    Files.writeString(
        folder.resolve("real.mtx"),
        "%%MatrixMarket matrix coordinate real symmetric\n4 4 3\n2 1 0.5\n3 2 -7\n4 3 1e99\n");
    CommandRun run =
        partition("--graph", file("real.mtx"), "-k", "2", "--unit-weights", "--imbalance", "0")
            .expect(ExitStatus.OK);
    assertTrue(run.out().contains("cut       1;"), run.out());
    CommandRun compared =
        CommandRun.of(
                "compare",
                "partition",
                "--graph",
                file("real.mtx"),
                "--unit-weights",
                "--devices",
                "cpu",
                "--variants",
                "parts=2",
                "--repeats",
                "1")
            .expect(ExitStatus.OK);
    assertTrue(compared.out().contains("real.mtx with unit weights"), compared.out());
  }

  @Test
  void aPartThatIsTooHeavyDecidesTheExitStatus() throws IOException {
    Path parts = folder.resolve("a.part.2");
    PartitionFormat.write(new int[] {0, 0, 0, 1}, parts);
    CommandRun run =
        CommandRun.of(
                "partition",
                "--generate",
                "path:4",
                "-k",
                "2",
                "--evaluate",
                parts.toString(),
                "--json",
                file("a.json"),
                "--png",
                file("a.png"),
                "--coordinates",
                coordinates())
            .expect(ExitStatus.NOT_VERIFIED);
    assertTrue(run.err().contains("not balanced: a part weighs 3, more than the 2"), run.err());
    JsonNode value = new ObjectMapper().readTree(folder.resolve("a.json").toFile());
    assertEquals("not balanced", value.at("/verdict").asText());
    assertFalse(value.at("/partition/feasible").asBoolean(true));
    assertFalse(value.has("device"));
    assertTrue(Files.exists(folder.resolve("a.png")), "it is still drawn");
  }

  /** No two parts of 2, 2, 2, 4 and 4 weigh 7 each: that is bin packing. */
  @Test
  void whatIsNotBalancedIsWritten() throws IOException {
    Files.writeString(folder.resolve("five.graph"), "5 5 010\n2 2 5\n2 1 3\n2 2 4\n4 3 5\n4 4 1\n");
    CommandRun run =
        partition(
                "--graph",
                file("five.graph"),
                "-k",
                "2",
                "--imbalance",
                "0",
                "--verify",
                "--out",
                file("five.part.2"))
            .expect(ExitStatus.STOPPED_EARLY);
    assertTrue(run.err().contains("no balance was found: a part weighs 8, more"), run.err());
    assertTrue(run.out().contains("not balanced: a part weighs 8"), run.out());
    assertEquals(5, PartitionFormat.read(folder.resolve("five.part.2"), 5, 2).length);
  }

  @Test
  void whatCannotBeBalancedIsEvaluated() throws IOException {
    Path parts = folder.resolve("b.part.5");
    PartitionFormat.write(new int[] {0, 2, 2, 4}, parts);
    CommandRun run =
        CommandRun.of(
                "partition", "--generate", "path:4", "-k", "5", "--evaluate", parts.toString())
            .expect(ExitStatus.NOT_VERIFIED);
    assertTrue(run.out().contains("cut       2;"), run.out());
    assertTrue(run.out().contains("2 empty parts"), run.out());
  }

  private String coordinates() throws IOException {
    return Files.writeString(folder.resolve("a.xyz"), "0 0\n1 0\n2 0\n3 0\n").toString();
  }

  @Test
  void drawsWhatHasCoordinates() throws IOException {
    partition("--generate", "grid:30", "-k", "3", "--png", file("grid.png")).expect(ExitStatus.OK);
    assertTrue(PngHeader.of(folder.resolve("grid.png")).height() > 1000);
    partition(
            "--generate",
            "path:4",
            "-k",
            "2",
            "--png",
            file("b.PNG"),
            "--coordinates",
            coordinates())
        .expect(ExitStatus.OK);
    assertTrue(PngHeader.of(folder.resolve("b.PNG")).height() < 50);
    partition("--generate", "grid:30", "-k", "3", "--png", file("c.png"), "--pixels", "100")
        .expect(ExitStatus.OK);
    assertEquals(new PngHeader(116, 116), PngHeader.of(folder.resolve("c.png")));
  }

  /** Pins the names and types of all fields: programs read them. */
  @Test
  void jsonHasItsShape() throws IOException {
    CommandRun run =
        partition("--generate", "grid:50", "-k", "4", "--matching", "stm", "--verify", "--json")
            .expect(ExitStatus.OK);
    JsonNode value = new ObjectMapper().readTree(run.out());
    List<String> shape = new ArrayList<>(JsonShape.of(value));
    shape.removeIf(field -> field.matches("phases\\[\\]\\.(commits|aborts) .*|aborts\\..*"));
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
            "input.edges NUMBER",
            "input.weight NUMBER",
            "partition.parts NUMBER",
            "partition.allowedImbalance NUMBER",
            "partition.limit NUMBER",
            "partition.heaviest NUMBER",
            "partition.imbalance NUMBER",
            "partition.feasible BOOLEAN",
            "partition.cut NUMBER",
            "partition.boundaryVertices NUMBER",
            "partition.communicationVolume NUMBER",
            "partition.pieces NUMBER",
            "partition.emptyParts NUMBER",
            "partition.weights[] NUMBER",
            "variant OBJECT",
            "millis.total NUMBER",
            "millis.upload NUMBER",
            "millis.coarsen NUMBER",
            "millis.initial NUMBER",
            "millis.uncoarsen NUMBER",
            "millis.download NUMBER",
            "deviceBytes NUMBER",
            "deviceBudget NUMBER",
            "initialCut NUMBER",
            "levels[].vertices NUMBER",
            "levels[].edges NUMBER",
            "levels[].heaviestVertex NUMBER",
            "levels[].cutBefore NUMBER",
            "levels[].cut NUMBER",
            "levels[].heaviestPart NUMBER",
            "levels[].rounds NUMBER",
            "levels[].moves NUMBER",
            "levels[].coarsenMillis NUMBER",
            "levels[].refineMillis NUMBER",
            "phases[].name STRING",
            "phases[].synchronization STRING",
            "phases[].launches NUMBER",
            "phases[].items NUMBER",
            "phases[].millis NUMBER",
            "verdict STRING"),
        shape);
    assertEquals("verified", value.at("/verdict").asText());
    assertEquals(4, value.at("/partition/weights").size());
    assertTrue(value.at("/input/hash").asText().matches("sha256:[0-9a-f]{64}"));
    assertTrue(value.at("/input/source").asText().endsWith("weights=none"));
  }

  @Test
  void helpNamesValuesAndDefaults() {
    String help = CommandRun.of("partition", "--help").out().replaceAll("\\s+", " ");
    PartitionOptions defaults = PartitionOptions.of(1);
    for (Enum<?> byDefault :
        List.of(
            defaults.effort(),
            defaults.coarsening(),
            defaults.matching(),
            defaults.rating(),
            defaults.candidates(),
            defaults.contraction(),
            defaults.refinement())) {
      for (Enum<?> value : byDefault.getDeclaringClass().getEnumConstants()) {
        assertTrue(help.contains(EnumOption.name(value)), EnumOption.name(value));
      }
      assertTrue(help.contains(EnumOption.name(byDefault) + " (the default"), help);
    }
    assertTrue(help.contains("default " + defaults.imbalance()), help);
  }

  @Test
  void partsHaveTheSharesThatAreGiven() throws IOException {
    Files.writeString(folder.resolve("shares"), "0 = 0.5\n1-2 = 0.25\n");
    String[] graph = {"--generate", "grid:20", "-k", "3", "--imbalance", "0.01"};
    String[] parts = {"--verify", "--details", "--out", file("parts"), "--json", file("json")};
    for (String[] shares :
        new String[][] {
          {"--part-weights", "2:1:1"}, {"--part-weights-file", file("shares")},
        }) {
      CommandRun run = partition(all(graph, shares, parts)).expect(ExitStatus.OK);
      assertTrue(run.out().contains("verified  "), run.out());
      assertTrue(run.out().contains("balance   3 parts of given shares, the fullest"), run.out());
      assertTrue(run.out().contains("part  weight"), run.out());
      assertTrue(
          run.out().contains("variant   part-weights " + (shares[0].endsWith("s") ? "2" : "0.5")),
          run.out());
      JsonNode json = JsonSchema.validated(Files.readString(folder.resolve("json"))).get(0);
      assertEquals("[200,100,100]", json.at("/partition/targets").toString());
      assertEquals("[202,101,101]", json.at("/partition/limits").toString());
      assertEquals(202, json.at("/partition/limit").asInt());
      CommandRun again =
          CommandRun.of(all(new String[] {"partition", "--evaluate", file("parts")}, graph, shares))
              .expect(ExitStatus.OK);
      assertTrue(again.out().contains("parts of given shares"), again.out());
      CommandRun.of(all(new String[] {"partition", "--evaluate", file("parts")}, graph))
          .expect(ExitStatus.NOT_VERIFIED);
    }
  }

  @Test
  void warnsOfSharesOfWhichNothingIsKept() throws IOException {
    Files.writeString(folder.resolve("parts"), "1\n".repeat(410));
    String[] asked = {"partition", "--generate", "path:410", "--evaluate", file("parts"), "-k"};
    String out =
        CommandRun.of(all(asked, new String[] {"2", "--part-weights", "1:40"}))
            .expect(ExitStatus.OK)
            .out();
    assertTrue(out.contains("0.03 allowed; the emptiest part 0 of 0: 1.0000 below its 10\n"), out);
    assertTrue(
        out.contains(
            "warning   part 0 weighs nothing of its 10, as others may weigh all; give it a"
                + " larger share or ask for an imbalance of at most 0.024\n"),
        out);
    out =
        CommandRun.of(all(asked, new String[] {"3", "--part-weights", "1:400:1"}))
            .expect(ExitStatus.OK)
            .out();
    assertTrue(
        out.contains("warning   part 0 weighs nothing of its 2 (2 parts do so), as others may"),
        out);
    for (String[] others :
        new String[][] {{"2", "--imbalance", "1"}, {"2", "--part-weights", "1:1"}}) {
      CommandRun run = CommandRun.of(all(asked, others));
      assertFalse(run.out().contains("warning"), run.out());
    }
  }

  private static String[] all(String[]... some) {
    return Arrays.stream(some).flatMap(Arrays::stream).toArray(String[]::new);
  }

  @Test
  void sharesThatAreWrongAreRefused() throws IOException {
    Files.writeString(folder.resolve("shares"), "0=1\n1=0\n");
    String path = file("shares");
    for (String[] wrong :
        new String[][] {
          {"2 shares for 3 parts; expected one share for each part", "--part-weights", "1:2"},
          {"the share of part 1 is 0; expected a number above 0", "--part-weights", "1:0:1"},
          {"the share of part 0 is -1; expected a number above 0", "--part-weights=-1:1:1"},
          {"but was '1:NaN:1'", "--part-weights", "1:NaN:1"},
          {"but was '1,1,1'", "--part-weights", "1,1,1"},
          {"leave one out", "--part-weights", "1:1:1", "--part-weights-file", path}
        }) {
      String[] options = Arrays.copyOfRange(wrong, 1, wrong.length);
      CommandRun run =
          partition(all(new String[] {"--generate", "path:9", "-k", "3"}, options))
              .expect(ExitStatus.USAGE);
      assertTrue(run.err().contains(wrong[0]), run.err());
    }
    CommandRun run =
        partition("--generate", "path:9", "-k", "2", "--part-weights-file", path)
            .expect(ExitStatus.BAD_INPUT);
    assertTrue(run.err().contains(path + ":2: found '0', expected a share above 0"), run.err());
    run =
        partition("--generate", "path:9", "-k", "2", "--part-weights-file", path, "--out", path)
            .expect(ExitStatus.USAGE);
    assertTrue(run.err().contains("--out"), run.err());
  }

  @Test
  void fixedVerticesStay() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int v = 0; v < 400; v++) {
      lines.append(v % 20 == 0 ? "1\n" : v % 20 == 19 ? "0\n" : "-1\n");
    }
    Files.writeString(folder.resolve("fixed"), lines);
    String[] graph = {"--generate", "grid:20", "-k", "2", "--fixed", file("fixed")};
    CommandRun run =
        partition(all(graph, new String[] {"--verify", "--out", file("parts"), "--json", "-"}))
            .expect(ExitStatus.OK);
    JsonNode json = JsonSchema.validated(run.out()).get(0);
    assertEquals("verified", json.get("verdict").asText());
    assertEquals(40, json.at("/partition/fixedVertices").asInt());
    assertTrue(json.at("/partition/cut").asInt() < 25, run.out());
    int[] parts = PartitionFormat.read(folder.resolve("parts"), 400, 2);
    for (int v = 0; v < 400; v += 20) {
      assertEquals(1, parts[v]);
      assertEquals(0, parts[v + 19]);
    }
    run =
        CommandRun.of(all(new String[] {"partition", "--evaluate", file("parts")}, graph))
            .expect(ExitStatus.OK);
    assertTrue(run.out().contains("400 vertices, 40 of them fixed, 760 edges"), run.out());
    parts[0] = 0;
    PartitionFormat.write(parts, folder.resolve("parts"));
    run =
        CommandRun.of(all(new String[] {"partition", "--evaluate", file("parts")}, graph))
            .expect(ExitStatus.NOT_VERIFIED);
    assertTrue(run.err().contains("1 fixed vertex is in another part: vertex 0"), run.err());
    Files.writeString(folder.resolve("fixed"), "1\n".repeat(250) + "-1\n".repeat(150));
    run = partition(graph).expect(ExitStatus.BAD_INPUT);
    assertTrue(
        run.err().contains("the vertices that are fixed to part 1 weigh 250, but it may weigh"),
        run.err());
    Files.writeString(folder.resolve("fixed"), "1\n2\n");
    run = partition(graph).expect(ExitStatus.BAD_INPUT);
    assertTrue(run.err().contains("fixed:2: found '2', expected a part, 0 to 1"), run.err());
  }
}
