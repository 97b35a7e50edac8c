package io.magpie.verification.data;

import io.magpie.stm.Recording;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.explore.Violation.Kind;
import io.magpie.verification.history.DataAccess;
import io.magpie.verification.history.History;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

/**
 * {@link RecordedGuards} the slow way, with objects for everything: what its findings are compared
 * with.
 */
final class SlowGuards {
  /** Attempts looked at in search of chains. */
  private static final long MOST_LOOKS = 2_000_000;

  private final History history;
  private final int[] order;
  private final LongFunction<String> dataNames;
  private final IntFunction<String> objectNames;
  private final int[][] held; // objects of each attempt in the order, once they were asked for
  private long looks;

  private SlowGuards(
      History history,
      int[] order,
      LongFunction<String> dataNames,
      IntFunction<String> objectNames) {
    this.history = history;
    this.order = order;
    this.dataNames = dataNames;
    this.objectNames = objectNames;
    this.held = new int[order.length][];
  }

  static RecordedGuards.Result check(
      History history,
      int[] order,
      LongFunction<String> dataNames,
      IntFunction<String> objectNames) {
    SlowGuards guards = new SlowGuards(history, order, dataNames, objectNames);
    Optional<Violation> violation = guards.check();
    return new RecordedGuards.Result(violation, guards.looks <= MOST_LOOKS);
  }

  /**
   * An access to a datum.
   *
   * @param place of its attempt in the order
   * @param index among that attempt's accesses
   */
  private record Use(int place, int index) {}

  /** What is known of a datum: objects in common, and whether it is shared and written. */
  private static final class Common {
    final int first;
    int[] objects;
    boolean shared;
    boolean written;

    Common(int first, int[] objects) {
      this.first = first;
      this.objects = objects;
    }
  }

  private Optional<Violation> check() {
    Map<Long, Common> data = new HashMap<>();
    forEachUse(
        (use, access, opened) -> {
          Common common =
              data.computeIfAbsent(access.datum(), datum -> new Common(use.place, opened));
          common.shared |= common.first != use.place;
          common.written |= access.kind() == DataAccess.Kind.WRITE;
          common.objects = both(common.objects, opened);
        });
    Set<Long> suspicious = new HashSet<>();
    data.forEach(
        (datum, common) -> {
          if (common.shared && common.written && common.objects.length == 0) {
            suspicious.add(datum);
          }
        });
    if (suspicious.isEmpty()) {
      return Optional.empty();
    }
    Map<Long, List<Use>> uses = new LinkedHashMap<>();
    forEachUse(
        (use, access, opened) -> {
          if (suspicious.contains(access.datum())) {
            uses.computeIfAbsent(access.datum(), datum -> new ArrayList<>()).add(use);
          }
        });
    return uses.values().stream().flatMap(all -> unordered(all).stream()).findFirst();
  }

  @FunctionalInterface
  private interface Visitor {
    void visit(Use use, DataAccess access, int[] opened);
  }

  /**
   * Reads and writes of the arguments' data in the order of the attempts, with the objects open
   * before each, sorted.
   */
  private void forEachUse(Visitor visitor) {
    for (int place = 0; place < order.length; place++) {
      int attempt = order[place];
      boolean committed = history.outcome(attempt) == History.COMMIT;
      int[] opened = new int[0];
      for (int i = 0; i < history.dataCount(attempt); i++) {
        DataAccess each = history.data(attempt, i);
        switch (each.kind()) {
          case OPENED -> {
            opened = Arrays.copyOf(opened, opened.length + 1);
            opened[opened.length - 1] = each.object();
            Arrays.sort(opened);
          }
          case READ, WRITE -> {
            boolean counts = committed || each.kind() == DataAccess.Kind.READ;
            if (counts && each.datum() != Recording.Data.NOWHERE) {
              visitor.visit(new Use(place, i), each, opened);
            }
          }
          case PEEK -> {}
        }
      }
    }
  }

  private static int[] both(int[] a, int[] b) {
    return a == b ? a : Arrays.stream(a).filter(x -> Arrays.binarySearch(b, x) >= 0).toArray();
  }

  /** The first two of a datum's uses that follow each other without an order. */
  private Optional<Violation> unordered(List<Use> uses) {
    Use written = null;
    List<Use> read = new ArrayList<>(); // since then
    for (Use use : uses) {
      boolean write = access(use).kind() == DataAccess.Kind.WRITE;
      if (written != null && !ordered(written, use)) {
        return Optional.of(violation(written, use));
      }
      if (write) {
        for (Use before : read) {
          if (!ordered(before, use)) {
            return Optional.of(violation(before, use));
          }
        }
        written = use;
        read.clear();
      } else {
        read.add(use);
      }
    }
    return Optional.empty();
  }

  /** Whether a chain of objects leads from one use to a later one; also if that takes too long. */
  private boolean ordered(Use first, Use second) {
    if (first.place == second.place) {
      return true;
    }
    Set<Integer> reached = new HashSet<>();
    add(reached, held(first.place));
    int[] wanted = opened(second.place, second.index);
    for (int place = first.place + 1; place < second.place; place++) {
      if (any(reached, wanted) || ++looks > MOST_LOOKS) {
        return true;
      }
      if (any(reached, held(place))) {
        add(reached, held(place));
      }
    }
    return any(reached, wanted);
  }

  private static boolean any(Set<Integer> set, int[] objects) {
    for (int object : objects) {
      if (set.contains(object)) {
        return true;
      }
    }
    return false;
  }

  private static void add(Set<Integer> to, int[] objects) {
    for (int object : objects) {
      to.add(object);
    }
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

  private DataAccess access(Use use) {
    return history.data(order[use.place], use.index);
  }

  private Violation violation(Use first, Use second) {
    return new Violation(
        Kind.GUARD_MISMATCH,
        String.format(
            "%s: the two are made under different objects, so nothing orders them%n  %s%n  %s%n"
                + "remedy: let one object guard each datum, and open it wherever the datum is used",
            dataNames.apply(access(second).datum()), line(second), line(first)));
  }

  private String line(Use use) {
    int attempt = order[use.place];
    DataAccess access = access(use);
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
