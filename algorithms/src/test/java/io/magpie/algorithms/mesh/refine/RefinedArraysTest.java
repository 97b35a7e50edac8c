package io.magpie.algorithms.mesh.refine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.ResultArrays;
import io.magpie.algorithms.SettingException;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Layout;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Synchronization;
import io.magpie.algorithms.mesh.verify.MeshVerification;
import io.magpie.algorithms.mesh.verify.MeshVerifier;
import io.magpie.stm.Device;
import io.magpie.stm.KernelFaultException;
import io.magpie.stm.simulator.Schedule;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Refined meshes in arrays of one's own; one thread makes the same mesh again and again. */
class RefinedArraysTest {
  private static final RefinementOptions OPTIONS =
      RefinementOptions.defaults().withMinimumAngle(25).withMaximumVertices(3_000);

  private static Device device() {
    return Refinements.device("cpu:1");
  }

  /** The arrays shrink and grow from input to input, and are full of what was there before. */
  @ParameterizedTest
  @EnumSource(
      value = Synchronization.class,
      names = {"TRANSACTIONS", "MARKS"})
  void keptArraysHoldWhatANewMeshHas(Synchronization synchronization) {
    RefinementOptions options = OPTIONS.withSynchronization(synchronization);
    ResultArrays arrays = new ResultArrays();
    for (Map.Entry<String, Mesh> each : RefinementInputs.all().entrySet()) {
      Mesh input = each.getValue();
      String name = each.getKey();
      RefinementResult expected = MeshRefinement.run(device(), input, options);
      RefinedArrays refined = MeshRefinement.run(device(), input, options, arrays);
      assertSameMesh(expected.mesh(), refined, name);
      Mesh mesh = refined.mesh();
      assertSame(mesh, refined.mesh());
      Arrays.fill(refined.corners(), -7); // as a later call may
      Arrays.fill(refined.neighbors(), -7);
      Arrays.fill(refined.coordinates(), Double.NaN);
      MeshVerification found = MeshVerifier.verify(input, mesh, refined.report().claim());
      assertEquals(
          MeshVerifier.verify(input, expected.mesh(), expected.report().claim()).toString(),
          found.toString(),
          name);
      assertArrayEquals(expected.mesh().corners(), mesh.corners(), name);
      assertEquals(expected.mesh().planarGraph().firstIndex(), mesh.planarGraph().firstIndex());
    }
  }

  private static void assertSameMesh(Mesh expected, RefinedArrays found, String name) {
    assertEquals(expected.vertices(), found.vertices(), name);
    assertEquals(expected.triangles(), found.triangles(), name);
    assertEquals(expected.segments(), found.segments(), name);
    int edges = 3 * found.triangles();
    assertArrayEquals(
        expected.coordinates(), Arrays.copyOf(found.coordinates(), 2 * found.vertices()), name);
    assertArrayEquals(expected.corners(), Arrays.copyOf(found.corners(), edges), name);
    assertArrayEquals(expected.neighbors(), Arrays.copyOf(found.neighbors(), edges), name);
    int[] edgesOfSegments = new int[found.segments()];
    Arrays.fill(edgesOfSegments, -1);
    for (int edge = edges - 1; edge >= 0; edge--) {
      if (expected.segmentsOfEdges()[edge] >= 0) {
        edgesOfSegments[expected.segmentsOfEdges()[edge]] = edge;
      }
    }
    assertArrayEquals(edgesOfSegments, found.edgesOfSegments(), name);
    assertArrayEquals(expected.planarGraph().segmentEnds(), found.segmentEnds(), name);
    for (int s = 0; s < found.segments(); s++) {
      assertEquals(expected.segmentOrigin(s), found.segmentOrigins()[s], name);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu:1", "sim"})
  void refinedMeshesStayOnTheDevice(String spec) {
    try (Device device = Device.open(spec);
        ResultArrays arrays = ResultArrays.onDevice(device)) {
      for (String name : List.of("uniform:200", "one triangle", "bounded regions")) {
        Mesh input = RefinementInputs.all().get(name);
        RefinedArrays refined = MeshRefinement.run(device, input, OPTIONS, arrays);
        int edges = 3 * refined.triangles();
        int[] corners = new int[edges];
        arrays.deviceInts("corners").copyTo(corners, 0, 0, edges);
        double[] coordinates = new double[2 * refined.vertices()];
        arrays.deviceDoubles("coordinates").copyTo(coordinates, 0, 0, coordinates.length);
        assertArrayEquals(corners, refined.corners(), name);
        assertSame(refined.corners(), refined.mesh().corners());
        assertArrayEquals(coordinates, refined.mesh().coordinates(), name);
        MeshVerification found =
            MeshVerifier.verify(input, refined.mesh(), refined.report().claim());
        assertTrue(found.passed(), name + "\n" + found);
      }
      Mesh points = Mesh.builder(PlanarGraph.of(new double[] {1, 2, 3, 4}), new int[0]).build();
      RefinedArrays refined = MeshRefinement.run(device, points, OPTIONS, arrays);
      assertArrayEquals(new double[] {1, 2, 3, 4}, refined.coordinates());
      assertEquals(3, arrays.deviceDoubles("coordinates").getDouble(2));
    }
  }

  @Test
  void keptArraysAreUsedAgain() {
    Mesh input = RefinementInputs.generated("uniform:200");
    ResultArrays arrays = new ResultArrays();
    RefinedArrays first = MeshRefinement.run(device(), input, OPTIONS, arrays);
    RefinedArrays second = MeshRefinement.run(device(), input, OPTIONS, arrays);
    assertSame(first.coordinates(), second.coordinates());
    assertSame(first.corners(), second.corners());
    assertSame(first.neighbors(), second.neighbors());
    assertNotSame(first.segmentEnds(), second.segmentEnds());
    IllegalStateException late = assertThrows(IllegalStateException.class, first::mesh);
    assertTrue(late.getMessage().startsWith("a later call has written to"), late.getMessage());
    assertEquals(second.triangles(), second.mesh().triangles());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 5})
  void givenArraysAreFilled(int longer) {
    Mesh input = RefinementInputs.generated("uniform:200");
    Mesh expected = MeshRefinement.run(device(), input, OPTIONS).mesh();
    double[] coordinates = new double[expected.coordinates().length + longer];
    int[] corners = new int[expected.corners().length + longer];
    Arrays.fill(corners, -7);
    RefinedArrays refined =
        MeshRefinement.run(
            device(),
            input,
            OPTIONS,
            new ResultArrays().give("coordinates", coordinates).give("corners", corners));
    assertSame(coordinates, refined.coordinates());
    assertSame(corners, refined.corners());
    assertSameMesh(expected, refined, "uniform:200");
    for (int at = expected.corners().length; at < corners.length; at++) {
      assertEquals(-7, corners[at]);
    }
  }

  @Test
  void whatDoesNotSuitIsRefused() {
    Mesh input = RefinementInputs.generated("uniform:200");
    int edges = 3 * MeshRefinement.run(device(), input, OPTIONS).mesh().triangles();
    assertEquals(
        "the array given for neighbors is int["
            + (edges - 1)
            + "]: expected int["
            + edges
            + "] or longer",
        refusal(input, new ResultArrays().give("neighbors", new int[edges - 1])));
    assertEquals(
        "arrays were given for labels, but the results are coordinates, corners, neighbors",
        refusal(input, new ResultArrays().give("labels", new int[edges])));
    SettingException layout =
        assertThrows(
            SettingException.class,
            () ->
                MeshRefinement.run(
                    device(), input, OPTIONS.withLayout(Layout.HILBERT), new ResultArrays()));
    assertEquals(
        "layout hilbert: arrays are filled in the order of the input; use as-given, or no arrays",
        layout.getMessage());
  }

  @Test
  void theInputsArraysAreNotOverwritten() {
    Mesh input = RefinementInputs.generated("uniform:200");
    double[] before = input.coordinates().clone();
    String message = " is one of the input's: give another one";
    assertEquals(
        "the array for coordinates" + message,
        refusal(input, new ResultArrays().give("coordinates", input.coordinates())));
    assertEquals(
        "the array for neighbors" + message,
        refusal(input, new ResultArrays().give("neighbors", input.segmentsOfEdges())));
    assertArrayEquals(before, input.coordinates());
  }

  /** A kept array that is made an input's, not only a given one. */
  @Test
  void keptArraysThatAreTheInputsAreNotOverwritten() {
    Mesh input = RefinementInputs.generated("uniform:200");
    ResultArrays arrays = new ResultArrays();
    int[] kept = arrays.ints("corners", input.corners().length);
    System.arraycopy(input.corners(), 0, kept, 0, kept.length);
    Mesh same =
        Mesh.builder(input.planarGraph(), kept)
            .adjacency(input.neighbors(), input.segmentsOfEdges())
            .build();
    assertEquals(
        "the array for corners is one of the input's: give another one", refusal(same, arrays));
  }

  /** It fails in the first launch that inserts vertices: of many steps, where few are allowed. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCallThatFailsBeforeItWritesLeavesEarlierResults(boolean onDevice) {
    Mesh input = RefinementInputs.generated("uniform:200");
    try (Device device = Device.open("sim:1:1");
        ResultArrays arrays = onDevice ? ResultArrays.onDevice(device) : new ResultArrays()) {
      RefinementResult expected = MeshRefinement.run(device, input, OPTIONS);
      RefinedArrays refined = MeshRefinement.run(device, input, OPTIONS, arrays);
      Mesh large = RefinementInputs.generated("uniform:300");
      device.simulator().setSchedule(Schedule.roundRobin().withMostSteps(20_000));
      KernelFaultException e =
          assertThrows(
              KernelFaultException.class,
              () -> MeshRefinement.run(device, large, OPTIONS.withBatch(1), arrays));
      assertTrue(e.getMessage().startsWith("region refine "), e.getMessage());
      device.simulator().setSchedule(null);
      assertArrayEquals(expected.mesh().corners(), refined.mesh().corners());
      assertArrayEquals(expected.mesh().coordinates(), refined.mesh().coordinates());
    }
  }

  private static String refusal(Mesh input, ResultArrays arrays) {
    return assertThrows(
            IllegalArgumentException.class,
            () -> MeshRefinement.run(device(), input, OPTIONS, arrays))
        .getMessage();
  }

  @Test
  void aMeshWithoutTrianglesStaysAsItIs() {
    Mesh input = Mesh.builder(PlanarGraph.of(new double[] {1, 2, 3, 4}), new int[0]).build();
    RefinedArrays refined = MeshRefinement.run(device(), input, OPTIONS, new ResultArrays());
    assertSameMesh(input, refined, "no triangles");
    assertSame(input, refined.mesh());
    PlanarGraph line =
        PlanarGraph.builder(new double[] {1, 2, 3, 4, 5, 6})
            .segments(new int[] {2, 0, 0, 1}, null)
            .build();
    Mesh lines = Mesh.builder(line, new int[0]).adjacency(new int[0], new int[0]).build();
    refined = MeshRefinement.run(device(), lines, OPTIONS, new ResultArrays());
    assertSameMesh(lines, refined, "segments and no triangles");
    assertEquals(2, refined.segments());
  }
}
