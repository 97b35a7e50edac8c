package io.magpie.algorithms.mesh.refine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.TestDevices;
import io.magpie.algorithms.mesh.DelaunayTriangulation;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.MeshGenerators;
import io.magpie.algorithms.mesh.PlanarGraph;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Synchronization;
import io.magpie.stm.Device;
import io.magpie.stm.KernelModule;
import io.magpie.stm.simulator.Schedule;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LargeCavitiesTest {
  /** More than the rooms hold in which the first try is made. */
  private static final int POINTS = 1500;

  private static final int SPOKES = 40;
  private static final int MARKER_OF_SPOKES = 2; // of the generator

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
                Stream.of(
                        Synchronization.TRANSACTIONS,
                        Synchronization.MARKS,
                        Synchronization.MAXIMAL_SETS)
                    .filter(
                        way ->
                            way != Synchronization.MAXIMAL_SETS
                                || TestDevices.FULL
                                || !device.startsWith("sim"))
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
      device.simulator().setSchedule(Schedule.roundRobin());
      device.simulator().setCounting(true);
      Refinements.run(device, mesh, RefinementOptions.defaults(), mostAlone);
      return device.simulator().accessCounts().work();
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

  /** The host knows the bounds of regions, on its own device, and gives the labels back. */
  @ParameterizedTest
  @ValueSource(strings = {"cpu:1", "sim:1:4"})
  void theHostKeepsTheBoundsOfRegions(String spec) {
    Mesh plain = mesh("inclusion:" + POINTS);
    PlanarGraph graph = plain.planarGraph();
    double x = (plain.minX() + plain.maxX()) / 2;
    double y = (plain.minY() + plain.maxY()) / 2;
    double area = Math.PI / POINTS / 2; // half of what the first vertex in the circle leaves
    Mesh mesh =
        DelaunayTriangulation.of(
            PlanarGraph.builder(graph.coordinates())
                .segments(graph.segmentEnds(), null)
                .regions(List.of(new PlanarGraph.Region(x, y, 7, area)))
                .build());
    try (Device device = Device.open(spec)) {
      RefinementOptions options = RefinementOptions.defaults().withMinimumAngle(0);
      Refinements.run(device, mesh, options, CavityRooms.CAPACITY);
      assertEquals(List.of(), device.leaks());
    }
  }

  static Stream<Arguments> disturbances() {
    return Stream.of("sim:1:4", "sim:8:1")
        .flatMap(
            device ->
                IntStream.range(0, 25)
                    .mapToObj(
                        seed -> Arguments.of(device, Schedule.randomWalk(seed).withWeakMemory())));
  }

  /**
   * Nothing stands in the way of any point around a fan, but for what searches see of triangles
   * that never were side by side. If a segment is split for that, all are, as near to where they
   * meet.
   */
  @ParameterizedTest
  @MethodSource("disturbances")
  void segmentsOfFansStayWhole(String simulator, Schedule schedule) {
    Mesh mesh = mesh("spokes:" + SPOKES);
    try (Device device = Device.open(simulator)) {
      device.simulator().setSchedule(schedule);
      Mesh refined =
          Refinements.run(device, mesh, RefinementOptions.defaults().withBatch(1)).mesh();
      assertEquals(SPOKES, Refinements.segmentsOfMarker(refined, MARKER_OF_SPOKES));
    }
  }
}
