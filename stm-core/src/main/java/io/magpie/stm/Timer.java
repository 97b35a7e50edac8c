package io.magpie.stm;

import io.magpie.stm.internal.Backend;

/**
 * The time of a span of launches, from {@link Device#startTimer()} to {@link #stop()} or {@link
 * #millis()}, on the device's own clock: both ends are marks in the device's queue. Copies in
 * between count.
 *
 * <p>{@link #millis()} gives back what the timer holds of the device; where it may not be reached,
 * {@link #close()} does.
 */
public final class Timer implements Device.Owned {
  private final Device device;
  private final Backend.Span span;
  private double millis = Double.NaN;
  private boolean stopped;
  private boolean closed;

  /** Begins; for use within the device's queue. */
  Timer(Device device) {
    this.device = device;
    this.span = device.backend().startSpan();
    device.opened(this, "timer");
  }

  /**
   * Ends the span without waiting, for {@link #millis()} to be asked for later. Further calls
   * change nothing.
   *
   * @throws IllegalStateException if it was closed before
   */
  public void stop() {
    device.exclusively(
        () -> {
          if (!stopped) {
            requireOpen();
            span.end();
            stopped = true;
          }
          return null;
        });
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("timer is closed");
    }
  }

  /**
   * Ends the span if it has no end yet, waits for the device to reach its end, and gives its
   * length. Later calls give the same value.
   *
   * @return milliseconds
   * @throws IllegalStateException if it was closed before
   */
  public double millis() {
    return device.exclusively(
        () -> {
          if (Double.isNaN(millis)) {
            requireOpen();
            stop();
            millis = span.millis();
            close();
          }
          return millis;
        });
  }

  /** Ends the span without a length, if it has none yet. Closing twice is harmless. */
  @Override
  public void close() {
    device.whileOpen(
        () -> {
          if (!closed) {
            closed = true;
            device.closed(this);
            span.close();
          }
        });
  }
}
