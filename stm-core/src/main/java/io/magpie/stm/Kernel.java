package io.magpie.stm;

import io.magpie.stm.internal.Backend;
import io.magpie.stm.internal.ModuleTable;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A kernel that needs no transactions, because its step is monotone, idempotent or associative, or
 * because its threads write to different places.
 *
 * <p>Its arguments are the functor's {@linkplain Fields fields} by name.
 */
public final class Kernel {
  /**
   * What a run of a kernel did.
   *
   * @param kernel the kernel's name
   * @param items number of items that sized the grid
   * @param threads threads of the grid
   * @param kernelMillis time of the kernel itself in milliseconds: by events on a GPU, by the clock
   *     elsewhere
   */
  public record Report(String kernel, long items, long threads, double kernelMillis) {
    @Override
    public String toString() {
      return String.format(
          "phase %s: %,d items, %,d threads, %.3f ms", kernel, items, threads, kernelMillis);
    }
  }

  private final OpenModule module;
  private final ModuleTable.Kernel kernel;
  private final ArgumentPacker packer;
  private final ByteBuffer functor;

  Kernel(OpenModule module, ModuleTable.Kernel kernel) {
    this.module = module;
    this.kernel = kernel;
    this.packer = new ArgumentPacker("kernel " + kernel.name(), module, kernel.fields());
    this.functor = ArgumentPacker.buffer(kernel.bytes());
  }

  /** The kernel's name. */
  public String name() {
    return kernel.name();
  }

  /**
   * The kernel's fields by name, in the source's order; those of a struct as {@code member.field}.
   */
  public Map<String, FieldKind> fields() {
    Map<String, FieldKind> fields = new LinkedHashMap<>();
    kernel.fields().forEach(field -> fields.put(field.name(), field.kind()));
    return fields;
  }

  /**
   * Runs the kernel and waits for its end.
   *
   * @param items sizes the grid; kernels stride, so that any grid is right. Nothing runs if it is 0
   * @param fields values for the functor's fields
   * @throws MagpieException if an argument does not fit its field; the message names both; nothing
   *     ran
   * @throws KernelFaultException if the kernel, or one launched before, broke a rule
   */
  public Report run(long items, Fields fields) {
    checkItems(items);
    return module
        .device()
        .exclusively(
            () -> {
              Backend.LoadedModule loaded = module.loaded();
              packer.pack(packer.bind(fields), functor, 0);
              if (items == 0) {
                return new Report(kernel.name(), 0, 0, 0);
              }
              Backend backend = module.device().backend();
              Backend.Grid grid = backend.gridFor(loaded, kernel, items);
              Backend.Completion end = backend.run(loaded, kernel, functor, grid, null, null);
              return new Report(kernel.name(), items, grid.threads(), end.millis());
            });
  }

  /**
   * Starts the kernel after everything asked of the device before, and returns without waiting on a
   * GPU. A fault shows at a later call. On {@code cpu} and {@code sim} the kernel has ended when
   * this returns.
   *
   * @param items sizes the grid; nothing runs if it is 0
   * @param fields values for the functor's fields
   * @throws MagpieException if an argument does not fit its field; the message names both; nothing
   *     was started
   */
  public void launch(long items, Fields fields) {
    checkItems(items);
    module
        .device()
        .exclusively(
            () -> {
              Backend.LoadedModule loaded = module.loaded();
              packer.pack(packer.bind(fields), functor, 0);
              if (items > 0) {
                Backend backend = module.device().backend();
                backend.launch(loaded, kernel, functor, backend.gridFor(loaded, kernel, items));
              }
              return null;
            });
  }

  private void checkItems(long items) {
    if (items < 0) {
      throw new IllegalArgumentException(
          "kernel " + kernel.name() + ": items must be at least 0, got " + items);
    }
  }

  @Override
  public String toString() {
    return "kernel " + kernel.name() + " of " + module;
  }
}
