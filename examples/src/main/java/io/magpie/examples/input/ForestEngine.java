package io.magpie.examples.input;

import java.util.Optional;

/**
 * What {@code magpie msf --engine spark} and {@code components --engine spark} run: an engine that
 * comes in a jar of its own, with what it needs. Registered as a service.
 */
public interface ForestEngine {
  /** What follows {@code --engine}, in lower case. */
  String name();

  /**
   * A new command in place of one of Magpie's own: an object with picocli's annotations that is a
   * {@code Runnable} or {@code Callable}. It has the name of that command and the option {@code
   * --engine}. Magpie shows its help and its failures.
   *
   * @param name of Magpie's command, {@code msf} or {@code components}
   * @return empty if the engine has none of that name
   */
  Optional<Object> command(String name);
}
