package io.magpie.stm.internal;

import io.magpie.stm.internal.Backend.HostFunctions;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * What the facade's packages above {@code io.magpie.stm} need of devices and their arrays beyond
 * what is public. Class {@code Device} installs it, so it is there as soon as there is a device.
 * The facade's types are parameters because its internals do not know them.
 *
 * @param <D> devices
 * @param <A> arrays, whatever their elements
 */
public abstract class DeviceAccess<D, A> {
  private static volatile DeviceAccess<?, ?> installed;

  /** Makes this the one that {@link #installed} returns; once in the life of a process. */
  public static void install(DeviceAccess<?, ?> access) {
    if (installed != null) {
      throw new IllegalStateException("access to devices is installed already");
    }
    installed = access;
  }

  /** The one that the facade installed. */
  public static DeviceAccess<?, ?> installed() {
    return Objects.requireNonNull(installed, "there is no device yet");
  }

  /** Runs something that uses the device while no other thread does. */
  public abstract <T> T exclusively(D device, Supplier<T> action);

  /** CUB on the device's queue, or null; for use within {@link #exclusively}. */
  public abstract HostFunctions cub(D device);

  /**
   * What the device {@linkplain #keep keeps} of this type, or null; within {@link #exclusively}.
   */
  public abstract <T extends AutoCloseable> T kept(D device, Class<T> type);

  /** Keeps one thing of its type, to close it with the device; within {@link #exclusively}. */
  public abstract <T extends AutoCloseable> T keep(D device, T part);

  /**
   * Makes a module the device's own: left open, it is no leak, and its kernels take arrays of
   * callers, whose names are those of other kernels' fields.
   */
  public abstract void adopt(D device, AutoCloseable module);

  /**
   * An array of zeros that is the device's own.
   *
   * @param what it is, for messages
   */
  public abstract A allocate(D device, ElementType<?> type, long length, String what);

  /** The type of an array's elements. */
  public abstract ElementType<?> type(A array);

  /**
   * The address of an open array; for use within {@link #exclusively}.
   *
   * @throws IllegalArgumentException if its elements do not follow each other
   */
  public abstract long address(A array);

  /**
   * The same of an array that is written.
   *
   * @throws IllegalStateException if it is a view through which nothing is written
   */
  public abstract long addressToWrite(A array);
}
