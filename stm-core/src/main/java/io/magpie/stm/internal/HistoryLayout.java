package io.magpie.stm.internal;

/**
 * Where what a recording shares with launches lies: {@code magpie/stm/detail/history.cuh} and
 * {@code magpie/platform/access_notes.hpp} say what each means.
 *
 * @param head a {@code history}
 * @param notes the {@code access_notes} in it
 * @param objects one of the {@code history_objects} in it
 * @param memory a {@code noted_memory}
 */
public record HistoryLayout(
    StructLayout<Head> head,
    StructLayout<Notes> notes,
    StructLayout<Objects> objects,
    StructLayout<Memory> memory) {

  /** Members of {@code history}. */
  public enum Head {
    ENTRIES,
    USED,
    CLOCK,
    ORIGIN,
    CAPACITY,
    THREADS,
    ARRAYS,
    FIRST_ATTEMPTS,
    SAMPLE,
    ARRAY,
    DATA,
    FORCED_RETRIES,
    NOISE_SEED,
    GIVEN,
    GIVEN_ENDS
  }

  /** Members of {@code access_notes}. */
  public enum Notes {
    MEMORY,
    MARKS,
    RANGES,
    NOISE
  }

  /** Members of {@code history_objects}. */
  public enum Objects {
    WORDS,
    STAMPS,
    COUNT,
    FIRST,
    LOG2_STRIDE
  }

  /** Members of {@code noted_memory}. */
  public enum Memory {
    BEGIN,
    BYTES,
    FIRST,
    STRIDE,
    DATUM
  }

  /**
   * That of a module with regions.
   *
   * @throws IllegalArgumentException if its headers lack some of it
   */
  public static HistoryLayout of(SharedNumbers shared) {
    return new HistoryLayout(
        shared.layout("history", Head.class),
        shared.layout("access_notes", Notes.class),
        shared.layout("history_objects", Objects.class),
        shared.layout("noted_memory", Memory.class));
  }
}
