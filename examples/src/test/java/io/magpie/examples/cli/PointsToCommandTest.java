package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.pointsto.ConstraintFormats;
import io.magpie.algorithms.pointsto.ConstraintGenerator;
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

class PointsToCommandTest {
  @TempDir Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text.replace(";", "\n"));
  }

  private static CommandRun run(Object input, String... more) {
    List<String> call =
        new ArrayList<>(
            List.of("pointsto", "--constraints", input.toString(), "--device", "cpu:2"));
    call.addAll(List.of(more));
    return CommandRun.of(call.toArray(new String[0]));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--propagation push --merge-size 3",
        "--propagation difference --details",
        "--propagation pull --cycles none",
        "--propagation difference --sets sparse --sparse-words 9999 --details"
      })
  void everyFormIsVerified(String options) {
    List<String> words = new ArrayList<>(List.of(options.split(" ")));
    words.add("--verify");
    CommandRun run = run("cycles:99,length=9", words.toArray(new String[0])).expect(ExitStatus.OK);
    assertTrue(run.out().contains("the sets are those of a sequential solver"), run.out());
    assertEquals(options.contains("--details"), run.out().contains("push_differences"), run.out());
  }

  /** What the defaults stand for is said, but not of values that are given. */
  @Test
  void saysWhatAutoStoodFor() throws IOException {
    Path json = folder.resolve("out.json");
    CommandRun run = run("art", "--json", json.toString()).expect(ExitStatus.OK);
    assertTrue(run.out().contains("propagation push, cycles transactions, sets dense"), run.out());
    assertTrue(
        Files.readString(json)
            .replaceAll("\\s", "")
            .contains(
                "\"chosen\":{\"propagation\":\"push\",\"cycles\":\"transactions\",\"sets\":\"dense\"}"),
        () -> "chosen");
    run = run("art", "--sets", "sparse", "--cycles", "none").expect(ExitStatus.OK);
    assertTrue(
        run.out().lines().anyMatch(line -> line.matches("auto +propagation push")), run.out());
    run =
        run("art", "--sets", "sparse", "--cycles", "none", "--propagation", "push")
            .expect(ExitStatus.OK);
    assertFalse(run.out().contains("auto"), run.out());
  }

  /** The message names the option that gives more room. */
  @Test
  void tooFewSparseWordsAreTold() {
    CommandRun run =
        run("constraints:vars=3000,cons=9000", "--sets", "sparse", "--cycles", "none")
            .expect(ExitStatus.OK);
    assertTrue(run.out().contains("sets"), run.out());
    run =
        run(
                "constraints:vars=3000,cons=9000",
                "--sets",
                "sparse",
                "--cycles",
                "none",
                "--sparse-words",
                "1024")
            .expect(ExitStatus.BAD_INPUT);
    assertTrue(run.err().contains("raise sparse-words"), run.err());
    assertEquals(1, run.err().lines().count(), run.err());
  }

  /** {@code p = &a; q = p; *q = p; r = *q}: a and r point to a as well. */
  @Test
  void writesSetsAndConstraints() throws IOException {
    Path input = file("in.txt", "vars 5;addr 0 1;copy 2 0;store 2 0;load 3 2;");
    Path sets = folder.resolve("sets");
    Path copy = folder.resolve("x_constraints_after_hcd.txt");
    CommandRun run =
        run(input, "--out", sets.toString(), "--constraints-out", copy.toString())
            .expect(ExitStatus.OK);
    assertEquals("1\n1\n1\n1\n\n", Files.readString(sets));
    assertEquals(ConstraintFormats.read(input), ConstraintFormats.read(copy));
    assertTrue(
        run.out().contains("4 pairs of a variable and a target, at most 1 target,"), run.out());
    assertTrue(
        run.out().contains("5 variables; constraints: 1 address-of, 1 copy, 1 load, 1 store"),
        run.out());
    assertFalse(run.out().contains("verified"), run.out());
  }

  @Test
  void generatedConstraintsAreThoseOfTheLibrary() throws IOException {
    Path copy = folder.resolve("copy.txt.gz");
    run("powerlaw:50", "--seed", "3", "--constraints-out", copy.toString()).expect(ExitStatus.OK);
    assertEquals(
        ConstraintGenerator.generate("powerlaw:vars=50,seed=3"), ConstraintFormats.read(copy));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "in.txt | copy 0 1;gep 1 2 | :2: found 'gep', expected addr, copy, load or store",
        "in.txt | vars 2;copy 0 2 | :2: found '2', expected a variable, 0 to 1",
        "x_constraints_after_hcd.txt | 0,0,0,0,1;0,1,2,4,3 | :2: found an offset of 3, expected 0",
        "x_constraints_after_hcd.txt | 0,1,0,0,0;0,1 1,2,1,0 | :2: found '1 1', expected number, source"
      })
  void malformedFilesAreRefusedWithTheirLine(String name, String text, String message)
      throws IOException {
    file("x_nodes.txt", "3");
    Path sets = folder.resolve("sets");
    Path input = file(name, text);
    CommandRun run = run(input, "--out", sets.toString()).expect(ExitStatus.BAD_INPUT);
    assertTrue(run.err().contains(input + message), run.err());
    assertEquals(1, run.err().lines().count(), run.err());
    assertFalse(Files.exists(sets));
  }

  private static final String PROGRAM =
      """
      @a = global i32 0
      @p = global ptr @a
      @unused = global ptr null
      declare void @mystery(ptr)
      define ptr @main() {
        %1 = load ptr, ptr @p
        call void @mystery(ptr %1)
        ret ptr %1
      }
      """;

  /** By names, in the text and in JSON. */
  @Test
  void programsAnswerQueriesByName() throws IOException {
    Path input = file("a.ll", PROGRAM);
    Path names = folder.resolve("names");
    CommandRun run =
        run(
            input,
            "--query",
            "*@p",
            "--query",
            "@main/%1",
            "--query",
            "*@unused",
            "--names-out",
            names.toString());
    run.expect(ExitStatus.OK);
    assertTrue(
        run.out().contains("program   1 function, 3 instructions, 0 calls by pointers"), run.out());
    assertTrue(
        run.out().contains("ignored   1 call of functions of which nothing is known, so"),
        run.out());
    assertTrue(run.out().contains("sets may lack targets: mystery 1"), run.out());
    assertTrue(run.out().contains("*@p -> *@a"), run.out());
    assertTrue(run.out().contains("@main/%1 -> *@a"), run.out());
    assertTrue(run.out().contains("*@unused -> nothing"), run.out());
    List<String> lines = Files.readAllLines(names);
    assertEquals(6, lines.size());
    assertTrue(
        lines.containsAll(List.of("@p", "*@p", "*@a", "*@unused", "@main/%1", "@main/return")));
    run = run(input, "--query", "*@p", "--json").expect(ExitStatus.OK);
    assertEquals(1, JsonSchema.validated(run.out()).size());
    String json = run.out().replaceAll("\\s", "");
    assertTrue(json.contains("\"queries\":{\"*@p\":[\"*@a\"]}"), json);
    assertTrue(
        json.contains(
            "\"program\":{\"functions\":1,\"instructions\":3,\"indirectCalls\":0,"
                + "\"externalVariables\":0,\"ignoredCalls\":{\"mystery\":1}}"),
        json);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a.ll | --query @q | BAD_INPUT | no variable '@q' for --query",
        "a.ll | --constraints-out b.ll.gz | USAGE | constraints cannot be written as a program",
        "art | --query @q | USAGE | --query has no effect on art",
        "art | --names-out names | USAGE | --names-out has no effect on art",
        "none.ll | | BAD_INPUT | none.ll: no such file",
        "bad.ll | | BAD_INPUT | bad.ll:1: found '@ptr', expected a type"
      })
  void whatSuitsNoProgramIsRefused(String input, String words, ExitStatus status, String message)
      throws IOException {
    file("a.ll", PROGRAM);
    file("bad.ll", "@a = global @ptr");
    Path at = folder.resolve(input);
    CommandRun run =
        run(input.endsWith(".ll") ? at : input, words == null ? new String[0] : words.split(" "));
    run.expect(status);
    assertTrue(run.err().contains(message), run.err());
  }

  @Test
  void theFileOfVariablesMustBeThere() throws IOException {
    Path input = file("y_constraints_after_hcd.txt", "0,0,0,0,0");
    CommandRun run = run(input).expect(ExitStatus.BAD_INPUT);
    assertTrue(run.err().contains("y_nodes.txt"), run.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "cycles:vars=9,length=9; length=9",
        "rings:9; rings",
        "art:seed=2 --seed 3; 'seed' is given twice",
        "art --merge-size 1; --merge-size",
        "art --cycles none --merge-size 9; --merge-size",
        "art --sets dense --sparse-words 9999; --sparse-words",
        "art --sparse-words 9; --sparse-words",
        "art --sparse-words 9999; --sparse-words has no effect on this device and input,"
            + " where auto stands for --sets dense",
        "art --cycles none --policy locks; --policy",
        "art --png a.jpg; --png a.jpg: expected a name that ends in .png",
        "art --png a.png --pixels 15; --pixels must be from 16 to 8192, got 15",
        "art --pixels 99; --pixels has no effect without --png"
      })
  void badOptionsAreRefused(String words, String message) {
    List<String> parts = new ArrayList<>(List.of(words.split(" ")));
    CommandRun run =
        run(parts.get(0), parts.subList(1, parts.size()).toArray(new String[0]))
            .expect(words.startsWith("rings") ? ExitStatus.BAD_INPUT : ExitStatus.USAGE);
    assertTrue(run.err().contains(message.strip()), run.err());
  }

  @Test
  void drawsTheSets() throws IOException {
    Path picture = folder.resolve("sets.png");
    run("cycles:vars=60,length=6", "--png", picture.toString(), "--pixels", "50")
        .expect(ExitStatus.OK);
    assertEquals(new PngHeader(50, 50), PngHeader.of(picture));
    run(file("none", "vars 0\n").toString(), "--png", picture.toString()).expect(ExitStatus.OK);
    assertEquals(new PngHeader(1000, 1000), PngHeader.of(picture));
  }

  @Test
  void outputsThatCannotBeWrittenFailByStatus() {
    CommandRun run = run("art", "--out", folder.toString()).expect(ExitStatus.OUTPUT_FAILED);
    assertTrue(run.err().contains(folder + ": is a folder; name a file"), run.err());
  }
}
