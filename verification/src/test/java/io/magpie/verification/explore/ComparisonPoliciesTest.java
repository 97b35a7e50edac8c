package io.magpie.verification.explore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Device;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Policy;
import io.magpie.stm.StmOptions;
import io.magpie.verification.explore.Violation.Kind;
import io.magpie.verification.program.ClassicPrograms;
import io.magpie.verification.program.ProgramSubject;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The policies to compare with: their histories under many schedules, and their progress. */
@Tag("comparisons")
class ComparisonPoliciesTest {
  private static final int MOST_STATES = 200_000;

  /**
   * Descriptors count their uses, and attempts that fail raise versions, so that no state of a
   * livelock comes again: it is a run without an end, as test_stm_descriptors.cpp and
   * test_stm_in_place.cpp show them.
   */
  private static final Set<Policy> WITHOUT_RECURRING_STATES =
      EnumSet.of(Policy.OBSTRUCTION_FREE, Policy.INVISIBLE_READS_IN_PLACE);

  private static Device device;
  private static KernelModule module;
  private static KernelModule unvalidated;

  @BeforeAll
  static void open() {
    device = Device.open("sim:0:1");
    module = device.load("program");
    unvalidated = device.load("program_unvalidated");
  }

  @AfterAll
  static void close() {
    unvalidated.close();
    module.close();
    device.close();
  }

  static Stream<Policy> policies() {
    return Stream.of(Policy.values())
        .filter(policy -> policy != Policy.HAND_OFF && policy != Policy.PRIORITY_RULE);
  }

  static Stream<Arguments> policiesAndPrograms() {
    return policies()
        .flatMap(
            policy ->
                ClassicPrograms.all().keySet().stream()
                    .map(program -> Arguments.of(policy, program)));
  }

  private static StmOptions options(Policy policy) {
    // At most one eager attempt: another begins as the first one did, and the claims come after it.
    return StmOptions.defaults()
        .withPolicy(policy)
        .withEagerAttempts(policy.hasEagerAttempts() ? 1 : -1)
        .withTimeout(Duration.ZERO);
  }

  /** Strictly serializable, opaque, the results of a serial run, nothing lost or left claimed. */
  @ParameterizedTest
  @MethodSource("policiesAndPrograms")
  void schedulesShowNothingButLivelocks(Policy policy, String program) {
    for (KernelModule each : List.of(module, unvalidated)) {
      try (ProgramSubject subject =
          new ProgramSubject(device, each, ClassicPrograms.all().get(program), options(policy))) {
        Map<String, Integer> runs =
            Map.of("exhaustive:1", 400, "pct:3", 100, "pct:2+weak", 100, "random+weak", 100);
        runs.forEach(
            (strategy, most) -> {
              Exploration some =
                  Explorer.explore(
                      subject,
                      Strategy.parse(strategy),
                      most,
                      7,
                      violation ->
                          policy.progress().excludesLivelock()
                              || violation.kind() != Kind.LIVELOCK
                                  && (!WITHOUT_RECURRING_STATES.contains(policy)
                                      || violation.kind() != Kind.NO_END));
              assertTrue(
                  some.counterexample().isEmpty(), () -> program + ", " + strategy + ": " + some);
            });
      }
    }
  }

  /**
   * Two that open two objects in opposite orders, and two of which each reads what the other
   * writes.
   */
  @ParameterizedTest
  @MethodSource("policies")
  void livelocksAreThoseThatPoliciesHave(Policy policy) {
    boolean found = false;
    for (String program : List.of("opposite", "write-skew", "blind-skew", "same-order")) {
      try (ProgramSubject subject =
          new ProgramSubject(device, module, ClassicPrograms.all().get(program), options(policy))) {
        LivelockSearch.Result result = LivelockSearch.search(subject, MOST_STATES);
        found |= result.livelock().isPresent();
        if (policy.progress().excludesLivelock()) {
          assertTrue(result.complete(), program);
          assertEquals(Optional.empty(), result.livelock(), program);
        }
      }
    }
    if (!WITHOUT_RECURRING_STATES.contains(policy)) {
      assertEquals(policy.progress() == Policy.Progress.NONE, found);
    }
  }
}
