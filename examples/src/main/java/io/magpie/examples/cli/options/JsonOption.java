package io.magpie.examples.cli.options;

import io.magpie.examples.cli.output.JsonOutput;
import picocli.CommandLine.Option;

/** The option that asks for JSON, besides the table or in place of it. */
public final class JsonOption {
  @Option(
      names = "--json",
      arity = "0..1",
      fallbackValue = JsonOutput.STANDARD_OUTPUT,
      paramLabel = "FILE",
      description = "Write JSON to FILE, or to standard output instead of the table.")
  private String json;

  /** Whether JSON is asked for. */
  public boolean isGiven() {
    return json != null;
  }

  /**
   * Where JSON goes; null if it was not asked for.
   *
   * @param outputs checks the file
   */
  public JsonOutput output(Outputs outputs) {
    return outputs.json(json);
  }
}
