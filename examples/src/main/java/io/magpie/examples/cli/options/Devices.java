package io.magpie.examples.cli.options;

import io.magpie.stm.Device;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Devices named on the command line. */
public final class Devices {
  private Devices() {}

  /**
   * Opens a device.
   *
   * @param command the command that names it
   * @param option the option that names it
   * @param device its specification
   * @throws ParameterException if the specification is malformed
   * @throws io.magpie.stm.DeviceUnavailableException if there is no such device
   */
  public static Device open(CommandSpec command, String option, String device) {
    try {
      return Device.open(device);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), option + ": " + e.getMessage(), e);
    }
  }
}
