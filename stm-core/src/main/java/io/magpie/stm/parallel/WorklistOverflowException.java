package io.magpie.stm.parallel;

import io.magpie.stm.MagpieException;
import java.util.Locale;

/**
 * Kernels pushed more items to a {@link KernelWorklist} than it has places; the rest is lost. What
 * to do is to {@linkplain KernelWorklist#reserve make room}, {@linkplain KernelWorklist#clear
 * clear} the list of those that found places, {@linkplain KernelWorklist#rewind rewind} the list
 * that the kernel popped items from, and launch it again.
 */
public final class WorklistOverflowException extends MagpieException {
  private static final long serialVersionUID = 1L;

  private final long capacity;
  private final long needed;

  /**
   * @param capacity places that the list has
   * @param needed places that all items would have taken
   */
  public WorklistOverflowException(long capacity, long needed) {
    super(
        String.format(
            Locale.ROOT,
            "%,d items were pushed to a worklist of %,d places, and %,d found none: call reserve(%d)"
                + " and clear() on it, and rewind() on the list that the kernel popped from, and"
                + " launch the kernel again",
            needed,
            capacity,
            needed - capacity,
            needed));
    this.capacity = capacity;
    this.needed = needed;
  }

  /** Places that the list has. */
  public long capacity() {
    return capacity;
  }

  /** Places that all items would have taken: what to ask for. */
  public long needed() {
    return needed;
  }
}
