package io.magpie.spark;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/** Which of the paths of any file system are of this machine. */
final class LocalPaths {
  private LocalPaths() {}

  /** A path on this machine; empty if it is elsewhere, or none. */
  static Optional<Path> of(String given) {
    if (given == null) {
      return Optional.empty();
    }
    try {
      URI address = new org.apache.hadoop.fs.Path(given).toUri();
      boolean local = address.getScheme() == null || address.getScheme().equals("file");
      return local ? Optional.of(Path.of(address.getPath())) : Optional.empty();
    } catch (IllegalArgumentException e) { // told of where it is used
      return Optional.empty();
    }
  }
}
