package io.magpie.stm.internal.toolchain;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** Where places of compiled code are in the source, by binutils' {@code addr2line}. */
public final class SourceLines {
  private static final Map<String, Optional<String>> KNOWN = new ConcurrentHashMap<>();

  /** A line whose file and number are known: not {@code ??:0}, nor {@code :?}. */
  private static final Pattern PLACE = Pattern.compile("^(?!\\?\\?).+:\\d+( \\(|$)");

  private SourceLines() {}

  /**
   * The line in the module's own source that a place belongs to, or in a header where it belongs to
   * none: {@code file:line}. Empty where nothing tells, also without {@code addr2line}.
   *
   * @param place an offset in the file
   */
  public static Optional<String> of(Path library, long place) {
    if (place == 0) {
      return Optional.empty();
    }
    return KNOWN.computeIfAbsent(library + "@" + place, key -> look(library, place));
  }

  private static Optional<String> look(Path library, long place) {
    List<String> command =
        List.of("addr2line", "-i", "-e", library.toString(), "0x" + Long.toHexString(place));
    Compiler.Output output;
    try {
      output = Compiler.execute(command, null);
    } catch (IOException e) {
      return Optional.empty();
    }
    // Innermost first: inlined functions, then what they are inlined into.
    List<String> lines = output.text().lines().filter(line -> PLACE.matcher(line).find()).toList();
    if (output.status() != 0 || lines.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        lines.stream()
            .filter(line -> line.contains(Compilation.SOURCE + "/"))
            .findFirst()
            .map(
                line ->
                    line.substring(
                        line.indexOf(Compilation.SOURCE) + Compilation.SOURCE.length() + 1))
            .orElse(lines.get(0).substring(lines.get(0).lastIndexOf('/') + 1))
            .replaceFirst(" \\(discriminator \\d+\\)$", ""));
  }
}
