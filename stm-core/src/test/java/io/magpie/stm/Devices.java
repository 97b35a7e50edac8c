package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.internal.Backend;
import io.magpie.stm.internal.DeviceSpec;
import io.magpie.stm.internal.host.HostBackend;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
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
    return tracking(value, () -> Device.open(spec));
  }

  /** A device that may close while something is open on it. */
  static Device lenient(Backend backend) {
    return tracking("false", () -> new Device(backend));
  }

  private static Device tracking(String value, Supplier<Device> opening) {
    String before = System.setProperty(TRACK_LEAKS, value);
    try {
      return opening.get();
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
    return opened(
        spec,
        (name, argument, call) ->
            name.equals("allocate") && !granted.test(argument) ? 0L : call.get());
  }

  /**
   * Checks that something frees all of its memory when it closes although each attempt fails, and
   * that it tells of all these failures.
   *
   * @param making makes it on a device
   */
  public static void assertFreesAllAlthoughItFails(Function<Device, AutoCloseable> making) {
    Set<Long> held = new HashSet<>();
    AtomicBoolean fails = new AtomicBoolean();
    Interception memory =
        (name, argument, call) -> {
          Object result = call.get();
          if (name.equals("allocate")) {
            held.add((long) result);
          } else if (name.equals("free")) {
            held.remove(argument);
            if (fails.get()) {
              throw new MagpieException("memory at " + argument + " cannot be freed");
            }
          }
          return result;
        };
    try (Device device = opened("cpu:1", memory)) {
      AutoCloseable made = making.apply(device);
      int parts = held.size();
      assertTrue(parts > 1, "with less there is no other to spare");
      fails.set(true);
      MagpieException first = assertThrows(MagpieException.class, made::close);
      fails.set(false);
      assertEquals(Set.of(), held);
      assertEquals(parts - 1, first.getSuppressed().length);
    }
  }

  /** What becomes of a back-end's calls. */
  @FunctionalInterface
  private interface Interception {
    /**
     * @param argument the call's only one, if that is a {@code long}; else 0
     * @param call does what was asked for
     */
    Object of(String name, long argument, Supplier<Object> call);
  }

  private static Device opened(String spec, Interception interception) {
    Backend backend = new HostBackend(DeviceSpec.parse(spec));
    Object intercepted =
        Proxy.newProxyInstance(
            Backend.class.getClassLoader(),
            new Class<?>[] {Backend.class},
            (proxy, method, arguments) -> {
              boolean one = arguments != null && arguments.length == 1;
              long argument = one && arguments[0] instanceof Long number ? number : 0;
              return interception.of(
                  method.getName(), argument, () -> invoke(method, backend, arguments));
            });
    return new Device((Backend) intercepted);
  }

  private static Object invoke(Method method, Object target, Object[] arguments) {
    try {
      return method.invoke(target, arguments);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException unchecked) {
        throw unchecked;
      }
      throw new AssertionError(e.getCause());
    }
  }

  /** Skips the test, with the reason, where there is no GPU. */
  public static void assumeGpu() {
    Assumptions.assumeTrue(Device.whyNoGpu().isEmpty(), () -> Device.whyNoGpu().orElseThrow());
  }

  /** For regions that fit their logs: without larger ones they compile in half the time. */
  static final Map<String, String> FIXED_LOGS = Map.of("MAGPIE_ONLY_FIXED_LOGS", "1");

  /** Makes a module record, of which regions outgrow their logs. */
  static final Map<String, String> RECORDING_WITH_LARGER_LOGS = Map.of("MAGPIE_RECORD", "1");

  /** Makes a module record; its regions are compiled for this policy, with {@link #FIXED_LOGS}. */
  static Map<String, String> recording(Policy policy) {
    Map<String, String> defines = new HashMap<>(FIXED_LOGS);
    defines.put("MAGPIE_RECORD", "1");
    if (policy != Policy.HAND_OFF) {
      defines.put("MAGPIE_POLICY", policy.kernelName());
    }
    return defines;
  }

  /** A source of the tests' own kernels, such as {@code vectors.cu}. */
  public static Path source(String name) {
    return Path.of(System.getProperty("magpie.basedir", "."), "src", "test", "cuda", name);
  }
}
