package io.magpie.stm;

import io.magpie.stm.internal.Backend;
import io.magpie.stm.internal.DeviceSpec;
import io.magpie.stm.internal.host.HostBackend;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The devices that tests run on, and the modules they use. */
public final class Devices {
  private static final String TRACK_LEAKS = "magpie.trackLeaks";

  /** Whether all machines and widths are due; a plain build has a processor and two simulators. */
  private static final boolean FULL =
      Boolean.parseBoolean(System.getProperty("magpie.test.full", "true"));

  private static final List<String> HOST =
      FULL
          ? List.of("cpu:1", "cpu:4", "cpu-checked:3", "sim:0:1", "sim:1:4", "sim:7:32")
          : List.of("cpu:4", "sim:1:4", "sim:7:32");

  private Devices() {}

  /** Specifications of every device that tests can run on here; with a GPU also {@code cuda}. */
  public static Stream<String> all() {
    List<String> devices = new ArrayList<>(HOST);
    if (Device.whyNoGpu().isEmpty()) {
      devices.add("cuda");
    }
    return devices.stream();
  }

  /** Those that run in this process's memory. */
  public static Stream<String> host() {
    return HOST.stream();
  }

  /** The policies that modules are shipped with; {@link ComparisonPoliciesTest} has the others. */
  static final List<Policy> SHIPPED = List.of(Policy.HAND_OFF, Policy.PRIORITY_RULE);

  /** Opens a device that may close while something is open on it, which tests fail by otherwise. */
  public static Device openLenient(String spec) {
    return openTracking("false", spec);
  }

  /** Opens a device under a value of the property that says what becomes of leaks. */
  static Device openTracking(String value, String spec) {
    String before = System.setProperty(TRACK_LEAKS, value);
    try {
      return Device.open(spec);
    } finally {
      if (before == null) {
        System.clearProperty(TRACK_LEAKS);
      } else {
        System.setProperty(TRACK_LEAKS, before);
      }
    }
  }

  /**
   * Opens a device that is this process's memory, and has as much as the test gives it.
   *
   * @param granted whether there is memory for so many bytes
   */
  public static Device openScarce(String spec, LongPredicate granted) {
    Backend ample = new HostBackend(DeviceSpec.parse(spec));
    Object scarce =
        Proxy.newProxyInstance(
            Backend.class.getClassLoader(),
            new Class<?>[] {Backend.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("allocate") && !granted.test((long) arguments[0])) {
                return 0L;
              }
              try {
                return method.invoke(ample, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
    return new Device((Backend) scarce);
  }

  /** Skips the test, with the reason, where there is no GPU. */
  public static void assumeGpu() {
    Assumptions.assumeTrue(Device.whyNoGpu().isEmpty(), () -> Device.whyNoGpu().orElseThrow());
  }

  /** Makes a module record; its regions are compiled for this policy. */
  static Map<String, String> recording(Policy policy) {
    return policy == Policy.HAND_OFF
        ? Map.of("MAGPIE_RECORD", "1")
        : Map.of("MAGPIE_RECORD", "1", "MAGPIE_POLICY", policy.kernelName());
  }

  /** A source of the tests' own kernels, such as {@code vectors.cu}. */
  public static Path source(String name) {
    return Path.of(System.getProperty("magpie.basedir", "."), "src", "test", "cuda", name);
  }
}
