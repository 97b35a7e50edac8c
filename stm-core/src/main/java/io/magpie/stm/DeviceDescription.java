package io.magpie.stm;

/**
 * What a device is.
 *
 * @param spec the specification that {@link Device#open} takes for it, such as {@code cuda:0}
 * @param machine the kind of machine
 * @param name the product's name, or what stands for it
 * @param warpWidth threads that run together: 32 on a GPU, 1 on the processor
 * @param parallelism multiprocessors of a GPU; host threads of the processor; 1 for the simulator
 * @param memoryBytes memory in all, in bytes
 * @param detail driver, compute capability, checks; for people
 */
public record DeviceDescription(
    String spec,
    Machine machine,
    String name,
    int warpWidth,
    int parallelism,
    long memoryBytes,
    String detail) {
  /** The kinds of machine that a kernel can be compiled for. */
  public enum Machine {
    /** An NVIDIA GPU of compute capability 7.5 or newer, reached through the CUDA driver. */
    CUDA,
    /** The processor's cores; a warp is one thread wide. */
    CPU,
    /**
     * A simulated GPU: every GPU thread is a fiber, every shared access a switch point, the
     * schedule is seeded. For finding wrong interleavings, not for speed.
     */
    SIM
  }

  @Override
  public String toString() {
    return String.format("%s: %s, %s", spec, name, detail);
  }
}
