package io.magpie.verification.data;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * What an array is declared to have to do with slots of pools.
 *
 * @param held what it holds; empty = the runs have to tell
 * @param unindexed whether its elements, or its objects, are not those of the slots of any pool
 */
public record DeclaredSlots(Optional<Held> held, boolean unindexed) {
  /** An array that holds no numbers of slots. */
  public static final DeclaredSlots NONE = of(new Held(Optional.empty(), OptionalLong.empty()));

  /** An array that is indexed by something else than slots' numbers. */
  public static final DeclaredSlots UNINDEXED = new DeclaredSlots(Optional.empty(), true);

  /**
   * What an array holds.
   *
   * @param pool whose slots' numbers; empty = no numbers of slots, whatever they look like
   * @param plus what is added to each number, 0 or greater, such as 1 where 0 stands for none;
   *     empty = the runs have to tell how numbers are stored, or there is no pool
   */
  public record Held(Optional<String> pool, OptionalLong plus) {
    /**
     * Checks what is declared.
     *
     * @throws IllegalArgumentException if something negative is added, or something to no numbers
     */
    public Held {
      if (plus.isPresent() && plus.getAsLong() < 0) {
        throw new IllegalArgumentException(
            "what is added to slots' numbers is 0 or greater, not " + plus.getAsLong());
      }
      if (plus.isPresent() && pool.isEmpty()) {
        throw new IllegalArgumentException(
            String.format(
                "an array without slots' numbers has none to which %d is added: name a pool, or add"
                    + " nothing",
                plus.getAsLong()));
      }
    }
  }

  private static DeclaredSlots of(Held held) {
    return new DeclaredSlots(Optional.of(held), false);
  }

  /** An array with numbers of a pool's slots, stored as runs tell. */
  public static DeclaredSlots of(String pool) {
    return of(new Held(Optional.of(pool), OptionalLong.empty()));
  }

  /**
   * An array with numbers of a pool's slots, each with this added to it, 0 or greater.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public static DeclaredSlots of(String pool, long plus) {
    return of(new Held(Optional.of(pool), OptionalLong.of(plus)));
  }

  /**
   * Both declarations of an array.
   *
   * @throws IllegalArgumentException if the two declare the same
   */
  public DeclaredSlots and(DeclaredSlots other) {
    if (held.isPresent() && other.held.isPresent() || unindexed && other.unindexed) {
      throw new IllegalArgumentException("an array is declared twice");
    }
    return new DeclaredSlots(held.or(other::held), unindexed || other.unindexed);
  }
}
