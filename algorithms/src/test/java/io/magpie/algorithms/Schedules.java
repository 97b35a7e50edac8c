package io.magpie.algorithms;

import io.magpie.stm.simulator.Schedule;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Schedules of the simulator to draw from. */
public final class Schedules {
  private Schedules() {}

  /** Random walks, few preemptions at random, and lock-step, each with strong and weak memory. */
  public static Arbitrary<Schedule> any() {
    Arbitrary<Long> seeds = Arbitraries.longs().between(0, 1 << 20);
    Arbitrary<Schedule> kinds =
        Arbitraries.oneOf(
            List.of(
                seeds.map(Schedule::randomWalk),
                Combinators.combine(seeds, Arbitraries.integers().between(1, 4))
                    .as((seed, depth) -> Schedule.pct(seed, depth, 2000)),
                seeds.map(Schedule::lockStep)));
    return Combinators.combine(kinds, Arbitraries.of(false, true))
        .as((schedule, weak) -> weak ? schedule.withWeakMemory() : schedule);
  }
}
