package io.magpie.algorithms.mesh.refine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.TestDevices;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Insertion;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Overlap;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Synchronization;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Steps fill maximal sets of cavities that do not overlap, and the check of that can fail. */
class MaximalSetsTest {
  private static RefinementOptions options(Overlap overlap) {
    return RefinementOptions.defaults()
        .withSynchronization(Synchronization.MAXIMAL_SETS)
        .withInsertion(Insertion.CIRCUMCENTER)
        .withMinimumAngle(28)
        .withOverlap(overlap);
  }

  private static Optional<String> complaint(
      String device, Mesh mesh, RefinementOptions options, Overlap overlap) {
    return MaximalSetCheck.complaint(Refinements.device(device), mesh, options, overlap, Map.of());
  }

  private static Mesh mesh(String spec) {
    Mesh mesh = RefinementInputs.generated(spec);
    assertTrue(!Refinements.hasSharpAngle(mesh), spec);
    return mesh;
  }

  static Stream<Arguments> everywhere() {
    // Short launches of more threads than processors take long.
    return TestDevices.of(
            List.of("cpu:2", "sim:1:1"), "cpu:4", "cpu-checked:2", "sim:2:4", "sim:0:32")
        .stream()
        .flatMap(device -> Stream.of(Overlap.values()).map(by -> Arguments.of(device, by)));
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void stepsAreMaximalOnEveryDevice(String device, Overlap overlap) {
    int points = device.startsWith("sim") ? 20 : TestDevices.FULL ? 100 : 50;
    for (String kind : List.of("uniform:", "clustered:", "grid:")) {
      Mesh mesh = mesh(kind + points + ",seed=3");
      assertEquals(Optional.empty(), complaint(device, mesh, options(overlap), overlap), kind);
    }
  }

  /** Also with losers of several slices, which are marked one after the other. */
  @ParameterizedTest
  @EnumSource
  void stepsInSlicesAreMaximal(Overlap overlap) {
    RefinementOptions slices = options(overlap).withSlice(7);
    assertEquals(Optional.empty(), complaint("cpu:2", mesh("uniform:120,seed=5"), slices, overlap));
  }

  /** The check can fail: who lost to a mark that lost itself could have gone on. */
  @Test
  void aRoundOfMarksIsNotMaximal() {
    RefinementOptions marks =
        options(Overlap.CAVITIES).withSynchronization(Synchronization.MARKS).withBatch(1);
    Optional<String> found =
        complaint("cpu:2", mesh("uniform:120,seed=3"), marks, Overlap.CAVITIES);
    assertTrue(found.orElse("").endsWith("overlaps nothing"), found::toString);
  }

  /** Sets by one definition are not those by the other one: too many, or not enough. */
  @Test
  void theOptionSaysWhatOverlaps() {
    Mesh mesh = mesh("uniform:120,seed=3");
    Optional<String> many =
        complaint("cpu:2", mesh, options(Overlap.CAVITIES), Overlap.NEIGHBORHOODS);
    assertTrue(many.orElse("").endsWith(" overlap"), many::toString);
    Optional<String> few =
        complaint("cpu:2", mesh, options(Overlap.NEIGHBORHOODS), Overlap.CAVITIES);
    assertTrue(few.orElse("").endsWith("overlaps nothing"), few::toString);
  }

  /** Where all triangles have the same circumcircle, the first cavity has all of them. */
  @Test
  void cavitiesThatAreTooLargeAreFilledBetweenSteps() {
    RefinementResult result =
        Refinements.run("cpu:2", RefinementInputs.circle(80), options(Overlap.NEIGHBORHOODS));
    List<RefinementReport.Round> rounds = result.report().rounds();
    assertEquals(0, rounds.get(0).inserted());
    assertTrue(rounds.get(1).large() && rounds.get(1).inserted() > 0, rounds::toString);
    assertTrue(rounds.get(2).inserted() > 0 && !rounds.get(2).large(), rounds::toString);
  }
}
