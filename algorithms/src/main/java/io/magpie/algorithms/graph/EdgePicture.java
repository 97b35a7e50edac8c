package io.magpie.algorithms.graph;

import io.magpie.algorithms.internal.FileReplacement;
import io.magpie.algorithms.internal.PixelCanvas;
import io.magpie.algorithms.internal.PixelImage;
import io.magpie.algorithms.internal.PlaneFrame;
import io.magpie.algorithms.internal.PngImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Draws edges that were chosen from a graph whose vertices have coordinates, such as a spanning
 * forest: these dark, the other edges of the graph pale.
 *
 * <p>The picture depends on nothing but the graph, the edges, the coordinates and the size. Cost:
 * the length of the edges in pixels.
 *
 * <p>Immutable: {@link #withSize} returns another picture.
 */
public final class EdgePicture {
  /** A pixel is the mean of a square of samples with that side. */
  private static final int SAMPLES = 2;

  private static final int PAPER = 0xffffff;
  private static final int OTHER = 0xf5a98c;
  private static final int CHOSEN = 0x14324a;

  private final Graph graph;
  private final Coordinates coordinates;
  private final int[] ends;
  private final int size;

  private EdgePicture(Graph graph, Coordinates coordinates, int[] ends, int size) {
    this.graph = graph;
    this.coordinates = coordinates;
    this.ends = ends;
    this.size = size;
  }

  /**
   * A picture in 1000 pixels.
   *
   * @param coordinates of the graph's vertices
   * @param ends of the edges that were chosen: elements 2 i and 2 i + 1 are those of edge i
   * @throws IllegalArgumentException if there are more coordinates than vertices, or fewer, or an
   *     end is missing
   * @throws IndexOutOfBoundsException if an end is no vertex of the graph
   */
  public static EdgePicture of(Graph graph, Coordinates coordinates, int[] ends) {
    if (coordinates.vertices() != graph.vertices()) {
      throw new IllegalArgumentException(
          coordinates.vertices() + " coordinates for " + graph.vertices() + " vertices");
    }
    if (ends.length % 2 != 0) {
      throw new IllegalArgumentException(ends.length + " ends: expected two for each edge");
    }
    for (int end : ends) {
      Objects.checkIndex(end, graph.vertices());
    }
    return new EdgePicture(graph, coordinates, ends.clone(), 1000);
  }

  /** The same with so many pixels, 16 to 8192, along the longer side. */
  public EdgePicture withSize(int pixels) {
    return new EdgePicture(graph, coordinates, ends, PlaneFrame.requireSize(pixels));
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
