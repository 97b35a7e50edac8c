package io.magpie.examples.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Device;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Policy;
import io.magpie.stm.StmOptions;
import io.magpie.verification.explore.Strategy;
import io.magpie.verification.explore.Violation.Kind;
import io.magpie.verification.mutation.Mutant;
import io.magpie.verification.workload.ExploredAlgorithm;
import io.magpie.verification.workload.ExploredAlgorithm.Run;
import io.magpie.verification.workload.RegionWorkload;
import io.magpie.verification.workload.RegionWorkload.Runs;
import io.magpie.verification.workload.StoppedAtViolationException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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
        "b-tree:keys=48,transactions=16,updates=90#set_operation",
        "vacation:relations=4,customers=4,transactions=10,users=60,queries=3#manage",
        "tpc-c:warehouses=1,items=10,customers=3,transactions=8#trade",
        "labyrinth:width=4,height=4,layers=1,wires=5#route");
  }

  /** A region of a benchmark, and what it is run with. */
  private record Explored(String module, String region, Layout layout, Instance instance) {
    static Explored of(String spec) {
      String[] parts = spec.split("#");
      return new Explored(
          "benchmark_" + spec.substring(0, spec.indexOf(':')).replace('-', '_'),
          parts[1],
          parts[1].endsWith("_in_cells") ? Layout.BESIDE : Layout.APART,
          Workload.of(parts[0]).benchmark().generate());
    }

    Map<String, String> defines(Device device) {
      return RegionWorkload.defines(device, region, Runs.scheduled(Policy.HAND_OFF));
    }

    ExploredAlgorithm explored(Device device) {
      return new ExploredAlgorithm(device);
    }
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
    Explored of = Explored.of(spec);
    for (String simulator : List.of("sim:1:1", "sim:1:4")) {
      try (Device device = Device.open(simulator)) {
        device.define(of.module(), of.defines(device));
        try (ExploredAlgorithm explored = of.explored(device)) {
          explored.explore(Strategy.pct(2), 10, 1);
          explored.explore(Strategy.random(), 10, 1);
          explored.explore(Strategy.pct(2).overWeakMemory(), 5, 1);
          Instance.Finished finished =
              of.instance().run(device, of.layout(), StmOptions.defaults());
          assertEquals(List.of(), explored.violations());
          assertEquals(Optional.empty(), finished.result().mistake());
          assertEquals(finished.regions().size(), explored.runs().size());
          for (Run run : explored.runs()) {
            assertEquals(of.region(), run.region());
            assertTrue(run.tally().commits() > 0 && run.met() && run.checksData(), run::toString);
          }
        }
      }
    }
  }

  /**
   * What the checks are worth: of items that open another object than the one that guards a datum
   * they tell in each benchmark.
   */
  @Tag("slow") // compiles each
  @ParameterizedTest
  @MethodSource("workloads")
  void aWrongGuardIsNoticed(String spec) {
    Explored of = Explored.of(spec);
    try (Device device = Device.open("sim:2:1")) {
      Map<String, String> defines = new HashMap<>(of.defines(device));
      defines.putAll(Mutant.defines());
      device.define(of.module(), defines);
      try (KernelModule module = device.load(of.module());
          ExploredAlgorithm explored = of.explored(device)) {
        explored.stopAtViolation();
        explored.explore(Strategy.random(), 20, 1);
        explored.explore(Strategy.pct(2), 20, 1);
        int mutant = module.intConstant("mutant::neighbor_opened");
        module.kernel("choose_mutant").run(1, new Fields().set("number", mutant));
        try {
          assertThrows(
              StoppedAtViolationException.class,
              () -> of.instance().run(device, of.layout(), StmOptions.defaults()));
        } finally {
          module.kernel("choose_mutant").run(1, new Fields().set("number", 0));
        }
        assertTrue(
            explored.violations().stream().anyMatch(each -> each.kind() == Kind.GUARD_MISMATCH),
            explored.violations()::toString);
      }
    }
  }
}
