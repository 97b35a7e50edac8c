package io.magpie.examples.cli.options;

import io.magpie.stm.Device;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The option that names the device to run on. */
public final class DeviceOption {
  @Option(
      names = "--device",
      paramLabel = "DEVICE",
      defaultValue = "auto",
      description =
          "auto (a GPU, else the processor), cuda[:n], cpu[:threads], cpu-checked[:threads] or"
              + " sim[:seed[:width]]; default ${DEFAULT-VALUE}.")
  private String device;

  /**
   * Opens it.
   *
   * @param command whose option it is
   * @throws picocli.CommandLine.ParameterException if what was given is malformed
   * @throws io.magpie.stm.DeviceUnavailableException if there is no such device
   */
  public Device open(CommandSpec command) {
    return Devices.open(command, "--device", device);
  }
}
