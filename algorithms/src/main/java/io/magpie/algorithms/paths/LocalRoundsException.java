package io.magpie.algorithms.paths;

/** Warps that have one lane cannot go on by themselves, as they were asked to. */
public final class LocalRoundsException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  LocalRoundsException(String message) {
    super(message);
  }
}
