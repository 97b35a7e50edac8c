package io.magpie.stm.parallel;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** What the primitives must give, by plain loops. */
final class PrimitivesOracle {
  private PrimitivesOracle() {}

  static int identityInt(ScanOperator op) {
    return switch (op) {
      case ADD, OR -> 0;
      case MIN -> Integer.MAX_VALUE;
      case MAX -> Integer.MIN_VALUE;
      case AND -> 0xffffffff;
    };
  }

  static long identityLong(ScanOperator op) {
    return switch (op) {
      case ADD, OR -> 0;
      case MIN -> Long.MAX_VALUE;
      case MAX -> Long.MIN_VALUE;
      case AND -> 0xffffffffffffffffL;
    };
  }

  static int apply(ScanOperator op, int a, int b) {
    return switch (op) {
      case ADD -> a + b;
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
      case AND -> a & b;
      case OR -> a | b;
    };
  }

  static long apply(ScanOperator op, long a, long b) {
    return switch (op) {
      case ADD -> a + b;
      case MIN -> Math.min(a, b);
      case MAX -> Math.max(a, b);
      case AND -> a & b;
      case OR -> a | b;
    };
  }

  /** A scan; segments begin at set heads, nowhere else if there are none. */
  static int[] scan(int[] in, int[] heads, ScanOperator op, boolean inclusive) {
    int[] out = new int[in.length];
    int sum = identityInt(op);
    for (int i = 0; i < in.length; i++) {
      if (heads != null && heads[i] != 0) {
        sum = identityInt(op);
      }
      int next = apply(op, sum, in[i]);
      out[i] = inclusive ? next : sum;
      sum = next;
    }
    return out;
  }

  static long[] scan(long[] in, int[] heads, ScanOperator op, boolean inclusive) {
    long[] out = new long[in.length];
    long sum = identityLong(op);
    for (int i = 0; i < in.length; i++) {
      if (heads != null && heads[i] != 0) {
        sum = identityLong(op);
      }
      long next = apply(op, sum, in[i]);
      out[i] = inclusive ? next : sum;
      sum = next;
    }
    return out;
  }

  static long[] widened(int[] in) {
    return IntStream.of(in).asLongStream().toArray();
  }

  static int reduce(int[] in, int from, int to, ScanOperator op) {
    return IntStream.range(from, to)
        .map(i -> in[i])
        .reduce(identityInt(op), (a, b) -> apply(op, a, b));
  }

  static long reduce(long[] in, int from, int to, ScanOperator op) {
    return Arrays.stream(in, from, to).reduce(identityLong(op), (a, b) -> apply(op, a, b));
  }

  /** Positions of set flags. */
  static int[] setPositions(int[] flags) {
    return IntStream.range(0, flags.length).filter(i -> flags[i] != 0).toArray();
  }

  /** Positions from, .., to - 1 in the order of their keys' low bits, unsigned, stable. */
  static int[] order(int[] keys, int from, int to, int bits) {
    int mask = bits == 32 ? -1 : (1 << bits) - 1;
    return IntStream.range(from, to)
        .boxed()
        .sorted(Comparator.comparingLong(i -> (keys[i] & mask) & 0xffffffffL))
        .mapToInt(i -> i)
        .toArray();
  }

  static int[] gathered(int[] values, int[] positions) {
    return IntStream.of(positions).map(i -> values[i]).toArray();
  }

  static long[] gathered(long[] values, int[] positions) {
    return IntStream.of(positions).mapToLong(i -> values[i]).toArray();
  }

  /** The position of the first element of each element's segment. */
  static int[] headOfEach(int[] heads) {
    int[] found = new int[heads.length];
    for (int i = 1; i < heads.length; i++) {
      found[i] = heads[i] != 0 ? i : found[i - 1];
    }
    return found;
  }

  /** The position of the last one. */
  static int[] tailOfEach(int[] heads) {
    int[] found = new int[heads.length];
    for (int i = heads.length - 1; i >= 0; i--) {
      found[i] = i == heads.length - 1 || heads[i + 1] != 0 ? i : found[i + 1];
    }
    return found;
  }

  /** Elements and heads after a split of each segment. */
  static int[][] split(int[] in, int[] flags, int[] heads) {
    int[] out = new int[in.length];
    int[] outHeads = new int[in.length];
    int from = 0;
    while (from < in.length) {
      int to = from + 1;
      while (to < in.length && heads[to] == 0) {
        to++;
      }
      int place = from;
      for (int part = 0; part < 2; part++) {
        int begin = place;
        for (int i = from; i < to; i++) {
          if ((flags[i] != 0) == (part == 1)) {
            out[place++] = in[i];
          }
        }
        if (begin < place) {
          outHeads[begin] = 1;
        }
      }
      from = to;
    }
    return new int[][] {out, outHeads};
  }
}
