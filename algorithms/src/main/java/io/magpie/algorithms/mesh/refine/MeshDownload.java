package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.ResultArrays;
import io.magpie.algorithms.internal.Futures;
import io.magpie.algorithms.internal.UpcomingArray;
import io.magpie.algorithms.internal.driver.ResultArray;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

/**
 * A refined mesh on its way from a device to Java's memory. Its sizes are known, and its arrays are
 * made or chosen, before the rest.
 */
final class MeshDownload {
  static final String COORDINATES = "coordinates";
  static final String CORNERS = "corners";
  static final String NEIGHBORS = "neighbors";

  /** Room of a list at first. */
  private static final int LISTED = 1 << 16;

  private final DeviceMesh mesh;
  private final Device device;
  private final KernelModule module;
  private final MeshKernels kernels;
  private final int triangleSlots;
  private final int vertexSlots;
  private final ResultArrays arrays;
  private final int[] triangleGaps;
  private final int[] vertexGaps;
  private final int triangles;
  private final int vertices;
  private final boolean withLies;
  private final boolean withRegions;
  private final ResultArray<double[]> coordinates;
  private final UpcomingArray<int[]> lies;
  private final ResultArray<int[]> corners;
  private final ResultArray<int[]> neighbors;
  private final UpcomingArray<int[]> regions;

  /**
   * Begins.
   *
   * @param mesh stays as it is until the end
   * @param triangleSlots slots below which all triangles lie
   * @param vertexSlots slots below which all vertices lie
   * @param arrays where the result goes; null for new arrays
   * @throws IllegalArgumentException if an array was given that is too short or of another type
   * @throws io.magpie.stm.DeviceOutOfMemoryException if it is to stay there and there is no room
   */
  MeshDownload(DeviceMesh mesh, int triangleSlots, int vertexSlots, ResultArrays arrays) {
    this.mesh = mesh;
    this.module = mesh.module();
    this.device = module.device();
    this.kernels = new MeshKernels(module);
    this.triangleSlots = triangleSlots;
    this.vertexSlots = vertexSlots;
    this.arrays = arrays;
    triangleGaps =
        listed(
            "list_triangle_gaps",
            triangleSlots,
            "gaps",
            new Fields().set("count", triangleSlots).set("triangles", mesh.triangles()));
    vertexGaps =
        listed(
            "list_vertex_gaps",
            vertexSlots,
            "gaps",
            new Fields().set("count", vertexSlots).set("vertex_segment", mesh.vertexSegment()));
    triangles = triangleSlots - triangleGaps.length;
    vertices = vertexSlots - vertexGaps.length;
    withLies = RefinedParts.needPlaces(mesh.input());
    withRegions = mesh.regions().any();
    coordinates = ResultArray.doublesFrom(arrays, COORDINATES, device, 2 * vertices);
    corners = ResultArray.intsFrom(arrays, CORNERS, device, 3 * triangles);
    neighbors = ResultArray.intsFrom(arrays, NEIGHBORS, device, 3 * triangles);
    lies = UpcomingArray.ints(withLies ? vertices : 0);
    regions = UpcomingArray.ints(withRegions ? triangles : 0);
  }

  /** Copies what there is on the device. */
  DownloadedMesh finish() {
    try (DeviceArray<int[]> gapsOfTriangles = device.copyOf(triangleGaps).named("triangle_gaps");
        DeviceArray<int[]> gapsOfVertices = device.copyOf(vertexGaps)) {
      long onSegments = exportVertices(gapsOfVertices);
      Triangles exported = exportTriangles(gapsOfTriangles, gapsOfVertices);
      return new DownloadedMesh(
          mesh,
          new DownloadedMesh.Counts(vertices, triangles, onSegments, triangleGaps.length),
          coordinates,
          lies.get(),
          corners,
          neighbors,
          regions.get(),
          exported.parts,
          Futures.join(exported.begun));
    }
  }

  /**
   * What {@link #exportTriangles} makes.
   *
   * @param begun a mesh that is made of the arrays meanwhile; of nothing if that has to wait
   */
  private record Triangles(RefinedParts parts, CompletableFuture<Mesh.Builder> begun) {}

  private Triangles exportTriangles(
      DeviceArray<int[]> gapsOfTriangles, DeviceArray<int[]> gapsOfVertices) {
    try (DeviceArray<int[]> corners =
            this.corners.target(() -> device.ints(3L * triangles)).named("corners");
        DeviceArray<int[]> neighbors =
            this.neighbors.target(() -> device.ints(3L * triangles)).named("neighbors");
        DeviceArray<int[]> segments = device.ints(3L * triangles).named("segments");
        DeviceArray<int[]> regions = device.ints(triangles).named("regions")) {
      module
          .kernel("export_triangles")
          .run(
              triangleSlots,
              new Fields()
                  .set("count", triangleSlots)
                  .set("triangle_gap_count", triangleGaps.length)
                  .set("vertex_gap_count", vertexGaps.length)
                  .set("triangle_gaps", gapsOfTriangles)
                  .set("vertex_gaps", gapsOfVertices)
                  .set("triangles", mesh.triangles())
                  .set("edge_segment", mesh.edgeSegment())
                  .set("corners", corners)
                  .set("neighbors", neighbors)
                  .set("segments", segments)
                  .set("regions", regions));
      RefinedParts parts = numberParts(triangles, corners, neighbors, segments);
      // Interpolation of attributes needs all arrays.
      boolean begins = arrays == null && mesh.input().attributes() == 0;
      CompletableFuture<PlanarGraph> graph =
          CompletableFuture.supplyAsync(() -> begins ? graph(parts) : null);
      this.neighbors.take(neighbors);
      CompletableFuture<Mesh.Builder> begun =
          graph.thenApplyAsync(
              of -> begins ? parts.mesh(of, this.corners.get(), this.neighbors.get()) : null);
      this.corners.take(corners);
      if (withRegions) {
        regions.copyTo(this.regions.get());
      }
      return new Triangles(parts, begun);
    }
  }

  private PlanarGraph graph(RefinedParts parts) {
    return parts.graph(mesh.input(), coordinates.get(), lies.get(), new double[0]);
  }

  /**
   * Numbers the parts of segments, in the order of the triangles that have them first.
   *
   * @param count triangles
   * @param segments of each edge its segment
   */
  private RefinedParts numberParts(
      int count,
      DeviceArray<int[]> corners,
      DeviceArray<int[]> neighbors,
      DeviceArray<int[]> segments) {
    int[] edges =
        listed(
            "list_parts",
            count,
            "parts",
            new Fields().set("count", count).set("neighbors", neighbors).set("segments", segments));
    try (DeviceArray<int[]> parts = device.copyOf(edges).named("parts");
        DeviceArray<int[]> ends = device.ints(2L * edges.length).named("ends");
        DeviceArray<int[]> origins = device.ints(edges.length).named("origins")) {
      module
          .kernel("describe_parts")
          .run(
              edges.length,
              new Fields()
                  .set("count", edges.length)
                  .set("parts", parts)
                  .set("corners", corners)
                  .set("segments", segments)
                  .set("ends", ends)
                  .set("origins", origins));
      return new RefinedParts(edges, ends.toArray(), origins.toArray());
    }
  }

  /** Gives how many vertices were put on segments. */
  private long exportVertices(DeviceArray<int[]> gaps) {
    try (DeviceArray<double[]> positions =
            coordinates.target(() -> device.doubles(2L * vertices)).named("positions");
        DeviceArray<int[]> segments = device.ints(vertices).named("segments");
        DeviceArray<int[]> tallies = device.ints(kernels.tallies).named("tallies")) {
      module
          .kernel("export_vertices")
          .run(
              vertexSlots,
              new Fields()
                  .set("count", vertexSlots)
                  .set("gap_count", vertexGaps.length)
                  .set("gaps", gaps)
                  .set("points", mesh.points())
                  .set("vertex_segment", mesh.vertexSegment())
                  .set("positions", positions)
                  .set("segments", segments)
                  .set("tallies", tallies));
      coordinates.take(positions);
      if (withLies) {
        segments.copyTo(lies.get());
      }
      return Integer.toUnsignedLong(tallies.getInt(kernels.listed));
    }
  }

  /**
   * What a kernel lists, ascending.
   *
   * @param items of the kernel
   * @param list its field for the list
   * @param fields its other ones, but for the counter
   */
  private int[] listed(String kernel, int items, String list, Fields fields) {
    try (DeviceArray<int[]> tallies = device.ints(kernels.tallies).named("tallies")) {
      for (int room = LISTED; ; ) {
        tallies.fill(0);
        try (DeviceArray<int[]> entries = device.ints(room).named(list)) {
          module.kernel(kernel).run(items, fields.set(list, entries).set("tallies", tallies));
          int found = tallies.getInt(kernels.listed);
          if (found <= room) {
            int[] all = new int[found];
            entries.copyTo(all, 0, 0, found);
            Arrays.parallelSort(all);
            return all;
          }
          room = found;
        }
      }
    }
  }
}
