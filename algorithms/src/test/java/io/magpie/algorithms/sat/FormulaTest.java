package io.magpie.algorithms.sat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.ProcessorTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FormulaTest {
  private static int[] clause(int... literals) {
    return literals;
  }

  /** Also where literals are more than blocks of them, and not as many as a power of two. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ksat:n=1,k=1,ratio=1",
        "ksat:n=40,k=3,ratio=5",
        "ksat:n=128,k=3,ratio=4",
        "ksat:n=129,k=5,ratio=4",
        "ksat:n=5000,k=2,ratio=0.1",
        "tree:n=999,k=4,units=9"
      })
  void occurrencesLeadBackToLiterals(String spec) {
    Formula formula = FormulaGenerator.parse(spec).generate();
    assertEquals(2 * formula.variables() + 1, formula.occurrenceOffsets().length);
    int next = 0;
    for (int l = 0; l < 2 * formula.variables(); l++) {
      assertEquals(next, formula.occurrenceOffsets()[l]);
      for (int last = -1; next < formula.occurrenceOffsets()[l + 1]; next++) {
        int edge = formula.occurrences()[next];
        assertEquals(l, formula.literals()[edge]);
        assertTrue(edge > last);
        last = edge;
      }
    }
    assertEquals(formula.literals().length, next);
    assertEquals(next, formula.occurrences().length);
    assertEquals(next, formula.occurrenceOffsets()[2 * formula.variables()]);
  }

  @Test
  void nothingOccursWithoutLiterals() {
    for (int variables : new int[] {0, 1, 300}) {
      Formula formula = Formula.of(variables, clause());
      assertArrayEquals(new int[2 * variables + 1], formula.occurrenceOffsets());
      assertArrayEquals(new int[0], formula.occurrences());
    }
  }

  @Test
  void simplifiedHasNoRepetitions() {
    Formula formula =
        Formula.of(3, clause(1, 1, -2), clause(1, -1), clause(), clause(3, 2, -3, 2), clause(3));
    Formula simple = formula.simplified();
    assertEquals(Formula.of(3, clause(1, -2), clause(), clause(3)), simple);
    assertSame(simple, simple.simplified());
    assertEquals(simple, formula.withoutRepetitions());
    assertSame(simple, simple.withoutRepetitions());
  }

  /** Short clauses are compared pair by pair, and others by marks. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8, 15, 16, 17, 40})
  void anyRepetitionIsNoticed(int length) {
    int[] different = IntStream.rangeClosed(1, length).map(v -> v % 3 == 0 ? -v : v).toArray();
    for (int first = 0; first < length; first++) {
      for (int other = first + 1; other < length; other++) {
        int[] twice = different.clone();
        twice[other] = twice[first];
        int[] once = IntStream.of(twice).distinct().toArray();
        assertEquals(
            Formula.of(length, different, once, clause(1)),
            Formula.of(length, different, twice, clause(1)).simplified());
        int[] both = different.clone();
        both[first] = -both[other];
        assertEquals(
            Formula.of(length, different, clause(1)),
            Formula.of(length, different, both, clause(1)).simplified());
      }
    }
    Formula without = Formula.of(length, different, different, clause());
    assertSame(without, without.simplified());
  }

  @Test
  void oneRepetitionOfManyClausesIsNoticed() {
    Formula formula = FormulaGenerator.parse("ksat:n=300,k=3,ratio=5").generate();
    assertSame(formula, formula.simplified());
    int[][] clauses = IntStream.range(0, 1500).mapToObj(formula::clause).toArray(int[][]::new);
    for (int a = 0; a < clauses.length; a += 7) {
      int[] kept = clauses[a];
      clauses[a] = clause(kept[0], kept[1], kept[0]);
      Formula repeats = Formula.of(300, clauses);
      clauses[a] = clause(kept[0], kept[1]);
      assertEquals(Formula.of(300, clauses), repeats.simplified(), "clause " + a);
      clauses[a] = kept;
    }
  }

  @Test
  void givenValuesLeaveTheRest() {
    Formula formula = Formula.of(4, clause(1, 2), clause(-1, 3), clause(-1), clause(4, -3));
    assertEquals(
        Formula.of(4, clause(3), clause(), clause(4, -3)), formula.given(new byte[] {1, 0, 0, 0}));
    assertThrows(IllegalArgumentException.class, () -> formula.given(new byte[3]));
  }

  /** Arrays of HotSpot have so many elements at most. */
  @Test
  void literalsOfTheMostVariablesHaveRoom() {
    int mostElements = Integer.MAX_VALUE - 2;
    assertTrue(2L * Formula.MAX_VARIABLES + 1 <= mostElements);
    assertThrows(
        IllegalArgumentException.class, () -> new Formula.Builder(Formula.MAX_VARIABLES + 1));
  }

  @Test
  void equality() {
    Formula one = Formula.of(2, clause(1), clause(2));
    assertEquals(one, Formula.of(2, clause(1), clause(2)));
    assertEquals(one.hashCode(), Formula.of(2, clause(1), clause(2)).hashCode());
    assertNotEquals(one, Formula.of(2, clause(1, 2)));
    assertNotEquals(one, Formula.of(3, clause(1), clause(2)));
  }

  @Test
  void literalsOfNoVariableAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> Formula.of(2, clause(3)));
    assertThrows(IllegalArgumentException.class, () -> Formula.of(2, clause(0)));
    assertThrows(IllegalArgumentException.class, () -> Formula.of(2, clause(Integer.MIN_VALUE)));
    assertThrows(IllegalArgumentException.class, () -> Formula.of(-1));
    Formula.Builder builder = new Formula.Builder(1).literal(1);
    assertThrows(IllegalStateException.class, builder::build);
    assertThrows(IllegalArgumentException.class, () -> builder.literal(2));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 6})
  void randomClausesHaveDifferentVariables(int k) {
    Formula formula = FormulaGenerator.parse("ksat:n=50,k=" + k + ",ratio=6.02").generate();
    assertEquals(301, formula.clauses());
    int negative = 0;
    for (int a = 0; a < formula.clauses(); a++) {
      Set<Integer> variables = new HashSet<>();
      for (int literal : formula.clause(a)) {
        variables.add(Math.abs(literal));
        negative += literal < 0 ? 1 : 0;
      }
      assertEquals(k, variables.size());
    }
    assertEquals(0.5, (double) negative / (301 * k), 0.15);
  }

  @Test
  void seedsMakeDifferentFormulas() {
    Formula one = FormulaGenerator.parse("ksat:20,seed=1").generate();
    assertEquals(one, FormulaGenerator.parse("ksat:20").generate());
    assertNotEquals(one, FormulaGenerator.parse("ksat:20,seed=2").generate());
    assertEquals("ksat:n=20,k=3,ratio=4.2,seed=1", FormulaGenerator.parse("ksat:20").spec());
  }

  @Test
  void plantedFormulasAreSatisfiable() {
    for (int seed = 0; seed < 20; seed++) {
      Formula formula = FormulaGenerator.parse("planted:n=10,k=3,ratio=9,seed=" + seed).generate();
      assertTrue(BruteForce.solutions(formula).size() > 0);
    }
  }

  @Test
  void treesHaveNoCycle() {
    Formula formula = FormulaGenerator.parse("tree:n=21,k=3,units=5,seed=4").generate();
    assertEquals(15, formula.clauses());
    assertEquals(10 * 3 + 5, formula.literals().length);
    // A connected graph of variables and clauses with one edge less than that is a tree.
    int[] root = new int[21];
    Arrays.setAll(root, v -> v);
    for (int a = 0; a < formula.clauses(); a++) {
      int[] clause = formula.clause(a);
      for (int k = 1; k < clause.length; k++) {
        int from = root[Math.abs(clause[0]) - 1];
        int to = root[Math.abs(clause[k]) - 1];
        assertTrue(from != to, "a cycle");
        Arrays.setAll(root, v -> root[v] == from ? to : root[v]);
      }
    }
    assertEquals(1, Arrays.stream(root).distinct().count());
  }

  /** Each variable at most once; drawn in linear time. */
  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
  void treesHaveManyUnits() {
    Formula formula =
        ProcessorTime.within(
            Duration.ofSeconds(20),
            () -> FormulaGenerator.parse("tree:n=600k,k=2,units=600k").generate());
    Set<Integer> variables = new HashSet<>();
    for (int a = 599_999; a < formula.clauses(); a++) {
      assertEquals(1, formula.clause(a).length);
      assertTrue(variables.add(Math.abs(formula.clause(a)[0])));
    }
    assertEquals(600_000, variables.size());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ksat:n=2,k=3,ratio=1",
        "ksat:n=10,k=4",
        "ksat:n=10,k=0,ratio=1",
        "ksat:n=10,ratio=-1",
        "ksat:n=10,ratio=1e12",
        "tree:n=10,k=1",
        "tree:n=10,units=11",
        "cnf:n=10",
        "ksat:n=-1"
      })
  void badSpecificationsAreRefused(String spec) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> FormulaGenerator.parse(spec));
    assertTrue(refused.getMessage().contains("'" + spec + "'"), refused.getMessage());
  }

  @Test
  void aVerifierTellsWhatIsNotSatisfied() {
    Formula formula = Formula.of(2, clause(1, 2), clause(-1), clause());
    assertEquals(
        List.of("2 of 3 clauses are not satisfied, the first of them clause 2, [-1]"),
        FormulaVerifier.verify(formula, new byte[] {1, 1}));
    assertEquals(
        List.of(), FormulaVerifier.verify(Formula.of(2, clause(1, 2)), new byte[] {-1, 1}));
    assertEquals(
        List.of("variable 1 has the value 2"),
        FormulaVerifier.verify(Formula.of(2), new byte[] {2, 1}));
  }
}
