package io.magpie.verification.explore;

import io.magpie.stm.simulator.Schedule.Choice;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Turns of threads that are repeated over and over. */
final class Pattern {
  /** Steps for which a pattern is repeated: many of its own lengths, and of an attempt's. */
  private static final int STEPS = 1_000;

  private static final int MOST_STEPS_OF_A_TURN = 24;
  private static final int MOST_TURNS = 12;

  /** A thread and how many steps it does. */
  private record Turn(int thread, int steps) {}

  private final int threads;
  private final List<Turn> turns;

  private Pattern(int threads, List<Turn> turns) {
    this.threads = threads;
    this.turns = turns;
  }

  /** A pattern in which every thread has a turn. */
  static Pattern draw(int threads, SplittableRandom random) {
    List<Turn> turns = new ArrayList<>();
    int count = threads + random.nextInt(threads + 2);
    for (int i = 0; i < count; i++) {
      int thread = i < threads ? i : random.nextInt(threads);
      turns.add(random.nextInt(turns.size() + 1), new Turn(thread, steps(random)));
    }
    return new Pattern(threads, turns);
  }

  private static int steps(SplittableRandom random) {
    return 1 + random.nextInt(MOST_STEPS_OF_A_TURN);
  }

  /** The same with one or two small changes: a turn longer, shorter, new, gone, or moved. */
  Pattern changed(SplittableRandom random) {
    List<Turn> changed = new ArrayList<>(turns);
    for (int changes = 1 + random.nextInt(2); changes > 0; changes--) {
      int at = random.nextInt(changed.size());
      Turn turn = changed.get(at);
      switch (random.nextInt(6)) {
        case 0, 1 -> {
          int steps = turn.steps + (random.nextBoolean() ? 1 : -1) * (1 + random.nextInt(3));
          if (steps >= 1) {
            changed.set(at, new Turn(turn.thread, steps));
          }
        }
        case 2 -> changed.set(at, new Turn(turn.thread, steps(random)));
        case 3 -> {
          if (changed.size() < Math.max(MOST_TURNS, 2 * threads)) {
            changed.add(at, new Turn(random.nextInt(threads), steps(random)));
          }
        }
        case 4 -> {
          if (changed.stream().filter(each -> each.thread == turn.thread).count() > 1) {
            changed.remove(at);
          }
        }
        default -> changed.add(random.nextInt(changed.size()), changed.remove(at));
      }
    }
    return new Pattern(threads, changed);
  }

  /** A choice for each step, because a thread that pauses would lose the rest of its turn. */
  List<Choice> choices() {
    List<Choice> choices = new ArrayList<>(STEPS);
    while (true) {
      for (Turn turn : turns) {
        for (int left = turn.steps; left > 0; left--) {
          if (choices.size() == STEPS) {
            return choices;
          }
          choices.add(new Choice(choices.size(), turn.thread, 0));
        }
      }
    }
  }
}
