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
record ConflictCounts(List<HotObject> hot, long total, long lost) {
  /** Objects that a run counts conflicts for; a power of 2. */
  static final int SLOTS = 1 << 12;

  /** 64-bit words of the device's table: {@code conflict_table} of stm/detail/objects.cuh. */
  static final int WORDS = 1 + 2 * SLOTS;

  /** Objects that a report's text names. */
  private static final int NAMED = 5;

  private record Place(String array, long index) {}

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
      for (HotObject each : run.hot) {
        conflicts.merge(new Place(each.array(), each.index()), each.conflicts(), Long::sum);
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
    return new Place(HotObject.UNKNOWN, address);
  }

  private static ConflictCounts of(Map<Place, Long> conflicts, long lost) {
    long total = lost + conflicts.values().stream().mapToLong(Long::longValue).sum();
    List<HotObject> hot = new ArrayList<>();
    conflicts.forEach(
        (place, count) ->
            hot.add(new HotObject(place.array, place.index, count, (double) count / total)));
    hot.sort(
        Comparator.comparingLong(HotObject::conflicts)
            .reversed()
            .thenComparing(HotObject::array)
            .thenComparingLong(HotObject::index));
    return new ConflictCounts(List.copyOf(hot), total, lost);
  }

  /** Lines of a report: how many there are, and where most of them. */
  void appendTo(StringBuilder text) {
    text.append(String.format(Locale.ROOT, "  %-16s %,15d%n", "conflicts", total));
    for (HotObject each : hot.subList(0, Math.min(NAMED, hot.size()))) {
      part(text, each.conflicts(), each.name());
    }
    part(text, hot.stream().skip(NAMED).mapToLong(HotObject::conflicts).sum(), "other objects");
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
