package io.magpie.algorithms.pointsto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.magpie.algorithms.internal.PixelImage;
import io.magpie.algorithms.internal.PngReader;
import io.magpie.algorithms.pointsto.ConstraintSet.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PointsToPictureTest {
  private static final int GROUND = 0x0a0d14;
  private static final int FEWEST = 0x2b4a8b;
  private static final int HALF = 0x4fb98f;
  private static final int MOST = 0xfff6d8;

  @TempDir Path folder;

  /** Of variables that point to others, each given as a variable and what it points to. */
  private static PixelImage image(int variables, int[]... pairs) {
    ConstraintSet.Builder constraints = ConstraintSet.builder(variables);
    for (int[] pair : pairs) {
      constraints.add(Kind.ADDRESS_OF, pair[0], pair[1]);
    }
    return PointsToPicture.of(PointsToReference.run(constraints.build())).withSize(16).image();
  }

  /** Variables 1 and 3 point to 4 and 5, 0 and 2 to 5 alone; of these four, 1 and 3 come first. */
  @Test
  void variablesWithEqualSetsAreABlock() {
    PixelImage image = image(6, new int[][] {{0, 5}, {1, 4}, {1, 5}, {2, 5}, {3, 5}, {3, 4}});
    for (int y = 0; y < 16; y++) {
      for (int x = 0; x < 16; x++) {
        assertEquals(y >= 8 && x < 8 ? GROUND : MOST, image.get(x, y), x + ", " + y);
      }
    }
  }

  /** Of 32 rows and columns a pixel stands for two each, so for four pairs. */
  @Test
  void colorsTellHowManyPairsThereAre() {
    int[][] pairs = new int[35][];
    for (int v = 0; v < 32; v++) {
      pairs[v] = new int[] {v, 32 + v};
    }
    pairs[32] = new int[] {0, 33};
    pairs[33] = new int[] {1, 32}; // so 0 and 1 both point to 32 and 33
    pairs[34] = new int[] {2, 63};
    PixelImage image = image(64, pairs);
    for (int y = 0; y < 16; y++) {
      for (int x = 0; x < 16; x++) {
        int diagonal = y == 0 ? MOST : HALF; // four pairs, and two
        int expected = x == y ? diagonal : x == 15 && y == 1 ? FEWEST : GROUND;
        assertEquals(expected, image.get(x, y), x + ", " + y);
      }
    }
  }

  @Test
  void largerSetsComeFirst() {
    PixelImage image = image(5, new int[][] {{0, 3}, {1, 3}, {1, 4}});
    assertEquals(MOST, image.get(15, 0), "of 1");
    assertEquals(GROUND, image.get(15, 15), "of 0");
  }

  @Test
  void withoutPairsThereIsTheGround() {
    for (PixelImage image : new PixelImage[] {image(0), image(9)}) {
      for (int i = 0; i < 16 * 16; i++) {
        assertEquals(GROUND, image.get(i % 16, i / 16), "pixel " + i);
      }
    }
  }

  @Test
  void writesAPngOfTheSizeAskedFor() throws IOException {
    PointsToPicture picture =
        PointsToPicture.of(
            PointsToReference.run(ConstraintGenerator.generate("cycles:vars=40,length=8")));
    Path file = folder.resolve("a.png");
    picture.withSize(31).write(file);
    PixelImage expected = picture.withSize(31).image();
    PixelImage written = PngReader.read(Files.readAllBytes(file));
    assertEquals(31, written.width());
    assertEquals(31, written.height());
    for (int i = 0; i < 31 * 31; i++) {
      assertEquals(expected.get(i % 31, i / 31), written.get(i % 31, i / 31), "pixel " + i);
    }
    assertEquals(1000, picture.image().width());
    assertThrows(IllegalArgumentException.class, () -> picture.withSize(15));
    assertThrows(IllegalArgumentException.class, () -> picture.withSize(8193));
  }
}
