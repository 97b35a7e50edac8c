package io.magpie.algorithms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.AlgorithmWithRegions.Size;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.DeviceOutOfMemoryException;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelFaultException;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Policy;
import io.magpie.stm.Recording;
import io.magpie.stm.RunRecorder;
import io.magpie.stm.RunRecorder.RecordedRun;
import io.magpie.stm.StmOptions;
import io.magpie.stm.UnfinishedItemsException;
import io.magpie.stm.simulator.Schedule;
import io.magpie.verification.check.Verdict.Level;
import io.magpie.verification.check.Verdict.Opacity;
import io.magpie.verification.explore.Violation.Kind;
import io.magpie.verification.mutation.Mutant;
import io.magpie.verification.workload.RecordedAlgorithm;
import io.magpie.verification.workload.RecordedAlgorithm.Run;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every region of every algorithm, in runs of the algorithm that are recorded: strictly
 * serializable, opaque where reads are validated, every item ended once, no word left claimed. Of
 * refinement that is about the objects open at commit, not about what is sought before.
 */
class RecordedRegionsTest {
  private static final SharedDevices OPEN = new SharedDevices(AlgorithmWithRegions::openRecorded);

  /**
   * Runs of {@code priority_rule}, which promises no end, still have one: here after a time, on a
   * simulator, where a busy machine would leave too little in it, after many attempts.
   */
  private static final Duration LIMIT_WITHOUT_PROGRESS = Duration.ofMillis(500);

  /** The same of broken regions, under any policy: few of their runs come to it. */
  private static final Duration LIMIT_OF_BROKEN = Duration.ofSeconds(10);

  private static final int PAUSE_NANOS = 65_536;
  private static final int MOST_INPUTS = 100;

  /** Inputs that a broken commit is looked for in, and that an unbroken one is to have none in. */
  private static final int MOST_SMALL_INPUTS = 12;

  /** The same of tiny inputs, each with a schedule of its own. */
  private static final int MOST_INTERRUPTED_INPUTS = 100;

  /** One more than priorities change in each of these schedules. */
  private static final int DEPTH = 40;

  /**
   * Steps that the changes are spread over: the first of up to 1,100, since most of a tiny input's
   * transactions begin there.
   */
  private static final long STEPS = 300;

  /** On a GPU, so that each thread's log can have the records of a hub. */
  private static final int MOST_IN_FLIGHT = 1 << 12;

  private static final long WORDS_OF_LOG = 1 << 13;

  /** Modules that can be recorded, on a device that is kept open. */
  private static Device device(String spec) {
    return OPEN.device(spec);
  }

  private static List<String> devices() {
    return TestDevices.of(List.of("sim:2:4"), "cpu:4", "sim:1:1", "sim:0:32");
  }

  private static StmOptions options(Device device, Policy policy) {
    StmOptions options = StmOptions.defaults().withPolicy(policy);
    if (device.machine() == Machine.CUDA) {
      options = options.withThreadsInFlight(MOST_IN_FLIGHT);
    }
    if (policy == Policy.HAND_OFF) {
      return options;
    }
    options = options.withBackOffNanos(PAUSE_NANOS);
    return device.machine() == Machine.SIM
        ? options.withMaxAttempts(AlgorithmWithRegions.MOST_ATTEMPTS)
        : options.withTimeout(LIMIT_WITHOUT_PROGRESS);
  }

  private static Recording.Options logs(Device device) {
    return Recording.Options.defaults()
        .withTotalBytes(
            switch (device.machine()) {
              case CUDA -> MOST_IN_FLIGHT * WORDS_OF_LOG * Long.BYTES;
              case CPU, SIM -> 32L << 20;
            });
  }

  /** Runs an algorithm, which must end under a live policy. */
  private static void run(
      AlgorithmWithRegions algorithm, Device device, Size size, int input, Policy policy) {
    try {
      algorithm.run(device, size, input, options(device, policy));
    } catch (UnfinishedItemsException e) {
      if (policy == Policy.HAND_OFF) {
        throw e;
      }
    }
  }

  static Stream<Arguments> everything() {
    return devices().stream()
        .flatMap(
            spec ->
                AlgorithmWithRegions.tested().stream()
                    .map(algorithm -> Arguments.of(algorithm, spec)));
  }

  @ParameterizedTest
  @MethodSource("everything")
  void wholeRunsAreInOrder(AlgorithmWithRegions algorithm, String spec) {
    checkWholeRuns(algorithm, Policy.HAND_OFF, spec);
  }

  @Tag("slow") // compiles
  @ParameterizedTest
  @MethodSource("everything")
  void wholeRunsOfThePublishedRuleAreInOrder(AlgorithmWithRegions algorithm, String spec) {
    checkWholeRuns(algorithm, Policy.PRIORITY_RULE, spec);
  }

  private static void checkWholeRuns(AlgorithmWithRegions algorithm, Policy policy, String spec) {
    Device device = device(spec);
    Size size = device.machine() == Machine.SIM ? Size.SMALL : Size.LARGE;
    try (RecordedAlgorithm recorded = new RecordedAlgorithm(device, logs(device))) {
      Set<String> committed = new TreeSet<>();
      // Where runs need not end, it may take more of them to come to each region.
      for (int input = 0;
          input < 4 || input < MOST_INPUTS && !committed.containsAll(algorithm.regions);
          input++) {
        run(algorithm, device, size, input, policy);
        String what = algorithm + " of input " + input;
        assertEquals(List.of(), recorded.violations(), what);
        for (Run run : recorded.runs()) {
          assertEquals(Level.STRICTLY_SERIALIZABLE, run.verdict().level(), what);
          assertEquals(
              validated(run.report().region()) ? Opacity.OPAQUE : Opacity.NOT_CHECKED,
              run.verdict().opacity(),
              what);
          long commits = run.verdict().extent().committed();
          assertTrue(run.accesses() >= commits, () -> what + ": commits without access in " + run);
          if (commits > 0) {
            committed.add(run.report().region());
          }
        }
        recorded.clear();
      }
      assertTrue(committed.containsAll(algorithm.regions), committed::toString);
    }
  }

  /** Of the regions named here the kernels' files say why reads need no validation. */
  private static boolean validated(String region) {
    return !region.endsWith("_unvalidated")
        && !region.startsWith("move_vertex")
        && !region.equals("decide")
        && !region.startsWith("refine");
  }

  private static Set<String> modules() {
    return Arrays.stream(AlgorithmWithRegions.values())
        .map(algorithm -> algorithm.module)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** A name that is no module's would test nothing unless {@code -Pfull} is given. */
  @Test
  void testedModulesHaveRegions() {
    assertTrue(
        modules().containsAll(AlgorithmWithRegions.QUICK), AlgorithmWithRegions.QUICK::toString);
  }

  /** Of all modules: one whose regions nobody runs here is one too. */
  @Test
  void noRegionIsLeftOut() throws IOException {
    Set<String> names = modules();
    BuiltInModulesTest.modules().forEach(names::add);
    try (Device device = Device.open("cpu:1")) {
      for (String name : names) {
        Set<String> recorded =
            Arrays.stream(AlgorithmWithRegions.values())
                .filter(algorithm -> algorithm.module.equals(name))
                .flatMap(algorithm -> algorithm.regions.stream())
                .collect(Collectors.toCollection(TreeSet::new));
        try (KernelModule module = device.load(name)) {
          recorded.addAll(AlgorithmWithRegions.seriesOf(name));
          assertEquals(
              new TreeSet<>(module.regions()),
              recorded,
              () -> "regions of " + name + ", and those that AlgorithmWithRegions runs");
        }
      }
    }
  }

  @Property(tries = 100, shrinking = ShrinkingMode.BOUNDED)
  void smallRunsAreInOrderUnderAnySchedule(
      @ForAll("algorithms") AlgorithmWithRegions algorithm,
      @ForAll("schedules") Schedule schedule,
      @ForAll("simulators") String spec,
      @ForAll("inputs") int input) {
    checkSmallRun(algorithm, Policy.HAND_OFF, schedule, spec, input);
  }

  @net.jqwik.api.Tag("slow")
  @Property(tries = 100, shrinking = ShrinkingMode.BOUNDED)
  void smallRunsOfThePublishedRuleAreInOrderUnderAnySchedule(
      @ForAll("algorithms") AlgorithmWithRegions algorithm,
      @ForAll("schedules") Schedule schedule,
      @ForAll("simulators") String spec,
      @ForAll("inputs") int input) {
    checkSmallRun(algorithm, Policy.PRIORITY_RULE, schedule, spec, input);
  }

  private static void checkSmallRun(
      AlgorithmWithRegions algorithm, Policy policy, Schedule schedule, String spec, int input) {
    Device device = device(spec);
    try (RecordedAlgorithm recorded = new RecordedAlgorithm(device, logs(device))) {
      recorded.setSchedule(schedule);
      run(algorithm, device, Size.TINY, input, policy);
      assertEquals(List.of(), recorded.violations());
      assertTrue(!recorded.runs().isEmpty());
    }
  }

  @Provide
  Arbitrary<AlgorithmWithRegions> algorithms() {
    return Arbitraries.of(AlgorithmWithRegions.tested());
  }

  @Provide
  Arbitrary<Schedule> schedules() {
    return Schedules.any();
  }

  @Provide
  Arbitrary<String> simulators() {
    return Arbitraries.of("sim:1:1", "sim:1:4", "sim:1:32");
  }

  @Provide
  Arbitrary<Integer> inputs() {
    return Arbitraries.integers().between(0, 1000);
  }

  /** What the checks are worth: of a commit that locks what is no longer its own they tell. */
  @Tag("slow")
  @ParameterizedTest
  @MethodSource("brokenRegions")
  void aBrokenCommitIsNoticed(
      AlgorithmWithRegions algorithm, String region, Search search, Policy policy) {
    Set<Kind> broken = complaints(algorithm, region, search, policy, true);
    assertTrue(isNoticed(broken), broken::toString);
    assertEquals(Set.of(), complaints(algorithm, region, search, policy, false));
  }

  /** Whether there is no order, or the algorithm itself could not go on from what a run left. */
  private static boolean isNoticed(Set<Kind> found) {
    return found.contains(Kind.NOT_SERIALIZABLE) || found.contains(Kind.FAULT);
  }

  /** Where orders that are none are looked for. */
  private enum Search {
    /** Small inputs, scheduled as the simulator does by itself. */
    SMALL_INPUTS(MOST_SMALL_INPUTS),
    /** Tiny inputs, in which again and again a thread stops while others go on. */
    INTERRUPTIONS(MOST_INTERRUPTED_INPUTS);

    final int inputs;

    Search(int inputs) {
      this.inputs = inputs;
    }

    Size size() {
      return this == SMALL_INPUTS ? Size.SMALL : Size.TINY;
    }

    Schedule schedule(int input) {
      return this == SMALL_INPUTS ? null : Schedule.pct(input, DEPTH, STEPS);
    }
  }

  static Stream<Arguments> brokenRegions() {
    return Stream.of(Policy.HAND_OFF, Policy.PRIORITY_RULE)
        .flatMap(
            policy ->
                Stream.of(
                    broken(
                        AlgorithmWithRegions.PARTITION, "match_pair", Search.SMALL_INPUTS, policy),
                    broken(AlgorithmWithRegions.MOVES, "move_vertex", Search.SMALL_INPUTS, policy),
                    broken(
                        AlgorithmWithRegions.MOVES_RESERVED,
                        "move_vertex_reserved",
                        Search.SMALL_INPUTS,
                        policy),
                    broken(
                        AlgorithmWithRegions.FOREST, "merge_chosen", Search.INTERRUPTIONS, policy),
                    broken(
                        AlgorithmWithRegions.PAIRS_OVER_VERTICES,
                        "merge_vertices",
                        Search.INTERRUPTIONS,
                        policy),
                    broken(
                        AlgorithmWithRegions.SPANNING_FOREST,
                        "unite_listed",
                        Search.INTERRUPTIONS,
                        policy),
                    broken(AlgorithmWithRegions.PATHS, "take_offer", Search.INTERRUPTIONS, policy),
                    broken(
                        AlgorithmWithRegions.UNIT_PROPAGATION,
                        "decide",
                        Search.SMALL_INPUTS,
                        policy),
                    broken(AlgorithmWithRegions.LOCAL_SEARCH, "flip", Search.SMALL_INPUTS, policy),
                    broken(
                        AlgorithmWithRegions.CYCLE_COLLAPSE,
                        "collapse_cycle",
                        Search.INTERRUPTIONS,
                        policy),
                    broken(
                        AlgorithmWithRegions.MESH_REFINEMENT,
                        "refine",
                        Search.SMALL_INPUTS,
                        policy),
                    broken(
                        AlgorithmWithRegions.LARGE_CAVITIES,
                        "refine_large",
                        Search.SMALL_INPUTS,
                        policy)));
  }

  private static Arguments broken(
      AlgorithmWithRegions algorithm, String region, Search search, Policy policy) {
    return Arguments.of(algorithm, region, search, policy);
  }

  private static final class StopException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** Ends an algorithm at the first violation: of what follows nothing is sure, not even an end. */
  private record StoppedByViolations(RecordedAlgorithm recorded) implements RunRecorder {
    @Override
    public Recording begin(UpcomingRun run) {
      return recorded.begin(run);
    }

    @Override
    public void end(RecordedRun run) {
      recorded.end(run);
      if (!recorded.violations().isEmpty()) {
        throw new StopException();
      }
    }

    @Override
    public void failed(String region) {
      recorded.failed(region);
    }
  }

  /** What is wrong with runs of a region, up to the first input with which that is noticed. */
  private static Set<Kind> complaints(
      AlgorithmWithRegions algorithm, String region, Search search, Policy policy, boolean broken) {
    Set<Kind> found = EnumSet.noneOf(Kind.class);
    try (Device device = Device.open("sim:2:4")) {
      // One build for what is broken and what is not, under either policy.
      Map<String, String> defines = new HashMap<>(Mutant.defines());
      defines.put("MAGPIE_RECORD", "1");
      device.define(algorithm.module, defines);
      try (KernelModule module = device.load(algorithm.module)) {
        int mutant = module.intConstant(broken ? "mutant::lock_unchecked" : "mutant::none");
        module.kernel("choose_mutant").run(1, new Fields().set("number", mutant));
      }
      for (int input = 0; input < search.inputs && !isNoticed(found); input++) {
        try (RecordedAlgorithm recorded = new RecordedAlgorithm(device, logs(device))) {
          recorded.setSchedule(search.schedule(input));
          device.setRunRecorder(new StoppedByViolations(recorded));
          // What is locked when it is opened cannot be lost before the commit.
          StmOptions options = options(device, policy).withEagerAttempts(0);
          try {
            algorithm.run(
                device,
                search.size(),
                input,
                broken ? options.withTimeout(LIMIT_OF_BROKEN) : options);
          } catch (StopException e) {
            // Below it is told why.
          } catch (UnfinishedItemsException e) {
            assertTrue(broken || policy != Policy.HAND_OFF, e::toString);
          } catch (KernelFaultException | DeviceOutOfMemoryException | IllegalArgumentException e) {
            if (!broken) {
              throw e;
            }
            // By what such a commit left: a kernel leaves an array, or one is to have a length that
            // none can have.
            found.add(Kind.FAULT);
          }
          recorded.runs().stream()
              .filter(run -> run.report().region().equals(region))
              .flatMap(run -> run.violations().stream())
              .forEach(each -> found.add(each.kind()));
        }
      }
      return found;
    }
  }
}
