package io.magpie.stm.parallel;

import static io.magpie.stm.parallel.DeviceInternals.address;
import static io.magpie.stm.parallel.DeviceInternals.addressToWrite;
import static io.magpie.stm.parallel.DeviceInternals.type;

import io.magpie.stm.DeviceArray;
import io.magpie.stm.internal.Backend.HostFunctions;
import io.magpie.stm.internal.ElementType;

/**
 * The primitives on a GPU: sums, packing and sorting by CUB, which moves each element less often,
 * the rest as in {@link PortablePrimitives}.
 */
final class CubPrimitives extends PortablePrimitives {
  private final HostFunctions cub;

  CubPrimitives(PrimitiveKernels kernels, HostFunctions cub) {
    super(kernels);
    this.cub = cub;
  }

  @Override
  String inWords() {
    return cub.inWords();
  }

  /** The address of working memory. */
  private long memory(long bytes) {
    return address(kernels.scratch("CUB", ElementType.LONG, (bytes + 7) / 8));
  }

  @Override
  void scan(DeviceArray<?> in, DeviceArray<?> out, ScanOperator op, boolean inclusive) {
    long n = in.length();
    boolean total = out.length() > n;
    boolean inPlace = address(in) == address(out);
    if (op != ScanOperator.ADD || (total && inPlace)) {
      super.scan(in, out, op, inclusive);
      return;
    }
    String function = "magpie_cub_sum_" + kindOf(type(in), type(out));
    if (total) {
      // The inclusive sums, one place further on, are the exclusive ones and the total.
      out.set(0, 0);
      cub.call(function, this::memory, address(in), addressToWrite(out) + type(out).bytes(), n, 1);
    } else {
      cub.call(function, this::memory, address(in), addressToWrite(out), n, inclusive ? 1 : 0);
    }
  }

  @Override
  void pack(
      DeviceArray<?> in, DeviceArray<int[]> flags, DeviceArray<?> out, DeviceArray<int[]> count) {
    // CUB knows no bound of the room.
    if (in == null || out.length() < in.length()) {
      super.pack(in, flags, out, count);
      return;
    }
    cub.call(
        "magpie_cub_pack_" + kindOf(type(in)),
        this::memory,
        address(in),
        address(flags),
        addressToWrite(out),
        addressToWrite(count),
        in.length());
  }

  @Override
  void sort(DeviceArray<int[]> keys, DeviceArray<int[]> values, int bits) {
    int n = (int) keys.length();
    DeviceArray<int[]> keyBuffer = kernels.scratch("keys A", ElementType.INT, n);
    DeviceArray<int[]> valueBuffer =
        values == null ? null : kernels.scratch("values A", ElementType.INT, n);
    boolean second;
    if (values == null) {
      second =
          cub.callBuffered(
              "magpie_cub_sort_keys",
              this::memory,
              addressToWrite(keys),
              address(keyBuffer),
              n,
              bits);
    } else {
      second =
          cub.callBuffered(
              "magpie_cub_sort_pairs",
              this::memory,
              addressToWrite(keys),
              address(keyBuffer),
              addressToWrite(values),
              address(valueBuffer),
              n,
              bits);
    }
    if (second) {
      keys.copyFrom(keyBuffer);
      if (values != null) {
        values.copyFrom(valueBuffer);
      }
    }
  }

  @Override
  void sortSegments(
      DeviceArray<int[]> keys,
      DeviceArray<int[]> values,
      DeviceArray<int[]> offsets,
      int segments) {
    int n = (int) keys.length();
    DeviceArray<int[]> keyBuffer = kernels.scratch("keys A", ElementType.INT, n);
    DeviceArray<int[]> valueBuffer = kernels.scratch("values A", ElementType.INT, n);
    // Keys alone are sorted with values that nobody looks at.
    DeviceArray<int[]> moved =
        values == null ? kernels.scratch("values B", ElementType.INT, n) : values;
    boolean second =
        cub.callBuffered(
            "magpie_cub_sort_segments",
            this::memory,
            addressToWrite(keys),
            address(keyBuffer),
            addressToWrite(moved),
            address(valueBuffer),
            n,
            segments,
            address(offsets));
    if (second) {
      copySegments(keyBuffer, keys, values == null ? null : valueBuffer, values, offsets, segments);
    }
  }
}
