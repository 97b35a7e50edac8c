package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphFormats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ComponentsCommandTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--output forest",
        "--form transactional",
        "--form transactional --output forest --device sim:1:8",
        "--form atomic --output forest --device sim:1:32",
        "--form atomic-free",
        "--form atomic-free --direction alternating --list given --output forest",
        "--form atomic-free --list given --no-slots",
        "--form atomic-free --output forest --device sim:1:4"
      })
  void everyFormIsVerified(String options) {
    List<String> call =
        new ArrayList<>(List.of("components", "--generate", "random:300,m=250", "--verify"));
    call.addAll(options.isEmpty() ? List.of() : List.of(options.split(" ")));
    if (!options.contains("--device")) {
      call.addAll(List.of("--device", "cpu:2"));
    }
    CommandRun run = CommandRun.of(call.toArray(new String[0])).expect(ExitStatus.OK);
    assertTrue(run.out().contains("verified"), run.out());
    assertEquals(
        options.contains("forest"), run.out().contains("the forest spans them"), run.out());
  }

  /** A snapshot that nobody needs in Java's memory is read to the device at once. */
  @ParameterizedTest
  @ValueSource(strings = {"components", "msf"})
  void aSnapshotIsReadToTheDevice(String command) throws IOException {
    Path file = folder.resolve("a.mpg");
    CommandRun.of("generate", "road:n=300", "--out", file.toString()).expect(ExitStatus.OK);
    String[] call = {command, "--graph", file.toString(), "--device", "cpu:2"};
    String direct = CommandRun.of(call).expect(ExitStatus.OK).out();
    assertTrue(direct.contains("from the device to Java:"), direct);
    String[] checked = Arrays.copyOf(call, call.length + 1);
    checked[call.length] = "--verify";
    String inJava = CommandRun.of(checked).expect(ExitStatus.OK).out();
    assertTrue(inJava.contains("from Java to Java: upload "), inJava);
    assertEquals(found(inJava), found(direct));

    byte[] bytes = Files.readAllBytes(file);
    bytes[1000] ^= 1;
    Files.write(file, bytes);
    CommandRun damaged = CommandRun.of(call);
    assertEquals(CommandRun.of(checked).err(), damaged.err());
    assertTrue(damaged.err().contains("a.mpg: found "), damaged.err());
  }

  /** The lines that tell of the graph and of what was found. */
  private static List<String> found(String out) {
    return out.lines().filter(line -> line.matches("(graph|found|forest|  ) .*")).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "'random:n=300,m=250', cpu:2, 100",
    "'random:n=300,m=250,weights=double:0..1', cpu-checked:2, 1000",
    "file, cpu:2, 7",
  })
  void theStreamEngineFindsTheSame(String spec, String device, int chunk) throws IOException {
    List<String> input = List.of("--generate", spec);
    if (spec.equals("file")) {
      Path file = folder.resolve("a.mpg");
      CommandRun.of("generate", "road:n=300", "--out", file.toString()).expect(ExitStatus.OK);
      input = List.of("--graph", file.toString());
    }
    List<List<String>> labels = new ArrayList<>();
    for (String engine : List.of("memory", "stream")) {
      Path out = folder.resolve(engine);
      List<String> call = new ArrayList<>(List.of("components", "--verify"));
      call.addAll(List.of("--device", CommandRun.compiled(device)));
      call.addAll(input);
      call.addAll(List.of("--out", out.toString(), "--engine", engine));
      if (engine.equals("stream")) {
        call.addAll(List.of("--chunk", "" + chunk));
      }
      CommandRun run = CommandRun.of(call.toArray(new String[0])).expect(ExitStatus.OK);
      assertTrue(run.out().contains("verified"), run.out());
      labels.add(Files.readAllLines(out));
    }
    assertEquals(labels.get(0), labels.get(1));
  }

  @ParameterizedTest
  @CsvSource({
    "'cpu:1,cpu:1', rmat:scale=9, 300, ''",
    "'cpu:2,cpu-checked:1,sim:2:4', 'random:n=300,m=250,weights=double:0..1', 60, ''",
    "'cpu:1,cpu:2,cpu:1,sim:2:4,cpu:1,cpu:3,cpu:1', 'random:n=300,m=250', 40, ''",
    "cpu:2, 'random:n=300,m=250', 5000, one device alone: --engine stream does the same",
  })
  void theGpusEngineFindsTheSame(String devices, String spec, int chunk, String word)
      throws IOException {
    Path alone = folder.resolve("alone");
    CommandRun.of("components", "--device", "cpu:2", "--generate", spec, "--out", alone.toString())
        .expect(ExitStatus.OK);
    Path several = folder.resolve("several");
    Path document = folder.resolve("several.json");
    CommandRun run =
        CommandRun.of(
                "components",
                "--engine",
                "gpus",
                "--devices",
                CommandRun.compiled(devices),
                "--chunk",
                "" + chunk,
                "--verify",
                "--generate",
                spec,
                "--out",
                several.toString(),
                "--json=" + document)
            .expect(ExitStatus.OK);
    assertEquals(Files.readAllLines(alone), Files.readAllLines(several));
    assertTrue(run.out().contains("verified"), run.out());
    assertTrue(run.out().contains(word), run.out());
    int count = devices.split(",").length;
    assertEquals(count == 1, run.out().contains("one device alone"), run.out());
    assertEquals(count > 1, run.out().contains(", on the one with most"), run.out());
    JsonNode json = new ObjectMapper().readTree(document.toFile());
    assertEquals("verified", json.at("/verdict").asText());
    assertEquals(count, json.at("/stream/devices").size());
    long edges = json.at("/input/edges").asLong();
    assertEquals((edges + chunk - 1) / chunk, json.at("/stream/chunks").asLong());
  }

  @ParameterizedTest
  @CsvSource({
    "--engine gpus --device cpu:2, leave out --device",
    "--engine stream --devices cpu, --devices has no effect without --engine gpus",
    "--devices cpu, --devices has no effect without --engine gpus",
    "'--engine gpus --devices cpu,wrong', '--devices: '",
    "--engine gpus --devices cpu --form transactional, --engine gpus finds components by a"
        + " spanning",
    "--engine gpus --devices cpu --forest-out a.el, magpie msf --engine gpus --out writes a forest",
    "--engine gpus --devices cpu --png a.png, --engine gpus keeps no graph",
    "--engine gpus --devices cpu --chunk 0, --chunk must be 1 to",
    "--engine gpus --devices cpu --device-memory 5, '--device-memory must be at least '",
    "--engine spark --devices cpu, --engine spark is in a separate jar",
  })
  void whatDoesNotFitSeveralDevicesIsRefused(String options, String message) {
    List<String> call = new ArrayList<>(List.of("components", "--generate", "random:9,m=9"));
    call.addAll(List.of(options.split(" ")));
    CommandRun run = CommandRun.of(call.toArray(new String[0])).expect(ExitStatus.USAGE);
    assertTrue(run.err().contains(message), run.err());
  }

  @ParameterizedTest
  @CsvSource({
    "--engine spark, --engine spark is in a separate jar",
    "--chunk 5, --chunk has no effect without --engine stream or gpus",
    "--device-memory 5, --device-memory has no effect without --engine stream or gpus",
    "--engine stream --device-memory 5, '--device-memory must be at least '",
    "--engine stream --form transactional, the options of a variant have no effect",
    "--engine stream --output forest, the options of a variant have no effect",
    "--engine stream --forest-out a.el, --forest-out has no effect with --engine stream",
    "--engine stream --png a.png, --engine stream keeps no graph that could be drawn",
    "--engine stream --chunk 0, --chunk must be 1 to",
  })
  void whatDoesNotFitTheEngineIsRefused(String options, String message) {
    List<String> call = new ArrayList<>(List.of("components", "--generate", "random:9,m=9"));
    call.addAll(List.of("--device", "cpu:1"));
    call.addAll(List.of(options.split(" ")));
    CommandRun run = CommandRun.of(call.toArray(new String[0])).expect(ExitStatus.USAGE);
    assertTrue(run.err().contains(message), run.err());
  }

  /** To take them is to wait for each launch, so a plain run does not. */
  @ParameterizedTest
  @ValueSource(strings = {"stream --device cpu:2", "gpus --devices cpu:1,cpu:2"})
  void streamsTakeTimesOfPhasesOnlyForDetails(String engine) throws IOException {
    List<String> call =
        new ArrayList<>(List.of("components", "--json", "--generate", "random:n=99,m=900"));
    call.add("--engine");
    call.addAll(List.of(engine.split(" ")));
    for (boolean details : new boolean[] {false, true}) {
      call.addAll(details ? List.of("--details") : List.of());
      String out = CommandRun.of(call.toArray(new String[0])).expect(ExitStatus.OK).out();
      JsonNode tested = phase(new ObjectMapper().readTree(out), "test_edges");
      assertEquals(details, tested.has("millis"), out);
    }
  }

  private static JsonNode phase(JsonNode json, String name) {
    for (JsonNode phase : json.at("/phases")) {
      if (phase.at("/name").asText().equals(name)) {
        return phase;
      }
    }
    throw new AssertionError("no phase " + name + " in " + json);
  }

  /** It may be large; this one is not even there. */
  @Test
  void aChunkThatCannotBeIsRefusedBeforeAFileIsRead() {
    CommandRun run =
        CommandRun.of(
                "components",
                "--device",
                "cpu:1",
                "--engine",
                "stream",
                "--graph",
                folder.resolve("none.el").toString(),
                "--chunk",
                "0")
            .expect(ExitStatus.USAGE);
    assertTrue(run.err().contains("--chunk must be 1 to 2147483647, but is 0"), run.err());
  }

  @Test
  void writesLabelsAndForestOfASmallGraph() throws IOException {
    Path file = folder.resolve("two.el");
    Files.writeString(file, "3 1\n1 5\n5 3\n0 2\n4 4\n");
    Path labels = folder.resolve("labels.txt");
    Path forest = folder.resolve("forest.el");
    CommandRun run =
        CommandRun.of(
                "components",
                "--device",
                "cpu",
                "--graph",
                file.toString(),
                "--output",
                "forest",
                "--out",
                labels.toString(),
                "--forest-out",
                forest.toString())
            .expect(ExitStatus.OK);
    assertTrue(run.out().contains("3 components, the largest of 3 vertices"), run.out());
    assertTrue(run.out().contains("3 edges"), run.out());
    assertFalse(run.out().contains("verified"), "nobody asked for it");
    assertEquals(List.of("0", "1", "0", "1", "4", "1"), Files.readAllLines(labels));
    Graph written = GraphFormats.read(forest);
    assertEquals(3, written.edges());
    assertEquals(1, written.degree(0));
  }

  @Test
  void theForestKeepsWeights() throws IOException {
    Path file = folder.resolve("square.gr");
    Files.writeString(file, "p sp 4 4\na 1 2 4\na 2 3 1\na 4 3 3\na 4 1 2\n");
    Path forest = folder.resolve("forest.gr.xz");
    CommandRun.of(
            "components",
            "--device",
            "cpu",
            "--graph",
            file.toString(),
            "--output",
            "forest",
            "--forest-out",
            forest.toString())
        .expect(ExitStatus.OK);
    Graph written = GraphFormats.read(forest);
    assertEquals(3, written.edges());
    assertTrue(written.weighted());
  }

  /** A format that cannot hold the forest is refused before the run: no file is there after it. */
  @ParameterizedTest
  @CsvSource({"square.gr,forest.el,.wel", "square.el,forest.wel,.el"})
  void refusesAFormatThatCannotHoldTheForest(String graph, String forest, String remedy)
      throws IOException {
    Path file = folder.resolve(graph);
    Files.writeString(file, graph.endsWith(".gr") ? "p sp 3 2\na 1 2 4\na 2 3 1\n" : "0 1\n1 2\n");
    Path labels = folder.resolve("labels.txt");
    Path written = folder.resolve(forest);
    CommandRun run =
        CommandRun.of(
                "components",
                "--device",
                "cpu",
                "--graph",
                file.toString(),
                "--output",
                "forest",
                "--out",
                labels.toString(),
                "--forest-out",
                written.toString())
            .expect(ExitStatus.USAGE);
    assertTrue(run.err().contains("use " + remedy), run.err());
    assertFalse(Files.exists(labels), "labels");
    assertFalse(Files.exists(written), "forest");
  }

  @Test
  void readsLooseIdentifiersByRelabeling() throws IOException {
    Path list = folder.resolve("loose.el");
    Files.writeString(list, "1000000 7\n7 500000\n");
    CommandRun run =
        CommandRun.of("components", "--device", "cpu", "--graph", list.toString(), "--relabel")
            .expect(ExitStatus.OK);
    assertTrue(run.out().contains("3 vertices"), run.out());
  }

  @Test
  void showsPhasesBehindTheResultIfAsked() {
    String[] call = {
      "components", "--device", "cpu", "--generate", "road:99", "--verify", "--details"
    };
    String all = CommandRun.of(call).expect(ExitStatus.OK).out();
    String few = CommandRun.of(Arrays.copyOf(call, 6)).expect(ExitStatus.OK).out();
    assertTrue(all.indexOf("verified") < all.indexOf("link_heavy"), all);
    assertFalse(few.contains("link_heavy"), few);
  }

  @Test
  void drawsTheComponents() throws IOException {
    Path picture = folder.resolve("components.png");
    String[] call = {
      "components", "--device", "cpu", "--generate", "grid:9", "--png", "" + picture
    };
    CommandRun.of(
            Stream.concat(Stream.of(call), Stream.of("--pixels", "100")).toArray(String[]::new))
        .expect(ExitStatus.OK);
    assertEquals(new PngHeader(116, 116), PngHeader.of(picture));
  }

  /** What has no effect is refused, with what would give it one. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "--forest-out=f.el; --output forest",
        "--direction=fixed; --form atomic-free",
        "--list=sorted; --form atomic-free",
        "--form=atomic-free --slots; --list given",
        "--policy=hand_off; --form transactional",
        "--output=forest --forest-out=f.forest; the suffix tells the format"
      })
  void refusesWhatHasNoEffect(String line) {
    String[] parts = line.split("; ");
    List<String> call =
        new ArrayList<>(List.of("components", "--device", "cpu", "--generate", "path:9"));
    call.addAll(List.of(parts[0].split(" ")));
    CommandRun run = CommandRun.of(call.toArray(new String[0])).expect(ExitStatus.USAGE);
    assertTrue(run.err().contains(parts[1]), run.err());
  }

  /** All forms and the sequential programs on one screen. */
  @ParameterizedTest
  @ValueSource(strings = {"--variants=form=all", "--ladder=forms"})
  void comparesFormsWithSequentialPrograms(String variants) {
    CommandRun run =
        CommandRun.of(
                "compare",
                "components",
                "--generate",
                "rmat:scale=8,edges=600",
                variants,
                "--devices",
                "cpu:2",
                "--with",
                "union-find,depth-first,hooking,jgrapht",
                "--repeats",
                "2",
                "--warmups",
                "0")
            .expect(ExitStatus.OK);
    for (String shown :
        variants.contains("ladder")
            ? List.of("plain stores", "+ one direction", "union-find", "jgrapht")
            : List.of("transactional", "atomic-free", "depth-first", "hooking", "jgrapht")) {
      assertTrue(run.out().contains(shown), () -> shown + " in " + run.out());
    }
  }

  /** Pins the names and types of all fields: programs read them. */
  @Test
  void jsonHasItsShape() throws IOException {
    CommandRun run =
        CommandRun.of(
                "components",
                "--device",
                "sim:1:4",
                "--generate",
                "road:64",
                "--output",
                "forest",
                "--verify",
                "--json")
            .expect(ExitStatus.OK);
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
            "input.edges NUMBER",
            "input.arcs NUMBER",
            "variant OBJECT",
            "found.components NUMBER",
            "found.largest NUMBER",
            "found.forestEdges NUMBER",
            "millis.total NUMBER",
            "millis.upload NUMBER",
            "millis.kernels NUMBER",
            "rounds NUMBER",
            "phases[].name STRING",
            "phases[].synchronization STRING",
            "phases[].launches NUMBER",
            "phases[].items NUMBER",
            "phases[].millis NUMBER",
            "verdict STRING"),
        JsonShape.of(value));
    assertEquals(63, value.at("/found/forestEdges").asInt());
    assertEquals("verified", value.at("/verdict").asText());
  }

  /** Transactions add commits and aborts to their phases, and causes of aborts to the whole. */
  @Test
  void jsonTellsOfTransactions() throws IOException {
    CommandRun run =
        CommandRun.of(
                "components",
                "--device",
                "sim:1:4",
                "--generate",
                "random:60,m=80",
                "--form",
                "transactional",
                "--verify",
                "--json")
            .expect(ExitStatus.OK);
    JsonNode value = new ObjectMapper().readTree(run.out());
    List<String> shape = JsonShape.of(value);
    for (String cause : List.of("outranked", "stolen", "wait_expired", "locked", "requested")) {
      assertTrue(shape.contains("aborts." + cause + " NUMBER"), shape.toString());
    }
    assertFalse(value.at("/found").has("forestEdges"), value.toString());
    long commits = 0;
    for (JsonNode phase : value.at("/phases")) {
      boolean united = phase.at("/name").asText().startsWith("unite_");
      assertEquals(united, phase.has("commits"), phase.toString());
      assertEquals(united, phase.has("aborts"), phase.toString());
      commits += phase.path("commits").asLong();
    }
    assertTrue(commits > 0, value.toString());
  }
}
