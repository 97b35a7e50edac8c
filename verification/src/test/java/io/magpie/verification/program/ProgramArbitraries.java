package io.magpie.verification.program;

import io.magpie.stm.simulator.Schedule;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Programs and schedules that shrink: fewer transactions, then fewer steps, then simpler ones. */
final class ProgramArbitraries {
  private ProgramArbitraries() {}

  static Arbitrary<TransactionProgram> programs(int objects, int transactions, int steps) {
    return Arbitraries.integers()
        .between(1, objects)
        .flatMap(
            count ->
                Combinators.combine(
                        Arbitraries.integers().between(1, 2),
                        step(count, true)
                            .list()
                            .ofMinSize(1)
                            .ofMaxSize(steps)
                            .list()
                            .ofMinSize(2)
                            .ofMaxSize(transactions))
                    .as((words, all) -> new TransactionProgram(count, words, all)));
  }

  private static Arbitrary<Step> step(int objects, boolean mayNest) {
    Arbitrary<Integer> object = Arbitraries.integers().between(0, objects - 1);
    Arbitrary<Integer> argument = Arbitraries.integers().between(0, 3);
    Arbitrary<Step> plain =
        Arbitraries.frequencyOf(
            net.jqwik.api.Tuple.of(5, object.map(Step.Read::new)),
            net.jqwik.api.Tuple.of(4, Combinators.combine(object, argument).as(Step.Write::new)),
            net.jqwik.api.Tuple.of(1, object.map(Step.Open::new)),
            net.jqwik.api.Tuple.of(1, Combinators.combine(object, object).as(Step.OpenEach::new)),
            net.jqwik.api.Tuple.of(1, Arbitraries.of(new Step.ReadAt())),
            net.jqwik.api.Tuple.of(1, argument.map(Step.WriteAt::new)),
            net.jqwik.api.Tuple.of(
                1, Arbitraries.integers().between(0, 16).map(Step.CancelIf::new)));
    if (!mayNest) {
      return plain;
    }
    Arbitrary<Step> inner =
        Combinators.combine(
                Arbitraries.integers().between(1, 3),
                step(objects, false).list().ofMinSize(1).ofMaxSize(3))
            .as(Step.Inner::new);
    return Arbitraries.frequencyOf(
        net.jqwik.api.Tuple.of(9, plain), net.jqwik.api.Tuple.of(1, inner));
  }

  /** Schedules of every kind, over both memories. */
  static Arbitrary<Schedule> schedules() {
    Arbitrary<Long> seeds = Arbitraries.longs().between(0, 1 << 20);
    Arbitrary<Schedule> kinds =
        Arbitraries.oneOf(
            List.of(
                seeds.map(Schedule::randomWalk),
                seeds.map(seed -> Schedule.pct(seed, 3, 150)),
                seeds.map(Schedule::lockStep),
                Arbitraries.of(Schedule.roundRobin())));
    return Combinators.combine(kinds, Arbitraries.of(false, true))
        .as((schedule, weak) -> weak ? schedule.withWeakMemory() : schedule);
  }
}
