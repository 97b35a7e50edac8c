package io.magpie.stm;

import io.magpie.stm.PrimitiveKernels.Pieces;
import java.util.Objects;

/**
 * Data-parallel building blocks over arrays of a device: scan, reduction, packing, sorting, over
 * whole arrays and by segments. From {@link Device#primitives()}.
 *
 * <p>Calls that return nothing may return before the work is done, so that a chain of them costs no
 * round trip to a GPU; calls that return a number wait for it. Everything happens in the order of
 * the calls. Results do not depend on how threads ran.
 *
 * <p>Elements are {@code int} or {@code long}, of the same type in all arrays of a call unless said
 * otherwise. Flags are ints, set where they are not 0. Arrays of one call may be the same where
 * that is said, and must not overlap otherwise; a violation, arrays of the wrong length and arrays
 * of another device throw {@link IllegalArgumentException} that names argument and lengths, and
 * nothing was started. Lengths: scans and reductions take any; calls that give positions or counts
 * of elements as ints, and calls with offsets, reject more than 2<sup>31</sup> - 1.
 *
 * <p>Working memory is kept for later calls until the device closes. Thread-safe, as the device is.
 */
public final class Primitives {
  private static final int DIGIT_BITS = 8;

  private final Device device;
  private final PrimitiveKernels kernels;

  Primitives(PrimitiveKernels kernels) {
    this.device = kernels.device();
    this.kernels = kernels;
  }

  /**
   * Exclusive scan: {@code out[i] = in[0] op .. op in[i - 1]}, the identity for i = 0.
   *
   * @param in ints or longs
   * @param out as long as {@code in}, or one longer: then its last element becomes the reduction of
   *     all. May be {@code in}, or begin where it begins
   * @param op the operator
   */
  public <A> void exclusiveScan(DeviceArray<A> in, DeviceArray<A> out, ScanOperator op) {
    scan("exclusiveScan", in, out, op, false);
  }

  /**
   * Inclusive scan: {@code out[i] = in[0] op .. op in[i]}.
   *
   * @param in ints or longs
   * @param out as long as {@code in}; may be {@code in}
   * @param op the operator
   */
  public <A> void inclusiveScan(DeviceArray<A> in, DeviceArray<A> out, ScanOperator op) {
    scan("inclusiveScan", in, out, op, true);
  }

  /**
   * Exclusive sums of ints in 64 bits.
   *
   * @param out as long as {@code in}, or one longer: then its last element becomes the sum of all
   */
  public void exclusiveSums(DeviceArray<int[]> in, DeviceArray<long[]> out) {
    scan("exclusiveSums", in, out, ScanOperator.ADD, false);
  }

  /**
   * Inclusive sums of ints in 64 bits.
   *
   * @param out as long as {@code in}
   */
  public void inclusiveSums(DeviceArray<int[]> in, DeviceArray<long[]> out) {
    scan("inclusiveSums", in, out, ScanOperator.ADD, true);
  }

  private void scan(
      String method, DeviceArray<?> in, DeviceArray<?> out, ScanOperator op, boolean inclusive) {
    Checks checks = new Checks(method);
    checks.wholeNumbers("in", in);
    checks.here("out", out);
    Objects.requireNonNull(op, "op");
    long n = in.length();
    checks.that(
        out.length() == n || (!inclusive && out.length() == n + 1),
        "out has %d elements, in has %d: give as many%s",
        out.length(),
        n,
        inclusive ? "" : ", or one more for the reduction of all");
    String kind = kindOf(in, out);
    device.exclusively(
        () -> {
          if (in.address() != out.address() || in.type() != out.type()) {
            checks.apart("in", in, "out", out);
          }
          Pieces pieces = kernels.pieces(n);
          DeviceArray<?> sums = kernels.scratch("sums", out.type(), pieces.count());
          if (pieces.count() > 1) {
            kernels.launch("reduce_" + kind, pieces, n, n, pieces.length(), op.ordinal(), in, sums);
          }
          if (n > 0) {
            kernels.launch(
                "scan_" + kind,
                pieces,
                n,
                n,
                pieces.length(),
                op.ordinal(),
                inclusive ? 1 : 0,
                in,
                sums,
                out);
          } else if (out.length() > 0) {
            out.fill(op.identity(out.type()));
          }
          return null;
        });
  }

  /** The suffix of kernels that read one type and make another. */
  private static String kindOf(DeviceArray<?> in, DeviceArray<?> out) {
    return in.type() == out.type() ? in.type() + "s" : in.type() + "s_to_" + out.type() + "s";
  }

  /**
   * The sum of all elements in 64 bits, 0 for an empty array; waits for it.
   *
   * @param in ints or longs
   */
  public long sum(DeviceArray<?> in) {
    return reduce("sum", in, ScanOperator.ADD);
  }

  /**
   * {@code in[0] op in[1] op ..}, the identity for an empty array; waits for it.
   *
   * @param in ints or longs; ints are added in 64 bits
   * @param op the operator
   */
  public long reduce(DeviceArray<?> in, ScanOperator op) {
    return reduce("reduce", in, op);
  }

  private long reduce(String method, DeviceArray<?> in, ScanOperator op) {
    new Checks(method).wholeNumbers("in", in);
    Objects.requireNonNull(op, "op");
    boolean widens = op == ScanOperator.ADD && in.type() == ElementType.INT;
    ElementType<?> type = widens ? ElementType.LONG : in.type();
    long n = in.length();
    if (n == 0) {
      return op.identity(type);
    }
    return device.exclusively(
        () -> {
          Pieces pieces = kernels.pieces(n);
          DeviceArray<?> sums = kernels.scratch("sums", type, pieces.count() + 1L);
          kernels.launch(
              "reduce_" + kindOf(in, sums), pieces, n, n, pieces.length(), op.ordinal(), in, sums);
          if (pieces.count() == 1) {
            return sums.getLong(0);
          }
          int count = pieces.count();
          DeviceArray<?> one = sums.slice(count, 1);
          kernels.launch(
              "reduce_" + type + "s",
              new Pieces(count, 1),
              count,
              (long) count,
              (long) count,
              op.ordinal(),
              sums,
              one);
          return one.getLong(0);
        });
  }

  /**
   * Copies the elements whose flag is set to the beginning of {@code out}, in their order; waits
   * for their number.
   *
   * @param in ints or longs, or null for the positions themselves, 0 to n - 1
   * @param flags one for each element
   * @param out has room for those elements; what lies behind them stays
   * @return how many there are
   * @throws IllegalArgumentException also if {@code out} has too little room; it has then as many
   *     of them as it holds
   */
  public <A> int pack(DeviceArray<A> in, DeviceArray<int[]> flags, DeviceArray<A> out) {
    return device.exclusively(
        () -> {
          DeviceArray<int[]> count = kernels.scratch("count", ElementType.INT, 1);
          startPack(in, flags, out, count);
          int found = count.getInt(0);
          new Checks("pack")
              .that(
                  found <= out.length(),
                  "%d flags are set, out has %d elements: give it more",
                  found,
                  out.length());
          return found;
        });
  }

  /**
   * Like {@link #pack(DeviceArray, DeviceArray, DeviceArray)}, but does not wait: the number goes
   * to {@code count[0]}. It may be larger than {@code out} is long; {@code out} has then as many as
   * it holds.
   *
   * @param count at least one element
   */
  public <A> void pack(
      DeviceArray<A> in, DeviceArray<int[]> flags, DeviceArray<A> out, DeviceArray<int[]> count) {
    new Checks("pack").atLeast("count", count, 1);
    device.exclusively(
        () -> {
          startPack(in, flags, out, count);
          return null;
        });
  }

  private <A> void startPack(
      DeviceArray<A> in, DeviceArray<int[]> flags, DeviceArray<A> out, DeviceArray<int[]> count) {
    Checks checks = new Checks("pack");
    checks.here("flags", flags);
    checks.wholeNumbers("out", out);
    long n = flags.length();
    checks.atMostInts("flags", flags);
    if (in != null) {
      checks.here("in", in);
      checks.that(in.length() == n, "in has %d elements, flags has %d", in.length(), n);
      checks.apart("in", in, "out", out);
    }
    checks.apart("flags", flags, "out", out);
    checks.apart("count", count, "out", out);
    if (n == 0) {
      count.slice(0, 1).fill(0);
      return;
    }
    Pieces pieces = kernels.pieces(n);
    DeviceArray<int[]> sums = kernels.scratch("sums", ElementType.INT, pieces.count());
    if (pieces.count() > 1) {
      kernels.launch("count_flags", pieces, n, n, pieces.length(), flags, sums);
    }
    kernels.launch(
        "pack_" + out.type() + "s", pieces, n, n, pieces.length(), flags, sums, in, out, count);
  }

  /**
   * Reduces each segment: {@code out[s] = in[offsets[s]] op .. op in[offsets[s + 1] - 1]}, the
   * identity for an empty one.
   *
   * @param in ints or longs
   * @param offsets one more than segments, ascending, none beyond the end of {@code in}
   * @param out one element for each segment
   * @param op the operator
   */
  public <A> void reduceBySegment(
      DeviceArray<A> in, DeviceArray<int[]> offsets, DeviceArray<A> out, ScanOperator op) {
    reduceBySegment("reduceBySegment", in, offsets, out, op);
  }

  /**
   * Sums each segment of an array of ints in 64 bits; see {@link #reduceBySegment}.
   *
   * @param out one element for each segment
   */
  public void sumBySegment(
      DeviceArray<int[]> in, DeviceArray<int[]> offsets, DeviceArray<long[]> out) {
    reduceBySegment("sumBySegment", in, offsets, out, ScanOperator.ADD);
  }

  private void reduceBySegment(
      String method,
      DeviceArray<?> in,
      DeviceArray<int[]> offsets,
      DeviceArray<?> out,
      ScanOperator op) {
    Checks checks = new Checks(method);
    checks.wholeNumbers("in", in);
    checks.here("offsets", offsets);
    checks.here("out", out);
    Objects.requireNonNull(op, "op");
    checks.atMostInts("in", in);
    checks.that(
        offsets.length() == out.length() + 1,
        "offsets has %d elements, out has %d: offsets needs one more",
        offsets.length(),
        out.length());
    long segments = out.length();
    checks.atMostInts("out", out);
    if (segments == 0) {
      return;
    }
    device.exclusively(
        () -> {
          checks.apart("in", in, "out", out);
          checks.apart("offsets", offsets, "out", out);
          long work = segments + in.length();
          Pieces pieces = kernels.pieces(work);
          int count = pieces.count();
          DeviceArray<?> leads = kernels.scratch("leads", out.type(), count);
          DeviceArray<?> tails = kernels.scratch("tails", out.type(), count);
          DeviceArray<int[]> open = kernels.scratch("open", ElementType.INT, count);
          kernels.launch(
              "reduce_segments_" + kindOf(in, out),
              pieces,
              work,
              (int) segments,
              count,
              op.ordinal(),
              in,
              offsets,
              leads,
              tails,
              open,
              out);
          if (count > 1) {
            kernels.launch(
                "join_segments_" + out.type() + "s",
                pieces,
                work,
                (int) segments,
                count,
                op.ordinal(),
                offsets,
                leads,
                tails,
                open,
                out);
          }
          return null;
        });
  }

  /**
   * Sorts in place by the low bits of unsigned keys; stable.
   *
   * @param keys at most 2<sup>31</sup> - 1
   * @param values moved with their keys, as many as those; null for none
   * @param bits how many low bits of a key count, 0 to 32; the others go with it unseen
   */
  public void sort(DeviceArray<int[]> keys, DeviceArray<int[]> values, int bits) {
    Checks checks = new Checks("sort");
    checks.keysAndValues(keys, values);
    checks.that(bits >= 0 && bits <= 32, "bits must be from 0 to 32, got %d", bits);
    if (keys.length() < 2) {
      return;
    }
    device.exclusively(
        () -> {
          checks.apart("keys", keys, "values", values);
          RadixSort sorted = new RadixSort(keys, values);
          sorted.byKey(bits);
          if (sorted.key != keys) {
            keys.copyFrom(sorted.key);
            if (values != null) {
              values.copyFrom(sorted.value);
            }
          }
          return null;
        });
  }

  /**
   * Sorts each segment by its unsigned keys, in place; stable. What lies in no segment stays.
   *
   * @param keys at most 2<sup>31</sup> - 1
   * @param values moved with their keys, as many as those; null for none
   * @param offsets segment s is {@code offsets[s]} to {@code offsets[s + 1] - 1}; ascending, none
   *     beyond the end of {@code keys}
   * @param segments how many there are, less than {@code offsets} has elements
   */
  public void sortSegments(
      DeviceArray<int[]> keys,
      DeviceArray<int[]> values,
      DeviceArray<int[]> offsets,
      int segments) {
    Checks checks = new Checks("sortSegments");
    checks.keysAndValues(keys, values);
    checks.here("offsets", offsets);
    checks.that(segments >= 0, "segments must be at least 0, got %d", segments);
    checks.atLeast("offsets", offsets, segments + 1L);
    if (segments == 0 || keys.length() < 2) {
      return;
    }
    device.exclusively(
        () -> {
          checks.apart("keys", keys, "values", values);
          checks.apart("keys", keys, "offsets", offsets);
          checks.apart("values", values, "offsets", offsets);
          if (device.machine() == Machine.CPU) {
            sortSegmentsOneByOne(keys, values, offsets, segments);
          } else {
            sortSegmentsByRadix(keys, values, offsets, segments);
          }
          return null;
        });
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
        segments,
        pieces.count(),
        offsets,
        keys,
        values,
        kernels.scratch("keys A", ElementType.INT, n),
        values == null ? null : kernels.scratch("values A", ElementType.INT, n));
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
        "number_segments", pieces, n + segments, n, segments, pieces.count(), offsets, numbers);
    RadixSort sorted = new RadixSort(keys, values, numbers);
    sorted.byKey(32);
    sorted.bySegment(32 - Integer.numberOfLeadingZeros(segments + 1));
    kernels.launch(
        "copy_segments",
        kernels.pieces(n),
        n,
        segments,
        offsets,
        sorted.key,
        keys,
        sorted.value,
        values);
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

    /** Passes go to and fro between the arrays given and buffers. */
    RadixSort(DeviceArray<int[]> keys, DeviceArray<int[]> values) {
      this(keys, values, null);
    }

    /**
     * Passes begin at the arrays given, leave keys and values as they are, and go to and fro
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
          n,
          pieces.length(),
          pieces.count(),
          shift,
          bits,
          digitsOf,
          counts);
      exclusiveScan(counts, counts, ScanOperator.ADD);
      kernels.launch(
          "move_digits",
          pieces,
          n,
          n,
          pieces.length(),
          pieces.count(),
          shift,
          bits,
          counts,
          digitsOf,
          bySegment ? nextSegment : nextKey,
          value,
          nextValue,
          bySegment ? key : segment,
          bySegment ? nextKey : nextSegment);
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

  /** Frees the working memory; for the device that closes. */
  void close() {
    kernels.close();
  }

  @Override
  public String toString() {
    return "primitives on " + device.description().spec();
  }

  /** Checks of one call's arguments. */
  private final class Checks {
    private final String method;

    Checks(String method) {
      this.method = method;
    }

    void that(boolean holds, String format, Object... values) {
      if (!holds) {
        throw new IllegalArgumentException(method + ": " + String.format(format, values));
      }
    }

    void here(String name, DeviceArray<?> array) {
      Objects.requireNonNull(array, name);
      that(
          array.device() == device,
          "%s is a %s: this is %s",
          name,
          array,
          device.description().spec());
    }

    void wholeNumbers(String name, DeviceArray<?> array) {
      here(name, array);
      that(!array.type().isFloating(), "%s is a %s: ints or longs are needed", name, array);
    }

    void atLeast(String name, DeviceArray<?> array, long length) {
      here(name, array);
      that(
          array.length() >= length,
          "%s has %d elements, at least %d are needed",
          name,
          array.length(),
          length);
    }

    void atMostInts(String name, DeviceArray<?> array) {
      that(
          array.length() <= Integer.MAX_VALUE,
          "%s has %d elements, at most 2^31 - 1 are allowed",
          name,
          array.length());
    }

    void keysAndValues(DeviceArray<int[]> keys, DeviceArray<int[]> values) {
      here("keys", keys);
      atMostInts("keys", keys);
      if (values != null) {
        here("values", values);
        that(
            values.length() == keys.length(),
            "values has %d elements, keys has %d",
            values.length(),
            keys.length());
      }
    }

    /** Within the device's queue. Null arrays overlap nothing. */
    void apart(String name, DeviceArray<?> array, String otherName, DeviceArray<?> other) {
      if (array == null || other == null) {
        return;
      }
      that(
          array.address() + array.bytes() <= other.address()
              || other.address() + other.bytes() <= array.address(),
          "%s and %s overlap",
          name,
          otherName);
    }
  }
}
