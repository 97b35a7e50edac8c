package io.magpie.spark;

/** A row is wrong: a fault of the input, which no further attempt of the task would mend. */
final class RowRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long row;

  /**
   * @param row where it is in the order of all rows; of several refusals the first is told
   * @param message the file, the row, what is wrong, and what to do
   */
  RowRefusal(long row, String message) {
    super(message, null, false, false);
    this.row = row;
  }

  long row() {
    return row;
  }
}
