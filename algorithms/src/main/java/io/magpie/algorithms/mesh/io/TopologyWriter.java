package io.magpie.algorithms.mesh.io;

import io.magpie.algorithms.internal.ByteSink;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.MeshEdges;
import io.magpie.algorithms.mesh.internal.Predicates;
import java.io.IOException;

/** Writes what follows from a mesh's triangles, in files of {@link TriangleFormat}. */
final class TopologyWriter {
  private static final int NONE = -1;

  private final Mesh mesh;
  private final long first;

  TopologyWriter(Mesh mesh) {
    this.mesh = mesh;
    this.first = mesh.planarGraph().firstIndex();
  }

  /** Writes a .edge file. */
  void edges(MeshEdges edges, ByteSink out) throws IOException {
    out.number(edges.count()).text(" 1").newLine();
    for (int e = 0; e < edges.count(); e++) {
      out.number(e + first).blank().number(edges.start(e) + first);
      out.blank().number(edges.end(e) + first).blank().signed(edges.marker(e)).newLine();
    }
  }

  /** Writes a .neigh file. */
  void neighbors(ByteSink out) throws IOException {
    out.number(mesh.triangles()).text(" 3").newLine();
    for (int t = 0; t < mesh.triangles(); t++) {
      out.number(t + first);
      for (int k = 0; k < 3; k++) {
        int across = mesh.neighbor(t, k);
        out.blank().signed(across == NONE ? NONE : across + first);
      }
      out.newLine();
    }
  }

  /**
   * Writes a .v.node file: the circumcenter of each triangle.
   *
   * @throws IOException also where a value is beyond the range of doubles
   */
  void voronoiVertices(ByteSink out) throws IOException {
    out.number(mesh.triangles()).text(" 2 ").number(mesh.attributes()).text(" 0").newLine();
    for (int t = 0; t < mesh.triangles(); t++) {
      int a = mesh.corner(t, 0);
      int b = mesh.corner(t, 1);
      int c = mesh.corner(t, 2);
      double bx = mesh.x(b) - mesh.x(a);
      double by = mesh.y(b) - mesh.y(a);
      double cx = mesh.x(c) - mesh.x(a);
      double cy = mesh.y(c) - mesh.y(a);
      // Of thin triangles, a difference of rounded products may be 0, or far off.
      double doubled =
          Predicates.exactOrient2d(
              mesh.x(a), mesh.y(a), mesh.x(b), mesh.y(b), mesh.x(c), mesh.y(c));
      double bb = bx * bx + by * by;
      double cc = cx * cx + cy * cy;
      double dx = (cy * bb - by * cc) / (2 * doubled);
      double dy = (bx * cc - cx * bb) / (2 * doubled);
      out.number(t + first).blank().decimal(finite(mesh.x(a) + dx, t));
      out.blank().decimal(finite(mesh.y(a) + dy, t));
      double partOfB = (dx * cy - dy * cx) / doubled;
      double partOfC = (bx * dy - by * dx) / doubled;
      for (int i = 0; i < mesh.attributes(); i++) {
        double value = mesh.attribute(a, i);
        out.blank()
            .decimal(
                finite(
                    value
                        + partOfB * (mesh.attribute(b, i) - value)
                        + partOfC * (mesh.attribute(c, i) - value),
                    t));
      }
      out.newLine();
    }
  }

  private double finite(double value, int triangle) throws IOException {
    if (!Double.isFinite(value)) {
      throw new IOException(
          "at the circumcenter of triangle "
              + (triangle + first)
              + " a coordinate or attribute is beyond the range of doubles, as that triangle is too"
              + " thin; leave out the Voronoi diagram");
    }
    return value;
  }

  /**
   * Writes a .v.edge file: for each edge of the mesh the edge between the circumcenters at its
   * sides, or on the boundary a ray away from the mesh.
   */
  void voronoiEdges(MeshEdges edges, ByteSink out) throws IOException {
    out.number(edges.count()).text(" 0").newLine();
    for (int e = 0; e < edges.count(); e++) {
      out.number(e + first).blank().number(edges.left(e) + first).blank();
      if (edges.right(e) == NONE) {
        int start = edges.start(e);
        int end = edges.end(e);
        out.signed(NONE).blank().decimal(mesh.y(end) - mesh.y(start));
        out.blank().decimal(mesh.x(start) - mesh.x(end)).newLine();
      } else {
        out.number(edges.right(e) + first).newLine();
      }
    }
  }
}
