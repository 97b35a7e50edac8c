package io.magpie.algorithms.pointsto;

import io.magpie.stm.Fields;

/** Points-to sets on the device, in one of the forms that kernels are compiled for. */
interface Sets extends AutoCloseable {
  /** Locations of a word of a set. */
  int WORD = Long.SIZE;

  /** The kernel of that name for this form. */
  String kernel(String name);

  /** How many words kernels go through that look at all sets, about. */
  long work();

  /** The same of so many sets. */
  long work(int members);

  /**
   * Makes room if launches have found too little since the last call, for which it waits. They are
   * to be repeated then. What was sent on and what was dereferenced is forgotten.
   *
   * @return whether they had found too little
   * @throws PointsToSizeException if there may be no more
   */
  boolean makeRoom();

  Fields fields();

  /** The sets of what was sent on. */
  Fields sentFields();

  /** The sets of what was dereferenced. */
  Fields dereferencedFields();

  /** The sets of what is new. */
  Fields differenceFields();

  /**
   * Copies the sets to a result; the set of a variable is that of its root, which is no greater.
   */
  void copyTo(PointsToResult.Builder result, int[] roots);

  @Override
  void close();
}
