package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import io.magpie.stm.parallel.Primitives;
import io.magpie.stm.parallel.ScanOperator;

/**
 * Makes the keys that {@link WeightKeys} describes on a device, by the kernels of weight_keys.cuh:
 * distances from the first place if they are ints, and else ranks.
 *
 * <p>Bytes for each arc while keys are made, besides the weight: for ranks 8, and 8 that primitives
 * need to sort.
 */
final class DeviceKeys {
  private final DeviceMemory memory;
  private final KernelModule module;
  private final DeviceArray<int[]> keys;

  /**
   * Makes nothing yet.
   *
   * @param keys as many as arcs
   */
  DeviceKeys(DeviceMemory memory, KernelModule module, DeviceArray<int[]> keys) {
    this.memory = memory;
    this.module = module;
    this.keys = keys;
  }

  /**
   * Fills the array with keys.
   *
   * @param weights as many, of a type
   */
  void make(DeviceArray<?> weights, WeightType type, Objective objective) {
    if (keys.length() > 0) {
      make(new Weights(weights, type, objective));
    }
  }

  /** The weights on the device, and what tells their order. */
  private record Weights(DeviceArray<?> array, WeightType type, Objective objective) {
    /** The kernel for weights of that many bits. */
    String kernel(String name) {
      return name + (isLong() ? "_64" : "_32");
    }

    boolean isLong() {
      return type == WeightType.LONG || type == WeightType.DOUBLE;
    }

    Fields fields() {
      boolean floating = type == WeightType.FLOAT || type == WeightType.DOUBLE;
      return new Fields()
          .set("arcs", (int) array.length())
          .set("floating", floating ? 1 : 0)
          .set("reverse", objective == Objective.MAXIMUM ? 1 : 0)
          .set("weights", array);
    }
  }

  private void make(Weights weights) {
    DeviceArray<long[]> bounds = memory.longs(2);
    long least;
    long span;
    try {
      bounds.fill(-1);
      run(weights.kernel("bound_places"), weights.fields().set("bounds", bounds));
      long[] found = bounds.toArray();
      least = found[0];
      span = ~found[1] - least;
    } finally {
      memory.free(bounds);
    }
    if (Long.compareUnsigned(span, Integer.MAX_VALUE) <= 0) {
      run(weights.kernel("subtract_least"), weights.fields().set("least", least).set("keys", keys));
    } else {
      rank(weights, least, Long.SIZE - Long.numberOfLeadingZeros(span));
    }
  }

  /**
   * Makes ranks.
   *
   * @param bits of the distances from the least place
   */
  private void rank(Weights weights, long least, int bits) {
    DeviceArray<int[]> digits = null;
    DeviceArray<int[]> order = null;
    try {
      digits = memory.ints(keys.length()).named("digits");
      order = memory.ints(keys.length()).named("order");
      Primitives primitives = Primitives.of(memory.device());
      sort(weights, least, bits, digits, order, primitives);
      run(
          weights.kernel("flag_distinct"),
          weights.fields().set("order", order).set("flags", digits));
      primitives.inclusiveScan(digits, digits, ScanOperator.ADD);
      run(
          "take_ranks",
          new Fields()
              .set("arcs", (int) keys.length())
              .set("order", order)
              .set("ranks", digits)
              .set("keys", keys));
    } finally {
      memory.free(digits);
      memory.free(order);
    }
  }

  /** Makes the arcs' order that of their weights. */
  private void sort(
      Weights weights,
      long least,
      int bits,
      DeviceArray<int[]> digits,
      DeviceArray<int[]> order,
      Primitives primitives) {
    run(
        weights.kernel("low_digits"),
        weights.fields().set("least", least).set("digits", digits).set("order", order));
    primitives.sort(digits, order, Math.min(bits, Integer.SIZE));
    if (bits > Integer.SIZE) {
      run(
          "high_digits",
          weights.fields().set("least", least).set("order", order).set("digits", digits));
      primitives.sort(digits, order, bits - Integer.SIZE);
    }
  }

  private void run(String kernel, Fields fields) {
    module.kernel(kernel).launch(keys.length(), fields);
  }
}
