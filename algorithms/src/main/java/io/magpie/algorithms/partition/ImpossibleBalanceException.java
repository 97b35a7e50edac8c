package io.magpie.algorithms.partition;

/** A graph has no parts of the number and balance asked; the message says what would do. */
public final class ImpossibleBalanceException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /** The vertex at fault, -1 for none; the message goes on behind its number. */
  private final int vertex;

  private final String rest;

  ImpossibleBalanceException(String message) {
    super(message);
    this.vertex = -1;
    this.rest = message;
  }

  /**
   * @param vertex its number, from 0
   * @param rest what is wrong with it
   */
  ImpossibleBalanceException(int vertex, String rest) {
    super(message(vertex, rest));
    this.vertex = vertex;
    this.rest = rest;
  }

  private static String message(long number, String rest) {
    return "vertex " + number + " " + rest;
  }

  /**
   * The message in terms of a file.
   *
   * @param firstVertex the number that the file gives the first vertex: 0, as in {@link
   *     #getMessage()}, or 1
   */
  public String messageFrom(int firstVertex) {
    return vertex < 0 ? rest : message((long) vertex + firstVertex, rest);
  }
}
