package io.magpie.stm;

import io.magpie.stm.simulator.AccessTrace;
import io.magpie.stm.simulator.AccessTrace.Tracer;

/** The tracer of a device, in whose queue its calls take turns. */
class DeviceTracer implements Tracer {
  private final Device device;
  private final Tracer tracer;

  DeviceTracer(Device device, Tracer tracer) {
    this.device = device;
    this.tracer = tracer;
  }

  @Override
  public void setTracing(AccessTrace.Scope wanted) {
    device.exclusively(
        () -> {
          tracer.setTracing(wanted);
          return null;
        });
  }

  @Override
  public AccessTrace accessTrace() {
    return device.exclusively(tracer::accessTrace);
  }
}
