package io.magpie.algorithms.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.graph.NumberFile.Entry;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

class NumberFileTest {
  private static final String TEXT = "# three\n5, -3\n\n 2.5e1# the last\n#4";
  private static final List<Entry> ENTRIES =
      List.of(new Entry("5", 2), new Entry("-3", 2), new Entry("2.5e1", 4));

  @TempDir Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text, StandardCharsets.ISO_8859_1);
  }

  @Test
  void numbersAreReadWithTheirLines() throws IOException {
    assertEquals(ENTRIES, NumberFile.read(file("a.txt", TEXT)));
    assertEquals(ENTRIES, NumberFile.read(file("dos.txt", TEXT.replace("\n", "\r\n"))));
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(folder.resolve("a.gz")))) {
      out.write(TEXT.getBytes(StandardCharsets.US_ASCII));
    }
    assertEquals(ENTRIES, NumberFile.read(folder.resolve("a.gz")));
    try (OutputStream out =
        new XZOutputStream(Files.newOutputStream(folder.resolve("a.xz")), new LZMA2Options())) {
      out.write(TEXT.getBytes(StandardCharsets.US_ASCII));
    }
    assertEquals(ENTRIES, NumberFile.read(folder.resolve("a.xz")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1 2 3", "1,2,3", "1,2,3,", "1\n2\n3\n", "1 ,\n2,\t3", "\f1\u000b2\r3"})
  void whiteSpaceAndCommasSeparate(String text) throws IOException {
    assertEquals(
        List.of("1", "2", "3"),
        NumberFile.read(file("a.txt", text)).stream().map(Entry::number).toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n\n", "# nothing", " \t"})
  void aFileMayHaveNone(String text) throws IOException {
    assertEquals(List.of(), NumberFile.read(file("a.txt", text)));
  }

  @Test
  void aFileBeyondTheBufferIsReadWhole() throws IOException {
    List<String> numbers = IntStream.range(0, 50_000).mapToObj(Integer::toString).toList();
    assertEquals(
        numbers,
        NumberFile.read(file("a.txt", String.join(",", numbers))).stream()
            .map(Entry::number)
            .toList());
  }

  private static Stream<Arguments> malformed() {
    return Stream.of(
        Arguments.of("1\n2 x", ":2: found 'x', expected a number, such as 7"),
        Arguments.of("1,,2", ":1: found ',', expected a number before each comma"),
        Arguments.of(",1", ":1: found ','"),
        Arguments.of("1,\n,2", ":2: found ','"),
        Arguments.of("1;2", ":1: found '1;2'"),
        Arguments.of("# ok\nNaN\n1", ":2: found 'NaN'"),
        Arguments.of("1e999", ":1: found '1e999'"),
        Arguments.of("0x10", ":1: found '0x10'"),
        Arguments.of("1 -", ":1: found '-'"),
        Arguments.of("1 \u00ff", ":1: found '?'"),
        Arguments.of("1 \0", ":1: found '?'"));
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void whatIsNoNumberIsNamedWithItsLine(String text, String told) throws IOException {
    Path file = file("a.txt", text);
    FileFormatException e = assertThrows(FileFormatException.class, () -> NumberFile.read(file));
    assertTrue(e.getMessage().startsWith(file + told), e.getMessage());
  }

  @Test
  void aNumberWithoutEndIsRefused() throws IOException {
    FileFormatException e =
        assertThrows(
            FileFormatException.class,
            () -> NumberFile.read(file("a.txt", "\n" + "1".repeat(5000))));
    assertTrue(e.getMessage().contains("a.txt:2: found '1111"), e.getMessage());
    assertTrue(e.getMessage().contains("at most 4096 characters"), e.getMessage());
  }

  @Test
  void damagedAndMissingFilesAreTold() throws IOException {
    Path plain = file("b.gz", "1 2 3");
    FileFormatException e = assertThrows(FileFormatException.class, () -> NumberFile.read(plain));
    assertTrue(e.getMessage().contains("b.gz: found damaged"), e.getMessage());
    assertThrows(NoSuchFileException.class, () -> NumberFile.read(folder.resolve("none.txt")));
  }
}
