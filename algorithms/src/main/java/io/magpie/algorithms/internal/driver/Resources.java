package io.magpie.algorithms.internal.driver;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Closes what lies on a device. */
public final class Resources {
  private Resources() {}

  /** Closes those that there are, null standing for none; see {@link #close(List)}. */
  public static void close(AutoCloseable... resources) {
    close(Stream.of(resources).filter(Objects::nonNull).toList());
  }

  /** Closes all, the last one first; a failure does not spare the others. */
  public static void close(List<? extends AutoCloseable> resources) {
    RuntimeException failure = null;
    for (int i = resources.size() - 1; i >= 0; i--) {
      try {
        resources.get(i).close();
      } catch (Exception e) {
        RuntimeException unchecked =
            e instanceof RuntimeException runtime ? runtime : new IllegalStateException(e);
        if (failure == null) {
          failure = unchecked;
        } else {
          failure.addSuppressed(unchecked);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
