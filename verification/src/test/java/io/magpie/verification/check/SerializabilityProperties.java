package io.magpie.verification.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.verification.check.SerializabilityChecker.Options;
import io.magpie.verification.check.Verdict.Level;
import io.magpie.verification.check.Verdict.Opacity;
import io.magpie.verification.history.Access;
import io.magpie.verification.history.Histories;
import io.magpie.verification.history.History;
import io.magpie.verification.history.HistoryBuilder;
import io.magpie.verification.history.HistoryGenerators;
import io.magpie.verification.history.HistoryGenerators.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.statistics.Statistics;

class SerializabilityProperties {
  private static final int OBJECTS = 3;

  /** An access as a deviation from the stamp that a serial run would see. */
  record Step(int object, boolean write, int deviation) {}

  /** An attempt of such steps. */
  record Attempt(int outcome, int begin, int duration, List<Step> steps) {}

  /** Few attempts, run in order, with some of their stamps off by one or two. */
  @Provide
  Arbitrary<List<Attempt>> attempts() {
    Arbitrary<Integer> deviations =
        Arbitraries.frequency(Tuple.of(14, 0), Tuple.of(3, -1), Tuple.of(1, 1), Tuple.of(1, -2));
    Arbitrary<Step> steps =
        Combinators.combine(
                Arbitraries.integers().between(0, OBJECTS - 1),
                Arbitraries.of(false, false, true),
                deviations)
            .as(Step::new);
    Arbitrary<Attempt> attempts =
        Combinators.combine(
                Arbitraries.of(
                    History.COMMIT,
                    History.COMMIT,
                    History.COMMIT,
                    History.CANCEL,
                    History.ABORT + 3),
                Arbitraries.integers().between(0, 12),
                Arbitraries.integers().between(0, 8),
                steps.list().ofMaxSize(4))
            .as(Attempt::new);
    return attempts.list().ofMinSize(1).ofMaxSize(6);
  }

  private static History history(List<Attempt> attempts) {
    int[] stamps = new int[OBJECTS];
    HistoryBuilder builder = new HistoryBuilder();
    for (int i = 0; i < attempts.size(); i++) {
      Attempt attempt = attempts.get(i);
      List<Long> accesses = new ArrayList<>();
      for (Step step : attempt.steps) {
        int stamp = Math.max(0, stamps[step.object] + (step.write ? 0 : step.deviation));
        accesses.add(
            step.write ? Access.write(step.object, stamp) : Access.read(step.object, stamp));
        if (step.write && (attempt.outcome == History.COMMIT) && step.deviation != -2) {
          stamps[step.object]++;
        }
      }
      builder.add(
          i,
          1,
          100 - i,
          attempt.outcome,
          attempt.begin,
          attempt.begin + attempt.duration,
          accesses.stream().mapToLong(Long::longValue).toArray());
    }
    return builder.build();
  }

  /** The verdicts are those of trying every order. */
  @Property(tries = 6000)
  void agreesWithTryingEveryOrder(
      @ForAll("attempts") List<Attempt> attempts, @ForAll @LongRange(max = 3) long skew) {
    History history = history(attempts);
    BruteForce all = new BruteForce(history, skew);
    Options options = Options.DEFAULT.withSkew(skew);
    Verdict verdict = SerializabilityChecker.check(history, options);
    requireAllLevels(verdict);

    String text = Histories.toString(history) + verdict;
    boolean serializable = all.explicable(false, false, null);
    boolean strictly = all.explicable(false, true, null);
    assertEquals(
        strictly
            ? Level.STRICTLY_SERIALIZABLE
            : serializable ? Level.SERIALIZABLE : Level.NOT_SERIALIZABLE,
        verdict.level(),
        text);
    assertEquals(
        all.explicable(true, true, null) ? Opacity.OPAQUE : Opacity.NOT_OPAQUE,
        verdict.opacity(),
        text);
    Verdict relaxed =
        SerializabilityChecker.check(history, options.withRealTime(false).withOpacity(false));
    assertEquals(serializable ? Level.SERIALIZABLE : Level.NOT_SERIALIZABLE, relaxed.level(), text);
    assertEquals(serializable, relaxed.passed(), text);

    verdict
        .violation()
        .ifPresent(
            f -> requireShortest(f, all, false, verdict.level() == Level.SERIALIZABLE, text));
    verdict.opacityViolation().ifPresent(f -> requireShortest(f, all, true, true, text));
    relaxed.violation().ifPresent(f -> requireShortest(f, all, false, false, text));
  }

  /** What is generated must have some of each level, or the property says little. */
  private static void requireAllLevels(Verdict verdict) {
    Statistics.collect(verdict.level());
    Statistics.coverage(
        coverage -> {
          for (Level level : Level.values()) {
            coverage.check(level).percentage(p -> p >= 1);
          }
        });
  }

  /** Final stamps are part of what an order must explain. */
  @Property(tries = 2000)
  void finalStampsMustBeReached(
      @ForAll("attempts") List<Attempt> attempts,
      @ForAll @IntRange(max = 2) int a,
      @ForAll @IntRange(max = 2) int b,
      @ForAll @IntRange(max = 1) int c) {
    History history = history(attempts);
    int[] stamps = {a, b, c};
    Options options = Options.DEFAULT.withFinalStamps(stamps);
    boolean passed =
        SerializabilityChecker.check(history, options).level() != Level.NOT_SERIALIZABLE;
    assertEquals(
        new BruteForce(history, 0).explicable(false, false, stamps),
        passed,
        () -> Histories.toString(history));
  }

  private static void requireShortest(
      Finding finding, BruteForce all, boolean aborted, boolean realTime, String text) {
    if (!finding.anomaly().isCycle() && finding.cycle().isEmpty()) {
      return;
    }
    List<Dependency> cycle = finding.cycle();
    assertEquals(all.shortestCycle(aborted, realTime), cycle.size(), text);
    assertTrue(finding.shortest(), text);
    for (int i = 0; i < cycle.size(); i++) {
      assertTrue(all.holds(cycle.get(i)), text);
      assertEquals(cycle.get(i).to(), cycle.get((i + 1) % cycle.size()).from(), text);
      assertEquals((int) finding.attempts().get(i), cycle.get(i).from(), text);
    }
    long rt = cycle.stream().filter(e -> e.kind() == Dependency.Kind.RT).count();
    assertTrue(rt <= (realTime ? 1 : 0), text);
    assertEquals(rt == 1, finding.realTime(), text);
  }

  /** Larger histories with some reads of old versions: a cycle is found if there is one. */
  @Property(tries = 300)
  void findsTheShortestCycleAmongMany(
      @ForAll long seed,
      @ForAll @IntRange(min = 2, max = 120) int attempts,
      @ForAll @IntRange(min = 4, max = 60) int objects,
      @ForAll @IntRange(min = 1, max = 40) int threads,
      @ForAll @IntRange(max = 12) int stale) {
    Shape shape = new Shape(attempts, 3, objects, threads, 0.5, 0.2, seed);
    requireShortestOfAll(
        withStaleReads(HistoryGenerators.correct(shape), stale, new Random(seed)), seed & 1023);
  }

  /** Versions in any order: single accesses are right, and most orders have cycles, some long. */
  @Property(tries = 1000)
  void findsTheShortestCycleOfAnyOrder(
      @ForAll long seed,
      @ForAll @IntRange(min = 2, max = 40) int attempts,
      @ForAll @IntRange(min = 1, max = 3) int accesses,
      @ForAll @IntRange(min = 3, max = 60) int objects,
      @ForAll @IntRange(min = 1, max = 400) int duration) {
    requireShortestOfAll(
        withVersionsInAnyOrder(new Random(seed), attempts, accesses, objects, duration), 0);
  }

  @Property(tries = 2000)
  void agreesWithTryingEveryOrderOfAnyVersions(
      @ForAll long seed,
      @ForAll @IntRange(min = 2, max = 6) int attempts,
      @ForAll @IntRange(min = 1, max = 3) int accesses,
      @ForAll @IntRange(min = 3, max = 8) int objects,
      @ForAll @IntRange(min = 1, max = 100) int duration) {
    History history =
        withVersionsInAnyOrder(new Random(seed), attempts, accesses, objects, duration);
    BruteForce all = new BruteForce(history, 0);
    Verdict verdict = SerializabilityChecker.check(history, Options.DEFAULT);
    boolean serializable = all.explicable(false, false, null);
    Level level =
        all.explicable(false, true, null)
            ? Level.STRICTLY_SERIALIZABLE
            : serializable ? Level.SERIALIZABLE : Level.NOT_SERIALIZABLE;
    assertEquals(level, verdict.level(), () -> Histories.toString(history));
    boolean opaque = all.explicable(true, true, null);
    assertEquals(opaque, verdict.opacity() == Opacity.OPAQUE, () -> Histories.toString(history));
    requireAllLevels(verdict);
  }

  /** Where the search is cut short, what it gives is still a cycle. */
  @Property(tries = 500)
  void findsSomeCycleWhenShortOfWork(
      @ForAll long seed,
      @ForAll @IntRange(min = 2, max = 40) int attempts,
      @ForAll @IntRange(min = 3, max = 60) int objects,
      @ForAll boolean realTime) {
    History history = withVersionsInAnyOrder(new Random(seed), attempts, 2, objects, 200);
    BruteForce all = new BruteForce(history, 0);
    int shortest = all.shortestCycle(true, realTime);
    Assume.that(shortest > 0);
    ObjectIndex index = new ObjectIndex(history, null, null);
    Versions versions = new Versions(history, index, true, null);
    int[] some = IntStream.range(0, history.size()).toArray();
    Times times = new Times(history, 0);
    Finding finding =
        Finding.ofCycle(history, CycleSearch.shortest(versions, times, realTime, some, 0), times);
    for (Dependency edge : finding.cycle()) {
      assertTrue(all.holds(edge));
    }
    assertTrue(finding.cycle().size() >= shortest);
    assertTrue(!finding.shortest() || finding.cycle().size() == shortest);
  }

  private static void requireShortestOfAll(History history, long skew) {
    BruteForce all = new BruteForce(history, skew);
    Verdict verdict = SerializabilityChecker.check(history, Options.DEFAULT.withSkew(skew));
    int relaxedLength = all.shortestCycle(false, false);
    int strictLength = all.shortestCycle(false, true);
    int opaqueLength = all.shortestCycle(true, true);
    requireAllLevels(verdict);
    String text = Histories.toString(history) + verdict;
    assertEquals(
        relaxedLength > 0
            ? Level.NOT_SERIALIZABLE
            : strictLength > 0 ? Level.SERIALIZABLE : Level.STRICTLY_SERIALIZABLE,
        verdict.level(),
        text);
    assertEquals(opaqueLength > 0, verdict.opacity() == Opacity.NOT_OPAQUE, text);
    verdict.violation().ifPresent(f -> requireShortest(f, all, false, relaxedLength == 0, text));
    verdict.opacityViolation().ifPresent(f -> requireShortest(f, all, true, true, text));
  }

  private static History withVersionsInAnyOrder(
      Random random, int attempts, int accesses, int objects, int duration) {
    boolean[] aborted = new boolean[attempts];
    List<List<Integer>> read = new ArrayList<>();
    List<List<Integer>> writers = new ArrayList<>();
    for (int o = 0; o < objects; o++) {
      writers.add(new ArrayList<>());
    }
    for (int i = 0; i < attempts; i++) {
      aborted[i] = random.nextInt(5) == 0;
      read.add(new ArrayList<>());
      for (int object : random.ints(0, objects).distinct().limit(accesses).toArray()) {
        if (aborted[i] || random.nextBoolean()) {
          read.get(i).add(object);
        } else {
          writers.get(object).add(i);
        }
      }
    }
    writers.forEach(some -> Collections.shuffle(some, random));
    HistoryBuilder builder = new HistoryBuilder();
    for (int i = 0; i < attempts; i++) {
      List<Long> words = new ArrayList<>();
      for (int object : read.get(i)) {
        words.add(Access.read(object, random.nextInt(writers.get(object).size() + 1)));
      }
      for (int o = 0; o < objects; o++) {
        if (writers.get(o).contains(i)) {
          words.add(Access.write(o, writers.get(o).indexOf(i)));
        }
      }
      int begin = random.nextInt(100);
      builder.add(
          i,
          1,
          attempts - i,
          aborted[i] ? History.ABORT : History.COMMIT,
          begin,
          begin + random.nextInt(duration),
          words.stream().mapToLong(Long::longValue).toArray());
    }
    return builder.build();
  }

  /** Moves some reads, not of objects that the attempt writes, to an older version. */
  private static History withStaleReads(History history, int count, Random random) {
    long[][] accesses = new long[history.size()][];
    for (int i = 0; i < accesses.length; i++) {
      accesses[i] = new long[history.accessCount(i)];
      for (int k = 0; k < accesses[i].length; k++) {
        accesses[i][k] = history.access(i, k);
      }
    }
    for (int i = 0; i < count; i++) {
      long[] some = accesses[random.nextInt(accesses.length)];
      int k = random.nextInt(some.length);
      boolean last = k + 1 == some.length || Access.object(some[k + 1]) != Access.object(some[k]);
      if (!Access.isWrite(some[k]) && last && Access.stamp(some[k]) > 0) {
        some[k] = Access.read(Access.object(some[k]), random.nextInt(Access.stamp(some[k])));
      }
    }
    HistoryBuilder builder = new HistoryBuilder();
    for (int i = 0; i < accesses.length; i++) {
      builder.thread(history.thread(i));
      builder.add(
          history.item(i),
          history.number(i),
          history.rank(i),
          history.outcome(i),
          history.begin(i),
          history.end(i),
          accesses[i]);
    }
    return builder.build();
  }

  /** No false alarm, whatever the shape. */
  @Property(tries = 500)
  void correctHistoriesPass(
      @ForAll long seed,
      @ForAll @IntRange(max = 400) int attempts,
      @ForAll @IntRange(max = 12) int accesses,
      @ForAll @IntRange(min = 1, max = 30) int threads,
      @ForAll @IntRange(max = 10) int updates,
      @ForAll @IntRange(max = 10) int aborts) {
    int objects = Math.max(1, accesses + (int) (seed & 31));
    Shape shape =
        new Shape(attempts, accesses, objects, threads, updates / 10.0, aborts / 20.0, seed);
    History history = HistoryGenerators.correct(shape);
    Verdict verdict = SerializabilityChecker.check(history, Options.DEFAULT);
    assertTrue(verdict.passed(), verdict::toString);
    assertEquals(Level.STRICTLY_SERIALIZABLE, verdict.level());
    assertEquals(Opacity.OPAQUE, verdict.opacity());
    int[] stamps = new int[objects];
    for (int i = 0; i < history.size(); i++) {
      for (int k = 0; k < history.accessCount(i); k++) {
        if (Access.isWrite(history.access(i, k))) {
          stamps[Access.object(history.access(i, k))]++;
        }
      }
    }
    assertTrue(
        SerializabilityChecker.check(history, Options.DEFAULT.withFinalStamps(stamps)).passed());
    stamps[0]++;
    assertFalse(
        SerializabilityChecker.check(history, Options.DEFAULT.withFinalStamps(stamps)).passed());
  }
}
