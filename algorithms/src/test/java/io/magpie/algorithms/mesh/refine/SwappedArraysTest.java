package io.magpie.algorithms.mesh.refine;

import io.magpie.algorithms.SwappedInputs;
import io.magpie.algorithms.mesh.DelaunayTriangulation;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.MeshGenerators;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import org.junit.jupiter.api.Test;

/** Bounds on areas are an input: where they are given for a result, nothing is launched. */
class SwappedInputsTest {
  @Test
  void boundsOnAreasAreNotWritten() {
    Device device = Refinements.device("cpu:1");
    Mesh given = DelaunayTriangulation.of(MeshGenerators.generate("uniform:9"));
    try (KernelModule module = device.load(MeshKernels.MODULE);
        DeviceMesh mesh = new DeviceMesh(module, given, 1, SegmentAngles.SHARP);
        DeviceArray<int[]> ints = device.ints(1);
        DeviceArray<double[]> positions = device.doubles(1)) {
      SwappedInputs.assertRefused(
          module,
          "export_vertices",
          fields(mesh, positions, ints),
          fields(mesh, mesh.areas(), ints),
          "positions");
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
