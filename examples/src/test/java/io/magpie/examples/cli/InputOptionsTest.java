package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

class InputOptionsTest {
  @TempDir Path folder;

  /** A kind that a service adds has its own option, and a line of help. */
  @Test
  void aKindOfSomebodyElseIsAnOption() {
    for (String[] input : new String[][] {{"--wheel", "5"}, {"--input", "wheel:5"}}) {
      String out =
          CommandRun.of("msf", input[0], input[1], "--device", "cpu:1", "--verify")
              .expect(ExitStatus.OK)
              .out();
      assertTrue(out.contains("wheel of 5"), out);
      assertTrue(out.contains("6 vertices, 10 edges"), out);
      assertTrue(out.contains("5 edges, 1 component, total weight 6"), out);
    }
    String help = CommandRun.of("partition", "--help").out();
    assertTrue(help.contains("--wheel=SPOKES"), help);
    assertTrue(help.contains("Wheel of at least three spokes."), help);
    assertTrue(help.replaceAll("\\s+", " ").contains("such as graph:FILE; kinds are graph,"), help);
    help = CommandRun.of("refine", "--help").out();
    assertTrue(
        help.replaceAll("\\s+", " ").contains("such as mesh:BASE|FILE; kinds are mesh,"), help);
    CommandRun.of(
            "compare",
            "msf",
            "--wheel",
            "9",
            "--devices",
            "cpu:1",
            "--repeats",
            "1",
            "--with",
            "kruskal")
        .expect(ExitStatus.OK);
  }

  @Test
  void theSameInOneWord() throws IOException {
    Path file = folder.resolve("g.gr");
    Files.writeString(file, "p sp 3 2\na 1 2 5\na 2 3 7\n");
    String[] rest = {"--device", "cpu:1", "--verify"};
    String one = run("msf", "--graph", file.toString(), rest);
    assertEquals(one, run("msf", "--input", "graph:" + file, rest));
    assertEquals(
        run("msf", "--generate", "road:9,seed=3", rest),
        run("msf", "--input", "generate:road:9,seed=3", rest));
    assertTrue(run("refine", "--input", "points:uniform:9", rest).contains("uniform:n=9,seed=1"));
  }

  private static String run(String command, String option, String value, String... rest) {
    String[] words = new String[3 + rest.length];
    words[0] = command;
    words[1] = option;
    words[2] = value;
    System.arraycopy(rest, 0, words, 3, rest.length);
    return CommandRun.of(words)
        .expect(ExitStatus.OK)
        .out()
        .lines()
        .filter(line -> !line.startsWith("time") && !line.startsWith("aborts"))
        .reduce("", (a, b) -> a + b + "\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "msf | --input | road:9 | expected KIND:SPEC, with a kind of graph, generate, wheel; to"
            + " add your own, put a jar that has META-INF/services/io.magpie.examples.input.InputKind"
            + " on MAGPIE_CLASSPATH (now not set)",
        "refine | --input | graph | expected graph:FILE",
        "refine | --input | road:9 | expected KIND:SPEC, with a kind of mesh, poly, points",
        "compare msf | --input | road:9 | with a kind of graph, generate, digraph, mesh, poly,"
            + " points, cnf, bodies, constraints, wheel",
        "msf | --input | graph: | expected graph:FILE",
        "msf | --input | graph | expected graph:FILE",
        "msf | --input | points:uniform:9 | uniform:n=9,seed=1: expected a graph, by --graph or"
            + " --generate or --wheel",
        "refine | --input | wheel:5 | wheel of 5: expected a mesh, by --mesh or --poly or --points",
        "msf | --input | digraph:a.gr | a.gr, directed: expected a graph, by --graph or --generate"
            + " or --wheel",
        "msf | --generate | rmat:5,directed | is a directed graph; leave out 'directed', or give it"
            + " by --digraph",
        "compare msf | --digraph | rmat:5,directed | expected a graph, by --graph or --generate",
        "compare msf | --digraph | rmat:x | scale=x",
        "compare msf | --digraph | a.gr --seed 3 | --seed has no effect on a file without --weights",
        "msf | --wheel | 2 | expected 3 to 999999 spokes",
        "msf | --input | generate:road | 'n' is missing",
        "compare refine | --generate | road:9 | expected a mesh, by --mesh or --poly or --points",
        "compare msf | --points | uniform:9 | expected a graph, by --graph or --generate or --wheel"
      })
  void whatDoesNotFitIsRefused(String command, String option, String value, String message) {
    String[] words = (command + " " + option + " " + value).split(" ");
    CommandRun run = CommandRun.of(words).expect(ExitStatus.USAGE);
    assertTrue(run.err().contains(message), run.err());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "msf --generate road:9",
        "msf --input generate:road:9",
        "msf --wheel 5",
        "components --graph a.gr",
        "partition -k 2 --generate road:9",
        "paths --digraph rmat:5,directed",
        "refine --points uniform:9",
        "sat --cnf ksat:n=9",
        "nbody --bodies cube:9",
        "pointsto --constraints art"
      })
  void anInputIsGivenOnce(String command) {
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    String option = words.get(words.size() - 2);
    String value = words.get(words.size() - 1);
    for (List<String> again : List.of(List.of(option, value), List.of(option + "=other"))) {
      List<String> twice = new ArrayList<>(words);
      twice.addAll(again);
      CommandRun run = CommandRun.of(twice.toArray(new String[0])).expect(ExitStatus.USAGE);
      String first = run.err().lines().findFirst().orElseThrow();
      assertTrue(first.endsWith(": " + option + " is given twice; leave one out"), run.err());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sat --cnf ksat | ksat, planted, tree (for instance ksat:n=100k,ratio=4.2)",
        "sat --cnf blah:n=3 | ksat, planted, tree (for instance ksat:n=100k,ratio=4.2)",
        "nbody --bodies none.tipsy | plummer, cube, collision (for instance plummer:n=30k)",
        "pointsto --constraints nope | constraints, powerlaw, crafty, gzip, bzip2, mcf, equake, art,"
            + " cycles, chain (for instance cycles:vars=100k)"
      })
  void missingFilesMayBeMeantAsGenerators(String call, String generators) {
    String[] words = (call + " --device cpu:1").split(" ");
    CommandRun run = CommandRun.of(words).expect(ExitStatus.BAD_INPUT);
    assertEquals(
        "magpie "
            + words[0]
            + ": "
            + words[2]
            + ": no such file, and no generator; generators are "
            + generators
            + "\n",
        run.err());
  }

  @Test
  void filesThatBelongToConstraintsMustBeThere() throws IOException {
    Path file = folder.resolve("vim_constraints_after_hcd.txt");
    String[] call = {"pointsto", "--constraints", file.toString(), "--device", "cpu:1"};
    String start = "magpie pointsto: " + file + ": ";
    String none = CommandRun.of(call).expect(ExitStatus.BAD_INPUT).err();
    assertTrue(none.startsWith(start + "no such file, and no generator; "), none);
    Files.writeString(file, "0,0,0,0,0\n");
    assertEquals(
        start + "no file vim_nodes.txt next to it, whose first line is the number of variables\n",
        CommandRun.of(call).expect(ExitStatus.BAD_INPUT).err());
  }

  /** What is unknown may be of a jar that is not there. */
  @Test
  void unknownOptionsAndKindsMayBeOfJars() {
    String jars = "may come from jars on MAGPIE_CLASSPATH (now not set).\n";
    String[] commands = {"msf", "refine", "partition -k 2", "compare msf"};
    for (String command : commands) {
      CommandRun run = CommandRun.of((command + " --coins 5").split(" ")).expect(ExitStatus.USAGE);
      assertTrue(run.err().contains("algorithms and their options " + jars), run.err());
    }
    assertFalse(CommandRun.of("devices", "--coins", "5").err().contains(jars));
    CommandRun run =
        CommandRun.of("msf", "--graph", "coins:5", "--device", "cpu:1")
            .expect(ExitStatus.BAD_INPUT);
    String known = "graph, generate, wheel, and those of jars on MAGPIE_CLASSPATH (now not set)";
    assertTrue(run.err().contains("coins:5: no such file; --input takes KIND:SPEC"), run.err());
    assertTrue(run.err().contains(known), run.err());
    run =
        CommandRun.of("verify", "--region", "a.cu", "--items", "arcs(coins:5)")
            .expect(ExitStatus.USAGE);
    assertTrue(run.err().contains("nor a kind of input (" + known), run.err());
  }

  @Test
  void adjustmentsThatAKindDoesNotTakeAreRefused() {
    CommandRun run =
        CommandRun.of("msf", "--wheel", "5", "--seed", "2", "--device", "cpu:1")
            .expect(ExitStatus.USAGE);
    assertTrue(
        run.err().contains("--seed has no effect on wheel of 5 without --weights"), run.err());
    run =
        CommandRun.of("msf", "--wheel", "5", "--relabel", "--device", "cpu:1")
            .expect(ExitStatus.USAGE);
    assertTrue(
        run.err().contains("--relabel has no effect on wheel of 5; leave it out"), run.err());
    run =
        CommandRun.of("msf", "--wheel", "5", "--weights", "1..9", "--device", "cpu:1")
            .expect(ExitStatus.BAD_INPUT);
    assertTrue(run.err().contains("wheel of 5: the graph already has weights"), run.err());
    run =
        CommandRun.of("refine", "--points", "uniform:9", "--merge-duplicates")
            .expect(ExitStatus.USAGE);
    assertTrue(run.err().contains("--merge-duplicates has no effect"), run.err());
  }

  @Test
  void exactlyOneIsGiven() {
    CommandRun.of("msf", "--device", "cpu:1").expect(ExitStatus.USAGE);
    CommandRun.of("msf", "--generate", "road:9", "--wheel", "5").expect(ExitStatus.USAGE);
    CommandRun.of("msf", "--generate", "road:9", "--input", "wheel:5").expect(ExitStatus.USAGE);
  }
}
