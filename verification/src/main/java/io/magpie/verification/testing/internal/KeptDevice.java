package io.magpie.verification.testing.internal;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.KernelModule;
import io.magpie.stm.simulator.Schedule;
import io.magpie.verification.workload.ClockSkew;
import io.magpie.verification.workload.RegionWorkload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** A device that stays open between the tries of properties, with the modules compiled for it. */
public final class KeptDevice {
  /** A file's module is another one when the file has changed. */
  private record Compiled(String name, String text, Map<String, String> defines) {}

  private final Device device;
  private final Map<Compiled, KernelModule> modules = new HashMap<>();
  private final Map<String, Schedule> failures = new HashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private ClockSkew skew; // null until it is measured
  private boolean closed;

  KeptDevice(String spec) {
    this.device = Device.open(spec);
  }

  /** Lets no other thread use it, nor close it; false if it is closed. */
  boolean begin() {
    lock.lock();
    if (closed) {
      lock.unlock();
    }
    return !closed;
  }

  void end() {
    lock.unlock();
  }

  /** The device. */
  public Device device() {
    return device;
  }

  /**
   * The module of a file, compiled so that a region of it can be checked.
   *
   * @param region its name; null = any
   * @param runs all that there will be
   */
  public KernelModule module(Path file, String region, RegionWorkload.Runs runs) {
    return modules.computeIfAbsent(
        new Compiled(
            file.toAbsolutePath().toString(),
            text(file),
            RegionWorkload.defines(device, region, runs)),
        key -> device.compile(file, key.defines));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be read", e);
    }
  }

  /** A module on the class path, likewise. */
  public KernelModule module(String builtInName, String region, RegionWorkload.Runs runs) {
    return modules.computeIfAbsent(
        new Compiled(builtInName, "", RegionWorkload.defines(device, region, runs)),
        key -> device.load(builtInName, key.defines));
  }

  /** Differences of the clock that are no order of transactions. */
  public long skew() {
    if (device.machine() != Machine.CUDA) {
      return 0;
    }
    if (skew == null) {
      skew = ClockSkew.measure(device);
    }
    return skew.nanos();
  }

  /** The schedule of the last failure of a region: the first to be tried with other arguments. */
  public Optional<Schedule> lastFailure(String region) {
    return Optional.ofNullable(failures.get(region));
  }

  /** Keeps it. */
  public void failed(String region, Schedule schedule) {
    failures.put(region, schedule);
  }

  /** Closes the device when nobody uses it any more. */
  void close() {
    lock.lock();
    try {
      closed = true;
      modules.values().forEach(KernelModule::close);
      modules.clear();
      device.close();
    } finally {
      lock.unlock();
    }
  }
}
