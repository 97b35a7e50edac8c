package io.magpie.algorithms.nbody;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.magpie.algorithms.internal.PixelImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NBodyPictureTest {
  @TempDir Path folder;

  private static Bodies at(double... positions) {
    int n = positions.length / 3;
    return Bodies.of(new double[n], positions, new double[3 * n]);
  }

  /** x to the right, y upwards; the view around the middle has a margin. */
  @Test
  void bodiesAreWhereTheyShouldBe() {
    NBodyPicture picture = NBodyPicture.of(at(-1, 0, 9, 0, 0, 7, 0, 0, 8, 0, 1, 0, 1, 0, 0));
    PixelImage image = picture.withSize(27).image();
    int sky = image.get(0, 0);
    assertEquals(NBodyPicture.color(2, 2), image.get(13, 13), "two bodies in the middle");
    assertEquals(NBodyPicture.color(1, 2), image.get(3, 13));
    assertEquals(NBodyPicture.color(1, 2), image.get(23, 13));
    assertEquals(NBodyPicture.color(1, 2), image.get(13, 3), "up");
    assertEquals(sky, image.get(13, 23));
    PixelImage later = picture.withSize(27).showing(at(0, -1, 0, 5, 5, 5)).image();
    assertEquals(NBodyPicture.color(1, 1), later.get(13, 23));
    assertEquals(sky, later.get(13, 13));
  }

  @Test
  void noBodiesAndOne() throws IOException {
    for (Bodies bodies : new Bodies[] {at(), at(5, 5, 5)}) {
      Path file = folder.resolve("few.png");
      NBodyPicture.of(bodies).withSize(16).write(file);
      assertEquals(16, ByteBuffer.wrap(Files.readAllBytes(file)).getInt(16), "the header's width");
    }
    assertThrows(IllegalArgumentException.class, () -> NBodyPicture.of(at()).withSize(15));
  }
}
