package io.magpie.examples.cli;

/**
 * Something to be done if the process is ended from outside (SIGINT, SIGTERM) between this one's
 * making and its closing; beside whatever runs then, and before the process is gone.
 */
final class WhenEnded implements AutoCloseable {
  private final Thread last;

  WhenEnded(Runnable what) {
    this.last = new Thread(what, "when ended");
    Runtime.getRuntime().addShutdownHook(last);
  }

  /** Nothing is to be done any more. If the end has begun, waits until it was done. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(last);
    } catch (IllegalStateException e) { // the process is ending
      try {
        last.join();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
