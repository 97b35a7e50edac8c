package io.magpie.spark;

import io.magpie.algorithms.msf.NumberedForest;
import java.util.Arrays;
import java.util.Iterator;
import scala.Tuple2;

/**
 * A forest, in ascending order of its edges' numbers.
 *
 * @param numbers of the edges
 * @param sources one end of each
 * @param targets the other
 * @param keys weights as {@link Keys}
 */
record ForestArrays(long[] numbers, int[] sources, int[] targets, long[] keys) {
  /** Edges of a piece: 6 MB. */
  private static final int PIECE = 1 << 18;

  static ForestArrays of(NumberedForest forest) {
    long[] keys = new long[forest.edges()];
    Arrays.setAll(keys, edge -> Keys.of(forest.weight(edge)));
    return new ForestArrays(forest.numbers(), forest.sources(), forest.targets(), keys);
  }

  int edges() {
    return numbers.length;
  }

  /**
   * The forest in pieces, each made when it is asked for.
   *
   * @param forest its number among those of its level
   */
  Iterator<Tuple2<Piece.Place, Piece>> pieces(int forest) {
    return new Iterator<>() {
      private int next;

      @Override
      public boolean hasNext() {
        return next < edges();
      }

      @Override
      public Tuple2<Piece.Place, Piece> next() {
        int from = next;
        next = Math.min(edges(), from + PIECE);
        Piece piece =
            new Piece(
                Arrays.copyOfRange(numbers, from, next),
                Arrays.copyOfRange(sources, from, next),
                Arrays.copyOfRange(targets, from, next),
                Arrays.copyOfRange(keys, from, next),
                null);
        return new Tuple2<>(new Piece.Place(forest, numbers[from]), piece);
      }
    };
  }
}
