package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.internal.ExactSum;
import io.magpie.algorithms.internal.OrderedBits;
import java.math.BigDecimal;

/**
 * Weights as whole numbers of the same order: ints where weights have 32 bits, else longs.
 *
 * @param type of the weights
 * @param narrow their places if they have 32 bits; else null
 * @param wide their places if they have 64 bits; else null
 */
record WeightPlaces(WeightType type, int[] narrow, long[] wide) {
  /** How many there are. */
  int count() {
    return narrow != null ? narrow.length : wide.length;
  }

  /** The place of a weight. */
  long at(int index) {
    return narrow != null ? narrow[index] : wide[index];
  }

  /** A weight. */
  Number weight(int index) {
    return switch (type) {
      case INT -> (Number) narrow[index];
      case LONG -> (Number) wide[index];
      case FLOAT -> (Number) OrderedBits.toFloat(narrow[index]);
      case DOUBLE -> (Number) OrderedBits.toDouble(wide[index]);
    };
  }

  /** Adds the weight of an edge of a chunk to a sum. */
  static void add(EdgeChunk chunk, int index, ExactSum sum) {
    switch (chunk.weightType()) {
      case INT -> sum.add((long) chunk.intWeights()[index]);
      case LONG -> sum.add(chunk.longWeights()[index]);
      case FLOAT -> sum.add((double) chunk.floatWeights()[index]);
      case DOUBLE -> sum.add(chunk.doubleWeights()[index]);
    }
  }

  /** The place of the weight of an edge of a chunk. */
  static long of(EdgeChunk chunk, int index) {
    return switch (chunk.weightType()) {
      case INT -> chunk.intWeights()[index];
      case LONG -> chunk.longWeights()[index];
      case FLOAT -> OrderedBits.of(chunk.floatWeights()[index]);
      case DOUBLE -> OrderedBits.of(chunk.doubleWeights()[index]);
    };
  }

  /** The sum of all, without rounding. */
  BigDecimal sum() {
    ExactSum sum = new ExactSum();
    for (int i = 0; i < count(); i++) {
      switch (type) {
        case INT, LONG -> sum.add(at(i));
        case FLOAT -> sum.add((double) OrderedBits.toFloat(narrow[i]));
        case DOUBLE -> sum.add(OrderedBits.toDouble(wide[i]));
      }
    }
    return sum.value();
  }
}
