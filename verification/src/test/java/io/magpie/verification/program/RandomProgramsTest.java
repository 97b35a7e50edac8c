package io.magpie.verification.program;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.stm.Device;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Policy;
import io.magpie.stm.StmOptions;
import io.magpie.stm.StmOptions.GiveWay;
import io.magpie.stm.simulator.Schedule;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.explore.Violation.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.LifecycleContext;
import net.jqwik.api.lifecycle.SkipExecutionHook;

/**
 * Random transactions under every policy, machine and setting: strictly serializable, opaque, with
 * the results of a serial run, nothing lost, no word left claimed.
 */
class RandomProgramsTest {
  private static final List<Policy> SHIPPED = List.of(Policy.HAND_OFF, Policy.PRIORITY_RULE);
  private static final Map<String, Device> DEVICES = new LinkedHashMap<>();
  private static final Map<String, KernelModule> MODULES = new LinkedHashMap<>();

  private static Device device(String spec) {
    return DEVICES.computeIfAbsent(spec, Device::open);
  }

  private static KernelModule module(String spec, boolean validated) {
    return MODULES.computeIfAbsent(
        spec + validated, key -> device(spec).load(validated ? "program" : "program_unvalidated"));
  }

  @AfterContainer
  static void close() {
    MODULES.values().forEach(KernelModule::close);
    DEVICES.values().forEach(Device::close);
    MODULES.clear();
    DEVICES.clear();
  }

  @Property
  void textFormsAreReadBack(@ForAll("large") TransactionProgram program) {
    assertEquals(program, TransactionProgram.parse(program.toString()));
  }

  /** Modules for the policies to compare with are compiled for these tests alone. */
  @Property(tries = 3000, shrinking = ShrinkingMode.BOUNDED)
  @Tag("comparisons")
  void simulatedToCompare(
      @ForAll("small") TransactionProgram program,
      @ForAll("schedules") Schedule schedule,
      @ForAll("settingsToCompare") StmOptions options,
      @ForAll("simulators") String spec,
      @ForAll boolean validated) {
    simulated(program, schedule, options, spec, validated);
  }

  @Property(tries = 600, shrinking = ShrinkingMode.BOUNDED)
  @Tag("comparisons")
  void onProcessorsToCompare(
      @ForAll("large") TransactionProgram program,
      @ForAll("settingsToCompare") StmOptions options,
      @ForAll("processors") String spec,
      @ForAll boolean validated) {
    onRealThreads(program, options, spec, validated);
  }

  @Property(tries = 1500, shrinking = ShrinkingMode.BOUNDED)
  void simulated(
      @ForAll("small") TransactionProgram program,
      @ForAll("schedules") Schedule schedule,
      @ForAll("settings") StmOptions options,
      @ForAll("simulators") String spec,
      @ForAll boolean validated) {
    try (ProgramSubject subject =
        new ProgramSubject(device(spec), module(spec, validated), program, options)) {
      List<Violation> violations =
          subject.run(schedule.withLassoDetection().withMostSteps(200_000)).violations();
      assertEquals(List.of(), unexpected(violations, options), program + " on " + spec);
    }
  }

  @Property(tries = 400, shrinking = ShrinkingMode.BOUNDED)
  void onProcessors(
      @ForAll("large") TransactionProgram program,
      @ForAll("settings") StmOptions options,
      @ForAll("processors") String spec,
      @ForAll boolean validated) {
    onRealThreads(program, options, spec, validated);
  }

  /** Fewer, as launches and what prepares them take longer there. */
  @Property(tries = 60, shrinking = ShrinkingMode.BOUNDED)
  @AddLifecycleHook(SkippedWithoutGpu.class)
  void onGpu(
      @ForAll("large") TransactionProgram program,
      @ForAll("settings") StmOptions options,
      @ForAll boolean validated) {
    onRealThreads(program, options, "cuda", validated);
  }

  static final class SkippedWithoutGpu implements SkipExecutionHook {
    @Override
    public SkipResult shouldBeSkipped(LifecycleContext context) {
      return Device.whyNoGpu().map(SkipResult::skip).orElseGet(SkipResult::doNotSkip);
    }
  }

  private static void onRealThreads(
      TransactionProgram program, StmOptions options, String spec, boolean validated) {
    // priority_rule promises no end; a pause makes one likely, and a bound certain.
    StmOptions bounded =
        isLive(options)
            ? options.withTimeout(Duration.ofSeconds(60))
            : options.withBackOffNanos(65_536).withTimeout(Duration.ofMillis(500));
    try (ProgramSubject subject =
        new ProgramSubject(device(spec), module(spec, validated), program, bounded)) {
      for (int run = 0; run < 5; run++) {
        assertEquals(List.of(), unexpected(subject.run(), options), program + " on " + spec);
      }
    }
  }

  /** Without a bound on progress nothing may go wrong but that there is none. */
  private static List<Violation> unexpected(List<Violation> violations, StmOptions options) {
    return isLive(options)
        ? violations
        : violations.stream()
            .filter(
                each ->
                    each.kind() != Kind.LIVELOCK || options.policy().progress().excludesLivelock())
            .filter(each -> each.kind() != Kind.NO_END)
            .filter(each -> each.kind() != Kind.LOST_ITEM || noneWithoutEnd(violations))
            .toList();
  }

  private static boolean isLive(StmOptions options) {
    return options.policy().progress() == Policy.Progress.STARVATION_FREE;
  }

  private static boolean noneWithoutEnd(List<Violation> violations) {
    return violations.stream().noneMatch(each -> each.kind() == Kind.NO_END);
  }

  @Provide
  Arbitrary<TransactionProgram> small() {
    return ProgramArbitraries.programs(4, 4, 4);
  }

  @Provide
  Arbitrary<TransactionProgram> large() {
    return ProgramArbitraries.programs(8, 64, 8);
  }

  @Provide
  Arbitrary<Schedule> schedules() {
    return ProgramArbitraries.schedules();
  }

  @Provide
  Arbitrary<StmOptions> settings() {
    return settings(SHIPPED);
  }

  @Provide
  Arbitrary<StmOptions> settingsToCompare() {
    List<Policy> others = new ArrayList<>(List.of(Policy.values()));
    others.removeAll(SHIPPED);
    return settings(others);
  }

  private static Arbitrary<StmOptions> settings(List<Policy> policies) {
    return Combinators.combine(
            Arbitraries.of(policies),
            Arbitraries.of(1, 3, 64),
            Arbitraries.of(GiveWay.values()),
            Arbitraries.of(0, 2, 16))
        .as(
            (policy, polls, giveWay, eager) ->
                StmOptions.defaults()
                    .withPolicy(policy)
                    .withPolls(polls)
                    .withGiveWay(giveWay)
                    .withEagerAttempts(eager)
                    .withTimeout(Duration.ZERO));
  }

  @Provide
  Arbitrary<String> simulators() {
    return Arbitraries.of("sim:1:1", "sim:1:4", "sim:1:32");
  }

  @Provide
  Arbitrary<String> processors() {
    return Arbitraries.of("cpu:2", "cpu:4");
  }
}
