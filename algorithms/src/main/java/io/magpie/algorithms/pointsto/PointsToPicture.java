package io.magpie.algorithms.pointsto;

import io.magpie.algorithms.internal.ColorScale;
import io.magpie.algorithms.internal.PixelImage;
import io.magpie.algorithms.internal.PlaneFrame;
import io.magpie.algorithms.internal.PointDrawing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Draws points-to sets as a matrix: a row for each variable that may point to something, a column
 * for each variable that something may point to. A pixel stands for some rows and columns, or for a
 * part of one where there are fewer than pixels. It is dark without a pair of them, else in a color
 * that tells the logarithm of the part of its pairs that are there, up to the largest of any pixel.
 *
 * <p>Columns are in the order of their variables. Rows are in that of the first variable that they
 * may point to; of these the larger sets come first, then the set whose first variable comes first.
 * So variables with equal sets, such as those of a cycle, are a block.
 *
 * <p>The picture depends on nothing but the sets and the size. Cost: O(variables + elements of
 * different sets + size * (size + largest set) + sets * log(sets)).
 *
 * <p>Immutable: {@link #withSize} returns another picture.
 */
public final class PointsToPicture {
  private static final int DEFAULT_SIZE = 1000;
  private static final int GROUND = 0x0a0d14;

  /** From the fewest pairs to the most. */
  private static final ColorScale COLORS =
      new ColorScale(0x2b4a8b, 0x2f86b0, 0x4fb98f, 0xe3d26a, 0xfff6d8);

  private final PointsToResult result;
  private final int size;

  private PointsToPicture(PointsToResult result, int size) {
    this.result = result;
    this.size = size;
  }

  /** A picture in 1000 by 1000 pixels. */
  public static PointsToPicture of(PointsToResult result) {
    return new PointsToPicture(result, DEFAULT_SIZE);
  }

  /** The same with so many pixels, 16 to 8192, on a side. */
  public PointsToPicture withSize(int pixels) {
    return new PointsToPicture(result, PlaneFrame.requireSize(pixels));
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
    PixelImage image = new PixelImage(size, size);
    Matrix matrix = new Matrix(result, size);
    double largest = matrix.largest();
    matrix.forRows(
        (y, parts) -> {
          for (int x = 0; x < size; x++) {
            image.set(x, y, color(parts[x], matrix.least(), largest));
          }
        });
    return image;
  }

  /**
   * The color of a pixel, 0xRRGGBB.
   *
   * @param part of its pairs that are there, 0 to 1
   * @param least what a single one would be of the most pairs that a pixel has
   * @param largest of all pixels
   */
  static int color(double part, double least, double largest) {
    if (part == 0) {
      return GROUND;
    }
    return COLORS.at(part == largest ? 1 : Math.log(part / least) / Math.log(largest / least));
  }

  /** What a row of pixels shows. */
  @FunctionalInterface
  private interface Row {
    /**
     * @param y which row, from the top
     * @param parts of each pixel's pairs that are there
     */
    void show(int y, double[] parts);
  }

  /** Which items each of some pixels stands for: all for some, or some for all. */
  private record Axis(int items, int pixels) {
    int from(int pixel) {
      return (int) ((long) pixel * items / pixels);
    }

    int to(int pixel) {
      return Math.max(from(pixel) + 1, from(pixel + 1));
    }

    int count(int pixel) {
      return to(pixel) - from(pixel);
    }

    /** The most items of a pixel. */
    int most() {
      return (int) ((items + pixels - 1L) / pixels);
    }
  }

  /** The pairs, in rows and columns. */
  private static final class Matrix {
    private final int size;
    private final int[] offsets;
    private final int[] elements;
    private final int[] order; // the sets from the top, without the empty one
    private final int[] begin; // the first row of each of these, and behind the last
    private final int[] column; // of each variable that something may point to
    private final int[] left; // the first pixel of each column
    private final int[] right; // the last one
    private final Axis rows;
    private final Axis columns;

    Matrix(PointsToResult result, int size) {
      this.size = size;
      offsets = result.offsets();
      elements = result.elements();
      order =
          IntStream.range(0, result.sets())
              .filter(set -> sizeOf(set) > 0)
              .boxed()
              .sorted(
                  Comparator.<Integer>comparingInt(set -> elements[offsets[set]])
                      .thenComparing(this::sizeOf, Comparator.reverseOrder())
                      .thenComparing(Comparator.naturalOrder()))
              .mapToInt(set -> set)
              .toArray();
      int[] members = new int[result.sets()];
      for (int set : result.setOf()) {
        members[set]++;
      }
      begin = new int[order.length + 1];
      for (int i = 0; i < order.length; i++) {
        begin[i + 1] = begin[i] + members[order[i]];
      }
      rows = new Axis(begin[order.length], size);
      column = new int[result.setOf().length];
      for (int variable : elements) {
        column[variable] = 1;
      }
      int count = 0;
      for (int variable = 0; variable < column.length; variable++) {
        count += column[variable];
        column[variable] = count - 1;
      }
      columns = new Axis(count, size);
      left = new int[count];
      right = new int[count];
      Arrays.fill(left, size);
      for (int x = 0; x < size && count > 0; x++) {
        for (int c = columns.from(x); c < columns.to(x); c++) {
          left[c] = Math.min(left[c], x);
          right[c] = x;
        }
      }
    }

    private int sizeOf(int set) {
      return offsets[set + 1] - offsets[set];
    }

    /** What a single pair is of the most pairs that a pixel stands for. */
    double least() {
      return 1.0 / ((long) rows.most() * columns.most());
    }

    /** The largest part of a pixel's pairs that are there; 0 without any. */
    double largest() {
      double[] largest = {0};
      forRows(
          (y, parts) -> {
            for (double part : parts) {
              largest[0] = Math.max(largest[0], part);
            }
          });
      return largest[0];
    }

    /** Shows all rows of pixels, from the top. */
    void forRows(Row row) {
      double[] parts = new double[size];
      long[] pairs = new long[size];
      int first = 0; // set with rows of this pixel
      for (int y = 0; y < size; y++) {
        Arrays.fill(pairs, 0);
        if (order.length > 0) {
          while (begin[first + 1] <= rows.from(y)) {
            first++;
          }
          for (int i = first; i < order.length && begin[i] < rows.to(y); i++) {
            count(
                order[i],
                Math.min(begin[i + 1], rows.to(y)) - Math.max(begin[i], rows.from(y)),
                pairs);
          }
        }
        for (int x = 0; x < size; x++) {
          parts[x] = pairs[x] == 0 ? 0 : pairs[x] / ((double) rows.count(y) * columns.count(x));
        }
        row.show(y, parts);
      }
    }

    /** Counts the pairs of so many variables that have a set. */
    private void count(int set, int variables, long[] pairs) {
      for (int at = offsets[set]; at < offsets[set + 1]; at++) {
        int c = column[elements[at]];
        for (int x = left[c]; x <= right[c]; x++) {
          pairs[x] += variables;
        }
      }
    }
  }
}
