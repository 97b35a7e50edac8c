package io.magpie.verification.data;

import io.magpie.stm.simulator.AccessTrace;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A trace, taken apart into the attempts of its items. */
final class Attempts {
  private final List<Attempt> all = new ArrayList<>();
  private final List<Access> accesses = new ArrayList<>();
  private final List<SlotUse> slotUses = new ArrayList<>();
  private int executions; // of items, so far

  /** What a thread is doing. */
  private static final class Running {
    Attempt attempt;
    int phase = AccessTrace.PHASE_BODY;

    /** Where the attempt asked for the last write to an address. */
    final Map<Long, Long> logged = new HashMap<>();

    /** Of each inner transaction under way, how much the attempt had done before. */
    final Deque<int[]> inner = new ArrayDeque<>();
  }

  Attempts(AccessTrace trace) {
    Map<Integer, Running> threads = new HashMap<>();
    for (int i = 0; i < trace.size(); i++) {
      take(trace, i, threads.computeIfAbsent(trace.thread(i), thread -> new Running()));
    }
  }

  private void take(AccessTrace trace, int i, Running running) {
    if (trace.kind(i) == AccessTrace.Kind.BEGIN) {
      running.attempt = next(trace, i, running.attempt);
      running.phase = AccessTrace.PHASE_BODY;
      running.inner.clear();
      running.logged.clear();
      all.add(running.attempt);
      return;
    }
    Attempt attempt = running.attempt;
    if (attempt == null) {
      return; // before the thread's first item
    }
    switch (trace.kind(i)) {
      case PHASE -> {
        running.phase = (int) trace.value(i);
        if (running.phase == AccessTrace.PHASE_IRREVOCABLE) {
          attempt.opened.put(Attempt.IRREVOCABLE, i);
        }
      }
      case OPENED -> attempt.opened.put(trace.object(i), i);
      case LOCKED -> {
        attempt.serial = i;
        running.phase = AccessTrace.PHASE_APPLY;
      }
      case CANCELED -> {
        attempt.serial = i;
        attempt.gaveUp = trace.value(i) != 0;
      }
      case END -> attempt.outcome = trace.value(i);
      case INNER_BEGIN ->
          running.inner.push(
              new int[] {
                attempt.opened.size(),
                attempt.accesses.size(),
                attempt.slotUses.size(),
                attempt.pushes.size()
              });
      case INNER_KEPT -> running.inner.pop();
      case INNER_UNDONE -> undo(attempt, running.inner.pop(), i);
      case EFFECTS_UNDONE -> undoEffects(attempt, running.inner.pop(), i);
      case TAKEN, FREED -> {
        SlotUse use =
            new SlotUse(
                i,
                attempt,
                trace.kind(i) == AccessTrace.Kind.FREED,
                running.phase,
                trace.address(i),
                trace.value(i),
                trace.place(i));
        attempt.slotUses.add(use);
        slotUses.add(use);
      }
      case LOGGED -> running.logged.put(trace.address(i), trace.place(i));
      case PUSHED -> attempt.pushes.add(trace.value(i));
      case BAD_HANDLE, FAULTED -> attempt.fault = i;
      case IN_VAIN -> attempt.inVain = i;
      default -> {
        Access access =
            new Access(
                i,
                attempt,
                trace.kind(i),
                running.phase,
                trace.address(i),
                trace.bytes(i),
                trace.value(i),
                trace.writes(i),
                trace.object(i),
                trace.kind(i) == AccessTrace.Kind.WRITE_BACK
                    ? running.logged.getOrDefault(trace.address(i), 0L)
                    : trace.place(i));
        attempt.accesses.add(access);
        accesses.add(access);
      }
    }
  }

  /**
   * The attempt that begins in a thread.
   *
   * @param last the thread's last one; null if there is none
   */
  private Attempt next(AccessTrace trace, int i, Attempt last) {
    boolean again =
        last != null
            && last.item == trace.item(i)
            && last.number < trace.attempt(i)
            && last.outcome != Attempt.COMMIT
            && last.outcome != Attempt.CANCEL;
    int execution = again ? last.execution : executions++;
    return new Attempt(trace.item(i), trace.attempt(i), trace.thread(i), execution);
  }

  /** Claims and reads are undone; what was written past the transaction stays. */
  private static void undo(Attempt attempt, int[] before, int event) {
    attempt.undidInner = true;
    undoEffects(attempt, before, event);
    List<Long> words = new ArrayList<>(attempt.opened.keySet());
    words.subList(before[0], words.size()).forEach(attempt.opened::remove);
    List<Access> within = attempt.accesses.subList(before[1], attempt.accesses.size());
    within.stream().filter(access -> !access.writes()).forEach(attempt.undoneReads::add);
    within.removeIf(access -> !access.writes());
  }

  /** Slots and pushes are undone; logged writes have not reached memory. */
  private static void undoEffects(Attempt attempt, int[] before, int event) {
    List<Access> within = attempt.accesses.subList(before[1], attempt.accesses.size());
    Optional<Access> last = within.stream().reduce((earlier, later) -> later);
    List<SlotUse> uses = attempt.slotUses.subList(before[2], attempt.slotUses.size());
    uses.stream()
        .filter(each -> !each.frees())
        .forEach(each -> attempt.givenBack.add(new Attempt.GivenBack(each, event, last)));
    uses.clear();
    attempt.pushes.subList(before[3], attempt.pushes.size()).clear();
  }

  /** All attempts, in the order of their beginnings. */
  List<Attempt> all() {
    return all;
  }

  /** All accesses, in their order, also those of attempts that were undone. */
  List<Access> accesses() {
    return accesses;
  }

  /** The same without reads of inner transactions that were undone. */
  List<Access> keptAccesses() {
    return all.stream()
        .flatMap(attempt -> attempt.accesses.stream())
        .sorted(Comparator.comparingInt(Access::event))
        .toList();
  }

  /** Those that committed or canceled, in the serial order. */
  List<Attempt> standing() {
    return all.stream()
        .filter(Attempt::stands)
        .sorted(Comparator.comparingInt(attempt -> attempt.serial))
        .toList();
  }

  /** What those that committed took and freed, in the order of the events. */
  List<SlotUse> slotUses() {
    return slotUses.stream()
        .filter(each -> each.attempt().outcome == Attempt.COMMIT)
        .filter(each -> each.attempt().slotUses.contains(each))
        .toList();
  }

  /** Whether any took or freed slots of a pool. */
  boolean usedSlots() {
    return !slotUses.isEmpty();
  }

  /** The attempt that ended the launch by a fault, if one did. */
  Optional<Attempt> faulted() {
    return all.stream().filter(each -> each.fault != Attempt.NEVER).findFirst();
  }
}
