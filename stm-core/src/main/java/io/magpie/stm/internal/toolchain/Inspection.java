package io.magpie.stm.internal.toolchain;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Looks at the compilers and the cache of this machine. */
public final class Inspection {
  private static final long MIB = 1 << 20;

  /** Room for some dozen modules. */
  private static final long LITTLE_SPACE = 256 * MIB;

  /**
   * What was found of one thing.
   *
   * @param subject what was looked at
   * @param found what was found
   * @param remedy what to do about it; empty if it will do
   */
  public record Finding(String subject, String found, String remedy) {
    /**
     * Whether what was found will do. Otherwise something is slow or impossible, but the rest
     * works.
     */
    public boolean good() {
      return remedy.isEmpty();
    }
  }

  private Inspection() {}

  /** What was found. */
  public static List<Finding> ofThisMachine() {
    Toolchain tools = Toolchain.discovered();
    return List.of(
        compiler("C++ compiler", tools, Flavor.CPU, "your own regions cannot be compiled: "),
        compiler("nvcc", tools, Flavor.CUDA, "nothing can be compiled for GPUs: "),
        cache(CacheFolders.ofUser()));
  }

  private static Finding compiler(
      String subject, Toolchain tools, Flavor flavor, String consequence) {
    return tools
        .compilerFor(flavor)
        .map(found -> new Finding(subject, found.version() + " at " + found.executable(), ""))
        .orElseGet(() -> new Finding(subject, "none", consequence + tools.missing(flavor)));
  }

  /** The first of the folders that can be used; what is wrong with those before it. */
  static Finding cache(List<Path> choices) {
    List<String> refused = new ArrayList<>();
    for (Path choice : choices) {
      try {
        Path folder = PrivateFolder.at(choice);
        if (!Files.isWritable(folder)) {
          throw new IOException(folder + " cannot be written");
        }
        return state(folder, refused);
      } catch (IOException | UncheckedIOException e) {
        refused.add(e instanceof PrivateFolder.NotPrivateException ? e.getMessage() : e.toString());
      }
    }
    return new Finding(
        "cache",
        refused.isEmpty() ? "no folder for it is known" : String.join("; ", refused),
        "each process compiles for itself, in a temporary folder; set MAGPIE_CACHE to a folder that"
            + " only you can write");
  }

  private static Finding state(Path folder, List<String> refused) throws IOException {
    long free = Files.getFileStore(folder).getUsableSpace();
    long[] entries = {0, 0};
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path file : tree.filter(Files::isRegularFile).toList()) {
        entries[0]++;
        entries[1] += sizeOf(file);
      }
    }
    String found =
        String.format(
            Locale.ROOT,
            "%s: %,d files, %,d MiB; %,d MiB free%s",
            folder,
            entries[0],
            entries[1] / MIB,
            free / MIB,
            refused.isEmpty() ? "" : " (not " + String.join("; ", refused) + ")");
    return free < LITTLE_SPACE
        ? new Finding("cache", found, "make room there, or set MAGPIE_CACHE to another folder")
        : new Finding("cache", found, "");
  }

  /** 0 for a file that another process has removed meanwhile. */
  private static long sizeOf(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      return 0;
    }
  }
}
