package io.magpie.stm;

import io.magpie.stm.simulator.AccessTrace.Memory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The conflicts that a run counted by object.
 *
 * @param hot those with most conflicts first, equal ones by array and index
 * @param total all conflicts, those that were lost among them
 * @param lost conflicts of objects that the table had no slot for
 */
record ConflictCounts(List<Count> hot, long total, long lost) {
  /** Objects that a run counts conflicts for; a power of 2. */
  static final int SLOTS = 1 << 12;

  /** 64-bit words of the device's table: {@code conflict_table} of stm/detail/objects.cuh. */
  static final int WORDS = 1 + 2 * SLOTS;

  /** In place of a field's name: the object is of none. */
  static final String UNKNOWN = "unknown";

  /** Objects that a report's text names. */
  private static final int NAMED = 5;

  /**
   * An object.
   *
   * @param array the region's field that has it, or {@link #UNKNOWN}
   * @param index which of the field's objects; of an unknown one its address
   */
  record Place(String array, long index) {
    /** What to call it. */
    String name() {
      return array.equals(UNKNOWN)
          ? "unknown object at 0x" + Long.toHexString(index)
          : array + "[" + index + "]";
    }
  }

  /** How often transactions met at an object. */
  record Count(Place place, long conflicts) {}

  /**
   * What a run left in its table.
   *
   * @param words the table
   * @param memory the memory behind the region's fields, in their order
   */
  static ConflictCounts of(long[] words, List<Memory> memory) {
    Map<Place, Long> conflicts = new LinkedHashMap<>();
    for (int slot = 1; slot < words.length; slot += 2) {
      if (words[slot] != 0) {
        conflicts.merge(place(words[slot], memory), words[slot + 1], Long::sum);
      }
    }
    return of(conflicts, words[0]);
  }

  /** Those of several runs together. */
  static ConflictCounts sum(List<ConflictCounts> runs) {
    Map<Place, Long> conflicts = new LinkedHashMap<>();
    long lost = 0;
    for (ConflictCounts run : runs) {
      for (Count each : run.hot) {
        conflicts.merge(each.place, each.conflicts, Long::sum);
      }
      lost += run.lost;
    }
    return of(conflicts, lost);
  }

  private static Place place(long address, List<Memory> memory) {
    for (Memory each : memory) {
      if (each.contents() == Memory.Contents.OBJECTS && each.contains(address)) {
        return new Place(each.name(), each.index(address));
      }
    }
    return new Place(UNKNOWN, address);
  }

  private static ConflictCounts of(Map<Place, Long> conflicts, long lost) {
    long total = lost + conflicts.values().stream().mapToLong(Long::longValue).sum();
    List<Count> hot = new ArrayList<>();
    conflicts.forEach((place, count) -> hot.add(new Count(place, count)));
    hot.sort(
        Comparator.comparingLong(Count::conflicts)
            .reversed()
            .thenComparing(count -> count.place.array)
            .thenComparingLong(count -> count.place.index));
    return new ConflictCounts(List.copyOf(hot), total, lost);
  }

  /** Lines of a report: how many there are, and where most of them. */
  void appendTo(StringBuilder text) {
    text.append(String.format(Locale.ROOT, "  %-16s %,15d%n", "conflicts", total));
    for (Count each : hot.subList(0, Math.min(NAMED, hot.size()))) {
      part(text, each.conflicts, each.place.name());
    }
    part(text, hot.stream().skip(NAMED).mapToLong(Count::conflicts).sum(), "other objects");
    part(text, lost, "objects that there was no room for");
  }

  private void part(StringBuilder text, long conflicts, String where) {
    if (conflicts > 0) {
      text.append(
          String.format(
              Locale.ROOT, "%,34d  %5.1f %%  %s%n", conflicts, 100.0 * conflicts / total, where));
    }
  }
}
