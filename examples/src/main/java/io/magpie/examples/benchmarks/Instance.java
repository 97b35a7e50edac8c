package io.magpie.examples.benchmarks;

import io.magpie.examples.input.InputException;
import io.magpie.stm.Device;
import io.magpie.stm.Kernel;
import io.magpie.stm.RegionReport;
import io.magpie.stm.StmOptions;
import io.magpie.stm.UnfinishedItemsException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a benchmark begins with: data and operations. Runs leave it as it is. */
interface Instance {
  /** Numbers that tell how large it is, by name. */
  Map<String, Long> sizes();

  /** Adds all of its content, in one order. */
  void addTo(ContentHash hash);

  /** The forms that it has; transactions always. */
  default Set<Synchronization> forms() {
    return EnumSet.of(Synchronization.STM);
  }

  /** The layouts that its transactions have; apart always. */
  default Set<Layout> layouts() {
    return EnumSet.of(Layout.APART);
  }

  /**
   * Runs all operations once, from the data in Java's memory to those in Java's memory.
   *
   * @param how one of {@link #forms()}
   * @param options how transactions run
   * @throws UnfinishedItemsException if transactions are left
   */
  Finished run(Device device, Synchronization how, StmOptions options);

  /**
   * The same by transactions.
   *
   * @param layout one of {@link #layouts()}
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

  /** Refuses a form that there is not. */
  default void require(Synchronization how, String benchmark) {
    if (!forms().contains(how)) {
      throw new InputException(
          "synchronization="
              + TransactionsOptions.SYNCHRONIZATION.write(how)
              + ": "
              + benchmark
              + " has no such form; it has "
              + String.join(
                  ", ", forms().stream().map(TransactionsOptions.SYNCHRONIZATION::write).toList()));
    }
  }

  /** Refuses a layout that there is not. */
  default void require(Layout layout, String benchmark) {
    if (!layouts().contains(layout)) {
      throw new InputException(
          "layout="
              + TransactionsOptions.LAYOUT.write(layout)
              + ": "
              + benchmark
              + " has its data in arrays of their own only");
    }
  }
}
