package io.magpie.algorithms.paths;

import io.magpie.algorithms.graph.Coordinates;
import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.internal.ColorScale;
import io.magpie.algorithms.internal.PixelImage;
import io.magpie.algorithms.internal.PlaneFrame;
import io.magpie.algorithms.internal.PointDrawing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Draws the tree of shortest paths in a graph whose vertices have coordinates: each arc of the tree
 * in a color that tells the distance of where it leads, from dark near the source to light at the
 * farthest vertex, the other arcs pale, the source as a square.
 *
 * <p>The picture depends on nothing but the paths, the coordinates and the size. Cost: O(vertices +
 * arcs) and the length of the arcs in pixels.
 *
 * <p>Immutable: {@link #withSize} returns another picture.
 */
public final class PathsPicture {
  private static final int OTHER = 0xe4e2dd;
  private static final int SOURCE = 0x202428;
  private static final int SOURCE_SIDE = 9 * PointDrawing.SAMPLES;

  /** From the source to the farthest vertex. */
  private static final ColorScale COLORS =
      new ColorScale(0x1b2a6b, 0x2f6fa8, 0x3aa58b, 0xc9a227, 0xe2703a);

  private final PathsResult paths;
  private final int[] predecessors;
  private final Coordinates coordinates;
  private final int size;

  private PathsPicture(PathsResult paths, int[] predecessors, Coordinates coordinates, int size) {
    this.paths = paths;
    this.predecessors = predecessors;
    this.coordinates = coordinates;
    this.size = size;
  }

  /**
   * A picture in 1000 pixels.
   *
   * @param paths shortest paths, with predecessors
   * @param coordinates of the vertices of their graph
   * @throws IllegalArgumentException if there are more of them, or fewer; or if there are no
   *     predecessors
   */
  public static PathsPicture of(PathsResult paths, Coordinates coordinates) {
    if (coordinates.vertices() != paths.graph().vertices()) {
      throw new IllegalArgumentException(
          coordinates.vertices() + " coordinates for " + paths.graph().vertices() + " vertices");
    }
    int[] predecessors =
        paths
            .predecessors()
            .orElseThrow(
                () -> new IllegalArgumentException("the paths have no predecessors to draw"));
    return new PathsPicture(paths, predecessors, coordinates, 1000);
  }

  /** The same with so many pixels, 16 to 8192, along the longer side. */
  public PathsPicture withSize(int pixels) {
    return new PathsPicture(paths, predecessors, coordinates, PlaneFrame.requireSize(pixels));
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
    DirectedGraph graph = paths.graph();
    PointDrawing drawing = new PointDrawing(graph.vertices(), coordinates::x, coordinates::y, size);
    for (int v = 0; v < graph.vertices(); v++) {
      for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
        drawing.line(v, graph.neighbors()[a], PointDrawing.SAMPLES / 2, OTHER);
      }
    }
    double farthest = paths.exactFarthest().doubleValue();
    for (int w = 0; w < graph.vertices(); w++) {
      if (predecessors[w] != PathsResult.UNREACHED && predecessors[w] != w) {
        int color = color(paths.exactDistance(w).doubleValue(), farthest);
        drawing.line(predecessors[w], w, PointDrawing.SAMPLES, color);
      }
    }
    int source = Objects.checkIndex(paths.source(), graph.vertices());
    drawing.square(source, SOURCE_SIDE, SOURCE);
    return drawing.image();
  }

  /** The color of a distance, 0xRRGGBB. */
  static int color(double distance, double farthest) {
    return COLORS.at(farthest == 0 ? 0 : distance / farthest);
  }
}
