package io.magpie.algorithms.mesh.refine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Insertion;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Overlap;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Synchronization;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;

/** Each step fills a maximal set, whatever the mesh, the slices and the device. */
@Tag("slow")
class MaximalSetsProperties {
  @Property(tries = 40, shrinking = ShrinkingMode.BOUNDED)
  void stepsAreMaximal(
      @ForAll("kinds") String kind,
      @ForAll @IntRange(min = 3, max = 30) int points,
      @ForAll @IntRange(min = 1, max = 1000) int seed,
      @ForAll @IntRange(min = 0, max = 28) int angle,
      @ForAll @IntRange(min = 0, max = 9) int slice,
      @ForAll Overlap overlap,
      @ForAll("devices") String device) {
    Mesh mesh = RefinementInputs.generated(kind + ":" + points + ",seed=" + seed);
    Assume.that(!Refinements.hasSharpAngle(mesh));
    RefinementOptions options =
        RefinementOptions.defaults()
            .withSynchronization(Synchronization.MAXIMAL_SETS)
            .withInsertion(Insertion.CIRCUMCENTER)
            .withMinimumAngle(angle)
            .withSlice(slice)
            .withOverlap(overlap);
    assertEquals(
        Optional.empty(),
        MaximalSetCheck.complaint(Refinements.device(device), mesh, options, Map.of()));
  }

  @Provide
  Arbitrary<String> kinds() {
    return Arbitraries.of("uniform", "disc", "clustered", "graded", "grid");
  }

  @Provide
  Arbitrary<String> devices() {
    return Arbitraries.of(Refinements.devices());
  }
}
