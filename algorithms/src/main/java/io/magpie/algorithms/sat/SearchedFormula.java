package io.magpie.algorithms.sat;

import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;

/** The clauses that a local search satisfies. */
interface SearchedFormula {
  /** How many variables there are, those that are in no clause with them. */
  int variables();

  /** How many clauses there are. */
  int clauses();

  /** The places of each clause's literals, and behind the last. */
  DeviceArray<int[]> clauseOffsets();

  /** The literals of all clauses, one clause after the other. */
  DeviceArray<int[]> literals();

  /** The places of each literal in {@link #clauseOf}, and behind the last. */
  DeviceArray<int[]> literalOffsets();

  /** Of each place of a literal the clause there, the places of literals one after the other. */
  DeviceArray<int[]> clauseOf();

  /** The same in Java. */
  Formula onHost();

  /** The clauses, for the field {@code formula} of kernels that have a {@code formula_view}. */
  default Fields fields() {
    return new Fields()
        .set(
            "formula",
            new Fields()
                .set("variables", variables())
                .set("clauses", clauses())
                .set("clause_offsets", clauseOffsets())
                .set("literals", literals())
                .set("literal_offsets", literalOffsets())
                .set("clause_of", clauseOf()));
  }
}
