package io.magpie.spark;

import java.util.Comparator;
import java.util.Iterator;
import java.util.PriorityQueue;
import scala.Tuple2;

/**
 * The edges of several forests in ascending order of their numbers, from pieces in the order of
 * their first ones. Only pieces are held whose ranges of numbers overlap.
 */
final class MergedPieces {
  private static final class Run {
    final Piece piece;
    int next;

    Run(Piece piece) {
      this.piece = piece;
    }

    long number() {
      return piece.numbers()[next];
    }
  }

  private final Iterator<Tuple2<Piece.Place, Piece>> pieces;
  private final PriorityQueue<Run> runs =
      new PriorityQueue<>(Comparator.comparingLong(Run::number));
  private Piece ahead;
  private Piece piece;
  private int index;
  private long last = -1;

  MergedPieces(Iterator<Tuple2<Piece.Place, Piece>> pieces) {
    this.pieces = pieces;
    ahead = nextPiece();
  }

  /**
   * @throws RowRefusal if what comes is a refusal
   */
  private Piece nextPiece() {
    if (!pieces.hasNext()) {
      return null;
    }
    Tuple2<Piece.Place, Piece> next = pieces.next();
    if (next._2().refusal() != null) {
      throw new RowRefusal(next._1().first(), next._2().refusal());
    }
    return next._2();
  }

  /**
   * Goes to the next edge, or tells that there is none.
   *
   * @throws RowRefusal if a row was refused, or two edges have one number
   */
  boolean next() {
    while (ahead != null && (runs.isEmpty() || ahead.numbers()[0] <= runs.peek().number())) {
      runs.add(new Run(ahead));
      ahead = nextPiece();
    }
    if (runs.isEmpty()) {
      return false;
    }
    Run run = runs.peek();
    piece = run.piece;
    index = run.next;
    if (number() == last) {
      throw RankedForest.repeated(last);
    }
    last = number();
    // While it stays the first nobody else's order changes.
    if (index + 1 < piece.numbers().length && (runs.size() == 1 && ahead == null)) {
      run.next++;
      return true;
    }
    runs.poll();
    run.next++;
    if (run.next < piece.numbers().length) {
      runs.add(run);
    }
    return true;
  }

  long number() {
    return piece.numbers()[index];
  }

  int source() {
    return piece.sources()[index];
  }

  int target() {
    return piece.targets()[index];
  }

  long key() {
    return piece.keys()[index];
  }
}
