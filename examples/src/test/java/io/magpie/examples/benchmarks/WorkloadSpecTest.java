package io.magpie.examples.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class WorkloadSpecTest {
  static Iterable<String> names() {
    return Benchmarks.names();
  }

  @Test
  void aDescriptionHasAllParametersAndIsReadBack() {
    Workload given = Workload.of("bank:accounts=2k,scans=10,seed=7");
    assertEquals(
        "bank:seed=7,accounts=2000,transactions=1000000,scans=10,scanned=64,transfers=branch",
        given.description());
    assertEquals(7, given.seed());
    assertEquals(given, Workload.of(given.description()));
  }

  @ParameterizedTest
  @MethodSource("names")
  void everyBenchmarkHasDefaultsAndPresets(String name) {
    Workload low = Workload.of(name);
    assertEquals(low, Workload.of(name + ":contention=low"));
    assertEquals(low, Workload.of(low.description()));
    Workload medium = Workload.of(name + ":contention=medium");
    Workload high = Workload.of(name + ":contention=high");
    assertTrue(!low.equals(medium) && !medium.equals(high) && !low.equals(high), high.toString());
  }

  @Test
  void whatIsGivenGoesBeforeThePreset() {
    assertEquals(
        Workload.of("bank:accounts=64000,seed=1"),
        Workload.of("bank:contention=high,accounts=64k"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "banks | there is no benchmark 'banks'; expected one of bank, ",
        "bank:accounts=1 | accounts=1: expected a whole number from 2 to ",
        "bank:accounts=x | accounts=x: expected a whole number",
        "bank:accounts | 'accounts' is no NAME=VALUE",
        "bank:accounts=5,accounts=6 | 'accounts' is given twice",
        "bank:color=red | 'color' is no parameter of bank; expected one of seed, accounts, ",
        "bank:contention=huge | contention=huge: expected low, medium or high",
        "bank:scans=101 | scans=101: expected a whole number from 0 to 100",
        "bank:accounts=8,scanned=9 | scanned=9: there are only 8 accounts; scan at most these",
        "bank:transfers=abroad | transfers=abroad: expected branch or bank",
        "bank:seed=1k | seed=1k: expected a whole number of 64 bits",
        "ycsb:zipf=1 | zipf=1: expected a number from 0.0 to 0.99",
        "ycsb:zipf=much | zipf=much: expected a number",
        "ycsb:transactions=64M,requests=64 | expected at most 536870912; ask for fewer",
        "kmeans:points=4,clusters=5 | clusters=5: expected at most one for each of the points, 4",
        "labyrinth:width=4,height=4,layers=1,wires=9 | wires=9: expected at most half as many",
        "labyrinth:width=1024,height=1024,layers=64,wires=64 | ask for fewer wires or a smaller",
        "tpc-c:warehouses=4096,items=100k | expected at most 268435456 rows of stock",
      })
  void whatIsMalformedIsRefused(String text, String message) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> Workload.of(text));
    assertTrue(refused.getMessage().contains(message), refused.getMessage());
    assertTrue(refused.getMessage().contains("'" + text + "'"), refused.getMessage());
    assertEquals(1, refused.getMessage().lines().count());
  }

  /** Equal specifications make equal content, and another seed another one. */
  @ParameterizedTest
  @MethodSource("io.magpie.examples.benchmarks.BenchmarksTest#small")
  void contentFollowsFromTheSpecification(String spec) {
    String hash = ContentHash.of(Workload.of(spec).benchmark().generate());
    assertEquals(hash, ContentHash.of(Workload.of(spec).benchmark().generate()));
    String other = ContentHash.of(Workload.of(spec + ",seed=9").benchmark().generate());
    assertTrue(!hash.equals(other), hash);
    assertTrue(hash.matches("sha256:[0-9a-f]{64}"), hash);
  }
}
