package io.magpie.examples.cli.commands;

import io.magpie.examples.cli.options.JsonOption;
import io.magpie.examples.cli.options.Outputs;
import io.magpie.examples.cli.output.JsonOutput;
import io.magpie.examples.cli.output.TextTable;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceDescription;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lists the devices. */
@Command(
    name = "devices",
    description = "List the devices that --device takes, and explain a missing GPU.")
final class DevicesCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private JsonOption json;

  @Override
  public Integer call() {
    JsonOutput output = json.output(new Outputs(spec, List.of()));
    List<DeviceDescription> devices = Device.list();
    if (output == null || !output.replacesTable()) {
      TextTable table =
          new TextTable("device", "name", ">warp", ">parallel", ">memory GiB", "detail");
      for (DeviceDescription device : devices) {
        table.row(
            device.spec(),
            device.name(),
            Integer.toString(device.warpWidth()),
            Integer.toString(device.parallelism()),
            String.format(Locale.ROOT, "%.1f", device.memoryBytes() / (double) (1L << 30)),
            device.detail());
      }
      spec.commandLine().getOut().print(table);
      Device.whyNoGpu().ifPresent(why -> spec.commandLine().getOut().println(why));
    }
    if (output != null) {
      Map<String, Object> value = new LinkedHashMap<>();
      value.put("devices", devices.stream().map(DevicesCommand::json).toList());
      Device.whyNoGpu().ifPresent(why -> value.put("whyNoGpu", why));
      output.write(value, spec.commandLine().getOut());
    }
    return ExitCode.OK;
  }

  static Map<String, Object> json(DeviceDescription device) {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("spec", device.spec());
    value.put("machine", device.machine().name().toLowerCase(Locale.ROOT));
    value.put("name", device.name());
    value.put("warpWidth", device.warpWidth());
    value.put("parallelism", device.parallelism());
    value.put("memoryBytes", device.memoryBytes());
    value.put("detail", device.detail());
    return value;
  }
}
