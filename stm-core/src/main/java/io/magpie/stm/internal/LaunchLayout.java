package io.magpie.stm.internal;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Where the fields of the {@link ControlBlock} and the counters of a launch lie, as a module's
 * table says. What the library has and the facade does not know, or the other way round, is refused
 * when the module is loaded.
 */
public final class LaunchLayout {
  /**
   * A field's place.
   *
   * @param offset of its first element, in bytes
   * @param bytes of an element, 4 or 8
   */
  record Place(int offset, int bytes) {}

  private final Place[] fields; // null for one that is not there
  private final int[] counters;
  private final int controlBytes;
  private final int counterWords;

  private LaunchLayout(Place[] fields, int[] counters, int controlBytes, int counterWords) {
    this.fields = fields;
    this.counters = counters;
    this.controlBytes = controlBytes;
    this.counterWords = counterWords;
  }

  /** Whether launches can count conflicts by object: the module was compiled for it. */
  public boolean samplesConflicts() {
    return fields[ControlField.CONFLICTS_WORDS.ordinal()] != null;
  }

  /** Where a control block has the field. */
  Place place(ControlField field) {
    return fields[field.ordinal()];
  }

  /** Which of a launch's counter words the counter begins with. */
  public int place(Counter counter) {
    return counters[counter.ordinal()];
  }

  /** Bytes of a control block. */
  public int controlBytes() {
    return controlBytes;
  }

  /** Number of 64-bit words of a launch's counters. */
  public int counterWords() {
    return counterWords;
  }

  /** Collects a layout from a table's lines. What is wrong with one is said, not thrown. */
  static final class Builder {
    private final Map<ControlField, Place> fields = new EnumMap<>(ControlField.class);
    private final Map<Counter, Integer> counters = new EnumMap<>(Counter.class);
    private int controlBytes;
    private int counterWords;

    Optional<String> field(String name, int offset, int bytes, int elements) {
      ControlField field = named(ControlField.values(), ControlField::nameInTable, name);
      if (field == null) {
        return Optional.of("ControlField has no such field");
      }
      if ((bytes != 4 && bytes != 8) || elements != field.elements()) {
        return Optional.of(
            "ControlField has elements of 4 or 8 bytes there, " + field.elements() + " of them");
      }
      controlBytes = Math.max(controlBytes, offset + bytes * elements);
      return fields.put(field, new Place(offset, bytes)) == null
          ? Optional.empty()
          : Optional.of("a second one of that name");
    }

    Optional<String> counter(String name, int place, int words) {
      Counter counter = named(Counter.values(), Counter::nameInTable, name);
      if (counter == null) {
        return Optional.of("Counter has no such counter");
      }
      if (words != counter.words()) {
        return Optional.of("Counter has one of " + counter.words() + " words");
      }
      counterWords = Math.max(counterWords, place + words);
      return counters.put(counter, place) == null
          ? Optional.empty()
          : Optional.of("a second one of that name");
    }

    private static <T> T named(T[] all, Function<T, String> nameOf, String name) {
      return Arrays.stream(all)
          .filter(each -> nameOf.apply(each).equals(name))
          .findFirst()
          .orElse(null);
    }

    /** The first line that is still missing. */
    Optional<String> missing() {
      boolean samples = fields.keySet().stream().anyMatch(ControlField::isOfSampling);
      for (ControlField field : ControlField.values()) {
        if (!fields.containsKey(field) && (samples || !field.isOfSampling())) {
          return Optional.of("expected 'control " + field.nameInTable() + " ...' before it");
        }
      }
      for (Counter counter : Counter.values()) {
        if (!counters.containsKey(counter)) {
          return Optional.of("expected 'counter " + counter.nameInTable() + " ...' before it");
        }
      }
      return Optional.empty();
    }

    /** The layout, once nothing is missing. */
    LaunchLayout build() {
      return new LaunchLayout(
          Arrays.stream(ControlField.values()).map(fields::get).toArray(Place[]::new),
          counters.values().stream().mapToInt(Integer::intValue).toArray(),
          (controlBytes + 7) & ~7,
          counterWords);
    }
  }
}
