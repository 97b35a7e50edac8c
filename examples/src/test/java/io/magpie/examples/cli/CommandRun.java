package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;

/** One call of the command line within the test's process. What it writes as JSON is valid. */
public record CommandRun(int status, String out, String err) {
  private static final boolean FULL =
      Boolean.parseBoolean(System.getProperty("magpie.test.full", "true"));

  public static CommandRun of(String... arguments) {
    JsonSchema.Call call = new JsonSchema.Call(arguments);
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status = Magpie.run(new PrintWriter(out), new PrintWriter(err), arguments);
    call.check(out.toString());
    return new CommandRun(status, out.toString(), err.toString());
  }

  /**
   * A device for which plain builds compile all algorithms: in place of a processor with bounds
   * checks, which {@code -Pfull} has, one without.
   */
  static String compiled(String device) {
    return FULL ? device : device.replace("cpu-checked", "cpu");
  }

  /** Requires a status, and shows what was printed if it is another. */
  public CommandRun expect(ExitStatus expected) {
    assertEquals(expected.code(), status, () -> "printed:\n" + out + err);
    return this;
  }
}
