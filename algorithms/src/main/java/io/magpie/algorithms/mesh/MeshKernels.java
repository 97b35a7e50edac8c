package io.magpie.algorithms.mesh;

/** Numbers that module {@code mesh} and its driver share. */
final class MeshKernels {
  static final String MODULE = "mesh";

  // Entries of `tallies`, look.cuh.
  static final int DUE = 0;
  static final int LATER = 1;
  static final int PUSHED = 2;
  static final int LARGE = 3;
  static final int STUCK = 4;
  static final int LOST = 5;
  static final int TRIANGLES = 6;
  static final int VERTICES = 7;
  static final int BAD = 8;
  static final int EXCUSED = 9;
  static final int GAPS = 10;
  static final int TALLIES = 16;

  /** Most items that mending one item pushes, cavity.cuh. */
  static final int MOST_PUSHES = 57;

  /** Words of a footprint, refine_marked.cuh. */
  static final int FOOTPRINT_WORDS = 56;

  /** Entries of the histogram of urgencies, and how its index is made of one, schedule.cuh. */
  static final int HISTOGRAM = 4096;

  static final int HISTOGRAM_SHIFT = 20;

  /** Less urgent than any item that is due. */
  static final int EVERYTHING = -2;

  private MeshKernels() {}
}
