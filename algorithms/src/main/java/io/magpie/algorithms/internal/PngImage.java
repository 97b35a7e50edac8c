package io.magpie.algorithms.internal;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.function.Supplier;
import javax.imageio.ImageIO;

/**
 * Pictures as PNG. A class of its own, so that all others work in a Java runtime without {@code
 * java.desktop}, as a bundle's is.
 */
public final class PngImage {
  private PngImage() {}

  public static byte[] bytes(Supplier<BufferedImage> picture) throws IOException {
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    ImageIO.write(picture.get(), "png", png);
    return png.toByteArray();
  }
}
