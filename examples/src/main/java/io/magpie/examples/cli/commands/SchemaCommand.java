package io.magpie.examples.cli.commands;

import io.magpie.examples.compare.Comparisons;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the schema of all JSON that commands write. */
@Command(
    name = "schema",
    description = {
      "Print the JSON Schema (draft 2020-12) of what commands write with --json.",
      "It describes every field with its type, unit, range and meaning, for whole documents and for"
          + " each line of JSON Lines. A document's field 'format' is the number of its format.",
      "Algorithms that jars add are described, too, as far as their settings go."
    })
final class SchemaCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().getOut().println(FormatSchema.text(algorithms(), Comparisons.registered()));
    return ExitCode.OK;
  }

  /** The algorithms that have a command. */
  private List<String> algorithms() {
    return spec.parent().subcommands().values().stream()
        .filter(each -> each.getCommand() instanceof AlgorithmCommand)
        .map(CommandLine::getCommandName)
        .toList();
  }
}
