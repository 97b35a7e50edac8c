package io.magpie.stm;

import io.magpie.stm.internal.Backend.HostFunctions;
import io.magpie.stm.internal.DeviceAccess;
import io.magpie.stm.internal.ElementType;
import java.util.function.Supplier;

/** Opens devices and arrays to the packages that are built on this one. */
final class FacadeAccess extends DeviceAccess<Device, DeviceArray<?>> {
  @Override
  public <T> T exclusively(Device device, Supplier<T> action) {
    return device.exclusively(action);
  }

  @Override
  public HostFunctions cub(Device device) {
    return device.backend().cub();
  }

  @Override
  public <T extends AutoCloseable> T kept(Device device, Class<T> type) {
    return device.kept(type);
  }

  @Override
  public <T extends AutoCloseable> T keep(Device device, T part) {
    return device.keep(part);
  }

  @Override
  public void adopt(Device device, AutoCloseable module) {
    device.closed((KernelModule) module);
    ((KernelModule) module).ignoreNames();
  }

  @Override
  public DeviceArray<?> allocate(Device device, ElementType<?> type, long length, String what) {
    return DeviceArray.internal(device, type, length, what);
  }

  @Override
  public ElementType<?> type(DeviceArray<?> array) {
    return array.type();
  }

  @Override
  public long address(DeviceArray<?> array) {
    return array.address();
  }

  @Override
  public long addressToWrite(DeviceArray<?> array) {
    return array.addressToWrite();
  }
}
