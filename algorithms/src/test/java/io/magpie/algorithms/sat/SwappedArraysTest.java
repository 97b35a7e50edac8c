package io.magpie.algorithms.sat;

import io.magpie.algorithms.SwappedInputs;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A formula is an input: where it is given for a result, nothing is launched. */
class SwappedInputsTest {
  @Test
  void aFormulaIsNotWritten() {
    Formula given = FormulaGenerator.parse("ksat:n=9,k=3,ratio=2").generate();
    try (DeviceFormula formula = new DeviceFormula(SurveyVariants.device("cpu:1"), given);
        DeviceArray<int[]> clauseOf = formula.device().ints(formula.edges())) {
      for (DeviceArray<int[]> input :
          List.of(
              formula.clauseOffsets(),
              formula.literals(),
              formula.literalOffsets(),
              formula.occurrences(),
              formula.clauseOf())) {
        SwappedInputs.assertRefused(
            formula.module(),
            "list_clauses",
            fields(formula.occurrences(), formula.occurrences(), clauseOf),
            fields(formula.occurrences(), clauseOf, input),
            "clause_of");
      }
    }
  }

  private static Fields fields(
      DeviceArray<int[]> edges, DeviceArray<int[]> clause, DeviceArray<int[]> clauseOf) {
    return new Fields().set("edges", edges).set("clause", clause).set("clause_of", clauseOf);
  }
}
