package io.magpie.algorithms.sat;

import io.magpie.algorithms.SharedDevices;
import io.magpie.algorithms.TestDevices;
import io.magpie.algorithms.sat.SurveyOptions.Decimation;
import io.magpie.algorithms.sat.SurveyOptions.Flips;
import io.magpie.stm.Device;
import io.magpie.stm.Policy;
import io.magpie.stm.StmOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The options and devices that tests of survey propagation run with. */
final class SurveyVariants {
  private static final SharedDevices OPEN = new SharedDevices(Device::open);

  /** priority_rule promises no progress; a pause after each abort breaks the step of rivals. */
  private static final int PAUSE_NANOS = 65_536;

  private SurveyVariants() {}

  /** Both ways to decide with all to flip, under both policies where there are transactions. */
  static List<SurveyOptions> all() {
    StmOptions stm = StmOptions.defaults().withTimeout(Duration.ofSeconds(60));
    List<SurveyOptions> all = new ArrayList<>();
    for (Decimation decimation : Decimation.values()) {
      for (Flips flips : Flips.values()) {
        all.add(SurveyOptions.defaults().withDecimation(decimation).withFlips(flips).withStm(stm));
      }
    }
    all.add(
        all.get(0)
            .withFlips(Flips.TRANSACTIONS)
            .withPhaseTimes(false)
            .withStm(stm.withPolicy(Policy.PRIORITY_RULE).withBackOffNanos(PAUSE_NANOS)));
    all.add(all.get(0).withRestarts(2));
    return all;
  }

  static List<String> devices() {
    return TestDevices.of(List.of("cpu:4", "sim:2:4"), "cpu-checked:3", "sim:1:1", "sim:0:32");
  }

  /** A device with nothing on it, kept open for all tests of this process. */
  static Device device(String spec) {
    return OPEN.device(spec);
  }
}
