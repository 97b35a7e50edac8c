package io.magpie.examples.cli.commands;

import io.magpie.examples.cli.output.JsonOutput;
import java.util.concurrent.Callable;
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
          + " each line of JSON Lines. A document's field 'format' is the number of its format."
    })
final class SchemaCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().getOut().print(JsonOutput.schema());
    return ExitCode.OK;
  }
}
