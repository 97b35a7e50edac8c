package io.magpie.algorithms.nbody;

import io.magpie.algorithms.SwappedInputs;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.algorithms.nbody.NBodyOptions.Precision;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import org.junit.jupiter.api.Test;

/** The masses of bodies are an input: where they are given for a result, nothing is launched. */
class SwappedInputsTest {
  @Test
  void massesAreNotWritten() {
    Device device = NBodyVariants.device("cpu:1");
    Bodies given = BodyGenerator.parse("plummer:9").generate();
    for (Precision precision : Precision.values()) {
      Reals reals = new Reals(device, precision);
      try (KernelModule module = device.load(Simulation.MODULE);
          Scratch scratch = new Scratch(new DeviceMemory(device));
          BodiesOnDevice bodies = new BodiesOnDevice(given, reals, scratch)) {
        SwappedInputs.assertRefused(
            module,
            reals.kernel("kick"),
            fields(reals, bodies.mass(), bodies.velocity()),
            fields(reals, bodies.velocity(), bodies.mass()),
            "velocity");
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
