package io.magpie.verification.mutation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.magpie.stm.Device;
import io.magpie.stm.Policy;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MutantStressTest {
  /** On the simulator, whose seed makes the outcome certain. */
  @ParameterizedTest
  @EnumSource(Policy.class)
  void aMutantRunsInItsBuild(Policy policy) {
    try (Device device = Device.open("sim:1:1")) {
      Mutant mutant = Mutant.CANCEL_UNCHECKED;
      assertTrue(MutantStress.run(device, mutant, policy, 2_000, 1).violation().isPresent());
      assertEquals(
          Optional.empty(),
          MutantStress.control(device, mutant.build(), policy, 2_000, 1).violation());
    }
  }

  /** What two threads' timers differ by is no order. */
  @ParameterizedTest
  @EnumSource(Policy.class)
  void theControlPassesOnAGpu(Policy policy) {
    assumeTrue(Device.whyNoGpu().isEmpty(), () -> Device.whyNoGpu().orElseThrow());
    try (Device device = Device.open("cuda")) {
      assertEquals(
          Optional.empty(),
          MutantStress.control(device, Mutant.Build.STANDARD, policy, 100_000, 1).violation());
    }
  }
}
