package io.magpie.stm;

/**
 * What a run of a {@link Kernel} did.
 *
 * @param kernel the kernel's name
 * @param items number of items that sized the grid
 * @param threads threads of the grid
 * @param kernelMillis time of the kernel itself in milliseconds: by events on a GPU, by the clock
 *     elsewhere
 */
public record KernelReport(String kernel, long items, long threads, double kernelMillis) {
  @Override
  public String toString() {
    return String.format(
        "phase %s: %,d items, %,d threads, %.3f ms", kernel, items, threads, kernelMillis);
  }
}
