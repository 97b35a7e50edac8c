package io.magpie.examples.benchmarks;

import io.magpie.stm.KernelModule;
import java.util.Arrays;
import java.util.Locale;

/** What a module calls the values of an enumeration. */
final class Enumerators {
  private Enumerators() {}

  /**
   * The numbers that a module exports, by ordinal.
   *
   * @param scope what the constants' names begin with, before {@code ::} and the value's name
   */
  static int[] of(KernelModule module, String scope, Enum<?>[] values) {
    return Arrays.stream(values)
        .mapToInt(value -> module.intConstant(scope + "::" + value.name().toLowerCase(Locale.ROOT)))
        .toArray();
  }
}
