package io.magpie.algorithms.pointsto;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The points-to sets of variables: the least sets that satisfy all constraints.
 *
 * <p>Equal sets are kept once, numbered in the order of the first variables that have them. So the
 * arrays are the same whatever the options and the run.
 */
public final class PointsToResult {
  private final ConstraintSet constraints;
  private final int[] setOf;
  private final int[] offsets;
  private final int[] elements;
  private final PointsToReport report;

  private PointsToResult(
      ConstraintSet constraints,
      int[] setOf,
      int[] offsets,
      int[] elements,
      PointsToReport report) {
    this.constraints = Objects.requireNonNull(constraints, "constraints");
    this.setOf = setOf;
    this.offsets = offsets;
    this.elements = elements;
    this.report = report;
  }

  /** The constraints. */
  public ConstraintSet constraints() {
    return constraints;
  }

  /**
   * What a variable may point to.
   *
   * @param variable from 0
   * @return the variables, ascending; a copy
   * @throws IndexOutOfBoundsException if there is no such variable
   */
  public int[] pointsTo(int variable) {
    int set = setOf[variable];
    return Arrays.copyOfRange(elements, offsets[set], offsets[set + 1]);
  }

  /**
   * To how many variables one may point.
   *
   * @param variable from 0
   * @throws IndexOutOfBoundsException if there is no such variable
   */
  public int size(int variable) {
    int set = setOf[variable];
    return offsets[set + 1] - offsets[set];
  }

  /**
   * Whether there is a variable that both may point to. Cost: linear in the sizes of the two sets.
   *
   * @param one from 0
   * @param other from 0
   * @throws IndexOutOfBoundsException if one is no variable
   */
  public boolean mayAlias(int one, int other) {
    int a = offsets[setOf[one]];
    int b = offsets[setOf[other]];
    int endA = offsets[setOf[one] + 1];
    int endB = offsets[setOf[other] + 1];
    while (a < endA && b < endB) {
      int order = Integer.compare(elements[a], elements[b]);
      if (order == 0) {
        return true;
      }
      if (order < 0) {
        a++;
      } else {
        b++;
      }
    }
    return false;
  }

  /** For each variable the number of its set, from 0; not a copy. */
  public int[] setOf() {
    return setOf;
  }

  /**
   * Where sets begin in {@link #elements}; one more element than there are different sets; not a
   * copy.
   */
  public int[] offsets() {
    return offsets;
  }

  /** The elements of all different sets, one set after another, each ascending; not a copy. */
  public int[] elements() {
    return elements;
  }

  /** The number of different sets. */
  public int sets() {
    return offsets.length - 1;
  }

  /** The sum of the sizes of all variables' sets: how many pairs (variable, target) there are. */
  public long pairs() {
    long sum = 0;
    for (int v = 0; v < setOf.length; v++) {
      sum += size(v);
    }
    return sum;
  }

  /** The size of the largest set; 0 without variables. */
  public int largest() {
    int largest = 0;
    for (int set = 0; set < sets(); set++) {
      largest = Math.max(largest, offsets[set + 1] - offsets[set]);
    }
    return largest;
  }

  /** The number of variables that point to nothing. */
  public int empty() {
    int count = 0;
    for (int v = 0; v < setOf.length; v++) {
      count += size(v) == 0 ? 1 : 0;
    }
    return count;
  }

  /** How it was computed; empty for the sequential reference. */
  public Optional<PointsToReport> report() {
    return Optional.ofNullable(report);
  }

  /** Whether the other has the same sets; constraints and reports do not count. */
  public boolean sameSets(PointsToResult other) {
    return Arrays.equals(setOf, other.setOf)
        && Arrays.equals(offsets, other.offsets)
        && Arrays.equals(elements, other.elements);
  }

  @Override
  public String toString() {
    return "PointsToResult[variables="
        + setOf.length
        + ", sets="
        + sets()
        + ", pairs="
        + pairs()
        + "]";
  }

  /** Puts sets together, variable by variable. */
  static final class Builder {
    private static final int FIRST_ROOM = 64;

    private final ConstraintSet constraints;
    private final int[] setOf;
    private final Map<Key, Integer> known = new HashMap<>();
    private int[] offsets = new int[FIRST_ROOM];
    private int[] elements = new int[FIRST_ROOM];
    private int sets;
    private int variables;

    Builder(ConstraintSet constraints) {
      this.constraints = constraints;
      this.setOf = new int[constraints.variables()];
    }

    /** The next variable's set, ascending; the array is kept. */
    void add(int[] set) {
      Integer number = known.putIfAbsent(new Key(set), sets);
      setOf[variables++] = number == null ? sets : number;
      if (number != null) {
        return;
      }
      long end = (long) offsets[sets] + set.length;
      if (end > ConstraintSet.MAX_VARIABLES) {
        throw new PointsToSizeException(
            "the different sets have more than "
                + ConstraintSet.MAX_VARIABLES
                + " elements in all; leave constraints out");
      }
      sets++;
      if (sets == offsets.length) {
        offsets = Arrays.copyOf(offsets, 2 * sets);
      }
      if (end > elements.length) {
        int room = (int) Math.min(ConstraintSet.MAX_VARIABLES, Math.max(end, 2L * elements.length));
        elements = Arrays.copyOf(elements, room);
      }
      System.arraycopy(set, 0, elements, offsets[sets - 1], set.length);
      offsets[sets] = (int) end;
    }

    /** The next variable's set is that of an earlier one. */
    void addSame(int variable) {
      setOf[variables++] = setOf[variable];
    }

    /** The result; {@code report} is null where there is none. */
    PointsToResult build(PointsToReport report) {
      if (variables != setOf.length) {
        throw new IllegalStateException(variables + " of " + setOf.length + " sets were added");
      }
      return new PointsToResult(
          constraints,
          setOf,
          Arrays.copyOf(offsets, sets + 1),
          Arrays.copyOf(elements, offsets[sets]),
          report);
    }

    /** An array by its elements. */
    private record Key(int[] set) {
      @Override
      public boolean equals(Object other) {
        return other instanceof Key that && Arrays.equals(set, that.set);
      }

      @Override
      public int hashCode() {
        return Arrays.hashCode(set);
      }
    }
  }
}
