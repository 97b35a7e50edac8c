package io.magpie.verification.workload;

import io.magpie.stm.MagpieException;
import io.magpie.stm.Region;

/**
 * A transaction outgrew the logs that its region declares. Such transactions run in launches of
 * their own, and a chosen schedule is that of one launch.
 */
public final class OutgrownLogException extends MagpieException {
  private static final long serialVersionUID = 1L;

  OutgrownLogException(Region region) {
    super(
        "region "
            + region.name()
            + " has transactions that outgrow its max_objects ("
            + region.maxObjects()
            + ") or max_writes ("
            + region.maxWrites()
            + "). They would run in further launches, and a schedule is that of one; declare more"
            + " in the region");
  }
}
