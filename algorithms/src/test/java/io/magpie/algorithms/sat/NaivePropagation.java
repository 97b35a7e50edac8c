package io.magpie.algorithms.sat;

/** Unit propagation, one unit of what is left at a time. */
final class NaivePropagation {
  private NaivePropagation() {}

  /** Adds to values what follows from them; false if that is a contradiction. */
  static boolean close(Formula formula, byte[] values) {
    while (true) {
      Formula rest = formula.given(values).simplified();
      int unit = 0;
      for (int a = 0; a < rest.clauses(); a++) {
        int[] clause = rest.clause(a);
        if (clause.length == 0) {
          return false;
        }
        unit = clause.length == 1 ? clause[0] : unit;
      }
      if (unit == 0) {
        return true;
      }
      values[Math.abs(unit) - 1] = (byte) Integer.signum(unit);
    }
  }
}
