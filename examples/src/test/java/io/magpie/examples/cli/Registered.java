package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.Options;
import io.magpie.examples.compare.Comparison;
import io.magpie.examples.compare.Comparisons;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import picocli.CommandLine;

/** What there is to be tested: commands and algorithms, so that no test has a list of its own. */
final class Registered {
  private Registered() {}

  /** That a test has what there is, and nothing else; if not, says which names, and what to do. */
  static void assertSame(Set<String> there, Set<String> tested, String remedy) {
    Set<String> missing = new TreeSet<>(there);
    missing.removeAll(tested);
    Set<String> left = new TreeSet<>(tested);
    left.removeAll(there);
    assertTrue(
        missing.isEmpty() && left.isEmpty(),
        () -> "missing: " + missing + ", left over: " + left + "; " + remedy);
  }

  /** All commands by name. */
  static Map<String, CommandLine> commands() {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    return Magpie.commandLine(new Magpie(), nowhere, nowhere).getSubcommands();
  }

  /** The names of those that write JSON. */
  static Set<String> writersOfJson() {
    Set<String> names = new TreeSet<>();
    commands()
        .forEach(
            (name, command) -> {
              if (command.getCommandSpec().findOption("--json") != null) {
                names.add(name);
              }
            });
    return names;
  }

  /** The options of the algorithms with a command of their own, by their names. */
  static Map<String, Options<?>> algorithms() {
    Map<String, Options<?>> all = compared();
    all.keySet().retainAll(commands().keySet());
    return all;
  }

  /** The options of all that can be compared, by their names; none that a test adds. */
  static Map<String, Options<?>> compared() {
    Map<String, Options<?>> all = new TreeMap<>();
    for (Comparison<?> each : Comparisons.registered()) {
      all.put(each.name(), each.defaults());
    }
    all.remove("wrong");
    return all;
  }
}
