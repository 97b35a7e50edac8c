package io.magpie.stm;

import io.magpie.stm.simulator.AccessTrace.Memory;
import java.util.List;
import java.util.Optional;

/** The data of recorded runs and the marks that those left. */
final class RecordedData implements Recording.Data {
  /** Bits of word 0, as in {@code magpie::stm::seen}. */
  static final int ROLLED_BACK_HOOK = 1;

  static final int HINTS_IN_HOOK = 2;

  /** Marks of 4 bytes, as in {@code magpie::access_notes}. */
  static final int TALLIED = 1;

  static final int ATOMIC = 2;
  private static final int ATOMICS = 0xaaaaaaaa;

  private final List<Memory> memory;
  private final int[] marks;

  RecordedData(List<Memory> memory, int[] marks) {
    this.memory = memory;
    this.marks = marks;
  }

  /** The number of an array's first byte; of one beyond the last: how many there are. */
  static long first(List<Memory> memory, int array) {
    return memory.subList(0, array).stream().mapToLong(each -> (each.bytes() + 3) / 4 * 4).sum();
  }

  /** Words of the marks. */
  static int markWords(List<Memory> memory) {
    return Math.toIntExact(1 + (first(memory, memory.size()) + 63) / 64);
  }

  @Override
  public List<Memory> memory() {
    return memory;
  }

  @Override
  public long first(int array) {
    return first(memory, array);
  }

  private boolean has(long datum, int mark) {
    return datum != NOWHERE && (marks[(int) (1 + datum / 64)] >>> (datum / 4 % 16 * 2) & mark) != 0;
  }

  @Override
  public boolean tallied(long datum) {
    return has(datum, TALLIED);
  }

  @Override
  public boolean atomic(long datum) {
    return has(datum, ATOMIC);
  }

  @Override
  public boolean anyAtomic() {
    for (int i = 1; i < marks.length; i++) {
      int tallied = marks[i] & ~ATOMICS;
      if ((marks[i] & ATOMICS & ~(tallied << 1)) != 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean hasRolledBackHook() {
    return (marks[0] & ROLLED_BACK_HOOK) != 0;
  }

  @Override
  public boolean hasHintsInHook() {
    return (marks[0] & HINTS_IN_HOOK) != 0;
  }

  @Override
  public Optional<String> inWords(long datum) {
    for (int i = 0; i < memory.size(); i++) {
      Memory in = memory.get(i);
      long offset = datum - first(i);
      if (offset >= 0 && offset < in.bytes()) {
        long rest = offset % in.stride();
        String element = in.name() + "[" + offset / in.stride() + "]";
        return Optional.of(rest == 0 ? element : element + " + " + rest + " bytes");
      }
    }
    return Optional.empty();
  }
}
