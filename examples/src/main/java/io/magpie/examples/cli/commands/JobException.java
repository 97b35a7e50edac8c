package io.magpie.examples.cli.commands;

/** One of several jobs could not begin; the cause says why. */
public final class JobException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String job;

  /**
   * @param number which one, from 1
   * @param of how many there are
   * @param cause what went wrong
   */
  JobException(int number, int of, Throwable cause) {
    super("job " + number + " of " + of + " could not begin: " + cause.getMessage(), cause);
    this.job = "job " + number + " of " + of;
  }

  /** The job, as in messages. */
  public String job() {
    return job;
  }
}
