package io.magpie.algorithms.sat;

import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.stm.DeviceArray;

/** The counters of formula.cuh, by name. */
final class Totals {
  private final Launches launches;
  private final DeviceArray<long[]> array;
  private long[] read;

  Totals(DeviceFormula formula, Launches launches) {
    this.launches = launches;
    this.array = formula.scratch().longs("totals", launches.constant("total_count"));
  }

  DeviceArray<long[]> array() {
    return array;
  }

  /** Makes all of them 0. */
  void clear() {
    array.fill(0);
  }

  /** Fetches all, for {@link #of}. */
  Totals fetch() {
    read = array.toArray();
    return this;
  }

  /** What the counter of that name was when all were fetched. */
  long of(String name) {
    return read[launches.constant(name)];
  }
}
