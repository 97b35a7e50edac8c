package io.magpie.algorithms.nbody;

import io.magpie.algorithms.internal.ColorScale;
import io.magpie.algorithms.internal.PixelCanvas;
import io.magpie.algorithms.internal.PixelImage;
import io.magpie.algorithms.internal.PlaneFrame;
import io.magpie.algorithms.internal.PointDrawing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Draws bodies as they are seen along the z axis, x to the right and y upwards: each pixel in a
 * color that tells the logarithm of how many bodies are there, on a dark sky. The view is a square
 * around the middle of the bodies that has nearly all of them; those outside are cut off.
 *
 * <p>The picture depends on nothing but the bodies and the size. Cost: O(bodies * log(bodies) +
 * pixels).
 *
 * <p>Immutable: {@link #withSize} and {@link #of(Bodies)} return other pictures.
 */
public final class NBodyPicture {
  private static final int DEFAULT_SIZE = 1000;
  private static final int SKY = 0x0a0d14;

  /** From a single body to where most of them are. */
  private static final ColorScale COLORS =
      new ColorScale(0x3f5d9e, 0x6f8fce, 0xb9c4e0, 0xf3e3c0, 0xffb45c);

  /** Of bodies that are inside the view, before a margin is added. */
  private static final double INSIDE = 0.98;

  private static final double MARGIN = 1.3;

  private final Bodies bodies;
  private final double x;
  private final double y;
  private final double half;
  private final int size;

  private NBodyPicture(Bodies bodies, double x, double y, double half, int size) {
    this.bodies = bodies;
    this.x = x;
    this.y = y;
    this.half = half;
    this.size = size;
  }

  /** A picture in 1000 by 1000 pixels, with a view that suits these bodies. */
  public static NBodyPicture of(Bodies bodies) {
    double x = middle(bodies, 0);
    double y = middle(bodies, 1);
    double[] away =
        IntStream.range(0, bodies.count())
            .mapToDouble(
                i ->
                    Math.max(
                        Math.abs(bodies.position(i, 0) - x), Math.abs(bodies.position(i, 1) - y)))
            .sorted()
            .toArray();
    double half = away.length == 0 ? 0 : MARGIN * away[(int) (INSIDE * (away.length - 1))];
    return new NBodyPicture(
        bodies, x, y, half > 0 && half < Double.MAX_VALUE ? half : 1, DEFAULT_SIZE);
  }

  /** The median of a coordinate. */
  private static double middle(Bodies bodies, int dimension) {
    double[] all =
        IntStream.range(0, bodies.count())
            .mapToDouble(i -> bodies.position(i, dimension))
            .sorted()
            .toArray();
    return all.length == 0 ? 0 : all[all.length / 2];
  }

  /** Other bodies in the same view and size, such as the same ones later. */
  public NBodyPicture showing(Bodies others) {
    return new NBodyPicture(others, x, y, half, size);
  }

  /** The same with so many pixels, 16 to 8192, on a side. */
  public NBodyPicture withSize(int pixels) {
    return new NBodyPicture(bodies, x, y, half, PlaneFrame.requireSize(pixels));
  }

  /**
   * Writes the picture as PNG. A file of that name is replaced when the new one is complete.
   *
   * @throws IOException if it cannot be written
   */
  public void write(Path file) throws IOException {
    PointDrawing.write(image(), file);
  }

  /** The picture in pixels. */
  PixelImage image() {
    int[] counts = new int[size * size];
    for (int i = 0; i < bodies.count(); i++) {
      double column = (bodies.position(i, 0) - x + half) / (2 * half) * size;
      double row = (y + half - bodies.position(i, 1)) / (2 * half) * size;
      if (column >= 0 && column < size && row >= 0 && row < size) {
        counts[(int) row * size + (int) column]++;
      }
    }
    int most = Arrays.stream(counts).max().orElse(0);
    PixelCanvas canvas = new PixelCanvas(size, size, SKY);
    for (int at = 0; at < counts.length; at++) {
      if (counts[at] > 0) {
        canvas.square(at % size + 0.5, at / size + 0.5, 1, color(counts[at], most));
      }
    }
    PixelImage image = new PixelImage(size, size);
    canvas.shrinkInto(image, 0, 1);
    return image;
  }

  /** The color of a number of bodies, 1 at least, 0xRRGGBB. */
  static int color(int count, int most) {
    return COLORS.at(most == 1 ? 0 : Math.log(count) / Math.log(most));
  }
}
