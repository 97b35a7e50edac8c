package io.magpie.examples.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ZipfProperties {
  /**
   * Six standard deviations: all of these counts together pass once in a million seeds by chance.
   */
  private static final double DEVIATIONS = 6;

  /** Each rank is drawn as often as its probability says, which is summed here. */
  @ParameterizedTest
  @CsvSource({"1, 0.99", "2, 0.5", "20, 0", "20, 0.3", "20, 0.8", "20, 0.99", "1000, 0.99"})
  void ranksAreDrawnAsOftenAsTheLawSays(int n, double s) {
    int draws = 400_000;
    int[] counts = new int[n + 1];
    Zipf zipf = new Zipf(n, s);
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < draws; i++) {
      counts[zipf.next(random)]++;
    }
    double all = IntStream.rangeClosed(1, n).mapToDouble(k -> Math.pow(k, -s)).sum();
    for (int k = 1; k <= n; k++) {
      double share = Math.pow(k, -s) / all;
      double deviation = Math.sqrt(draws * share * (1 - share));
      assertEquals(draws * share, counts[k], DEVIATIONS * deviation + 1e-9, "rank " + k);
    }
    assertEquals(0, counts[0]);
  }

  /** What YCSB is run with: of a million records the first is drawn once in fifteen times. */
  @Test
  void manyRanksAreDrawnWithoutATable() {
    int n = 1_000_000;
    double s = 0.99;
    double all = IntStream.rangeClosed(1, n).mapToDouble(k -> Math.pow(k, -s)).sum();
    Zipf zipf = new Zipf(n, s);
    SplittableRandom random = new SplittableRandom(3);
    int draws = 200_000;
    int first = 0;
    int upper = 0;
    for (int i = 0; i < draws; i++) {
      int rank = zipf.next(random);
      first += rank == 1 ? 1 : 0;
      upper += rank > n / 2 ? 1 : 0;
    }
    double ofFirst = draws / all;
    assertEquals(ofFirst, first, DEVIATIONS * Math.sqrt(ofFirst));
    double ofUpper =
        draws * IntStream.rangeClosed(n / 2 + 1, n).mapToDouble(k -> Math.pow(k, -s)).sum() / all;
    assertEquals(ofUpper, upper, DEVIATIONS * Math.sqrt(ofUpper));
  }

  @Property(tries = 200)
  void scatteringIsOneToOne(@ForAll @IntRange(min = 1, max = 3000) int n, @ForAll long seed) {
    ScrambledKeys keys = new ScrambledKeys(n, 0.99, new SplittableRandom(seed));
    BitSet seen = new BitSet();
    for (int rank = 0; rank < n; rank++) {
      int key = keys.at(rank);
      assertTrue(key >= 0 && key < n, key + " of " + n);
      assertTrue(!seen.get(key), key + " twice");
      seen.set(key);
    }
  }

  /** The keys that are drawn most do not lie side by side. */
  @Test
  void frequentKeysLieApart() {
    ScrambledKeys keys = new ScrambledKeys(1_000_000, 0.99, new SplittableRandom(1));
    for (int rank = 0; rank < 8; rank++) {
      assertTrue(Math.abs(keys.at(rank) - keys.at(rank + 1)) > 1000);
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 0.5", "9, 1", "9, -0.1", "9, NaN"})
  void otherParametersAreRefused(int n, double s) {
    assertThrows(IllegalArgumentException.class, () -> new Zipf(n, s));
  }
}
