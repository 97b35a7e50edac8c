package io.magpie.algorithms.sat;

import io.magpie.algorithms.internal.Parallel;
import io.magpie.algorithms.internal.SeededHash;
import java.util.Arrays;
import java.util.concurrent.CancellationException;

/**
 * WalkSAT, one flip at a time (Selman, Kautz and Cohen, AAAI 1994): a clause that is not satisfied
 * is drawn, and of its variables one flipped that breaks no clause, if there is such a one; else,
 * as often as the noise says, any, and otherwise one that breaks the fewest. Of equal ones the
 * first from a random place of the clause.
 *
 * <p>The thread that calls makes it and flips; only what values satisfy is counted by all
 * processors, when it {@linkplain #begin begins}. An interrupt of that thread ends it.
 *
 * <p>It goes over the rest alone: clauses that fixed variables do not satisfy, with the literals of
 * the others, both numbered anew. A clause knows how many of its literals are true, and the
 * exclusive or of their variables, which is the variable itself where there is one; so variables
 * know how many clauses they break, and a flip costs a step for each clause of its variable.
 *
 * <p>Memory: at most 12 bytes for each literal, 24 for each clause and 29 for each variable.
 */
final class SequentialSearch {
  /** Flips, clauses or literals between two looks at whether the thread was interrupted. */
  static final int LOOK = 4096;

  /** Flips after which all that flips is compiled or about to be. */
  private static final int MOST_OF_WARM_UP = 1 << 14;

  /** Variables for each of these flips, so that they take less time than all else before. */
  private static final int PART_OF_WARM_UP = 16;

  private static final long ONE = 1L << 32;

  private final int[] variables; // of the rest: their numbers in the formula
  private final int[] clauseOffsets;
  private final int[] literals;
  private final int[] literalOffsets;
  private final int[] clauseOf; // of the places of each literal
  private final double noise;
  private final byte[] value; // of each variable 0 if true, 1 if false, as literals end
  private final long[] truths; // of each clause: true literals, and behind these their exclusive or
  private final int[] breaks; // of each variable: clauses without another true literal
  private final int[] unsatisfied;
  private final int[] place; // of each of these there
  private int count;
  private final long key;
  private long drawn;
  private long flips;

  /**
   * Takes what is open, and {@linkplain #begin begins} with these values.
   *
   * @param formula without repetitions
   * @param fixed for each variable other than 0 if it keeps its value; no clause has only such
   *     ones, all of whose literals are false
   * @param values for each variable 1 if it is true, 2 if false; not kept
   * @param key of the draws
   * @param noise 0 to 1
   * @throws CancellationException if the thread was interrupted, which it still is then
   */
  SequentialSearch(Formula formula, int[] fixed, int[] values, long key, double noise) {
    this.key = key;
    this.noise = noise;
    int[] offsets = formula.offsets();
    int[] all = formula.literals();
    int[] number = new int[formula.variables()];
    int[] restOffsets = new int[formula.clauses() + 1];
    int[] restLiterals = new int[all.length];
    int clauses = 0;
    int edges = 0;
    for (int a = 0; a < formula.clauses(); a++) {
      look(a);
      int begin = edges;
      boolean satisfied = false;
      for (int e = offsets[a]; e < offsets[a + 1] && !satisfied; e++) {
        int v = all[e] >>> 1;
        if (fixed[v] == 0) {
          restLiterals[edges++] = all[e];
        } else {
          satisfied = values[v] == 1 + (all[e] & 1);
        }
      }
      if (satisfied) {
        edges = begin;
      } else {
        restOffsets[++clauses] = edges;
      }
    }
    clauseOffsets = Arrays.copyOf(restOffsets, clauses + 1);
    literals = Arrays.copyOf(restLiterals, edges);
    for (int e = 0; e < edges; e++) {
      look(e);
      number[literals[e] >>> 1] = 1;
    }
    int open = 0;
    for (int v = 0; v < number.length; v++) {
      open += number[v];
      number[v] = open - number[v];
    }
    variables = new int[open];
    value = new byte[open];
    for (int e = 0; e < edges; e++) {
      look(e);
      int v = literals[e] >>> 1;
      variables[number[v]] = v;
      literals[e] = 2 * number[v] + (literals[e] & 1);
    }
    literalOffsets = new int[2 * open + 1];
    clauseOf = new int[edges];
    listClauses();
    truths = new long[clauses];
    breaks = new int[open];
    unsatisfied = new int[clauses];
    place = new int[clauses];
    begin(values);
  }

  /**
   * Begins anew from other values of the variables that are not fixed, as if it had been made with
   * them.
   *
   * @param values for each variable of the formula 1 if it is true, 2 if false; not kept
   */
  void begin(int[] values) {
    for (int v = 0; v < variables.length; v++) {
      value[v] = (byte) (values[variables[v]] - 1);
    }
    count = 0;
    drawn = 0;
    flips = 0;
    countTruths();
  }

  /**
   * Makes some flips, for whom this is a part of getting ready: the compiler has then seen what
   * flips. {@link #begin} takes them back.
   */
  void warmUp() {
    run(Math.min(MOST_OF_WARM_UP, variables.length / PART_OF_WARM_UP));
  }

  private void listClauses() {
    for (int e = 0; e < literals.length; e++) {
      look(e);
      literalOffsets[literals[e] + 1]++;
    }
    for (int l = 1; l < literalOffsets.length; l++) {
      literalOffsets[l] += literalOffsets[l - 1];
    }
    int[] next = literalOffsets.clone();
    for (int a = 0; a < clauseOffsets.length - 1; a++) {
      look(a);
      for (int e = clauseOffsets[a]; e < clauseOffsets[a + 1]; e++) {
        clauseOf[next[literals[e]]++] = a;
      }
    }
  }

  private void countTruths() {
    Parallel.forRanges(truths.length, this::countTruths);
    Parallel.forRanges(breaks.length, this::countBreaks);
    for (int a = 0; a < truths.length; a++) {
      if (truths[a] >>> 32 == 0) {
        add(a);
      }
    }
  }

  /** Of clauses of a range. */
  private void countTruths(int from, int to) {
    for (int a = from; a < to; a++) {
      long state = 0;
      for (int e = clauseOffsets[a]; e < clauseOffsets[a + 1]; e++) {
        int v = literals[e] >>> 1;
        if (value[v] == (literals[e] & 1)) {
          state = (state + ONE) ^ v;
        }
      }
      truths[a] = state;
    }
  }

  /** Of variables of a range. */
  private void countBreaks(int from, int to) {
    for (int v = from; v < to; v++) {
      int broken = 0;
      int literal = 2 * v + value[v];
      for (int i = literalOffsets[literal]; i < literalOffsets[literal + 1]; i++) {
        broken += truths[clauseOf[i]] >>> 32 == 1 ? 1 : 0;
      }
      breaks[v] = broken;
    }
  }

  /** Flips that were made. */
  long flips() {
    return flips;
  }

  /**
   * Flips until all clauses are satisfied, or so many flips were made.
   *
   * @return whether all are satisfied
   * @throws CancellationException if the thread was interrupted, which it still is then
   */
  boolean run(long most) {
    long end = flips + Math.min(most, Long.MAX_VALUE - flips);
    while (count > 0 && flips < end) {
      look(flips);
      flip(choice(unsatisfied[SeededHash.below(next(), count)]));
      flips++;
    }
    return count == 0;
  }

  /** Now and then looks at whether the thread was interrupted. */
  private static void look(long done) {
    if (done % LOOK == 0 && Thread.currentThread().isInterrupted()) {
      throw new CancellationException("interrupted in the local search");
    }
  }

  /** Writes the values of variables that are not fixed, as far as clauses of the rest have them. */
  void store(int[] values) {
    for (int v = 0; v < variables.length; v++) {
      values[variables[v]] = 1 + value[v];
    }
  }

  private long next() {
    return SeededHash.draw(key, drawn++);
  }

  /** The literal of a clause without true ones that is to be true. */
  private int choice(int clause) {
    int begin = clauseOffsets[clause];
    int end = clauseOffsets[clause + 1];
    int first = begin + SeededHash.below(next(), end - begin);
    int best = literals[first];
    int least = breaks[best >>> 1];
    for (int e = first + 1; e < end; e++) {
      int broken = breaks[literals[e] >>> 1];
      if (broken < least) {
        least = broken;
        best = literals[e];
      }
    }
    for (int e = begin; e < first; e++) {
      int broken = breaks[literals[e] >>> 1];
      if (broken < least) {
        least = broken;
        best = literals[e];
      }
    }
    // That of the first place is any, as the place was drawn alone.
    return least > 0 && SeededHash.unit(next()) < noise ? literals[first] : best;
  }

  /** Makes a literal true that is false. */
  private void flip(int literal) {
    int v = literal >>> 1;
    value[v] = (byte) (literal & 1);
    int made = 0;
    for (int i = literalOffsets[literal]; i < literalOffsets[literal + 1]; i++) {
      int a = clauseOf[i];
      long state = truths[a];
      int before = (int) (state >>> 32);
      truths[a] = (state + ONE) ^ v;
      if (before == 0) {
        made++;
        remove(a);
      } else if (before == 1) {
        breaks[(int) state]--;
      }
    }
    int opposite = literal ^ 1;
    for (int i = literalOffsets[opposite]; i < literalOffsets[opposite + 1]; i++) {
      int a = clauseOf[i];
      long state = (truths[a] - ONE) ^ v;
      int after = (int) (state >>> 32);
      truths[a] = state;
      if (after == 0) {
        add(a);
      } else if (after == 1) {
        breaks[(int) state]++;
      }
    }
    breaks[v] = made;
  }

  private void add(int clause) {
    place[clause] = count;
    unsatisfied[count++] = clause;
  }

  private void remove(int clause) {
    int last = unsatisfied[--count];
    unsatisfied[place[clause]] = last;
    place[last] = place[clause];
  }
}
