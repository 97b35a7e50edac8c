package io.magpie.verification.data;

import io.magpie.verification.history.Access;
import io.magpie.verification.history.DataAccess;
import io.magpie.verification.history.History;
import java.util.Arrays;
import java.util.Optional;

/**
 * Orders of the attempts that ended their items in a recorded run, all of them serial orders of
 * that run: in each, attempts that had an object open come in the order of their turns at it, and
 * what was peeked at comes between its version's commit and the next one's. What no object orders
 * may be either way.
 */
public final class RecordedOrder {
  private final History history;
  private final int[] attempts;
  private final Precedence precedence;

  private RecordedOrder(History history, int[] attempts) {
    this.history = history;
    this.attempts = attempts;
    this.precedence = new Precedence(attempts.length);
    if (addTurns()) {
      addPeeks();
    }
  }

  /**
   * An order of a history with data.
   *
   * @param wanted all attempts that ended their items, in the order that is kept where the objects
   *     leave a choice
   * @param latestFirst whether to do the contrary: of those that may come next the last one of
   *     {@code wanted} does
   * @return the attempts; empty if turns and versions contradict each other
   */
  public static Optional<int[]> of(History history, int[] wanted, boolean latestFirst) {
    if (!latestFirst && isOrdered(history, wanted)) {
      return Optional.of(wanted.clone());
    }
    return new RecordedOrder(history, wanted)
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

  private void addPeeks() {
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
          if (replacer >= 0) {
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
