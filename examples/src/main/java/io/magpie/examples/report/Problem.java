package io.magpie.examples.report;

import java.util.List;

/**
 * What was to be done: an algorithm on an input. What differs in nothing of this is the same.
 *
 * @param algorithm its name
 * @param source what the input was, such as a file's name or a generator with its parameters; empty
 *     if unknown
 * @param hash of the input's content; empty if unknown
 * @param file with the records, where there is no hash, as one name may stand for two contents;
 *     otherwise empty
 */
record Problem(String algorithm, String source, String hash, String file) {
  private static final int SHOWN_OF_HASH = 19;

  /** The input for people. */
  String input() {
    return source.isEmpty() ? "unnamed input" : source;
  }

  /** For people; other problems may have the same. */
  private String title() {
    return algorithm + ": " + input();
  }

  /** A title for each, no two of which are the same. */
  static List<String> titles(List<Problem> problems) {
    return new Names<>(problems, Problem::title)
        .distinguish(Problem::shortHash)
        .distinguish(each -> each.file.isEmpty() ? "" : "in " + each.file)
        .all(Problem::title);
  }

  /** As much of the hash as tells inputs apart. */
  String shortHash() {
    return hash.length() > SHOWN_OF_HASH ? hash.substring(0, SHOWN_OF_HASH) + "\u2026" : hash;
  }
}
