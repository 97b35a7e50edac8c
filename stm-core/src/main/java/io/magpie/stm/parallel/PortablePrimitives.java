package io.magpie.stm.parallel;

import static io.magpie.stm.parallel.DeviceInternals.type;

import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.Fields;
import io.magpie.stm.internal.ElementType;
import io.magpie.stm.parallel.PrimitiveKernels.Pieces;

/**
 * The primitives by Magpie's own kernels, which run on every machine. Arguments have been checked;
 * used within the device's queue only. What another formulation does not do in its own way it
 * inherits.
 */
class PortablePrimitives {
  private static final int DIGIT_BITS = 8;

  final PrimitiveKernels kernels;

  PortablePrimitives(PrimitiveKernels kernels) {
    this.kernels = kernels;
  }

  /** What does the work, in words. */
  String inWords() {
    return "portable kernels";
  }

  /** The suffix of kernels for a type. */
  static String kindOf(ElementType<?> type) {
    return type + "s";
  }

  /** The suffix of kernels that read one type and make another. */
  static String kindOf(ElementType<?> from, ElementType<?> to) {
    return from == to ? kindOf(to) : kindOf(from) + "_to_" + kindOf(to);
  }

  /** Out may be in, and one longer than in for the reduction of all. */
  void scan(DeviceArray<?> in, DeviceArray<?> out, ScanOperator op, boolean inclusive) {
    long n = in.length();
    Pieces pieces = kernels.pieces(n);
    DeviceArray<?> sums = kernels.scratch("sums", type(out), pieces.count());
    String kind = kindOf(type(in), type(out));
    if (pieces.count() > 1) {
      kernels.launch(
          "reduce_" + kind,
          pieces,
          n,
          new Fields()
              .set("n", n)
              .set("piece", pieces.length())
              .set("op", kernels.number(op))
              .set("in", in)
              .set("sums", sums));
    }
    kernels.launch(
        "scan_" + kind,
        pieces,
        n,
        new Fields()
            .set("n", n)
            .set("piece", pieces.length())
            .set("op", kernels.number(op))
            .set("inclusive", inclusive ? 1 : 0)
            .set("in", in)
            .set("sums", sums)
            .set("out", out));
  }

  /** Out may be in. */
  void segmentedScan(
      DeviceArray<?> in,
      DeviceArray<int[]> heads,
      DeviceArray<?> out,
      ScanOperator op,
      boolean inclusive) {
    long n = in.length();
    Pieces pieces = kernels.pieces(n);
    DeviceArray<?> sums = headedSums(type(out), pieces);
    String kind = kindOf(type(out));
    if (pieces.count() > 1) {
      kernels.launch(
          "reduce_headed_" + kind,
          pieces,
          n,
          new Fields()
              .set("n", n)
              .set("piece", pieces.length())
              .set("op", kernels.number(op))
              .set("in", in)
              .set("heads", heads)
              .set("sums", sums));
    }
    kernels.launch(
        "scan_headed_" + kind,
        pieces,
        n,
        new Fields()
            .set("n", n)
            .set("piece", pieces.length())
            .set("op", kernels.number(op))
            .set("inclusive", inclusive ? 1 : 0)
            .set("in", in)
            .set("heads", heads)
            .set("sums", sums)
            .set("out", out));
  }

  /** Room for pairs of a flag and a value. */
  private DeviceArray<?> headedSums(ElementType<?> type, Pieces pieces) {
    return kernels.scratch("headed sums", type, 2L * pieces.count());
  }

  /** Ints are added in 64 bits. */
  long reduce(DeviceArray<?> in, ScanOperator op) {
    boolean widens = op == ScanOperator.ADD && type(in) == ElementType.INT;
    ElementType<?> type = widens ? ElementType.LONG : type(in);
    long n = in.length();
    Pieces pieces = kernels.pieces(n);
    int count = pieces.count();
    DeviceArray<?> sums = kernels.scratch("sums", type, count + 1L);
    kernels.launch(
        "reduce_" + kindOf(type(in), type),
        pieces,
        n,
        new Fields()
            .set("n", n)
            .set("piece", pieces.length())
            .set("op", kernels.number(op))
            .set("in", in)
            .set("sums", sums));
    if (count == 1) {
      return sums.getLong(0);
    }
    DeviceArray<?> one = sums.slice(count, 1);
    kernels.launch(
        "reduce_" + kindOf(type),
        new Pieces(count, 1),
        count,
        new Fields()
            .set("n", (long) count)
            .set("piece", (long) count)
            .set("op", kernels.number(op))
            .set("in", sums)
            .set("sums", one));
    return one.getLong(0);
  }

  /** In may be null, which stands for the positions. */
  void pack(
      DeviceArray<?> in, DeviceArray<int[]> flags, DeviceArray<?> out, DeviceArray<int[]> count) {
    long n = flags.length();
    Pieces pieces = kernels.pieces(n);
    kernels.launch(
        "pack_" + kindOf(type(out)),
        pieces,
        n,
        new Fields()
            .set("n", n)
            .set("piece", pieces.length())
            .set("flags", flags)
            .set("sums", countedFlags(flags, pieces))
            .set("in", in)
            .set("out", out)
            .set("count", count));
  }

  private DeviceArray<int[]> countedFlags(DeviceArray<int[]> flags, Pieces pieces) {
    long n = flags.length();
    DeviceArray<int[]> sums = kernels.scratch("sums", ElementType.INT, pieces.count());
    if (pieces.count() > 1) {
      kernels.launch(
          "count_flags",
          pieces,
          n,
          new Fields()
              .set("n", n)
              .set("piece", pieces.length())
              .set("flags", flags)
              .set("sums", sums));
    }
    return sums;
  }

  /** In may be null, which stands for the positions. */
  void pushMarked(DeviceArray<int[]> in, DeviceArray<int[]> marks, KernelWorklist to) {
    long n = marks.length();
    Pieces pieces = kernels.pieces(n);
    Fields fields =
        new Fields()
            .set("n", n)
            .set("piece", pieces.length())
            .set("marks", marks)
            .set("sums", kernels.scratch("sums", ElementType.INT, pieces.count()))
            .set("to", to.fields());
    if (pieces.count() > 1) {
      kernels.launch("count_marked", pieces, n, fields);
    }
    kernels.launch("push_marked", pieces, n, fields.set("in", in));
  }

  /** Heads may be null, which stands for one segment. */
  void enumerate(DeviceArray<int[]> flags, DeviceArray<int[]> heads, DeviceArray<int[]> out) {
    long n = flags.length();
    Pieces pieces = kernels.pieces(n);
    if (heads == null) {
      kernels.launch(
          "enumerate_flags",
          pieces,
          n,
          new Fields()
              .set("n", n)
              .set("piece", pieces.length())
              .set("flags", flags)
              .set("sums", countedFlags(flags, pieces))
              .set("out", out));
      return;
    }
    DeviceArray<?> sums = headedSums(ElementType.INT, pieces);
    if (pieces.count() > 1) {
      kernels.launch(
          "count_headed_flags",
          pieces,
          n,
          new Fields()
              .set("n", n)
              .set("piece", pieces.length())
              .set("flags", flags)
              .set("heads", heads)
              .set("sums", sums));
    }
    kernels.launch(
        "enumerate_headed_flags",
        pieces,
        n,
        new Fields()
            .set("n", n)
            .set("piece", pieces.length())
            .set("flags", flags)
            .set("heads", heads)
            .set("sums", sums)
            .set("out", out));
  }

  /** Copies from the segments' heads, or backwards from their tails. */
  void copyMarks(
      DeviceArray<?> in, DeviceArray<int[]> heads, DeviceArray<?> out, boolean backwards) {
    long n = in.length();
    Pieces pieces = kernels.pieces(n);
    kernels.launch(
        "copy_marks_" + kindOf(type(in)),
        pieces,
        n,
        new Fields()
            .set("n", n)
            .set("piece", pieces.length())
            .set("backwards", backwards ? 1 : 0)
            .set("heads", heads)
            .set("sums", foundMarks(heads, pieces, backwards))
            .set("in", in)
            .set("out", out));
  }

  private DeviceArray<long[]> foundMarks(
      DeviceArray<int[]> heads, Pieces pieces, boolean backwards) {
    long n = heads.length();
    DeviceArray<long[]> sums = kernels.scratch("sums", ElementType.LONG, pieces.count());
    if (pieces.count() > 1) {
      kernels.launch(
          "find_marks",
          pieces,
          n,
          new Fields()
              .set("n", n)
              .set("piece", pieces.length())
              .set("backwards", backwards ? 1 : 0)
              .set("heads", heads)
              .set("sums", sums));
    }
    return sums;
  }

  /** Second and secondOut may be null. */
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
    DeviceArray<?> sums = headedSums(ElementType.INT, pieces);
    DeviceArray<int[]> places = kernels.scratch("places", ElementType.INT, n);
    if (pieces.count() > 1) {
      kernels.launch(
          "count_splits",
          pieces,
          n,
          new Fields()
              .set("n", n)
              .set("piece", pieces.length())
              .set("flags", flags)
              .set("heads", heads)
              .set("sums", sums));
    }
    kernels.launch(
        "sum_splits",
        pieces,
        n,
        new Fields()
            .set("n", n)
            .set("piece", pieces.length())
            .set("flags", flags)
            .set("heads", heads)
            .set("sums", sums)
            .set("places", places));
    kernels.launch(
        "move_splits",
        pieces,
        n,
        new Fields()
            .set("n", n)
            .set("piece", pieces.length())
            .set("flags", flags)
            .set("heads", heads)
            .set("sums", foundMarks(heads, pieces, true))
            .set("places", places)
            .set("heads_out", headsOut)
            .set("first", first)
            .set("first_out", firstOut)
            .set("second", second)
            .set("second_out", secondOut));
  }

  void reduceSegments(
      DeviceArray<?> in, DeviceArray<int[]> offsets, DeviceArray<?> out, ScanOperator op) {
    int segments = (int) out.length();
    long work = segments + in.length();
    Pieces pieces = kernels.pieces(work);
    int count = pieces.count();
    DeviceArray<?> leads = kernels.scratch("leads", type(out), count);
    DeviceArray<?> tails = kernels.scratch("tails", type(out), count);
    DeviceArray<int[]> open = kernels.scratch("open", ElementType.INT, count);
    kernels.launch(
        "reduce_segments_" + kindOf(type(in), type(out)),
        pieces,
        work,
        new Fields()
            .set("segments", segments)
            .set("pieces", count)
            .set("op", kernels.number(op))
            .set("in", in)
            .set("offsets", offsets)
            .set("leads", leads)
            .set("tails", tails)
            .set("open", open)
            .set("out", out));
    if (count > 1) {
      kernels.launch(
          "join_segments_" + kindOf(type(out)),
          pieces,
          work,
          new Fields()
              .set("segments", segments)
              .set("pieces", count)
              .set("op", kernels.number(op))
              .set("offsets", offsets)
              .set("leads", leads)
              .set("tails", tails)
              .set("open", open)
              .set("out", out));
    }
  }

  /** Values may be null. */
  void sort(DeviceArray<int[]> keys, DeviceArray<int[]> values, int bits) {
    RadixSort sorted = new RadixSort(keys, values);
    sorted.byKey(bits);
    if (sorted.key != keys) {
      keys.copyFrom(sorted.key);
      if (values != null) {
        values.copyFrom(sorted.value);
      }
    }
  }

  /** Values may be null. */
  void sortSegments(
      DeviceArray<int[]> keys,
      DeviceArray<int[]> values,
      DeviceArray<int[]> offsets,
      int segments) {
    if (kernels.device().machine() == Machine.CPU) {
      sortSegmentsOneByOne(keys, values, offsets, segments);
    } else {
      sortSegmentsByRadix(keys, values, offsets, segments);
    }
  }

  private void sortSegmentsOneByOne(
      DeviceArray<int[]> keys,
      DeviceArray<int[]> values,
      DeviceArray<int[]> offsets,
      int segments) {
    long n = keys.length();
    Pieces pieces = kernels.pieces(n + segments);
    kernels.launch(
        "sort_each_segment",
        pieces,
        n + segments,
        new Fields()
            .set("segments", segments)
            .set("pieces", pieces.count())
            .set("offsets", offsets)
            .set("keys", keys)
            .set("values", values)
            .set("key_buffer", kernels.scratch("keys A", ElementType.INT, n))
            .set(
                "value_buffer",
                values == null ? null : kernels.scratch("values A", ElementType.INT, n)));
  }

  /** By key, then by segment: every segment is whole again, in its place. */
  private void sortSegmentsByRadix(
      DeviceArray<int[]> keys,
      DeviceArray<int[]> values,
      DeviceArray<int[]> offsets,
      int segments) {
    long n = keys.length();
    DeviceArray<int[]> numbers = kernels.scratch("numbers", ElementType.INT, n);
    Pieces pieces = kernels.pieces(n + segments);
    kernels.launch(
        "number_segments",
        pieces,
        n + segments,
        new Fields()
            .set("n", n)
            .set("segments", segments)
            .set("pieces", pieces.count())
            .set("offsets", offsets)
            .set("numbers", numbers));
    RadixSort sorted = new RadixSort(keys, values, numbers);
    sorted.byKey(32);
    sorted.bySegment(32 - Integer.numberOfLeadingZeros(segments + 1));
    copySegments(sorted.key, keys, sorted.value, values, offsets, segments);
  }

  /** Copies what lies in segments; values may be null. */
  final void copySegments(
      DeviceArray<int[]> keys,
      DeviceArray<int[]> keysOut,
      DeviceArray<int[]> values,
      DeviceArray<int[]> valuesOut,
      DeviceArray<int[]> offsets,
      int segments) {
    long n = keys.length();
    kernels.launch(
        "copy_segments",
        kernels.pieces(n),
        n,
        new Fields()
            .set("segments", segments)
            .set("offsets", offsets)
            .set("keys", keys)
            .set("keys_out", keysOut)
            .set("values", values)
            .set("values_out", valuesOut));
  }

  /** A radix sort in progress. */
  private final class RadixSort {
    private final long n;
    private final Pieces pieces;
    private DeviceArray<int[]> key;
    private DeviceArray<int[]> value;
    private DeviceArray<int[]> segment;
    private DeviceArray<int[]> nextKey;
    private DeviceArray<int[]> nextValue;
    private DeviceArray<int[]> nextSegment;
    private boolean keepsSource;

    /** Passes go back and forth between the arrays given and buffers. */
    RadixSort(DeviceArray<int[]> keys, DeviceArray<int[]> values) {
      this(keys, values, null);
    }

    /**
     * Passes begin at the arrays given, leave keys and values as they are, and go back and forth
     * between buffers.
     *
     * @param numbers of the elements' segments; null for none
     */
    RadixSort(DeviceArray<int[]> keys, DeviceArray<int[]> values, DeviceArray<int[]> numbers) {
      n = keys.length();
      pieces = kernels.pieces(n);
      key = keys;
      value = values;
      segment = numbers;
      nextKey = buffer("keys A");
      nextValue = values == null ? null : buffer("values A");
      nextSegment = numbers == null ? null : buffer("numbers A");
      keepsSource = numbers != null;
    }

    private DeviceArray<int[]> buffer(String use) {
      return kernels.scratch(use, ElementType.INT, n);
    }

    /** Sorts by the low bits of the keys. */
    void byKey(int bits) {
      passes(bits, false);
    }

    /** Sorts by the low bits of the segments' numbers. */
    void bySegment(int bits) {
      passes(bits, true);
    }

    private void passes(int bits, boolean bySegment) {
      int passes = (bits + DIGIT_BITS - 1) / DIGIT_BITS;
      for (int pass = 0, shift = 0; pass < passes; pass++) {
        int width = (bits - shift + passes - pass - 1) / (passes - pass);
        pass(bySegment, shift, width);
        shift += width;
      }
    }

    private void pass(boolean bySegment, int shift, int bits) {
      DeviceArray<int[]> counts =
          kernels.scratch("digits", ElementType.INT, (1L << bits) * pieces.count());
      DeviceArray<int[]> digitsOf = bySegment ? segment : key;
      kernels.launch(
          "count_digits",
          pieces,
          n,
          new Fields()
              .set("n", n)
              .set("piece", pieces.length())
              .set("pieces", pieces.count())
              .set("shift", shift)
              .set("bits", bits)
              .set("keys", digitsOf)
              .set("counts", counts));
      scan(counts, counts, ScanOperator.ADD, false);
      kernels.launch(
          "move_digits",
          pieces,
          n,
          new Fields()
              .set("n", n)
              .set("piece", pieces.length())
              .set("pieces", pieces.count())
              .set("shift", shift)
              .set("bits", bits)
              .set("counts", counts)
              .set("keys", digitsOf)
              .set("keys_out", bySegment ? nextSegment : nextKey)
              .set("first", value)
              .set("first_out", nextValue)
              .set("second", bySegment ? key : segment)
              .set("second_out", bySegment ? nextKey : nextSegment));
      DeviceArray<int[]> oldKey = key;
      DeviceArray<int[]> oldValue = value;
      DeviceArray<int[]> oldSegment = segment;
      key = nextKey;
      value = nextValue;
      segment = nextSegment;
      nextKey = oldKey;
      nextValue = oldValue;
      nextSegment = oldSegment;
      if (keepsSource) {
        nextKey = buffer("keys B");
        nextValue = value == null ? null : buffer("values B");
        keepsSource = false;
      }
    }
  }
}
