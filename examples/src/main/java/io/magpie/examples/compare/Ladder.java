package io.magpie.examples.compare;

import io.magpie.algorithms.Options;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Variants of an algorithm to be run one after another, each step a change to the one before.
 *
 * @param name as on the command line
 * @param description what it shows, in a few words
 * @param steps the variants by what each step changes, in order
 * @param inputs what they are run on if nothing else is asked for, one after another; empty where
 *     an input must be given
 */
public record Ladder<O extends Options<O>>(
    String name, String description, Map<String, O> steps, List<LadderInput> inputs) {
  /**
   * Keeps copies of steps and inputs.
   *
   * @throws IllegalArgumentException if two inputs have the same name
   */
  public Ladder {
    steps = Collections.unmodifiableMap(new LinkedHashMap<>(steps));
    inputs = List.copyOf(inputs);
    Set<String> names = new HashSet<>();
    for (LadderInput each : inputs) {
      if (!names.add(each.name())) {
        throw new IllegalArgumentException(
            "ladder " + name + " has two inputs named '" + each.name() + "'");
      }
    }
  }

  /** A ladder for any input. */
  public Ladder(String name, String description, Map<String, O> steps) {
    this(name, description, steps, List.of());
  }
}
