package io.magpie.verification.check;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.verification.check.SerializabilityChecker.Options;
import io.magpie.verification.check.Verdict.Extent;
import io.magpie.verification.check.Verdict.Level;
import io.magpie.verification.check.Verdict.Opacity;
import io.magpie.verification.history.Access;
import io.magpie.verification.history.Anomaly;
import io.magpie.verification.history.Histories;
import io.magpie.verification.history.History;
import io.magpie.verification.history.HistoryBuilder;
import io.magpie.verification.history.HistoryGenerators;
import io.magpie.verification.history.HistoryGenerators.Shape;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class SerializabilityCheckerTest {
  private static final Shape SHAPE = new Shape(2000, 6, 50, 16, 0.5, 0.2, 7);

  private static Verdict check(History history) {
    return SerializabilityChecker.check(history, Options.DEFAULT);
  }

  private static History parse(String... lines) throws IOException {
    String text = "magpie-history 1\n" + String.join("\n", lines);
    return Histories.read(new StringReader(text), "test");
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "WRONG_FINAL_STAMP")
  void eachAnomalyIsFoundAmongOthersAndNamed(Anomaly anomaly) {
    Verdict verdict = check(HistoryGenerators.flawed(SHAPE, anomaly));
    Finding finding = verdict.violation().orElseThrow();
    assertEquals(anomaly, finding.anomaly(), verdict::toString);
    boolean timed = anomaly == Anomaly.STALE_READ;
    assertEquals(timed ? Level.SERIALIZABLE : Level.NOT_SERIALIZABLE, verdict.level());
    assertEquals(timed, finding.realTime());
    assertEquals(Opacity.NOT_OPAQUE, verdict.opacity());
    assertEquals(anomaly, verdict.opacityViolation().orElseThrow().anomaly());
    assertEquals(anomaly.isCycle(), !finding.cycle().isEmpty());
    assertEquals(
        anomaly == Anomaly.ANTI_DEPENDENCIES ? 3 : anomaly.isCycle() ? 2 : 0,
        finding.cycle().size());
    assertEquals(Map.of(anomaly, 1L), finding.counts());
    for (int attempt : finding.attempts()) {
      assertTrue(history(finding, attempt) >= SHAPE.attempts(), finding::toString);
    }
    assertTrue(finding.shortest());
  }

  private static long history(Finding finding, int attempt) {
    return Integer.toUnsignedLong(finding.history().item(attempt));
  }

  @Test
  void realTimeCountsOnlyWhereItIsAsked() {
    History history = HistoryGenerators.flawed(SHAPE, Anomaly.STALE_READ);
    Options options = Options.DEFAULT.withRealTime(false).withOpacity(false);
    Verdict verdict = SerializabilityChecker.check(history, options);
    assertEquals(Level.SERIALIZABLE, verdict.level());
    assertEquals(Opacity.NOT_CHECKED, verdict.opacity());
    assertTrue(verdict.passed());
  }

  /** The writer ended at 20; a reader of what was before is stale from then on. */
  @ParameterizedTest
  @CsvSource({"20,0,true", "21,0,false", "21,1,true", "25,4,false", "25,5,true"})
  void tiesAndDifferencesWithinTheSkewAreConcurrent(long begin, long skew, boolean passed)
      throws IOException {
    History history = parse("0 1 1 9 commit 10 20 w0@0", "1 2 1 8 commit " + begin + " 90 r0@0");
    Options options = Options.DEFAULT.withSkew(skew);
    assertEquals(passed, SerializabilityChecker.check(history, options).passed());
    Options greatest = options.withSkew(Long.MAX_VALUE);
    assertTrue(SerializabilityChecker.check(history, greatest).passed());
  }

  @Test
  void anAbortedAttemptNeedsOpacityOnly() throws IOException {
    History history =
        parse(
            "0 1 1 9 commit 10 20 w0@0 w1@0",
            "1 2 1 8 abort:2 10 20 r0@0 r1@1",
            "1 2 2 8 commit 21 30 r0@1 r1@1");
    Verdict verdict = check(history);
    assertEquals(Level.STRICTLY_SERIALIZABLE, verdict.level());
    assertEquals(Opacity.NOT_OPAQUE, verdict.opacity());
    assertEquals(Anomaly.READ_SKEW, verdict.opacityViolation().orElseThrow().anomaly());
    assertEquals(new Extent(2, 0, 1, 6), verdict.extent());
    assertTrue(SerializabilityChecker.check(history, Options.DEFAULT.withOpacity(false)).passed());
  }

  /** A cancel is a decision by what was read: it must be right as a commit must. */
  @Test
  void aCanceledAttemptIsAReadingTransaction() throws IOException {
    Verdict verdict =
        check(parse("0 1 1 9 commit 10 20 w0@0 w1@0", "1 2 1 8 cancel 10 20 r0@0 r1@1"));
    assertEquals(Level.NOT_SERIALIZABLE, verdict.level());
    assertEquals(Anomaly.READ_SKEW, verdict.violation().orElseThrow().anomaly());
  }

  @Test
  void ownWritesMayBeReadBackAndOverwritten() throws IOException {
    assertTrue(
        check(
                parse(
                    "0 1 1 9 commit 10 20 r0@0 w0@0 r0@1 w0@1 r0@2 r0@0",
                    "1 2 1 8 commit 10 15 w0@2"))
            .passed());
  }

  @Test
  void anAbortedAttemptMayReadItsOwnWritesBack() throws IOException {
    assertTrue(
        check(parse("0 1 1 9 abort:2 10 20 r0@0 w0@0 r0@1", "0 1 2 9 commit 21 30 r0@0")).passed());
  }

  /** What a dependency is told by is a read of what the other wrote. */
  @Test
  void noDependencyIsToldByAnOwnRead() throws IOException {
    History history =
        parse(
            "- 0 1 100 commit 0 1 w1@0 w2@0",
            "- 1 1 99 commit 4 4 r1@0",
            "- 2 1 98 cancel 0 0 r1@1 w1@0 r2@1");
    Verdict verdict = SerializabilityChecker.check(history, Options.DEFAULT.withSkew(3));
    Finding finding = verdict.opacityViolation().orElseThrow();
    assertEquals(new Dependency(0, 2, Dependency.Kind.WR, 2, 1), finding.cycle().get(0));
  }

  @Test
  void aWriteOverANewerVersionThanWasReadIsALostUpdate() throws IOException {
    Verdict verdict =
        check(parse("0 1 1 9 commit 10 20 r0@0 w0@1", "1 2 1 8 commit 10 20 r0@0 w0@0"));
    Finding finding = verdict.violation().orElseThrow();
    assertEquals(Anomaly.LOST_UPDATE, finding.anomaly());
    assertEquals(
        List.of(
            new Dependency(0, 1, Dependency.Kind.RW, 0, 0),
            new Dependency(1, 0, Dependency.Kind.WW, 0, 1)),
        finding.cycle());
  }

  /** Of several cycles of the same length, the one of the strongest dependencies. */
  @Test
  void theWorstOfTheShortestCyclesIsShown() throws IOException {
    Verdict verdict =
        check(
            parse(
                "0 1 1 9 commit 10 20 r0@0 w1@0",
                "1 2 1 8 commit 10 20 r1@0 w0@0",
                "2 3 1 7 commit 10 20 w2@0 w3@1",
                "3 4 1 6 commit 10 20 w2@1 w3@0"));
    assertEquals(Anomaly.WRITE_CYCLE, verdict.violation().orElseThrow().anomaly());
  }

  @Test
  void cyclesOfRealTimeAreNamed() throws IOException {
    Verdict future = check(parse("0 1 1 9 commit 10 20 r0@1", "1 2 1 8 commit 30 40 w0@0"));
    assertEquals(Level.SERIALIZABLE, future.level());
    assertEquals(Anomaly.CIRCULAR_FLOW, future.violation().orElseThrow().anomaly());
    Verdict backwards = check(parse("0 1 1 9 commit 10 20 w0@1", "1 2 1 8 commit 30 40 w0@0"));
    assertEquals(Level.SERIALIZABLE, backwards.level());
    assertEquals(Anomaly.WRITE_CYCLE, backwards.violation().orElseThrow().anomaly());
  }

  @Test
  void stampsMayBeginAnywhereAndWrapAround() throws IOException {
    History history =
        parse(
            "0 1 1 9 commit 10 20 r0@4294967295 w0@4294967295 w1@5",
            "0 2 1 8 commit 30 40 r0@0 w0@0",
            "0 3 1 7 commit 35 60 r0@0 r1@6",
            "0 3 1 7 commit 50 60 r0@1");
    Options options = Options.DEFAULT.withInitialStamps(new int[] {-1, 5, 8});
    assertTrue(SerializabilityChecker.check(history, options).passed());
    assertTrue(
        SerializabilityChecker.check(history, options.withFinalStamps(new int[] {1, 6, 8}))
            .passed());
    Verdict wrong =
        SerializabilityChecker.check(history, options.withFinalStamps(new int[] {1, 6, 9}));
    assertEquals(Anomaly.WRONG_FINAL_STAMP, wrong.violation().orElseThrow().anomaly());
    assertEquals(Level.NOT_SERIALIZABLE, check(history).level());
  }

  @Test
  void stampsMustCoverTheObjects() throws IOException {
    History history = parse("0 1 1 9 commit 10 20 r3@0");
    for (Options options :
        List.of(
            Options.DEFAULT.withInitialStamps(new int[3]),
            Options.DEFAULT.withFinalStamps(new int[3]),
            Options.DEFAULT.withInitialStamps(new int[4]).withFinalStamps(new int[5]))) {
      assertThrows(
          IllegalArgumentException.class, () -> SerializabilityChecker.check(history, options));
    }
    assertThrows(IllegalArgumentException.class, () -> Options.DEFAULT.withSkew(-1));
  }

  @Test
  void objectsMayBeSparse() throws IOException {
    Verdict verdict =
        check(
            parse(
                "0 1 1 9 commit 10 20 r2147483647@0 r5@1 w2147483640@0",
                "1 2 1 8 commit 10 20 w2147483647@0 w5@0"));
    Finding finding = verdict.violation().orElseThrow();
    assertEquals(Anomaly.READ_SKEW, finding.anomaly());
    assertEquals(Integer.MAX_VALUE, finding.cycle().get(0).object());
  }

  @Test
  void allCasesAreCountedAndTheWorstIsShown() throws IOException {
    Finding finding =
        check(
                parse(
                    "0 1 1 9 commit 10 20 r0@2",
                    "0 2 1 8 commit 21 30 r1@0 r1@1",
                    "1 3 1 7 commit 11 22 w1@0",
                    "1 4 1 6 commit 23 30 w1@1",
                    "2 5 1 5 commit 12 30 w1@1",
                    "2 6 1 5 commit 31 40 r0@1",
                    "2 7 1 5 commit 31 40 r0@900"))
            .violation()
            .orElseThrow();
    assertEquals(Anomaly.LOST_UPDATE, finding.anomaly());
    assertEquals(List.of(3, 4), finding.attempts());
    assertEquals(
        Map.of(
            Anomaly.LOST_UPDATE, 1L,
            Anomaly.DIRTY_READ, 1L,
            Anomaly.TORN_READ, 1L,
            Anomaly.GARBAGE_STAMP, 2L),
        finding.counts());
  }

  /** A ring of a thousand: each read what the next one overwrote. */
  @Test
  void aLongCycleIsFound() {
    int n = 1000;
    HistoryBuilder builder = new HistoryBuilder();
    for (int i = 0; i < n; i++) {
      builder.add(
          i, 1, n - i, History.COMMIT, 0, 9, Access.read(i, 0), Access.write((i + 1) % n, 0));
    }
    Verdict verdict = check(builder.build());
    assertEquals(n, verdict.violation().orElseThrow().cycle().size());
    assertEquals(Anomaly.ANTI_DEPENDENCIES, verdict.violation().orElseThrow().anomaly());
  }

  @Test
  void anAttemptMayHaveManyAccesses() {
    int n = 100_000;
    HistoryBuilder builder = new HistoryBuilder();
    for (int i = 0; i < 3; i++) {
      long[] accesses = new long[2 * n];
      for (int k = 0; k < n; k++) {
        accesses[k] = Access.read(k, i);
        accesses[n + k] = Access.write(n - 1 - k, i);
      }
      builder.add(i, 1, 9 - i, History.COMMIT, 0, 9 - i, accesses);
    }
    assertTrue(check(builder.build()).passed());
  }

  @ParameterizedTest
  @CsvSource({"write-skew", "lost-update", "torn-read", "stale-read", "not-opaque", "ring"})
  void reportsAreTables(String name) throws IOException {
    History history =
        Histories.read(new InputStreamReader(resource(name + ".history"), UTF_8), name);
    String expected = new String(resource(name + ".txt").readAllBytes(), UTF_8);
    assertEquals(expected, check(history).toString());
  }

  private static InputStream resource(String name) {
    return requireNonNull(SerializabilityCheckerTest.class.getResourceAsStream(name), name);
  }

  @Test
  void anEmptyHistoryIsOpaque() {
    Verdict verdict = check(new HistoryBuilder().build());
    assertEquals(Level.STRICTLY_SERIALIZABLE, verdict.level());
    assertEquals(Opacity.OPAQUE, verdict.opacity());
  }

  @Test
  void theSameHistoryGivesTheSameText() {
    Shape shape = new Shape(30_000, 4, 200, 50, 0.5, 0.1, 3);
    String first = check(HistoryGenerators.flawed(shape, Anomaly.WRITE_SKEW)).toString();
    for (int i = 0; i < 5; i++) {
      assertEquals(first, check(HistoryGenerators.flawed(shape, Anomaly.WRITE_SKEW)).toString());
    }
  }
}
