package io.magpie.algorithms.graph;

import java.io.IOException;

/** The edges of a file, from the first to the last. Not for use by several threads at once. */
public interface EdgePass extends AutoCloseable {
  /**
   * Takes the next edges, as many as there is room for.
   *
   * @param sources receives one end of each, a vertex from 0, from index 0
   * @param targets receives the other; as long
   * @param weights receives the weights, 1 where there are none: an {@code int[]}, {@code long[]},
   *     {@code float[]} or {@code double[]} as {@link FileEdges#weightType} says; as long
   * @param numbers receives the numbers of the edges, ascending from 0; as long. Not used, and may
   *     be null, where they {@linkplain FileEdges#consecutive follow each other}
   * @return how many; 0 if there are no more, and then the whole file has been checked
   * @throws io.magpie.algorithms.FileFormatException if the file is malformed from here on
   * @throws IOException if it cannot be read
   */
  int next(int[] sources, int[] targets, Object weights, long[] numbers) throws IOException;

  @Override
  void close() throws IOException;
}
