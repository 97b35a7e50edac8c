package io.magpie.stm.parallel;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.internal.Backend.HostFunctions;
import io.magpie.stm.internal.DeviceAccess;
import io.magpie.stm.internal.ElementType;
import java.util.Objects;
import java.util.function.Supplier;

/** {@link DeviceAccess} with the facade's types. */
final class DeviceInternals {
  private DeviceInternals() {}

  @SuppressWarnings("unchecked") // by class Device
  private static DeviceAccess<Device, DeviceArray<?>> access() {
    return (DeviceAccess<Device, DeviceArray<?>>) DeviceAccess.installed();
  }

  /** Before the first device there is no access, and the reason is that this one is null. */
  private static DeviceAccess<Device, DeviceArray<?>> access(Device device) {
    Objects.requireNonNull(device, "device");
    return access();
  }

  /** See {@link DeviceAccess#exclusively}. */
  static <T> T exclusively(Device device, Supplier<T> action) {
    return access(device).exclusively(device, action);
  }

  /** See {@link DeviceAccess#cub}. */
  static HostFunctions cub(Device device) {
    return access().cub(device);
  }

  /** See {@link DeviceAccess#kept}. */
  static <T extends AutoCloseable> T kept(Device device, Class<T> type) {
    return access().kept(device, type);
  }

  /** See {@link DeviceAccess#keep}. */
  static <T extends AutoCloseable> T keep(Device device, T part) {
    return access().keep(device, part);
  }

  /** See {@link DeviceAccess#adopt}. */
  static void adopt(Device device, AutoCloseable module) {
    access().adopt(device, module);
  }

  /** See {@link DeviceAccess#allocate}. */
  @SuppressWarnings("unchecked") // of that type
  static <A> DeviceArray<A> allocate(Device device, ElementType<A> type, long length, String what) {
    return (DeviceArray<A>) access(device).allocate(device, type, length, what);
  }

  /** See {@link DeviceAccess#type}. */
  static ElementType<?> type(DeviceArray<?> array) {
    return access().type(array);
  }

  /** See {@link DeviceAccess#address}. */
  static long address(DeviceArray<?> array) {
    return access().address(array);
  }

  /** See {@link DeviceAccess#addressToWrite}. */
  static long addressToWrite(DeviceArray<?> array) {
    return access().addressToWrite(array);
  }
}
