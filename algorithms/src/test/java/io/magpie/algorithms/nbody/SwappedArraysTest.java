package io.magpie.algorithms.nbody;

import io.magpie.algorithms.SwappedArrays;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.algorithms.nbody.NBodyOptions.Precision;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import org.junit.jupiter.api.Test;

/** Arrays of bodies: where one is given for another one, nothing is launched. */
class SwappedArraysTest {
  @Test
  void massesAreNotWritten() {
    Device device = NBodyVariants.device("cpu:1");
    Bodies given = BodyGenerator.parse("plummer:9").generate();
    for (Precision precision : Precision.values()) {
      Reals reals = new Reals(device, precision);
      try (KernelModule module = device.load(Simulation.MODULE);
          Scratch scratch = new Scratch(new DeviceMemory(device));
          BodiesOnDevice bodies = new BodiesOnDevice(given, reals, scratch)) {
        SwappedArrays.assertInputRefused(
            module,
            reals.kernel("kick"),
            fields(reals, bodies.mass(), bodies.velocity()),
            fields(reals, bodies.acceleration(), bodies.mass()),
            "velocity");
      }
    }
  }

  @Test
  void positionsAndVelocitiesAreNotSwapped() {
    Device device = NBodyVariants.device("cpu:1");
    Bodies given = BodyGenerator.parse("plummer:9").generate();
    for (Precision precision : Precision.values()) {
      Reals reals = new Reals(device, precision);
      try (KernelModule module = device.load(Simulation.MODULE);
          Scratch scratch = new Scratch(new DeviceMemory(device));
          BodiesOnDevice bodies = new BodiesOnDevice(given, reals, scratch)) {
        Fields right = fields(reals, bodies.acceleration(), bodies.velocity());
        Fields swapped = fields(reals, bodies.acceleration(), bodies.position());
        reals.set(right, "step", 0);
        reals.set(swapped, "step", 0);
        SwappedArrays.assertOtherRefused(
            module,
            reals.kernel("kick_and_drift"),
            right.set("position", bodies.position()),
            swapped.set("position", bodies.velocity()),
            "velocity",
            "position");
      }
    }
  }

  private static Fields fields(Reals reals, DeviceArray<?> acceleration, DeviceArray<?> velocity) {
    Fields fields =
        new Fields().set("numbers", 0).set("acceleration", acceleration).set("velocity", velocity);
    reals.set(fields, "half", 0.5);
    return fields;
  }
}
