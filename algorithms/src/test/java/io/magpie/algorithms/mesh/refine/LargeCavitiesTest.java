package io.magpie.algorithms.mesh.refine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.mesh.DelaunayTriangulation;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.MeshGenerators;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Synchronization;
import io.magpie.stm.Device;
import io.magpie.stm.KernelModule;
import io.magpie.stm.trace.Schedule;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LargeCavitiesTest {
  /** More than the rooms hold in which the first try is made. */
  private static final int POINTS = 1500;

  /** For any number of triangles, so that the driver has formulas in place of constants. */
  @Test
  void sizesAreThoseOfTheKernels() {
    try (KernelModule module = Refinements.device("cpu:1").load(MeshKernels.MODULE)) {
      assertEquals(module.constant("lent_words(1000)"), CavityRooms.words(1000));
      assertEquals(module.constant("most_pushes<1000>"), CavityRooms.mostPushes(1000));
    }
  }

  static Stream<Arguments> handedOver() {
    return Refinements.devices().stream()
        .flatMap(
            device ->
                Stream.of(Synchronization.TRANSACTIONS, Synchronization.MARKS)
                    .flatMap(
                        way ->
                            Stream.of("circle:", "inclusion:", "spokes:")
                                .map(input -> Arguments.of(device, way, input + POINTS))));
  }

  /** As a GPU does, but from a size on that is none for the other devices. */
  @ParameterizedTest
  @MethodSource("handedOver")
  void theHostFillsThem(String device, Synchronization way, String input) {
    Mesh mesh = mesh(input);
    Refinements.run(
        Refinements.device(device),
        mesh,
        RefinementOptions.defaults().withSynchronization(way),
        CavityRooms.CAPACITY);
  }

  /** In the same schedule the device has less to do. */
  @Test
  void theDeviceIsSparedThem() {
    Mesh mesh = mesh("circle:1100");
    long with = accesses(mesh, CavityRooms.CAPACITY);
    long without = accesses(mesh, Long.MAX_VALUE);
    assertTrue(with < without, () -> with + " accesses, and without the host " + without);
  }

  private static long accesses(Mesh mesh, long mostAlone) {
    try (Device device = Device.open("sim:1:1")) {
      device.setSchedule(Schedule.roundRobin());
      device.setCounting(true);
      Refinements.run(device, mesh, RefinementOptions.defaults(), mostAlone);
      return device.accessCounts().work();
    }
  }

  private static Mesh mesh(String spec) {
    return DelaunayTriangulation.of(MeshGenerators.generate(spec));
  }

  @Test
  void devicesAreLeftAsTheyWere() {
    for (String spec : List.of("cpu:1", "sim:1:4")) {
      try (Device device = Device.open(spec)) {
        Refinements.run(
            device, mesh("spokes:" + POINTS), RefinementOptions.defaults(), CavityRooms.CAPACITY);
        assertEquals(List.of(), device.leaks());
      }
    }
  }
}
