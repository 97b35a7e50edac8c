package io.magpie.verification.check;

import com.sun.management.OperatingSystemMXBean;
import io.magpie.verification.history.Anomaly;
import io.magpie.verification.history.History;
import io.magpie.verification.history.HistoryGenerators;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/**
 * Times the checker: arguments are attempts, accesses, threads, rounds, then numbers of objects.
 * For each number a correct history, or with {@code -Dflawed=true} one with a stale read in its
 * middle, is checked with real time and opacity; the least times of all rounds are printed.
 */
final class CheckerBenchmark {
  private CheckerBenchmark() {}

  public static void main(String[] arguments) {
    int attempts = Integer.parseInt(arguments[0]);
    int accesses = Integer.parseInt(arguments[1]);
    int threads = Integer.parseInt(arguments[2]);
    int rounds = Integer.parseInt(arguments[3]);
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    for (int i = 4; i < arguments.length; i++) {
      int objects = Integer.parseInt(arguments[i]);
      HistoryGenerators.Shape shape =
          new HistoryGenerators.Shape(attempts, accesses, objects, threads, 0.5, 0.1, 1);
      boolean flawed = Boolean.getBoolean("flawed");
      History history =
          flawed
              ? HistoryGenerators.flawed(shape, Anomaly.STALE_READ)
              : HistoryGenerators.correct(shape);
      double least = Double.MAX_VALUE;
      double leastCpu = Double.MAX_VALUE;
      Verdict verdict = null;
      for (int round = 0; round < rounds; round++) {
        long cpu = system.getProcessCpuTime();
        long begin = System.nanoTime();
        verdict = SerializabilityChecker.check(history, SerializabilityChecker.Options.DEFAULT);
        least = Math.min(least, (System.nanoTime() - begin) * 1e-9);
        leastCpu = Math.min(leastCpu, (system.getProcessCpuTime() - cpu) * 1e-9);
      }
      System.out.printf(
          Locale.ROOT, "%,9d objects: %.2f s, %.2f s cpu; %s", objects, least, leastCpu, verdict);
    }
  }
}
