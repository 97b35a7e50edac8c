package io.magpie.algorithms.sat;

import io.magpie.algorithms.SwappedArrays;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Arrays of a formula: where one is given for another one, nothing is launched. */
class SwappedArraysTest {
  @Test
  void aFormulaIsNotWritten() {
    Formula given = FormulaGenerator.parse("ksat:n=9,k=3,ratio=2").generate();
    try (DeviceFormula formula = new DeviceFormula(SurveyVariants.device("cpu:1"), given);
        DeviceArray<int[]> clause = formula.device().ints(formula.edges());
        DeviceArray<int[]> clauseOf = formula.device().ints(formula.edges())) {
      for (DeviceArray<int[]> input :
          List.of(
              formula.clauseOffsets(),
              formula.literals(),
              formula.literalOffsets(),
              formula.occurrences(),
              formula.clauseOf())) {
        SwappedArrays.assertInputRefused(
            formula.module(),
            "list_clauses",
            fields(formula.occurrences(), clause, clauseOf),
            fields(formula.occurrences(), clauseOf, input),
            "clause_of");
      }
    }
  }

  @Test
  void statesOfClausesAreNotSwapped() {
    Formula given = FormulaGenerator.parse("ksat:n=9,k=3,ratio=2").generate();
    try (DeviceFormula formula = new DeviceFormula(SurveyVariants.device("cpu:1"), given)) {
      SwappedArrays.assertOtherRefused(
          formula.module(),
          "start_clauses",
          formula.fields().set("left", formula.left()).set("rest", formula.rest()),
          formula.fields().set("left", formula.rest()).set("rest", formula.left()),
          "left",
          "rest");
    }
  }

  private static Fields fields(
      DeviceArray<int[]> edges, DeviceArray<int[]> clause, DeviceArray<int[]> clauseOf) {
    return new Fields().set("edges", edges).set("clause", clause).set("clause_of", clauseOf);
  }
}
