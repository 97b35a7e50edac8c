package io.magpie.examples.cli.commands;

import io.magpie.examples.compare.Progress;

/**
 * Says of each task what it belongs to.
 *
 * @param shown the progress that is shown
 * @param prefix what stands before each task
 */
record PrefixedProgress(Progress shown, String prefix) implements Progress {
  @Override
  public void begin(String task, long steps) {
    shown.begin(prefix + task, steps);
  }

  @Override
  public void advance() {
    shown.advance();
  }

  @Override
  public void tell(String more) {
    shown.tell(more);
  }

  @Override
  public void close() {
    shown.close();
  }
}
