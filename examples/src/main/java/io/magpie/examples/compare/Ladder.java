package io.magpie.examples.compare;

import io.magpie.algorithms.Options;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
  /** Keeps copies of steps and inputs. */
  public Ladder {
    steps = Collections.unmodifiableMap(new LinkedHashMap<>(steps));
    inputs = List.copyOf(inputs);
  }

  /** A ladder for any input. */
  public Ladder(String name, String description, Map<String, O> steps) {
    this(name, description, steps, List.of());
  }
}
