package io.magpie.verification.data;

import io.magpie.stm.simulator.AccessTrace;
import io.magpie.stm.simulator.AccessTrace.Kind;

/**
 * One access of an attempt to the arguments' memory.
 *
 * @param event its place in the trace
 * @param attempt whose it is
 * @param kind how it was made
 * @param phase of the region, one of {@link AccessTrace}'s
 * @param address of the first byte
 * @param bytes how many, up to 8
 * @param value what was read or is there since
 * @param writes whether memory was written
 * @param object the object that it was made under; 0 = none
 * @param place where in the module's code; 0 = not known
 */
record Access(
    int event,
    Attempt attempt,
    Kind kind,
    int phase,
    long address,
    int bytes,
    long value,
    boolean writes,
    long object,
    long place) {
  private static final int HOOKS = AccessTrace.PHASE_COMMITTED | AccessTrace.PHASE_ROLLED_BACK;
  private static final int CAN_FAIL = AccessTrace.PHASE_BODY | AccessTrace.PHASE_SEEK;
  private static final int BEFORE_COMMIT = CAN_FAIL | AccessTrace.PHASE_IRREVOCABLE;

  /** Whether the transaction knows nothing of it. */
  boolean pastTransaction() {
    return switch (kind) {
      case PLAIN_READ, FIXED_READ, PLAIN_WRITE, SHARED_READ, SHARED_WRITE, ATOMIC -> true;
      default -> false;
    };
  }

  /** Whether it says of what it reads that no other item changes it meanwhile. */
  boolean isPlainRead() {
    return kind == Kind.PLAIN_READ || kind == Kind.FIXED_READ;
  }

  /** Whether it is said to be a hint, by its kind or by where it is: one that is read or left. */
  boolean isHint() {
    return kind == Kind.GLANCE
        || kind == Kind.LEAVE_HINT
        || kind == Kind.PEEK
        || phase == AccessTrace.PHASE_SEEK && kind == Kind.SHARED_READ;
  }

  /** Whether claims that stood at the commit cover it: it is made by those, or under the locks. */
  boolean isUnderClaims() {
    return !isHint() && (!pastTransaction() || phase == AccessTrace.PHASE_APPLY);
  }

  /** Whether it is in one of the hooks. */
  boolean inHook() {
    return (phase & HOOKS) != 0;
  }

  /** Whether the attempt could still fail. */
  boolean canFail() {
    return (phase & CAN_FAIL) != 0;
  }

  /** Whether it is in the body, in {@code plan} or in {@code seek}. */
  boolean beforeCommit() {
    return (phase & BEFORE_COMMIT) != 0;
  }

  /** What it is in the source's terms. */
  String inWords() {
    return switch (kind) {
      case READ -> "reads, by tx.read,";
      case LOAD -> "reads, by tx.load,";
      case PEEK -> "reads, by tx.peek,";
      case GLANCE -> "reads, by tx.glance,";
      case WRITE_BACK -> "writes, by tx.write,";
      case STORE -> "writes, by tx.store,";
      case TALLY -> "adds, by tx.tally, to";
      case LEAVE_HINT -> "leaves, by tx.leave_hint,";
      case PLAIN_READ -> "reads, past its transaction,";
      case FIXED_READ -> "reads, past its transaction by ld_plain,";
      case SHARED_READ -> "reads, past its transaction by an atomic load,";
      case PLAIN_WRITE -> "writes, past its transaction,";
      case SHARED_WRITE -> "writes, past its transaction by an atomic store,";
      case ATOMIC -> "updates, past its transaction by an atomic operation,";
      default -> throw new IllegalStateException(kind + " is no access");
    };
  }
}
