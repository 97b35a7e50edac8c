package io.magpie.algorithms.nbody;

import io.magpie.algorithms.SharedDevices;
import io.magpie.algorithms.TestDevices;
import io.magpie.algorithms.nbody.NBodyOptions.Precision;
import io.magpie.algorithms.nbody.NBodyOptions.Tree;
import io.magpie.stm.Device;
import io.magpie.stm.Policy;
import io.magpie.stm.StmOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Ways to build the tree, and the devices that tests run on. */
final class NBodyVariants {
  private static final SharedDevices OPEN = new SharedDevices(Device::open);

  /** priority_rule promises no progress; a pause after each abort breaks the step of rivals. */
  private static final int PAUSE_NANOS = 65_536;

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private NBodyVariants() {}

  /** All trees in both precisions, under both policies where there are any. */
  static List<NBodyOptions> all() {
    List<NBodyOptions> result = new ArrayList<>();
    StmOptions stm = StmOptions.defaults().withTimeout(LIMIT);
    for (Precision precision : Precision.values()) {
      NBodyOptions options = NBodyOptions.defaults().withPrecision(precision);
      result.add(options.withTree(Tree.MORTON));
      result.add(options.withTree(Tree.LOCKS));
      result.add(options.withTree(Tree.LOCKS).withPhaseTimes(false));
      result.add(options.withTree(Tree.TRANSACTIONS).withStm(stm));
      result.add(
          options
              .withTree(Tree.TRANSACTIONS)
              .withStm(stm.withPolicy(Policy.PRIORITY_RULE).withBackOffNanos(PAUSE_NANOS)));
    }
    return result;
  }

  static List<String> devices() {
    return TestDevices.of(List.of("cpu:4", "sim:2:4"), "cpu-checked:3", "sim:1:1", "sim:0:32");
  }

  /** With all that the verifier looks at. */
  static NBodyResult run(Device device, Bodies bodies, NBodyOptions options) {
    return BarnesHut.run(device, bodies, options, 0, (step, now) -> {}, true);
  }

  /** A device with nothing on it, kept open for all tests of this process. */
  static Device device(String spec) {
    return OPEN.device(spec);
  }
}
