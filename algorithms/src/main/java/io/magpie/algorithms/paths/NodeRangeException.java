package io.magpie.algorithms.paths;

/** Thrown if splitting would make too many nodes; the message suggests a remedy. */
public final class NodeRangeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  NodeRangeException(String message) {
    super(message);
  }
}
