package io.magpie.verification.workload;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.SlotPool;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * What arrays and pools among a region's arguments held when this was made. Const views are left
 * out: nothing is written through them, and an argument that shares their memory is saved itself.
 */
final class SavedArguments implements Workload.Saved {
  private final List<Runnable> restoring = new ArrayList<>();
  private final List<AutoCloseable> open = new ArrayList<>();

  SavedArguments(Device device, Collection<?> arguments) {
    try {
      for (Object each : new LinkedHashSet<>(arguments)) {
        if (each instanceof DeviceArray<?> array) {
          if (!array.isConst()) {
            save(array);
          }
        } else if (each instanceof SlotPool pool) {
          SlotPool kept = device.newSlotPool(pool.capacity(), 0);
          open.add(kept);
          kept.copyFrom(pool);
          restoring.add(() -> pool.copyFrom(kept));
        }
      }
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private <A> void save(DeviceArray<A> array) {
    A kept = array.toArray();
    restoring.add(() -> array.copyFrom(kept));
  }

  @Override
  public void restore() {
    restoring.forEach(Runnable::run);
  }

  @Override
  public void close() {
    OpenThings.close(open);
  }
}
