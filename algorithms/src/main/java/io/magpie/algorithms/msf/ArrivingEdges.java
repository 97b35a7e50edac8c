package io.magpie.algorithms.msf;

import io.magpie.algorithms.msf.StreamingForest.Arrived;

/** The chunks of a source, one after the other, on a device. */
interface ArrivingEdges extends AutoCloseable {
  /** The next chunk, which takes the place of the one before; an empty one is the last. */
  Arrived next();

  /**
   * Refuses an edge of the present chunk that the device found wrong.
   *
   * @param place which one
   * @param vertices how many there are
   */
  IllegalArgumentException refusal(int place, int vertices);

  /** How long chunks were waited for. */
  double waitMillis();

  /** How long copies to the device were waited for. */
  double uploadMillis();

  /** How long the device computed edges. */
  double kernelMillis();

  @Override
  void close();
}
