package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.internal.Elapsed;
import io.magpie.algorithms.internal.driver.Resources;
import io.magpie.algorithms.mesh.refine.CavityRooms.Work;
import io.magpie.algorithms.mesh.refine.RefinementRun.ItemList;
import io.magpie.stm.CodeStorageException;
import io.magpie.stm.CompilationException;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceOutOfMemoryException;
import io.magpie.stm.DeviceUnavailableException;
import io.magpie.stm.KernelModule;
import io.magpie.stm.ModuleNotFoundException;
import io.magpie.stm.SlotPool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A mesh on the host, with what transactions on it need, for cavities that a thread of the GPU
 * would take too long to fill. Between launches nothing is claimed, so claims are made anew; slots
 * are taken and free as they are on the GPU.
 */
final class HostCopy implements AutoCloseable {
  private final Work from;
  private final Work work;
  private final CavityRooms rooms;
  private final List<AutoCloseable> made = new ArrayList<>();
  private double copyMillis;

  private HostCopy(RefinementRun run, KernelModule module, CavityRooms rooms, Work from) {
    long begin = System.nanoTime();
    this.from = from;
    this.rooms = rooms;
    Device device = module.device();
    try {
      int triangles = (int) from.triangles().firstFresh();
      int vertices = (int) from.vertices().firstFresh();
      this.work =
          new Work(
              made(from.mesh().copy(module, triangles, vertices)),
              made(device.objects(from.claims().count())),
              made(device.newSlotPool(from.triangles().capacity(), 0)),
              made(device.newSlotPool(from.vertices().capacity(), 0)),
              made(device.ints(run.kernels().tallies).named("tallies")),
              made(new ItemList(device, 1 << 12)));
      work.triangles().copyFrom(from.triangles());
      work.vertices().copyFrom(from.vertices());
      rooms.begin(work);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
    copyMillis = Elapsed.millisSince(begin);
  }

  private <T extends AutoCloseable> T made(T resource) {
    made.add(resource);
    return resource;
  }

  CavityRooms rooms() {
    return rooms;
  }

  SlotPool vertices() {
    return work.vertices();
  }

  /**
   * Makes the mesh that was copied, its slots and its list what they are here.
   *
   * @throws DeviceOutOfMemoryException if there is no room for the list; nothing changed
   */
  void giveBack() {
    long begin = System.nanoTime();
    from.pushed().reserve((long) from.pushed().count + work.pushed().count); // may fail: first
    from.mesh()
        .copyFrom(
            work.mesh(), (int) work.triangles().firstFresh(), (int) work.vertices().firstFresh());
    from.triangles().copyFrom(work.triangles());
    from.vertices().copyFrom(work.vertices());
    from.pushed().append(work.pushed().places().slice(0, work.pushed().count).toArray());
    copyMillis += Elapsed.millisSince(begin);
  }

  /** How long it took to copy the mesh there and back. */
  double copyMillis() {
    return copyMillis;
  }

  @Override
  public void close() {
    Resources.close(made);
  }

  /** The host as a device, opened when it is first needed, and the module there. */
  static final class Host implements AutoCloseable {
    private final RefinementRun run;
    private Device device;
    private KernelModule module;
    private CavityRooms rooms;

    Host(RefinementRun run) {
      this.run = run;
    }

    /** A copy; nothing where the host has no compiler for the module, or not enough memory. */
    Optional<HostCopy> copy(Work from) {
      try {
        if (rooms == null) {
          open();
        }
        return Optional.of(new HostCopy(run, module, rooms, from));
      } catch (CodeStorageException
          | CompilationException
          | DeviceOutOfMemoryException
          | DeviceUnavailableException
          | ModuleNotFoundException e) {
        return Optional.empty();
      }
    }

    private void open() {
      if (device == null) {
        device = Device.open("cpu");
      }
      if (module == null) {
        module = device.load(MeshKernels.MODULE, run.defines());
      }
      // The threads in flight that were asked for are those of the other device.
      rooms = new CavityRooms(run, module, run.options().stm().withThreadsInFlight(0));
    }

    @Override
    public void close() {
      Resources.close(device, module, rooms);
    }
  }
}
