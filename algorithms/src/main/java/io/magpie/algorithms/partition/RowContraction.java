package io.magpie.algorithms.partition;

import io.magpie.algorithms.internal.driver.Holder;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.parallel.Primitives;
import io.magpie.stm.parallel.ScanOperator;

/**
 * Makes the graph in which every pair of matched vertices is one: weights summed, arcs within a
 * pair left out, arcs to the same coarse vertex summed to one.
 */
final class RowContraction {
  /** Slots that a warp counts and copies at a time, at least. */
  private static final int LEAST_PIECE = 256;

  private final Launches launches;
  private final Primitives primitives;
  private final Scratch scratch;
  private final PartitionOptions.Contraction method;

  RowContraction(
      Launches launches,
      Primitives primitives,
      Scratch scratch,
      PartitionOptions.Contraction method) {
    this.launches = launches;
    this.primitives = primitives;
    this.scratch = scratch;
    this.method = method;
  }

  /**
   * The coarse map, in four steps (thesis, section 4.2.1): flags, sum, and two that a launch does
   * at once.
   *
   * @param match each vertex's partner; for one that stays alone -1, which becomes itself
   * @param map receives each vertex's coarse vertex
   * @param members receives the lower vertex of each coarse vertex
   */
  void map(
      int vertices, DeviceArray<int[]> match, DeviceArray<int[]> map, DeviceArray<int[]> members) {
    DeviceArray<int[]> numbers = scratch.ints("numbers", vertices + 1L);
    launches.run(
        "mark_members",
        vertices,
        new Fields().set("vertices", vertices).set("match", match).set("flags", numbers));
    launches.primitives(
        "scan",
        vertices,
        () -> primitives.exclusiveScan(numbers.slice(0, vertices), numbers, ScanOperator.ADD));
    launches.run(
        "number_members",
        vertices,
        new Fields()
            .set("vertices", vertices)
            .set("match", match)
            .set("numbers", numbers)
            .set("map", map)
            .set("members", members));
  }

  /**
   * The coarser graph.
   *
   * @param match each vertex's partner, itself for one that is alone
   * @param map each vertex's coarse vertex
   * @param members the lower vertex of each coarse vertex
   * @param coarseVertices how many there are
   */
  DeviceGraph contract(
      DeviceGraph fine,
      DeviceArray<int[]> match,
      DeviceArray<int[]> map,
      DeviceArray<int[]> members,
      int coarseVertices) {
    try (Holder held = new Holder(scratch.memory())) {
      GraphContraction contraction =
          new GraphContraction(fine, match, map, members, coarseVertices, held);
      DeviceGraph coarse =
          method == PartitionOptions.Contraction.HASH ? contraction.byHash() : contraction.bySort();
      coarse.leave(held);
      return coarse;
    }
  }

  /** The contraction of one graph. */
  private final class GraphContraction {
    private final DeviceGraph fine;
    private final DeviceArray<int[]> match;
    private final DeviceArray<int[]> map;
    private final DeviceArray<int[]> members;
    private final int coarseVertices;
    private final Holder held;
    private final DeviceArray<int[]> starts;
    private final DeviceArray<int[]> coarseWeights;

    /** Of all tables; below 2^32. */
    private final long slots;

    private final DeviceArray<int[]> keys;
    private final DeviceArray<int[]> values;

    GraphContraction(
        DeviceGraph fine,
        DeviceArray<int[]> match,
        DeviceArray<int[]> map,
        DeviceArray<int[]> members,
        int coarseVertices,
        Holder held) {
      this.fine = fine;
      this.match = match;
      this.map = map;
      this.members = members;
      this.coarseVertices = coarseVertices;
      this.held = held;
      this.starts = scratch.ints("starts", coarseVertices + 1L);
      this.coarseWeights = held.ints(coarseVertices).named("coarse_weights");
      this.slots = makeTables();
      this.keys = scratch.ints("keys", slots + 1).slice(0, slots);
      this.values = scratch.ints("values", slots);
    }

    /** Gives each coarse vertex its weight and its table; returns the number of slots. */
    private long makeTables() {
      launches.run(
          "add_members",
          coarseVertices,
          new Fields()
              .set("coarse_vertices", coarseVertices)
              .set("hashed", method == PartitionOptions.Contraction.HASH ? 1 : 0)
              .set("match", match)
              .set("members", members)
              .set("offsets", fine.offsets())
              .set("vertex_weights", fine.vertexWeights())
              .set("slots", starts)
              .set("coarse_weights", coarseWeights));
      launches.primitives(
          "scan",
          coarseVertices,
          () ->
              primitives.exclusiveScan(starts.slice(0, coarseVertices), starts, ScanOperator.ADD));
      return Integer.toUnsignedLong(starts.getInt(coarseVertices));
    }

    DeviceGraph byHash() {
      long work = (long) fine.vertices() + fine.arcs();
      int pieces = launches.pieces(work);
      keys.fill(0);
      values.fill(0);
      launches.runPieces(
          "insert_arcs",
          work,
          pieces,
          new Fields()
              .set("vertices", fine.vertices())
              .set("coarse_vertices", coarseVertices)
              .set("pieces", pieces)
              .set("offsets", fine.offsets())
              .set("neighbors", fine.neighbors())
              .set("weights", fine.weights())
              .set("match", match)
              .set("members", members)
              .set("map", map)
              .set("starts", starts)
              .set("keys", keys)
              .set("values", values));
      long piece = Math.max(LEAST_PIECE, (slots + pieces - 1) / pieces);
      int count = (int) Math.max(1, (slots + piece - 1) / piece);
      DeviceArray<int[]> sums = scratch.ints("sums", count);
      DeviceArray<int[]> total = scratch.ints("total", 1);
      total.fill(0);
      launches.runPieces(
          "count_entries",
          slots,
          count,
          new Fields()
              .set("slots", slots)
              .set("piece", piece)
              .set("keys", keys)
              .set("sums", sums)
              .set("total", total));
      int arcs = total.getInt(0);
      DeviceArray<int[]> neighbors = held.ints(arcs).named("neighbors");
      DeviceArray<int[]> weights = held.ints(arcs).named("weights");
      // In the place of the keys.
      DeviceArray<int[]> ranks = scratch.ints("keys", slots + 1).named("ranks");
      if (slots == 0) {
        ranks.fill(0);
      }
      launches.runPieces(
          "place_entries",
          slots,
          count,
          new Fields()
              .set("slots", slots)
              .set("piece", piece)
              .set("keys", keys)
              .set("values", values)
              .set("sums", sums)
              .set("ranks", ranks)
              .set("neighbors", neighbors)
              .set("weights", weights));
      return new DeviceGraph(held.memory(), offsets(ranks), neighbors, weights, coarseWeights);
    }

    DeviceGraph bySort() {
      long work = (long) fine.vertices() + fine.arcs();
      int pieces = launches.pieces(work);
      launches.runPieces(
          "copy_rows",
          work,
          pieces,
          new Fields()
              .set("vertices", fine.vertices())
              .set("pieces", pieces)
              .set("offsets", fine.offsets())
              .set("neighbors", fine.neighbors())
              .set("weights", fine.weights())
              .set("members", members)
              .set("map", map)
              .set("starts", starts)
              .set("keys", keys)
              .set("values", values));
      launches.primitives(
          "sort", slots, () -> primitives.sortSegments(keys, values, starts, coarseVertices));
      DeviceArray<int[]> ranks = scratch.ints("ranks", slots + 1);
      DeviceArray<int[]> flags = scratch.ints("flags", slots);
      DeviceArray<int[]> sums = scratch.ints("run sums", slots).named("sums");
      long sortedWork = coarseVertices + slots;
      int sortedPieces = launches.pieces(sortedWork);
      launches.runPieces(
          "mark_heads",
          sortedWork,
          sortedPieces,
          new Fields()
              .set("coarse_vertices", coarseVertices)
              .set("pieces", sortedPieces)
              .set("starts", starts)
              .set("keys", keys)
              .set("values", values)
              .set("flags", flags)
              .set("sums", sums));
      launches.primitives(
          "scan", slots, () -> primitives.exclusiveScan(flags, ranks, ScanOperator.ADD));
      int arcs = ranks.getInt(slots);
      DeviceArray<int[]> neighbors = held.ints(arcs).named("neighbors");
      DeviceArray<int[]> weights = held.ints(arcs).named("weights");
      DeviceArray<int[]> packed = scratch.ints("total", 1);
      launches.primitives(
          "pack",
          slots,
          () -> {
            primitives.pack(keys, flags, neighbors, packed);
            primitives.pack(sums, flags, weights, packed);
          });
      return new DeviceGraph(held.memory(), offsets(ranks), neighbors, weights, coarseWeights);
    }

    /** Where each coarse vertex's arcs begin: as many as there are before its table. */
    private DeviceArray<int[]> offsets(DeviceArray<int[]> ranks) {
      DeviceArray<int[]> offsets = held.ints(coarseVertices + 1L);
      launches.run(
          "gather",
          coarseVertices + 1L,
          new Fields()
              .set("n", coarseVertices + 1)
              .set("index", starts)
              .set("from", ranks)
              .set("to", offsets));
      return offsets;
    }
  }
}
