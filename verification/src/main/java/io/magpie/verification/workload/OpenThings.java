package io.magpie.verification.workload;

import java.util.List;

/** Things of a device that are open, and closed together. */
final class OpenThings {
  private OpenThings() {}

  /** Closes all, the last one first, and empties the list. */
  static void close(List<AutoCloseable> open) {
    RuntimeException failure = null;
    for (int i = open.size() - 1; i >= 0; i--) {
      try {
        open.get(i).close();
      } catch (Exception e) {
        RuntimeException unchecked =
            e instanceof RuntimeException r
                ? r
                : new IllegalStateException("closing " + open.get(i), e);
        if (failure == null) {
          failure = unchecked;
        } else {
          failure.addSuppressed(unchecked);
        }
      }
    }
    open.clear();
    if (failure != null) {
      throw failure;
    }
  }
}
