package io.magpie.algorithms.paths;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.magpie.algorithms.graph.Coordinates;
import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.internal.PixelImage;
import io.magpie.algorithms.internal.PngReader;
import io.magpie.algorithms.paths.PathsOptions.Lengths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PathsPictureTest {
  private static final int NEAREST = 0x1b2a6b;
  private static final int FARTHEST = 0xe2703a;

  @TempDir Path folder;

  /** Along three sides of a square, of lengths 1 each, and along the fourth of length 9. */
  private static DirectedGraph square() {
    return new GraphBuilder(4, true)
        .addArc(0, 1, 1)
        .addArc(1, 2, 1)
        .addArc(2, 3, 1)
        .addArc(0, 3, 9)
        .buildDirected();
  }

  private static PathsPicture picture() {
    return PathsPicture.of(
            PathsReference.dijkstra(square(), 0),
            Coordinates.of(new double[] {0, 4, 4, 0}, new double[] {0, 0, 4, 4}))
        .withSize(100);
  }

  @Test
  void colorsTellDistances() {
    assertEquals(NEAREST, PathsPicture.color(0, 0));
    assertEquals(NEAREST, PathsPicture.color(0, 7));
    assertEquals(0x3aa58b, PathsPicture.color(Long.MAX_VALUE / 2, Long.MAX_VALUE));
    assertEquals(FARTHEST, PathsPicture.color(7, 7));
  }

  @Test
  void theTreeIsColoredAndOtherArcsArePale() {
    PixelImage image = picture().image();
    assertEquals(8 + 100 + 8, image.width());
    assertEquals(0xffffff, image.get(8 + 50, 8 + 50), "nothing is inside");
    assertEquals(0x202428, image.get(8, 8 + 100), "the source");
    assertEquals(half(PathsPicture.color(1, 3)), image.get(8 + 50, 8 + 100), "to 1");
    assertEquals(half(PathsPicture.color(2, 3)), image.get(8 + 100, 8 + 50), "to 2");
    assertEquals(half(FARTHEST), image.get(8 + 50, 8), "to 3");
    int left = image.get(8, 8 + 50);
    assertEquals(left >> 16, Math.max(left >> 16, 0xe0), "pale, and no color of the tree");
  }

  /** A line between two pixels colors half of each. */
  private static int half(int color) {
    int red = 255 + (color >> 16);
    int green = 255 + (color >> 8 & 255);
    int blue = 255 + (color & 255);
    return red / 2 << 16 | green / 2 << 8 | blue / 2;
  }

  @Test
  void writesAPng() throws IOException {
    Path file = folder.resolve("a.png");
    picture().write(file);
    PixelImage expected = picture().image();
    PixelImage written = PngReader.read(Files.readAllBytes(file));
    for (int i = 0; i < 116 * 116; i++) {
      assertEquals(expected.get(i % 116, i / 116), written.get(i % 116, i / 116), "pixel " + i);
    }
  }

  @Test
  void refusesWhatDoesNotFitTogether() {
    PathsResult paths = PathsReference.dijkstra(square(), 0);
    Coordinates one = Coordinates.of(new double[1], new double[1]);
    assertThrows(IllegalArgumentException.class, () -> PathsPicture.of(paths, one));
    Coordinates four = Coordinates.of(new double[4], new double[4]);
    PathsResult bare = new PathsResult(square(), 0, Lengths.WEIGHTS, paths.distances(), null, null);
    assertThrows(IllegalArgumentException.class, () -> PathsPicture.of(bare, four));
    PathsPicture picture = PathsPicture.of(paths, four);
    assertThrows(IllegalArgumentException.class, () -> picture.withSize(15));
  }
}
