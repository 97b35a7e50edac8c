package io.magpie.algorithms.sat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.internal.SeededHash;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each flip is one that WalkSAT may make, by values alone. */
class SequentialSearchTest {
  /** The keys that draws are counted by. */
  private static final int DRAWS = 3000;

  /** A formula with a part of its variables fixed so that no clause has only false literals. */
  private static final class Case {
    final String spec;
    final Formula formula;
    final int[] fixed;
    final int[] values;
    private final List<List<int[]>> clausesOf; // for each variable those that it is in

    Case(String spec, int seed) {
      this.spec = spec + ", fixed by " + seed;
      formula = FormulaGenerator.parse(spec).generate();
      Random random = new Random(seed);
      fixed = IntStream.range(0, formula.variables()).map(v -> random.nextInt(5) / 4).toArray();
      values = IntStream.range(0, formula.variables()).map(v -> 1 + random.nextInt(2)).toArray();
      for (int a = 0; a < formula.clauses(); a++) {
        int[] clause = formula.clause(a);
        boolean hopeless =
            Arrays.stream(clause).allMatch(l -> fixed[Math.abs(l) - 1] != 0 && !isTrue(l, values));
        if (hopeless) {
          fixed[Math.abs(clause[0]) - 1] = 0;
        }
      }
      clausesOf =
          Stream.generate(() -> (List<int[]>) new ArrayList<int[]>())
              .limit(formula.variables())
              .toList();
      for (int a = 0; a < formula.clauses(); a++) {
        int[] clause = formula.clause(a);
        Arrays.stream(clause)
            .map(l -> Math.abs(l) - 1)
            .distinct()
            .forEach(v -> clausesOf.get(v).add(clause));
      }
    }

    static boolean isTrue(int literal, int[] values) {
      return values[Math.abs(literal) - 1] == (literal > 0 ? 1 : 2);
    }

    private static boolean isSatisfied(int[] clause, int[] values) {
      for (int literal : clause) {
        if (isTrue(literal, values)) {
          return true;
        }
      }
      return false;
    }

    /** Clauses of the whole formula that have no true literal. */
    int[] unsatisfied(int[] of) {
      return IntStream.range(0, formula.clauses())
          .filter(a -> !isSatisfied(formula.clause(a), of))
          .toArray();
    }

    /** Clauses that a flip would make false. */
    int broken(int variable, int[] of) {
      int[] after = of.clone();
      after[variable] = 3 - after[variable];
      int broken = 0;
      for (int[] clause : clausesOf.get(variable)) {
        broken += isSatisfied(clause, of) && !isSatisfied(clause, after) ? 1 : 0;
      }
      return broken;
    }

    SequentialSearch search(long key, double noise) {
      return new SequentialSearch(formula, fixed, values, key, noise);
    }

    @Override
    public String toString() {
      return spec;
    }
  }

  /**
   * @param noise 0: a variable that breaks the fewest clauses of those of some clause; 1: any
   *     variable of one none of whose variables breaks nothing, or one that breaks nothing
   */
  private static boolean isFlipOfWalkSat(Case of, int[] before, int flipped, double noise) {
    int own = of.broken(flipped, before);
    return Arrays.stream(of.unsatisfied(before))
        .mapToObj(of.formula::clause)
        .filter(clause -> Arrays.stream(clause).anyMatch(l -> Math.abs(l) - 1 == flipped))
        .anyMatch(
            clause -> {
              int least =
                  Arrays.stream(clause)
                      .map(l -> Math.abs(l) - 1)
                      .filter(v -> of.fixed[v] == 0)
                      .map(v -> of.broken(v, before))
                      .min()
                      .orElseThrow();
              return own == least || (noise > 0 && least > 0);
            });
  }

  private static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (String spec :
        List.of(
            "ksat:n=40,ratio=4.2,seed=1",
            "ksat:n=24,k=4,ratio=9.5,seed=2",
            "ksat:n=30,k=2,ratio=1.2,seed=3")) {
      for (int seed = 0; seed < 3; seed++) {
        cases.add(new Case(spec, seed));
      }
    }
    return cases;
  }

  /** The variable in whose value two assignments differ; -1 for none. */
  private static int flipped(int[] before, int[] after) {
    int[] differ = IntStream.range(0, before.length).filter(v -> before[v] != after[v]).toArray();
    assertTrue(differ.length <= 1, () -> "one flip changed " + Arrays.toString(differ));
    return differ.length == 0 ? -1 : differ[0];
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.5, 1})
  void flipsAreThoseOfWalkSat(double noise) {
    int flips = 0;
    int others = 0;
    for (Case of : cases()) {
      SequentialSearch search = of.search(7, noise);
      int[] before = of.values.clone();
      boolean done = false;
      for (int flip = 1; flip <= 60 && !done; flip++) {
        done = search.run(1);
        int[] after = before.clone();
        search.store(after);
        assertEquals(of.unsatisfied(after).length == 0, done, of + ", flip " + flip);
        int variable = flipped(before, after);
        assertEquals(0, of.fixed[variable], "a fixed variable is flipped");
        assertTrue(isFlipOfWalkSat(of, before, variable, noise), of + ", flip " + flip);
        others += isFlipOfWalkSat(of, before, variable, 0) ? 0 : 1;
        flips++;
        before = after;
      }
    }
    assertTrue(flips > 200, "flips: " + flips);
    assertEquals(noise > 0, others > 0, "flips of others than the best: " + others);
  }

  /** What the test above goes by refuses flips of any variable of a clause, or of any at all. */
  @Test
  void otherFlipsAreNoticed() {
    Random random = new Random(3);
    int ofAnyClause = 0;
    int ofAny = 0;
    for (Case of : cases()) {
      int[] clause = of.formula.clause(of.unsatisfied(of.values)[0]);
      int any = Math.abs(clause[random.nextInt(clause.length)]) - 1;
      ofAnyClause += isFlipOfWalkSat(of, of.values, any, 0) ? 0 : 1;
      int variable = random.nextInt(of.fixed.length);
      ofAny += isFlipOfWalkSat(of, of.values, variable, 0.5) ? 0 : 1;
    }
    assertTrue(ofAnyClause > 0 && ofAny > 0, ofAnyClause + " and " + ofAny);
  }

  @Test
  void theKeyDecidesHoweverFlipsAreAskedFor() {
    Case of = new Case("ksat:n=300,ratio=4.2,seed=1", 1);
    int[] whole = valuesAfter(of, 5, 500);
    int[] inParts = of.values.clone();
    SequentialSearch search = of.search(5, 0.5);
    for (int part = 0; part < 50; part++) {
      assertFalse(search.run(10));
    }
    assertEquals(500, search.flips());
    search.store(inParts);
    assertArrayEquals(whole, inParts);
    assertFalse(Arrays.equals(whole, valuesAfter(of, 6, 500)), "another key");
  }

  /** Whatever was flipped before, warming up or not, from other values or not. */
  @Test
  void aSearchThatBeginsAnewIsANewOne() {
    for (String spec : List.of("ksat:n=300,ratio=4.2,seed=1", "ksat:n=900,k=2,ratio=1.1,seed=2")) {
      Case of = new Case(spec, 1);
      int[] whole = valuesAfter(of, 5, 500);
      int[] others = of.values.clone();
      for (int v = 0; v < others.length; v += 2) {
        others[v] = of.fixed[v] == 0 ? 3 - others[v] : others[v];
      }
      for (int before : new int[] {0, 1, 200}) {
        SequentialSearch search = new SequentialSearch(of.formula, of.fixed, others, 5, 0.5);
        search.warmUp();
        assertTrue(search.flips() > 0);
        search.run(before);
        search.begin(of.values);
        assertEquals(0, search.flips());
        search.run(500);
        int[] values = of.values.clone();
        search.store(values);
        assertArrayEquals(whole, values, of + ", flips before: " + before);
      }
    }
  }

  private static int[] valuesAfter(Case of, int key, long flips) {
    SequentialSearch search = of.search(key, 0.5);
    search.run(flips);
    int[] values = of.values.clone();
    search.store(values);
    return values;
  }

  @Test
  void bounds() {
    Case of = new Case("ksat:n=300,ratio=4.2,seed=1", 1);
    SequentialSearch none = of.search(1, 0.5);
    assertFalse(none.run(0));
    assertEquals(0, none.flips());
    assertArrayEquals(of.values, valuesAfter(of, 1, 0));
    assertTrue(flipped(of.values, valuesAfter(of, 1, 1)) >= 0);
    Formula satisfied = Formula.of(3, new int[] {1, 2}, new int[] {-2, 3});
    SequentialSearch idle =
        new SequentialSearch(satisfied, new int[] {1, 0, 1}, new int[] {1, 1, 1}, 1, 0.5);
    assertTrue(idle.run(0), "no clause is open");
    SequentialSearch long300 =
        new SequentialSearch(
            Formula.of(300, IntStream.rangeClosed(1, 300).map(v -> -v).toArray()),
            new int[300],
            IntStream.range(0, 300).map(v -> 1).toArray(),
            1,
            1);
    assertTrue(long300.run(Long.MAX_VALUE));
    assertEquals(1, long300.flips());
  }

  /** Wherever between two looks the search is when it is interrupted, it ends at the next one. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 10, SequentialSearch.LOOK - 1, SequentialSearch.LOOK, 5000, 8193})
  void anInterruptEndsIt(int before) {
    Formula hopeless =
        Formula.of(2, new int[] {1, 2}, new int[] {1, -2}, new int[] {-1, 2}, new int[] {-1, -2});
    SequentialSearch search = new SequentialSearch(hopeless, new int[2], new int[] {1, 1}, 1, 0.5);
    assertFalse(search.run(before));
    assertEquals(before, search.flips());
    Thread.currentThread().interrupt();
    try {
      assertThrows(CancellationException.class, () -> search.run(Long.MAX_VALUE));
    } finally {
      assertTrue(Thread.interrupted());
    }
    assertTrue(search.flips() - before < SequentialSearch.LOOK, "flips: " + search.flips());
    assertFalse(search.run(5), "it goes on when the interrupt is cleared");
  }

  /** While it is made it looks, too. */
  @Test
  void anInterruptEndsMakingIt() {
    Case of = new Case("ksat:n=300,ratio=4.2,seed=1", 1);
    Thread.currentThread().interrupt();
    try {
      assertThrows(CancellationException.class, () -> of.search(1, 0.5));
    } finally {
      assertTrue(Thread.interrupted());
    }
  }

  /**
   * How often the first flip is of each variable, by many keys. All variables are false, and none
   * is fixed.
   */
  private static int[] firstFlips(int variables, double noise, int[]... clauses) {
    Formula formula = Formula.of(variables, clauses);
    int[] values = new int[variables];
    Arrays.fill(values, 2);
    int[] flips = new int[variables];
    for (int key = 0; key < DRAWS; key++) {
      SequentialSearch search =
          new SequentialSearch(formula, new int[variables], values, SeededHash.mix(key), noise);
      search.run(1);
      int[] after = values.clone();
      search.store(after);
      flips[flipped(values, after)]++;
    }
    return flips;
  }

  /** Within a tenth of all draws. */
  private static void assertShares(int[] flips, double... shares) {
    for (int v = 0; v < shares.length; v++) {
      double share = (double) flips[v] / DRAWS;
      boolean near =
          shares[v] == 0 || shares[v] == 1 ? share == shares[v] : Math.abs(share - shares[v]) < 0.1;
      assertTrue(near, () -> "flips: " + Arrays.toString(flips));
    }
  }

  /** Of a clause whose variables break one, two and three clauses, as often as the noise says. */
  @Test
  void noiseDrawsOthersThanTheBest() {
    int[][] clauses = {{1, 2, 3}, {-1, 4}, {-2, 4}, {-2, 5}, {-3, 4}, {-3, 5}, {-3, 6}};
    assertShares(firstFlips(6, 0, clauses), 1, 0, 0, 0, 0, 0);
    assertShares(firstFlips(6, 0.5, clauses), 2 / 3.0, 1 / 6.0, 1 / 6.0, 0, 0, 0);
    assertShares(firstFlips(6, 1, clauses), 1 / 3.0, 1 / 3.0, 1 / 3.0, 0, 0, 0);
  }

  /** Of variables that break equally few the first from a random place, whatever the noise. */
  @Test
  void freeFlipsAreDrawnFromARandomPlace() {
    int[][] clauses = {{1, 2, 3}, {-3, 4}};
    for (double noise : new double[] {0, 0.5, 1}) {
      assertShares(firstFlips(4, noise, clauses), 2 / 3.0, 1 / 3.0, 0, 0);
    }
  }

  @Test
  void allClausesWithoutTrueLiteralsAreDrawn() {
    int[][] clauses = {{1, 2}, {3}, {-5, 6}, {4, 5}, {-6, 1}};
    // 1 and 2 break nothing, and 5 breaks a clause, so that 4 goes before it.
    assertShares(firstFlips(6, 0, clauses), 1 / 6.0, 1 / 6.0, 1 / 3.0, 1 / 3.0, 0, 0);
  }
}
