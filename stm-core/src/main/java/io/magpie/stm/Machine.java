package io.magpie.stm;

/** The kinds of machine that a kernel can be compiled for. */
public enum Machine {
  /** An NVIDIA GPU of compute capability 7.5 or newer, reached through the CUDA driver. */
  CUDA,
  /** The processor's cores; a warp is one thread wide. */
  CPU,
  /**
   * A simulated GPU: every GPU thread is a fiber, every shared access a switch point, the schedule
   * is seeded. For finding wrong interleavings, not for speed.
   */
  SIM
}
