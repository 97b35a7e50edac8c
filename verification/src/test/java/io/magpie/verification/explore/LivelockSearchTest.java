package io.magpie.verification.explore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Device;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Policy;
import io.magpie.stm.StmOptions;
import io.magpie.stm.StmOptions.GiveWay;
import io.magpie.stm.simulator.Simulator;
import io.magpie.verification.mutation.Mutant;
import io.magpie.verification.program.ClassicPrograms;
import io.magpie.verification.program.ProgramSubject;
import io.magpie.verification.program.TransactionProgram;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The published policy livelocks with two transactions; the default one does not. */
class LivelockSearchTest {
  private static final int MOST_STATES = 200_000;

  /** Whether all ways to wait are due, as with {@code -Pfull}. */
  private static final boolean FULL =
      Boolean.parseBoolean(System.getProperty("magpie.test.full", "true"));

  private static Device device;
  private static KernelModule module;

  @BeforeAll
  static void open() {
    device = Device.open("sim:0:1");
    module = device.load("program");
  }

  @AfterAll
  static void close() {
    module.close();
    device.close();
  }

  private static StmOptions options(Policy policy) {
    return StmOptions.defaults().withPolicy(policy).withEagerAttempts(0).withTimeout(Duration.ZERO);
  }

  private static ProgramSubject subject(String program, StmOptions options) {
    return new ProgramSubject(device, module, ClassicPrograms.all().get(program), options);
  }

  @ParameterizedTest
  @ValueSource(strings = {"opposite", "same-order", "write-skew"})
  void priorityRuleLivelocks(String program) {
    try (ProgramSubject subject = subject(program, options(Policy.PRIORITY_RULE))) {
      LivelockSearch.Result result = LivelockSearch.search(subject, MOST_STATES);
      assertTrue(result.complete());
      LivelockSearch.Livelock livelock = result.livelock().orElseThrow();
      Simulator.Trace again = subject.launch(livelock.schedule().withStates());
      assertEquals(Simulator.Trace.NO_PROGRESS, again.code(), again.message());
      assertEquals(livelock.schedule().mostSteps(), again.steps());
      assertEquals(again.steps(), again.states().length, "no item ended");
      for (int thread = 0; thread < 2; thread++) {
        int share = Collections.frequency(livelock.threads(), thread);
        assertTrue(share >= LivelockSearch.STEPS / 10, "thread " + thread + " did " + share);
      }
    }
  }

  /**
   * Waits of some polls, of one, and in place: no state of any comes again with all threads moving.
   * In plain builds one program waits in all of these ways, each other one in one.
   */
  @ParameterizedTest
  @CsvSource({
    "opposite, 0, 3",
    "same-order, 0, 1",
    "write-skew, 1, 2",
    "blind-skew, 2, 3",
    "inner-opposite, 0, 1"
  })
  void handOffDoesNot(String program, int from, int to) {
    StmOptions standard = options(Policy.HAND_OFF);
    List<StmOptions> all =
        List.of(standard, standard.withPolls(1), standard.withPolls(3).withGiveWay(GiveWay.WAIT));
    for (StmOptions options : FULL ? all : all.subList(from, to)) {
      try (ProgramSubject subject = subject(program, options)) {
        LivelockSearch.Result result = LivelockSearch.search(subject, MOST_STATES);
        assertTrue(result.complete(), options.toString());
        assertEquals(0, result.candidates(), options.toString());
        assertEquals(Optional.empty(), result.livelock(), options.toString());
      }
    }
  }

  /**
   * How many attempts an item has made is in registers, where the search does not look: eager ones
   * seem to go on forever. Run, they end.
   */
  @Test
  void eagerAttemptsDoNot() {
    try (ProgramSubject subject =
        subject("opposite", options(Policy.HAND_OFF).withPolls(1).withEagerAttempts(2))) {
      LivelockSearch.Result result = LivelockSearch.search(subject, MOST_STATES);
      assertEquals(1, result.candidates());
      assertEquals(Optional.empty(), result.livelock());
    }
  }

  /** Where nothing comes after them, they go on forever. */
  @Test
  void eagerAttemptsAloneDo() {
    try (KernelModule broken = device.load("program", Mutant.defines());
        ProgramSubject subject =
            new ProgramSubject(
                device,
                broken,
                ClassicPrograms.all().get("opposite"),
                options(Policy.HAND_OFF).withEagerAttempts(1))) {
      Mutant.EAGER_FOREVER.putToWork(broken);
      assertTrue(LivelockSearch.search(subject, MOST_STATES).livelock().isPresent());
    }
  }

  /** A claim by load and compare-exchange, with bounded waits: what the model says of it. */
  @Test
  @Tag("slow")
  void handOffByCompareExchangeDoes() {
    try (KernelModule broken = device.load("program", Mutant.defines());
        ProgramSubject subject =
            new ProgramSubject(
                device,
                broken,
                ClassicPrograms.all().get("opposite"),
                options(Policy.HAND_OFF).withPolls(1))) {
      Mutant.COMPARE_EXCHANGE_CLAIM.putToWork(broken);
      assertTrue(LivelockSearch.search(subject, MOST_STATES).livelock().isPresent());
    }
  }

  @Test
  void aBoundOfStatesIsSaid() {
    try (ProgramSubject subject = subject("opposite", options(Policy.HAND_OFF))) {
      assertEquals(false, LivelockSearch.search(subject, 50).complete());
    }
  }

  @Test
  void moreThreadsThanItKeepsAreRefused() {
    try (Device wide = Device.open("sim:0:32");
        KernelModule loaded = wide.load("program");
        ProgramSubject subject =
            new ProgramSubject(
                wide,
                loaded,
                TransactionProgram.parse("1 object of 1 word: r0" + " | r0".repeat(256)),
                options(Policy.HAND_OFF))) {
      IllegalArgumentException refused =
          assertThrows(
              IllegalArgumentException.class, () -> LivelockSearch.search(subject, MOST_STATES));
      assertTrue(refused.getMessage().contains("288"), refused.getMessage());
    }
  }

  @Test
  void transactionsThatNeverMeetHaveFewStates() {
    TransactionProgram apart = TransactionProgram.parse("2 objects of 1 word: r0 w0 | r1 w1");
    try (ProgramSubject subject =
        new ProgramSubject(device, module, apart, options(Policy.HAND_OFF))) {
      LivelockSearch.Result result = LivelockSearch.search(subject, MOST_STATES);
      assertTrue(result.complete());
      assertEquals(0, result.candidates());
    }
  }
}
