package io.magpie.examples.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Device;
import io.magpie.stm.Policy;
import io.magpie.stm.StmOptions;
import io.magpie.verification.explore.Strategy;
import io.magpie.verification.workload.ExploredAlgorithm;
import io.magpie.verification.workload.ExploredAlgorithm.Run;
import io.magpie.verification.workload.RegionWorkload;
import io.magpie.verification.workload.RegionWorkload.Runs;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The regions of benchmarks, in tiny runs of these, under many schedules: nothing is wrong with
 * data, by any of the checks that {@code magpie verify} has for regions of others.
 */
class ExploredBenchmarksTest {
  /** Each with items that meet. */
  static List<String> workloads() {
    return List.of(
        "bank:accounts=8,transactions=12,scans=20,scanned=4#transfer_or_scan",
        "bank:accounts=8,transactions=12#transfer",
        "bank:accounts=8,transactions=12,scans=20,scanned=4#transfer_or_scan_in_cells",
        "bank:accounts=8,transactions=12#transfer_in_cells",
        "hash-table:keys=8,transactions=12,updates=90#set_operation",
        "ycsb:records=6,fields=2,transactions=8,requests=3,zipf=0.9#serve",
        "sorted-list:keys=8,transactions=10,updates=90#set_operation",
        "kmeans:points=12,dimensions=2,clusters=3,iterations=2#join_cluster",
        "skip-list:keys=8,transactions=10,updates=90#set_operation",
        "b-tree:keys=20,transactions=10,updates=90#set_operation",
        "vacation:relations=4,customers=4,transactions=10,users=60,queries=3#manage",
        "tpc-c:warehouses=1,items=10,customers=3,transactions=8#trade",
        "labyrinth:width=4,height=4,layers=1,wires=5#route");
  }

  @Test
  void everyBenchmarkIsRun() {
    Set<String> run = new HashSet<>();
    workloads().forEach(spec -> run.add(spec.substring(0, spec.indexOf(':'))));
    assertEquals(Benchmarks.names(), run);
  }

  @Tag("slow") // compiles each; RecordedBenchmarksTest runs them
  @ParameterizedTest
  @MethodSource("workloads")
  void nothingIsWrongWithData(String spec) {
    String[] parts = spec.split("#");
    String module = "benchmark_" + spec.substring(0, spec.indexOf(':')).replace('-', '_');
    Layout layout = parts[1].endsWith("_in_cells") ? Layout.BESIDE : Layout.APART;
    Instance instance = Workload.of(parts[0]).benchmark().generate();
    for (String simulator : List.of("sim:1:1", "sim:1:4")) {
      try (Device device = Device.open(simulator)) {
        device.define(
            module, RegionWorkload.defines(device, parts[1], Runs.scheduled(Policy.HAND_OFF)));
        try (ExploredAlgorithm explored = new ExploredAlgorithm(device)) {
          explored.explore(Strategy.pct(2), 10, 1);
          explored.explore(Strategy.random(), 10, 1);
          explored.explore(Strategy.pct(2).overWeakMemory(), 5, 1);
          // In another order wires lie otherwise: which way is found first, hints decide.
          explored.leaveOutOtherOrder("route");
          Instance.Finished finished = instance.run(device, layout, StmOptions.defaults());
          assertEquals(List.of(), explored.violations());
          assertEquals(Optional.empty(), finished.result().mistake());
          assertEquals(finished.regions().size(), explored.runs().size());
          for (Run run : explored.runs()) {
            assertEquals(parts[1], run.region());
            assertTrue(run.tally().commits() > 0 && run.met() && run.checksData(), run::toString);
          }
        }
      }
    }
  }
}
