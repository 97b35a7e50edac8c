package io.magpie.verification.history;

import java.util.SplittableRandom;

/** Makes histories whose verdict is known, from a seed: tests and benchmarks of checkers. */
public final class HistoryGenerators {
  /** Time between the points at which attempts take effect. */
  private static final long STEP = 1000;

  private HistoryGenerators() {}

  /**
   * The dimensions of a history.
   *
   * @param attempts number of attempts
   * @param accesses number of accesses of each, to objects drawn uniformly
   * @param objects number of objects, not less than accesses
   * @param threads attempts in flight at any time
   * @param updates share of the objects of a transaction that it writes, having read them
   * @param aborts share of the attempts that abort; they read only
   * @param seed of all choices
   */
  public record Shape(
      int attempts,
      int accesses,
      int objects,
      int threads,
      double updates,
      double aborts,
      long seed) {
    /** Checks the ranges. */
    public Shape {
      if (attempts < 0 || accesses < 0 || accesses > objects || threads < 1) {
        throw new IllegalArgumentException(
            "attempts "
                + attempts
                + ", accesses "
                + accesses
                + ", objects "
                + objects
                + ", threads "
                + threads
                + ": 0 <= attempts, 0 <= accesses <= objects, 1 <= threads");
      }
      if (!(updates >= 0 && updates <= 1 && aborts >= 0 && aborts <= 1)) {
        throw new IllegalArgumentException(
            "updates " + updates + ", aborts " + aborts + ": 0 to 1 expected");
      }
    }
  }

  /**
   * A strictly serializable and opaque history. Attempts take effect one after the other, each
   * within its begin and end; with one thread they do not overlap. They are in order of threads.
   */
  public static History correct(Shape shape) {
    HistoryBuilder builder = new HistoryBuilder();
    fill(builder, shape);
    return builder.build();
  }

  /**
   * A correct history, and in the middle of its time a few attempts with an anomaly, on up to three
   * objects of their own after the others.
   *
   * @param anomaly not {@link Anomaly#WRONG_FINAL_STAMP}, which is no property of a history alone.
   *     With {@link Anomaly#STALE_READ} the history is serializable, with others it is not
   */
  public static History flawed(Shape shape, Anomaly anomaly) {
    HistoryBuilder builder = new HistoryBuilder();
    fill(builder, shape);
    Flaw flaw = new Flaw(builder, shape);
    int x = shape.objects;
    int y = x + 1;
    int z = x + 2;
    switch (anomaly) {
      case LOST_UPDATE:
        flaw.commit(Access.read(x, 0), Access.write(x, 0));
        flaw.commit(Access.read(x, 0), Access.write(x, 0));
        break;
      case ABORTED_READ:
        flaw.abort(Access.write(x, 0));
        flaw.commit(Access.read(x, 1));
        break;
      case DIRTY_WRITE:
        flaw.abort(Access.write(x, 0));
        flaw.commit(Access.write(x, 1));
        break;
      case INTERMEDIATE_READ:
        flaw.commit(Access.write(x, 0), Access.write(x, 1));
        flaw.commit(Access.read(x, 1));
        break;
      case DIRTY_READ:
        flaw.commit(Access.read(x, 1));
        break;
      case TORN_READ:
        flaw.commit(Access.write(x, 0));
        flaw.commit(Access.read(x, 0), Access.read(x, 1));
        break;
      case GARBAGE_STAMP:
        flaw.commit(Access.read(x, 0xdeadbeef));
        break;
      case WRITE_CYCLE:
        flaw.commit(Access.write(x, 0), Access.write(y, 1));
        flaw.commit(Access.write(x, 1), Access.write(y, 0));
        break;
      case CIRCULAR_FLOW:
        flaw.commit(Access.write(x, 0), Access.read(y, 1));
        flaw.commit(Access.read(x, 1), Access.write(y, 0));
        break;
      case READ_SKEW:
        flaw.commit(Access.read(x, 0), Access.read(y, 1));
        flaw.commit(Access.write(x, 0), Access.write(y, 0));
        break;
      case STALE_READ:
        flaw.commit(Access.write(x, 0));
        flaw.later();
        flaw.commit(Access.read(x, 0));
        break;
      case SINGLE_ANTI_DEPENDENCY:
        flaw.commit(Access.read(x, 0), Access.write(y, 1));
        flaw.commit(Access.write(x, 0), Access.write(y, 0));
        break;
      case WRITE_SKEW:
        flaw.commit(Access.read(x, 0), Access.read(y, 0), Access.write(x, 0));
        flaw.commit(Access.read(x, 0), Access.read(y, 0), Access.write(y, 0));
        break;
      case ANTI_DEPENDENCIES:
        flaw.commit(Access.read(x, 0), Access.write(y, 0));
        flaw.commit(Access.read(y, 0), Access.write(z, 0));
        flaw.commit(Access.read(z, 0), Access.write(x, 0));
        break;
      default:
        throw new IllegalArgumentException(anomaly + " is no property of a history alone");
    }
    return builder.build();
  }

  /** Adds attempts to the middle of a history, each by a thread of its own. */
  private static final class Flaw {
    private final HistoryBuilder builder;
    private int thread;
    private int item;
    private long time;

    Flaw(HistoryBuilder builder, Shape shape) {
      this.builder = builder;
      thread = shape.threads;
      item = shape.attempts;
      time = (shape.attempts / 2 + shape.threads) * STEP;
    }

    void commit(long... accesses) {
      add(History.COMMIT, accesses);
    }

    void abort(long... accesses) {
      add(History.ABORT, accesses);
    }

    private void add(int outcome, long... accesses) {
      builder.thread(thread++);
      builder.add(item, 1, rank(item), outcome, time, time + STEP, accesses);
      item++;
    }

    void later() {
      time += 2 * STEP;
    }
  }

  private static int rank(int item) {
    return Integer.MAX_VALUE - 1 - item;
  }

  /** Runs all attempts in the order in which they take effect, then adds them thread by thread. */
  private static void fill(HistoryBuilder builder, Shape shape) {
    SplittableRandom random = new SplittableRandom(shape.seed);
    int n = shape.accesses;
    long[][] accesses = new long[shape.threads][];
    boolean[][] aborted = new boolean[shape.threads][];
    for (int t = 0; t < shape.threads; t++) {
      int count = count(shape, t);
      accesses[t] = new long[Math.multiplyExact(count, n)];
      aborted[t] = new boolean[count];
    }
    int[] stamps = new int[shape.objects];
    int[] chosen = new int[n];
    int updates = (int) (n * shape.updates / (1 + shape.updates));
    for (int p = 0; p < shape.attempts; p++) {
      int t = p % shape.threads;
      int k = p / shape.threads;
      boolean aborts = random.nextDouble() < shape.aborts;
      aborted[t][k] = aborts;
      int written = aborts ? 0 : updates;
      choose(random, shape.objects, chosen, n - written);
      int at = k * n;
      for (int i = 0; i < n - written; i++) {
        int object = chosen[i];
        accesses[t][at++] = Access.read(object, stamps[object]);
        if (i < written) {
          accesses[t][at++] = Access.write(object, stamps[object]++);
        }
      }
    }
    long half = shape.threads * STEP / 2;
    long[] own = new long[n];
    for (int t = 0; t < shape.threads; t++) {
      builder.thread(t);
      int item = t;
      int attempt = 1;
      for (int k = 0; k < aborted[t].length; k++) {
        System.arraycopy(accesses[t], k * n, own, 0, n);
        long point = 2 * half + ((long) k * shape.threads + t) * STEP;
        long begin = point - 1 - random.nextLong(half - 1);
        long end = point + 1 + random.nextLong(half - 1);
        int outcome = aborted[t][k] ? History.ABORT : History.COMMIT;
        builder.add(item, attempt, rank(item), outcome, begin, end, own);
        item = aborted[t][k] ? item : item + shape.threads;
        attempt = aborted[t][k] ? attempt + 1 : 1;
      }
      accesses[t] = null;
    }
  }

  private static int count(Shape shape, int thread) {
    return (shape.attempts - thread + shape.threads - 1) / shape.threads;
  }

  /** Draws different objects: one by one where they are few of many, else in a row. */
  private static void choose(SplittableRandom random, int objects, int[] chosen, int count) {
    boolean inRow = count > objects / 2;
    int first = inRow ? random.nextInt(objects) : 0;
    for (int i = 0; i < count; i++) {
      chosen[i] = inRow ? (first + i) % objects : draw(random, objects, chosen, i);
    }
  }

  private static int draw(SplittableRandom random, int objects, int[] chosen, int count) {
    int object = random.nextInt(objects);
    while (contains(chosen, count, object)) {
      object = random.nextInt(objects);
    }
    return object;
  }

  private static boolean contains(int[] chosen, int count, int object) {
    for (int i = 0; i < count; i++) {
      if (chosen[i] == object) {
        return true;
      }
    }
    return false;
  }
}
