package io.magpie.stm.internal.toolchain;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Hashes a source file together with every file it may include.
 *
 * <p>Include lines are followed whether or not the preprocessor would reach them, so a change may
 * cost a needless compilation but never a stale artefact. A name that is in none of the folders
 * belongs to the compiler or the system and is left to the compiler's version. An include line
 * whose name is a macro makes all files of all folders count.
 */
final class IncludeScan {
  private static final Pattern INCLUDE =
      Pattern.compile(
          "(?m)^[ \\t]*#[ \\t]*include[ \\t]*(?:\"([^\"\\n]+)\"|<([^>\\n]+)>|([A-Za-z_]\\w*))");

  private final List<Path> folders;
  private final MessageDigest digest = Hashes.sha256();
  private final Set<Path> seen = new HashSet<>();
  private final Deque<Path> open = new ArrayDeque<>();

  private IncludeScan(List<Path> folders) {
    this.folders = folders;
  }

  /**
   * The hash of {@code source} and all it includes. It depends on contents and on the names in
   * include lines, not on where the folders lie.
   *
   * @param folders the {@code -I} folders, in order
   */
  static String hash(Path source, List<Path> folders) throws IOException {
    IncludeScan scan = new IncludeScan(folders);
    scan.visit("", source);
    while (!scan.open.isEmpty()) {
      scan.follow(scan.open.removeFirst());
    }
    return Hashes.hex(scan.digest);
  }

  private void visit(String name, Path file) throws IOException {
    Hashes.add(digest, name);
    if (seen.add(file.toRealPath())) {
      Hashes.add(digest, Files.readAllBytes(file));
      open.addLast(file);
    }
  }

  private void follow(Path file) throws IOException {
    Matcher matcher =
        INCLUDE.matcher(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
    while (matcher.find()) {
      if (matcher.group(3) != null) {
        visitEverything(file);
        continue;
      }
      boolean quoted = matcher.group(1) != null;
      String name = quoted ? matcher.group(1) : matcher.group(2);
      Path found = resolve(name, quoted ? file.toAbsolutePath().getParent() : null);
      if (found != null) {
        visit(name, found);
      }
    }
  }

  private Path resolve(String name, Path besides) {
    if (besides != null && Files.isRegularFile(besides.resolve(name))) {
      return besides.resolve(name);
    }
    for (Path folder : folders) {
      if (Files.isRegularFile(folder.resolve(name))) {
        return folder.resolve(name);
      }
    }
    return null;
  }

  private void visitEverything(Path file) throws IOException {
    try (Stream<Path> siblings = Files.list(file.toAbsolutePath().getParent())) {
      for (Path sibling : siblings.filter(Files::isRegularFile).sorted().toList()) {
        visit(sibling.getFileName().toString(), sibling);
      }
    }
    for (Path folder : folders) {
      try (Stream<Path> tree = Files.walk(folder)) {
        for (Path header : tree.filter(Files::isRegularFile).sorted().toList()) {
          visit(folder.relativize(header).toString(), header);
        }
      }
    }
  }
}
