package io.magpie.examples.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Where values lie between the ends of a chart: evenly, or by their logarithms.
 *
 * @param low the value at the beginning
 * @param high the value at the end, more than that
 * @param logarithmic by logarithms; both ends are more than 0 then
 * @param ticks values to be marked
 */
record Axis(double low, double high, boolean logarithmic, List<Double> ticks) {
  /** Steps between ticks are one of these times a power of ten. */
  private static final double[] STEPS = {1, 2, 2.5, 5, 10};

  /** Of values that differ by more than this factor the small ones could not be told apart. */
  private static final double WIDE = 10;

  /** In milliseconds: what is less is as good as 0. */
  private static final double LEAST = 1e-9;

  /** From 0 to at least a value. */
  static Axis upTo(double largest) {
    double end = largest >= LEAST ? largest : 1;
    double rough = end / 4;
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double step = power * 10;
    for (int i = STEPS.length - 1; i >= 0; i--) {
      if (STEPS[i] * power >= rough * (1 - 1e-9)) {
        step = STEPS[i] * power;
      }
    }
    List<Double> ticks = new ArrayList<>();
    for (int i = 0; i * step < end + step * (1 - 1e-9); i++) {
      ticks.add(i * step);
    }
    return new Axis(0, ticks.get(ticks.size() - 1), false, ticks);
  }

  /** Of times: from 0, or by logarithms if the values are far apart. */
  static Axis ofTimes(double least, double largest) {
    return least >= LEAST && largest / least > WIDE ? powers(least, largest) : upTo(largest);
  }

  private static Axis powers(double least, double largest) {
    int low = (int) Math.floor(Math.log10(least));
    int high = (int) Math.ceil(Math.log10(largest));
    List<Double> ticks = new ArrayList<>();
    for (int power = low; power <= high; power++) {
      ticks.add(Math.pow(10, power));
    }
    return new Axis(ticks.get(0), ticks.get(ticks.size() - 1), true, ticks);
  }

  /**
   * Of those values, some of which are marked.
   *
   * @param values ascending, at least two that differ
   */
  static Axis of(List<Double> values) {
    double low = values.get(0);
    double high = values.get(values.size() - 1);
    boolean logarithmic = low > 0 && high / low >= WIDE;
    Axis bare = new Axis(low, high, logarithmic, List.of());
    List<Double> ticks = new ArrayList<>(List.of(low));
    for (double value : values) {
      double at = bare.at(value);
      boolean apart = at - bare.at(ticks.get(ticks.size() - 1)) > 0.14;
      if (apart && (value == high || at < 0.86)) {
        ticks.add(value);
      }
    }
    return new Axis(low, high, logarithmic, ticks);
  }

  /** Where a value lies: 0 at the beginning, 1 at the end. */
  double at(double value) {
    return logarithmic
        ? Math.log(value / low) / Math.log(high / low)
        : (value - low) / (high - low);
  }
}
