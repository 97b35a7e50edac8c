package io.magpie.verification.data;

import io.magpie.stm.Recording;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.explore.Violation.Kind;
import io.magpie.verification.history.Access;
import io.magpie.verification.history.DataAccess;
import io.magpie.verification.history.History;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

/**
 * Whether the objects of a recorded run guard its data: two accesses through transactions to one
 * datum, at least one of them a write, must be ordered by an object that both had open before, or
 * by a chain of such attempts. As {@link DataChecker} has it, of what a recording knows.
 *
 * <p>First the objects that all accesses to a datum have in common are looked for (Savage and
 * others, Eraser, TOCS 1997): where there is one it orders them all. Only of data without one are
 * accesses compared that follow each other, by the chain between them. Most data have an object
 * that all their accesses had open, and the first one that is tried is it: only of the others all
 * objects are kept that could be.
 */
public final class RecordedGuards {
  /** Attempts looked at in search of chains. */
  private static final long MOST_LOOKS = 2_000_000;

  /** Accesses of an attempt among which the opening before an access is looked for one by one. */
  private static final int FEW_ACCESSES = 64;

  /** Words of data that have a place each in an array, at most. */
  private static final long MOST_WORDS = 1 << 24;

  /**
   * What was found.
   *
   * @param violation the first datum under different objects
   * @param complete whether all data were looked at: else attempts are too many
   */
  public record Result(Optional<Violation> violation, boolean complete) {}

  private final History history;
  private final int[] order;
  private final LongFunction<String> dataNames;
  private final IntFunction<String> objectNames;
  private final ObjectSet reached = new ObjectSet();
  private int[][] held; // objects of each attempt in the order, once they were asked for
  private long looks;

  private RecordedGuards(
      History history,
      int[] order,
      LongFunction<String> dataNames,
      IntFunction<String> objectNames) {
    this.history = history;
    this.order = order;
    this.dataNames = dataNames;
    this.objectNames = objectNames;
  }

  /**
   * Looks for a datum under different objects.
   *
   * @param order as {@link RecordedOrder} gives it
   * @param dataNames a datum in words
   * @param objectNames an object in words
   */
  public static Result check(
      History history,
      int[] order,
      LongFunction<String> dataNames,
      IntFunction<String> objectNames) {
    if (hasOneGuardEach(history, order)) {
      return new Result(Optional.empty(), true);
    }
    RecordedGuards guards = new RecordedGuards(history, order, dataNames, objectNames);
    Optional<Violation> violation = guards.check();
    return new Result(violation, guards.looks <= MOST_LOOKS);
  }

  /**
   * Whether all accesses to a word are through the same object, which is open before: the usual
   * case, told in one pass. Words that are too many for that are left to the table.
   */
  private static boolean hasOneGuardEach(History history, int[] order) {
    ObjectCounts openAt = null; // made when an attempt has many accesses
    int[] guards = new int[firstWords(history)]; // by words, the object plus 1
    for (int place = 0; place < order.length; place++) {
      int block = order[place] >>> History.BLOCK_BITS;
      int[] starts = history.blockDataStarts(block);
      if (starts == null) {
        continue;
      }
      long[] data = history.blockData(block);
      int inBlock = order[place] & (1 << History.BLOCK_BITS) - 1;
      boolean committed = history.outcome(order[place]) == History.COMMIT;
      int begin = 2 * starts[inBlock];
      int end = 2 * starts[inBlock + 1];
      boolean few = end - begin <= 2 * FEW_ACCESSES; // a table of all objects is hardly in a cache
      for (int i = begin; i < end; i += 2) {
        int object = Access.object(data[i]);
        DataAccess.Kind kind = DataAccess.kind(data[i + 1]);
        if (kind == DataAccess.Kind.OPENED) {
          if (!ObjectCounts.holds(object)) {
            return false;
          }
          if (!few) {
            openAt = openAt == null ? new ObjectCounts(history.greatestObject()) : openAt;
            openAt.set(object, place + 1);
          }
        } else if (kind == DataAccess.Kind.READ || kind == DataAccess.Kind.WRITE && committed) {
          long datum = DataAccess.datum(data[i + 1]);
          if (datum == Recording.Data.NOWHERE) {
            continue;
          }
          long word = datum / Integer.BYTES;
          boolean open =
              few
                  ? opens(data, begin, i, object)
                  : openAt != null && openAt.of(object) == place + 1;
          if (!open || word >= MOST_WORDS) {
            return false;
          }
          if (word >= guards.length) {
            guards = Arrays.copyOf(guards, Growth.capacity(word + 1, guards.length));
          }
          if (guards[(int) word] == 0) {
            guards[(int) word] = object + 1;
          } else if (guards[(int) word] != object + 1) {
            return false;
          }
        }
      }
    }
    return true;
  }

  /**
   * As many words as there are objects, which often guard one each; more are added as they come.
   */
  private static int firstWords(History history) {
    return Math.max(1 << 10, Math.min((int) MOST_WORDS, history.greatestObject() + 1));
  }

  /** Whether an attempt opens an object among its accesses to data {@code begin .. end - 1}. */
  private static boolean opens(long[] data, int begin, int end, int object) {
    for (int i = end - 2; i >= begin; i -= 2) {
      if (Access.object(data[i]) == object
          && DataAccess.kind(data[i + 1]) == DataAccess.Kind.OPENED) {
        return true;
      }
    }
    return false;
  }

  /**
   * Goes through reads and writes of the arguments' data in the order of the attempts, with the
   * objects open before each.
   */
  private final class Uses {
    /** Of the attempt in the order. */
    int place = -1;

    /** Among that attempt's accesses. */
    int index;

    long datum;
    int object;
    boolean writes;
    final ObjectSet opened = new ObjectSet();

    private int count;
    private boolean committed;

    boolean next() {
      while (true) {
        while (++index >= count) {
          if (++place == order.length) {
            return false;
          }
          count = history.dataCount(order[place]);
          committed = history.outcome(order[place]) == History.COMMIT;
          opened.clear();
          index = -1;
        }
        DataAccess each = history.data(order[place], index);
        DataAccess.Kind kind = each.kind();
        if (kind == DataAccess.Kind.OPENED) {
          opened.add(each.object());
        } else if (kind == DataAccess.Kind.READ || kind == DataAccess.Kind.WRITE && committed) {
          datum = each.datum();
          object = each.object();
          writes = kind == DataAccess.Kind.WRITE;
          if (datum != Recording.Data.NOWHERE) {
            return true;
          }
        }
      }
    }
  }

  private Optional<Violation> check() {
    CommonGuards guards = new CommonGuards();
    for (Uses use = new Uses(); use.next(); ) {
      guards.note(use.datum, use.place, use.object, use.writes, use.opened);
    }
    int doubtful = guards.doubtful();
    if (doubtful == 0) {
      return Optional.empty();
    }
    int[] uses = new int[doubtful + 1]; // how many, each after the number of its datum
    BitSet suspicious = suspicious(guards, doubtful, uses);
    return suspicious.isEmpty() ? Optional.empty() : unordered(guards, suspicious, uses);
  }

  /**
   * The data, by their numbers, that have no object in common.
   *
   * @param uses how many each of them has, in the element after its number
   */
  private BitSet suspicious(CommonGuards guards, int doubtful, int[] uses) {
    int[][] common = new int[doubtful][];
    int[] opened = {};
    int openedAt = -1;
    for (Uses use = new Uses(); use.next(); ) {
      int number = guards.number(use.datum);
      if (number < 0) {
        continue;
      }
      if (openedAt != use.place || opened.length != use.opened.size()) {
        opened = use.opened.toArray();
        openedAt = use.place;
      }
      boolean first = common[number] == null;
      common[number] = first ? opened : both(common[number], use.opened);
      uses[number + 1]++;
    }
    BitSet suspicious = new BitSet();
    for (int number = 0; number < doubtful; number++) {
      suspicious.set(number, common[number].length == 0);
      uses[number + 1] = common[number].length == 0 ? uses[number + 1] : 0;
    }
    return suspicious;
  }

  private static int[] both(int[] objects, ObjectSet others) {
    int n = 0;
    for (int object : objects) {
      n += others.contains(object) ? 1 : 0;
    }
    if (n == objects.length) {
      return objects;
    }
    int[] both = new int[n];
    for (int i = objects.length - 1; n > 0; i--) {
      if (others.contains(objects[i])) {
        both[--n] = objects[i];
      }
    }
    return both;
  }

  /** The first two uses that follow each other without an order, of the first such datum. */
  private Optional<Violation> unordered(CommonGuards guards, BitSet suspicious, int[] uses) {
    int[] starts = uses.clone(); // of the uses of each datum, in a row
    for (int i = 1; i < starts.length; i++) {
      starts[i] = Math.addExact(starts[i], starts[i - 1]);
    }
    int[] next = starts.clone();
    int[] places = new int[starts[starts.length - 1]];
    int[] indices = new int[places.length];
    for (Uses use = new Uses(); use.next(); ) {
      int number = guards.number(use.datum);
      if (number >= 0 && suspicious.get(number)) {
        places[next[number]] = use.place;
        indices[next[number]++] = use.index;
      }
    }
    held = new int[order.length][];
    return suspicious.stream()
        .mapToObj(number -> unordered(places, indices, starts[number], starts[number + 1]))
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** The first two of a datum's uses, in a row, that follow each other without an order. */
  private Optional<Violation> unordered(int[] places, int[] indices, int begin, int end) {
    int written = -1;
    for (int use = begin; use < end; use++) {
      if (written >= 0 && !ordered(places[written], places[use], indices[use])) {
        return Optional.of(violation(places[written], indices[written], places[use], indices[use]));
      }
      if (access(places[use], indices[use]).kind() == DataAccess.Kind.WRITE) {
        for (int read = Math.max(begin, written + 1); read < use; read++) {
          if (!ordered(places[read], places[use], indices[use])) {
            return Optional.of(violation(places[read], indices[read], places[use], indices[use]));
          }
        }
        written = use;
      }
    }
    return Optional.empty();
  }

  /**
   * Whether a chain of objects leads from an attempt to a later one's access; also if that takes
   * too long.
   */
  private boolean ordered(int first, int second, int index) {
    if (first == second) {
      return true;
    }
    reached.clear();
    reached.addAll(held(first));
    int[] wanted = opened(second, index);
    for (int place = first + 1; place < second; place++) {
      if (reached.containsAny(wanted) || ++looks > MOST_LOOKS) {
        return true;
      }
      if (reached.containsAny(held(place))) {
        reached.addAll(held(place));
      }
    }
    return reached.containsAny(wanted);
  }

  private int[] held(int place) {
    if (held[place] == null) {
      held[place] = opened(place, history.dataCount(order[place]));
    }
    return held[place];
  }

  /** The objects that an attempt opened before its {@code end}-th access. */
  private int[] opened(int place, int end) {
    int attempt = order[place];
    return IntStream.range(0, end)
        .mapToObj(i -> history.data(attempt, i))
        .filter(each -> each.kind() == DataAccess.Kind.OPENED)
        .mapToInt(DataAccess::object)
        .toArray();
  }

  private DataAccess access(int place, int index) {
    return history.data(order[place], index);
  }

  private Violation violation(int first, int firstIndex, int second, int secondIndex) {
    return new Violation(
        Kind.GUARD_MISMATCH,
        String.format(
            "%s: the two are made under different objects, so nothing orders them%n  %s%n  %s%n"
                + "remedy: let one object guard each datum, and open it wherever the datum is used",
            dataNames.apply(access(second, secondIndex).datum()),
            line(second, secondIndex),
            line(first, firstIndex)));
  }

  private String line(int place, int index) {
    int attempt = order[place];
    DataAccess access = access(place, index);
    return String.format(
        "item %d, attempt %d, %s %s through %s%s",
        Integer.toUnsignedLong(history.item(attempt)),
        Integer.toUnsignedLong(history.number(attempt)),
        access.kind() == DataAccess.Kind.WRITE ? "writes" : "reads",
        dataNames.apply(access.datum()),
        objectNames.apply(access.object()),
        access.line() == 0 ? "" : " (line " + access.line() + ")");
  }
}
