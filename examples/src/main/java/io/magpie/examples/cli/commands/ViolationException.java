package io.magpie.examples.cli.commands;

/** A check found something that a correct program never does; the report has been printed. */
public final class ViolationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean ofFault;

  /**
   * @param message what was found, in one line
   */
  public ViolationException(String message) {
    this(message, false);
  }

  /**
   * @param message what was found, in one line
   * @param ofFault whether it is a fault of a kernel, which has an exit status of its own
   */
  public ViolationException(String message, boolean ofFault) {
    super(message);
    this.ofFault = ofFault;
  }

  /** Whether what was found is a fault of a kernel. */
  public boolean ofFault() {
    return ofFault;
  }
}
