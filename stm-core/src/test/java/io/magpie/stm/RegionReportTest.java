package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.RegionReport.AbortCause;
import io.magpie.stm.RegionReport.HotObject;
import io.magpie.stm.RegionReport.Pass;
import io.magpie.stm.internal.Counter;
import io.magpie.stm.internal.Counts;
import io.magpie.stm.internal.LaunchLayout;
import io.magpie.stm.internal.LaunchLayouts;
import io.magpie.stm.simulator.AccessTrace.Memory;
import io.magpie.stm.simulator.AccessTrace.Memory.Contents;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RegionReportTest {
  private static RegionReport report(StmOptions options, long[] unfinished) {
    return report(options, unfinished, null);
  }

  private static RegionReport report(
      StmOptions options, long[] unfinished, ConflictCounts conflicts) {
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
        List.of(new Pass(16, 2, 2, 3, 12.25), new Pass(4, 32, 32, 1, 0.5)),
        conflicts);
  }

  @Test
  void addsUp() {
    StmOptions options = StmOptions.defaults();
    RegionReport once = report(options, new long[] {7, 9}, null);
    RegionReport twice = once.plus(report(options, new long[] {8}, null));
    assertEquals(4_000_000, twice.items());
    assertEquals(2 * once.commits(), twice.commits());
    assertEquals(2 * once.aborts(), twice.aborts());
    assertEquals(17, twice.mostAttempts());
    assertEquals(2 * 1_999_900, twice.retriesHistogram()[0]);
    assertArrayEquals(new long[] {7, 9, 8}, twice.unfinishedItems());
    assertEquals(2, twice.unfinishedByOverflow());
    assertEquals(1, twice.unfinishedByTimeout());
    assertTrue(twice.timedOut());
    assertFalse(twice.canceled());
    assertEquals(List.of(new Pass(16, 2, 2, 6, 24.5), new Pass(4, 32, 32, 2, 1)), twice.passes());
    assertEquals(1_999_000, once.commits(), "what is added to stays as it was");
    assertThrows(
        IllegalArgumentException.class,
        () -> once.plus(report(options.withMaxAttempts(3), new long[0], null)));
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

  /** Of fields in their order, also where a table has an object of none, and one of two fields. */
  @Test
  void namesHotObjectsAndPrintsTheFirst() {
    List<Memory> memory =
        List.of(
            new Memory("balance", 4000, 400, 4, Contents.DATA, 0),
            new Memory("accounts", 8000, 400, 4, Contents.OBJECTS, 0),
            new Memory("seats.guards", 12_000, 40, 4, Contents.OBJECTS, 0),
            new Memory("again", 8000, 400, 4, Contents.OBJECTS, 0));
    long[] words = new long[ConflictCounts.WORDS];
    long[][] met = {
      {8000, 10}, {8396, 500}, {8400, 20}, {12_036, 300}, {8004, 10}, {8008, 30}, {12_000, 60}
    };
    words[0] = 70;
    for (int i = 0; i < met.length; i++) {
      words[1 + 600 * i] = met[i][0];
      words[2 + 600 * i] = met[i][1];
    }
    ConflictCounts counts = ConflictCounts.of(words, memory);
    RegionReport report = report(StmOptions.defaults(), new long[0], counts);
    assertEquals(
        List.of(
            new HotObject("accounts", 99, 500, 0.5),
            new HotObject("seats.guards", 9, 300, 0.3),
            new HotObject("seats.guards", 0, 60, 0.06),
            new HotObject("accounts", 2, 30, 0.03),
            new HotObject("unknown", 8400, 20, 0.02),
            new HotObject("accounts", 0, 10, 0.01),
            new HotObject("accounts", 1, 10, 0.01)),
        report.hotObjects());
    assertEquals(1000, report.sampledConflicts());
    assertEquals(70, report.lostConflicts());
    String text = report.toString().replace("\r\n", "\n");
    assertTrue(
        text.contains(
            """
              most attempts                 17
              conflicts                  1,000
                                           500   50.0 %  accounts[99]
                                           300   30.0 %  seats.guards[9]
                                            60    6.0 %  seats.guards[0]
                                            30    3.0 %  accounts[2]
                                            20    2.0 %  unknown object at 0x20d0
                                            20    2.0 %  other objects
                                            70    7.0 %  objects that there was no room for
            """),
        text);

    ConflictCounts twice = ConflictCounts.sum(List.of(counts, counts));
    assertEquals(2000, twice.total());
    assertEquals(140, twice.lost());
    assertEquals(new HotObject("accounts", 99, 1000, 0.5), HotObject.of(twice).get(0));
    assertEquals(0, ConflictCounts.sum(List.of()).total());
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
    assertTrue(e.getMessage().startsWith("region transfer: 2 of 2,000,000 items"), e::getMessage);
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
