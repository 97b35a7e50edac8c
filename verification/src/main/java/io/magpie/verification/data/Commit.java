package io.magpie.verification.data;

import io.magpie.stm.simulator.AccessTrace;
import io.magpie.verification.explore.AttemptId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An item's commit, as a trace has it: with what it wrote under its locks.
 *
 * @param item whose it is
 * @param writes in their order
 */
public record Commit(long item, List<Write> writes) {
  public Commit {
    writes = List.copyOf(writes);
  }

  /**
   * What memory holds since a commit.
   *
   * @param address of the first byte
   * @param bytes how many, 1 to 8
   * @param value zero-extended
   * @param place where in the module's code it was asked for; 0 = not known
   */
  public record Write(long address, int bytes, long value, long place) {}

  /**
   * The commits of a run.
   *
   * @param inOrder in the serial order: made one after the other, they lead from the state before
   *     the run to that after it
   * @param attempts whose they are, in the same order; no part of a commit, so that runs in which
   *     items take other numbers of attempts may have equal ones
   * @param others addresses that were written otherwise as well: by hooks, tallies and atomic
   *     operations, whose order is their own, and by attempts that may have been undone. What these
   *     hold between the commits nobody knows
   */
  public record Sequence(List<Commit> inOrder, List<AttemptId> attempts, Set<Long> others) {
    public Sequence {
      inOrder = List.copyOf(inOrder);
      attempts = List.copyOf(attempts);
      others = Set.copyOf(others);
    }
  }

  /** The commits of a traced run. */
  public static Sequence sequence(AccessTrace run) {
    Attempts attempts = new Attempts(run);
    Map<Attempt, List<Write>> writes = new LinkedHashMap<>();
    for (Attempt attempt : attempts.standing()) {
      if (attempt.outcome == Attempt.COMMIT) {
        writes.put(attempt, new ArrayList<>());
      }
    }
    Set<Long> others = new HashSet<>();
    for (Access access : attempts.accesses()) {
      if (access.writes()) {
        List<Write> own = writes.get(access.attempt());
        if (own != null && isLocked(access)) {
          own.add(new Write(access.address(), access.bytes(), access.value(), access.place()));
        } else {
          others.add(access.address());
        }
      }
    }
    List<Commit> commits = new ArrayList<>();
    writes.forEach((attempt, own) -> commits.add(new Commit(attempt.item, own)));
    return new Sequence(commits, writes.keySet().stream().map(Attempt::id).toList(), others);
  }

  /** Whether the locks of the attempt's objects are what orders the write. */
  private static boolean isLocked(Access access) {
    return switch (access.kind()) {
      case WRITE_BACK, STORE -> true;
      case PLAIN_WRITE, SHARED_WRITE -> access.phase() == AccessTrace.PHASE_APPLY;
      default -> false;
    };
  }
}
