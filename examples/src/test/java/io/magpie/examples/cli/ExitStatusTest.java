package io.magpie.examples.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.pointsto.PointsToSizeException;
import io.magpie.stm.MagpieException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The statuses of a process whose surroundings are at fault, and not the input or Magpie. */
class ExitStatusTest {
  @TempDir Path folder;

  private record Ended(int status, String output) {}

  /** The command line in a process of its own, started by a shell command before "$@". */
  private Ended run(String shell, List<String> options, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("sh", "-c", shell, "sh"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Ended(process.waitFor(), output);
  }

  @Test
  void noPlaceForCompiledCodeIsOutputThatFailed() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));

    Ended ended =
        run(
            "exec \"$@\"",
            List.of("-Dmagpie.cache=" + file.resolve("cache"), "-Djava.io.tmpdir=" + file),
            "devices");

    assertEquals(ExitStatus.OUTPUT_FAILED.code(), ended.status, ended.output);
    assertTrue(ended.output.contains("MAGPIE_CACHE"), ended.output);
  }

  @Test
  void aNameThatTheLocaleDoesNotKnowIsWrongUsage() throws Exception {
    Ended ended =
        run("LC_ALL=C exec \"$@\" \"$(printf 'gr\\303\\244ph.gr')\"", List.of(), "msf", "--graph");

    assertEquals(ExitStatus.USAGE.code(), ended.status, ended.output);
    assertTrue(ended.output.contains("LC_ALL=C.UTF-8"), ended.output);
  }

  /** From one that is too small for anything to one that is almost enough. */
  @ParameterizedTest
  @ValueSource(strings = {"2m", "5m", "8m"})
  @Tag("slow")
  void aHeapThatIsTooSmallToStartIsToldBySentenceAndStatus(String heap) throws Exception {
    Ended ended =
        run(
            "exec \"$@\"",
            List.of("-XX:+UseParallelGC", "-Xmx" + heap),
            "msf",
            "--generate=road:900",
            "--device=cpu:1");

    if (ended.status != ExitStatus.OK.code()) {
      assertEquals(ExitStatus.OUT_OF_MEMORY.code(), ended.status, ended.output);
      // Beside what it printed before, if it came that far.
      List<String> told = ended.output.lines().filter(line -> line.startsWith("magpie")).toList();
      assertEquals(1, told.size(), ended.output);
      assertTrue(told.get(0).matches("magpie[^:]*: .*MAGPIE_JAVA_OPTIONS=-Xmx.*"), ended.output);
      assertFalse(ended.output.contains("\tat "), ended.output);
    }
  }

  @Test
  void aClassThatHadNoRoomIsALackOfHeap() {
    Error again = new NoClassDefFoundError("Could not initialize class io.magpie.X");
    again.initCause(
        new ExceptionInInitializerError("Exception java.lang.OutOfMemoryError: Java heap space"));

    assertEquals(ExitStatus.OUT_OF_MEMORY, ExitStatus.of(again));
    assertEquals(ExitStatus.INTERNAL_ERROR, ExitStatus.of(new NoClassDefFoundError("X")));
  }

  @Test
  void tooManyEdgesOrElementsOfSetsAreUnsuitableInput() {
    PointsToSizeException excess = new PointsToSizeException("more than 9 edges; leave some out");
    assertEquals(ExitStatus.BAD_INPUT, ExitStatus.of(excess));
    assertEquals("more than 9 edges; leave some out", Magpie.message(excess));
  }

  @Test
  void tooFewDescriptorsAreNoFaultOfMagpie() {
    IOException reason = new IOException("/a.gr: Too many open files");

    assertEquals(ExitStatus.OUT_OF_MEMORY, ExitStatus.of(new ExceptionInInitializerError(reason)));
    assertEquals(
        ExitStatus.OUT_OF_MEMORY, ExitStatus.of(new MagpieException("Cannot read", reason)));
    assertEquals(
        "/a.gr: Too many open files; let the process open more files, for example with 'ulimit -n 1024'",
        Magpie.message(new ExceptionInInitializerError(reason)));
  }

  @Test
  void aLackOfHeapIsToldWhereTheFailureItselfSaysNothing() {
    String told = Magpie.message(new ExceptionInInitializerError(new OutOfMemoryError()));
    assertTrue(told.startsWith("Java's heap of "), told);
  }
}
