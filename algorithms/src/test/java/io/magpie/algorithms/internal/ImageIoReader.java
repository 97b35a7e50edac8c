package io.magpie.algorithms.internal;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import javax.imageio.ImageIO;
import net.jqwik.api.lifecycle.LifecycleContext;
import net.jqwik.api.lifecycle.SkipExecutionHook;

/** Reads PNGs by the JDK's own reader, which not every Java runtime has. */
final class ImageIoReader {
  private ImageIoReader() {}

  /** Skips properties where {@code java.desktop} is missing. */
  static final class Needed implements SkipExecutionHook {
    @Override
    public SkipResult shouldBeSkipped(LifecycleContext context) {
      return ModuleLayer.boot().findModule("java.desktop").isPresent()
          ? SkipResult.doNotSkip()
          : SkipResult.skip("this Java runtime has no ImageIO (java.desktop)");
    }
  }

  static PixelImage read(byte[] file) throws IOException {
    BufferedImage decoded = ImageIO.read(new ByteArrayInputStream(file));
    PixelImage picture = new PixelImage(decoded.getWidth(), decoded.getHeight());
    for (int y = 0; y < picture.height(); y++) {
      for (int x = 0; x < picture.width(); x++) {
        int color = decoded.getRGB(x, y);
        if (color >>> 24 != 255) {
          throw new IOException("pixel (" + x + ", " + y + ") is not opaque");
        }
        picture.set(x, y, color);
      }
    }
    return picture;
  }
}
