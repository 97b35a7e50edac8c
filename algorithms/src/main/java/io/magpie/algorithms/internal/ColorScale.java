package io.magpie.algorithms.internal;

/** Colors from a first one to a last one, by way of others at equal distances; each 0xRRGGBB. */
public final class ColorScale {
  private final int[] colors;

  /**
   * A scale.
   *
   * @param colors two at least, from that of 0 to that of 1
   */
  public ColorScale(int... colors) {
    if (colors.length < 2) {
      throw new IllegalArgumentException(colors.length + " colors: expected two at least");
    }
    this.colors = colors.clone();
  }

  /** The color at a part of the way, 0 to 1. */
  public int at(double part) {
    double at = part * (colors.length - 1);
    int from = Math.min((int) at, colors.length - 2);
    int rgb = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
      int low = colors[from] >> shift & 255;
      int high = colors[from + 1] >> shift & 255;
      rgb |= (int) Math.round(low + (high - low) * (at - from)) << shift;
    }
    return rgb;
  }
}
