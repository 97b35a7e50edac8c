package io.magpie.algorithms.mesh;

/** Numbers that module {@code mesh} and its driver share. */
final class MeshKernels {
  static final String MODULE = "mesh";

  // Entries of `tallies`, look.cuh.
  static final int FOUND = 0;
  static final int GAPS = 1;
  static final int PUSHED = 2;
  static final int LARGE = 3;
  static final int STUCK = 4;
  static final int LOST = 5;
  static final int TRIANGLES = 6;
  static final int VERTICES = 7;
  static final int BAD = 8;
  static final int EXCUSED = 9;
  static final int STUCK_EDGES = 10;
  static final int TORN = 11;

  // Further ones, mesh_phases.cu.
  static final int ITEMS = 12;
  static final int ROBBED = 13;
  static final int LOSER = 14;
  static final int FRESH = 15;
  static final int TALLIES = 16;

  /** Most items that mending one item pushes, cavity.cuh. */
  static final int MOST_PUSHES = 57;

  /** Words of a footprint, marks.cuh. */
  static final int FOOTPRINT_WORDS = 56;

  /** Classes of urgency, and bins of items that wait, schedule.cuh. */
  static final int CLASSES = 2048;

  static final int BINS = 64;

  /** Words from one list's end to the next one's, schedule.cuh. */
  static final int END_WORDS = 32;

  /** Words of a source of {@code sort_items}, schedule.cuh. */
  static final int SOURCE_WORDS = 6;

  /** No bin. */
  static final int NONE = -1;

  private MeshKernels() {}
}
