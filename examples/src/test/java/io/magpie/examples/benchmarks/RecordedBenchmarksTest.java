package io.magpie.examples.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Device;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Policy;
import io.magpie.stm.Recording;
import io.magpie.stm.StmOptions;
import io.magpie.verification.check.Verdict.Level;
import io.magpie.verification.check.Verdict.Opacity;
import io.magpie.verification.workload.RecordedAlgorithm;
import io.magpie.verification.workload.RecordedAlgorithm.Run;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whole runs of benchmarks on processors are strictly serializable and opaque, and so is each
 * region.
 */
@Tag("slow") // compiles; RegionsProperties and SetRegionsProperties are smaller
class RecordedBenchmarksTest {
  private static final long LOG_BYTES = 256L << 20;

  /** What records of long transactions are too many of. */
  private static final Map<String, String> SMALLER =
      Map.of("labyrinth", "labyrinth:width=8,height=8,layers=2,wires=12");

  static List<String> workloads() {
    return BenchmarksTest.small().stream()
        .map(spec -> SMALLER.getOrDefault(spec.substring(0, spec.indexOf(':')), spec))
        .map(spec -> spec.replace("0k", "k")) // a tenth of the items
        .toList();
  }

  @ParameterizedTest
  @MethodSource("workloads")
  void historiesAreInOrder(String spec) {
    String module = "benchmark_" + spec.substring(0, spec.indexOf(':')).replace('-', '_');
    Benchmark benchmark = Workload.of(spec).benchmark();
    Instance instance = benchmark.generate();
    try (Device device = Device.open("cpu:3")) {
      device.define(module, Map.of("MAGPIE_RECORD", "1"));
      Map<String, Long> commits = new HashMap<>();
      try (RecordedAlgorithm recorded =
          new RecordedAlgorithm(device, Recording.Options.defaults().withTotalBytes(LOG_BYTES))) {
        StmOptions options =
            StmOptions.defaults()
                .withPolicy(Policy.HAND_OFF)
                .withBackOffNanos(4096)
                .withTimeout(Duration.ofSeconds(20));
        int regions = 0;
        for (Layout layout : benchmark.layouts()) {
          Instance.Finished finished = instance.run(device, layout, options);
          assertEquals(Optional.empty(), finished.result().mistake());
          regions += finished.regions().size();
        }
        assertEquals(List.of(), recorded.violations());
        assertEquals(regions, recorded.runs().size());
        for (Run run : recorded.runs()) {
          assertEquals(Level.STRICTLY_SERIALIZABLE, run.verdict().level());
          assertEquals(Opacity.OPAQUE, run.verdict().opacity());
          long committed = run.verdict().extent().committed();
          assertTrue(committed > 0 && run.accesses() >= committed, run::toString);
          commits.merge(run.report().region(), committed, Long::sum);
        }
      }
      try (KernelModule loaded = device.load(module)) {
        Set<String> others = new TreeSet<>(loaded.regions());
        others.removeAll(commits.keySet());
        assertEquals(
            spec.startsWith("bank") ? 2 : 0,
            others.size(),
            "the bank has runs with scans or without");
      }
    }
  }
}
