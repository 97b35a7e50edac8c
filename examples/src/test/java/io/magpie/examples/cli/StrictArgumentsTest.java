package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Every option of every command, as the parser knows them: new ones are held to the same. */
class StrictArgumentsTest {
  /** The least that each command needs, so that only what is added to it can be wrong. */
  private static final Map<String, List<String>> COMMANDS =
      Map.ofEntries(
          Map.entry("msf", List.of("--generate", "road:9")),
          Map.entry("refine", List.of("--points", "uniform:9")),
          Map.entry("triangle", List.of("-p", "/nowhere/at/all.poly")),
          Map.entry("partition", List.of("--generate", "road:9", "-k", "2")),
          Map.entry("components", List.of("--generate", "road:9")),
          Map.entry("paths", List.of("--generate", "road:9")),
          Map.entry("sat", List.of("--cnf", "ksat:9")),
          Map.entry("nbody", List.of("--bodies", "cube:9")),
          Map.entry("pointsto", List.of("--constraints", "art")),
          Map.entry("compare", List.of("msf", "--generate", "road:9")),
          Map.entry("report", List.of("/nowhere/at/all.jsonl", "--out", "/nowhere/at/all.html")),
          Map.entry("generate", List.of("road:9", "--out", "/nowhere/at/all.gr")),
          Map.entry("convert", List.of("--generate", "road:9", "--out", "/nowhere/at/all.gr")),
          Map.entry("devices", List.of()),
          Map.entry("verify", List.of("--workload", "drawn", "--transactions", "1")),
          Map.entry("mutants", List.of("--rounds", "0")),
          Map.entry("run", List.of()),
          Map.entry("doctor", List.of("--quick")),
          Map.entry("schema", List.of()),
          Map.entry("completion", List.of()));

  /** Whether each option is due with all that is to be refused, as with {@code -Pfull}. */
  private static final boolean FULL =
      Boolean.parseBoolean(System.getProperty("magpie.test.full", "true"));

  /** In plain builds one of the values, by turns. */
  private static List<String> some(int turn, String... values) {
    return FULL ? List.of(values) : List.of(values[turn % values.length]);
  }

  private static CommandLine parser() {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    return Magpie.commandLine(new Magpie(), nowhere, nowhere);
  }

  static List<String> commands() {
    List<String> names = new ArrayList<>(parser().getSubcommands().keySet());
    Registered.assertSame(
        Set.copyOf(names),
        COMMANDS.keySet(),
        "COMMANDS must have the least that each command needs");
    return names;
  }

  private static List<OptionSpec> options(String command) {
    List<OptionSpec> options =
        new ArrayList<>(parser().getSubcommands().get(command).getCommandSpec().options());
    assertTrue(options.size() >= 3, "help, version and the way to failures at least");
    return options;
  }

  /** What is given in place of, or besides, the least that a command needs. */
  private static CommandRun called(String command, OptionSpec option, String... more) {
    List<String> words = new ArrayList<>(List.of(command));
    List<String> least = COMMANDS.get(command);
    for (int i = 0; i < least.size(); i++) {
      if (List.of(option.names()).contains(least.get(i))) {
        i++; // given once, or it would be refused for that
      } else {
        words.add(least.get(i));
      }
    }
    words.addAll(List.of(more));
    return CommandRun.of(words.toArray(new String[0]));
  }

  private static void refused(CommandRun run, String... fragments) {
    run.expect(ExitStatus.USAGE);
    for (String fragment : fragments) {
      assertTrue(run.err().contains(fragment), () -> fragment + " is not in: " + run.err());
    }
    assertEquals("", run.out());
  }

  @ParameterizedTest
  @MethodSource("commands")
  void noFlagTakesAValue(String command) {
    int flags = 0;
    for (OptionSpec option : options(command)) {
      if (option.arity().max() == 0) {
        List<String> names = new ArrayList<>(List.of(option.names()));
        if (option.negatable()) {
          names.add(option.longestName().replace("--", "--no-"));
        }
        for (String name : names) {
          for (String value : some(flags, "", "false", "true")) {
            String given = name + "=" + value;
            refused(called(command, option, given), name);
          }
        }
        flags++;
      }
    }
    assertTrue(flags >= 3, flags + " flags");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void noOptionTakesAnEmptyValue(String command) {
    for (OptionSpec option : options(command)) {
      if (option.arity().max() > 0) {
        refused(called(command, option, option.longestName() + "="), option.longestName());
        if (!option.splitRegex().isEmpty()) {
          for (String value : List.of(",", "a,", ",a")) {
            refused(
                called(command, option, option.longestName() + "=" + value),
                option.longestName(),
                "a value of the list is empty");
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void noNameIsGivenTwoValues(String command) {
    for (OptionSpec option : options(command)) {
      if (Map.class.isAssignableFrom(option.type())) {
        String name = option.longestName();
        refused(called(command, option, name, "a=1", "a=2"), name + ": a is given twice");
        refused(called(command, option, name, "a=1", name, "a=1"), name + ": a is given twice");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void numbersAreWrittenInDecimal(String command) {
    int numbers = commands().indexOf(command); // of few numbers, other values than the one before
    for (OptionSpec option : options(command)) {
      Class<?> type = option.type();
      if (Number.class.isAssignableFrom(type) || (type.isPrimitive() && type != boolean.class)) {
        for (String number : some(numbers++, "\u0663", "+5", "1d", "0x1p3", "NaN")) {
          String name = option.longestName();
          refused(called(command, option, name + "=" + number), name, "'" + number + "'");
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void helpIsNoExcuse(String command) {
    OptionSpec none = options(command).get(0);
    refused(called(command, none, "--bogus", "--help"), "--bogus");
    refused(CommandRun.of("bogus", "--help"), "'bogus'", "expected one of msf, refine");
    refused(CommandRun.of("bogus", "--version"), "'bogus'");
  }

  @Test
  void valuesThatLookLikeOthersAreTaken() {
    // Behind -- nothing is an option.
    Tutorials.makeKnown();
    CommandRun run = CommandRun.of("run", "--", "--stacktrace=no");
    assertTrue(run.err().contains("'--stacktrace=no'"), run.err());
    CommandRun.of("devices", "--json=-").expect(ExitStatus.OK);
  }
}
