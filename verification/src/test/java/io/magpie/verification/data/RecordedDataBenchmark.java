package io.magpie.verification.data;

import com.sun.management.OperatingSystemMXBean;
import io.magpie.verification.check.SerializabilityChecker;
import io.magpie.verification.check.Verdict;
import io.magpie.verification.history.History;
import io.magpie.verification.history.HistoryBuilder;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Times what is checked of recorded runs by datum: arguments are items, accesses of each, data,
 * rounds. Each datum has an object of its own, which the item opens before; half of the accesses
 * are writes. The data are drawn uniformly; then nine of ten from 64 of them; then uniformly, but
 * every other one is used through one or the other of two more objects. Prints transactions per
 * second of processor time, by the least time of all rounds; with {@code -Dslow=true} those of the
 * slow checks too. One core has all of the work with {@code -XX:ActiveProcessorCount=1}.
 */
final class RecordedDataBenchmark {
  private static final int HOT = 64;
  private static final int THREADS = 256;

  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private RecordedDataBenchmark() {}

  private enum Shape {
    UNIFORM,
    HOT,
    TWO_GUARDS
  }

  public static void main(String[] arguments) {
    int items = Integer.parseInt(arguments[0]);
    int accesses = Integer.parseInt(arguments[1]);
    int data = Integer.parseInt(arguments[2]);
    int rounds = Integer.parseInt(arguments[3]);
    for (Shape shape : Shape.values()) {
      History history = history(shape, items, accesses, data);
      int[] serial = verdict(history).serialOrder();
      int[] order = RecordedOrder.of(history, serial, false).orElseThrow();
      print(shape, "by object", items, rounds, () -> verdict(history));
      print(shape, "order", items, rounds, () -> RecordedOrder.of(history, serial, false));
      print(shape, "guards", items, rounds, () -> guards(history, order));
      print(
          shape,
          "order and guards",
          items,
          rounds,
          () -> guards(history, RecordedOrder.of(history, serial, false).orElseThrow()));
      if (Boolean.getBoolean("slow")) {
        print(shape, "slow order", items, rounds, () -> SlowOrder.of(history, serial, false));
        print(
            shape,
            "slow guards",
            items,
            rounds,
            () -> SlowGuards.check(history, order, Long::toString, Integer::toString));
      }
    }
  }

  private static Verdict verdict(History history) {
    Verdict verdict = SerializabilityChecker.check(history, SerializabilityChecker.Options.DEFAULT);
    if (verdict.level() != Verdict.Level.STRICTLY_SERIALIZABLE) {
      throw new AssertionError(verdict);
    }
    return verdict;
  }

  private static void guards(History history, int[] order) {
    RecordedGuards.Result result =
        RecordedGuards.check(history, order, Long::toString, Integer::toString);
    if (result.violation().isPresent()) {
      throw new AssertionError(result);
    }
  }

  private static void print(Shape shape, String what, int items, int rounds, Runnable check) {
    double least = Double.MAX_VALUE;
    for (int round = 0; round < rounds; round++) {
      long begin = SYSTEM.getProcessCpuTime();
      check.run();
      least = Math.min(least, (SYSTEM.getProcessCpuTime() - begin) * 1e-9);
    }
    System.out.printf(
        Locale.ROOT,
        "%-10s %-16s %.3f s cpu, %,11.0f transactions/s%n",
        shape.name().toLowerCase(Locale.ROOT),
        what,
        least,
        items / least);
  }

  /** Items in their serial order, dealt out to threads, whose logs come one after the other. */
  private static History history(Shape shape, int items, int accesses, int data) {
    SplittableRandom random = new SplittableRandom(1);
    Log[] logs = new Log[THREADS];
    for (int i = 0; i < THREADS; i++) {
      logs[i] = new Log();
    }
    Objects objects = new Objects(3 * data, 2 * accesses);
    for (int item = 0; item < items; item++) {
      Log log = logs[item % THREADS];
      log.begin(item);
      for (int i = 0; i < accesses; i++) {
        boolean hot = shape == Shape.HOT && random.nextInt(10) != 0;
        int datum = random.nextInt(hot ? HOT : data);
        int guard = datum;
        objects.open(datum, log);
        if (shape == Shape.TWO_GUARDS && datum % 2 == 1) {
          guard += random.nextBoolean() ? data : 2 * data;
          objects.open(guard, log);
        }
        objects.access(guard, random.nextBoolean(), 4L * datum, log);
      }
      log.end();
      objects.close();
    }
    HistoryBuilder builder = new HistoryBuilder();
    for (int i = 0; i < THREADS; i++) {
      builder.thread(i).addLog(logs[i].words, logs[i].used);
    }
    return builder.build();
  }

  /** Turns and versions of objects, and which of them the present item uses. */
  private static final class Objects {
    private final int[] turns;
    private final int[] versions;
    private final byte[] used;
    private final int[] open;
    private int count;

    Objects(int objects, int mostOpen) {
      turns = new int[objects];
      versions = new int[objects];
      used = new byte[objects];
      open = new int[mostOpen];
    }

    void open(int object, Log log) {
      if (used[object] == 0) {
        used[object] = 1;
        open[count++] = object;
        log.add(object, turns[object]++, (1L << 40) - 1, 3 | Log.AGAIN);
      }
    }

    /** Each version is read once, and found once by a write. */
    void access(int object, boolean writes, long datum, Log log) {
      int again = (used[object] & (writes ? 4 : 2)) != 0 ? Log.AGAIN : 0;
      used[object] |= writes ? 6 : 2;
      log.add(object | (writes ? 1 << 31 : 0), versions[object], datum, again | (writes ? 1 : 0));
    }

    void close() {
      while (count > 0) {
        int object = open[--count];
        versions[object] += (used[object] & 4) != 0 ? 1 : 0;
        used[object] = 0;
      }
    }
  }

  /** A thread's log. */
  private static final class Log {
    static final int AGAIN = 16;
    private static final long WITH_DATA = 1L << 31;

    private long[] words = new long[64];
    private int used;
    private int start;

    void begin(int item) {
      start = used;
      reserve();
      words[used++] = item | 1L << 32;
      words[used++] = item;
      words[used++] = 10L * item;
      words[used++] = 10L * item + 5;
    }

    void add(int object, int stamp, long datum, long kind) {
      reserve();
      words[used++] = object & 0xffffffffL | (long) stamp << 32;
      words[used++] = datum | kind << 40;
    }

    void end() {
      words[start + 1] |= WITH_DATA | (used - start - 4L) / 2 << 40;
    }

    private void reserve() {
      if (words.length - used < 4) {
        words = Arrays.copyOf(words, 2 * words.length);
      }
    }
  }
}
