package io.magpie.examples.input;

/** The Java heap of another process, which works for an engine, is too small. */
public final class EngineMemoryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message which process, and how to give it more
   */
  public EngineMemoryException(String message) {
    super(message);
  }
}
