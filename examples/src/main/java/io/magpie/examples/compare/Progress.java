package io.magpie.examples.compare;

/** Is told how far long work has got. */
public interface Progress extends AutoCloseable {
  /** Tells nobody. */
  Progress NONE =
      new Progress() {
        @Override
        public void begin(String task, long steps) {}

        @Override
        public void advance() {}

        @Override
        public void close() {}
      };

  /**
   * A task begins, and the one before it has ended.
   *
   * @param task what is done, in a few words
   * @param steps how often {@link #advance()} will be called; -1 if that is unknown
   */
  void begin(String task, long steps);

  /** One step of the task is done. */
  void advance();

  /**
   * How far the task has got besides its steps.
   *
   * @param more in a few words
   */
  default void tell(String more) {}

  /** The last task has ended. */
  @Override
  void close();
}
