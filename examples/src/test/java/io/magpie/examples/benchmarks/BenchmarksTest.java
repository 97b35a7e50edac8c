package io.magpie.examples.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.magpie.stm.Device;
import io.magpie.stm.Policy;
import io.magpie.stm.StmOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every benchmark in every form under every policy, on processors. */
class BenchmarksTest {
  /** Of {@code cpu} threads. */
  private static final int THREADS = 3;

  /** A run of each benchmark that takes no time, and in which transactions meet. */
  static List<String> small() {
    return List.of(
        "bank:accounts=64,transactions=20k,scans=10,scanned=8",
        "bank:accounts=50,transactions=20k,transfers=bank",
        "hash-table:keys=64,transactions=20k,updates=60,zipf=0.9",
        "ycsb:records=40,fields=3,transactions=3k,requests=5,zipf=0.9",
        "sorted-list:keys=60,transactions=10k,updates=60",
        "kmeans:points=3k,dimensions=3,clusters=7,iterations=3",
        "skip-list:keys=90,transactions=10k,updates=60",
        "b-tree:keys=900,transactions=20k,updates=90",
        "vacation:relations=20,customers=50,transactions=20k,users=60,queries=5",
        "tpc-c:warehouses=2,items=50,customers=3,transactions=5k",
        "labyrinth:width=12,height=12,layers=2,wires=30");
  }

  /** A policy that promises no end has a limit, and pauses that make one likely. */
  private static StmOptions under(Policy policy) {
    return StmOptions.defaults()
        .withPolicy(policy)
        .withBackOffNanos(4096)
        .withTimeout(Duration.ofSeconds(20));
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = BenchmarksTest.class.getResourceAsStream("/META-INF/magpie/" + name)) {
      assertTrue(in != null, "there is no " + name);
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Devices find the module of each, with its source. */
  @Test
  void everyBenchmarkHasAModule() throws IOException {
    Set<String> modules = new TreeSet<>();
    for (String name : Benchmarks.names()) {
      String module = "benchmark_" + name.replace('-', '_');
      assertTrue(resource("source/" + module + "/" + module + ".cu").contains("MAGPIE_REGION"));
      assertTrue(resource("modules/" + module + "/index.properties").contains("source.sha256"));
      modules.add(module);
    }
    Set<String> listed = new TreeSet<>();
    for (URL list :
        Collections.list(
            BenchmarksTest.class
                .getClassLoader()
                .getResources("META-INF/magpie/modules/modules.list"))) {
      try (InputStream in = list.openStream()) {
        new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(listed::add);
      }
    }
    listed.removeIf(module -> !module.startsWith("benchmark_"));
    assertEquals(modules, listed);
  }

  /**
   * Whether it stores in {@code apply} is what its source does; where it does not, nothing reaches
   * data past the transaction, so that every policy runs it. The page says which are which.
   */
  @Test
  void policiesThatRefuseABenchmarkAreKnown() throws IOException {
    List<String> refused = new ArrayList<>();
    List<String> run = new ArrayList<>();
    for (String name : Benchmarks.names()) {
      String module = "benchmark_" + name.replace('-', '_');
      String source = resource("source/" + module + "/" + module + ".cu");
      boolean applies = Workload.of(name).benchmark().storesInApply();
      assertEquals(source.contains("MAGPIE_DEVICE void apply("), applies, name);
      (applies ? refused : run).add("`" + name + "`");
      for (String past : List.of("tx.peek(", "tx.glance(", "tx.leave_hint(")) {
        assertTrue(applies || !source.contains(past), name + " has " + past);
      }
    }
    Path page = Path.of(System.getProperty("magpie.basedir"), "benchmarks/README.md");
    assumeTrue(Files.exists(page), "not a clone");
    String text = Files.readString(page);
    String row = "| `obstruction_free`, `pessimistic_in_place`, `invisible_reads_in_place` | ";
    String sentence = row + String.join(", ", run) + " | " + String.join(", ", refused) + " |";
    assertTrue(text.contains(sentence), sentence);
  }

  /** The page has each parameter, with what the presets make of it. */
  @Test
  void thePageHasAllParameters() throws IOException {
    Path page = Path.of(System.getProperty("magpie.basedir"), "benchmarks/README.md");
    assumeTrue(Files.exists(page), "not a clone");
    String text = Files.readString(page);
    for (String name : Benchmarks.names()) {
      assertTrue(text.contains("| `" + name + "` |"), name);
      for (String parameter : Workload.of(name).description().split("[:,]")) {
        if (parameter.contains("=")) {
          String word = "`" + parameter.substring(0, parameter.indexOf('=')) + "`";
          assertTrue(text.contains(word) || word.equals("`seed`"), name + " has " + word);
        }
      }
    }
  }

  @Test
  void everyBenchmarkIsRun() {
    Set<String> run = new HashSet<>();
    small().forEach(spec -> run.add(spec.substring(0, spec.indexOf(':'))));
    assertEquals(Benchmarks.names(), run);
  }

  @ParameterizedTest
  @MethodSource("small")
  void resultsAreRightInEveryForm(String spec) {
    Benchmark benchmark = Workload.of(spec).benchmark();
    Instance instance = benchmark.generate();
    try (Device device = Device.open("cpu:" + THREADS)) {
      for (Synchronization how : benchmark.forms()) {
        if (how != Synchronization.STM) {
          Instance.Finished finished = instance.run(device, how, StmOptions.defaults());
          assertEquals(Optional.empty(), finished.result().mistake(), how.toString());
          assertTrue(finished.regions().isEmpty());
          assertTrue(finished.operations() > 0);
        }
      }
      isRight(benchmark, device, Policy.HAND_OFF);
    }
    try (Device device = Device.open("cpu:1")) { // else it may never end
      isRight(benchmark, device, Policy.PRIORITY_RULE);
    }
  }

  /** Policies whose objects have versions, for which cells have no room. */
  private static final Set<Policy> WITH_VERSIONS =
      EnumSet.of(Policy.PR_STM, Policy.OPTIMISTIC_HAND_OFF, Policy.OBSTRUCTION_FREE);

  private static void isRight(Benchmark benchmark, Device device, Policy policy) {
    Instance instance = benchmark.generate();
    for (Layout layout : benchmark.layouts()) {
      if (layout == Layout.APART || !WITH_VERSIONS.contains(policy)) {
        isRight(instance, device, layout, policy);
      }
    }
  }

  private static void isRight(Instance instance, Device device, Layout layout, Policy policy) {
    Instance.Finished finished = instance.run(device, layout, under(policy));
    assertEquals(Optional.empty(), finished.result().mistake(), layout + " " + policy);
    assertEquals(
        finished.operations(),
        finished.regions().stream().mapToLong(r -> r.commits() + r.cancels()).sum());
    assertTrue(finished.regions().stream().allMatch(r -> r.options().policy() == policy));
    assertTrue(finished.regions().stream().anyMatch(r -> r.commits() > 0));
  }

  /** One thread: others promise no end to transactions that meet. */
  @ParameterizedTest
  @MethodSource("small")
  @Tag("comparisons")
  void resultsAreRightUnderOtherPolicies(String spec) {
    Benchmark benchmark = Workload.of(spec).benchmark();
    try (Device device = Device.open("cpu:1")) {
      boolean applies = benchmark.storesInApply();
      for (Policy policy : Policy.values()) {
        if (!policy.runsApply() && applies) {
          IllegalStateException e =
              assertThrows(IllegalStateException.class, () -> isRight(benchmark, device, policy));
          assertTrue(
              e.getMessage().contains("one with apply not under obstruction_free"), e.getMessage());
        } else if (policy != Policy.HAND_OFF && policy != Policy.PRIORITY_RULE) {
          isRight(benchmark, device, policy);
        }
      }
    }
  }

  static List<String> some() {
    return small().subList(0, 1);
  }

  static List<String> others() {
    return small().stream().filter(spec -> !some().contains(spec)).toList();
  }

  /** Bounds are checked there, and so are the rules of transactions. */
  @ParameterizedTest
  @MethodSource("some")
  void rulesAreKept(String spec) {
    keepsRules(spec);
  }

  @Tag("slow") // compiles each
  @ParameterizedTest
  @MethodSource("others")
  void rulesAreKeptByTheOthers(String spec) {
    keepsRules(spec);
  }

  private static void keepsRules(String spec) {
    Benchmark benchmark = Workload.of(spec).benchmark();
    Instance instance = benchmark.generate();
    try (Device device = Device.open("cpu-checked:2")) {
      for (Synchronization how : benchmark.forms()) {
        assertEquals(
            Optional.empty(),
            instance.run(device, how, StmOptions.defaults()).result().mistake(),
            how.toString());
      }
      for (Layout layout : benchmark.layouts()) {
        assertEquals(
            Optional.empty(),
            instance.run(device, layout, StmOptions.defaults()).result().mistake(),
            layout.toString());
      }
    }
  }

  /** Whoever waits for a lock there may wait for a lane of its own warp. */
  @ParameterizedTest
  @ValueSource(strings = "bank:accounts=8,transactions=150,scans=20,scanned=4")
  void formsWithoutTransactionsWorkOnSimulatedWarps(String spec) {
    workOnSimulatedWarps(spec);
  }

  @Tag("slow") // compiles each
  @ParameterizedTest
  @ValueSource(
      strings = {
        "sorted-list:keys=8,transactions=150,updates=80",
        "hash-table:keys=6,transactions=150,updates=80",
        "kmeans:points=100,dimensions=2,clusters=3"
      })
  void otherFormsWithoutTransactionsDoSoToo(String spec) {
    workOnSimulatedWarps(spec);
  }

  private static void workOnSimulatedWarps(String spec) {
    Benchmark benchmark = Workload.of(spec).benchmark();
    Instance instance = benchmark.generate();
    for (String device : List.of("sim:1:8", "sim:2:4")) {
      try (Device simulated = Device.open(device)) {
        for (Synchronization how : benchmark.forms()) {
          if (how != Synchronization.STM) {
            assertEquals(
                Optional.empty(),
                instance.run(simulated, how, StmOptions.defaults()).result().mistake(),
                how + " on " + device);
          }
        }
      }
    }
  }
}
