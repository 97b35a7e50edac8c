package io.magpie.verification.check;

import io.magpie.verification.history.Access;
import io.magpie.verification.history.Anomaly;
import io.magpie.verification.history.History;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Names what single accesses show to be wrong, where {@link Versions} are not consistent. Of each
 * anomaly it counts all cases and keeps the first, in the order of the attempts.
 */
final class Inspection {
  private final History history;
  private final ObjectIndex objects;
  private final Versions versions;
  private final int[] finalStamps;

  /** Versions found by committed writes that are no slot, and the like; object << 32 | version. */
  private final Pairs beyond = new Pairs();

  /** Versions found by writes of attempts that did not commit. */
  private final Pairs uncommitted = new Pairs();

  /** Versions that their writer overwrote itself. */
  private final Pairs intermediate = new Pairs();

  /** The greatest version of each object that a write or the final stamp shows. */
  private final long[] greatest;

  private final Map<Anomaly, Case> cases = new EnumMap<>(Anomaly.class);

  /** The first case of an anomaly and the number of all. */
  private static final class Case {
    final int attempt;
    final int object;
    final long version;
    final long other;
    long count = 1;

    Case(int attempt, int object, long version, long other) {
      this.attempt = attempt;
      this.object = object;
      this.version = version;
      this.other = other;
    }
  }

  /** A set of pairs of object and version. */
  private static final class Pairs {
    private long[] pairs = new long[16];
    private int size;

    void add(int object, long version) {
      if (size == pairs.length) {
        pairs = Arrays.copyOf(pairs, 2 * size);
      }
      pairs[size++] = (long) object << 32 | version;
    }

    void seal() {
      Arrays.parallelSort(pairs, 0, size);
    }

    boolean contains(int object, long version) {
      return find(object, version) >= 0;
    }

    /** A place that is the same for equal pairs; negative if there is none. */
    int find(int object, long version) {
      return Arrays.binarySearch(pairs, 0, size, (long) object << 32 | version);
    }
  }

  /** Takes the accesses of one attempt. */
  private interface Visitor {
    void visit(int attempt, Footprint footprint);
  }

  private Inspection(History history, Versions versions, int[] finalStamps) {
    this.history = history;
    this.objects = versions.objects();
    this.versions = versions;
    this.finalStamps = finalStamps;
    greatest = new long[objects.count()];
  }

  /**
   * The worst anomaly that single accesses show.
   *
   * @param finalStamps by object number; null if they are not known
   */
  static Finding inspect(History history, Versions versions, int[] finalStamps) {
    Inspection inspection = new Inspection(history, versions, finalStamps);
    inspection.collect();
    inspection.judge();
    return inspection.finding();
  }

  private void forEach(boolean everything, Visitor visitor) {
    Footprint footprint = new Footprint(objects);
    for (int attempt = 0; attempt < history.size(); attempt++) {
      if (everything || versions.includes(attempt)) {
        long[] accesses = history.blockAccesses(attempt >>> History.BLOCK_BITS);
        boolean writes = everything || history.outcome(attempt) == History.COMMIT;
        footprint.load(accesses, versions.start(attempt), versions.end(attempt), writes);
        visitor.visit(attempt, footprint);
      }
    }
  }

  private long lastSlot(int object) {
    return versions.base(object + 1) - versions.base(object) - 1;
  }

  private void collect() {
    if (finalStamps != null) {
      for (int o = 0; o < greatest.length; o++) {
        greatest[o] = (finalStamps[objects.number(o)] - objects.initialStamp(o)) & 0xffffffffL;
      }
    }
    forEach(
        true,
        (attempt, footprint) -> {
          boolean committed = history.outcome(attempt) == History.COMMIT;
          long own = -1;
          for (int i = 0; i < footprint.size(); i++) {
            long key = footprint.key(i);
            if (!Footprint.isWrite(key)) {
              continue;
            }
            int object = Footprint.object(key);
            long version = Footprint.version(key);
            if (!committed) {
              uncommitted.add(object, version);
              continue;
            }
            greatest[object] = Math.max(greatest[object], version + 1);
            if (version >= lastSlot(object)) {
              beyond.add(object, version);
            }
            if (own >= 0 && key == own + 2) {
              intermediate.add(object, version);
            }
            own = key;
          }
        });
    beyond.seal();
    uncommitted.seal();
    intermediate.seal();
  }

  /** Whether a committed attempt made a version. */
  private boolean made(int object, long version) {
    if (version == 0) {
      return true;
    }
    return version <= lastSlot(object)
        ? versions.committed(versions.base(object) + (int) version)
        : beyond.contains(object, version - 1);
  }

  private void judge() {
    BitSet seen = new BitSet();
    BitSet seenBeyond = new BitSet();
    forEach(
        false,
        (attempt, footprint) -> {
          int object = -1;
          long ownWrite = -1;
          long foreignRead = -1;
          for (int i = 0; i < footprint.size(); i++) {
            long key = footprint.key(i);
            long version = Footprint.version(key);
            if (Footprint.object(key) != object) {
              object = Footprint.object(key);
              ownWrite = -1;
              foreignRead = -1;
            }
            if (Footprint.isWrite(key)) {
              if (version < lastSlot(object)) {
                judgeWrite(attempt, object, version, seen, versions.base(object) + (int) version);
              } else {
                judgeWrite(attempt, object, version, seenBeyond, beyond.find(object, version));
              }
              ownWrite = version;
            } else if (ownWrite < 0 || ownWrite != version - 1) {
              judgeRead(attempt, object, version, foreignRead);
              foreignRead = version;
            }
          }
        });
    if (finalStamps != null) {
      for (int o = 0; o < greatest.length; o++) {
        long expected = objects.stamp(o, lastSlot(o));
        if ((int) expected != finalStamps[objects.number(o)]) {
          report(Anomaly.WRONG_FINAL_STAMP, -1, o, lastSlot(o), -1);
        }
      }
    }
  }

  private void judgeWrite(int attempt, int object, long version, BitSet seen, int place) {
    boolean again = seen.get(place);
    seen.set(place);
    if (again) {
      report(Anomaly.LOST_UPDATE, attempt, object, version, -1);
    } else if (!made(object, version)) {
      report(
          uncommitted.contains(object, version - 1) ? Anomaly.DIRTY_WRITE : Anomaly.GARBAGE_STAMP,
          attempt,
          object,
          version,
          -1);
    }
  }

  private void judgeRead(int attempt, int object, long version, long foreignRead) {
    if (!made(object, version)) {
      Anomaly anomaly =
          uncommitted.contains(object, version - 1)
              ? Anomaly.ABORTED_READ
              : version <= greatest[object] + 1 ? Anomaly.DIRTY_READ : Anomaly.GARBAGE_STAMP;
      report(anomaly, attempt, object, version, -1);
    } else if (intermediate.contains(object, version)) {
      report(Anomaly.INTERMEDIATE_READ, attempt, object, version, -1);
    } else if (foreignRead >= 0 && foreignRead != version) {
      report(Anomaly.TORN_READ, attempt, object, foreignRead, version);
    }
  }

  private void report(Anomaly anomaly, int attempt, int object, long version, long other) {
    Case first = cases.get(anomaly);
    if (first == null) {
      cases.put(anomaly, new Case(attempt, object, version, other));
    } else {
      first.count++;
    }
  }

  private Finding finding() {
    if (cases.isEmpty()) {
      throw new IllegalStateException("inconsistent versions without a case");
    }
    Map.Entry<Anomaly, Case> worst = cases.entrySet().iterator().next();
    Case c = worst.getValue();
    Map<Anomaly, Long> counts = new EnumMap<>(Anomaly.class);
    cases.forEach((anomaly, any) -> counts.put(anomaly, any.count));
    int number = objects.number(c.object);
    long stamp = objects.stamp(c.object, c.version);
    Set<Integer> attempts = new LinkedHashSet<>();
    if (c.attempt >= 0) {
      attempts.add(c.attempt);
    }
    String what = describe(worst.getKey(), c, number, stamp, attempts);
    return Finding.ofAccess(history, worst.getKey(), number, attempts, what, counts);
  }

  private String describe(Anomaly anomaly, Case c, int object, long stamp, Set<Integer> attempts) {
    String version = "version " + stamp + " of object " + object;
    switch (anomaly) {
      case LOST_UPDATE:
        attempts.clear();
        addWriters(object, stamp, true, attempts);
        return attempts.size() == 1
            ? "overwrote " + version + " twice"
            : "each overwrote " + version + ", so one of the updates is lost";
      case ABORTED_READ:
        addWriters(object, (stamp - 1) & 0xffffffffL, false, attempts);
        return "read " + version + ", which B wrote, but did not commit";
      case DIRTY_WRITE:
        addWriters(object, (stamp - 1) & 0xffffffffL, false, attempts);
        return "overwrote " + version + ", which B wrote, but did not commit";
      case INTERMEDIATE_READ:
        addWriters(object, stamp, true, attempts);
        return "read " + version + ", which B wrote and overwrote in the same attempt";
      case DIRTY_READ:
        return "read " + version + ", which nobody committed";
      case TORN_READ:
        addWriters(object, stamp, true, attempts);
        return "read versions "
            + stamp
            + " and "
            + objects.stamp(c.object, c.other)
            + " of object "
            + object
            + "; B overwrote version "
            + stamp;
      case GARBAGE_STAMP:
        return "found " + version + ", to which nothing in the history leads";
      case WRONG_FINAL_STAMP:
        return "object "
            + object
            + " ends with stamp "
            + Integer.toUnsignedString(finalStamps[object])
            + ", its committed writes lead to "
            + stamp;
      default:
        throw new IllegalStateException(anomaly.name());
    }
  }

  /** The first two attempts that found a version when they wrote. */
  private void addWriters(int object, long stamp, boolean committed, Set<Integer> attempts) {
    long wanted = Access.write(object, (int) stamp);
    int found = 0;
    for (int attempt = 0; attempt < history.size() && found < 2; attempt++) {
      if ((history.outcome(attempt) == History.COMMIT) == committed) {
        long[] accesses = history.blockAccesses(attempt >>> History.BLOCK_BITS);
        for (int i = versions.start(attempt); i < versions.end(attempt) && found < 2; i++) {
          if (accesses[i] == wanted) {
            attempts.add(attempt);
            found++;
          }
        }
      }
    }
  }
}
