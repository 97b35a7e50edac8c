package io.magpie.examples.benchmarks;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.GuardedCells;
import io.magpie.stm.KernelModule;
import io.magpie.stm.SlotPool;
import io.magpie.stm.StmObjects;
import java.util.ArrayDeque;
import java.util.Deque;

/** What a run has on its device: closed together, the last first. */
final class OnDevice implements AutoCloseable {
  private final Device device;
  private final Deque<Runnable> closers = new ArrayDeque<>();

  OnDevice(Device device) {
    this.device = device;
  }

  /** A module of this jar. */
  KernelModule load(String name) {
    KernelModule module = device.load(name);
    closers.push(module::close);
    return module;
  }

  DeviceArray<int[]> copyOf(int[] values) {
    return kept(device.copyOf(values));
  }

  DeviceArray<long[]> copyOf(long[] values) {
    return kept(device.copyOf(values));
  }

  /** Zeros. */
  DeviceArray<int[]> ints(long length) {
    return kept(device.ints(length));
  }

  /** Zeros. */
  DeviceArray<long[]> longs(long length) {
    return kept(device.longs(length));
  }

  /** Values, and zeros behind them. */
  DeviceArray<int[]> padded(int[] values, long length) {
    DeviceArray<int[]> array = ints(length);
    array.slice(0, values.length).copyFrom(values);
    return array;
  }

  StmObjects objects(long count) {
    StmObjects objects = device.objects(count);
    closers.push(objects::close);
    return objects;
  }

  /** Objects with these data next to their words. */
  GuardedCells<long[]> cellsOf(long[] values) {
    GuardedCells<long[]> cells = device.cells(long[].class, values.length);
    closers.push(cells::close);
    cells.data().copyFrom(values);
    return cells;
  }

  SlotPool pool(long capacity, long firstFree) {
    SlotPool pool = device.newSlotPool(capacity, firstFree);
    closers.push(pool::close);
    return pool;
  }

  private <A> DeviceArray<A> kept(DeviceArray<A> array) {
    closers.push(array::close);
    return array;
  }

  @Override
  public void close() {
    while (!closers.isEmpty()) {
      closers.pop().run();
    }
  }
}
