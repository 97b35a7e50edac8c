package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.GraphFormats;
import io.magpie.algorithms.graph.WeightType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Graphs in another format: what is refused, and how. */
class ConvertCommandTest {
  @TempDir Path folder;

  private Path generated(String spec, String name) {
    Path file = folder.resolve(name);
    CommandRun.of("generate", spec, "--out", file.toString()).expect(ExitStatus.OK);
    return file;
  }

  private CommandRun converted(String engine, Path from, Path to) {
    return CommandRun.of(
        "convert", "--engine", engine, "--graph", from.toString(), "--out", to.toString());
  }

  /** Also where the damage is seen only when most of the output has been written. */
  @ParameterizedTest
  @ValueSource(strings = {"memory", "stream"})
  void aDamagedFileIsBadInput(String engine) throws IOException {
    Path copy = folder.resolve("copy.mpe");
    for (String name : new String[] {"a.mpe", "a.mpg"}) {
      Path file = generated("random:n=500,m=3000", name);
      byte[] bytes = Files.readAllBytes(file);
      bytes[bytes.length - 1] ^= 1; // of the checksum
      Files.write(file, bytes);
      CommandRun run = converted(engine, file, copy).expect(ExitStatus.BAD_INPUT);
      assertTrue(run.err().startsWith("magpie convert: " + file + ": found checksum"), run.err());
      assertFalse(run.err().contains("cannot be written"), run.err());
      assertFalse(Files.exists(copy));
    }
  }

  /** As {@code msf} does: what would have no effect is not taken. */
  @ParameterizedTest
  @CsvSource({
    "--generate rmat:scale=5 --weight-type double, --weight-type is for files",
    "--graph none.el --weights 1..5 --weight-type double, name the type in --weights",
    "--graph none.mtx --weight-scale 5 --weight-type double, leave one of them out",
    "--engine stream --graph none.el --weights 1..5 --weight-type double, name the type in --weights",
    "--engine stream --graph none.mtx --weight-scale 5 --weight-type double, leave one of them out"
  })
  void aTypeOfWeightsWithoutEffectIsRefused(String options, String message) {
    Path copy = folder.resolve("copy.mpe");
    List<String> call = new ArrayList<>(List.of("convert", "--out", copy.toString()));
    call.addAll(List.of(options.split(" ")));
    CommandRun run = CommandRun.of(call.toArray(new String[0])).expect(ExitStatus.USAGE);
    assertTrue(run.err().contains(message), run.err());
    assertFalse(Files.exists(copy));
  }

  @ParameterizedTest
  @CsvSource({
    "gpus, '--engine gpus is for msf and components; take memory or stream'",
    "spark, '--engine spark is for msf and components; take memory or stream'",
  })
  void enginesOfOtherCommandsAreRefused(String engine, String message) {
    Path copy = folder.resolve("copy.mpe");
    CommandRun run = converted(engine, folder.resolve("none.el"), copy).expect(ExitStatus.USAGE);
    assertTrue(run.err().contains(message), run.err());
    assertFalse(Files.exists(copy));
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory", "stream"})
  void aFormatThatIsNotThereIsToldHowToGet(String engine) {
    Path edges = folder.resolve("edges.parquet");
    CommandRun run = converted(engine, folder.resolve("none.el"), edges).expect(ExitStatus.USAGE);
    assertTrue(
        run.err().contains("--out " + edges + ": what writes .parquet is in a separate jar"),
        run.err());
    assertTrue(run.err().contains("mvn -Pspark "), run.err());
    assertTrue(run.err().contains("MAGPIE_CLASSPATH="), run.err());
    assertFalse(Files.exists(edges));
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory", "stream"})
  void aFilesWeightsAreWrittenInTheTypeThatIsAskedFor(String engine) throws IOException {
    Path file = Files.writeString(folder.resolve("a.wel"), "0 1 3\n1 2 5\n");
    Path copy = folder.resolve("copy.mpe");
    List<String> call = new ArrayList<>(List.of("convert", "--engine", engine));
    call.addAll(List.of("--graph", file.toString(), "--out", copy.toString()));
    CommandRun.of(call.toArray(new String[0])).expect(ExitStatus.OK);
    assertEquals(WeightType.INT, GraphFormats.read(copy).weightType());
    call.addAll(List.of("--weight-type", "double"));
    CommandRun.of(call.toArray(new String[0])).expect(ExitStatus.OK);
    assertEquals(WeightType.DOUBLE, GraphFormats.read(copy).weightType());
  }
}
