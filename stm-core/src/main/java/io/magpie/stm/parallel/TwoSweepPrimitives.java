package io.magpie.stm.parallel;

import static io.magpie.stm.parallel.DeviceInternals.type;

import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.Fields;
import io.magpie.stm.internal.ElementType;
import io.magpie.stm.parallel.PrimitiveKernels.Pieces;
import java.util.ArrayList;
import java.util.List;

/**
 * The primitives as chapter 4 of the thesis builds them: scans by the work-efficient two-sweep tree
 * (Algorithms 4.1 to 4.4), everything else from scans and steps that treat each element by itself,
 * sorting of segments by the segmented quicksort. Sums of ints into longs, reductions, reductions
 * by segment and the sort of whole arrays are as in {@link PortablePrimitives}.
 */
final class TwoSweepPrimitives extends PortablePrimitives {
  /** Elements of a tree that one warp builds; small on the simulator, for many levels. */
  private final int tile;

  TwoSweepPrimitives(PrimitiveKernels kernels) {
    super(kernels);
    tile = kernels.device().machine() == Machine.SIM ? 16 : 1024;
  }

  @Override
  String inWords() {
    return "two-sweep kernels";
  }

  /** An array of the hierarchy: the input, then the roots of its tiles, then theirs. */
  private final class SweptArray {
    final long n;
    final Pieces pieces;
    final DeviceArray<?> tree;
    final DeviceArray<int[]> flags;
    DeviceArray<?> values;
    DeviceArray<int[]> heads;
    DeviceArray<int[]> firstFlags;

    SweptArray(int depth, long n, ElementType<?> type, boolean segmented) {
      this.n = n;
      int tiles = (int) ((n + tile - 1) / tile);
      pieces = new Pieces(tile, tiles);
      tree = kernels.scratch("tree " + depth, type, (long) tiles * tile);
      flags = segmented ? ints("tree flags " + depth, (long) tiles * tile) : null;
    }
  }

  private DeviceArray<int[]> ints(String use, long length) {
    return kernels.scratch(use, ElementType.INT, length);
  }

  @Override
  void scan(DeviceArray<?> in, DeviceArray<?> out, ScanOperator op, boolean inclusive) {
    if (type(in) == type(out)) {
      sweep(in, null, out, op, inclusive);
    } else {
      super.scan(in, out, op, inclusive);
    }
  }

  @Override
  void segmentedScan(
      DeviceArray<?> in,
      DeviceArray<int[]> heads,
      DeviceArray<?> out,
      ScanOperator op,
      boolean inclusive) {
    sweep(in, heads, out, op, inclusive);
  }

  private void sweep(
      DeviceArray<?> in,
      DeviceArray<int[]> heads,
      DeviceArray<?> out,
      ScanOperator op,
      boolean inclusive) {
    boolean segmented = heads != null;
    String kind = kindOf(type(in));
    long n = in.length();
    List<SweptArray> levels = new ArrayList<>();
    SweptArray level = new SweptArray(0, n, type(in), segmented);
    level.values = in;
    level.heads = heads;
    level.firstFlags = heads;
    while (true) {
      levels.add(level);
      // The array above a single tile has one element: the reduction of everything.
      SweptArray next = new SweptArray(levels.size(), level.pieces.count(), type(in), segmented);
      next.values = next.tree;
      next.heads = segmented ? ints("tree heads " + levels.size(), level.pieces.count()) : null;
      next.firstFlags = next.flags;
      kernels.launch(
          "two_sweep_up_" + kind,
          level.pieces,
          level.n,
          new Fields()
              .set("n", level.n)
              .set("tile", tile)
              .set("op", kernels.number(op))
              .set("in", level.values)
              .set("flags", level.firstFlags)
              .set("heads", level.heads)
              .set("x", level.tree)
              .set("f", level.flags)
              .set("next_x", next.tree)
              .set("next_f", next.flags)
              .set("next_heads", next.heads));
      if (level.pieces.count() == 1) {
        if (out.length() > n) {
          copyFirst(next.tree, out, n);
        }
        break;
      }
      level = next;
    }
    DeviceArray<?> roots = null;
    for (int depth = levels.size() - 1; depth >= 0; depth--) {
      level = levels.get(depth);
      kernels.launch(
          "two_sweep_down_" + kind,
          level.pieces,
          level.n,
          new Fields()
              .set("n", level.n)
              .set("tile", tile)
              .set("op", kernels.number(op))
              .set("inclusive", inclusive && depth == 0 ? 1 : 0)
              .set("roots", roots)
              .set("heads", level.heads)
              .set("x", level.tree)
              .set("f", level.flags)
              .set("in", depth == 0 ? in : null)
              .set("out", depth == 0 ? out : null));
      roots = level.tree;
    }
  }

  @SuppressWarnings("unchecked") // one type throughout a scan
  private static <A> void copyFirst(DeviceArray<?> from, DeviceArray<A> to, long index) {
    to.slice(index, 1).copyFrom((DeviceArray<A>) from.slice(0, 1));
  }

  @Override
  void enumerate(DeviceArray<int[]> flags, DeviceArray<int[]> heads, DeviceArray<int[]> out) {
    long n = flags.length();
    DeviceArray<int[]> ones = ints("ones", n);
    kernels.launch(
        "ones_of_flags",
        kernels.pieces(n),
        n,
        new Fields().set("n", n).set("flags", flags).set("out", ones));
    sweep(ones, heads, out, ScanOperator.ADD, false);
  }

  @Override
  void pack(
      DeviceArray<?> in, DeviceArray<int[]> flags, DeviceArray<?> out, DeviceArray<int[]> count) {
    long n = flags.length();
    DeviceArray<int[]> places = ints("places", n);
    enumerate(flags, null, places);
    kernels.launch(
        "pack_" + kindOf(type(out)) + "_to_places",
        kernels.pieces(n),
        n,
        new Fields()
            .set("n", n)
            .set("flags", flags)
            .set("places", places)
            .set("in", in)
            .set("out", out)
            .set("count", count));
  }

  @Override
  void copyMarks(
      DeviceArray<?> in, DeviceArray<int[]> heads, DeviceArray<?> out, boolean backwards) {
    long n = in.length();
    String kind = kindOf(type(in));
    DeviceArray<?> kept = kernels.scratch("kept", type(in), n);
    DeviceArray<int[]> marks = ints("marks", n);
    Pieces pieces = kernels.pieces(n);
    kernels.launch(
        "keep_marks_" + kind,
        pieces,
        n,
        new Fields()
            .set("n", n)
            .set("backwards", backwards ? 1 : 0)
            .set("heads", heads)
            .set("in", in)
            .set("out", kept)
            .set("marks", marks));
    if (backwards) {
      sweep(kept, marks, kept, ScanOperator.ADD, true);
      kernels.launch(
          "reverse_" + kind, pieces, n, new Fields().set("n", n).set("in", kept).set("out", out));
    } else {
      sweep(kept, marks, out, ScanOperator.ADD, true);
    }
  }

  @Override
  void split(
      DeviceArray<int[]> flags,
      DeviceArray<int[]> heads,
      DeviceArray<int[]> headsOut,
      DeviceArray<int[]> first,
      DeviceArray<int[]> firstOut,
      DeviceArray<int[]> second,
      DeviceArray<int[]> secondOut) {
    long n = flags.length();
    Pieces pieces = kernels.pieces(n);
    DeviceArray<int[]> places = ints("places", n);
    DeviceArray<int[]> tailPlaces = ints("tail places", n);
    kernels.launch(
        "split_terms",
        pieces,
        n,
        new Fields().set("n", n).set("flags", flags).set("heads", heads).set("out", places));
    sweep(places, heads, places, ScanOperator.ADD, true);
    copyMarks(places, heads, tailPlaces, true);
    kernels.launch(
        "split_to_places",
        pieces,
        n,
        new Fields()
            .set("n", n)
            .set("flags", flags)
            .set("heads", heads)
            .set("places", places)
            .set("tail_places", tailPlaces)
            .set("heads_out", headsOut)
            .set("first", first)
            .set("first_out", firstOut)
            .set("second", second)
            .set("second_out", secondOut));
  }

  /**
   * Segmented quicksort: the first element of each segment is its pivot; passes by "greater" and by
   * "not smaller" take turns, until no element is smaller than the one before it. Waits after each
   * pass. Takes as many passes as the longest segment has elements at worst.
   */
  @Override
  void sortSegments(
      DeviceArray<int[]> keys,
      DeviceArray<int[]> values,
      DeviceArray<int[]> offsets,
      int segments) {
    long n = keys.length();
    Pieces pieces = kernels.pieces(n);
    DeviceArray<int[]> flags = ints("flags", n);
    DeviceArray<int[]> pivots = ints("pivots", n);
    DeviceArray<int[]> heads = ints("heads A", n);
    DeviceArray<int[]> nextHeads = ints("heads B", n);
    DeviceArray<int[]> key = keys;
    DeviceArray<int[]> value = values;
    DeviceArray<int[]> nextKey = ints("keys A", n);
    DeviceArray<int[]> nextValue = values == null ? null : ints("values A", n);
    kernels.launch(
        "mark_outside",
        pieces,
        n,
        new Fields()
            .set("n", n)
            .set("segments", segments)
            .set("offsets", offsets)
            .set("heads", heads));
    kernels.launch(
        "mark_segment_heads",
        kernels.pieces(segments),
        segments,
        new Fields().set("segments", segments).set("offsets", offsets).set("heads", heads));
    for (int pass = 0; isUnsorted(key, heads, flags); pass++) {
      copyMarks(key, heads, pivots, false);
      kernels.launch(
          "flag_larger",
          pieces,
          n,
          new Fields()
              .set("n", n)
              .set("or_equal", pass % 2)
              .set("keys", key)
              .set("pivots", pivots)
              .set("flags", flags));
      split(flags, heads, nextHeads, key, nextKey, value, nextValue);
      DeviceArray<int[]> oldKey = key;
      DeviceArray<int[]> oldValue = value;
      DeviceArray<int[]> oldHeads = heads;
      key = nextKey;
      value = nextValue;
      heads = nextHeads;
      nextKey = oldKey;
      nextValue = oldValue;
      nextHeads = oldHeads;
    }
    if (key != keys) {
      keys.copyFrom(key);
      if (values != null) {
        values.copyFrom(value);
      }
    }
  }

  private boolean isUnsorted(
      DeviceArray<int[]> keys, DeviceArray<int[]> heads, DeviceArray<int[]> flags) {
    long n = keys.length();
    kernels.launch(
        "flag_unsorted",
        kernels.pieces(n),
        n,
        new Fields().set("n", n).set("keys", keys).set("heads", heads).set("flags", flags));
    return reduce(flags, ScanOperator.OR) != 0;
  }
}
