package io.magpie.stm;

import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import io.magpie.stm.internal.Backend.HostFunctions;

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

  /** Asks how much working memory a call needs, then makes it. */
  private void call(String function, Object... arguments) {
    LongByReference bytes = new LongByReference();
    Object[] all = new Object[arguments.length + 2];
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    all[0] = 0L;
    all[1] = bytes;
    cub.call(function, all);
    // No memory at all would ask again.
    long words = Math.max(1, (bytes.getValue() + 7) / 8);
    all[0] = kernels.scratch("CUB", ElementType.LONG, words).address();
    cub.call(function, all);
  }

  @Override
  void scan(DeviceArray<?> in, DeviceArray<?> out, ScanOperator op, boolean inclusive) {
    long n = in.length();
    boolean total = out.length() > n;
    boolean inPlace = in.address() == out.address();
    if (op != ScanOperator.ADD || (total && inPlace)) {
      super.scan(in, out, op, inclusive);
      return;
    }
    String function = "magpie_cub_sum_" + kindOf(in.type(), out.type());
    if (total) {
      // The inclusive sums, one place further on, are the exclusive ones and the total.
      out.set(0, 0);
      call(function, in.address(), out.address() + out.type().bytes(), n, 1);
    } else {
      call(function, in.address(), out.address(), n, inclusive ? 1 : 0);
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
    call(
        "magpie_cub_pack_" + kindOf(in.type()),
        in.address(),
        flags.address(),
        out.address(),
        count.address(),
        in.length());
  }

  @Override
  void sort(DeviceArray<int[]> keys, DeviceArray<int[]> values, int bits) {
    int n = (int) keys.length();
    DeviceArray<int[]> keyBuffer = kernels.scratch("keys A", ElementType.INT, n);
    IntByReference second = new IntByReference();
    if (values == null) {
      call("magpie_cub_sort_keys", keys.address(), keyBuffer.address(), n, bits, second);
    } else {
      DeviceArray<int[]> valueBuffer = kernels.scratch("values A", ElementType.INT, n);
      call(
          "magpie_cub_sort_pairs",
          keys.address(),
          keyBuffer.address(),
          values.address(),
          valueBuffer.address(),
          n,
          bits,
          second);
      if (second.getValue() != 0) {
        values.copyFrom(valueBuffer);
      }
    }
    if (second.getValue() != 0) {
      keys.copyFrom(keyBuffer);
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
    IntByReference second = new IntByReference();
    call(
        "magpie_cub_sort_segments",
        keys.address(),
        keyBuffer.address(),
        moved.address(),
        valueBuffer.address(),
        n,
        segments,
        offsets.address(),
        second);
    if (second.getValue() != 0) {
      copySegments(keyBuffer, keys, values == null ? null : valueBuffer, values, offsets, segments);
    }
  }
}
