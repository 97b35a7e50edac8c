package io.magpie.verification.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.stm.Recording;
import io.magpie.verification.history.History;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/** What is checked by datum finds what the slow checks find, word by word, and orders alike. */
class RecordedDataProperties {
  private static RecordedGuards.Result check(History history, int[] order) {
    return RecordedGuards.check(
        history, order, datum -> "data[" + datum + "]", object -> "objects[" + object + "]");
  }

  private static RecordedGuards.Result slowCheck(History history, int[] order) {
    return SlowGuards.check(
        history, order, datum -> "data[" + datum + "]", object -> "objects[" + object + "]");
  }

  private static int[] shuffled(int size, SplittableRandom random) {
    int[] all = IntStream.range(0, size).toArray();
    for (int i = size - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int each = all[i];
      all[i] = all[other];
      all[other] = each;
    }
    return all;
  }

  private static void assertAlike(History history, int[] wanted) {
    for (boolean latestFirst : new boolean[] {false, true}) {
      int[] slow = SlowOrder.of(history, wanted, latestFirst).orElse(null);
      assertArrayEquals(slow, RecordedOrder.of(history, wanted, latestFirst).orElse(null));
      int[] order = slow == null ? wanted : slow;
      assertEquals(slowCheck(history, order), check(history, order));
    }
  }

  /** Anything at all: turns and versions that contradict each other too. */
  @Property(tries = 2000, shrinking = ShrinkingMode.OFF)
  void findsTheSameInAnything(
      @ForAll long seed,
      @ForAll @IntRange(min = 0, max = 40) int attempts,
      @ForAll @IntRange(min = 1, max = 12) int objects,
      @ForAll @IntRange(min = 1, max = 12) int data) {
    SplittableRandom random = new SplittableRandom(seed);
    int apart = random.nextBoolean() ? 1 : Integer.MAX_VALUE / objects;
    long datumsApart = random.nextBoolean() ? 4 : (1L << 39) / data;
    int latest = random.nextBoolean() ? 0 : -2; // turns and stamps that wrap around
    RecordedLog log = new RecordedLog();
    for (int attempt = 0; attempt < attempts; attempt++) {
      int accesses = random.nextInt(8);
      for (int i = 0; i < accesses; i++) {
        int object = random.nextInt(objects) * apart;
        int stamp = latest + random.nextInt(3);
        boolean nowhere = random.nextInt(8) == 0;
        long datum = nowhere ? Recording.Data.NOWHERE : random.nextInt(data) * datumsApart;
        switch (random.nextInt(6)) {
          case 0, 1 -> log.opens(object, latest + random.nextInt(attempts));
          case 2 -> log.reads(object, stamp, datum, i);
          case 3 -> log.reads(object, datum, i);
          case 4 -> log.writes(object, stamp, datum, i);
          default -> log.peeks(object, stamp, datum);
        }
      }
      if (random.nextInt(4) == 0) {
        log.cancels(attempt);
      } else {
        log.commits(attempt);
      }
    }
    assertAlike(log.history(), shuffled(attempts, random));
  }

  /**
   * What a region does that guards its data: each by one object, some by several, some by one that
   * changes in an attempt that has both, and in some histories one by none of these.
   */
  @Property(tries = 1500, shrinking = ShrinkingMode.OFF)
  void findsTheSameWhereObjectsGuard(
      @ForAll long seed,
      @ForAll @IntRange(min = 2, max = 60) int attempts,
      @ForAll @IntRange(min = 2, max = 8) int objects,
      @ForAll @IntRange(min = 1, max = 30) int data) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] guards = IntStream.range(0, data).map(datum -> random.nextInt(objects)).toArray();
    boolean wrong = random.nextInt(4) == 0;
    Map<Integer, Integer> turns = new HashMap<>();
    Map<Integer, Integer> versions = new HashMap<>();
    RecordedLog log = new RecordedLog();
    for (int attempt = 0; attempt < attempts; attempt++) {
      boolean commits = random.nextInt(5) != 0;
      Map<Integer, Boolean> written = new HashMap<>(); // objects that are open
      int accesses = 1 + random.nextInt(5);
      for (int i = 0; i < accesses; i++) {
        int datum = random.nextInt(data);
        int guard = wrong && random.nextInt(20) == 0 ? random.nextInt(objects) : guards[datum];
        int other = random.nextInt(3) == 0 ? random.nextInt(objects) : guard;
        for (int object : new int[] {guard, other}) {
          if (written.putIfAbsent(object, false) == null) {
            log.opens(object, turns.getOrDefault(object, 0));
          }
        }
        int through = random.nextBoolean() ? guard : other;
        int version = versions.getOrDefault(through, 0);
        if (random.nextInt(8) == 0) {
          int peeked = random.nextInt(objects);
          log.peeks(peeked, versions.getOrDefault(peeked, 0), 4L * datum);
        } else if (random.nextBoolean()) {
          log.writes(through, version, 4L * datum, i);
          written.put(through, true);
        } else {
          log.reads(through, version, 4L * datum, i);
        }
        guards[datum] = commits && random.nextInt(4) == 0 ? other : guard;
      }
      if (commits) {
        log.commits(attempt);
        written.forEach(
            (object, writes) -> {
              turns.merge(object, 1, Integer::sum);
              versions.merge(object, writes ? 1 : 0, Integer::sum);
            });
      } else {
        log.cancels(attempt);
      }
    }
    History history = log.history();
    assertAlike(history, IntStream.range(0, attempts).toArray());
    assertAlike(history, shuffled(attempts, random));
  }

  /** Tables grow: many objects, data and turns, and few that are used under two objects. */
  @Property(tries = 5, shrinking = ShrinkingMode.OFF)
  void findsTheSameInMuch(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] turns = new int[2000];
    RecordedLog log = new RecordedLog();
    for (int attempt = 0; attempt < 5000; attempt++) {
      int opens = random.nextInt(40) == 0 ? 100 : 3;
      for (int i = 0; i < opens; i++) {
        int object = random.nextInt(turns.length);
        log.opens(object, turns[object]++).writes(object, 0, 4L * (object * 5 + i % 5), i);
      }
      log.opens(3000, attempt).opens(3001 + attempt % 2, attempt);
      log.writes(3001 + attempt % 2, 0, 1L << 30, 7).commits(attempt);
    }
    History history = log.history();
    assertAlike(history, IntStream.range(0, history.size()).toArray());
  }

  /** Chains that are so long that not all are looked for. */
  @Example
  void givesUpAtTheSamePoint() {
    int attempts = 5000;
    int data = 500;
    RecordedLog log = new RecordedLog();
    for (int attempt = 0; attempt < attempts; attempt++) {
      if (attempt < data) {
        log.opens(0, attempt).writes(0, attempt, 4L * attempt, 1);
      } else if (attempt >= attempts - data) {
        log.opens(1, attempt).writes(1, attempt, 4L * (attempt - attempts + data), 2);
      } else if (attempt == attempts - data - 1) {
        log.opens(0, attempt).opens(1, attempt);
      } else {
        log.opens(2 + attempt % 5, attempt);
      }
      log.commits(attempt);
    }
    History history = log.history();
    int[] order = IntStream.range(0, attempts).toArray();
    RecordedGuards.Result result = check(history, order);
    assertEquals(slowCheck(history, order), result);
    assertEquals(new RecordedGuards.Result(Optional.empty(), false), result);
  }
}
