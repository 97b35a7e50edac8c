package io.magpie.algorithms.mesh.refine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.stm.KernelModule;
import org.junit.jupiter.api.Test;

class LargeCavitiesTest {
  /** For any number of triangles, so that the driver has formulas in place of constants. */
  @Test
  void sizesAreThoseOfTheKernels() {
    try (KernelModule module = Refinements.device("cpu:1").load(MeshKernels.MODULE)) {
      assertEquals(module.constant("lent_words(1000)"), LargeCavities.words(1000));
      assertEquals(module.constant("most_pushes<1000>"), LargeCavities.mostPushes(1000));
    }
  }
}
