package io.magpie.algorithms.msf;

import io.magpie.stm.Device;
import io.magpie.stm.Timer;

/**
 * The sum of a device's times, each of which is asked for when the next one has begun: so the
 * device need not wait for Java between them.
 */
final class SummedTimes implements AutoCloseable {
  private final Device device;
  private Timer last; // null if its time is in the sum
  private double millis;

  SummedTimes(Device device) {
    this.device = device;
  }

  /** Does something, whose time is added. */
  void add(Runnable work) {
    Timer timer = device.startTimer();
    try {
      work.run();
      timer.stop();
      takeLast();
    } catch (RuntimeException | Error e) {
      timer.close();
      throw e;
    }
    last = timer;
  }

  private void takeLast() {
    if (last != null) {
      millis += last.millis();
      last = null;
    }
  }

  /** The sum in milliseconds; waits for what was begun. */
  double millis() {
    takeLast();
    return millis;
  }

  /** Gives back what it holds of the device. Closing twice is harmless. */
  @Override
  public void close() {
    if (last != null) {
      last.close();
      last = null;
    }
  }
}
