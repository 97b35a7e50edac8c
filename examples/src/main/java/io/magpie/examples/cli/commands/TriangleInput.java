package io.magpie.examples.cli.commands;

import io.magpie.algorithms.mesh.DelaunayTriangulation;
import io.magpie.algorithms.mesh.DuplicateVerticesException;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.MeshEdges;
import io.magpie.algorithms.mesh.PlanarGraph;
import io.magpie.algorithms.mesh.RegionFaultException;
import io.magpie.algorithms.mesh.io.TriangleFormat;
import io.magpie.algorithms.mesh.io.TriangleFormat.Constraint;
import io.magpie.examples.input.InputException;
import io.magpie.examples.input.MeshInput;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What a call of Triangle reads, and makes of it before it refines. All vertices and segments have
 * markers, as Triangle's output has them.
 *
 * @param files the common part of the files' paths
 */
record TriangleInput(TriangleSwitches switches, Path files) implements MeshInput {
  @Override
  public String description() {
    return files.toString();
  }

  @Override
  public boolean generated() {
    return false;
  }

  @Override
  public List<Path> filesRead() {
    return TriangleFormat.existingFiles(files);
  }

  /** Whether the points are those of FILE.node, and not of FILE.poly. */
  boolean readsNode() throws IOException {
    requireSegments();
    return !switches.has('p') || !TriangleFormat.segmentsHavePoints(files);
  }

  private void requireSegments() throws IOException {
    if (switches.has('p') && !TriangleFormat.hasSegments(files)) {
      throw new FileNotFoundException(files + ".poly: no such file, and -p reads it");
    }
  }

  @Override
  public Mesh mesh() throws IOException {
    requireSegments();
    return marked(switches.has('r') ? read() : triangulated());
  }

  private Mesh read() throws IOException {
    Set<Constraint> constraints = EnumSet.noneOf(Constraint.class);
    if (switches.has('p')) {
      constraints.add(Constraint.SEGMENTS);
    }
    if (switches.areas()) {
      if (!TriangleFormat.hasAreas(files)) {
        throw new FileNotFoundException(
            files + ".area: no such file, and -a without a number reads it");
      }
      constraints.add(Constraint.AREAS);
    }
    return TriangleFormat.readMesh(files, constraints);
  }

  private Mesh triangulated() throws IOException {
    PlanarGraph graph =
        switches.has('p') ? TriangleFormat.readGraph(files) : TriangleFormat.readPoints(files);
    if (switches.has('O')) {
      graph = graph.toBuilder().holes(new double[0]).build();
    }
    Mesh mesh = triangulated(graph);
    if (!switches.areas()) {
      mesh = unbounded(mesh);
    }
    if (!switches.has('A')) {
      return mesh.toBuilder().triangleAttributes(0, new double[0]).build();
    }
    return switches.has('p') && mesh.triangleAttributes() == 0
        ? mesh.toBuilder().triangleAttributes(1, new double[mesh.triangles()]).build()
        : mesh;
  }

  private Mesh triangulated(PlanarGraph graph) throws IOException {
    try {
      return switches.has('c')
          ? DelaunayTriangulation.ofConvexHull(graph)
          : DelaunayTriangulation.of(graph);
    } catch (RegionFaultException e) {
      throw TriangleFormat.located(files, e);
    } catch (IllegalArgumentException e) {
      throw new InputException(
          files
              + ": "
              + e.getMessage()
              + (e instanceof DuplicateVerticesException
                  ? "; 'magpie refine --merge-duplicates' does so"
                  : ""));
    }
  }

  /** The mesh such that what its regions allow does not count. */
  private static Mesh unbounded(Mesh mesh) {
    double[] bounds = new double[mesh.triangles()];
    Arrays.fill(bounds, Double.POSITIVE_INFINITY);
    return mesh.regions().isEmpty() ? mesh : mesh.toBuilder().areaBounds(bounds).build();
  }

  /**
   * The mesh with Triangle's markers: a segment's own, else 1 on the boundary; a vertex's own, else
   * that of the first segment with one, else 1 on the boundary.
   */
  private static Mesh marked(Mesh mesh) {
    int[] ofVertices = new int[mesh.vertices()];
    Arrays.setAll(ofVertices, mesh::vertexMarker);
    int[] ofSegments = new int[mesh.segments()];
    for (int s = 0; s < ofSegments.length; s++) {
      ofSegments[s] = mesh.segmentMarker(s);
      mark(ofVertices, mesh.segmentStart(s), ofSegments[s]);
      mark(ofVertices, mesh.segmentEnd(s), ofSegments[s]);
    }
    MeshEdges edges = mesh.edges();
    for (int e = 0; e < edges.count(); e++) {
      if (edges.right(e) < 0) {
        ofSegments[edges.segment(e)] = edges.marker(e);
        mark(ofVertices, edges.start(e), 1);
        mark(ofVertices, edges.end(e), 1);
      }
    }
    return with(mesh, ofVertices, ofSegments);
  }

  private static void mark(int[] markers, int vertex, int marker) {
    if (markers[vertex] == 0) {
      markers[vertex] = marker;
    }
  }

  /** A mesh without the vertices that are no corners; the others move up. */
  static Mesh withoutUnused(Mesh mesh) {
    PlanarGraph graph = mesh.planarGraph();
    int[] numbers = new int[mesh.vertices()];
    for (int v : mesh.corners()) {
      numbers[v] = 1;
    }
    int used = 0;
    for (int v = 0; v < numbers.length; v++) {
      numbers[v] = numbers[v] == 0 ? -1 : used++;
    }
    double[] coordinates = new double[2 * used];
    double[] attributes = new double[mesh.attributes() * used];
    int[] markers = new int[used];
    for (int v = 0; v < numbers.length; v++) {
      int to = numbers[v];
      if (to >= 0) {
        coordinates[2 * to] = mesh.x(v);
        coordinates[2 * to + 1] = mesh.y(v);
        markers[to] = mesh.vertexMarker(v);
        for (int a = 0; a < mesh.attributes(); a++) {
          attributes[mesh.attributes() * to + a] = mesh.attribute(v, a);
        }
      }
    }
    int[] segmentMarkers = new int[mesh.segments()];
    Arrays.setAll(segmentMarkers, mesh::segmentMarker);
    return Mesh.builder(
            PlanarGraph.builder(coordinates)
                .vertexAttributes(mesh.attributes(), attributes)
                .vertexMarkers(markers)
                .segments(
                    Arrays.stream(graph.segmentEnds()).map(v -> numbers[v]).toArray(),
                    segmentMarkers)
                .holes(holes(graph))
                .regions(graph.regions())
                .firstIndex(graph.firstIndex())
                .build(),
            Arrays.stream(mesh.corners()).map(v -> numbers[v]).toArray())
        .triangleAttributes(mesh.triangleAttributes(), mesh.triangleAttributeValues())
        .adjacency(mesh.neighbors(), mesh.segmentsOfEdges())
        .build();
  }

  private static double[] holes(PlanarGraph graph) {
    double[] holes = new double[2 * graph.holes()];
    for (int hole = 0; hole < graph.holes(); hole++) {
      holes[2 * hole] = graph.holeX(hole);
      holes[2 * hole + 1] = graph.holeY(hole);
    }
    return holes;
  }

  /** A mesh with other markers, or none. */
  static Mesh with(Mesh mesh, int[] ofVertices, int[] ofSegments) {
    PlanarGraph graph = mesh.planarGraph();
    double[] bounds = null;
    if (mesh.hasAreaBounds()) {
      bounds = new double[mesh.triangles()];
      Arrays.setAll(bounds, mesh::areaBound);
    }
    return Mesh.builder(
            graph.toBuilder()
                .vertexMarkers(ofVertices)
                .segments(graph.segmentEnds(), ofSegments)
                .build(),
            mesh.corners())
        .triangleAttributes(mesh.triangleAttributes(), mesh.triangleAttributeValues())
        .areaBounds(bounds)
        .adjacency(mesh.neighbors(), mesh.segmentsOfEdges())
        .build();
  }
}
