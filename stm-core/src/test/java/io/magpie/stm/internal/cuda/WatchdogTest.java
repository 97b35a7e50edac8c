package io.magpie.stm.internal.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.internal.Backend.Watch;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

/** Launches on a stream that takes steps: something before, then the flag's reset, then they. */
class WatchdogTest {
  private static final long GRACE = 10;

  /** A launch that ends by its flag only, or never. */
  private static final class Launch {
    private final Watchdog watchdog;
    private final long before;
    private final boolean heeds;
    private boolean flag;
    private long now;

    /** When the flag was raised, and when the launch was given up; -1 = it was not. */
    private long raisedAt = -1;

    private long givenUpAt = -1;

    /**
     * @param before steps until the stream lowers the flag and comes to the launch
     * @param heeds whether the flag ends it
     */
    Launch(Watch watch, long before, boolean heeds) {
      this.watchdog = new Watchdog(watch, GRACE);
      this.before = before;
      this.heeds = heeds;
    }

    /**
     * Looks once a step until the launch has ended or was given up, or so many steps are over.
     *
     * @return whether it has ended
     */
    boolean run(long steps, LongConsumer atStep) {
      for (; now < steps; now++) {
        if (now == before) {
          flag = false;
        }
        atStep.accept(now);
        if (heeds && flag && now >= before) {
          return true;
        }
        switch (watchdog.look(now, () -> now >= before)) {
          case RAISE -> {
            assertEquals(-1, raisedAt, "raised once only");
            raisedAt = now;
            flag = true;
          }
          case GIVE_UP -> {
            givenUpAt = now;
            return false;
          }
          default -> {}
        }
      }
      return false;
    }
  }

  @Test
  void timeCountsFromTheLaunchsBeginning() {
    for (long before : new long[] {0, 1, 4, 5, 6, 100, 1000}) {
      Launch launch = new Launch(new Watch(8, 5), before, true);
      assertTrue(launch.run(5000, now -> {}), "before: " + before);
      assertEquals(before + 5, launch.raisedAt);
      assertTrue(launch.watchdog.raised());
    }
  }

  @Test
  void cancelBeforeTheLaunchIsNotLost() {
    for (long canceled : new long[] {0, 3, 19, 20, 21, 40}) {
      Watch watch = new Watch(8, 0);
      Launch launch = new Launch(watch, 20, true);
      assertTrue(
          launch.run(
              5000,
              now -> {
                if (now == canceled) {
                  watch.cancel();
                }
              }),
          "canceled: " + canceled);
      assertEquals(Math.max(20, canceled), launch.raisedAt);
    }
  }

  @Test
  void onlyALaunchThatHadItsGraceIsGivenUp() {
    Launch launch = new Launch(new Watch(8, 5), 100, false);
    assertFalse(launch.run(5000, now -> {}));
    assertEquals(105, launch.raisedAt);
    assertEquals(105 + GRACE, launch.givenUpAt);
  }

  @Test
  void nothingEndsWhatHasNoTimeAndIsNotCanceled() {
    for (Watch watch : new Watch[] {null, new Watch(8, 0)}) {
      Launch launch = new Launch(watch, 3, true);
      assertFalse(launch.run(5000, now -> {}));
      assertFalse(launch.watchdog.raised());
      assertEquals(-1, launch.givenUpAt);
    }
  }
}
