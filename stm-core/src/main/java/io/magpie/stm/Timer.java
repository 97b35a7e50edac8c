package io.magpie.stm;

import io.magpie.stm.internal.Backend;

/**
 * The time of a span of launches, from {@link Device#startTimer()} to {@link #millis()}, on the
 * device's own clock: both ends are marks in the device's queue. Copies in between count.
 */
public final class Timer {
  private final Device device;
  private final Backend.Span span;
  private double millis = Double.NaN;

  Timer(Device device, Backend.Span span) {
    this.device = device;
    this.span = span;
  }

  /**
   * Ends the span, waits for the device to reach its end, and gives its length. Later calls give
   * the same value.
   *
   * @return milliseconds
   */
  public double millis() {
    return device.exclusively(
        () -> {
          if (Double.isNaN(millis)) {
            millis = span.endMillis();
          }
          return millis;
        });
  }
}
