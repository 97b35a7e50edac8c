package io.magpie.algorithms.pointsto;

import io.magpie.algorithms.SharedDevices;
import io.magpie.algorithms.TestDevices;
import io.magpie.algorithms.pointsto.PointsToOptions.Cycles;
import io.magpie.algorithms.pointsto.PointsToOptions.Form;
import io.magpie.algorithms.pointsto.PointsToOptions.Propagation;
import io.magpie.stm.Device;
import io.magpie.stm.Policy;
import io.magpie.stm.StmOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Every permitted combination of options, and the devices that tests run on. */
final class Variants {
  private static final SharedDevices OPEN = new SharedDevices(Device::open);

  /** priority_rule promises no progress; a pause after each abort breaks the step of rivals. */
  private static final int PAUSE_NANOS = 65_536;

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private Variants() {}

  static List<PointsToOptions> all() {
    StmOptions stm = StmOptions.defaults().withTimeout(LIMIT);
    List<PointsToOptions> result = new ArrayList<>();
    result.add(PointsToOptions.defaults().withStm(stm));
    for (Propagation propagation :
        List.of(Propagation.PULL, Propagation.PUSH, Propagation.DIFFERENCE)) {
      PointsToOptions options =
          PointsToOptions.defaults()
              .withPropagation(propagation)
              .withCycles(Cycles.TRANSACTIONS)
              .withSets(Form.DENSE);
      result.add(options.withCycles(Cycles.NONE));
      result.add(options.withCycles(Cycles.NONE).withPhaseTimes(false)); // rounds ahead
      result.add(options.withStm(stm));
      result.add(options.withMergeSize(3).withPhaseTimes(false).withStm(stm));
      result.add(
          options.withStm(stm.withPolicy(Policy.PRIORITY_RULE).withBackOffNanos(PAUSE_NANOS)));
      PointsToOptions sparse = options.withSets(Form.SPARSE).withStm(stm);
      result.add(sparse.withCycles(Cycles.NONE));
      result.add(sparse.withCycles(Cycles.NONE).withPhaseTimes(false));
      result.add(sparse);
      result.add(sparse.withMergeSize(3).withPhaseTimes(false));
    }
    return result;
  }

  /** cpu, with and without checks, sim of widths 1, 4 and 32, and the GPU if there is one. */
  static List<String> devices() {
    return TestDevices.of(List.of("cpu:4", "sim:2:4"), "cpu-checked:3", "sim:1:1", "sim:0:32");
  }

  /** A device with nothing on it, kept open for all tests of this process. */
  static Device device(String spec) {
    return OPEN.device(spec);
  }
}
