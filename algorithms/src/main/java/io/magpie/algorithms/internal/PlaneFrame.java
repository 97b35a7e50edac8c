package io.magpie.algorithms.internal;

import java.util.function.IntToDoubleFunction;

/**
 * Where points of the plane lie in a picture: the box around them fills the picture but for a
 * margin, and y points upwards. Without points the box is empty.
 */
public final class PlaneFrame {
  private static final int SMALLEST_SIZE = 16;
  private static final int LARGEST_SIZE = 8192;
  private static final int MARGIN = 8;

  private final int samples;
  private final double scale;
  private final double left;
  private final double top;
  private final int width;
  private final int height;

  /**
   * A frame around points.
   *
   * @param points how many there are
   * @param x their places from left to right
   * @param y their places from bottom to top
   * @param size pixels along the longer side of the box
   * @param samples side of the square of samples that make a pixel
   */
  public PlaneFrame(
      int points, IntToDoubleFunction x, IntToDoubleFunction y, int size, int samples) {
    double minX = Double.POSITIVE_INFINITY;
    double minY = Double.POSITIVE_INFINITY;
    double maxX = Double.NEGATIVE_INFINITY;
    double maxY = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < points; i++) {
      minX = Math.min(minX, x.applyAsDouble(i));
      minY = Math.min(minY, y.applyAsDouble(i));
      maxX = Math.max(maxX, x.applyAsDouble(i));
      maxY = Math.max(maxY, y.applyAsDouble(i));
    }
    double extent = Math.max(maxX - minX, maxY - minY);
    this.samples = samples;
    scale = extent > 0 ? size / extent : 1;
    left = minX;
    top = maxY;
    width = 2 * MARGIN + pixels(maxX - minX, size);
    height = 2 * MARGIN + pixels(maxY - minY, size);
  }

  /** At least one, also without points, where the box is infinite the wrong way round. */
  private int pixels(double length, int size) {
    return Math.max(1, (int) Math.ceil(Math.min(size, scale * length)));
  }

  /**
   * Checks the size of a picture.
   *
   * @return the size
   * @throws IllegalArgumentException if it is not 16 to 8192 pixels
   */
  public static int requireSize(int pixels) {
    if (pixels < SMALLEST_SIZE || pixels > LARGEST_SIZE) {
      throw new IllegalArgumentException(
          "a picture has " + SMALLEST_SIZE + " to " + LARGEST_SIZE + " pixels, not " + pixels);
    }
    return pixels;
  }

  /** The picture's width in pixels, margins included. */
  public int width() {
    return width;
  }

  /** The picture's height in pixels, margins included. */
  public int height() {
    return height;
  }

  /** The sample from the left in which a point lies. */
  public double x(double x) {
    return samples * (MARGIN + scale * (x - left));
  }

  /** The sample from the top in which a point lies. */
  public double y(double y) {
    return samples * (MARGIN + scale * (top - y));
  }
}
