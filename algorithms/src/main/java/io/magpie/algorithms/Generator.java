package io.magpie.algorithms;

/**
 * A kind of generated input with all its parameters set. The same generator makes the same input
 * every time, however many threads work on it.
 *
 * @param <T> what it makes
 */
public abstract class Generator<T> {
  private static final int MEBIBYTE = 1 << 20;

  private final String spec;
  private final long seed;

  /**
   * A generator.
   *
   * @param spec the complete description
   * @param seed by which inputs are drawn
   */
  protected Generator(String spec, long seed) {
    this.spec = spec;
    this.seed = seed;
  }

  /**
   * Makes the input, in parallel on the common pool where that pays.
   *
   * @throws IllegalArgumentException when it does not fit into the heap; the message is for users
   */
  public T generate() {
    try {
      return make();
    } catch (OutOfMemoryError e) {
      // Only arrays as large as the input can have failed; they are garbage by now.
      throw new IllegalArgumentException(
          "generator '"
              + spec
              + "': too large for the heap of "
              + Runtime.getRuntime().maxMemory() / MEBIBYTE
              + " MiB; give Java more memory by -Xmx",
          e);
    }
  }

  /** Makes the input. */
  protected abstract T make();

  /** The seed by which it is drawn; 1 if none was given. */
  public final long seed() {
    return seed;
  }

  /**
   * The complete description, defaults included: parsing it gives an equal generator.
   *
   * @return such as {@code random:n=1000,m=5000,seed=7,weights=1..100}
   */
  public final String spec() {
    return spec;
  }

  @Override
  public final String toString() {
    return spec;
  }
}
