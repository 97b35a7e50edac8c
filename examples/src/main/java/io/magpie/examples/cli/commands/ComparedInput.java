package io.magpie.examples.cli.commands;

import io.magpie.examples.input.Input;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An input to compare on, and what a ladder calls it.
 *
 * @param ladder the ladder's name; null without one
 * @param name the input's in the ladder; null for one that the user gives
 * @param number which input of the ladder it is, from 1
 * @param count how many that has
 */
record ComparedInput(Input source, String ladder, String name, int number, int count) {
  /** An input that the user gives. */
  static ComparedInput given(Input source, String ladder) {
    return new ComparedInput(source, ladder, null, 1, 1);
  }

  /** Whether a ladder names it. */
  boolean named() {
    return name != null;
  }

  /** Ladder and name, such as {@code thesis-3.2, USA-like}; only if a ladder names it. */
  String title() {
    return ladder + ", " + name;
  }

  /** What stands before a message about it. */
  String prefix() {
    return named() ? title() + ": " : "";
  }

  /** What stands before a task in the progress of all, such as {@code 2 of 9, W-like: }. */
  String progress() {
    return named() ? number + " of " + count + ", " + name + ": " : "";
  }

  /** Adds the names to a record. */
  void addTo(Map<String, Object> json) {
    if (ladder != null) {
      Map<String, Object> names = new LinkedHashMap<>();
      names.put("name", ladder);
      if (named()) {
        names.put("input", name);
      }
      json.put("ladder", names);
    }
  }
}
