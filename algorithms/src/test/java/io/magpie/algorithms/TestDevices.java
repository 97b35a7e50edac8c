package io.magpie.algorithms;

import io.magpie.stm.Device;
import java.util.ArrayList;
import java.util.List;

/** The devices that tests of algorithms run on. */
public final class TestDevices {
  /** Whether all machines, widths and inputs are due, as with {@code -Pfull}. */
  public static final boolean FULL =
      Boolean.parseBoolean(System.getProperty("magpie.test.full", "true"));

  private TestDevices() {}

  /**
   * Specifications of devices, with the GPU if there is one.
   *
   * @param always those of every build: as a rule one processor and one simulator
   * @param full those that plain builds leave out
   */
  public static List<String> of(List<String> always, String... full) {
    List<String> all = new ArrayList<>(always);
    if (FULL) {
      all.addAll(List.of(full));
    }
    if (Device.whyNoGpu().isEmpty()) {
      all.add("cuda");
    }
    return all;
  }

  /**
   * A device for which plain builds compile all modules: in place of a processor with bounds
   * checks, which {@code -Pfull} has, one without. Simulators check bounds in every build.
   */
  public static String compiled(String spec) {
    return FULL ? spec : spec.replace("cpu-checked", "cpu");
  }
}
