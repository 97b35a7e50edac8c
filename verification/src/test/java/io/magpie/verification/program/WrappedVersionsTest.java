package io.magpie.verification.program;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Device;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Policy;
import io.magpie.stm.StmOptions;
import io.magpie.verification.check.SerializabilityChecker;
import io.magpie.verification.check.SerializabilityChecker.Options;
import io.magpie.verification.check.Verdict;
import io.magpie.verification.history.History;
import io.magpie.verification.history.HistoryBuilder;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A recorded run whose versions begin at 2^32 - 2, and so pass 2^32. */
class WrappedVersionsTest {
  private static final int FIRST = -2;

  @ParameterizedTest
  @CsvSource({
    "sim:1:1,HAND_OFF",
    "sim:1:4,HAND_OFF",
    "cpu:2,HAND_OFF",
    "sim:1:1,PRIORITY_RULE",
    "cpu:2,PRIORITY_RULE"
  })
  void aHistoryThatPassesTheLastVersionIsAccepted(String spec, Policy policy) {
    TransactionProgram program =
        TransactionProgram.parse("2 objects of 1 word: " + "r0 w0 r1 w1 | ".repeat(11) + "r1 r0");
    StmOptions options = StmOptions.defaults().withPolicy(policy).withBackOffNanos(20_000);
    try (Device device = Device.open(spec);
        KernelModule module = device.load("program");
        ProgramSubject subject = new ProgramSubject(device, module, program, options)) {
      assertEquals(List.of(), subject.run());
      HistoryBuilder shifted = new HistoryBuilder();
      subject
          .recording()
          .forEachThread(
              (thread, words, count) -> {
                long[] log = Arrays.copyOf(words, count);
                shift(log);
                shifted.thread(thread).addLog(log, count);
              });
      History history = shifted.build();
      int[] last = subject.recording().finalStamps(subject.objects());
      assertArrayEquals(new int[] {11, 11}, last);
      Options known =
          Options.DEFAULT
              .withInitialStamps(new int[] {FIRST, FIRST})
              .withFinalStamps(Arrays.stream(last).map(each -> each + FIRST).toArray());
      Verdict verdict = SerializabilityChecker.check(history, known);
      assertEquals(Verdict.Level.STRICTLY_SERIALIZABLE, verdict.level(), verdict::toString);
      assertTrue(verdict.passed(), verdict::toString);
      assertEquals(
          Verdict.Level.NOT_SERIALIZABLE,
          SerializabilityChecker.check(history, Options.DEFAULT).level());
    }
  }

  /** Adds to the version of each access. */
  private static void shift(long[] log) {
    for (int at = 0; at < log.length; ) {
      int accesses = (int) (log[at + 1] >>> 40);
      for (int i = at + 4; i < at + 4 + accesses; i++) {
        log[i] += (long) FIRST << 32;
      }
      at += 4 + accesses;
    }
  }
}
