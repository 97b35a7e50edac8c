package io.magpie.algorithms.nbody;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.FileFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TipsyFormatTest {
  @TempDir Path folder;

  private Path write(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("bodies.tipsy"), bytes);
  }

  /** One dark and two star particles, numbered 1, 2, .. in the order of their numbers. */
  private static ByteBuffer file(ByteOrder order, boolean padded) {
    ByteBuffer all = ByteBuffer.allocate((padded ? 32 : 28) + 36 + 2 * 44).order(order);
    all.putDouble(0.5).putInt(3).putInt(3).putInt(0).putInt(1).putInt(2);
    if (padded) {
      all.putInt(0);
    }
    for (int i = 1; all.hasRemaining(); i++) {
      all.putFloat(i);
    }
    return all;
  }

  @ParameterizedTest
  @CsvSource({"true, true", "true, false", "false, true", "false, false"})
  void bothByteOrdersAndHeaders(boolean big, boolean padded) throws IOException {
    ByteOrder order = big ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    Bodies bodies = TipsyFormat.read(write(file(order, padded).array()));
    assertEquals(
        Bodies.of(
            new double[] {1, 10, 21},
            new double[] {2, 3, 4, 11, 12, 13, 22, 23, 24},
            new double[] {5, 6, 7, 14, 15, 16, 25, 26, 27}),
        bodies);
  }

  @Test
  void whatIsWrittenIsRead() throws IOException {
    double[] values = new double[3 * 5000];
    for (int i = 0; i < values.length; i++) {
      values[i] = i / 64.0 - 10;
    }
    double[] masses = new double[5000];
    masses[7] = 0.125;
    Bodies bodies = Bodies.of(masses, values, values);
    Path file = folder.resolve("out.tipsy");
    TipsyFormat.write(bodies, masses, 1.5, 0.25, file);
    assertEquals(bodies, TipsyFormat.read(file));
    assertEquals(32 + 36 * 5000, Files.size(file));
    ByteBuffer header = ByteBuffer.wrap(Files.readAllBytes(file));
    assertEquals(1.5, header.getDouble(0));
    assertEquals(5000, header.getInt(20));
    assertEquals(0.25f, header.getFloat(32 + 28));
  }

  @Test
  void whatDoesNotFitIsNotWritten() {
    Path file = folder.resolve("out.tipsy");
    Bodies far = Bodies.of(new double[1], new double[] {1e50, 0, 0}, new double[3]);
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> TipsyFormat.write(far, new double[1], 0, 0, file));
    assertTrue(e.getMessage().contains("1.0E50"), e.getMessage());
    assertTrue(Files.notExists(file));
  }

  private void assertRefused(byte[] bytes, String problem) throws IOException {
    Path file = write(bytes);
    FileFormatException e = assertThrows(FileFormatException.class, () -> TipsyFormat.read(file));
    assertTrue(e.getMessage().startsWith(file + ": found "), e.getMessage());
    assertTrue(e.getMessage().contains(problem), e.getMessage());
    assertTrue(e.remedy().isPresent());
  }

  @Test
  void malformedFiles() throws IOException {
    assertRefused(new byte[0], "0 bytes, expected a header of 28 bytes");
    byte[] good = file(ByteOrder.BIG_ENDIAN, true).array();
    assertRefused(Arrays.copyOf(good, good.length - 1), "expected 152 or 156");
    assertRefused(file(ByteOrder.BIG_ENDIAN, true).putInt(12, 2).array(), "2 dimensions");
    assertRefused(file(ByteOrder.BIG_ENDIAN, true).putInt(16, 1).array(), "that add up");
    assertRefused(
        file(ByteOrder.BIG_ENDIAN, true).putInt(8, 4).putInt(16, 1).array(), "1 gas particles");
    assertRefused(
        file(ByteOrder.BIG_ENDIAN, true).putInt(24, -2).putInt(8, -1).array(), "-2 stars");
    assertRefused(
        file(ByteOrder.BIG_ENDIAN, true).putInt(24, 1 << 27).putInt(8, (1 << 27) + 1).array(),
        "at most 67108864");
    assertRefused(file(ByteOrder.BIG_ENDIAN, true).putFloat(32, -1).array(), "particle 0");
    assertRefused(
        file(ByteOrder.BIG_ENDIAN, true).putFloat(32 + 36 + 44 + 4, Float.NaN).array(),
        "particle 2 that is NaN");
  }
}
