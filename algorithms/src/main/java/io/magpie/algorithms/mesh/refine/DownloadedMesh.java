package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.ResultArrays;
import io.magpie.algorithms.internal.Futures;
import io.magpie.algorithms.internal.driver.ResultArray;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.resident.ResidentGraph;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

/** A refined mesh in Java's memory, in arrays that may be longer than it needs. */
final class DownloadedMesh {
  private static final int NONE = -1;

  private final DeviceMesh from;
  private final Counts counts;
  private final ResultArray<double[]> coordinates;
  private final int[] lies;
  private final ResultArray<int[]> corners;
  private final ResultArray<int[]> neighbors;
  private final int[] regionsOfTriangles;
  private final RefinedParts parts;
  private final Mesh.Builder begun;
  private Mesh mesh;

  /**
   * How much of everything there is.
   *
   * @param onSegments vertices that were put on segments
   * @param freeTriangleSlots slots without triangles between those that have some
   */
  record Counts(int vertices, int triangles, long onSegments, long freeTriangleSlots) {}

  /**
   * Keeps arrays.
   *
   * @param from which need not be open; null if the mesh is known
   * @param lies of each vertex the input's segment it was put on, or negative; empty if not needed
   * @param regionsOfTriangles empty if there are no regions
   * @param begun a mesh of these arrays, but for what triangles have; null to begin it when it is
   *     asked for
   */
  DownloadedMesh(
      DeviceMesh from,
      Counts counts,
      ResultArray<double[]> coordinates,
      int[] lies,
      ResultArray<int[]> corners,
      ResultArray<int[]> neighbors,
      int[] regionsOfTriangles,
      RefinedParts parts,
      Mesh.Builder begun) {
    this.from = from;
    this.counts = counts;
    this.coordinates = coordinates;
    this.lies = lies;
    this.corners = corners;
    this.neighbors = neighbors;
    this.regionsOfTriangles = regionsOfTriangles;
    this.parts = parts;
    this.begun = begun;
  }

  /** An input that has no triangles and stays as it is. */
  static DownloadedMesh withoutTriangles(Device device, Mesh input, ResultArrays arrays) {
    int vertices = input.vertices();
    ResultArray<double[]> coordinates =
        ResultArray.doublesFrom(arrays, MeshDownload.COORDINATES, device, 2 * vertices);
    coordinates.copyFrom(input.coordinates());
    DownloadedMesh made =
        new DownloadedMesh(
            null,
            new Counts(vertices, 0, 0, 0),
            coordinates,
            new int[0],
            ResultArray.intsFrom(arrays, MeshDownload.CORNERS, device, 0),
            ResultArray.intsFrom(arrays, MeshDownload.NEIGHBORS, device, 0),
            new int[0],
            partsOnNoEdge(input),
            null);
    made.mesh = input;
    return made;
  }

  /** The segments of an input without triangles, as they are. */
  private static RefinedParts partsOnNoEdge(Mesh input) {
    int[] edges = new int[input.segments()];
    Arrays.fill(edges, NONE);
    int[] origins = new int[edges.length];
    Arrays.setAll(origins, s -> s);
    return new RefinedParts(edges, input.planarGraph().segmentEnds().clone(), origins);
  }

  Counts counts() {
    return counts;
  }

  double[] coordinates() {
    return coordinates.get();
  }

  int[] corners() {
    return corners.get();
  }

  int[] neighbors() {
    return neighbors.get();
  }

  /** Of triangles, on the device. */
  ResidentGraph dualGraph() {
    try (DeviceArray<int[]> beside = neighbors.there()) {
      return MeshGraphs.dual(beside);
    }
  }

  /** Of vertices, on the device. */
  ResidentGraph vertexGraph() {
    try (DeviceArray<int[]> of = corners.there();
        DeviceArray<int[]> beside = neighbors.there()) {
      return MeshGraphs.ofVertices(counts.vertices, of, beside);
    }
  }

  RefinedParts parts() {
    return parts;
  }

  /**
   * The mesh, always the same one. Where only attributes differ without a segment between,
   * triangles get those of where they lie: an insertion across several regions has left one of
   * these.
   *
   * @throws IllegalStateException if a later call has written to the arrays
   */
  synchronized Mesh mesh() {
    if (mesh == null) {
      mesh =
          corners.isShared()
              ? madeOfCopies()
              : made(coordinates.get(), corners.get(), neighbors.get());
    }
    return mesh;
  }

  private Mesh madeOfCopies() {
    if (!coordinates.isCurrent() || !corners.isCurrent() || !neighbors.isCurrent()) {
      throw new IllegalStateException(
          "a later call has written to the arrays of this mesh: take its mesh before, or give that"
              + " call other arrays");
    }
    int edges = 3 * counts.triangles;
    CompletableFuture<int[]> c =
        CompletableFuture.supplyAsync(() -> Arrays.copyOf(corners.get(), edges));
    CompletableFuture<int[]> n =
        CompletableFuture.supplyAsync(() -> Arrays.copyOf(neighbors.get(), edges));
    double[] positions = Arrays.copyOf(coordinates.get(), 2 * counts.vertices);
    return made(positions, Futures.join(c), Futures.join(n));
  }

  private Mesh made(double[] positions, int[] corners, int[] neighbors) {
    Mesh input = from.input();
    Mesh.Builder builder = begun;
    if (builder == null) {
      double[] attributes = VertexAttributes.of(input, positions, lies, corners, neighbors);
      builder = parts.mesh(parts.graph(input, positions, lies, attributes), corners, neighbors);
    }
    Mesh made =
        builder
            .triangleAttributes(
                input.triangleAttributes(), from.regions().attributesIn(regionsOfTriangles))
            .areaBounds(from.regions().boundsIn(regionsOfTriangles))
            .build();
    if (from.hasSingleAttributes()) {
      double[] attributes = from.regions().attributesIn(regionsByPlace(made));
      made = made.toBuilder().triangleAttributes(input.triangleAttributes(), attributes).build();
    }
    return made;
  }

  /**
   * The regions of the input's triangles that hold the centroids of a refined mesh's.
   *
   * @return of the same area bounds as those that the triangles have so far
   */
  private int[] regionsByPlace(Mesh refined) {
    int[] known = regionsOfTriangles;
    int[] homes = new int[known.length];
    Arrays.fill(homes, NONE);
    new InputPlaces(from.input()).locate(refined, homes);
    int[] places = new int[known.length];
    for (int t = 0; t < places.length; t++) {
      int place = from.regions().ofTriangles()[homes[t]];
      // By rounding, the centroid of a very thin triangle can lie beyond a segment.
      places[t] = from.regions().sameBound(place, known[t]) ? place : known[t];
    }
    return places;
  }
}
