package io.magpie.stm;

import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.internal.toolchain.Inspection;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * One thing that Magpie needs, such as a GPU, a compiler, or the cache, and whether this machine
 * has it.
 *
 * @param subject what was looked at, such as "nvcc"
 * @param state whether it will do
 * @param found what was found
 * @param remedy what to do about it; empty if it will do
 */
public record Diagnosis(String subject, State state, String found, String remedy) {
  /** Whether what was found will do. */
  public enum State {
    /** It will do. */
    GOOD,
    /** Something cannot be done, or will be slow; the rest works. */
    LIMITED,
    /** It does not work; whatever needs it fails. */
    BAD
  }

  /** Checks that nothing is null. */
  public Diagnosis {
    Objects.requireNonNull(subject, "subject");
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(found, "found");
    Objects.requireNonNull(remedy, "remedy");
  }

  /**
   * Looks at this machine. Asks compilers for their versions, and makes the cache's folder if there
   * is none; compiles nothing.
   */
  public static List<Diagnosis> ofThisMachine() {
    List<Diagnosis> all = new ArrayList<>();
    all.add(gpu());
    for (Inspection.Finding each : Inspection.ofThisMachine()) {
      State state = each.good() ? State.GOOD : State.LIMITED;
      all.add(new Diagnosis(each.subject(), state, each.found(), each.remedy()));
    }
    return List.copyOf(all);
  }

  private static Diagnosis gpu() {
    return Device.whyNoGpu()
        .map(
            why ->
                new Diagnosis(
                    "GPU",
                    State.LIMITED,
                    why,
                    "programs run on the processor and the simulator; for a GPU, install NVIDIA's"
                        + " driver and see that nvidia-smi lists the GPU"))
        .orElseGet(() -> new Diagnosis("GPU", State.GOOD, gpus(), ""));
  }

  private static String gpus() {
    return String.join(
        "; ",
        Device.list().stream()
            .filter(device -> device.machine() == Machine.CUDA)
            .map(DeviceDescription::toString)
            .toList());
  }
}
