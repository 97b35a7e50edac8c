package io.magpie.stm.internal;

import io.magpie.stm.MagpieException;
import java.util.List;

/** Closes several things; one that fails does not spare the others. */
public final class Closing {
  private Closing() {}

  /**
   * Closes all, one after the other.
   *
   * @throws RuntimeException the first failure, with later ones suppressed
   */
  public static void all(Iterable<? extends AutoCloseable> parts) {
    RuntimeException failure = null;
    for (AutoCloseable part : parts) {
      failure = close(part, failure);
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** The same. */
  public static void all(AutoCloseable... parts) {
    all(List.of(parts));
  }

  /**
   * Closes a part.
   *
   * @param failure of those before, or null
   * @return the first failure, to which a later one is attached; null if there was none
   */
  public static RuntimeException close(AutoCloseable part, RuntimeException failure) {
    try {
      part.close();
      return failure;
    } catch (Exception e) {
      RuntimeException unchecked =
          e instanceof RuntimeException r ? r : new MagpieException(e.getMessage(), e);
      if (failure == null) {
        return unchecked;
      }
      failure.addSuppressed(unchecked);
      return failure;
    }
  }
}
