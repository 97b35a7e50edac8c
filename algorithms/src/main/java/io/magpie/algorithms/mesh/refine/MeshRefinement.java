package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.ResultArrays;
import io.magpie.algorithms.SettingException;
import io.magpie.algorithms.internal.Elapsed;
import io.magpie.algorithms.mesh.DelaunayTriangulation;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import io.magpie.algorithms.mesh.TriangleAreaBound;
import io.magpie.algorithms.mesh.internal.HilbertOrder;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Layout;
import io.magpie.algorithms.mesh.refine.RefinementReport.Round;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceOutOfMemoryException;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Delaunay refinement on a device: inserts vertices into a constrained Delaunay triangulation until
 * no angle is below a bound and no triangle above a size, and keeps it one. The size may differ
 * from region to region.
 *
 * <pre>{@code
 * try (Device device = Device.open("auto")) {
 *   Mesh mesh = DelaunayTriangulation.of(TriangleFormat.readGraph(Path.of("lake")));
 *   RefinementResult refined = MeshRefinement.run(device, mesh, RefinementOptions.defaults());
 * }
 * }</pre>
 *
 * <p>Rules: segments that a vertex encroaches on, inside their diametral circle, are split; a bad
 * triangle gets its off-center or circumcenter, or if that encroaches on a segment or lies beyond
 * one, the segment is split (Ruppert 1995, Üngör 2009). Segments that meet at less than 60 degrees,
 * or at less than 120 where more than 30 are asked, are split at powers of two from there, so that
 * their parts end at equal distances: without that refinement would not end at small angles, nor at
 * others when 32 degrees or more are asked. An angle that is the bound but for the rounding of
 * coordinates, a part in 10^10 of its squared sine, is not below it. Work is done in order of the
 * triangles' shortest edges, the most urgent {@linkplain RefinementOptions#batch() share} at a
 * time, in rounds; where segments meet at less than 60 degrees, no triangle is mended before all
 * segments are split that are to be, except by {@link PhasedMarkingOptions.Work#SLOTS}.
 *
 * <p>Excused from the bound on angles, never from that on areas, are triangles at an angle below 60
 * degrees between two segments of the input: those whose smallest angle is that angle, and those
 * whose shortest edge joins two vertices that were inserted on the two segments, equally far from
 * where these meet (Miller, Pav and Walkington, "When and why Delaunay refinement algorithms work",
 * 2005).
 *
 * <p>The input's vertices, segments, holes and attributes of triangles are kept. A triangle has the
 * attributes and the {@linkplain Mesh#areaBound area bound} of those of the input whose place it
 * takes: of its part of the domain, as segments divide that. Where attributes or area bounds differ
 * within such a part, a triangle has those of the input's triangle that its centroid lies in, so
 * triangles may reach across the line where they differ. For bounds the work is then done in
 * several passes, between which the mesh is copied to the host; for attributes, the host looks once
 * at the end where triangles lie, about 1 us for each. Attributes of vertices are interpolated
 * linearly: of a vertex on a segment between the segment's ends, of another one over the triangle
 * of the input in which it lies. The result depends on how the threads ran: its size varies by
 * parts in a thousand, its bounds do not.
 *
 * <p>A {@linkplain RefinementOptions#areaBound() function} may bound the area of each triangle. It
 * is asked on the host, between passes as well.
 *
 * <p>An insertion that replaces very many triangles, as among points on a circle, is one thread's
 * work. Where that would take a GPU too long, from 4,096 triangles and a 64th of the mesh on, the
 * host does it: the mesh is copied there and back, and the device's recorder, definitions and
 * cancellation do not reach it. That takes the module for processors, which is compiled if it is
 * not there, and as much memory; without them the GPU does it after all.
 *
 * <p>Device memory: 56 bytes for each triangle and 32 for each vertex of the result, a quarter more
 * for growth, twice that while arrays grow, and lists of work of at most 1 GB. When no more is to
 * be had, refinement stops with a valid mesh and says so.
 */
public final class MeshRefinement {
  private MeshRefinement() {}

  /**
   * Refines a mesh; from the mesh in Java's memory to the result there.
   *
   * @param device where
   * @param input a constrained Delaunay triangulation, as {@link DelaunayTriangulation} makes it
   * @param options how
   * @return the refined mesh, valid also where the report says that bad triangles are left
   * @throws IllegalArgumentException if the input is no constrained Delaunay triangulation, or its
   *     coordinates are neither 0 nor of magnitude 2^-204 to 2^249, or it has {@linkplain
   *     PlanarGraph.Region regions} with areas but was built without {@linkplain Mesh#areaBound
   *     bounds}, or if triangles within the bounds on areas are more than the device has room for,
   *     or {@link RefinementOptions#areaBound()} gives one that is not above 0
   * @throws DeviceOutOfMemoryException if the device has too little free memory for the input
   * @throws io.magpie.stm.UnfinishedItemsException if transactions did not finish, because of the
   *     options' timeout or bound of attempts
   */
  public static RefinementResult run(Device device, Mesh input, RefinementOptions options) {
    return run(device, input, options, round -> {});
  }

  /**
   * Refines a mesh as {@link #run(Device, Mesh, RefinementOptions)} does.
   *
   * @param progress told of each round when it has ended
   */
  public static RefinementResult run(
      Device device, Mesh input, RefinementOptions options, Consumer<Round> progress) {
    return run(device, input, options, Map.of(), progress);
  }

  /**
   * Refines a mesh as {@link #run(Device, Mesh, RefinementOptions)} does, into arrays that are
   * there already or stay on the device: {@code coordinates}, two for each vertex, and {@code
   * corners} and {@code neighbors}, three for each triangle. How many that is shows only at the
   * end.
   *
   * @param device where
   * @param input as for the other call
   * @param options how; the layout must be {@link Layout#AS_GIVEN}
   * @param arrays where the refined mesh goes
   * @return the refined mesh, which holds until the next call with these arrays
   * @throws IllegalArgumentException as for the other call, or if an array was given of another
   *     name or type or of the input's, or in the end if one that was given is too short
   * @throws DeviceOutOfMemoryException if the device has too little free memory for the input
   * @throws io.magpie.stm.UnfinishedItemsException if transactions did not finish, because of the
   *     options' timeout or bound of attempts
   */
  public static RefinedArrays run(
      Device device, Mesh input, RefinementOptions options, ResultArrays arrays) {
    Objects.requireNonNull(device, "device");
    Objects.requireNonNull(input, "input");
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(arrays, "arrays");
    if (options.layout() != Layout.AS_GIVEN) {
      throw new SettingException(
          RefinementOptions.LAYOUT,
          RefinementOptions.LAYOUT.write(options.layout())
              + ": arrays are filled in the order of the input; use as-given, or no arrays");
    }
    arrays.stayOn(device);
    long begin = System.nanoTime();
    requireBounds(input, options);
    RefinementRun.requireRoom(device, input, options);
    arrays.requireNames(MeshDownload.COORDINATES, MeshDownload.CORNERS, MeshDownload.NEIGHBORS);
    arrays.requireNoneOf(
        input.coordinates(),
        input.corners(),
        input.neighbors(),
        input.segmentsOfEdges(),
        input.planarGraph().segmentEnds(),
        input.triangleAttributeValues());
    if (input.triangles() == 0) {
      return new RefinedArrays(
          DownloadedMesh.withoutTriangles(device, input, arrays),
          RefinementReport.ofNothing(device, options));
    }
    try (RefinementRun run = new RefinementRun(device, input, options, Map.of(), round -> {})) {
      return run.run(begin, arrays);
    }
  }

  /** The same with the module's variant that these macros choose, such as a mutant. */
  static RefinementResult run(
      Device device,
      Mesh input,
      RefinementOptions options,
      Map<String, String> defines,
      Consumer<Round> progress) {
    Objects.requireNonNull(device, "device");
    Objects.requireNonNull(input, "input");
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(progress, "progress");
    long begin = System.nanoTime();
    requireBounds(input, options);
    RefinementRun.requireRoom(device, input, options);
    if (input.triangles() == 0) {
      return new RefinementResult(input, RefinementReport.ofNothing(device, options));
    }
    if (options.layout() == Layout.AS_GIVEN) {
      return refine(device, input, options, defines, progress, begin);
    }
    int[] order =
        options.layout() == Layout.HILBERT
            ? HilbertOrder.of(input.coordinates())
            : shuffled(input.vertices());
    Mesh renumbered = input.renumbered(order);
    RefinementResult result = refine(device, renumbered, options, defines, progress, begin);
    int[] back = new int[result.mesh().vertices()];
    for (int i = 0; i < back.length; i++) {
      back[i < order.length ? order[i] : i] = i;
    }
    return new RefinementResult(
        result.mesh().renumbered(back),
        result.report().withTotalMillis(Elapsed.millisSince(begin)));
  }

  /** Checks that the areas of regions are bounds of triangles, and what goes with a function. */
  private static void requireBounds(Mesh input, RefinementOptions options) {
    if (options.areaBound() != TriangleAreaBound.NONE && input.hasSingleAreaBounds()) {
      throw new SettingException(
          RefinementOptions.AREA_BOUND,
          "the mesh has area bounds that differ where no segment is between: let the function give"
              + " the smaller one of both, and build the mesh without");
    }
    if (input.hasAreaBounds()) {
      return;
    }
    for (PlanarGraph.Region region : input.regions()) {
      if (region.maxArea() > 0) {
        throw new IllegalArgumentException(
            "the region at "
                + region.x()
                + " "
                + region.y()
                + " bounds areas, but the mesh was built without: refine its boundedByRegions()");
      }
    }
  }

  private static RefinementResult refine(
      Device device,
      Mesh input,
      RefinementOptions options,
      Map<String, String> defines,
      Consumer<Round> progress,
      long begin) {
    try (RefinementRun run = new RefinementRun(device, input, options, defines, progress)) {
      RefinedArrays refined = run.run(begin, null);
      return new RefinementResult(refined.mesh(), refined.report());
    }
  }

  /** The numbers below {@code n} in an order that is always the same. */
  private static int[] shuffled(int n) {
    int[] order = new int[n];
    Random random = new Random(1);
    for (int i = 0; i < n; i++) {
      int j = random.nextInt(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    return order;
  }
}
