package io.magpie.algorithms.internal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.IntToDoubleFunction;

/**
 * A drawing of numbered points of the plane, on white paper: lines between points and squares
 * around them, one over the other in the order in which they are drawn. Colors are 0xRRGGBB.
 * Thickness and sides are in samples: a pixel is the mean of {@link #SAMPLES} by as many.
 */
public final class PointDrawing {
  /** A pixel is the mean of a square of samples with that side. */
  public static final int SAMPLES = 2;

  private static final int PAPER = 0xffffff;

  private final IntToDoubleFunction x;
  private final IntToDoubleFunction y;
  private final PlaneFrame frame;
  private final PixelCanvas canvas;

  /**
   * Empty paper for points.
   *
   * @param points how many there are
   * @param x their places from left to right
   * @param y their places from bottom to top
   * @param size pixels along the longer side
   */
  public PointDrawing(int points, IntToDoubleFunction x, IntToDoubleFunction y, int size) {
    this.x = x;
    this.y = y;
    frame = new PlaneFrame(points, x, y, size, SAMPLES);
    canvas = new PixelCanvas(SAMPLES * frame.width(), SAMPLES * frame.height(), PAPER);
  }

  /** The number of samples of the paper. */
  public double area() {
    return (double) SAMPLES * SAMPLES * frame.width() * frame.height();
  }

  /** Draws a line between two points. */
  public void line(int from, int to, int thickness, int color) {
    canvas.line(
        frame.x(x.applyAsDouble(from)),
        frame.y(y.applyAsDouble(from)),
        frame.x(x.applyAsDouble(to)),
        frame.y(y.applyAsDouble(to)),
        thickness,
        color);
  }

  /** Fills a square around a point. */
  public void square(int point, int side, int color) {
    canvas.square(frame.x(x.applyAsDouble(point)), frame.y(y.applyAsDouble(point)), side, color);
  }

  /** What has been drawn, in pixels. */
  public PixelImage image() {
    PixelImage image = new PixelImage(frame.width(), frame.height());
    canvas.shrinkInto(image, 0, SAMPLES);
    return image;
  }

  /**
   * Writes an image as PNG. A file of that name is replaced when the new one is complete.
   *
   * @throws IOException if it cannot be written
   */
  public static void write(PixelImage image, Path file) throws IOException {
    try (FileReplacement replacement = new FileReplacement(file)) {
      PngImage.write(image, replacement.sink());
      replacement.complete();
      replacement.commit();
    }
  }
}
