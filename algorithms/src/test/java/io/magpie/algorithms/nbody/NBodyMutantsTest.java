package io.magpie.algorithms.nbody;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.nbody.NBodyOptions.Tree;
import io.magpie.stm.Device;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelFaultException;
import io.magpie.stm.KernelModule;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The verifier notices what mutants.cuh breaks. */
class NBodyMutantsTest {
  private static final Map<String, String> DEFINES = Map.of("MAGPIE_NBODY_MUTANTS", "1");
  private static final int NO_MUTANT = 0;
  private static final int CHILD_WITHOUT_LOCK = 1;
  private static final int TRIES = 80;

  /** So few that some runs go on to the end: places in the order that no body has stay 0. */
  private static final int BODIES = 4;

  @Test
  @Tag("slow")
  void aChildThatIsStoredWithoutLockIsLost() {
    int lost = 0;
    for (int seed = 1; seed <= TRIES; seed++) {
      Bodies bodies = BodyGenerator.parse("cube:n=" + BODIES + ",seed=" + seed).generate();
      try (Device device = Device.open("sim:" + seed + ":4")) {
        device.define("nbody", DEFINES);
        choose(device, NO_MUTANT);
        assertEquals(List.of(), NBodyVerifier.verify(run(device, bodies)));
        choose(device, CHILD_WITHOUT_LOCK);
        lost += losesBodies(device, bodies) ? 1 : 0;
      }
    }
    assertTrue(lost > 0, "bodies are lost in " + lost + " of " + TRIES + " runs");
  }

  /** Where an array has no place for what was lost, the simulator notices before the verifier. */
  private static boolean losesBodies(Device device, Bodies bodies) {
    try {
      return NBodyVerifier.verify(run(device, bodies)).stream()
          .anyMatch(each -> each.contains("of " + BODIES + " bodies"));
    } catch (KernelFaultException e) {
      return false;
    }
  }

  private static NBodyResult run(Device device, Bodies bodies) {
    return BarnesHut.run(device, bodies, NBodyOptions.defaults().withTree(Tree.LOCKS).withSteps(0));
  }

  private static void choose(Device device, int number) {
    try (KernelModule module = device.load("nbody")) {
      module.kernel("choose_nbody_mutant").run(1, new Fields().set("number", number));
    }
  }
}
