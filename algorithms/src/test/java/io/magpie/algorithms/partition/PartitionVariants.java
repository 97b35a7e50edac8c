package io.magpie.algorithms.partition;

import io.magpie.algorithms.SharedDevices;
import io.magpie.algorithms.TestDevices;
import io.magpie.algorithms.partition.PartitionOptions.Coarsening;
import io.magpie.algorithms.partition.PartitionOptions.Effort;
import io.magpie.algorithms.partition.PartitionOptions.Gain;
import io.magpie.algorithms.partition.PartitionOptions.MoveOrder;
import io.magpie.algorithms.partition.PartitionOptions.Refinement;
import io.magpie.stm.Device;
import io.magpie.stm.Policy;
import io.magpie.stm.StmOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The ways to refine, and the devices that tests run on. */
final class PartitionVariants {
  private static final SharedDevices OPEN = new SharedDevices(Device::open);
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private PartitionVariants() {}

  /**
   * Every effort, with clusters and with every way to refine, transactions under the live policy;
   * by estimates two ways, and with {@code -Pfull} every one.
   */
  static List<PartitionOptions> all(int parts) {
    List<PartitionOptions> result = new ArrayList<>();
    for (Effort effort : Effort.values()) {
      result.add(PartitionOptions.of(parts).withEffort(effort).withCoarsening(Coarsening.CLUSTERS));
      for (Refinement refinement : Refinement.values()) {
        result.add(
            PartitionOptions.of(parts)
                .withEffort(effort)
                .withRefinement(refinement)
                .withPhaseTimes(effort == Effort.FAST)
                .withStm(StmOptions.defaults().withPolicy(Policy.HAND_OFF).withTimeout(LIMIT)));
      }
      if (effort == Effort.FAST) {
        for (Refinement each :
            TestDevices.FULL
                ? List.of(Refinement.values())
                : List.of(Refinement.ATOMIC, Refinement.STM)) {
          result.add(
              PartitionOptions.of(parts)
                  .withEffort(effort)
                  .withRefinement(each)
                  .withGain(Gain.ESTIMATED)
                  .withStm(StmOptions.defaults().withPolicy(Policy.HAND_OFF).withTimeout(LIMIT)));
        }
        for (Refinement each : List.of(Refinement.STM, Refinement.STM_RESERVED)) {
          result.add(
              PartitionOptions.of(parts)
                  .withEffort(effort)
                  .withRefinement(each)
                  .withMoveOrder(MoveOrder.RANGES)
                  .withStm(StmOptions.defaults().withPolicy(Policy.HAND_OFF).withTimeout(LIMIT)));
        }
      }
    }
    return result;
  }

  /** cpu, sim of widths 1, 4 and 32, and the GPU if there is one. */
  static List<String> devices() {
    return TestDevices.of(List.of("cpu:4", "sim:2:4"), "sim:1:1", "sim:3:6", "sim:0:32");
  }

  /** A device with nothing on it, kept open for all tests of this process. */
  static Device device(String spec) {
    return OPEN.device(spec);
  }
}
