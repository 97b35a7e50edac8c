package io.magpie.algorithms.partition;

/**
 * What became of the vertices of one level.
 *
 * @param vertices how many there were
 * @param rounds rounds in which they chose neighbors
 * @param byNeighbor those that were matched with a neighbor
 * @param byLeaf those that have one common neighbor and no other, or none at all, and were matched
 *     for that
 * @param byTwin those that have all neighbors in common, likewise
 * @param byRelative those that have some neighbor in common, likewise
 */
record MatchCounts(
    int vertices, int rounds, int byNeighbor, int byLeaf, int byTwin, int byRelative) {

  /** Those that stayed alone. */
  int alone() {
    return vertices - byNeighbor - byLeaf - byTwin - byRelative;
  }
}
