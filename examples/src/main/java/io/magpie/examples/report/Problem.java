package io.magpie.examples.report;

/**
 * What was to be done: an algorithm on an input. What differs in nothing of this is the same.
 *
 * @param algorithm its name
 * @param source what the input was, such as a file's name or a generator with its parameters; empty
 *     if unknown
 * @param hash of the input's content; empty if unknown
 */
record Problem(String algorithm, String source, String hash) {
  /** The input for people. */
  String input() {
    return source.isEmpty() ? "an input without a name" : source;
  }

  /** For people. */
  String title() {
    return algorithm + ": " + input();
  }
}
