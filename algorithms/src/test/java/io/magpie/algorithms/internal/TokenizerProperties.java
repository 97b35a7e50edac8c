package io.magpie.algorithms.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.FileFormatException;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;
import org.junit.jupiter.api.function.Executable;

class TokenizerProperties {
  private Path file;

  @BeforeProperty
  void makeFile() throws IOException {
    file = Files.createTempFile("tokens", ".txt");
  }

  @AfterProperty
  void removeFile() throws IOException {
    Files.delete(file);
  }

  /** Every fast result is the one of exact arithmetic, and few numbers are left to it. */
  @Property(tries = 2000)
  void scaledDecimalsAreTheNearestDoubles(@ForAll Random random) {
    long significand = random.nextLong(1_000_000_000_000_000_000L) >>> random.nextInt(60);
    int exponent = random.nextInt(49) - 24;
    assertScaled(significand, exponent);
    // Decimals close to the middle between two doubles, and on it.
    double some = Math.scalb(1 + random.nextDouble(), random.nextInt(40) - 20);
    BigDecimal middle =
        new BigDecimal(some).add(new BigDecimal(Math.nextUp(some))).divide(BigDecimal.valueOf(2));
    for (int digits = 15; digits <= 18; digits++) {
      BigDecimal cut = middle.round(new MathContext(digits));
      BigInteger unscaled = cut.unscaledValue();
      for (int off = -1; off <= 1; off++) {
        assertScaled(unscaled.longValueExact() + off, -cut.scale());
      }
    }
  }

  private static void assertScaled(long significand, int exponent) {
    double exact = Double.parseDouble(significand + "e" + exponent);
    double fast = Decimals.scaled(significand, exponent);
    assertTrue(
        fast == exact || Double.isNaN(fast), () -> significand + "e" + exponent + " gave " + fast);
  }

  @Example
  void usualDecimalsAreFast() {
    Random random = new Random(1);
    int slow = 0;
    for (int i = 0; i < 100_000; i++) {
      BigDecimal decimal = new BigDecimal(Double.toString(random.nextDouble()));
      if (Double.isNaN(
          Decimals.scaled(decimal.unscaledValue().longValueExact(), -decimal.scale()))) {
        slow++;
      }
    }
    assertTrue(slow < 10, slow + " of 100000");
  }

  /** A number that is cut would be another one. */
  @Example
  void numbersTooLongToKeepAreRefused() throws IOException {
    String digits = "1".repeat(4097);
    Files.writeString(file, "0." + digits + "e-5\n" + "0".repeat(4096) + "7\n-" + digits + "\n");
    try (ByteSource source = new ByteSource(file, Compression.NONE)) {
      Tokenizer in = new Tokenizer(source);
      assertTrue(in.nextLine());
      assertTooLong(() -> in.nextDouble("a number"));
      assertTrue(in.nextLine());
      assertTooLong(() -> in.nextLong(0, 9, "a number"));
      assertTrue(in.nextLine());
      assertTooLong(() -> in.nextSignedInt("a number"));
    }
  }

  private static void assertTooLong(Executable reading) {
    FileFormatException e = assertThrows(FileFormatException.class, reading);
    assertTrue(e.getMessage().contains("' of more than 4096 characters, expected a number"));
  }

  /** Numbers in all ways of writing, also across the end of the buffer. */
  @Property(tries = 25)
  void doublesAreReadAsJavaReadsThem(@ForAll Random random) throws IOException {
    List<String> texts = new ArrayList<>();
    StringBuilder content = new StringBuilder();
    while (content.length() < 200_000) {
      double value =
          switch (random.nextInt(4)) {
            case 0 -> random.nextInt(2000) - 1000;
            case 1 -> random.nextDouble() - 0.5;
            case 2 -> Math.rint((random.nextDouble() - 0.5) * 2e16);
            default -> Double.longBitsToDouble(random.nextLong());
          };
      if (!Double.isFinite(value)) {
        continue;
      }
      String text =
          switch (random.nextInt(4)) {
            case 0 -> Double.toString(value);
            case 1 -> String.format(Locale.ROOT, "%.16e", value);
            case 2 -> String.format(Locale.ROOT, "%+.6f", value % 1e6);
            default -> new BigDecimal(value % 1e9).toPlainString();
          };
      texts.add(text);
      content
          .append(text)
          .append(random.nextInt(5) == 0 ? "#8\n" : random.nextBoolean() ? "\t" : " ");
    }
    Files.writeString(file, content);
    try (ByteSource source = new ByteSource(file, Compression.NONE)) {
      Tokenizer in = new Tokenizer(source, '#');
      assertTrue(in.nextLine());
      for (String text : texts) {
        while (in.endOfLine()) {
          assertTrue(in.nextLine());
        }
        assertEquals(Double.parseDouble(text), in.nextDouble("a number"), text);
      }
      assertTrue(in.endOfLine());
      assertFalse(in.nextLine() && !in.endOfLine());
    }
  }

  @Tag("slow")
  @Property(tries = 100)
  void moreDoublesAreReadAsJavaReadsThem(@ForAll Random random) throws IOException {
    doublesAreReadAsJavaReadsThem(random);
  }

  @Example
  void numbersMustBeFiniteAndDecimal() throws IOException {
    for (String bad :
        List.of("nan", "1e999", ".", "-", "1e", "0x1p3", "1d", "1.2.3", "--1", "Infinity")) {
      Files.writeString(file, "7 " + bad + "\n");
      try (ByteSource source = new ByteSource(file, Compression.NONE)) {
        Tokenizer in = new Tokenizer(source, '#');
        in.nextLine();
        assertEquals(7, in.nextDouble("a number"));
        FileFormatException e =
            assertThrows(FileFormatException.class, () -> in.nextDouble("a number"));
        assertEquals(file + ":1: found '" + bad + "', expected a number", e.getMessage());
      }
    }
  }

  /** Signed, the byte 0xff is what stands for the end of the file. */
  @Example
  void noByteIsTakenForTheEnd() throws IOException {
    Files.write(file, "7\u00ff 8\n".repeat(4).getBytes(StandardCharsets.ISO_8859_1));
    try (ByteSource source = new ByteSource(file, Compression.NONE)) {
      Tokenizer in = new Tokenizer(source);
      in.nextLine();
      assertFalse(in.takeLetter('7'));
      for (Executable reading :
          List.<Executable>of(
              () -> in.nextLong(0, 9, "a number"),
              () -> in.nextVertex(1, 9),
              () -> in.nextSignedInt("a number"),
              () -> in.nextDouble("a number"))) {
        FileFormatException e = assertThrows(FileFormatException.class, reading);
        assertTrue(e.getMessage().contains(": found '7?', expected "), e.getMessage());
        in.nextLine();
      }
    }
  }

  @Example
  void signedNumbersReachTheLimitsOfInt() throws IOException {
    Files.writeString(file, "-2147483648 +2147483647 -0 12#3\n2147483648");
    try (ByteSource source = new ByteSource(file, Compression.NONE)) {
      Tokenizer in = new Tokenizer(source, '#');
      in.nextLine();
      assertEquals(Integer.MIN_VALUE, in.nextSignedInt("a marker"));
      assertEquals(Integer.MAX_VALUE, in.nextSignedInt("a marker"));
      assertEquals(0, in.nextSignedInt("a marker"));
      assertEquals(12, in.nextSignedInt("a marker"));
      in.expectEndOfLine("the marker");
      in.nextLine();
      assertThrows(FileFormatException.class, () -> in.nextSignedInt("a marker"));
    }
  }

  @Property(tries = 500)
  void decimalsAreWrittenSoThatTheyComeBack(@ForAll double value, @ForAll long bits)
      throws IOException {
    double other = Double.longBitsToDouble(bits);
    double[] values = {value, Math.rint(value), Double.isFinite(other) ? other : -0.0, 0.0, -0.0};
    try (FileReplacement replacement = new FileReplacement(file)) {
      for (double each : values) {
        replacement.sink().decimal(each).blank();
      }
      replacement.complete();
      replacement.commit();
    }
    try (ByteSource source = new ByteSource(file, Compression.NONE)) {
      Tokenizer in = new Tokenizer(source);
      in.nextLine();
      for (double each : values) {
        assertEquals(
            Double.doubleToRawLongBits(each), Double.doubleToRawLongBits(in.nextDouble("it")));
      }
    }
  }
}
