package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphFormats;
import io.magpie.algorithms.graph.WeightType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Weights that are not ints from 0, from files and generators to totals. */
class WeightTypesCommandTest {
  private static final String TRIANGLE = "0 1 0.1\n1 2 0.2\n0 2 0.30000000000000004\n";

  @TempDir Path folder;

  private Path file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  private static CommandRun run(String command, String... options) {
    List<String> arguments = new ArrayList<>(List.of(command.split(" ")));
    arguments.addAll(List.of(options));
    return CommandRun.of(arguments.toArray(new String[0]));
  }

  private static JsonNode json(CommandRun run) throws IOException {
    return new ObjectMapper().readTree(run.expect(ExitStatus.OK).out());
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu:2", "sim:2:4"})
  void fractionsAreKeptAndSummedUpExactly(String device) throws IOException {
    Path file = file("a.wel", TRIANGLE);
    CommandRun least =
        run("msf --verify --device", device, "--graph", file.toString()).expect(ExitStatus.OK);
    assertTrue(least.out().contains("total weight 0.30000000000000004\n"), least.out());
    assertTrue(least.out().contains("sequential Kruskal's, 0.30000000000000004\n"), least.out());
    JsonNode most =
        json(
            run(
                "msf --objective maximum --verify --json --device",
                device,
                "--graph",
                file.toString()));
    assertEquals(0.5, most.at("/forest/weight").asDouble());
    assertEquals("double", most.at("/input/weightType").asText());
    assertEquals("maximum", most.at("/variant/objective").asText());
    assertEquals("verified", most.at("/verdict").asText());
  }

  @Test
  void totalsOfLongsAreWholeNumbersOfAnySize() throws IOException {
    Path file = file("a.wel", "0 1 9223372036854775807\n1 2 9223372036854775807\n");
    CommandRun shown =
        run("msf --verify --device cpu:1 --graph", file.toString()).expect(ExitStatus.OK);
    assertTrue(shown.out().contains("total weight 18,446,744,073,709,551,614\n"), shown.out());
    JsonNode value = json(run("msf --json --device cpu:1 --graph", file.toString()));
    assertEquals("18446744073709551614", value.at("/forest/weight").bigIntegerValue().toString());
    assertEquals("long", value.at("/input/weightType").asText());
  }

  @Test
  void totalsBeyondADoubleAreNumbersToo() throws IOException {
    Path file = file("a.wel", "0 1 1.7976931348623157e308\n1 2 1.7976931348623157e308\n");
    String out =
        run("msf --json --device cpu:1 --graph", file.toString()).expect(ExitStatus.OK).out();
    assertTrue(out.contains("\"weight\" : 3.5953862697246314E+308"), out);
  }

  @ParameterizedTest
  @CsvSource({"NaN", "inf", "-Infinity", "1e999"})
  void whatIsNotFiniteIsRefusedWithItsLine(String weight) throws IOException {
    Path file = file("a.wel", "0 1 1.5\n1 2 " + weight + "\n");
    CommandRun refused =
        run("msf --device cpu:1 --graph", file.toString()).expect(ExitStatus.BAD_INPUT);
    assertTrue(refused.err().contains(file + ":2: found '" + weight + "'"), refused.err());
  }

  @Test
  void theTypeOfAFilesWeightsCanBeAskedFor() throws IOException {
    String file = file("a.wel", "0 1 0.1\n1 2 2\n").toString();
    JsonNode value = json(run("msf --weight-type float --json --device cpu:1 --graph", file));
    assertEquals("float", value.at("/input/weightType").asText());
    assertEquals((double) 0.1f + 2, value.at("/forest/weight").asDouble());
    for (String type : List.of("int", "long", "counts")) {
      CommandRun refused =
          run("msf --device cpu:1 --weight-type", type, "--graph", file)
              .expect(ExitStatus.BAD_INPUT);
      assertTrue(refused.err().contains(file + ":1: found '0.1'"), refused.err());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--generate road:9 --weight-type double, --weight-type is for files",
    "--graph none.el --weights 1..5 --weight-type double, name the type in --weights",
    "--graph none.mtx --weight-scale 5 --weight-type double, leave one of them out",
    "--graph none.el --weight-type byte, expected one of any",
    "--graph none.el --weights byte:1..5, expected TYPE:L..H",
    "--graph none.el --weights double:5..1, expected TYPE:L..H",
    "'--generate road:9,weights=double:5..1', expected TYPE:L..H"
  })
  void optionsThatDoNotFitAreRefused(String options, String message) {
    CommandRun refused = run("msf --device cpu:1 " + options).expect(ExitStatus.USAGE);
    assertTrue(refused.err().contains(message), refused.err());
  }

  @ParameterizedTest
  @CsvSource({
    "int:-9..9, int",
    "long:-5000000000..5000000000, long",
    "float:-1..1, float",
    "double:-1..1, double"
  })
  void weightsOfEachTypeAreDrawn(String range, String type) throws IOException {
    Path file = file("a.el", "0 1\n1 2\n2 0\n2 3\n");
    for (List<String> input :
        List.of(
            List.of("--graph", file.toString()), List.of("--generate", "random:60,m=300,seed=4"))) {
      List<String> options = new ArrayList<>(List.of("--weights", range));
      options.addAll(input);
      JsonNode value =
          json(run("msf --verify --json --device cpu:1", options.toArray(new String[0])));
      assertEquals(type, value.at("/input/weightType").asText());
      assertEquals("verified", value.at("/verdict").asText());
    }
  }

  @Test
  void forestsAreWrittenWithTheirWeights() throws IOException {
    String file = file("a.wel", TRIANGLE).toString();
    for (String name : List.of("forest.wel", "forest.mtx", "forest.mpg", "forest.txt.gz")) {
      Path out = folder.resolve(name);
      run("msf --device cpu:1 --graph", file, "--out", out.toString()).expect(ExitStatus.OK);
      Graph forest = GraphFormats.read(out);
      assertEquals(WeightType.DOUBLE, forest.weightType());
      assertEquals(2, forest.edges());
      assertEquals(0.1, forest.exactWeight(0));
    }
    Path lines = folder.resolve("forest.edges");
    run("msf --device cpu:1 --graph", file, "--out", lines.toString()).expect(ExitStatus.OK);
    assertEquals("0 1 0.1\n1 2 0.2\n", Files.readString(lines));
    CommandRun refused =
        run("msf --device cpu:1 --graph", file, "--out", folder.resolve("f.gr").toString())
            .expect(ExitStatus.USAGE);
    assertTrue(refused.err().contains("has double weights"), refused.err());
  }

  @Test
  void generatedFilesHoldTheType() throws IOException {
    for (String name : List.of("g.mtx", "g.wel", "g.mpg")) {
      Path out = folder.resolve(name);
      run("generate random:50,m=200 --weights double:0..1 --out", out.toString())
          .expect(ExitStatus.OK);
      assertEquals(WeightType.DOUBLE, GraphFormats.read(out).weightType());
    }
    for (String name : List.of("g.gr", "g.egr", "g.graph")) {
      CommandRun refused =
          run(
                  "generate random:50,m=200 --weights float:0..1 --out",
                  folder.resolve(name).toString())
              .expect(ExitStatus.USAGE);
      assertTrue(refused.err().contains("has float weights"), refused.err());
    }
    CommandRun directed =
        run(
                "generate random:50,m=200,directed --weights double:0..1 --out",
                folder.resolve("g.mpg").toString())
            .expect(ExitStatus.USAGE);
    assertTrue(directed.err().contains("ints or floats from 0"), directed.err());
    Path floats = folder.resolve("f.mpg");
    run("generate random:50,m=200,directed --weights float:0..1 --out", floats.toString())
        .expect(ExitStatus.OK);
    run("paths --device cpu:1 --lengths weights --weight-type float --digraph", floats.toString())
        .expect(ExitStatus.OK);
  }

  /** Sums of floats as doubles, written so that they are read as the same. */
  @ParameterizedTest
  @ValueSource(strings = {"cpu:2", "sim:2:4"})
  void pathsByFloats(String device) throws IOException {
    Path file = file("a.wel", "0 1 0.1\n1 2 0.2\n0 2 0.4\n2 3 3e38\n3 4 3e38\n");
    Path out = folder.resolve("distances.txt");
    double near = (double) 0.1f + (double) 0.2f;
    double far = near + 3e38f + 3e38f;
    for (String graph : List.of("--graph", "--digraph")) {
      for (String order : List.of("none", "near-far", "bins")) {
        JsonNode value =
            json(
                run(
                    "paths --lengths weights --verify --json --weight-type float --device",
                    device,
                    "--order",
                    order,
                    graph,
                    file.toString(),
                    "--out",
                    out.toString()));
        assertEquals("verified", value.at("/verdict").asText());
        assertEquals("float", value.at("/input/weightType").asText());
        assertEquals(far, value.at("/paths/farthest").asDouble());
        assertEquals(!order.equals("none"), value.at("/delta").asDouble() > 0);
        List<String> lines = Files.readAllLines(out);
        assertEquals(5, lines.size());
        assertEquals("0 0.0 0", lines.get(0));
        assertEquals("1 " + (double) 0.1f + " 0", lines.get(1));
        assertEquals("2 " + near + " 1", lines.get(2));
        assertEquals("4 " + far + " 3", lines.get(4));
      }
    }
    CommandRun shown =
        run(
            "paths --lengths weights --weight-type float --order bins --delta 0.25 --device",
            device,
            "--graph",
            file.toString());
    assertTrue(shown.expect(ExitStatus.OK).out().contains("the farthest at distance " + far));
    CommandRun ints =
        run("paths --lengths weights --order bins --delta 0.25 --generate road:9 --device", device)
            .expect(ExitStatus.BAD_INPUT);
    assertTrue(ints.err().contains("delta=0.25 is for float weights"), ints.err());
  }

  @ParameterizedTest
  @CsvSource({"-1", "-1e-60", "NaN", "inf", "1e39"})
  void invalidLengthsAreRefusedWithTheirLine(String weight) throws IOException {
    Path file = file("a.wel", "0 1 1.5\n1 2 " + weight + "\n");
    for (String option : List.of("--graph", "--digraph")) {
      for (String command : List.of("paths --device cpu:1", "compare paths --devices cpu:1")) {
        String lengths =
            command.startsWith("c") ? "--variants lengths=weights" : "--lengths weights";
        CommandRun refused =
            run(command + " --weight-type float " + lengths, option, file.toString())
                .expect(ExitStatus.BAD_INPUT);
        assertTrue(refused.err().contains(file + ":2: found '" + weight + "'"), refused.err());
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "paths --lengths weights --generate road:9 --weight-type float | --weight-type is for files",
        "paths --lengths weights --graph a.el --weights 1..5 --weight-type float | as in float:0..1",
        "paths --lengths weights --graph a.mtx --weight-scale 5 --weight-type float | leave one of them",
        "paths --lengths weights --graph a.wel --weight-type double | expected one of counts, float",
        "paths --graph a.wel --weight-type float | has no effect without --lengths weights",
        "compare paths --graph a.wel --weight-type float | has no effect without lengths=weights",
        "compare paths-64 --graph a.wel --weight-type counts | has no effect without lengths=weights",
        "compare paths --graph a.wel --weight-type float --ladder split-bfs | has no effect without",
        "compare msf --graph a.wel --weight-type float | --weight-type is for shortest paths",
        "compare refine --points uniform:9 --weight-type float | --weight-type is for graphs",
        "compare paths --generate road:9 --weight-type counts | --weight-type is for files"
      })
  void typesOfLengthsThatDoNotFitAreRefused(String options, String message) {
    CommandRun refused = run(options).expect(ExitStatus.USAGE);
    assertTrue(refused.err().contains(message), refused.err());
  }

  /** Distances of all programs are the same to the last bit. */
  @Test
  void comparisonsByFloats() throws IOException {
    Path file = folder.resolve("g.wel");
    run("generate random:60,m=300,directed --weights float:0..1 --out", file.toString())
        .expect(ExitStatus.OK);
    Path records = folder.resolve("records.jsonl");
    for (String comparison : List.of("paths", "paths-64")) {
      String others = comparison.equals("paths") ? "sequential,lists,jgrapht" : "sequential";
      CommandRun run =
          run(
                  "compare " + comparison + " --devices cpu:2 --repeats 1 --warmups 0 --with",
                  others,
                  "--variants",
                  "lengths=weights",
                  "order=all",
                  "--weight-type",
                  "float",
                  "--digraph",
                  file.toString(),
                  "--json",
                  records.toString())
              .expect(ExitStatus.OK);
      assertEquals("", run.err());
      assertEquals(others.contains("jgrapht"), Files.readString(records).contains("\"jgrapht\""));
    }
  }

  /** With the file and the line of the first weight that does not count. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "partition -k 2 --graph", "paths --lengths weights --graph",
        "compare partition --variants parts=2 --graph",
            "compare paths --variants lengths=weights --graph"
      })
  void whatCountsWithWeightsRefusesOthers(String command) throws IOException {
    for (String weight : List.of("0.5", "-3", "5000000000")) {
      Path file = file("a.wel", "0 1 7\n1 2 " + weight + "\n");
      CommandRun refused = run(command, file.toString()).expect(ExitStatus.BAD_INPUT);
      assertTrue(
          refused
              .err()
              .contains(
                  file
                      + ":2: found '"
                      + weight
                      + "', expected a weight, a whole number from 0 to 2147483647"),
          refused.err());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "partition -k 2 --device cpu:1 --generate",
        "paths --lengths weights --device cpu:1 --generate",
        "compare partition --variants parts=2 --devices cpu:1 --generate"
      })
  void whatCountsWithWeightsRefusesGeneratedOnes(String command) {
    CommandRun refused = run(command, "road:9,weights=double:0..1").expect(ExitStatus.BAD_INPUT);
    assertTrue(refused.err().contains("int weights from 0 to 2147483647"), refused.err());
  }

  @Test
  void componentsTakeAnyWeights() throws IOException {
    Path out = folder.resolve("forest.wel");
    run(
            "components --output forest --verify --device cpu:1 --graph",
            file("a.wel", "0 1 -0.5\n1 2 0.25\n").toString(),
            "--forest-out",
            out.toString())
        .expect(ExitStatus.OK);
    assertEquals(-0.5, GraphFormats.read(out).exactWeight(0));
  }

  @Test
  void comparisonsOfAnyTypeAndBothObjectives() throws IOException {
    Path records = folder.resolve("records.jsonl");
    for (String range : List.of("int:-9..9", "long:-90..90", "float:-1..1", "double:-1..1")) {
      CommandRun run =
          run(
                  "compare msf --devices cpu:2 --repeats 1 --warmups 0"
                      + " --with kruskal,filter-kruskal,jgrapht --variants",
                  "objective=maximum",
                  "--generate",
                  "random:200,m=900,weights=" + range,
                  "--json",
                  records.toString())
              .expect(ExitStatus.OK);
      assertEquals("", run.err());
      String text = Files.readString(records);
      assertEquals(
          range.startsWith("int") || range.startsWith("long"),
          text.contains("maximumForestWeight"));
      assertFalse(text.contains("\"forestWeight"), text);
    }
    run(
            "compare msf --devices cpu:2 --repeats 1 --warmups 0 --variants",
            "objective=all",
            "--graph",
            file("a.wel", "0 1 1\n1 2 2\n0 2 4\n").toString(),
            "--json",
            records.toString())
        .expect(ExitStatus.OK);
    JsonNode input = new ObjectMapper().readTree(Files.readAllLines(records).get(0)).get("input");
    assertEquals(3, input.get("forestWeight").asLong());
    assertEquals(6, input.get("maximumForestWeight").asLong());
  }

  @Test
  void jgraphtRefusesLongsThatItWouldRound() throws IOException {
    Path file = file("a.wel", "0 1 9007199254740993\n");
    CommandRun refused =
        run("compare msf --devices cpu:1 --with jgrapht --graph", file.toString())
            .expect(ExitStatus.BAD_INPUT);
    assertTrue(refused.err().contains("JGraphT's weights are doubles"), refused.err());
    assertTrue(refused.err().contains("9007199254740993"), refused.err());
  }
}
