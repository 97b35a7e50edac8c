package io.magpie.stm;

import java.util.List;

/**
 * A module could not be compiled: the compiler reported errors, could not be started, or is
 * missing; or the source compiles, and has nothing to run.
 *
 * <p>The message holds the first errors with file and line, the command, and what to do about it.
 */
public class CompilationException extends MagpieException {
  private static final long serialVersionUID = 1L;

  private final String command;
  private final List<String> errors;
  private final String output;

  /**
   * @param message what failed, the first errors and the remedy
   * @param command the command line as one could paste it into a shell; empty if no compiler was
   *     found
   * @param errors the compiler's error lines, each beginning with file and line; empty if it gave
   *     none
   * @param output all that the compiler printed; empty if it was not started
   */
  public CompilationException(String message, String command, List<String> errors, String output) {
    super(message);
    this.command = command;
    this.errors = List.copyOf(errors);
    this.output = output;
  }

  /** The compiler's command line, quoted for a shell; empty if no compiler was found. */
  public String command() {
    return command;
  }

  /** The compiler's error lines in its order, each with file and line; empty if it gave none. */
  public List<String> errors() {
    return errors;
  }

  /** All that the compiler printed; empty if it was not started. */
  public String output() {
    return output;
  }
}
