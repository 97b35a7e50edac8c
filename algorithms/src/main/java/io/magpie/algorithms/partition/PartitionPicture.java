package io.magpie.algorithms.partition;

import io.magpie.algorithms.graph.Coordinates;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.internal.PixelImage;
import io.magpie.algorithms.internal.PlaneFrame;
import io.magpie.algorithms.internal.PointDrawing;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Draws a partition of a graph whose vertices have coordinates: each vertex, and each edge within a
 * part, in the color of its part, edges between parts dark.
 *
 * <p>Vertices are squares, larger where there are few of them. The picture depends on nothing but
 * graph, coordinates, parts and size. Cost: O(vertices + edges) and the length of the edges in
 * pixels.
 *
 * <p>Immutable: {@link #withSize} returns another picture.
 */
public final class PartitionPicture {
  private static final int CUT = 0x202428;

  /** Of the samples that are there for each vertex, the side of its square takes this share. */
  private static final double VERTEX_SHARE = 0.6;

  private static final int LARGEST_VERTEX = 10 * PointDrawing.SAMPLES;

  /** What turns a part's number into a hue far from those of the numbers nearby. */
  private static final double GOLDEN_RATIO = 0.6180339887498949;

  private final Graph graph;
  private final Coordinates coordinates;
  private final int[] parts;
  private final int size;

  private PartitionPicture(Graph graph, Coordinates coordinates, int[] parts, int size) {
    this.graph = graph;
    this.coordinates = coordinates;
    this.parts = parts;
    this.size = size;
  }

  /**
   * A picture in 1000 pixels.
   *
   * @param graph what was partitioned
   * @param coordinates of its vertices
   * @param parts for each vertex its part, 0 or more; not copied
   * @throws IllegalArgumentException if these are not for the same number of vertices
   */
  public static PartitionPicture of(Graph graph, Coordinates coordinates, int[] parts) {
    if (coordinates.vertices() != graph.vertices() || parts.length != graph.vertices()) {
      throw new IllegalArgumentException(
          coordinates.vertices()
              + " coordinates and "
              + parts.length
              + " parts for "
              + graph.vertices()
              + " vertices");
    }
    return new PartitionPicture(graph, coordinates, parts, 1000);
  }

  /** The same with so many pixels, 16 to 8192, along the longer side. */
  public PartitionPicture withSize(int pixels) {
    return new PartitionPicture(graph, coordinates, parts, PlaneFrame.requireSize(pixels));
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
    int side = vertexSide(drawing);
    drawEdges(drawing, 1, false);
    for (int v = 0; v < graph.vertices(); v++) {
      drawing.square(v, side, color(parts[v]));
    }
    drawEdges(drawing, Math.min(2 * PointDrawing.SAMPLES, side), true);
    return drawing.image();
  }

  private int vertexSide(PointDrawing drawing) {
    double side = VERTEX_SHARE * Math.sqrt(drawing.area() / Math.max(1, graph.vertices()));
    return (int) Math.max(1, Math.min(LARGEST_VERTEX, Math.round(side)));
  }

  /** Draws the edges between parts, or those within. */
  private void drawEdges(PointDrawing drawing, int thickness, boolean cut) {
    for (int v = 0; v < graph.vertices(); v++) {
      int mine = parts[v];
      for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
        int u = graph.neighbors()[a];
        if (u > v && (parts[u] != mine) == cut) {
          drawing.line(v, u, thickness, cut ? CUT : color(mine));
        }
      }
    }
  }

  /** The color of a part, 0xRRGGBB: hues in golden steps, in four degrees of light. */
  static int color(int part) {
    double hue = part * GOLDEN_RATIO;
    double value = 1 - 0.13 * (part & 3);
    double saturation = 0.45 + 0.3 * (part >> 2 & 1);
    int rgb = 0;
    for (double shift : new double[] {0, 1 / 3.0, 2 / 3.0}) {
      double phase = hue + shift;
      double strength = Math.abs(6 * (phase - Math.floor(phase)) - 3) - 1;
      double light = value * (1 - saturation * (1 - Math.max(0, Math.min(1, strength))));
      rgb = rgb << 8 | (int) Math.round(255 * light);
    }
    return rgb;
  }
}
