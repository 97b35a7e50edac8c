package io.magpie.examples.compare;

import io.magpie.algorithms.Options;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Variants of an algorithm to be run one after another, each step a change to the one before.
 *
 * @param name as on the command line
 * @param description what it shows, in a few words
 * @param steps the variants by what each step changes, in order
 */
public record Ladder<O extends Options<O>>(String name, String description, Map<String, O> steps) {
  /** Keeps a copy of the steps. */
  public Ladder {
    steps = Collections.unmodifiableMap(new LinkedHashMap<>(steps));
  }
}
