package io.magpie.examples.input;

/**
 * What {@code magpie msf --engine spark} runs: an engine that comes in a jar of its own, with what
 * it needs. Registered as a service.
 */
public interface ForestEngine {
  /** What follows {@code --engine}, in lower case. */
  String name();

  /**
   * A new command in place of Magpie's own: an object with picocli's annotations that is a {@code
   * Runnable} or {@code Callable}. Its name is {@code msf}, and it has the option {@code --engine}.
   * Magpie shows its help and its failures.
   */
  Object command();
}
