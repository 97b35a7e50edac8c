package io.magpie.algorithms;

import io.magpie.stm.Device;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** Devices that stay open for the tests to come, as long as each test leaves them empty. */
public final class SharedDevices {
  private final Map<String, Device> open = new LinkedHashMap<>();
  private final Function<String, Device> opening;

  /**
   * @param opening opens a device of a specification
   */
  public SharedDevices(Function<String, Device> opening) {
    this.opening = opening;
  }

  /**
   * A device with nothing on it. What the test before left open fails this one, by {@link
   * Device#close}; the one after gets a new device. A test that uses one device from several
   * threads opens its own.
   */
  public synchronized Device device(String spec) {
    Device known = open.get(spec);
    if (known != null && !known.leaks().isEmpty()) {
      open.remove(spec);
      known.close();
    }
    return open.computeIfAbsent(spec, opening);
  }
}
