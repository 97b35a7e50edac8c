package io.magpie.algorithms.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.magpie.algorithms.internal.PixelImage;
import io.magpie.algorithms.internal.PngReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EdgePictureTest {
  private static final int PAPER = 0xffffff;
  private static final int OTHER = 0xf5a98c;
  private static final int CHOSEN = 0x14324a;

  @TempDir Path folder;

  /** A square of side 4 of which all sides but the upper one are chosen. */
  private static EdgePicture square() {
    GraphBuilder builder = new GraphBuilder(4, false);
    for (int v = 0; v < 4; v++) {
      builder.addEdge(v, (v + 1) % 4);
    }
    return EdgePicture.of(
            builder.build(),
            Coordinates.of(new double[] {0, 4, 4, 0}, new double[] {0, 0, 4, 4}),
            new int[] {0, 1, 2, 1, 3, 0})
        .withSize(100);
  }

  @Test
  void whatIsChosenIsDarkAndOtherEdgesArePale() {
    PixelImage image = square().image();
    assertEquals(8 + 100 + 8, image.width());
    assertEquals(8 + 100 + 8, image.height());
    assertEquals(PAPER, image.get(8 + 50, 8 + 50));
    assertEquals(half(OTHER), image.get(8 + 50, 8), "the upper side");
    assertEquals(half(CHOSEN), image.get(8 + 50, 8 + 100), "the lower side");
    assertEquals(half(CHOSEN), image.get(8, 8 + 50), "the left side");
    assertEquals(half(CHOSEN), image.get(8 + 100, 8 + 50), "the right side");
  }

  /** A line between two pixels colors half of each. */
  private static int half(int color) {
    int red = (PAPER >> 16) + (color >> 16);
    int green = (PAPER >> 8 & 255) + (color >> 8 & 255);
    int blue = (PAPER & 255) + (color & 255);
    return red / 2 << 16 | green / 2 << 8 | blue / 2;
  }

  @Test
  void writesAPng() throws IOException {
    Path file = folder.resolve("a.png");
    square().write(file);
    PixelImage expected = square().image();
    PixelImage written = PngReader.read(Files.readAllBytes(file));
    for (int i = 0; i < 116 * 116; i++) {
      assertEquals(expected.get(i % 116, i / 116), written.get(i % 116, i / 116), "pixel " + i);
    }
    assertThrows(IOException.class, () -> square().write(folder.resolve("none").resolve("a.png")));
  }

  @Test
  void drawsNothing() {
    Graph none = new GraphBuilder(0, false).build();
    Coordinates nowhere = Coordinates.of(new double[0], new double[0]);
    assertEquals(17, EdgePicture.of(none, nowhere, new int[0]).image().width());
  }

  @Test
  void refusesWhatDoesNotFitTogether() {
    Graph edge = new GraphBuilder(2, false).addEdge(0, 1).build();
    Coordinates one = Coordinates.of(new double[1], new double[1]);
    Coordinates two = Coordinates.of(new double[2], new double[2]);
    int[] ends = {0, 1};
    assertThrows(IllegalArgumentException.class, () -> EdgePicture.of(edge, one, ends));
    assertThrows(
        IllegalArgumentException.class, () -> EdgePicture.of(edge, two, new int[] {0, 1, 0}));
    for (int none : new int[] {-1, 2, Integer.MAX_VALUE}) {
      assertThrows(
          IndexOutOfBoundsException.class, () -> EdgePicture.of(edge, two, new int[] {0, none}));
    }
    EdgePicture picture = EdgePicture.of(edge, two, ends);
    assertThrows(IllegalArgumentException.class, () -> picture.withSize(15));
    assertThrows(IllegalArgumentException.class, () -> picture.withSize(8193));
  }
}
