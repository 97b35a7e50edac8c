package io.magpie.examples.cli.options;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceDescription;
import io.magpie.stm.DeviceDescription.Machine;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The option that names several devices to run on at once. */
public final class DevicesOption {
  @Option(
      names = "--devices",
      split = ",",
      paramLabel = "DEVICE",
      description =
          "Devices of --engine gpus, such as cuda:0,cuda:1 or cpu:1,cpu:1; default all GPUs.")
  private List<String> devices;

  /** Devices that are open, to be closed together. */
  public static final class Opened implements AutoCloseable {
    private final Deque<Device> devices = new ArrayDeque<>();

    private Opened() {}

    /** One alone. */
    static Opened of(Device device) {
      Opened opened = new Opened();
      opened.devices.add(device);
      return opened;
    }

    /** All of them, in the order in which they were named. */
    public List<Device> all() {
      return List.copyOf(devices);
    }

    /** Closes all, the last one first. */
    @Override
    public void close() {
      while (!devices.isEmpty()) {
        devices.removeLast().close();
      }
    }
  }

  /** Whether it was given. */
  public boolean isGiven() {
    return devices != null;
  }

  /**
   * Opens them.
   *
   * @param command whose option it is
   * @throws ParameterException if what was given is malformed, or names a GPU twice
   * @throws io.magpie.stm.DeviceUnavailableException if there is no such device, or no GPU at all
   */
  public Opened open(CommandSpec command) {
    Opened opened = new Opened();
    try {
      Set<String> gpus = new LinkedHashSet<>();
      for (String name : names()) {
        Device device = Devices.open(command, "--devices", name);
        opened.devices.add(device);
        String spec = device.description().spec();
        if (isGpu(device.description()) && !gpus.add(spec)) {
          throw new ParameterException(
              command.commandLine(),
              "--devices names " + spec + " twice; leave out one of the two");
        }
      }
      return opened;
    } catch (RuntimeException | Error e) {
      opened.close();
      throw e;
    }
  }

  /**
   * Where nothing is given and there is no GPU, the first, so that opening it says what is missing.
   */
  private List<String> names() {
    if (devices != null) {
      return devices;
    }
    List<String> gpus = new ArrayList<>();
    for (DeviceDescription device : Device.list()) {
      if (isGpu(device)) {
        gpus.add(device.spec());
      }
    }
    return gpus.isEmpty() ? List.of("cuda") : gpus;
  }

  private static boolean isGpu(DeviceDescription device) {
    return device.machine() == Machine.CUDA;
  }
}
