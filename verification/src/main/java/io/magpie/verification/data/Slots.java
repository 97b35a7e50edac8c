package io.magpie.verification.data;

import io.magpie.stm.simulator.AccessTrace;
import io.magpie.stm.simulator.AccessTrace.Memory;
import io.magpie.stm.simulator.AccessTrace.Memory.Contents;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;

/** Which elements of arrays may be those of a pool's slots. */
public final class Slots {
  private Slots() {}

  /**
   * The numbers of slots that an element may belong to: its index; in an array that is some times
   * as long as the pool also where each slot has several elements, side by side or one in each row.
   * None in an array that has too few elements for all slots.
   */
  public static LongStream numbers(Memory array, long address, Memory pool) {
    return Arrays.stream(Layout.values())
        .mapToLong(layout -> layout.number(array, address, pool))
        .filter(number -> number >= 0)
        .distinct();
  }

  /** Where an array may have the elements of a slot. */
  enum Layout {
    /** The slot's number is the element's. */
    ONE,
    /** A slot has several side by side, such as a row of a matrix. */
    ROWS,
    /** A slot has one in each row. */
    COLUMNS;

    /** The slot that an element belongs to; -1 if it is none, or the array is not laid out so. */
    long number(Memory array, long address, Memory pool) {
      if (array.contents() == Contents.SLOTS || array.length() < pool.length()) {
        return -1;
      }
      long index = array.index(address);
      long times = array.length() % pool.length() == 0 ? array.length() / pool.length() : 1;
      if (this == ONE) {
        return index < pool.length() ? index : -1;
      }
      return times == 1 ? -1 : this == ROWS ? index / times : index % pool.length();
    }
  }

  /**
   * How many elements a slot may have, where there are arrays of them: as many times as one is as
   * long as the pool; or words, in one as long as it.
   */
  static Set<Long> elements(AccessTrace trace, Memory pool) {
    Set<Long> elements = new TreeSet<>();
    for (Memory array : trace.scope().memory()) {
      if (array.contents() != Contents.SLOTS && pool.length() > 0) {
        elements.add(
            array.length() == pool.length()
                ? (long) array.elementBytes() / Integer.BYTES
                : array.length() % pool.length() == 0 ? array.length() / pool.length() : 1);
      }
    }
    elements.removeIf(times -> times < 2);
    return elements;
  }

  /** The array at an address, and which of the words of its elements. */
  static String field(Memory array, long address) {
    return array.name() + "+" + Math.floorMod(address - array.address(), (long) array.stride());
  }

  /** How large the words of an array's elements are, at most: one element may have several. */
  static int wordBytes(Memory array, int most) {
    return Integer.lowestOneBit(array.elementBytes() | most);
  }

  /** Where in another slot is what is at an address in a slot: for each way to have it there. */
  static LongStream moved(Memory array, long address, Memory pool, long slot, long other) {
    long index = array.index(address);
    long times = array.length() % pool.length() == 0 ? array.length() / pool.length() : 1;
    return LongStream.of(1, times)
        .filter(side -> index / side % pool.length() == slot)
        .map(side -> address + (other - slot) * side * array.stride());
  }

  /** Whether an element may belong to a slot. */
  static boolean names(Memory array, long address, Memory pool, long slot) {
    return numbers(array, address, pool).anyMatch(number -> number == slot);
  }

  /** The same, also of the bits of a word. */
  static boolean mayTellOf(Memory array, long address, Memory pool, long slot) {
    long bits = 8L * array.elementBytes();
    return names(array, address, pool, slot)
        || array.length() < pool.length() && array.index(address) == slot / bits;
  }

  /** Whether an address may be of the data of a slot. */
  static boolean isData(AccessTrace trace, Memory pool, long slot, long address) {
    return trace
        .memory(address)
        .filter(array -> array.contents() == Contents.DATA)
        .filter(array -> names(array, address, pool, slot))
        .isPresent();
  }

  /** Whether an address may be of the data of a slot that is taken. */
  static boolean isData(AccessTrace trace, SlotUse taken, long address) {
    return trace
        .memory(taken.pool())
        .filter(pool -> isData(trace, pool, taken.slot(), address))
        .isPresent();
  }
}
