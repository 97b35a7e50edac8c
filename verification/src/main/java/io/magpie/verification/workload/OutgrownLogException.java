package io.magpie.verification.workload;

import io.magpie.stm.MagpieException;
import io.magpie.stm.Region;
import io.magpie.stm.simulator.AccessTrace;
import java.util.HashMap;
import java.util.Map;

/**
 * A transaction outgrew the logs that its region declares. Such transactions run in launches of
 * their own, and a chosen schedule is that of one launch.
 */
public final class OutgrownLogException extends MagpieException {
  private static final long serialVersionUID = 1L;

  /** The end of an attempt whose log was full: 16, and the cause. */
  private static final int OUTGROWN = 16 + 6;

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
            + outgrowing(region, trace)
            + ". They would run in further launches, and a schedule is that of one; declare more"
            + " in the region");
  }

  /** What an attempt did. */
  private static final class Work {
    int opened;
    int logged;
  }

  /** The first attempt that came to the end of its log, in words. */
  private static String outgrowing(Region region, AccessTrace trace) {
    Map<Integer, Work> threads = new HashMap<>();
    for (int i = 0; i < trace.size(); i++) {
      Work work = threads.computeIfAbsent(trace.thread(i), thread -> new Work());
      switch (trace.kind(i)) {
        case BEGIN -> {
          work.opened = 0;
          work.logged = 0;
        }
        case OPENED -> work.opened++;
        case LOGGED -> work.logged++;
        case END -> {
          boolean objects = work.opened >= region.maxObjects();
          if (trace.value(i) == OUTGROWN && (objects || work.logged >= region.maxWrites())) {
            return String.format(
                ": item %d %s",
                trace.item(i),
                objects
                    ? "opens more objects than " + work.opened
                    : "writes more data than " + work.logged);
          }
        }
        default -> {}
      }
    }
    return "";
  }
}
