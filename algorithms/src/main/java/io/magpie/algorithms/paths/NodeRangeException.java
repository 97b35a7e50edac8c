package io.magpie.algorithms.paths;

/** Vertices are to be split into more nodes than there may be; the message says what would do. */
public final class NodeRangeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  NodeRangeException(String message) {
    super(message);
  }
}
