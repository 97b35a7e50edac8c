package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.Coordinates;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.internal.FileReplacement;
import io.magpie.algorithms.internal.PixelCanvas;
import io.magpie.algorithms.internal.PixelImage;
import io.magpie.algorithms.internal.PlaneFrame;
import io.magpie.algorithms.internal.PngImage;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Draws a spanning forest of a graph whose vertices have coordinates: its edges dark, the other
 * edges of the graph pale.
 *
 * <p>The picture depends on nothing but the forest, the coordinates and the size. Cost: the length
 * of the edges in pixels.
 *
 * <p>Immutable: {@link #withSize} returns another picture.
 */
public final class ForestPicture {
  /** A pixel is the mean of a square of samples with that side. */
  private static final int SAMPLES = 2;

  private static final int PAPER = 0xffffff;
  private static final int OTHER = 0xf5a98c;
  private static final int CHOSEN = 0x14324a;

  private final MsfResult forest;
  private final Coordinates coordinates;
  private final int size;

  private ForestPicture(MsfResult forest, Coordinates coordinates, int size) {
    this.forest = forest;
    this.coordinates = coordinates;
    this.size = size;
  }

  /**
   * A picture in 1000 pixels.
   *
   * @param coordinates of the vertices of the forest's graph
   * @throws IllegalArgumentException if there are more of them, or fewer
   */
  public static ForestPicture of(MsfResult forest, Coordinates coordinates) {
    if (coordinates.vertices() != forest.graph().vertices()) {
      throw new IllegalArgumentException(
          coordinates.vertices() + " coordinates for " + forest.graph().vertices() + " vertices");
    }
    return new ForestPicture(forest, coordinates, 1000);
  }

  /** The same with so many pixels, 16 to 8192, along the longer side. */
  public ForestPicture withSize(int pixels) {
    return new ForestPicture(forest, coordinates, PlaneFrame.requireSize(pixels));
  }

  /**
   * Writes the picture as PNG. A file of that name is replaced when the new one is complete.
   *
   * @throws IOException if it cannot be written
   */
  public void write(Path file) throws IOException {
    try (FileReplacement replacement = new FileReplacement(file)) {
      PngImage.write(image(), replacement.sink());
      replacement.complete();
      replacement.commit();
    }
  }

  /** The picture in pixels. */
  PixelImage image() {
    Graph graph = forest.graph();
    PlaneFrame frame =
        new PlaneFrame(graph.vertices(), coordinates::x, coordinates::y, size, SAMPLES);
    PixelCanvas canvas = new PixelCanvas(SAMPLES * frame.width(), SAMPLES * frame.height(), PAPER);
    for (int v = 0; v < graph.vertices(); v++) {
      for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
        if (graph.neighbors()[a] > v) {
          line(canvas, frame, v, graph.neighbors()[a], OTHER);
        }
      }
    }
    int[] ends = forest.endpoints();
    for (int i = 0; i < ends.length; i += 2) {
      line(canvas, frame, ends[i], ends[i + 1], CHOSEN);
    }
    PixelImage image = new PixelImage(frame.width(), frame.height());
    canvas.shrinkInto(image, 0, SAMPLES);
    return image;
  }

  private void line(PixelCanvas canvas, PlaneFrame frame, int v, int w, int color) {
    canvas.line(
        frame.x(coordinates.x(v)),
        frame.y(coordinates.y(v)),
        frame.x(coordinates.x(w)),
        frame.y(coordinates.y(w)),
        SAMPLES,
        color);
  }
}
