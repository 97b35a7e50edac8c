package io.magpie.verification.workload;

import io.magpie.stm.MagpieException;
import io.magpie.stm.Recording;
import io.magpie.stm.Region;
import io.magpie.stm.simulator.AccessTrace;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A transaction outgrew the logs that its region declares. Such transactions run in launches of
 * their own, and a chosen schedule is that of one launch.
 */
public final class OutgrownLogException extends MagpieException {
  private static final long serialVersionUID = 1L;

  /** The end of an attempt whose log was full. */
  private static final int OUTGROWN = Recording.Format.ABORT + Recording.Format.OVERFLOW;

  /**
   * @param trace of the launch; empty if it was not traced
   */
  OutgrownLogException(Region region, AccessTrace trace) {
    super(
        "region "
            + region.name()
            + " has transactions that outgrow its max_objects ("
            + region.maxObjects()
            + ") or max_writes ("
            + region.maxWrites()
            + ")"
            + outgrowing(region.maxObjects(), region.maxWrites(), trace)
            + ". They would run in further launches, and a schedule is that of one; declare more"
            + " in the region");
  }

  /** What an attempt's log holds: the objects that it opened, and the data that it wrote. */
  private static final class Log {
    final List<Long> objects = new ArrayList<>();
    final List<Long> writes = new ArrayList<>();

    /** Of each inner transaction under way, how much the log held before. */
    final Deque<int[]> inner = new ArrayDeque<>();

    /** What it held when inner transactions were undone, if nothing went on since; else null. */
    int[] beforeUndo;

    int[] sizes() {
      return new int[] {objects.size(), writes.size()};
    }

    /** An object is opened once. */
    void open(long object) {
      beforeUndo = null;
      if (!objects.contains(object)) {
        objects.add(object);
      }
    }

    /** An inner transaction leaves the writes of what is around it as they are. */
    void write(long address) {
      beforeUndo = null;
      int first = inner.isEmpty() ? 0 : inner.peek()[1];
      if (!writes.subList(first, writes.size()).contains(address)) {
        writes.add(address);
      }
    }

    void beginInner() {
      beforeUndo = null;
      inner.push(sizes());
    }

    void undo() {
      if (beforeUndo == null) {
        beforeUndo = sizes();
      }
      int[] before = inner.pop();
      objects.subList(before[0], objects.size()).clear();
      writes.subList(before[1], writes.size()).clear();
    }

    void undoEffects() {
      writes.subList(inner.pop()[1], writes.size()).clear();
    }

    /**
     * What it held at the last operation: where that was in an inner transaction, this was undone
     * before the attempt ended.
     */
    int[] atEnd() {
      return beforeUndo == null ? sizes() : beforeUndo;
    }
  }

  /** The first attempt that came to the end of its log, in words. */
  static String outgrowing(int maxObjects, int maxWrites, AccessTrace trace) {
    Map<Integer, Log> threads = new HashMap<>();
    for (int i = 0; i < trace.size(); i++) {
      Log log = threads.computeIfAbsent(trace.thread(i), thread -> new Log());
      switch (trace.kind(i)) {
        case BEGIN -> threads.put(trace.thread(i), new Log());
        case OPENED -> log.open(trace.object(i));
        case LOGGED -> log.write(trace.address(i));
        case INNER_BEGIN -> log.beginInner();
        case INNER_KEPT -> log.inner.pop();
        case INNER_UNDONE -> log.undo();
        case EFFECTS_UNDONE -> log.undoEffects();
        case END -> {
          boolean objects = log.atEnd()[0] >= maxObjects;
          if (trace.value(i) == OUTGROWN && (objects || log.atEnd()[1] >= maxWrites)) {
            return String.format(
                ": item %d %s",
                trace.item(i),
                objects
                    ? "opens more than " + maxObjects + (maxObjects == 1 ? " object" : " objects")
                    : "writes more than " + maxWrites + (maxWrites == 1 ? " datum" : " data"));
          }
        }
        default -> {}
      }
    }
    return "";
  }
}
