package io.magpie.algorithms.mesh;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import javax.imageio.ImageIO;

/**
 * Pictures as PNG. A class of its own, so that all others work in a Java runtime without {@code
 * java.desktop}, as a bundle's is.
 */
final class PngImage {
  private PngImage() {}

  static byte[] bytes(MeshPicture picture) throws IOException {
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    ImageIO.write(picture.image(), "png", png);
    return png.toByteArray();
  }
}
