package io.magpie.algorithms.sat;

import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;

/** The clauses that a local search satisfies. */
interface SearchedFormula {
  /** How many there are. */
  int clauses();

  /** The clauses, for the field {@code formula} of kernels that have a {@code formula_view}. */
  Fields fields();

  /** Of each place of a literal the clause there, the places of literals one after the other. */
  DeviceArray<int[]> clauseOf();

  /** The same in Java. */
  Formula onHost();
}
