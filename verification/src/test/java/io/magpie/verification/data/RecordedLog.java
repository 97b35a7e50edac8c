package io.magpie.verification.data;

import io.magpie.verification.history.History;
import io.magpie.verification.history.HistoryBuilder;
import java.util.ArrayList;
import java.util.List;

/** Histories with data, access by access, as recorded runs have them. */
final class RecordedLog {
  private static final long WITH_DATA = 1L << 31;
  private static final long OPENED = 3L | 16;
  private static final long AGAIN = 16;

  private final HistoryBuilder builder = new HistoryBuilder();
  private final List<Long> words = new ArrayList<>();
  private int attempts;

  /** An object with its turn. */
  RecordedLog opens(int object, int turn) {
    return access(object, turn, (1L << 40) - 1, OPENED, 0);
  }

  /** Reads again what the attempt knows the version of. */
  RecordedLog reads(int object, long datum, int line) {
    return access(object, 0, datum, AGAIN, line);
  }

  RecordedLog reads(int object, int stamp, long datum, int line) {
    return access(object, stamp, datum, 0, line);
  }

  RecordedLog writes(int object, int stamp, long datum, int line) {
    return access(object | 0x80000000, stamp, datum, 1, line);
  }

  RecordedLog peeks(int object, int stamp, long datum) {
    return access(object, stamp, datum, 2, 0);
  }

  RecordedLog takes(int pool, int slot) {
    return effect(pool, slot, 4);
  }

  RecordedLog frees(int pool, int slot) {
    return effect(pool, slot, 5);
  }

  RecordedLog pushes(int item) {
    return effect(0, item, 6);
  }

  /** Of what was taken and pushed only the first so many count. */
  RecordedLog undoes(int kept) {
    return effect(0, kept, 7);
  }

  private RecordedLog effect(int pool, int number, long kind) {
    return access(pool, number, (1L << 40) - 1, kind | AGAIN, 0);
  }

  private RecordedLog access(int object, int stamp, long datum, long kind, int line) {
    words.add((object & 0xffffffffL) | (long) stamp << 32);
    words.add(datum | kind << 40 | (long) line << 45);
    return this;
  }

  /** Ends an attempt of an item; of attempts that follow each other none overlaps the next. */
  RecordedLog commits(int item) {
    return ends(item, History.COMMIT);
  }

  RecordedLog cancels(int item) {
    return ends(item, History.CANCEL);
  }

  private RecordedLog ends(int item, int outcome) {
    long[] log = new long[4 + words.size()];
    log[0] = item | 1L << 32;
    log[1] = (1_000_000 - item) | WITH_DATA | (long) outcome << 32 | words.size() / 2L << 40;
    log[2] = 10L * attempts;
    log[3] = 10L * attempts + 5;
    for (int i = 0; i < words.size(); i++) {
      log[4 + i] = words.get(i);
    }
    builder.thread(item).addLog(log, log.length);
    words.clear();
    attempts++;
    return this;
  }

  RecordedLog aborts(int item) {
    return ends(item, History.ABORT + 2);
  }

  /** All of them; an attempt's number is its place among those that were ended. */
  History history() {
    return builder.build();
  }
}
