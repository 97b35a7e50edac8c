package io.magpie.examples.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SummaryTest {
  private static RunRecord run(int contestant, int round, double millis) {
    return new RunRecord(
        contestant, round, 0, Map.of("total", millis), 2 * millis, Map.of(), Map.of(), null, true);
  }

  @Test
  void quantilesInterpolate() {
    double[] values = {4, 1, 3, 2};
    assertEquals(1, Summary.quantile(values, 0));
    assertEquals(1.75, Summary.quantile(values, 0.25));
    assertEquals(2.5, Summary.quantile(values, 0.5));
    assertEquals(4, Summary.quantile(values, 1));
    assertEquals(0, Summary.quantile(new double[0], 0.5));
  }

  /** Ranks of the 95 % interval of a median, as in tables of the sign test. */
  @Test
  void intervalsAreThoseOfTheSignTest() {
    int[][] table = {
      {5, 1, 5}, {6, 1, 6}, {8, 1, 8}, {9, 2, 8}, {12, 3, 10}, {20, 6, 15}, {100, 40, 61}
    };
    for (int[] row : table) {
      double[] ranks = IntStream.rangeClosed(1, row[0]).asDoubleStream().toArray();
      Summary.Ratio ratio = Summary.ratio(ranks);
      assertEquals(row[1], ratio.low(), "n=" + row[0]);
      assertEquals(row[2], ratio.high(), "n=" + row[0]);
    }
  }

  @Test
  void verdictsNeedTheWholeIntervalOnOneSide() {
    assertEquals("slower", new Summary.Ratio(1.2, 1.01, 1.3, 6).verdict());
    assertEquals("faster", new Summary.Ratio(0.8, 0.7, 0.99, 6).verdict());
    assertEquals("no difference", new Summary.Ratio(1.2, 0.9, 1.3, 6).verdict());
    assertEquals("no difference", new Summary.Ratio(1, 1, 1, 6).verdict());
    assertEquals("too few rounds", new Summary.Ratio(1.2, 1.01, 1.3, 5).verdict());
  }

  @Test
  void ratiosArePairedByRound() {
    // The machine slows down threefold from round to round; the second contestant is always 2x.
    List<RunRecord> records = new ArrayList<>();
    records.add(run(0, -1, 1000));
    records.add(run(1, -1, 1));
    double speed = 10;
    for (int round = 0; round < 6; round++, speed *= 3) {
      records.add(run(0, round, speed));
      records.add(run(1, round, 2 * speed));
    }
    List<Summary> summaries = Summary.of(records, 2, "total");
    assertNull(summaries.get(0).ratio());
    assertEquals(new Summary.Ratio(2, 2, 2, 6), summaries.get(1).ratio());
    assertEquals(6, summaries.get(1).runs(), "warm-ups do not count");
    assertEquals(2, summaries.get(1).processors());
    assertEquals(
        DoubleStream.of(90, 270).average().orElseThrow(), summaries.get(0).spread().median());
  }

  /** The processor's clock ticks in steps of 10 ms. */
  @Test
  void theShareOfTheProcessorIsUnknownOfShortRuns() {
    List<Summary> summaries = Summary.of(List.of(run(0, 0, 49), run(1, 0, 50)), 3, "total");
    assertEquals(Double.NaN, summaries.get(0).processors());
    assertEquals(2, summaries.get(1).processors());
    assertEquals(Double.NaN, summaries.get(2).processors(), "has no runs");
  }

  @Test
  void aMissingTimeGivesNoRatio() {
    List<Summary> summaries = Summary.of(List.of(run(0, 0, 1), run(1, 0, 2)), 2, "kernels");
    assertNull(summaries.get(1).ratio());
    assertNull(summaries.get(1).spread());
  }
}
