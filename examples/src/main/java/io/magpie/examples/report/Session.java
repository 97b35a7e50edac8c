package io.magpie.examples.report;

import java.nio.file.Path;

/**
 * One call of {@code compare}: its rounds alternate between its contestants, and its ratios are to
 * the first of these. Runs of two such calls are never taken together.
 *
 * @param number from 1, in the order of the records of all files
 * @param file with its records
 * @param time when it ended; empty if unknown
 */
record Session(int number, Path file, String time) {
  /** For people: the same number is in the table of comparisons. */
  String title() {
    return "comparison " + number;
  }
}
