package io.magpie.examples.tutorials;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceDescription;
import io.magpie.stm.KernelModule;
import io.magpie.stm.RunData;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** All doctors want to leave at once, on every device: how many pairs have nobody on call then? */
public final class OnCall {
  private static final int PAIRS = 10_000;

  private OnCall() {}

  /** Takes this folder, then devices; all there are if none are named. */
  public static void main(String[] arguments) {
    List<String> devices =
        arguments.length > 1
            ? Arrays.asList(arguments).subList(1, arguments.length)
            : Device.list().stream().map(DeviceDescription::spec).toList();
    for (String spec : devices) {
      try (Device device = Device.open(spec)) {
        System.out.println(device);
        for (String source : List.of("on_call.cu", "on_call_fixed.cu")) {
          int uncovered = uncoveredPairs(device, Path.of(arguments[0], source));
          System.out.printf("  %-16s %,6d of %,d pairs uncovered%n", source, uncovered, PAIRS);
          if (source.equals("on_call_fixed.cu") && uncovered > 0) {
            throw new AssertionError(uncovered + " pairs have nobody on call");
          }
        }
      }
    }
  }

  private static int uncoveredPairs(Device device, Path source) {
    int[] everybody = new int[2 * PAIRS];
    Arrays.fill(everybody, 1);
    try (KernelModule module = device.compile(source);
        RunData data = new RunData(device)) {
      data.guarded("on_call", everybody);
      module.region("leave").run(2 * PAIRS, data.fields()).requireComplete();
      int[] after = data.ints("on_call");
      int uncovered = 0;
      for (int pair = 0; pair < PAIRS; pair++) {
        uncovered += after[2 * pair] + after[2 * pair + 1] == 0 ? 1 : 0;
      }
      return uncovered;
    }
  }
}
