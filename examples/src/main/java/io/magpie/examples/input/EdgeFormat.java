package io.magpie.examples.input;

import io.magpie.algorithms.msf.EdgeSource;
import java.io.PrintWriter;
import java.nio.file.Path;

/**
 * A format that {@code magpie convert} writes edge by edge, in a jar of its own with what it needs.
 * Registered as a service.
 */
public interface EdgeFormat {
  /** What names of its files or folders end with, in lower case, such as {@code .parquet}. */
  String suffix();

  /**
   * Prepares to write, before any work whose result is to be written.
   *
   * @param out what is to be written
   * @param warnings takes what is left undone when it is closed
   * @throws io.magpie.examples.cli.output.OutputException if it clearly cannot be written, or is
   *     there and is not replaced
   */
  Target open(Path out, PrintWriter warnings);

  /** What appears complete or not at all. */
  interface Target extends AutoCloseable {
    /**
     * Writes edges in their order, from the next one on.
     *
     * @param edges read to their end, and not closed; what they throw goes on to the caller
     * @param weighted whether they have weights
     * @param numbered whether their numbers are to be kept; else they follow each other from 0
     * @param description where they are from, for people
     * @return how many there are
     * @throws io.magpie.examples.cli.output.OutputException if they cannot be written
     */
    long write(EdgeSource edges, boolean weighted, boolean numbered, String description);

    /** Removes what is not complete. */
    @Override
    void close();
  }
}
