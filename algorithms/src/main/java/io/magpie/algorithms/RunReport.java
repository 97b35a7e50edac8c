package io.magpie.algorithms;

import io.magpie.stm.RegionReport;
import java.util.List;

/** What reports of algorithms have in common: what was run, and how long it took. */
public interface RunReport {
  /** What it ran on. */
  String device();

  /** How it was run. */
  Options<?> options();

  /** The phases in the order of their first launch. */
  List<Phase> phases();

  /** The reports of the transactions, one for each launch; empty if there were none. */
  List<RegionReport> transactions();

  /**
   * Device time from the input on the device to the result there, in milliseconds, gaps between
   * launches included; each report says what else it has or lacks.
   */
  double solveMillis();

  /** Copying the input to the device. */
  double uploadMillis();

  /**
   * From the input, in Java's memory or on the device, to the result in Java's memory: copies,
   * allocations and all.
   */
  double hostMillis();
}
