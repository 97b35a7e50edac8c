package io.magpie.algorithms.msf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.magpie.algorithms.graph.Coordinates;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.internal.PixelImage;
import io.magpie.algorithms.internal.PngReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForestPictureTest {
  private static final int PAPER = 0xffffff;
  private static final int OTHER = 0xf5a98c;
  private static final int CHOSEN = 0x14324a;

  @TempDir Path folder;

  /** A square of side 4 whose upper side is the heaviest edge, so not in the forest. */
  private static ForestPicture square() {
    GraphBuilder builder = new GraphBuilder(4, true);
    int[] weights = {1, 2, 9, 3};
    for (int v = 0; v < 4; v++) {
      builder.addEdge(v, (v + 1) % 4, weights[v]);
    }
    return ForestPicture.of(
            KruskalReference.run(builder.build()),
            Coordinates.of(new double[] {0, 4, 4, 0}, new double[] {0, 0, 4, 4}))
        .withSize(100);
  }

  @Test
  void theForestIsDarkAndOtherEdgesArePale() {
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
    MsfResult none = KruskalReference.run(new GraphBuilder(0, true).build());
    Coordinates nowhere = Coordinates.of(new double[0], new double[0]);
    assertEquals(17, ForestPicture.of(none, nowhere).image().width());
  }

  @Test
  void refusesWhatDoesNotFitTogether() {
    MsfResult forest = KruskalReference.run(new GraphBuilder(2, true).addEdge(0, 1, 1).build());
    Coordinates one = Coordinates.of(new double[1], new double[1]);
    assertThrows(IllegalArgumentException.class, () -> ForestPicture.of(forest, one));
    ForestPicture picture = ForestPicture.of(forest, Coordinates.of(new double[2], new double[2]));
    assertThrows(IllegalArgumentException.class, () -> picture.withSize(15));
    assertThrows(IllegalArgumentException.class, () -> picture.withSize(8193));
  }
}
