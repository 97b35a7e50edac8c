package io.magpie.algorithms.pointsto;

import java.util.Arrays;
import java.util.Objects;

/**
 * Inclusion constraints between the points-to sets of variables. Immutable.
 *
 * <p>Variables are numbered from 0. Constraints are kept by kind, in the order in which they were
 * added; the same one may be there several times, and its two variables may be the same.
 */
public final class ConstraintSet {
  /** The most variables that there can be. */
  public static final int MAX_VARIABLES = Integer.MAX_VALUE - 8;

  /** What a constraint says of its two variables, and so of their points-to sets. */
  public enum Kind {
    /** {@code destination = &source}: the source is in the destination's set. */
    ADDRESS_OF("addr"),
    /** {@code destination = source}: the destination's set includes the source's. */
    COPY("copy"),
    /**
     * {@code destination = *source}: the destination's set includes that of every variable in the
     * source's.
     */
    LOAD("load"),
    /**
     * {@code *destination = source}: the set of every variable in the destination's includes the
     * source's.
     */
    STORE("store");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    /** The word for it in files. */
    public String word() {
      return word;
    }
  }

  private static final Kind[] KINDS = Kind.values();

  private final int variables;
  private final int[][] destinations;
  private final int[][] sources;

  private ConstraintSet(int variables, int[][] destinations, int[][] sources) {
    this.variables = variables;
    this.destinations = destinations;
    this.sources = sources;
  }

  /**
   * Begins a set of constraints.
   *
   * @param variables how many variables there are at least; what constraints name beyond that is
   *     added
   * @return a builder without constraints
   * @throws IllegalArgumentException if the number is negative, or more than {@link #MAX_VARIABLES}
   */
  public static Builder builder(int variables) {
    return new Builder(variables);
  }

  /** The number of variables. */
  public int variables() {
    return variables;
  }

  /** The number of constraints of a kind. */
  public int count(Kind kind) {
    return destinations[kind.ordinal()].length;
  }

  /** The number of constraints. */
  public long count() {
    return Arrays.stream(destinations).mapToLong(of -> of.length).sum();
  }

  /** The destinations of the constraints of a kind; not a copy. */
  public int[] destinations(Kind kind) {
    return destinations[kind.ordinal()];
  }

  /** The sources of the constraints of a kind, in the same order; not a copy. */
  public int[] sources(Kind kind) {
    return sources[kind.ordinal()];
  }

  /** Whether the other has as many variables, and the same constraints in the same order. */
  @Override
  public boolean equals(Object other) {
    return other instanceof ConstraintSet that
        && variables == that.variables
        && Arrays.deepEquals(destinations, that.destinations)
        && Arrays.deepEquals(sources, that.sources);
  }

  @Override
  public int hashCode() {
    return Objects.hash(variables, Arrays.deepHashCode(destinations), Arrays.deepHashCode(sources));
  }

  /** The numbers of variables and constraints. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("ConstraintSet[variables=").append(variables);
    for (Kind kind : KINDS) {
      text.append(", ").append(kind.word()).append('=').append(count(kind));
    }
    return text.append(']').toString();
  }

  /** Collects constraints. */
  public static final class Builder {
    private static final int FIRST_ROOM = 16;

    private final int[][] destinations = new int[KINDS.length][FIRST_ROOM];
    private final int[][] sources = new int[KINDS.length][FIRST_ROOM];
    private final int[] counts = new int[KINDS.length];
    private int variables;

    private Builder(int variables) {
      atLeast(variables);
    }

    /**
     * Makes sure that there are so many variables.
     *
     * @return this
     * @throws IllegalArgumentException if the number is negative, or more than {@link
     *     #MAX_VARIABLES}
     */
    public Builder atLeast(int count) {
      if (count < 0 || count > MAX_VARIABLES) {
        throw new IllegalArgumentException(count + " variables: expected 0 to " + MAX_VARIABLES);
      }
      variables = Math.max(variables, count);
      return this;
    }

    /**
     * Adds a constraint.
     *
     * @param kind what it says
     * @param destination a variable, from 0
     * @param source a variable, from 0
     * @return this
     * @throws IllegalArgumentException if one is no variable
     */
    public Builder add(Kind kind, int destination, int source) {
      int least = Math.min(destination, source);
      int most = Math.max(destination, source);
      if (least < 0 || most >= MAX_VARIABLES) {
        throw new IllegalArgumentException(
            "variable " + (least < 0 ? least : most) + ": expected 0 to " + (MAX_VARIABLES - 1));
      }
      int k = kind.ordinal();
      if (counts[k] == destinations[k].length) {
        int room = (int) Math.min(MAX_VARIABLES, 2L * counts[k]);
        destinations[k] = Arrays.copyOf(destinations[k], room);
        sources[k] = Arrays.copyOf(sources[k], room);
      }
      destinations[k][counts[k]] = destination;
      sources[k][counts[k]++] = source;
      variables = Math.max(variables, most + 1);
      return this;
    }

    /** The constraints so far. */
    public ConstraintSet build() {
      int[][] to = new int[KINDS.length][];
      int[][] from = new int[KINDS.length][];
      for (int k = 0; k < KINDS.length; k++) {
        to[k] = Arrays.copyOf(destinations[k], counts[k]);
        from[k] = Arrays.copyOf(sources[k], counts[k]);
      }
      return new ConstraintSet(variables, to, from);
    }
  }
}
