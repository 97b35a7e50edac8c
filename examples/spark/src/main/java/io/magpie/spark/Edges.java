package io.magpie.spark;

import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.msf.MsfOptions;
import io.magpie.examples.input.InputException;
import io.magpie.stm.Device;
import java.io.Serializable;
import java.util.Map;

/** Edges in an order of rows that is the same in each attempt; what a partition has is a range. */
interface Edges extends Serializable {
  /** What was given, for people. */
  String description();

  int vertices();

  WeightType weightType();

  /** How many rows there are. */
  long rows();

  /**
   * The forest of a range of rows.
   *
   * @param first the first row, from 0
   * @param end one more than the last
   * @param settings of Hadoop's file systems
   * @throws RowRefusal if a row is wrong
   * @throws InputException if rows cannot be read; another attempt may
   */
  ForestArrays forest(Device device, long first, long end, MsfOptions options, Settings settings);

  /** Takes rows, some at a time. */
  interface Taker {
    /**
     * Takes the next rows.
     *
     * @param count how many there are
     * @return whether more are wanted
     */
    boolean take(RowReader.Rows rows, int count);
  }

  /**
   * Passes a range of rows to who wants to see them; on no device.
   *
   * @param first the first row, from 0
   * @param end one more than the last
   * @param settings of Hadoop's file systems
   * @throws RowRefusal if a row is wrong
   * @throws InputException if rows cannot be read; another attempt may
   */
  void pass(long first, long end, Settings settings, Taker taker);

  /** What tells these edges from all others, by name. */
  Map<String, String> identity();

  /** Whether their numbers were given, and so may be repeated by mistake. */
  boolean haveIds();

  /**
   * What {@link #forest} and {@link #pass} need for a range of rows; of the same numbers as here.
   *
   * @param first the first row, from 0
   * @param end one more than the last
   */
  Edges within(long first, long end);
}
