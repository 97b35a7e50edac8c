package io.magpie.algorithms.msf;

import io.magpie.algorithms.internal.Parallel;
import io.magpie.algorithms.msf.StreamingForest.Arrived;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.parallel.Primitives;

/**
 * Weights of 64 bits of the edges that a {@link StreamingForest} keeps, and ints in their place, by
 * the kernels of ranked_weights.cuh: places in the order of all that are kept when a forest is
 * made, and for an edge that comes, how many of these do not come after it.
 *
 * <p>Bytes for each edge that there is room for: 8 for the weight, 8 for the weights in order, and
 * 8 to sort them, besides what primitives need.
 */
final class RankedWeights {
  private final StreamingForest forest;
  private final Primitives primitives;
  private final DeviceArray<long[]> wide;
  private final DeviceArray<long[]> ascending;
  private final DeviceArray<int[]> digits;
  private final DeviceArray<int[]> order;
  private int ranks;

  RankedWeights(StreamingForest forest, int capacity) {
    this.forest = forest;
    this.primitives = Primitives.of(forest.scratch().memory().device());
    this.wide = forest.scratch().longs("wide", capacity);
    this.ascending = forest.scratch().longs("ascending", capacity);
    this.digits = forest.scratch().ints("digits", capacity);
    this.order = forest.scratch().ints("order", capacity);
  }

  /** Bytes of what is needed between chunks of some of the edges that there is room for. */
  long bytes(long edges) {
    return 2 * Long.BYTES * edges; // in the order of edges, and in their own
  }

  /** The fields that tell the order of weights as they come. */
  private Fields arrived(Arrived arrived, int from, int count) {
    return new Fields()
        .set("from", from)
        .set("count", count)
        .set("floating", EdgeChunk.isFloating(forest.type()) ? 1 : 0)
        .set("reverse", forest.reverse() ? 1 : 0)
        .set("weights", arrived.wide());
  }

  /**
   * Puts in {@link Arrived#weights}, for each of some edges, how many ranks of the last {@link
   * #rank} have weights that do not come after its own.
   *
   * @param tested whether it is asked for; else weights that are not finite are found, no more
   * @param tallies receives the first of these edges
   */
  void rankArrived(
      Arrived arrived, int from, int count, boolean tested, DeviceArray<int[]> tallies) {
    forest.run(
        "rank_arrived",
        count,
        arrived(arrived, from, count)
            .set("length", tested ? ranks : 0)
            .set("ascending", ascending)
            .set("ranks", arrived.weights())
            .set("tallies", tallies));
  }

  /**
   * Keeps the weights of edges.
   *
   * @param positions of them, from {@code from}
   * @param kept where the first goes
   */
  void take(Arrived arrived, int from, DeviceArray<int[]> positions, int kept, int count) {
    forest.run(
        "take_wide",
        count,
        arrived(arrived, from, count)
            .set("kept", kept)
            .set("positions", positions)
            .set("wide", wide));
  }

  /**
   * Ranks the weights of the first edges, from 1; of equal ones the first comes first.
   *
   * @param to receives them
   */
  void rank(DeviceArray<int[]> to, int length) {
    DeviceArray<int[]> someDigits = digits.slice(0, length);
    DeviceArray<int[]> someOrder = order.slice(0, length);
    forest.run(
        "low_digits_64", length, kept(length).set("digits", someDigits).set("order", someOrder));
    sort(someDigits, someOrder);
    forest.run(
        "high_digits", length, kept(length).set("digits", someDigits).set("order", someOrder));
    sort(someDigits, someOrder);
    forest.run(
        "settle_ranks",
        length,
        new Fields()
            .set("length", length)
            .set("order", someOrder)
            .set("wide", wide)
            .set("ranks", to)
            .set("ascending", ascending));
    ranks = length;
  }

  private Fields kept(int length) {
    return new Fields()
        .set("arcs", length)
        .set("floating", 0)
        .set("reverse", 0)
        .set("least", 0L)
        .set("weights", wide);
  }

  private void sort(DeviceArray<int[]> keys, DeviceArray<int[]> values) {
    forest
        .launches()
        .primitives("sort", keys.length(), () -> primitives.sort(keys, values, Integer.SIZE));
  }

  /**
   * Moves weights of edges to where these are packed.
   *
   * @param positions of them, from {@code from}
   * @param packed where the first goes
   * @param room for as many longs
   */
  void move(
      long from, DeviceArray<int[]> positions, int count, int packed, DeviceArray<long[]> room) {
    forest.run(
        "gather_wide",
        count,
        new Fields()
            .set("from", from)
            .set("count", count)
            .set("positions", positions)
            .set("wide", wide)
            .set("to", room));
    wide.slice(packed, count).copyFrom(room.slice(0, count));
  }

  /** The weights of some edges, as longs of their order. */
  DeviceArray<long[]> kept(int from, int count) {
    return wide.slice(from, count);
  }

  /** Copies the first weights, as longs of the same order whatever the objective. */
  void copyPlaces(long[] places) {
    wide.slice(0, places.length).copyTo(places);
    if (forest.reverse()) {
      Parallel.forRanges(
          places.length,
          (from, to) -> {
            for (int e = from; e < to; e++) {
              places[e] = ~places[e];
            }
          });
    }
  }
}
