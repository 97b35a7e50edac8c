package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Holder;
import io.magpie.algorithms.resident.ResidentGraph;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import io.magpie.stm.parallel.Primitives;
import io.magpie.stm.parallel.ScanOperator;

/** Makes graphs of a mesh on the device on which its arrays are; see mesh_graph.cu. */
final class MeshGraphs {
  private static final String MODULE = "mesh_graph";

  private MeshGraphs() {}

  /**
   * Triangles as vertices, with an edge where two have one in common.
   *
   * @param neighbors three for each triangle
   */
  static ResidentGraph dual(DeviceArray<int[]> neighbors) {
    int sides = (int) neighbors.length();
    Device device = neighbors.device();
    try (Holder held = new Holder(new DeviceMemory(device));
        KernelModule module = device.load(MODULE)) {
      DeviceArray<int[]> ranks = held.ints(sides + 1L);
      DeviceArray<int[]> offsets = held.ints(sides / 3 + 1L);
      DeviceArray<int[]> targets = held.ints(0);
      if (sides > 0) {
        DeviceArray<int[]> marks = ranks.slice(0, sides);
        module
            .kernel("mark_dual_arcs")
            .run(
                sides,
                new Fields()
                    .set("sides", sides)
                    .set("neighbors", neighbors.asConst().named("neighbors"))
                    .set("marks", marks));
        Primitives primitives = Primitives.of(device);
        targets = held.ints(primitives.sum(marks));
        primitives.pack(neighbors, marks, targets);
        primitives.exclusiveScan(marks, ranks, ScanOperator.ADD);
        int count = sides / 3 + 1;
        module
            .kernel("gather_dual_offsets")
            .run(
                count,
                new Fields()
                    .set("offset_count", count)
                    .set("ranks", ranks.asConst())
                    .set("offsets", offsets));
      }
      held.release(offsets, targets);
      return ResidentGraph.of(offsets, targets);
    }
  }

  /**
   * The vertices and edges of the mesh.
   *
   * @param corners three for each triangle
   * @param neighbors three for each triangle
   */
  static ResidentGraph ofVertices(
      int vertices, DeviceArray<int[]> corners, DeviceArray<int[]> neighbors) {
    int sides = (int) neighbors.length();
    Device device = neighbors.device();
    try (Holder held = new Holder(new DeviceMemory(device));
        KernelModule module = device.load(MODULE)) {
      DeviceArray<int[]> offsets = held.ints(vertices + 1L);
      DeviceArray<int[]> targets = held.ints(0);
      if (sides > 0) {
        Primitives primitives = Primitives.of(device);
        DeviceArray<int[]> degrees = offsets.slice(0, vertices);
        Fields mesh =
            new Fields()
                .set("corners", corners.asConst().named("corners"))
                .set("neighbors", neighbors.asConst().named("neighbors"));
        Fields fields = new Fields().set("sides", sides).set("of", mesh);
        module.kernel("count_vertex_arcs").run(sides, fields.set("degrees", degrees));
        primitives.exclusiveScan(degrees, offsets, ScanOperator.ADD);
        DeviceArray<int[]> cursors = held.ints(vertices).named("cursors");
        cursors.copyFrom(degrees); // offsets by now
        targets = held.ints(offsets.getInt(vertices));
        module
            .kernel("list_vertex_arcs")
            .run(
                sides,
                new Fields()
                    .set("sides", sides)
                    .set("of", mesh)
                    .set("cursors", cursors)
                    .set("targets", targets));
        primitives.sortSegments(targets, null, offsets, vertices);
      }
      held.release(offsets, targets);
      return ResidentGraph.of(offsets, targets);
    }
  }
}
