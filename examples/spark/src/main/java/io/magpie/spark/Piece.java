package io.magpie.spark;

import java.io.Serializable;

/**
 * What partitions send to each other: some edges of a forest in ascending order of their numbers,
 * in arrays of one length; or that a row was refused.
 *
 * @param numbers of the edges
 * @param sources one end of each
 * @param targets the other
 * @param keys weights as whole numbers of the same order, see {@link Keys}
 * @param refusal what is wrong with a row, in place of edges; else null
 */
record Piece(long[] numbers, int[] sources, int[] targets, long[] keys, String refusal)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** A refusal. */
  static Piece of(RowRefusal refused) {
    return new Piece(new long[0], new int[0], new int[0], new long[0], refused.getMessage());
  }

  /**
   * Where a piece belongs: pieces for one task come in this order.
   *
   * @param forest the number of its forest among those of a level
   * @param first the number of its first edge, or the refused row
   */
  record Place(int forest, long first) implements Serializable, Comparable<Place> {
    private static final long serialVersionUID = 1L;

    @Override
    public int compareTo(Place other) {
      int byNumber = Long.compare(first, other.first);
      return byNumber != 0 ? byNumber : Integer.compare(forest, other.forest);
    }
  }
}
