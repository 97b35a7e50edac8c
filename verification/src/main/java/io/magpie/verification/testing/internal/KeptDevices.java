package io.magpie.verification.testing.internal;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The devices that properties use: opened by the first try that needs one, kept open for the
 * others, and closed at the end of the tests by {@link ClosesDevices}. Threads take turns on each
 * of them, as a schedule is a whole simulator's.
 */
public final class KeptDevices {
  private static final Map<String, KeptDevice> OPEN = new HashMap<>();

  private KeptDevices() {}

  /** Does something while no other thread uses the device. */
  public static void use(String spec, Consumer<KeptDevice> action) {
    KeptDevice kept = begin(spec);
    try {
      action.accept(kept);
    } finally {
      kept.end();
    }
  }

  private static KeptDevice begin(String spec) {
    while (true) {
      KeptDevice kept;
      synchronized (OPEN) {
        kept = OPEN.computeIfAbsent(spec, KeptDevice::new);
      }
      if (kept.begin()) {
        return kept;
      }
    }
  }

  /** Closes all; whoever needs one opens it again. */
  public static void close() {
    List<KeptDevice> all;
    synchronized (OPEN) {
      all = new ArrayList<>(OPEN.values());
      OPEN.clear();
    }
    RuntimeException failure = null;
    for (KeptDevice kept : all) {
      try {
        kept.close();
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
