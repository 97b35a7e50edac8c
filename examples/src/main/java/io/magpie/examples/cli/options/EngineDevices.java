package io.magpie.examples.cli.options;

import io.magpie.stm.Device;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The options that name the device to run on, or with {@code --engine gpus} all of them. */
public final class EngineDevices {
  @Mixin private DeviceOption device;

  @Mixin private DevicesOption devices;

  /** All devices of {@code --engine gpus}; null with other engines. */
  private DevicesOption.Opened several;

  /**
   * Refuses what does not fit the engine.
   *
   * @param command whose options they are
   * @throws ParameterException that says what to leave out
   */
  public void check(CommandSpec command, Engine engine) {
    if (engine == Engine.GPUS) {
      if (command.commandLine().getParseResult().hasMatchedOption("--device")) {
        throw new ParameterException(
            command.commandLine(),
            "--engine gpus takes all GPUs, or those of --devices; leave out --device");
      }
    } else if (devices.isGiven()) {
      throw new ParameterException(
          command.commandLine(),
          "--devices has no effect without --engine gpus; leave it out, or use --device");
    }
  }

  /**
   * Opens what the engine runs on.
   *
   * @param command whose options they are
   * @return the device, or the first of several
   * @throws ParameterException if what was given is malformed, or names a GPU twice
   * @throws io.magpie.stm.DeviceUnavailableException if there is no such device, or no GPU at all
   */
  public Device open(CommandSpec command, Engine engine) {
    if (engine != Engine.GPUS) {
      return device.open(command);
    }
    several = devices.open(command);
    return several.all().get(0);
  }

  /**
   * All that was opened, to be closed together.
   *
   * @param first what {@link #open} returned
   */
  public DevicesOption.Opened opened(Device first) {
    return several == null ? DevicesOption.Opened.of(first) : several;
  }
}
