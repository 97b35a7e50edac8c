package io.magpie.stm;

import io.magpie.stm.simulator.Schedule;
import io.magpie.stm.simulator.Simulator;

/** The simulator of a device, in whose queue its calls take turns. */
final class DeviceSimulator extends DeviceTracer implements Simulator {
  private final Device device;
  private final Simulator simulator;

  DeviceSimulator(Device device, Simulator simulator) {
    super(device, simulator);
    this.device = device;
    this.simulator = simulator;
  }

  @Override
  public void setSchedule(Schedule schedule) {
    device.exclusively(
        () -> {
          simulator.setSchedule(schedule);
          return null;
        });
  }

  @Override
  public Trace lastTrace() {
    return device.exclusively(simulator::lastTrace);
  }

  @Override
  public void setCounting(boolean wanted) {
    device.exclusively(
        () -> {
          simulator.setCounting(wanted);
          return null;
        });
  }

  @Override
  public AccessCounts accessCounts() {
    return device.exclusively(simulator::accessCounts);
  }
}
