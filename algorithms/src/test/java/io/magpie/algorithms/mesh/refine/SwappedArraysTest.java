package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.SwappedArrays;
import io.magpie.algorithms.mesh.DelaunayTriangulation;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.MeshGenerators;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import org.junit.jupiter.api.Test;

/** Arrays of a mesh: where one is given for another one, nothing is launched. */
class SwappedArraysTest {
  @Test
  void boundsOnAreasAreNotWritten() {
    Device device = Refinements.device("cpu:1");
    Mesh given = DelaunayTriangulation.of(MeshGenerators.generate("uniform:9"));
    try (KernelModule module = device.load(MeshKernels.MODULE);
        DeviceMesh mesh = new DeviceMesh(module, given, 1, SegmentAngles.SHARP);
        DeviceArray<int[]> ints = device.ints(1);
        DeviceArray<double[]> positions = device.doubles(1)) {
      SwappedArrays.assertInputRefused(
          module,
          "export_vertices",
          fields(mesh, positions, ints),
          fields(mesh, mesh.areas(), ints),
          "positions");
    }
  }

  @Test
  void trianglesAndGapsAreNotSwapped() {
    Device device = Refinements.device("cpu:1");
    Mesh given = DelaunayTriangulation.of(MeshGenerators.generate("uniform:9"));
    try (KernelModule module = device.load(MeshKernels.MODULE);
        DeviceMesh mesh = new DeviceMesh(module, given, 1, SegmentAngles.SHARP);
        DeviceArray<int[]> ints = device.ints(1)) {
      Fields right = new Fields().set("count", 0).set("tallies", ints);
      Fields swapped = new Fields().set("count", 0).set("tallies", ints);
      SwappedArrays.assertOtherRefused(
          module,
          "list_triangle_gaps",
          right.set("triangles", mesh.triangles()).set("gaps", ints),
          swapped.set("triangles", ints).set("gaps", mesh.triangles()),
          "gaps",
          "triangles");
    }
  }

  private static Fields fields(
      DeviceMesh mesh, DeviceArray<double[]> positions, DeviceArray<int[]> ints) {
    return new Fields()
        .set("count", 0)
        .set("gap_count", 0)
        .set("gaps", ints)
        .set("points", mesh.points())
        .set("vertex_segment", mesh.vertexSegment())
        .set("positions", positions)
        .set("segments", ints)
        .set("tallies", ints);
  }
}
