package io.magpie.algorithms.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.magpie.algorithms.FileFormatException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

class ByteSourceTest {
  private static final byte[] FIRST = "0 1\n1 2\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] SECOND = "2 3\n".getBytes(StandardCharsets.US_ASCII);

  @TempDir Path folder;

  private static byte[] gzip(byte[] plain) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write(plain);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return bytes.toByteArray();
  }

  private static byte[] xz(byte[] plain) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new XZOutputStream(bytes, new LZMA2Options(1))) {
      out.write(plain);
    }
    return bytes.toByteArray();
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      bytes.writeBytes(part);
    }
    return bytes.toByteArray();
  }

  private byte[] read(byte[] content, Compression compression) throws IOException {
    Path file = Files.write(folder.resolve("a" + compression.suffix()), content);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ByteSource source = new ByteSource(file, compression)) {
      byte[] buffer = new byte[5];
      for (int n = source.read(buffer, 0, 5); n >= 0; n = source.read(buffer, 0, 5)) {
        assertTrue(n > 0);
        bytes.write(buffer, 0, n);
      }
    }
    return bytes.toByteArray();
  }

  private boolean accepts(byte[] content, Compression compression) throws IOException {
    try {
      read(content, compression);
      return true;
    } catch (FileFormatException e) {
      assertTrue(e.expected().startsWith("a complete "), e.getMessage());
      return false;
    }
  }

  /** Whether {@code gzip -dc} or {@code xz -dc} takes it without a word; warnings are words. */
  private static boolean reference(byte[] content, String program)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(program, "-dc")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (OutputStream in = process.getOutputStream()) {
      new ByteArrayInputStream(content).transferTo(in);
    } catch (IOException e) { // it has seen enough
    }
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    return process.exitValue() == 0;
  }

  /** The second of two members with each byte of its header changed, and cut after each byte. */
  private static Map<String, byte[]> damaged(byte[] first, byte[] second, int header) {
    Map<String, byte[]> files = new LinkedHashMap<>();
    byte[] whole = joined(first, second);
    files.put("whole", whole);
    for (int at = 0; at < header; at++) {
      for (int change : new int[] {1, 0x20, 0xff}) {
        byte[] bad = whole.clone();
        bad[first.length + at] ^= (byte) change;
        files.put("byte " + at + " of the second changed by " + change, bad);
      }
    }
    for (int length = first.length; length < whole.length; length++) {
      files.put("cut after " + (length - first.length), Arrays.copyOf(whole, length));
    }
    for (int zeros : new int[] {1, 3, 4, 512, 100_000}) {
      files.put(zeros + " zeros at the end", joined(whole, new byte[zeros]));
      files.put(zeros + " zeros between", joined(first, new byte[zeros], second));
    }
    files.put("text at the end", joined(whole, SECOND));
    files.put("a magic number at the end", joined(whole, Arrays.copyOf(first, 3)));
    files.put("text after zeros", joined(whole, new byte[4], SECOND));
    return files;
  }

  /** Nothing is dropped that gzip and xz would not drop without a word. */
  @Test
  void takesWhatTheProgramsTake() throws IOException, InterruptedException {
    byte[] flagged = gzip(SECOND);
    flagged[3] = 0x1c; // extra field of 2 bytes, name, comment
    flagged =
        joined(
            Arrays.copyOf(flagged, 10),
            new byte[] {2, 0, 7, 7, 'n', 0, 'c', 0},
            Arrays.copyOfRange(flagged, 10, flagged.length));
    Map<String, byte[]> zipped = damaged(gzip(FIRST), gzip(SECOND), 4);
    damaged(gzip(FIRST), flagged, 4).forEach((name, file) -> zipped.put("flagged: " + name, file));
    for (Map.Entry<String, byte[]> each : zipped.entrySet()) {
      boolean expected = reference(each.getValue(), "gzip");
      assertEquals(expected, accepts(each.getValue(), Compression.GZIP), each.getKey());
    }
    for (Map.Entry<String, byte[]> each : damaged(xz(FIRST), xz(SECOND), 12).entrySet()) {
      boolean expected = reference(each.getValue(), "xz");
      assertEquals(expected, accepts(each.getValue(), Compression.XZ), each.getKey());
    }
  }

  @Test
  void allMembersAreRead() throws IOException {
    byte[] both = joined(FIRST, SECOND);
    byte[] zeros = new byte[8];
    byte[] none = gzip(new byte[0]);
    assertArrayEquals(
        both, read(joined(gzip(FIRST), none, gzip(SECOND), none, zeros), Compression.GZIP));
    assertArrayEquals(both, read(joined(xz(FIRST), zeros, xz(SECOND), zeros), Compression.XZ));
  }

  @Test
  void checksumsAndLengthsCount() throws IOException {
    byte[] whole = joined(gzip(SECOND), gzip(FIRST));
    for (int back = 1; back <= 8; back++) {
      byte[] bad = whole.clone();
      bad[bad.length - back] ^= 1;
      assertEquals(false, accepts(bad, Compression.GZIP), back + " bytes before the end");
    }
  }

  /** With flag 2 the header has a checksum of its own, which gzip does not look at. */
  @Test
  void checksumsOfHeadersCount() throws IOException {
    byte[] plain = gzip(FIRST);
    byte[] header = Arrays.copyOf(plain, 10);
    header[3] = 2;
    CRC32 crc = new CRC32();
    crc.update(header);
    byte[] sum = {(byte) crc.getValue(), (byte) (crc.getValue() >>> 8)};
    byte[] rest = Arrays.copyOfRange(plain, 10, plain.length);
    assertArrayEquals(FIRST, read(joined(header, sum, rest), Compression.GZIP));
    sum[0] ^= 1;
    FileFormatException e =
        assertThrows(
            FileFormatException.class, () -> read(joined(header, sum, rest), Compression.GZIP));
    assertTrue(e.getMessage().contains("wrong checksum of a header"), e.getMessage());
  }

  /** Nor is the file damaged. */
  @Test
  void aDictionaryTooLargeIsNoGraphTooLarge() throws IOException {
    byte[] file = xz(FIRST);
    FileFormatException e =
        assertThrows(
            FileFormatException.class, () -> read(withDictionary(file, 40), Compression.XZ));
    assertTrue(e.getMessage().contains("beyond this reader: "), e.getMessage());
    assumeTrue(Runtime.getRuntime().maxMemory() < 3L << 30, "it would fit");
    e =
        assertThrows(
            FileFormatException.class, () -> read(withDictionary(file, 37), Compression.XZ));
    assertTrue(e.getMessage().contains(" an xz dictionary that takes 15"), e.getMessage());
  }

  /** In the block's header, behind the stream's of 12 bytes: size, flags, filter, its length. */
  private static byte[] withDictionary(byte[] file, int code) {
    byte[] result = file.clone();
    assertEquals(0x21, file[14]);
    result[16] = (byte) code;
    CRC32 crc = new CRC32();
    int end = 12 + 4 * file[12];
    crc.update(result, 12, end - 12);
    for (int i = 0; i < 4; i++) {
      result[end + i] = (byte) (crc.getValue() >>> (8 * i));
    }
    return result;
  }
}
