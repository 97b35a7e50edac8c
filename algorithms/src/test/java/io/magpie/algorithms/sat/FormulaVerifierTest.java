package io.magpie.algorithms.sat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.algorithms.ProcessorTime;
import io.magpie.algorithms.sat.SurveyResult.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

class FormulaVerifierTest {
  /** 1 makes 2 true, and 3 with it; 4 and 5 are free. */
  private static final Formula FORMULA =
      Formula.of(5, clause(-1, 2), clause(-1, -2, 3), clause(3, 4, 5), clause(-4, -5, -3, -4));

  private static int[] clause(int... literals) {
    return literals;
  }

  private static byte[] values(int... values) {
    byte[] bytes = new byte[values.length];
    for (int v = 0; v < bytes.length; v++) {
      bytes[v] = (byte) values[v];
    }
    return bytes;
  }

  private static List<String> mistakes(
      Formula formula, Outcome outcome, byte[] decided, boolean conflict, int[]... choices) {
    return FormulaVerifier.verify(
        new SurveyResult(formula, outcome, decided, null, List.of(choices), conflict, null));
  }

  private static List<String> mistakes(byte[] decided, int[]... choices) {
    return mistakes(FORMULA, Outcome.PARAMAGNETIC, decided, false, choices);
  }

  @Test
  void whatFollowsFromChosenLiteralsIsRight() {
    assertEquals(List.of(), mistakes(values(0, 0, 0, 0, 0)));
    assertEquals(List.of(), mistakes(values(1, 1, 1, 0, 0), clause(1)));
    assertEquals(List.of(), mistakes(values(-1, 1, 0, 0, 0), clause(-1), clause(2)));
    assertEquals(List.of(), mistakes(values(-1, 0, 0, 1, 0), clause(4, -1)));
  }

  @Test
  void valuesThatAreNotPropagatedAreWrong() {
    assertEquals(
        List.of("variable 3 has the value 0, but 1 by the chosen literals and unit propagation"),
        mistakes(values(1, 1, 0, 0, 0), clause(1)));
  }

  @Test
  void valuesThatFollowFromNothingAreWrong() {
    assertEquals(
        List.of("variable 1 has the value -1, but 0 by the chosen literals and unit propagation"),
        mistakes(values(-1, 0, 0, 0, 1), clause(5)));
  }

  /** As of counters of clauses that have lost a change. */
  @Test
  void somethingIsLeftOfWhatIsNotSolved() {
    assertEquals(
        List.of("no clause is left, but the outcome is PARAMAGNETIC"),
        mistakes(values(1, 1, 1, 1, -1), clause(1), clause(4)));
  }

  @Test
  void literalsAreChosenOnce() {
    assertEquals(
        List.of("decimation 2 chose 3, which has a value already"),
        mistakes(values(1, 1, 1, 0, 0), clause(1), clause(3)));
    assertEquals(
        List.of("decimation 1 chose -4, which has a value already"),
        mistakes(values(0, 0, 0, 1, 0), clause(4, -4)));
    assertEquals(
        List.of("decimation 1 chose 6, which has a value already"),
        mistakes(values(0, 0, 0, 0, 0), clause(6)));
  }

  @Test
  void aContradictionIsOneOfPropagation() {
    byte[] none = new byte[5];
    Outcome contradiction = Outcome.CONTRADICTION;
    assertEquals(List.of(), mistakes(FORMULA, contradiction, none, true, clause(1, -3)));
    assertEquals(
        List.of("unit propagation meets no contradiction, but is said to"),
        mistakes(FORMULA, contradiction, none, true, clause(4)));
    assertEquals(
        List.of("unit propagation meets no contradiction, but is said to"),
        mistakes(FORMULA, contradiction, none, true));
    assertEquals(
        List.of("unit propagation meets a contradiction, but is not said to"),
        mistakes(FORMULA, contradiction, none, false, clause(1, -3)));
    assertEquals(
        List.of("the outcome of a contradiction is PARAMAGNETIC"),
        mistakes(FORMULA, Outcome.PARAMAGNETIC, none, true, clause(1, -3)));
    assertEquals(
        List.of("decimation 2 comes after a contradiction"),
        mistakes(FORMULA, contradiction, none, true, clause(1, -3), clause(4)));
    // Surveys may say so of any values, if these are right.
    assertEquals(
        List.of(), mistakes(FORMULA, contradiction, values(0, 0, 0, 0, 1), false, clause(5)));
  }

  @Test
  void aSolutionHasTheDecidedValues() {
    SurveyResult result =
        new SurveyResult(
            FORMULA,
            Outcome.SOLVED,
            values(1, 1, 1, 0, 0),
            values(-1, 1, 1, 1, -1),
            List.of(clause(1)),
            false,
            null);
    assertEquals(
        List.of("variable 1 was decided and has another value in the end"),
        FormulaVerifier.verify(result));
  }

  /** Of random small formulas and choices, against propagation by passes over all clauses. */
  @Test
  void closuresAreThoseOfPassesOverAllClauses() {
    Random random = new Random(11);
    int conflicts = 0;
    for (int round = 0; round < 300; round++) {
      Formula formula = FormulaGenerator.parse("ksat:n=12,k=3,ratio=3,seed=" + round).generate();
      int choice = random.nextBoolean() ? 1 + random.nextInt(12) : -1 - random.nextInt(12);
      byte[] values = new byte[12];
      values[Math.abs(choice) - 1] = (byte) Integer.signum(choice);
      int other = Math.abs(choice) % 12 + 1;
      values[other - 1] = 1;
      boolean consistent = NaivePropagation.close(formula, values);
      if (formula.given(values).clauses() == 0) {
        continue;
      }
      conflicts += consistent ? 0 : 1;
      Outcome outcome = consistent ? Outcome.PARAMAGNETIC : Outcome.CONTRADICTION;
      byte[] decided = consistent ? values : new byte[12];
      assertEquals(
          List.of(),
          mistakes(formula, outcome, decided, !consistent, clause(choice, other)),
          "round " + round);
      assertEquals(
          1, mistakes(formula, outcome, decided, consistent, clause(choice, other)).size());
    }
    assertEquals(true, conflicts > 10 && conflicts < 290, conflicts + " conflicts");
  }

  /** Against the order of the clauses, where passes over all of them take quadratic time. */
  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
  void longChainsTakeLinearTime() {
    int n = 300_000;
    Formula.Builder chain = new Formula.Builder(n);
    for (int v = n - 1; v > 0; v--) {
      chain.literal(2 * (v - 1) + 1).literal(2 * v).endClause();
    }
    chain.literal(0).endClause().literal(2 * n - 1).endClause();
    Formula formula = chain.build();
    assertEquals(
        List.of(),
        ProcessorTime.within(
            Duration.ofSeconds(30),
            () -> mistakes(formula, Outcome.CONTRADICTION, new byte[n], true)));
  }
}
