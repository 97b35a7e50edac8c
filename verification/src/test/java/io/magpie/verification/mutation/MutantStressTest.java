package io.magpie.verification.mutation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.magpie.stm.Device;
import io.magpie.stm.Policy;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.mutation.MutantStress.Extent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MutantStressTest {
  /** No run here takes as long, however busy the machine is. */
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** Of runs that may have no end. */
  private static final Duration LIMIT_WITHOUT_PROGRESS = Duration.ofSeconds(5);

  /** On the simulator, whose seed makes the outcome certain. */
  @ParameterizedTest
  @EnumSource(names = {"HAND_OFF", "PRIORITY_RULE"})
  void aMutantRunsInItsBuild(Policy policy) {
    assertNoticed(policy);
  }

  /** Under those that lock what they open a cancel stands unchecked: they are left out. */
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"HAND_OFF", "PRIORITY_RULE", "PESSIMISTIC", "COARSE_LOCK"})
  @Tag("comparisons")
  void aMutantRunsUnderOtherPolicies(Policy policy) {
    assertNoticed(policy);
  }

  private static void assertNoticed(Policy policy) {
    try (Device device = Device.open("sim:1:1")) {
      Mutant mutant = Mutant.CANCEL_UNCHECKED;
      assertTrue(
          MutantStress.run(device, mutant, policy, new Extent(2_000, 1, TIMEOUT))
              .violation()
              .isPresent());
      assertEquals(
          Optional.empty(),
          MutantStress.control(device, mutant.build(), policy, new Extent(2_000, 1, TIMEOUT))
              .violation());
    }
  }

  /** A device that lives on says what happened. */
  @Test
  @Tag("slow")
  void aFaultIsAViolation() {
    System.setProperty("magpie.sim.steps", "1000");
    try (Device device = Device.open("sim:1:1")) {
      MutantStress.Result result =
          MutantStress.control(
              device, Mutant.Build.STANDARD, Policy.HAND_OFF, new Extent(2_000, 1, TIMEOUT));
      assertEquals(Violation.Kind.FAULT, result.violation().orElseThrow().kind());
      assertEquals(0, result.transactions());
    } finally {
      System.clearProperty("magpie.sim.steps");
    }
  }

  /** A run that the timeout ends counts what it did; compiling first changes nothing. */
  @Test
  @Tag("slow")
  void transactionsThatEndedAreCounted() {
    try (Device device = Device.open("cpu:2")) {
      MutantStress.compile(device, List.of(Mutant.CANCEL_UNCHECKED));
      MutantStress.Result all =
          MutantStress.control(
              device, Mutant.Build.STANDARD, Policy.HAND_OFF, new Extent(100, 2, TIMEOUT));
      assertEquals(Optional.empty(), all.violation());
      // 100 of each of five workloads, twice, without eager attempts and with
      assertEquals(2_000, all.transactions());
      MutantStress.Result cut =
          MutantStress.control(
              device,
              Mutant.Build.STANDARD,
              Policy.HAND_OFF,
              new Extent(300_000, 1, Duration.ofMillis(1)));
      assertEquals(Optional.empty(), cut.violation());
      assertTrue(cut.transactions() < 3_000_000, cut.toString());
    }
  }

  @Test
  void nothingToRunIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new Extent(0, 1, TIMEOUT));
    assertThrows(IllegalArgumentException.class, () -> new Extent(1, 0, TIMEOUT));
  }

  /** What two threads' timers differ by is no order. */
  @ParameterizedTest
  @EnumSource(Policy.class)
  void theControlPassesOnAGpu(Policy policy) {
    assumeTrue(Device.whyNoGpu().isEmpty(), () -> Device.whyNoGpu().orElseThrow());
    try (Device device = Device.open("cuda")) {
      assertEquals(
          Optional.empty(),
          MutantStress.control(
                  device,
                  Mutant.Build.STANDARD,
                  policy,
                  new Extent(100_000, 1, LIMIT_WITHOUT_PROGRESS))
              .violation());
    }
  }
}
