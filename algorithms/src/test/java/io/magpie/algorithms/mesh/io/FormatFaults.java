package io.magpie.algorithms.mesh.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.FileFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What tests of formats share. */
final class FormatFaults {
  private FormatFaults() {}

  /** Fails unless a file with this content is refused at a line, with what was found there. */
  static void assertFault(Path file, String content, int line, String found) throws IOException {
    Files.writeString(file, content);
    FileFormatException fault =
        assertThrows(FileFormatException.class, () -> MeshFormats.read(file));
    String place = line == 0 ? file + ": " : file + ":" + line + ": ";
    assertTrue(fault.getMessage().startsWith(place + "found " + found), fault::getMessage);
    assertEquals(line, fault.line());
  }
}
