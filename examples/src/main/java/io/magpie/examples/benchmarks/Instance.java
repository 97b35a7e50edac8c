package io.magpie.examples.benchmarks;

import io.magpie.stm.Device;
import io.magpie.stm.Kernel;
import io.magpie.stm.RegionReport;
import io.magpie.stm.StmOptions;
import io.magpie.stm.UnfinishedItemsException;
import java.util.List;
import java.util.Map;

/** What a benchmark begins with: data and operations. Runs leave it as it is. */
interface Instance {
  /** Numbers that tell how large it is, by name. */
  Map<String, Long> sizes();

  /** Adds all of its content, in one order. */
  void addTo(ContentHash hash);

  /**
   * Runs all operations once, from the data in Java's memory to those in Java's memory.
   *
   * @param how one of {@link Benchmark#forms()}
   * @param options how transactions run
   * @throws UnfinishedItemsException if transactions are left
   */
  Finished run(Device device, Synchronization how, StmOptions options);

  /**
   * The same by transactions.
   *
   * @param layout one of {@link Benchmark#layouts()}
   */
  default Finished run(Device device, Layout layout, StmOptions options) {
    return run(device, Synchronization.STM, options);
  }

  /**
   * A run that has ended.
   *
   * @param operations items that were done, whether they committed or were canceled
   * @param kernelMillis time in kernels
   * @param regions what its transactions did; empty without any
   * @param result what it left
   */
  record Finished(
      long operations, double kernelMillis, List<RegionReport> regions, CheckedResult result) {
    /** Of one run of a region. */
    static Finished of(RegionReport report, CheckedResult result) {
      return new Finished(report.items(), report.kernelMillis(), List.of(report), result);
    }

    /** Of one run of a kernel without transactions. */
    static Finished of(Kernel.Report report, CheckedResult result) {
      return new Finished(report.items(), report.kernelMillis(), List.of(), result);
    }
  }
}
