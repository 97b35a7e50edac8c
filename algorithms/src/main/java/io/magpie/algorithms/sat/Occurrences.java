package io.magpie.algorithms.sat;

import io.magpie.algorithms.internal.Parallel;

/**
 * Where each literal stands, by all processors: a stable sort by counting, of the literals' upper
 * bits and then, in each of the blocks that this makes, of all bits. Blocks are small enough for
 * caches.
 *
 * <p>Memory: 8 bytes for each position, and 4 for each literal that there may be.
 */
final class Occurrences {
  /** Pieces of the positions that are counted by themselves. */
  private static final int PIECES = 128;

  /** The most blocks of literals. */
  private static final int BLOCKS = 256;

  private final int[] literals;
  private final int shift;
  private final int[][] next; // of each piece and block, where its next position belongs
  private final int[] blockBegin;
  private final int[] byBlocks; // positions
  private final int[] offsets;
  private final int[] places;

  /**
   * @param different literals that there may be, from 0 on
   * @param literals of each position
   */
  Occurrences(int different, int[] literals) {
    this.literals = literals;
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, different - 1));
    shift = Math.max(0, bits - Integer.numberOfTrailingZeros(BLOCKS));
    next = new int[PIECES][BLOCKS];
    blockBegin = new int[BLOCKS + 1];
    byBlocks = new int[literals.length];
    offsets = new int[different + 1];
    places = new int[literals.length];
    Parallel.forRanges(PIECES, this::countPieces);
    addUp();
    Parallel.forRanges(PIECES, this::movePieces);
    Parallel.forRanges(BLOCKS, this::sortBlocks);
    offsets[different] = literals.length;
  }

  /** Where the positions of each literal begin in {@link #places}, and their number. */
  int[] offsets() {
    return offsets;
  }

  /** The positions of each literal, ascending. */
  int[] places() {
    return places;
  }

  private int begin(int piece) {
    return (int) ((long) literals.length * piece / PIECES);
  }

  private void countPieces(int from, int to) {
    for (int piece = from; piece < to; piece++) {
      int[] count = next[piece];
      for (int e = begin(piece); e < begin(piece + 1); e++) {
        count[literals[e] >>> shift]++;
      }
    }
  }

  private void addUp() {
    int sum = 0;
    for (int block = 0; block < BLOCKS; block++) {
      blockBegin[block] = sum;
      for (int[] ofPiece : next) {
        int count = ofPiece[block];
        ofPiece[block] = sum;
        sum += count;
      }
    }
    blockBegin[BLOCKS] = sum;
  }

  private void movePieces(int from, int to) {
    for (int piece = from; piece < to; piece++) {
      int[] ofPiece = next[piece];
      for (int e = begin(piece); e < begin(piece + 1); e++) {
        byBlocks[ofPiece[literals[e] >>> shift]++] = e;
      }
    }
  }

  private void sortBlocks(int from, int to) {
    int different = offsets.length - 1;
    for (int block = from; block < to; block++) {
      int first = (int) Math.min(different, (long) block << shift);
      int end = (int) Math.min(different, (block + 1L) << shift);
      int[] own = new int[end - first];
      for (int i = blockBegin[block]; i < blockBegin[block + 1]; i++) {
        own[literals[byBlocks[i]] - first]++;
      }
      int sum = blockBegin[block];
      for (int l = first; l < end; l++) {
        int count = own[l - first];
        offsets[l] = sum;
        own[l - first] = sum;
        sum += count;
      }
      for (int i = blockBegin[block]; i < blockBegin[block + 1]; i++) {
        int e = byBlocks[i];
        places[own[literals[e] - first]++] = e;
      }
    }
  }
}
