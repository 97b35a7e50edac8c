package io.magpie.examples.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the schema of all JSON that commands write. */
@Command(
    name = "schema",
    description = {
      "Print the JSON Schema (draft 2020-12) of what commands write with --json.",
      "It has every field with its type, unit, range and meaning, for whole documents and for each"
          + " line of JSON Lines. The number of a document's format is its field 'format'."
    })
final class SchemaCommand implements Callable<Integer> {
  /** Where the schema lies on the class path. */
  static final String RESOURCE = "/io/magpie/examples/format-" + JsonOutput.FORMAT + ".schema.json";

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    spec.commandLine().getOut().print(text());
    return ExitStatus.OK.code();
  }

  /** The schema. */
  static String text() throws IOException {
    try (InputStream in = SchemaCommand.class.getResourceAsStream(RESOURCE)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
