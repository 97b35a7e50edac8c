package io.magpie.verification.data;

import io.magpie.verification.history.Access;
import io.magpie.verification.history.DataAccess;
import io.magpie.verification.history.History;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Orders of the attempts that ended their items in a recorded run. In each, attempts that had an
 * object open come in the order of their turns at it, and those that peeked behind the commit whose
 * version they saw. Serial orders of the run also have them before the next commit; others need
 * not, as nothing held what was seen. What no object orders may be either way.
 */
public final class RecordedOrder {
  private final History history;
  private final int[] attempts;
  private final Precedence precedence;

  /** What a peek says of the order. */
  private enum Peeks {
    /** Nothing. */
    IGNORED,
    /** That it comes behind the commit whose version it saw. */
    BEHIND,
    /** That it also comes before the next commit. */
    IN_PLACE
  }

  private RecordedOrder(History history, int[] attempts, Peeks peeks) {
    this.history = history;
    this.attempts = attempts;
    this.precedence = new Precedence(attempts.length);
    if (addTurns() && peeks != Peeks.IGNORED) {
      addPeeks(peeks == Peeks.IN_PLACE);
    }
  }

  /** Whether attempts come in the order of their turns, whatever those of them saw that peeked. */
  public static boolean keepsTurns(History history, int[] attempts) {
    return new RecordedOrder(history, attempts, Peeks.IGNORED)
        .precedence
        .sorted(false) // the first that may come next is the first that is left if all keep to it
        .filter(nodes -> Arrays.equals(nodes, IntStream.range(0, attempts.length).toArray()))
        .isPresent();
  }

  /**
   * An order of a history with data.
   *
   * @param wanted all attempts that ended their items, in the order that is kept where the objects
   *     leave a choice
   * @param latestFirst whether to do the contrary: of those that may come next the last one of
   *     {@code wanted} does. That need not be a serial order of the run: what peeked may come
   *     behind later commits, too
   * @return the attempts; empty if turns and versions contradict each other
   */
  public static Optional<int[]> of(History history, int[] wanted, boolean latestFirst) {
    if (!latestFirst && isOrdered(history, wanted)) {
      return Optional.of(wanted.clone());
    }
    return new RecordedOrder(history, wanted, latestFirst ? Peeks.BEHIND : Peeks.IN_PLACE)
        .precedence
        .sorted(latestFirst)
        .map(nodes -> Arrays.stream(nodes).map(node -> wanted[node]).toArray());
  }

  /**
   * Whether attempts come in the order of their turns already, each turn as late as the commits
   * before it make it, and nobody peeks: the usual case, told in one pass.
   */
  private static boolean isOrdered(History history, int[] attempts) {
    ObjectCounts commits = new ObjectCounts(history.greatestObject());
    for (int attempt : attempts) {
      int block = attempt >>> History.BLOCK_BITS;
      int[] starts = history.blockDataStarts(block);
      if (starts == null) {
        continue;
      }
      long[] data = history.blockData(block);
      int inBlock = attempt & (1 << History.BLOCK_BITS) - 1;
      int end = 2 * starts[inBlock + 1];
      for (int i = 2 * starts[inBlock]; i < end; i += 2) {
        DataAccess.Kind kind = DataAccess.kind(data[i + 1]);
        int object = Access.object(data[i]);
        boolean follows = ObjectCounts.holds(object) && commits.of(object) == Access.stamp(data[i]);
        if (kind == DataAccess.Kind.OPENED ? !follows : kind == DataAccess.Kind.PEEK) {
          return false;
        }
      }
      if (history.outcome(attempt) == History.COMMIT) {
        for (int i = 2 * starts[inBlock]; i < end; i += 2) {
          if (DataAccess.kind(data[i + 1]) == DataAccess.Kind.OPENED) {
            // An object that is opened twice has the same turn, so that it is counted once.
            commits.set(Access.object(data[i]), Access.stamp(data[i]) + 1);
          }
        }
      }
    }
    return true;
  }

  /** Orders the turns; whether there are peeks. */
  private boolean addTurns() {
    Turns turns = new Turns();
    boolean peeks = false;
    for (int node = 0; node < attempts.length; node++) {
      int attempt = attempts[node];
      boolean committed = history.outcome(attempt) == History.COMMIT;
      int count = history.dataCount(attempt);
      for (int i = 0; i < count; i++) {
        DataAccess each = history.data(attempt, i);
        DataAccess.Kind kind = each.kind();
        if (kind == DataAccess.Kind.OPENED) {
          turns.add(each.object(), each.turn(), committed, node);
        }
        peeks |= kind == DataAccess.Kind.PEEK;
      }
    }
    turns.sort();
    int commit = -1; // the latest at the present object
    int cancels = 0; // where those since then begin
    for (int i = 0; i < turns.size(); i++) {
      if (i == 0 || turns.object(i) != turns.object(i - 1)) {
        commit = -1;
        cancels = i;
      }
      if (commit >= 0) {
        precedence.add(commit, turns.node(i));
      }
      if (turns.commits(i)) {
        commit = turns.node(i);
        while (cancels < i) {
          precedence.add(turns.node(cancels++), commit);
        }
        cancels++;
      }
    }
    return peeks;
  }

  private void addPeeks(boolean inPlace) {
    Numbering versions = new Numbering(); // that somebody peeked at, and those after them
    forEachPeek(
        (node, object, stamp) -> {
          versions.number(version(object, stamp - 1));
          versions.number(version(object, stamp));
        });
    int[] replacers = new int[versions.size()];
    Arrays.fill(replacers, -1);
    for (int node = 0; node < attempts.length; node++) {
      int attempt = attempts[node];
      int count = history.outcome(attempt) == History.COMMIT ? history.accessCount(attempt) : 0;
      for (int i = 0; i < count; i++) {
        long access = history.access(attempt, i);
        int version =
            Access.isWrite(access)
                ? versions.find(version(Access.object(access), Access.stamp(access)))
                : -1;
        if (version >= 0) {
          replacers[version] = node;
        }
      }
    }
    forEachPeek(
        (node, object, stamp) -> {
          int maker = replacers[versions.find(version(object, stamp - 1))];
          int replacer = replacers[versions.find(version(object, stamp))];
          if (maker >= 0) {
            precedence.add(maker, node);
          }
          if (inPlace && replacer >= 0) {
            precedence.add(node, replacer);
          }
        });
  }

  @FunctionalInterface
  private interface PeekVisitor {
    void visit(int node, int object, int stamp);
  }

  private void forEachPeek(PeekVisitor visitor) {
    for (int node = 0; node < attempts.length; node++) {
      int count = history.dataCount(attempts[node]);
      for (int i = 0; i < count; i++) {
        DataAccess each = history.data(attempts[node], i);
        if (each.kind() == DataAccess.Kind.PEEK) {
          visitor.visit(node, each.object(), Access.stamp(each.access()));
        }
      }
    }
  }

  private static long version(int object, int stamp) {
    return (long) object << 32 | stamp & 0xffffffffL;
  }
}
