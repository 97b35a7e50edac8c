package io.magpie.algorithms.sat;

import io.magpie.algorithms.internal.Parallel;
import java.util.Arrays;
import java.util.Objects;

/**
 * A formula in conjunctive normal form: clauses of any length from 0 on over variables 0 to {@link
 * #variables()} - 1. Immutable.
 *
 * <p>A literal is a number: {@code 2 * v} for variable v, {@code 2 * v + 1} for its negation, so
 * that {@code literal ^ 1} is the opposite. Files and {@link #clause} write them as DIMACS does, v
 * + 1 and -(v + 1).
 *
 * <p>A clause may have a literal twice, or both of a variable: formulas are kept as they were
 * given. {@link #simplified} has neither.
 */
public final class Formula {
  /** The most variables: an array of Java has room for all literals and one more. */
  public static final int MAX_VARIABLES = (Integer.MAX_VALUE - 16) / 2;

  /** The most literals of all clauses together, and the most clauses: positions are ints. */
  public static final int MAX_LITERALS = Integer.MAX_VALUE - 8;

  /** The most literals of a clause of which all pairs are compared. */
  private static final int SHORT = 16;

  private final int variables;
  private final int[] offsets;
  private final int[] literals;
  private int[] occurrenceOffsets; // with the next one made when first asked for; equal if twice
  private int[] occurrences;

  private Formula(int variables, int[] offsets, int[] literals) {
    this.variables = variables;
    this.offsets = offsets;
    this.literals = literals;
  }

  /**
   * A formula of clauses as DIMACS writes them.
   *
   * @param variables how many variables there are, 0 to {@link #MAX_VARIABLES}
   * @param clauses each with its literals, v + 1 or -(v + 1) for variable v
   * @throws IllegalArgumentException if there are too many variables, or a literal is of none of
   *     them
   */
  public static Formula of(int variables, int[]... clauses) {
    Builder builder = new Builder(variables);
    for (int[] clause : clauses) {
      for (int signed : clause) {
        builder.literal(code(variables, signed));
      }
      builder.endClause();
    }
    return builder.build();
  }

  private static int code(int variables, int signed) {
    if (signed == 0 || signed == Integer.MIN_VALUE || Math.abs(signed) > variables) {
      throw new IllegalArgumentException(
          "a literal must be from 1 to " + variables + " or the negative of that, got " + signed);
    }
    return 2 * (Math.abs(signed) - 1) + (signed < 0 ? 1 : 0);
  }

  /**
   * A formula in arrays that nobody changes from then on.
   *
   * @param offsets where the literals of each clause begin, and their number
   * @param literals of those variables
   */
  static Formula over(int variables, int[] offsets, int[] literals) {
    return new Formula(variables, offsets, literals);
  }

  /** Takes the clauses of a formula one by one. */
  public static final class Builder {
    private final int variables;
    private int[] offsets = new int[16];
    private int[] literals = new int[64];
    private int clauses;
    private int count;

    /**
     * A formula without clauses.
     *
     * @param variables how many variables there are
     * @throws IllegalArgumentException unless that is 0 to {@link #MAX_VARIABLES}
     */
    public Builder(int variables) {
      if (variables < 0 || variables > MAX_VARIABLES) {
        throw new IllegalArgumentException(
            "variables must be from 0 to " + MAX_VARIABLES + ", got " + variables);
      }
      this.variables = variables;
    }

    /**
     * Adds a literal to the clause that is being made.
     *
     * @param literal {@code 2 * v} for variable v, {@code 2 * v + 1} for its negation
     * @return this
     * @throws IllegalArgumentException if it is of no variable, or there are {@link #MAX_LITERALS}
     */
    public Builder literal(int literal) {
      if (literal < 0 || literal >>> 1 >= variables) {
        throw new IllegalArgumentException(
            "a literal must be from 0 to " + (2L * variables - 1) + ", got " + literal);
      }
      if (count == literals.length) {
        literals = grown(literals, "literals");
      }
      literals[count++] = literal;
      return this;
    }

    /**
     * Ends the clause that is being made; one without literals is never satisfied.
     *
     * @return this
     * @throws IllegalArgumentException if there are {@link #MAX_LITERALS}
     */
    public Builder endClause() {
      if (clauses + 1 == offsets.length) {
        offsets = grown(offsets, "clauses");
      }
      offsets[++clauses] = count;
      return this;
    }

    private static int[] grown(int[] array, String what) {
      if (array.length == MAX_LITERALS) {
        throw new IllegalArgumentException("more " + what + " than " + MAX_LITERALS);
      }
      return Arrays.copyOf(array, (int) Math.min(MAX_LITERALS, array.length * 2L));
    }

    /**
     * The formula of all clauses that were ended.
     *
     * @throws IllegalStateException if a clause has literals but no end
     */
    public Formula build() {
      if (count != offsets[clauses]) {
        throw new IllegalStateException("the last clause has no end");
      }
      return new Formula(
          variables, Arrays.copyOf(offsets, clauses + 1), Arrays.copyOf(literals, count));
    }
  }

  /** Number of variables, whether clauses have them or not. */
  public int variables() {
    return variables;
  }

  /** Number of clauses. */
  public int clauses() {
    return offsets.length - 1;
  }

  /** Where the literals of each clause begin in {@link #literals}, and their number; no copy. */
  public int[] offsets() {
    return offsets;
  }

  /** The literals of all clauses, one clause after the other; no copy. */
  public int[] literals() {
    return literals;
  }

  /** Where the positions of each literal begin in {@link #occurrences}, and their number. */
  public int[] occurrenceOffsets() {
    occurrences();
    return occurrenceOffsets;
  }

  /**
   * For each literal the positions in {@link #literals} where it stands, ascending; those of a
   * variable lie together. No copy; made when first asked for, in O(variables + literals), by all
   * processors.
   */
  public synchronized int[] occurrences() {
    if (occurrences == null) {
      Occurrences made = new Occurrences(2 * variables, literals);
      occurrenceOffsets = made.offsets();
      occurrences = made.places();
    }
    return occurrences;
  }

  /**
   * A clause as DIMACS writes it.
   *
   * @param clause its number, counted from 0
   */
  public int[] clause(int clause) {
    Objects.checkIndex(clause, clauses());
    return signed(Arrays.copyOfRange(literals, offsets[clause], offsets[clause + 1]));
  }

  /** Literals as DIMACS writes them. */
  static int[] signed(int... literals) {
    return Arrays.stream(literals)
        .map(literal -> (literal & 1) == 0 ? (literal >>> 1) + 1 : -(literal >>> 1) - 1)
        .toArray();
  }

  /**
   * The same without repetitions: each clause has a literal once, and clauses that have both
   * literals of a variable, which are always satisfied, are left out. This formula itself if that
   * changes nothing. The satisfying assignments are the same.
   */
  public Formula simplified() {
    return Parallel.sum(clauses(), this::perhapsRepeating) == 0 ? this : withoutRepetitions();
  }

  /** The same by the calling thread alone. */
  Formula withoutRepetitions() {
    int[] last = new int[2 * variables]; // the clause that has a literal, plus 1
    int[] newOffsets = new int[offsets.length];
    int[] newLiterals = new int[literals.length];
    int kept = 0;
    int count = 0;
    for (int a = 0; a < clauses(); a++) {
      int begin = count;
      boolean always = false;
      for (int e = offsets[a]; e < offsets[a + 1]; e++) {
        int literal = literals[e];
        always |= last[literal ^ 1] == a + 1;
        if (last[literal] != a + 1) {
          last[literal] = a + 1;
          newLiterals[count++] = literal;
        }
      }
      if (always) {
        count = begin;
      } else {
        newOffsets[++kept] = count;
      }
    }
    if (count == literals.length && kept == clauses()) {
      return this;
    }
    return new Formula(
        variables, Arrays.copyOf(newOffsets, kept + 1), Arrays.copyOf(newLiterals, count));
  }

  /** Clauses of a range that have a variable twice, or are too long to compare all pairs. */
  private long perhapsRepeating(int from, int to) {
    long found = 0;
    for (int a = from; a < to; a++) {
      found += perhapsRepeats(offsets[a], offsets[a + 1]) ? 1 : 0;
    }
    return found;
  }

  private boolean perhapsRepeats(int begin, int end) {
    if (end - begin > SHORT) {
      return true;
    }
    for (int e = begin + 1; e < end; e++) {
      for (int other = begin; other < e; other++) {
        if (literals[other] >>> 1 == literals[e] >>> 1) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * What is left of the formula where some variables have values: the clauses that these do not
   * satisfy, without the literals that they make false. Variables keep their numbers.
   *
   * @param values for each variable 1 if it is true, -1 if it is false, 0 if it is neither yet
   * @throws IllegalArgumentException if there are not as many as variables
   */
  public Formula given(byte[] values) {
    requireLength(values);
    Builder rest = new Builder(variables);
    for (int a = 0; a < clauses(); a++) {
      if (isSatisfied(a, values)) {
        continue;
      }
      for (int e = offsets[a]; e < offsets[a + 1]; e++) {
        if (values[literals[e] >>> 1] == 0) {
          rest.literal(literals[e]);
        }
      }
      rest.endClause();
    }
    return rest.build();
  }

  private boolean isSatisfied(int clause, byte[] values) {
    for (int e = offsets[clause]; e < offsets[clause + 1]; e++) {
      if (values[literals[e] >>> 1] == ((literals[e] & 1) == 0 ? 1 : -1)) {
        return true;
      }
    }
    return false;
  }

  void requireLength(byte[] values) {
    if (values.length != variables) {
      throw new IllegalArgumentException(
          "there are " + variables + " variables, but values for " + values.length);
    }
  }

  /** Whether the other has the same variables and clauses, in the same order. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Formula that
        && variables == that.variables
        && Arrays.equals(offsets, that.offsets)
        && Arrays.equals(literals, that.literals);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * variables + Arrays.hashCode(offsets)) + Arrays.hashCode(literals);
  }

  @Override
  public String toString() {
    return "Formula["
        + variables
        + " variables, "
        + clauses()
        + " clauses, "
        + literals.length
        + " literals]";
  }
}
