package io.magpie.algorithms.internal;

/** A picture in pixels of three times eight bits, 0xRRGGBB, numbered from the left and the top. */
public final class PixelImage {
  private final int width;
  private final int height;
  private final int[] pixels;

  /** A black picture. */
  public PixelImage(int width, int height) {
    if (width < 1 || height < 1) {
      throw new IllegalArgumentException(
          "a picture has at least one pixel, not " + width + " x " + height);
    }
    this.width = width;
    this.height = height;
    pixels = new int[Math.multiplyExact(width, height)];
  }

  public int width() {
    return width;
  }

  public int height() {
    return height;
  }

  public int get(int x, int y) {
    return pixels[index(x, y)];
  }

  public void set(int x, int y, int color) {
    pixels[index(x, y)] = color & 0xffffff;
  }

  private int index(int x, int y) {
    if (x < 0 || x >= width || y < 0 || y >= height) {
      throw new IndexOutOfBoundsException(
          "pixel (" + x + ", " + y + ") of " + width + " x " + height);
    }
    return y * width + x;
  }
}
