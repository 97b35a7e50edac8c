package io.magpie.verification.program;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Programs by seed: the same seed gives the same program for ever. */
public final class RandomPrograms {
  private RandomPrograms() {}

  /**
   * How large programs are.
   *
   * @param objects most objects
   * @param transactions most transactions, at least 2
   * @param steps most steps of one transaction
   */
  public record Shape(int objects, int transactions, int steps) {
    public Shape {
      if (objects < 1 || transactions < 2 || steps < 1) {
        throw new IllegalArgumentException(
            "a shape has at least 1 object, 2 transactions and 1 step, got "
                + objects
                + ", "
                + transactions
                + " and "
                + steps);
      }
    }
  }

  /** The program of a seed. */
  public static TransactionProgram of(long seed, Shape shape) {
    SplittableRandom random = new SplittableRandom(seed);
    int objects = 1 + random.nextInt(shape.objects());
    int words = 1 + random.nextInt(2);
    int transactions = 2 + random.nextInt(shape.transactions() - 1);
    List<List<Step>> all = new ArrayList<>();
    for (int i = 0; i < transactions; i++) {
      all.add(steps(random, objects, 1 + random.nextInt(shape.steps()), true));
    }
    return new TransactionProgram(objects, words, all);
  }

  private static List<Step> steps(
      SplittableRandom random, int objects, int count, boolean mayNest) {
    List<Step> steps = new ArrayList<>();
    while (steps.size() < count) {
      int object = random.nextInt(objects);
      switch (random.nextInt(mayNest ? 12 : 10)) {
        case 0, 1, 2, 3 -> steps.add(new Step.Read(object));
        case 4, 5, 6 -> steps.add(new Step.Write(object, random.nextInt(4)));
        case 7 -> steps.add(new Step.ReadAt());
        case 8 -> steps.add(new Step.WriteAt(random.nextInt(4)));
        case 9 -> steps.add(random.nextInt(3) > 0 ? new Step.Open(object) : cancel(random));
        default -> {
          int inner = 1 + random.nextInt(Math.max(1, count - steps.size()));
          steps.add(new Step.Inner(1 + random.nextInt(3), steps(random, objects, inner, false)));
          count -= inner - 1;
        }
      }
    }
    return steps;
  }

  private static Step cancel(SplittableRandom random) {
    return new Step.CancelIf(random.nextInt(17));
  }
}
