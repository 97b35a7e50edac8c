package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.magpie.examples.cli.commands.StoppedEarlyException;
import io.magpie.examples.cli.commands.VerificationException;
import io.magpie.examples.cli.commands.ViolationException;
import io.magpie.examples.cli.output.OutputException;
import io.magpie.examples.input.InputException;
import io.magpie.stm.CompilationException;
import io.magpie.stm.DeviceOutOfMemoryException;
import io.magpie.stm.DeviceUnavailableException;
import io.magpie.stm.KernelFaultException;
import io.magpie.stm.ModuleNotFoundException;
import io.magpie.verification.workload.DrawnWorkload;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

class HelpTest {
  private static final boolean FULL =
      Boolean.parseBoolean(System.getProperty("magpie.test.full", "true"));

  @TempDir Path folder;

  static List<String> commands() {
    List<String> names = new ArrayList<>(Registered.commands().keySet());
    assertTrue(names.size() > 10, names::toString);
    names.add(""); // that of all
    return names;
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandHasHelpWithExitStatuses(String command) {
    CommandRun run =
        (command.isEmpty() ? CommandRun.of("--help") : CommandRun.of(command, "--help"))
            .expect(ExitStatus.OK);
    for (ExitStatus status : ExitStatus.values()) {
      assertTrue(run.out().contains(status.meaning()), run.out());
    }
    assertFalse(run.out().contains("\u001b["), "colors without a terminal");
    assertEquals("", run.err());
  }

  @Test
  void helpOnVerifyNamesAllThatIsDrawn() {
    String help = CommandRun.of("verify", "--help").expect(ExitStatus.OK).out();
    String flat = help.replaceAll("\\s+", "");
    for (String each : DrawnWorkload.Shape.DEFAULT.toString().substring(6).split(",")) {
      String name = each.substring(0, each.indexOf('=') + 1);
      assertTrue(flat.contains(name), () -> name + " is not in\n" + help);
    }
  }

  @Test
  void standardOutputThatCannotBeWrittenIsAFailure() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    StringWriter err = new StringWriter();
    int status = Magpie.run(new PrintWriter(full), new PrintWriter(err), "devices");
    assertEquals(ExitStatus.OUTPUT_FAILED.code(), status);
    assertTrue(err.toString().contains("standard output"), err.toString());
  }

  /** As with head: nothing failed, and nobody is there to be told. */
  @Test
  void aReaderThatHasGoneIsNoFailure() {
    OutputStream closed =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    StringWriter err = new StringWriter();
    int status =
        Magpie.run(new PrintWriter(closed), new PrintWriter(err), () -> true, "compare", "--help");
    assertEquals(ExitStatus.READER_GONE.code(), status);
    assertEquals("", err.toString());
    // What went wrong before that comes first.
    status = Magpie.run(new PrintWriter(closed), new PrintWriter(err), () -> true, "msf");
    assertEquals(ExitStatus.USAGE.code(), status);
  }

  /** Only headings begin at the first column; what is wrapped is further in than its line. */
  @ParameterizedTest
  @ValueSource(strings = {"compare", "refine", "generate", "mutants"})
  void listsAtTheEndOfHelpKeepTheirColumns(String command) {
    String help = CommandRun.of(command, "--help").out();
    List<String> footer = help.substring(help.indexOf("Exit status:")).lines().toList();
    for (String line : footer) {
      assertTrue(
          line.isEmpty()
              || line.startsWith("  ")
              || line.matches("[A-Z][\\w ]+:|[a-z][a-z0-9-]*: .*"),
          line);
      assertTrue(line.length() <= 80, line);
    }
  }

  /** Also behind the longest name that fits beside its description. */
  @ParameterizedTest
  @MethodSource("commands")
  void descriptionsOfOptionsGoOnBehindNames(String command) {
    boolean ofOption = false;
    String help = help(command, 80, Ansi.OFF);
    for (String line : help.substring(0, help.indexOf("Exit status:")).lines().toList()) {
      boolean begins = line.matches(" {2,6}--?[\\[\\w].*");
      int indent = line.length() - line.stripLeading().length();
      ofOption = begins || ofOption && indent > 2;
      assertTrue(begins || !ofOption || indent > 15, line);
    }
  }

  /** The script is taken by bash, and knows an algorithm's options with their values. */
  @Test
  void completionIsAScript() throws IOException, InterruptedException {
    String script = CommandRun.of("completion").expect(ExitStatus.OK).out();
    Path file = folder.resolve("magpie.sh");
    Files.writeString(
        file,
        script
            + """

            compopt() { :; } # is for what is being completed
            COMP_WORDS=(magpie partition --effort u); COMP_CWORD=3; COMPREPLY=()
            _complete_magpie
            echo "reply: ${COMPREPLY[*]}"
            """);
    Process bash = new ProcessBuilder("bash", file.toString()).redirectErrorStream(true).start();
    String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, bash.waitFor(), said);
    assertTrue(said.contains("reply: ultra"), said);
  }

  /** No line ends within a word, unless the word is too long for any line. */
  @ParameterizedTest
  @MethodSource("commands")
  void linesOfHelpEndAtBlanks(String command) {
    Set<String> words = Set.copyOf(Arrays.asList(help(command, 20_000, Ansi.OFF).split("\\s+")));
    for (int width : FULL ? new int[] {60, 80, 200} : new int[] {60}) {
      String help = help(command, width, Ansi.OFF);
      for (String line : help.lines().toList()) {
        assertTrue(line.length() <= width || !line.strip().contains(" "), line);
        for (String word : line.isEmpty() ? new String[0] : line.strip().split("\\s+")) {
          assertTrue(
              words.contains(word) || words.stream().anyMatch(each -> isPart(word, each, width)),
              () -> width + " columns: '" + word + "' in '" + line + "' is no word");
        }
      }
      assertEquals(help, help(command, width, Ansi.ON).replaceAll("\u001b\\[[0-9;]*m", ""));
    }
  }

  private static boolean isPart(String part, String word, int width) {
    return word.contains(part)
        && word.length() > width / 3
        && (part.matches(".*[|,]") || word.endsWith(part));
  }

  private static String help(String command, int width, Ansi ansi) {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    CommandLine line =
        Magpie.commandLine(new Magpie(), nowhere, nowhere)
            .setUsageHelpAutoWidth(false)
            .setUsageHelpWidth(width);
    return (command.isEmpty() ? line : line.getSubcommands().get(command)).getUsageMessage(ansi);
  }

  @Test
  void wrapsAtBlanksAndInLongWordsAtBars() {
    assertEquals(List.of("  aa bb", "    cc"), HelpSections.wrapped("  aa bb cc", 0, 4, 9));
    assertEquals(List.of("  a=b|c|", "    d|e"), HelpSections.wrapped("  a=b|c|d|e", 0, 4, 9));
    assertEquals(List.of("  a b|c,", "    d"), HelpSections.wrapped("  a b|c,d", 0, 4, 8));
    assertEquals(List.of("a", "  b c"), HelpSections.wrapped("a b c", 5, 2, 7));
    assertEquals(List.of("  a  b"), HelpSections.wrapped("  a  b", 0, 4, 6));
    assertEquals(List.of("tooLongForIt"), HelpSections.wrapped("tooLongForIt", 0, 2, 3));
    assertEquals(List.of(""), HelpSections.wrapped("", 0, 2, 3));
  }

  @Test
  void mutantsAreListedWithTheRulesTheyBreak() {
    String out = CommandRun.of("mutants", "--help").out();
    assertTrue(out.matches("(?s).*  lock-unchecked +locks without .*"), out);
  }

  @Test
  void versionComesFromTheBuild() {
    String out = CommandRun.of("--version").expect(ExitStatus.OK).out();
    assertTrue(out.matches("(?s)magpie \\d+\\.\\d+\\.\\d+.*revision .*Java .*"), out);
  }

  @Test
  void eachFailureHasItsStatus() {
    assertEquals(ExitStatus.NOT_VERIFIED, ExitStatus.of(new VerificationException("")));
    assertEquals(ExitStatus.VIOLATION, ExitStatus.of(new ViolationException("")));
    assertEquals(ExitStatus.KERNEL_FAULT, ExitStatus.of(new ViolationException("", true)));
    assertEquals(ExitStatus.STOPPED_EARLY, ExitStatus.of(new StoppedEarlyException("")));
    assertEquals(ExitStatus.BAD_INPUT, ExitStatus.of(new InputException("")));
    assertEquals(ExitStatus.BAD_INPUT, ExitStatus.of(new IOException("")));
    assertEquals(ExitStatus.DEVICE_UNAVAILABLE, ExitStatus.of(new DeviceUnavailableException("")));
    assertEquals(
        ExitStatus.DEVICE_UNAVAILABLE,
        ExitStatus.of(new CompilationException("", "", List.of(), "")));
    assertEquals(
        ExitStatus.BAD_INPUT,
        ExitStatus.of(new CompilationException("", "g++", List.of("a.cu:1: no"), "")));
    assertEquals(ExitStatus.INTERNAL_ERROR, ExitStatus.of(new ModuleNotFoundException("")));
    assertEquals(ExitStatus.INTERNAL_ERROR, ExitStatus.of(new ServiceConfigurationError("")));
    assertEquals(
        ExitStatus.OUT_OF_MEMORY, ExitStatus.of(new DeviceOutOfMemoryException("", "", 1, 0)));
    assertEquals(ExitStatus.OUT_OF_MEMORY, ExitStatus.of(new OutOfMemoryError()));
    assertEquals(
        ExitStatus.OUT_OF_MEMORY, ExitStatus.of(new IOException("", new OutOfMemoryError())));
    assertEquals(
        ExitStatus.KERNEL_FAULT, ExitStatus.of(new KernelFaultException("", "", "", true)));
    assertEquals(ExitStatus.OUTPUT_FAILED, ExitStatus.of(new OutputException("", null)));
    assertEquals(ExitStatus.INTERNAL_ERROR, ExitStatus.of(new IllegalStateException()));
    assertEquals(
        ExitStatus.values().length,
        Arrays.stream(ExitStatus.values()).mapToInt(ExitStatus::code).distinct().count());
  }

  @Test
  void devicesAsTableAndAsJson() throws IOException {
    CommandRun table = CommandRun.of("devices").expect(ExitStatus.OK);
    assertTrue(table.out().contains("simulated GPU"), table.out());
    JsonNode value = new ObjectMapper().readTree(CommandRun.of("devices", "--json").out());
    List<String> machines = value.get("devices").findValuesAsText("machine");
    assertTrue(machines.containsAll(List.of("cpu", "sim")), machines.toString());
    assertEquals(machines.contains("cuda"), !value.has("whyNoGpu"));
  }
}
