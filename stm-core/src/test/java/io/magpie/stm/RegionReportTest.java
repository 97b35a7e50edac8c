package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.RegionReport.AbortCause;
import io.magpie.stm.RegionReport.Pass;
import io.magpie.stm.internal.Counter;
import io.magpie.stm.internal.Counts;
import io.magpie.stm.internal.LaunchLayout;
import io.magpie.stm.internal.LaunchLayouts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RegionReportTest {
  private static RegionReport report(StmOptions options, long[] unfinished) {
    LaunchLayout layout = LaunchLayouts.layout();
    Counts counters = new Counts(layout);
    counters.add(Counter.COMMITS, 1_999_000);
    counters.add(Counter.CANCELS, 998);
    for (AbortCause cause : AbortCause.values()) {
      int times = 2 + cause.ordinal();
      counters.add(cause.counter(), cause == AbortCause.LOCKED ? 0 : 10 * times);
    }
    counters.add(Counter.OVERFLOWS, Math.min(1, unfinished.length));
    counters.add(Counter.STOPPED, Math.max(0, unfinished.length - 1));
    counters.add(Counter.STEALS, 45);
    counters.add(Counter.REGISTRATIONS, 6);
    counters.add(Counter.MAX_ATTEMPTS, 17);
    counters.words()[layout.place(Counter.RETRIES_HISTOGRAM)] = 1_999_900;
    counters.words()[layout.place(Counter.OBJECTS_HISTOGRAM) + 2] = 1_999_000;
    return new RegionReport(
        "transfer",
        2,
        "cpu:4",
        options,
        2_000_000,
        counters,
        unfinished,
        unfinished.length > 1,
        false,
        null,
        List.of(new Pass(16, 2, 2, 3, 12.25), new Pass(4, 32, 32, 1, 0.5)));
  }

  @Test
  void printsAsASmallTable() {
    StmOptions options = StmOptions.defaults().withTimeout(Duration.ofMillis(1500));
    assertEquals(
        """
        region transfer on cpu:4: 2,000,000 items in 12.750 ms, hand_off
          commits                1,999,000
          cancels                      998
          unfinished                     2
            1 too large for a log of 32 objects and 32 writes (scratchBytes = 67,108,864), 1 stopped after 1.5s
          aborts                       150
            outranked                   20
            stolen                      30
            wait expired                40
            requested                   60
          steals                        45
          registrations                  6
          most attempts                 17
          pass: 16 threads, logs of 2 objects and 2 writes, 3 overflows, 12.250 ms
          pass: 4 threads, logs of 32 objects and 32 writes, 1 overflows, 0.500 ms
        """,
        report(options, new long[] {5, 4_000_000_000L}).toString().replace("\r\n", "\n"));
  }

  @Test
  void givesWhatItCounted() {
    RegionReport report = report(StmOptions.defaults(), new long[] {5, 4_000_000_000L});
    assertEquals(
        Map.of(
            AbortCause.OUTRANKED, 20L,
            AbortCause.STOLEN, 30L,
            AbortCause.WAIT_EXPIRED, 40L,
            AbortCause.LOCKED, 0L,
            AbortCause.REQUESTED, 60L),
        report.abortsByCause());
    assertEquals(4, report.overflows());
    assertEquals(12.75, report.kernelMillis());
    assertArrayEquals(new long[] {5, 4_000_000_000L}, report.unfinishedItems());
    report.unfinishedItems()[0] = 0;
    assertEquals(5, report.unfinishedItems()[0]);
    assertEquals(1_999_000, report.objectsHistogram()[2]);
    UnfinishedItemsException e =
        assertThrows(UnfinishedItemsException.class, report::requireComplete);
    assertTrue(e.getMessage().startsWith("region transfer: 2 of 2000000 items"), e::getMessage);
  }

  @Test
  void optionsRefuseWhatMakesNoSense() {
    StmOptions options = StmOptions.defaults();
    assertThrows(IllegalArgumentException.class, () -> options.withThreadsInFlight(-1));
    assertThrows(IllegalArgumentException.class, () -> options.withPolls(0));
    assertThrows(IllegalArgumentException.class, () -> options.withMaxAttempts(-1));
    assertThrows(IllegalArgumentException.class, () -> options.withBackOffNanos(-2));
    assertThrows(IllegalArgumentException.class, () -> options.withLanes(33));
    assertThrows(IllegalArgumentException.class, () -> options.withEagerAttempts(-2));
    assertThrows(IllegalArgumentException.class, () -> options.withScratchBytes(4095));
    assertThrows(IllegalArgumentException.class, () -> options.withSeed(-2));
    assertThrows(IllegalArgumentException.class, () -> options.withTimeout(Duration.ofSeconds(-1)));
    assertThrows(
        IllegalArgumentException.class, () -> options.withTimeout(Duration.ofSeconds(1L << 40)));
    assertThrows(NullPointerException.class, () -> options.withPolicy(null));
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> options.withPolls(0));
    assertEquals("polls must be at least 1, got 0", e.getMessage());
    assertEquals(7, options.withThreadsInFlight(7).threadsInFlight());
    assertEquals(StmOptions.GiveWay.WAIT, options.withGiveWay(StmOptions.GiveWay.WAIT).giveWay());
  }
}
