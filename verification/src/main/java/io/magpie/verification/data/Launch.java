package io.magpie.verification.data;

import io.magpie.stm.simulator.AccessTrace;
import io.magpie.stm.simulator.AccessTrace.Memory;
import io.magpie.stm.simulator.AccessTrace.Memory.Contents;
import java.util.List;

/**
 * A launch as its trace tells it.
 *
 * @param number which of the run's launches, from 0 on
 * @param trace of its accesses
 * @param attempts that the trace tells of
 */
record Launch(int number, AccessTrace trace, Attempts attempts) {
  /** The use of a slot, and the launch that it is in. */
  record Use(Launch launch, SlotUse what) {
    long time() {
      return launch.time(what.since());
    }

    /** The pool of the slot. */
    Memory pool() {
      return launch.pool(what);
    }
  }

  /** The pool of an event, as its field. */
  Memory pool(SlotUse use) {
    return trace.memory(use.pool()).orElseThrow();
  }

  List<Memory> pools() {
    return trace.scope().memory().stream()
        .filter(each -> each.contents() == Contents.SLOTS && each.length() > 0)
        .toList();
  }

  /** What commits took of a pool and freed. */
  List<Use> uses(String pool) {
    return attempts.slotUses().stream()
        .filter(use -> pool(use).name().equals(pool))
        .map(use -> new Use(this, use))
        .toList();
  }

  /** A time that goes on over launches. */
  long time(int event) {
    return ((long) number << 32) + event;
  }
}
