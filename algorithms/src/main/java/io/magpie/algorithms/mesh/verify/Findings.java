package io.magpie.algorithms.mesh.verify;

import java.util.function.Supplier;

/** Faults found by each check: how many, and the first in words. Pieces are merged in order. */
final class Findings {
  private static final int CHECKS = MeshCheck.values().length;

  private final long[] faults = new long[CHECKS];
  private final String[] first = new String[CHECKS];

  void add(MeshCheck check, Supplier<String> text) {
    if (faults[check.ordinal()]++ == 0) {
      first[check.ordinal()] = text.get();
    }
  }

  /** Appends the findings of a later piece. */
  void append(Findings later) {
    for (int c = 0; c < CHECKS; c++) {
      if (faults[c] == 0) {
        first[c] = later.first[c];
      }
      faults[c] += later.faults[c];
    }
  }

  long faults(MeshCheck check) {
    return faults[check.ordinal()];
  }

  /** The first fault; null if there is none. */
  String first(MeshCheck check) {
    return first[check.ordinal()];
  }
}
