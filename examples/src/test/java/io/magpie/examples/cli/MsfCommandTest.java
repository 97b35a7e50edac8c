package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphFormats;
import io.magpie.algorithms.msf.KruskalReference;
import io.magpie.examples.cli.options.PathOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MsfCommandTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "cpu:2, --merge stm",
    "cpu:2, --merge stm --policy priority_rule",
    "cpu:2, --merge atomic",
    "cpu:2, --merge stm --traversal vertex --discovery atomic-free",
    "cpu-checked:2, --merge atomic --traversal vertex",
    "cpu-checked:2, --traversal cycle",
    "cpu-checked:2, --traversal component-space",
    "cpu-checked:2, --traversal scan",
    "sim:3:4, --merge stm --reads unvalidated --threads-in-flight 8 --timeout 30",
    "sim:0:32, --merge stm --traversal vertex",
  })
  void verifiesEveryVariant(String device, String options) {
    List<String> arguments =
        new ArrayList<>(List.of("msf", "--generate", "random:300,m=900", "--verify"));
    arguments.addAll(List.of("--device", CommandRun.compiled(device)));
    arguments.addAll(List.of(options.split(" ")));
    CommandRun run = CommandRun.of(arguments.toArray(new String[0])).expect(ExitStatus.OK);
    assertTrue(run.out().contains("verified"), run.out());
    assertTrue(run.out().contains("300 vertices, 900 edges"), run.out());
    assertEquals("", run.err());
    boolean transactions = options.contains("stm") || options.contains("component-space");
    assertEquals(transactions, run.out().contains("aborts    "), run.out());
  }

  /** Only an eager attempt ends at another's lock. */
  @ParameterizedTest
  @ValueSource(ints = {0, 5})
  void eagerAttemptsAreThoseAskedFor(int attempts) throws IOException {
    CommandRun run =
        CommandRun.of(
                "msf",
                "--generate",
                "random:100,m=400",
                "--merge",
                "stm",
                "--device",
                "sim:1:8",
                "--eager-attempts",
                Integer.toString(attempts),
                "--json")
            .expect(ExitStatus.OK);
    JsonNode value = new ObjectMapper().readTree(run.out());
    assertEquals(attempts, value.at("/variant/eagerAttempts").asInt(-7));
    assertEquals(attempts > 0, value.at("/aborts/locked").asLong() > 0, value.toString());
  }

  @Test
  void printsTheKnownForestOfASmallGraph() throws IOException {
    Path file = folder.resolve("square.gr");
    Files.writeString(file, "p sp 5 4\na 1 2 4\na 2 3 1\na 3 4 3\na 4 1 2\n");
    Path forest = folder.resolve("forest.edges");
    CommandRun run =
        CommandRun.of(
                "msf", "--device", "cpu", "--graph", file.toString(), "--out", forest.toString())
            .expect(ExitStatus.OK);
    assertTrue(run.out().contains("3 edges, 2 components, total weight 6"), run.out());
    assertFalse(run.out().contains("verified"), "nobody asked for it");
    assertEquals(List.of("0 3 2", "1 2 1", "2 3 3"), Files.readAllLines(forest));
  }

  @Test
  void readsAPipe() throws IOException, InterruptedException {
    Path pipe = folder.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    Process writer =
        new ProcessBuilder("sh", "-c", "printf '0 1 5\\n1 2 7\\n' | gzip > \"$0\"", pipe.toString())
            .start();
    CommandRun run =
        CommandRun.of("msf", "--device", "cpu", "--graph", pipe.toString(), "--format", "wel.gz")
            .expect(ExitStatus.OK);
    assertTrue(run.out().contains("2 edges, 1 component, total weight 12"), run.out());
    assertEquals(0, writer.waitFor());
    assertEquals("/dev/stdin", PathOption.input(Path.of("-")).toString());
    assertEquals("./-", PathOption.input(Path.of("./-")).toString());
  }

  @Test
  void showsPhasesBehindTheResultIfAsked() {
    String[] call = {"msf", "--device", "cpu", "--generate", "road:99", "--verify", "--details"};
    String all = CommandRun.of(call).expect(ExitStatus.OK).out();
    String few = CommandRun.of(Arrays.copyOf(call, 6)).expect(ExitStatus.OK).out();
    assertTrue(all.indexOf("verified") < all.indexOf("merge_chosen"), all);
    assertFalse(few.contains("merge_chosen"), few);
    assertTrue(few.lines().count() <= 9, few);
  }

  @Test
  void writesTheForestAsAGraph() throws IOException {
    Path forest = folder.resolve("forest.gr.xz");
    CommandRun.of("msf", "--device", "cpu", "--generate", "road:500", "--out", forest.toString())
        .expect(ExitStatus.OK);
    Graph graph = GraphFormats.read(forest);
    assertEquals(500, graph.vertices());
    assertEquals(499, graph.edges());
    assertEquals(
        KruskalReference.run(io.magpie.algorithms.graph.GraphGenerators.generate("road:500"))
            .weight(),
        KruskalReference.run(graph).weight());
  }

  @Test
  void drawsTheForest() throws IOException {
    Path picture = folder.resolve("forest.png");
    CommandRun.of(
            "msf",
            "--device",
            "cpu",
            "--generate",
            "grid:9",
            "--png",
            picture.toString(),
            "--pixels",
            "100")
        .expect(ExitStatus.OK);
    assertEquals(new PngHeader(116, 116), PngHeader.of(picture));
    Path places = Files.writeString(folder.resolve("a.xyz"), "0 0\n1 0\n2 0\n");
    CommandRun.of(
            "msf",
            "--device",
            "cpu",
            "--generate",
            "path:3",
            "--png",
            picture.toString(),
            "--coordinates",
            places.toString())
        .expect(ExitStatus.OK);
    assertEquals(new PngHeader(1016, 17), PngHeader.of(picture));
  }

  @Test
  void drawsWeightsForAGraphWithoutThem() throws IOException {
    Path file = folder.resolve("path.el");
    Files.writeString(file, "0 1\n1 2\n");
    CommandRun equal =
        CommandRun.of("msf", "--device", "cpu", "--graph", file.toString(), "--weights", "7..7")
            .expect(ExitStatus.OK);
    assertTrue(equal.out().contains("total weight 14"), equal.out());
    String first = drawn(file, "1");
    assertEquals(first, drawn(file, "1"));
    assertFalse(first.equals(drawn(file, "2")), first);
  }

  @Test
  void readsRealWeightsByAScaleAndLooseIdentifiersByRelabeling() throws IOException {
    Path matrix = folder.resolve("real.mtx");
    Files.writeString(
        matrix, "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 0.25\n3 2 1.5\n");
    CommandRun scaled =
        CommandRun.of(
                "msf", "--device", "cpu", "--graph", matrix.toString(), "--weight-scale", "100")
            .expect(ExitStatus.OK);
    assertTrue(scaled.out().contains("total weight 175"), scaled.out());
    Path fractions = folder.resolve("fractions.wel");
    Files.writeString(fractions, "0 1 0.25\n1 2 -1.5\n");
    CommandRun negative =
        CommandRun.of(
                "msf", "--device", "cpu", "--graph", fractions.toString(), "--weight-scale", "100")
            .expect(ExitStatus.OK);
    assertTrue(negative.out().contains("total weight -125"), negative.out());
    Path whole = folder.resolve("whole.gr");
    Files.writeString(whole, "p sp 2 1\na 1 2 5\n");
    CommandRun refused =
        CommandRun.of(
                "msf", "--device", "cpu", "--graph", whole.toString(), "--weight-scale", "100")
            .expect(ExitStatus.BAD_INPUT);
    assertTrue(
        refused.err().contains("leave out the weight scale (--weight-scale)"), refused.err());
    Path list = folder.resolve("loose.wel");
    Files.writeString(list, "1000000 7 3\n7 500000 4\n");
    CommandRun relabeled =
        CommandRun.of("msf", "--device", "cpu", "--graph", list.toString(), "--relabel")
            .expect(ExitStatus.OK);
    assertTrue(relabeled.out().contains("3 vertices"), relabeled.out());
    CommandRun.of("msf", "--device", "cpu", "--generate", "road:10", "--relabel")
        .expect(ExitStatus.USAGE);
  }

  private static String drawn(Path file, String seed) {
    String out =
        CommandRun.of(
                "msf",
                "--device",
                "cpu",
                "--graph",
                file.toString(),
                "--weights",
                "max",
                "--seed",
                seed)
            .expect(ExitStatus.OK)
            .out();
    return out.substring(out.indexOf("total weight"), out.indexOf("time "));
  }

  /** Pins the names and types of all fields: programs read them. */
  @Test
  void jsonHasItsShape() throws IOException {
    CommandRun run =
        CommandRun.of("msf", "--device", "sim:1:4", "--generate", "road:64", "--verify", "--json")
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
            "input.weightType STRING",
            "variant OBJECT",
            "forest.edges NUMBER",
            "forest.components NUMBER",
            "forest.weight NUMBER",
            "millis.total NUMBER",
            "millis.upload NUMBER",
            "millis.kernels NUMBER",
            "millis.result NUMBER",
            "rounds NUMBER",
            "phases[].name STRING",
            "phases[].synchronization STRING",
            "phases[].launches NUMBER",
            "phases[].items NUMBER",
            "phases[].millis NUMBER",
            "aborts.outranked NUMBER",
            "aborts.stolen NUMBER",
            "aborts.wait_expired NUMBER",
            "aborts.locked NUMBER",
            "aborts.requested NUMBER",
            "verdict STRING"),
        JsonShape.of(value));
    assertEquals(63, value.at("/forest/edges").asInt());
    assertEquals("verified", value.at("/verdict").asText());
    assertEquals("sim", value.at("/device/machine").asText());
  }

  @Test
  void writesJsonBesideTheTable() throws IOException {
    Path file = folder.resolve("result.json");
    CommandRun run =
        CommandRun.of("msf", "--device", "cpu", "--generate", "star:10", "--json", file.toString())
            .expect(ExitStatus.OK);
    assertTrue(run.out().contains("forest    9 edges"), run.out());
    assertEquals(
        "not verified", new ObjectMapper().readTree(file.toFile()).at("/verdict").asText());
  }

  @ParameterizedTest
  @CsvSource({
    "cpu:2, rmat:scale=9 --merge stm, 1000",
    "cpu:2, 'random:n=300,m=5000 --merge atomic --weights float:-1..1 --seed 3', 777",
    "cpu-checked:2, 'random:n=300,m=5000,weights=1..1 --merge stm', 5000",
    "cpu:2, 'random:n=300,m=5000 --weights double:-1..1', 777",
    "cpu:2, 'rmat:scale=8 --weights long:-5..5000000000', 777",
    "sim:3:4, 'rmat:n=99,edges=500 --merge atomic --objective maximum', 200",
  })
  void theStreamEngineGivesTheSameForest(String device, String input, int chunk)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of("msf", "--json"));
    arguments.addAll(List.of("--device", CommandRun.compiled(device), "--generate"));
    arguments.addAll(List.of(input.split(" ")));
    JsonNode memory = json(arguments);
    arguments.addAll(List.of("--engine", "stream", "--verify", "--chunk", "" + chunk));
    JsonNode stream = json(arguments);
    assertEquals(memory.at("/forest"), stream.at("/forest"));
    assertEquals(memory.at("/input/vertices"), stream.at("/input/vertices"));
    assertEquals(memory.at("/input/source"), stream.at("/input/source"));
    assertEquals(memory.at("/variant"), stream.at("/variant"));
    assertEquals("verified", stream.at("/verdict").asText());
    long edges = stream.at("/input/edges").asLong();
    assertEquals((edges + chunk - 1) / chunk, stream.at("/stream/chunks").asLong());
    assertTrue(stream.at("/stream/edgesPerSecond").asDouble() > 0);
    assertTrue(
        stream.at("/stream/deviceBytes").asLong() > stream.at("/stream/stateBytes").asLong());
    assertTrue(memory.at("/stream").isMissingNode());
  }

  @ParameterizedTest
  @CsvSource({
    "a.mpg, '', 500",
    "a.mpe, '', 500",
    "a.wel.gz, '', 100000",
    "a.mtx, --weight-type double, 777",
    "a.gr, --objective maximum, 777",
  })
  void theStreamEngineGivesTheForestOfAFile(String name, String options, int chunk)
      throws IOException {
    Path file = folder.resolve(name);
    CommandRun.of("generate", "road:n=900,weights=1..1000000000", "--out", file.toString())
        .expect(ExitStatus.OK);
    List<String> arguments =
        new ArrayList<>(List.of("msf", "--json", "--device", "cpu:2", "--graph", file.toString()));
    arguments.addAll(options.isEmpty() ? List.of() : List.of(options.split(" ")));
    JsonNode memory = json(arguments);
    arguments.addAll(List.of("--engine", "stream", "--verify", "--chunk", "" + chunk));
    JsonNode stream = json(arguments);
    assertEquals(memory.at("/forest"), stream.at("/forest"));
    assertEquals(memory.at("/input/vertices"), stream.at("/input/vertices"));
    assertEquals("verified", stream.at("/verdict").asText());
  }

  @Test
  void faultsOfAStreamedFileAreItsOwn() throws IOException {
    Path file = Files.writeString(folder.resolve("a.wel"), "0 1 5\n1 2 x\n");
    CommandRun run =
        CommandRun.of("msf", "--device", "cpu:1", "--engine", "stream", "--graph", file.toString())
            .expect(ExitStatus.BAD_INPUT);
    assertTrue(run.err().contains(file + ":2: found 'x', expected a weight"), run.err());
    Path damaged = folder.resolve("a.mpe");
    CommandRun.of("generate", "random:n=9,m=99,weights=double:0..1", "--out", damaged.toString())
        .expect(ExitStatus.OK);
    byte[] bytes = Files.readAllBytes(damaged);
    bytes[bytes.length - 5] ^= 1; // a weight
    Files.write(damaged, bytes);
    for (String engine : List.of("stream", "gpus")) {
      CommandRun bad =
          CommandRun.of(
                  "msf",
                  engine.equals("gpus") ? "--devices" : "--device",
                  engine.equals("gpus") ? "cpu:1,cpu:1" : "cpu:1",
                  "--engine",
                  engine,
                  "--chunk",
                  "10",
                  "--graph",
                  damaged.toString())
              .expect(ExitStatus.BAD_INPUT);
      assertTrue(bad.err().contains(damaged + ": found checksum"), bad.err());
    }
    Path unweighted = Files.writeString(folder.resolve("a.el"), "0 1\n");
    CommandRun none =
        CommandRun.of(
                "msf", "--device", "cpu:1", "--engine", "stream", "--graph", unweighted.toString())
            .expect(ExitStatus.BAD_INPUT);
    assertTrue(none.err().contains("the graph has no weights"), none.err());
    CommandRun.of(
            "msf",
            "--device",
            "cpu:1",
            "--engine",
            "stream",
            "--weights",
            "double:0..1",
            "--verify",
            "--graph",
            unweighted.toString())
        .expect(ExitStatus.OK);
  }

  @ParameterizedTest
  @CsvSource({
    "'cpu:1,cpu:1', rmat:scale=9 --merge stm, 300",
    "'cpu:2,cpu-checked:1,sim:2:4', 'random:n=300,m=3000,weights=1..3 --merge atomic', 500",
    "cpu:2, 'random:n=300,m=3000', 5000",
  })
  void theGpusEngineGivesTheSameForest(String devices, String input, int chunk) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("msf", "--json", "--generate"));
    arguments.addAll(List.of(input.split(" ")));
    List<String> alone = new ArrayList<>(arguments);
    alone.addAll(List.of("--device", "cpu:2"));
    arguments.addAll(List.of("--engine", "gpus", "--chunk", "" + chunk, "--verify"));
    arguments.addAll(List.of("--devices", CommandRun.compiled(devices)));
    JsonNode several = json(arguments);
    assertEquals(json(alone).at("/forest"), several.at("/forest"));
    assertEquals("verified", several.at("/verdict").asText());
    assertEquals(devices.split(",").length, several.at("/stream/devices").size());
    long edges = several.at("/input/edges").asLong();
    assertEquals((edges + chunk - 1) / chunk, several.at("/stream/chunks").asLong());
  }

  /** With the least bytes that are accepted, which the refusal of fewer has told. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "stream --device cpu:2 --merge atomic",
        "stream --device cpu:2 --merge stm",
        "gpus --devices cpu:1,cpu:2 --merge atomic"
      })
  void streamsHoldNoMoreThanIsAllowed(String engine) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("msf", "--json", "--engine"));
    arguments.addAll(List.of(engine.split(" ")));
    arguments.addAll(List.of("--generate", "random:n=20k,m=200k", "--chunk", "2000"));
    JsonNode free = json(arguments);
    assertFalse(free.at("/stream").has("allowedBytes"), free::toString);
    List<String> tooFew = new ArrayList<>(arguments);
    tooFew.addAll(List.of("--device-memory", "900000"));
    CommandRun refused = CommandRun.of(tooFew.toArray(new String[0])).expect(ExitStatus.USAGE);
    Matcher least =
        Pattern.compile(
                "--device-memory must be at least ([0-9]+) for a graph of 20000 vertices in chunks"
                    + " of 2000 edges, but is 900000; with a smaller --chunk less will do")
            .matcher(refused.err());
    assertTrue(least.find(), refused.err());
    arguments.addAll(List.of("--verify", "--device-memory", least.group(1)));
    JsonNode bounded = json(arguments);
    long allowed = Long.parseLong(least.group(1));
    assertEquals(allowed, bounded.at("/stream/allowedBytes").asLong());
    assertTrue(bounded.at("/stream/deviceBytes").asLong() <= allowed, bounded::toString);
    assertTrue(free.at("/stream/deviceBytes").asLong() > allowed, free::toString);
    assertEquals("verified", bounded.at("/verdict").asText());
    assertEquals(free.at("/forest"), bounded.at("/forest"));
    arguments.remove("--json");
    String text = CommandRun.of(arguments.toArray(new String[0])).expect(ExitStatus.OK).out();
    assertTrue(text.contains(String.format(Locale.ROOT, "; %,d were allowed", allowed)), text);
  }

  @Test
  void memoryOfAStreamOfAFileIsRefusedOnceItsSizeIsKnown() {
    Path file = folder.resolve("a.mpe");
    CommandRun.of("generate", "random:n=20k,m=50k", "--out", file.toString()).expect(ExitStatus.OK);
    CommandRun refused =
        CommandRun.of(
                "msf",
                "--engine",
                "stream",
                "--device",
                "cpu:1",
                "--graph",
                file.toString(),
                "--device-memory",
                "9")
            .expect(ExitStatus.USAGE);
    assertTrue(
        refused.err().contains("for a graph of 20000 vertices in chunks of 50000 edges, but is 9"),
        refused.err());
  }

  @Test
  void theGpusEngineSaysThatADeviceIsAlone() {
    CommandRun run =
        CommandRun.of("msf", "--engine", "gpus", "--devices", "cpu:2", "--generate", "rmat:scale=5")
            .expect(ExitStatus.OK);
    assertTrue(run.out().contains("one device alone: --engine stream does the same"), run.out());
  }

  @Test
  void anEngineThatIsNotThereIsToldHowToGet() throws IOException {
    Path arguments = folder.resolve("arguments");
    Files.writeString(arguments, "--engine spark --input a\n--master local[2]\n");
    for (List<String> call :
        List.of(
            List.of("msf", "--engine", "spark", "--input", "a", "--master", "local[2]"),
            List.of("components", "--engine", "spark", "--input", "a", "--partitions", "2"),
            List.of("msf", "@" + arguments),
            List.of("components", "@" + arguments))) {
      CommandRun run = CommandRun.of(call.toArray(new String[0])).expect(ExitStatus.USAGE);
      assertTrue(run.err().contains("mvn -Pspark "), run.err());
      assertTrue(run.err().contains("MAGPIE_CLASSPATH="), run.err());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--engine gpus --device cpu:2, leave out --device",
    "--engine stream --devices cpu, --devices has no effect without --engine gpus",
    "--devices cpu, --devices has no effect without --engine gpus",
    "'--engine gpus --devices cpu,wrong', '--devices: '",
    "--engine gpus --devices cpu --traversal vertex, --engine gpus: ",
    "--engine gpus --devices cpu --png a.png, --engine gpus keeps no graph",
  })
  void whatDoesNotFitSeveralDevicesIsRefused(String options, String message) {
    List<String> arguments = new ArrayList<>(List.of("msf", "--generate", "rmat:scale=5"));
    arguments.addAll(List.of(options.split(" ")));
    CommandRun run = CommandRun.of(arguments.toArray(new String[0])).expect(ExitStatus.USAGE);
    assertTrue(run.err().contains(message), run.err());
  }

  private static JsonNode json(List<String> arguments) throws IOException {
    CommandRun run = CommandRun.of(arguments.toArray(new String[0])).expect(ExitStatus.OK);
    return new ObjectMapper().readTree(run.out());
  }

  /** To take them is to wait for each launch, so a plain run does not. */
  @ParameterizedTest
  @ValueSource(strings = {"stream --device cpu:2", "gpus --devices cpu:1,cpu:2"})
  void streamsTakeTimesOfPhasesOnlyForDetails(String engine) throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of("msf", "--generate", "random:n=99,m=900", "--merge", "atomic", "--engine"));
    arguments.addAll(List.of(engine.split(" ")));
    String text = CommandRun.of(arguments.toArray(new String[0])).expect(ExitStatus.OK).out();
    assertFalse(text.contains("test_edges"), text);
    arguments.add("--json");
    assertPhases(false, json(arguments));
    arguments.add("--details");
    assertPhases(true, json(arguments));
    arguments.remove("--json");
    text = CommandRun.of(arguments.toArray(new String[0])).expect(ExitStatus.OK).out();
    assertTrue(text.contains("test_edges"), text);
    assertFalse(text.contains("NaN"), text);
  }

  private static void assertPhases(boolean timed, JsonNode value) {
    JsonNode phases = value.at("/phases");
    assertTrue(phases.size() > 3, phases::toString);
    phases.forEach(phase -> assertEquals(timed, phase.has("millis"), phases::toString));
  }

  @Test
  void theStreamEngineTellsChunksAndWritesLines() throws IOException {
    Path file = folder.resolve("forest.edges");
    CommandRun run =
        CommandRun.of(
                "msf",
                "--device",
                "cpu",
                "--engine",
                "stream",
                "--generate",
                "random:n=2,m=9,weights=5..5",
                "--chunk",
                "4",
                "--details",
                "--verify",
                "--out",
                file.toString())
            .expect(ExitStatus.OK);
    assertTrue(run.out().contains("2 vertices, 9 edges in 3 chunks of at most 4"), run.out());
    assertTrue(run.out().contains("1 edge, 1 component, total weight 5"), run.out());
    assertTrue(run.out().contains(" edges a second"), run.out());
    assertTrue(run.out().contains("test_edges"), run.out());
    assertTrue(run.out().contains("verified"), run.out());
    assertEquals(1, Files.readAllLines(file).size());
    assertTrue(Files.readString(file).matches("(0 1|1 0) 5\n"), Files.readString(file));
  }

  @ParameterizedTest
  @CsvSource({
    "--generate road:9 --chunk 5, --chunk has no effect without --engine stream",
    "--generate road:9 --device-memory 5, --device-memory has no effect without --engine stream",
    "--graph a.gr --engine stream --device-memory 0, '--device-memory must be at least 1, but is"
        + " 0'",
    "--generate road:9 --engine stream, expected random or rmat",
    "--input generate:path:9 --engine stream, expected random or rmat",
    "--input digraph:a.gr --engine stream, --engine stream takes edges one by one",
    "--graph a.gr --engine stream --traversal vertex, need traversal=edge",
    "--graph a.gr --engine stream --weight-type int --weights 1..9, name the type in --weights",
    "--graph a.gr --engine stream --seed 7, --seed has no effect",
    "--generate rmat:scale=3 --engine stream --chunk 0, '--chunk must be 1 to 2147483640 for a"
        + " graph of 8 vertices, but is 0'",
    "--generate rmat:scale=3 --engine stream --chunk 3000000000, '--chunk must be 1 to 2147483640"
        + " for a graph of 8 vertices, but is 3000000000'",
    "--generate grid:10 --engine stream, 'generator ''grid:10'': its edges cannot be had one by"
        + " one; expected random or rmat, undirected\n"
        + "'",
    "--generate rmat:scale=3 --engine stream --traversal vertex, need traversal=edge",
    "'--generate random:9,m=9,directed --engine stream', undirected",
    "'--generate random:9,m=9,weights=none --engine stream', edges have no weights",
    "--generate rmat:scale=3 --engine stream --relabel, --relabel is for files",
    "--generate rmat:scale=3 --engine stream --weight-type int, --weight-type is for files",
    "--generate rmat:scale=3 --engine stream --png a.png, --engine stream keeps no graph",
    "--generate rmat:scale=3 --engine stream --pixels 20, --pixels",
    "--generate rmat:scale=3 --engine stream --out a.gr, writes lines of 'u v weight'",
    "--generate rmat:scale=3 --engine disk, 'expected one of memory, stream, gpus, spark'",
  })
  void whatDoesNotFitTheEngineIsRefused(String options, String message) {
    List<String> arguments = new ArrayList<>(List.of("msf", "--device", "cpu"));
    arguments.addAll(List.of(options.split(" ")));
    CommandRun run = CommandRun.of(arguments.toArray(new String[0])).expect(ExitStatus.USAGE);
    assertTrue(run.err().contains(message), run.err());
  }

  /** The message lists them, so the option's help does not follow. */
  @Test
  void valuesOfAListAreToldOnce() {
    CommandRun run =
        CommandRun.of("msf", "--generate", "road:10", "--policy", "best").expect(ExitStatus.USAGE);
    assertEquals(2, run.err().split("optimistic_hand_off", -1).length, run.err());
    assertTrue(run.err().contains("but was 'best'"), run.err());
  }
}
