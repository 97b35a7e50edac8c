package io.magpie.algorithms.components;

import io.magpie.algorithms.SharedDevices;
import io.magpie.algorithms.TestDevices;
import io.magpie.algorithms.components.ComponentsOptions.Direction;
import io.magpie.algorithms.components.ComponentsOptions.EdgeOrder;
import io.magpie.algorithms.components.ComponentsOptions.Form;
import io.magpie.algorithms.components.ComponentsOptions.Output;
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

  /** All options that ComponentsOptions permits, under both policies where there are any. */
  static List<ComponentsOptions> all() {
    List<ComponentsOptions> result = new ArrayList<>();
    for (Output output : Output.values()) {
      ComponentsOptions options = ComponentsOptions.defaults().withOutput(output);
      result.add(options.withForm(Form.ATOMIC));
      result.add(options.withForm(Form.ATOMIC).withPhaseTimes(false));
      for (Direction direction : Direction.values()) {
        for (EdgeOrder order : EdgeOrder.values()) {
          ComponentsOptions free =
              options.withForm(Form.ATOMIC_FREE).withDirection(direction).withList(order);
          result.add(free);
          if (order != EdgeOrder.SORTED) {
            result.add(free.withSlots(false));
          }
        }
      }
      StmOptions stm = StmOptions.defaults().withTimeout(LIMIT);
      result.add(options.withForm(Form.TRANSACTIONAL).withStm(stm));
      result.add(
          options
              .withForm(Form.TRANSACTIONAL)
              .withStm(stm.withPolicy(Policy.PRIORITY_RULE).withBackOffNanos(PAUSE_NANOS)));
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
