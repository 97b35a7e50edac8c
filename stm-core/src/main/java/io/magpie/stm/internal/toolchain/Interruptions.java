package io.magpie.stm.internal.toolchain;

import io.magpie.stm.MagpieException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileLockInterruptionException;

/** Tells a thread that is interrupted from a disk that fails: both end input and output. */
final class Interruptions {
  private Interruptions() {}

  /**
   * Throws if a failure is an interruption; the thread's flag stays up.
   *
   * @param sentence what was interrupted
   */
  static void rethrow(IOException e, String sentence) {
    if (e instanceof ClosedByInterruptException || e instanceof FileLockInterruptionException) {
      throw new MagpieException(sentence, e);
    }
  }
}
