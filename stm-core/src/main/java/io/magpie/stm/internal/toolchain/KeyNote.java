package io.magpie.stm.internal.toolchain;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * A note of a {@linkplain Compilation#key() key}, which took a compiler to find, and of the
 * system's files that it depends on: while their sizes and times stay as they were, so does the
 * key.
 *
 * <p>Only for sources whose hash is known without a compiler, so that just the system's files are
 * left: a package manager replaces these, and gives them new times. That a header appears which
 * another one asked for and did not find is not seen.
 *
 * <p>The file: the key, a line {@code SIZE TIME PATH} for each file, then the SHA-256 of all that
 * and the file's own name.
 */
final class KeyNote {
  /** A file that changed as late as this before it was read may change again within one time. */
  static final Duration UNSETTLED = Duration.ofSeconds(2);

  private KeyNote() {}

  /** The key, or null if there is no sound note or a file has changed. */
  static String read(Path note) throws IOException {
    if (!PrivateFolder.holds(note)) {
      return null;
    }
    List<String> lines = Files.readAllLines(note, StandardCharsets.UTF_8);
    int last = lines.size() - 1;
    if (last < 1 || !lines.get(last).equals(checksum(note, lines.subList(0, last)))) {
      return null;
    }
    for (String line : lines.subList(1, last)) {
      String[] parts = line.split(" ", 3);
      if (!line.equals(lineOf(Path.of(parts[2])))) {
        return null;
      }
    }
    return lines.get(0);
  }

  /**
   * Writes a note, unless a file may still be changing.
   *
   * @param read when the files began to be read
   */
  static void write(Path note, String key, Collection<Path> files, Instant read)
      throws IOException {
    FileTime settled = FileTime.from(read.minus(UNSETTLED));
    String[] lines = new String[files.size() + 1];
    lines[0] = key;
    int count = 1;
    for (Path file : files) {
      String line = lineOf(file);
      if (line == null
          || line.indexOf('\n') >= 0
          || Files.getLastModifiedTime(file).compareTo(settled) > 0) {
        return;
      }
      lines[count++] = line;
    }
    List<String> all = Arrays.asList(lines);
    Path made = Files.createTempFile(note.getParent(), note.getFileName() + ".", ".tmp");
    try {
      Files.writeString(made, String.join("\n", all) + "\n" + checksum(note, all) + "\n");
      Files.move(made, note, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(made);
    }
  }

  private static String checksum(Path note, List<String> lines) {
    String text = note.getFileName() + "\n" + String.join("\n", lines);
    return Hashes.ofBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String lineOf(Path file) throws IOException {
    try {
      BasicFileAttributes is = Files.readAttributes(file, BasicFileAttributes.class);
      return is.size() + " " + is.lastModifiedTime() + " " + file;
    } catch (FileSystemException missingOrUnreadable) {
      return null;
    }
  }
}
