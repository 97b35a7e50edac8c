package io.magpie.algorithms.internal;

import java.util.Arrays;

/**
 * Opaque triangles and lines in samples, of which several make a pixel. Plain arithmetic, so a
 * drawing is the same on every machine. A sample is drawn if its center is; what lies outside is
 * cut off.
 */
public final class PixelCanvas {
  private final int width;
  private final int height;
  private final int[] samples;

  /** A canvas of one color, 0xRRGGBB; samples number from the left and from the top. */
  public PixelCanvas(int width, int height, int color) {
    this.width = width;
    this.height = height;
    samples = new int[Math.multiplyExact(width, height)];
    Arrays.fill(samples, color);
  }

  /** Fills a triangle; one that covers no center of a sample colors that of its middle. */
  public void triangle(double[] x, double[] y, int color) {
    double low = Math.min(y[0], Math.min(y[1], y[2]));
    double high = Math.max(y[0], Math.max(y[1], y[2]));
    boolean drawn = false;
    int last = (int) Math.min(height - 1, Math.floor(high - 0.5));
    for (int row = (int) Math.max(0, Math.ceil(low - 0.5)); row <= last; row++) {
      double at = row + 0.5;
      double left = Double.POSITIVE_INFINITY;
      double right = Double.NEGATIVE_INFINITY;
      for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3;
        if (y[k] <= at != y[next] <= at) {
          double cut = x[k] + (at - y[k]) / (y[next] - y[k]) * (x[next] - x[k]);
          left = Math.min(left, cut);
          right = Math.max(right, cut);
        }
      }
      int from = (int) Math.max(0, Math.ceil(left - 0.5));
      int to = (int) Math.min(width, Math.floor(right - 0.5) + 1);
      if (from < to) {
        Arrays.fill(samples, row * width + from, row * width + to, color);
        drawn = true;
      }
    }
    if (!drawn) {
      square((x[0] + x[1] + x[2]) / 3, (y[0] + y[1] + y[2]) / 3, 1, color);
    }
  }

  /** Draws a line so many samples thick. */
  public void line(double x0, double y0, double x1, double y1, int thickness, int color) {
    int steps = (int) Math.ceil(Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0)));
    for (int i = 0; i <= steps; i++) {
      double part = steps == 0 ? 0 : (double) i / steps;
      square(x0 + part * (x1 - x0), y0 + part * (y1 - y0), thickness, color);
    }
  }

  /** Fills a square of so many samples around a point. */
  public void square(double x, double y, int side, int color) {
    int left = (int) Math.floor(x - (side - 1) / 2.0);
    int top = (int) Math.floor(y - (side - 1) / 2.0);
    rectangle(left, top, left + side, top + side, color);
  }

  /** Fills the samples from a column and a row on, up to those before others. */
  public void rectangle(int left, int top, int right, int bottom, int color) {
    for (int row = Math.max(0, top); row < Math.min(height, bottom); row++) {
      for (int column = Math.max(0, left); column < Math.min(width, right); column++) {
        samples[row * width + column] = color;
      }
    }
  }

  /** Copies the canvas into an image from that column on, each pixel the mean of a square. */
  public void shrinkInto(PixelImage image, int column, int side) {
    for (int y = 0; y < height / side; y++) {
      for (int x = 0; x < width / side; x++) {
        int red = 0;
        int green = 0;
        int blue = 0;
        for (int i = 0; i < side * side; i++) {
          int color = samples[(y * side + i / side) * width + x * side + i % side];
          red += color >> 16;
          green += color >> 8 & 255;
          blue += color & 255;
        }
        int area = side * side;
        image.set(column + x, y, red / area << 16 | green / area << 8 | blue / area);
      }
    }
  }
}
