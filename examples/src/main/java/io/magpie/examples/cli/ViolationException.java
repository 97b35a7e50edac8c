package io.magpie.examples.cli;

/** A check found something that a correct program never does; the report has been printed. */
public final class ViolationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ExitStatus status;

  /**
   * @param message what was found, in one line
   */
  public ViolationException(String message) {
    this(message, ExitStatus.VIOLATION);
  }

  /**
   * @param message what was found, in one line
   * @param status how the command ends
   */
  ViolationException(String message, ExitStatus status) {
    super(message);
    this.status = status;
  }

  /** How the command ends: {@link ExitStatus#KERNEL_FAULT} if what was found is a fault. */
  ExitStatus status() {
    return status;
  }
}
