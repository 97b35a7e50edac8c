package io.magpie.stm.parallel;

import static io.magpie.stm.parallel.DeviceInternals.address;
import static io.magpie.stm.parallel.DeviceInternals.adopt;
import static io.magpie.stm.parallel.DeviceInternals.cub;
import static io.magpie.stm.parallel.DeviceInternals.exclusively;
import static io.magpie.stm.parallel.DeviceInternals.keep;
import static io.magpie.stm.parallel.DeviceInternals.kept;
import static io.magpie.stm.parallel.DeviceInternals.type;

import io.magpie.stm.CompilationException;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.KernelModule;
import io.magpie.stm.internal.Backend.HostFunctions;
import io.magpie.stm.internal.ElementType;
import java.util.Objects;
import java.util.function.LongConsumer;

/**
 * Data-parallel building blocks over arrays of a device: scan, reduction, packing, splitting,
 * sorting, over whole arrays and by segments. See {@link #of}.
 *
 * <p>Calls that return nothing may return before the work is done, so that a chain of them costs no
 * round trip to a GPU, unless they say that they wait; calls that return a number wait for it.
 * Everything happens in the order of the calls. Results do not depend on how threads ran, nor on
 * the formulation.
 *
 * <p>Elements are ints or longs, of one type in all arrays of a call unless said otherwise. Flags
 * are ints, set where they are not 0. Segments are given by <i>heads</i>, a flag for each element
 * that is set where a segment begins (one always begins at element 0), or by <i>offsets</i>, where
 * segment s is {@code offsets[s]} to {@code offsets[s + 1] - 1}; segments by offsets may be empty.
 * Offsets ascend and do not lead beyond the array; others are undefined, and {@code cpu-checked}
 * and {@code sim} tell of some.
 *
 * <p>Arrays of one call must not overlap unless a method says that they may be the same. Such an
 * overlap, arrays of the wrong length and arrays of another device throw {@link
 * IllegalArgumentException} that names argument and lengths; nothing was started then. Lengths:
 * scans, reductions and copies take any; calls that give counts or positions of elements as ints,
 * or take offsets, take up to 2<sup>31</sup> - 1 and reject more.
 *
 * <p>Working memory is kept for later calls until the device closes. Thread-safe, as the device is.
 */
public final class Primitives {
  /** How primitives are computed. The results are the same. */
  public enum Formulation {
    /**
     * On a GPU sums, packing and sorting by CUB; everything else, and everything where CUB is
     * missing, which the log then says, is {@link #PORTABLE}.
     */
    DEFAULT,
    /** Magpie's own kernels, the same on every machine. */
    PORTABLE,
    /**
     * To compare with: scans over a binary tree, first up, then down, and what is built from scans;
     * segments are sorted by a quicksort made of them, which waits after each pass and takes as
     * many passes as the longest segment has elements at worst. What has no such form is {@link
     * #PORTABLE}.
     */
    TWO_SWEEP
  }

  /** What {@link #watchMemory} began. */
  @FunctionalInterface
  public interface MemoryWatch extends AutoCloseable {
    /** Ends it. */
    @Override
    void close();
  }

  /** The primitives of a device, which closes them. */
  private record OfDevice(Primitives primitives) implements AutoCloseable {
    @Override
    public void close() {
      primitives.kernels.close();
    }
  }

  private final Device device;
  private final PrimitiveKernels kernels;
  private final Formulation formulation;
  private final PortablePrimitives work;

  /**
   * The primitives of a device, in the formulation {@link Formulation#DEFAULT}. They are loaded by
   * the first call for it, and closed with it.
   *
   * @throws CompilationException if they were built without this machine's flavor and cannot be
   *     compiled here
   */
  public static Primitives of(Device device) {
    OfDevice known = exclusively(device, () -> kept(device, OfDevice.class));
    if (known != null) {
      return known.primitives;
    }
    KernelModule module = device.load("primitives"); // outside of the queue: it may compile
    return exclusively(
        device,
        () -> {
          adopt(device, module); // the device's own: no leak, and for arrays of any name
          OfDevice meanwhile = kept(device, OfDevice.class);
          return meanwhile != null
              ? meanwhile.primitives
              : keep(device, new OfDevice(loaded(device, module))).primitives;
        });
  }

  private static Primitives loaded(Device device, KernelModule module) {
    return new Primitives(new PrimitiveKernels(device, module), Formulation.DEFAULT);
  }

  private Primitives(PrimitiveKernels kernels, Formulation formulation) {
    this.device = kernels.device();
    this.kernels = kernels;
    this.formulation = formulation;
    this.work =
        switch (formulation) {
          case DEFAULT -> fastest(kernels);
          case PORTABLE -> new PortablePrimitives(kernels);
          case TWO_SWEEP -> new TwoSweepPrimitives(kernels);
        };
  }

  private static PortablePrimitives fastest(PrimitiveKernels kernels) {
    Device device = kernels.device();
    HostFunctions cub = exclusively(device, () -> cub(device));
    return cub == null ? new PortablePrimitives(kernels) : new CubPrimitives(kernels, cub);
  }

  /** The same primitives in a formulation; they share working memory. */
  public Primitives with(Formulation formulation) {
    return new Primitives(kernels, Objects.requireNonNull(formulation, "formulation"));
  }

  /** How they are computed. */
  public Formulation formulation() {
    return formulation;
  }

  /**
   * Watches the working memory that calls need, in every formulation and by every thread: its
   * bytes, as they would be if none were kept from earlier calls.
   *
   * @param grown receives the bytes each time that they grow, in the thread of the call; must not
   *     use the device
   */
  public MemoryWatch watchMemory(LongConsumer grown) {
    Objects.requireNonNull(grown, "grown");
    return kernels.watch(grown)::run;
  }

  /** The device whose arrays they take. */
  public Device device() {
    return device;
  }

  /**
   * Exclusive scan: {@code out[i] = in[0] op .. op in[i - 1]}, the identity for i = 0.
   *
   * @param in ints or longs
   * @param out as long as {@code in}, or one longer: then its last element becomes the reduction of
   *     all. May begin where {@code in} does
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
    exclusively(
        device,
        () -> {
          checks.sameOrApart("in", in, "out", out);
          if (n > 0) {
            work.scan(in, out, op, inclusive);
          } else if (out.length() > 0) {
            out.fill(op.identity(type(out)));
          }
          return null;
        });
  }

  /**
   * Scan of each segment by itself.
   *
   * @param in ints or longs
   * @param heads where segments begin
   * @param out as long as {@code in}; may be {@code in}
   * @param op the operator
   * @param inclusive whether an element's own value belongs to its result; otherwise a head's
   *     result is the identity
   */
  public <A> void segmentedScan(
      DeviceArray<A> in,
      DeviceArray<int[]> heads,
      DeviceArray<A> out,
      ScanOperator op,
      boolean inclusive) {
    Checks checks = new Checks("segmentedScan");
    checks.wholeNumbers("in", in);
    checks.asLong("heads", heads, "in", in);
    checks.asLong("out", out, "in", in);
    Objects.requireNonNull(op, "op");
    exclusively(
        device,
        () -> {
          checks.sameOrApart("in", in, "out", out);
          checks.apart("heads", heads, "out", out);
          if (in.length() > 0) {
            work.segmentedScan(in, heads, out, op, inclusive);
          }
          return null;
        });
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
    return exclusively(
        device, () -> in.length() == 0 ? op.identity(type(in)) : work.reduce(in, op));
  }

  /**
   * Reduces each segment: {@code out[s] = in[offsets[s]] op .. op in[offsets[s + 1] - 1]}, the
   * identity for an empty one.
   *
   * @param in ints or longs
   * @param offsets one more than segments
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
   * @param offsets one more than segments
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
    checks.countable("in", in);
    checks.countable("out", out);
    checks.that(
        offsets.length() == out.length() + 1,
        "offsets has %d elements, out has %d: offsets needs one more",
        offsets.length(),
        out.length());
    exclusively(
        device,
        () -> {
          checks.apart("in", in, "out", out);
          checks.apart("offsets", offsets, "out", out);
          if (out.length() > 0) {
            work.reduceSegments(in, offsets, out, op);
          }
          return null;
        });
  }

  /**
   * Counts the set flags before each element.
   *
   * @param flags at most 2<sup>31</sup> - 1
   * @param out as long as {@code flags}
   */
  public void enumerate(DeviceArray<int[]> flags, DeviceArray<int[]> out) {
    enumerate(new Checks("enumerate"), flags, null, out);
  }

  /**
   * Counts the set flags before each element in its segment.
   *
   * @param flags at most 2<sup>31</sup> - 1
   * @param heads where segments begin
   * @param out as long as {@code flags}
   */
  public void enumerate(
      DeviceArray<int[]> flags, DeviceArray<int[]> heads, DeviceArray<int[]> out) {
    Checks checks = new Checks("enumerate");
    checks.here("flags", flags);
    checks.asLong("heads", heads, "flags", flags);
    enumerate(checks, flags, heads, out);
  }

  private void enumerate(
      Checks checks, DeviceArray<int[]> flags, DeviceArray<int[]> heads, DeviceArray<int[]> out) {
    checks.here("flags", flags);
    checks.countable("flags", flags);
    checks.asLong("out", out, "flags", flags);
    exclusively(
        device,
        () -> {
          checks.apart("flags", flags, "out", out);
          checks.apart("heads", heads, "out", out);
          if (flags.length() > 0) {
            work.enumerate(flags, heads, out);
          }
          return null;
        });
  }

  /**
   * Gives every element the value of its segment's first one.
   *
   * @param in ints or longs
   * @param heads where segments begin
   * @param out as long as {@code in}
   */
  public <A> void copyHeads(DeviceArray<A> in, DeviceArray<int[]> heads, DeviceArray<A> out) {
    copyMarks("copyHeads", in, heads, out, false);
  }

  /**
   * Gives every element the value of its segment's last one.
   *
   * @param in ints or longs
   * @param heads where segments begin
   * @param out as long as {@code in}
   */
  public <A> void copyTails(DeviceArray<A> in, DeviceArray<int[]> heads, DeviceArray<A> out) {
    copyMarks("copyTails", in, heads, out, true);
  }

  private void copyMarks(
      String method,
      DeviceArray<?> in,
      DeviceArray<int[]> heads,
      DeviceArray<?> out,
      boolean backwards) {
    Checks checks = new Checks(method);
    checks.wholeNumbers("in", in);
    checks.asLong("heads", heads, "in", in);
    checks.asLong("out", out, "in", in);
    exclusively(
        device,
        () -> {
          checks.apart("in", in, "out", out);
          checks.apart("heads", heads, "out", out);
          if (in.length() > 0) {
            work.copyMarks(in, heads, out, backwards);
          }
          return null;
        });
  }

  /**
   * Copies the elements whose flag is set to the beginning of {@code out}, in their order; waits
   * for their number.
   *
   * @param in ints or longs, or null for the positions 0, 1, .. themselves
   * @param flags one for each element, at most 2<sup>31</sup> - 1
   * @param out has room for those elements; what lies behind them stays
   * @return how many there are
   * @throws IllegalArgumentException also if {@code out} has too little room; it is full then
   */
  public <A> int pack(DeviceArray<A> in, DeviceArray<int[]> flags, DeviceArray<A> out) {
    return exclusively(
        device,
        () -> {
          DeviceArray<int[]> count = kernels.scratch("count", ElementType.INT, 1);
          pack(in, flags, out, count);
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
   * to the device.
   *
   * @param count its first element receives how many flags are set; if they are more than {@code
   *     out} has elements, {@code out} is full and has no others
   */
  public <A> void pack(
      DeviceArray<A> in, DeviceArray<int[]> flags, DeviceArray<A> out, DeviceArray<int[]> count) {
    Checks checks = new Checks("pack");
    checks.here("flags", flags);
    checks.countable("flags", flags);
    checks.wholeNumbers("out", out);
    if (in != null) {
      checks.asLong("in", in, "flags", flags);
    }
    checks.atLeast("count", count, 1);
    exclusively(
        device,
        () -> {
          checks.apart("in", in, "out", out);
          checks.apart("flags", flags, "out", out);
          checks.apart("in", in, "count", count);
          checks.apart("flags", flags, "count", count);
          checks.apart("out", out, "count", count);
          if (flags.length() > 0) {
            work.pack(in, flags, out, count);
          } else {
            count.set(0, 0);
          }
          return null;
        });
  }

  /**
   * Pushes the items whose mark is set to a worklist, behind what it has and in their order: what
   * the threads of a launch decided, one mark each, becomes the next list as a loop over them would
   * have made it. Does not wait.
   *
   * @param items pushed if marked, or null for the positions 0, 1, .. themselves
   * @param marks one for each item, set where not 0; at most 2<sup>31</sup> - 1
   * @param to receives them; those that find no place are counted
   */
  public void pushMarked(DeviceArray<int[]> items, DeviceArray<int[]> marks, KernelWorklist to) {
    Checks checks = new Checks("pushMarked");
    checks.here("marks", marks);
    checks.countable("marks", marks);
    if (items != null) {
      checks.asLong("items", items, "marks", marks);
    }
    checks.that(
        to.device() == device,
        "to is a list of another device: make it on %s",
        device.description().spec());
    exclusively(
        device,
        () -> {
          checks.apart("items", items, "to", to.places());
          checks.apart("marks", marks, "to", to.places());
          if (marks.length() > 0) {
            work.pushMarked(items, marks, to);
          }
          return null;
        });
  }

  /**
   * Splits each segment: its elements whose flag is not set come first, those whose flag is set
   * after them, both in their order, and the two parts become segments of their own.
   *
   * @param in at most 2<sup>31</sup> - 1
   * @param flags one for each element
   * @param heads where segments begin
   * @param out as long as {@code in}
   * @param outHeads as long as {@code in}: 1 where a segment begins in {@code out}, else 0
   */
  public void splitAndSegment(
      DeviceArray<int[]> in,
      DeviceArray<int[]> flags,
      DeviceArray<int[]> heads,
      DeviceArray<int[]> out,
      DeviceArray<int[]> outHeads) {
    Checks checks = new Checks("splitAndSegment");
    checks.here("in", in);
    checks.countable("in", in);
    checks.asLong("flags", flags, "in", in);
    checks.asLong("heads", heads, "in", in);
    checks.asLong("out", out, "in", in);
    checks.asLong("outHeads", outHeads, "in", in);
    exclusively(
        device,
        () -> {
          checks.apart("in", in, "out", out);
          checks.apart("flags", flags, "out", out);
          checks.apart("heads", heads, "out", out);
          checks.apart("in", in, "outHeads", outHeads);
          checks.apart("flags", flags, "outHeads", outHeads);
          checks.apart("heads", heads, "outHeads", outHeads);
          checks.apart("out", out, "outHeads", outHeads);
          if (in.length() > 0) {
            work.split(flags, heads, outHeads, in, out, null, null);
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
    exclusively(
        device,
        () -> {
          checks.apart("keys", keys, "values", values);
          if (keys.length() > 1 && bits > 0) {
            work.sort(keys, values, bits);
          }
          return null;
        });
  }

  /**
   * Sorts each segment by its unsigned keys, in place; stable. What lies in no segment stays. On a
   * GPU it may wait.
   *
   * @param keys at most 2<sup>31</sup> - 1
   * @param values moved with their keys, as many as those; null for none
   * @param offsets at least one more than segments
   * @param segments how many there are
   */
  public void sortSegments(
      DeviceArray<int[]> keys,
      DeviceArray<int[]> values,
      DeviceArray<int[]> offsets,
      int segments) {
    Checks checks = new Checks("sortSegments");
    checks.keysAndValues(keys, values);
    checks.that(segments >= 0, "segments must be at least 0, got %d", segments);
    checks.atLeast("offsets", offsets, segments + 1L);
    exclusively(
        device,
        () -> {
          checks.apart("keys", keys, "values", values);
          checks.apart("keys", keys, "offsets", offsets);
          checks.apart("values", values, "offsets", offsets);
          if (segments > 0 && keys.length() > 1) {
            work.sortSegments(keys, values, offsets, segments);
          }
          return null;
        });
  }

  @Override
  public String toString() {
    return "primitives on " + device.description().spec() + ", " + work.inWords();
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
          "%s is another device's %s: copy it to %s",
          name,
          array,
          device.description().spec());
    }

    void wholeNumbers(String name, DeviceArray<?> array) {
      here(name, array);
      that(!type(array).isFloating(), "%s is %s: give ints or longs", name, array);
    }

    void asLong(String name, DeviceArray<?> array, String otherName, DeviceArray<?> other) {
      here(name, array);
      that(
          array.length() == other.length(),
          "%s has %d elements, %s has %d: give as many",
          name,
          array.length(),
          otherName,
          other.length());
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

    void countable(String name, DeviceArray<?> array) {
      that(
          array.length() <= Integer.MAX_VALUE,
          "%s has %d elements, at most 2^31 - 1 are allowed",
          name,
          array.length());
    }

    void keysAndValues(DeviceArray<int[]> keys, DeviceArray<int[]> values) {
      here("keys", keys);
      countable("keys", keys);
      if (values != null) {
        asLong("values", values, "keys", keys);
      }
    }

    /** Within the device's queue. Null arrays overlap nothing. */
    void apart(String name, DeviceArray<?> array, String otherName, DeviceArray<?> other) {
      that(
          array == null
              || other == null
              || address(array) + array.bytes() <= address(other)
              || address(other) + other.bytes() <= address(array),
          "%s and %s overlap",
          name,
          otherName);
    }

    /** Within the device's queue: arrays that begin at one place and have one type may be one. */
    void sameOrApart(String name, DeviceArray<?> array, String otherName, DeviceArray<?> other) {
      if (address(array) != address(other) || type(array) != type(other)) {
        apart(name, array, otherName, other);
      }
    }
  }
}
