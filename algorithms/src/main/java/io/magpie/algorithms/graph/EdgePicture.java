package io.magpie.algorithms.graph;

import io.magpie.algorithms.internal.PixelImage;
import io.magpie.algorithms.internal.PlaneFrame;
import io.magpie.algorithms.internal.PointDrawing;
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
  private static final int THICKNESS = PointDrawing.SAMPLES;
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
    PointDrawing.write(image(), file);
  }

  /** The picture in pixels. */
  PixelImage image() {
    PointDrawing drawing = new PointDrawing(graph.vertices(), coordinates::x, coordinates::y, size);
    for (int v = 0; v < graph.vertices(); v++) {
      for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
        if (graph.neighbors()[a] > v) {
          drawing.line(v, graph.neighbors()[a], THICKNESS, OTHER);
        }
      }
    }
    for (int i = 0; i < ends.length; i += 2) {
      drawing.line(ends[i], ends[i + 1], THICKNESS, CHOSEN);
    }
    return drawing.image();
  }
}
