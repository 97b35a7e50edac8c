package io.magpie.algorithms.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AddLifecycleHook;

class PngImageProperties {
  /** The most colors of a drawing; each pixel of noise has any of them all. */
  private static final int PALETTE = 7;

  private static final int NOISE = 1 << 24;

  /** What makes a picture; {@link #picture} is the same for the same. */
  record Drawn(int width, int height, int colors, long seed) {
    PixelImage picture() {
      Random random = new Random(seed);
      int[] palette = random.ints(Math.min(colors, PALETTE), 0, NOISE).toArray();
      PixelImage picture = new PixelImage(width, height);
      for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
          picture.set(
              x,
              y,
              colors <= PALETTE ? palette[random.nextInt(palette.length)] : random.nextInt(NOISE));
        }
      }
      return picture;
    }
  }

  private static Arbitrary<Drawn> drawn(int width, int height) {
    return Combinators.combine(
            Arbitraries.integers().between(1, width),
            Arbitraries.integers().between(1, height),
            Arbitraries.of(1, 2, PALETTE, NOISE),
            Arbitraries.longs().withoutEdgeCases())
        .as(Drawn::new);
  }

  /** Small ones, one row, one column, and larger than several chunks. */
  @Provide
  Arbitrary<Drawn> pictures() {
    return Arbitraries.oneOf(drawn(9, 9), drawn(70_000, 1), drawn(1, 70_000), drawn(400, 300));
  }

  private static byte[] png(PixelImage picture) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteSink sink = new ByteSink(out);
    PngImage.write(picture, sink);
    sink.finish();
    return out.toByteArray();
  }

  private static void assertSame(PixelImage expected, PixelImage actual) {
    assertEquals(expected.width(), actual.width());
    assertEquals(expected.height(), actual.height());
    for (int y = 0; y < expected.height(); y++) {
      for (int x = 0; x < expected.width(); x++) {
        if (expected.get(x, y) != actual.get(x, y)) {
          assertEquals(
              Integer.toHexString(expected.get(x, y)),
              Integer.toHexString(actual.get(x, y)),
              "pixel (" + x + ", " + y + ")");
        }
      }
    }
  }

  @Property(tries = 100)
  void everyPictureComesBack(@ForAll("pictures") Drawn drawn) throws IOException {
    assertSame(drawn.picture(), PngReader.read(png(drawn.picture())));
  }

  @Property(tries = 100)
  @AddLifecycleHook(ImageIoReader.Needed.class)
  void imageIoReadsTheSamePicture(@ForAll("pictures") Drawn drawn) throws IOException {
    assertSame(drawn.picture(), ImageIoReader.read(png(drawn.picture())));
  }

  /** Noise is stored as it is, so that the data end at each place around a chunk's end. */
  @Example
  void dataEndWithinAChunkOrWithIt() throws IOException {
    for (int height = 1; height <= 3; height++) {
      int width = PngImage.CHUNK / (3 * height);
      for (int less = 0; less < 20; less++) {
        PixelImage picture = new Drawn(width - less, height, NOISE, less).picture();
        assertSame(picture, PngReader.read(png(picture)));
      }
    }
  }

  /** Signature, header and end with their check sums, as the standard has them. */
  @Example
  void onePixelHasTheBytesOfTheStandard() throws IOException {
    byte[] png = png(new PixelImage(1, 1));
    assertEquals(
        "89504e470d0a1a0a" + "0000000d49484452" + "0000000100000001" + "0802000000" + "907753de",
        HexFormat.of().formatHex(png, 0, 33));
    assertEquals(
        "0000000049454e44ae426082", HexFormat.of().formatHex(png, png.length - 12, png.length));
  }

  /** So that the reader here proves something. */
  @Property(tries = 30)
  void theReaderRefusesEveryDamagedByte(@ForAll("small") Drawn drawn) throws IOException {
    byte[] png = png(drawn.picture());
    for (int i = 0; i < png.length; i++) {
      byte[] damaged = png.clone();
      damaged[i] ^= (byte) (1 << i % 8);
      assertThrows(IllegalArgumentException.class, () -> PngReader.read(damaged), "byte " + i);
      byte[] cut = Arrays.copyOf(png, i);
      assertThrows(IllegalArgumentException.class, () -> PngReader.read(cut), i + " bytes");
    }
  }

  @Provide
  Arbitrary<Drawn> small() {
    return drawn(6, 6);
  }

  /** The same picture is the same file. */
  @Property(tries = 20)
  void bytesDependOnThePictureAlone(@ForAll("pictures") Drawn drawn) throws IOException {
    assertArrayEquals(png(drawn.picture()), png(drawn.picture()));
  }

  /** A picture of four million bytes; what it needs beside it does not grow with it. */
  @Example
  void holdsNoSecondCopy() throws IOException {
    PixelImage picture = new Drawn(1000, 1000, NOISE, 1).picture();
    ByteSink sink = new ByteSink(OutputStream.nullOutputStream());
    PngImage.write(picture, sink); // loads the classes
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    PngImage.write(picture, sink);
    long bytes = threads.getCurrentThreadAllocatedBytes() - before;
    assertTrue(bytes < 1_000_000, bytes + " bytes");
  }

  @Example
  void aFailureToWriteComesThrough() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("no space left");
          }
        };
    PixelImage picture = new Drawn(300, 300, NOISE, 1).picture();
    IOException failed =
        assertThrows(IOException.class, () -> PngImage.write(picture, new ByteSink(full)));
    assertEquals("no space left", failed.getMessage());
  }

  @Example
  void refusesWhatIsNoPicture() {
    assertThrows(IllegalArgumentException.class, () -> new PixelImage(0, 1));
    assertThrows(IllegalArgumentException.class, () -> new PixelImage(1, 0));
    assertThrows(ArithmeticException.class, () -> new PixelImage(1 << 16, 1 << 16));
    PixelImage picture = new PixelImage(2, 3);
    assertThrows(IndexOutOfBoundsException.class, () -> picture.get(2, 0));
    assertThrows(IndexOutOfBoundsException.class, () -> picture.set(0, 3, 0));
    assertThrows(IndexOutOfBoundsException.class, () -> picture.get(-1, 1));
  }
}
