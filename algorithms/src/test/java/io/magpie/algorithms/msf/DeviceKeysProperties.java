package io.magpie.algorithms.msf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** Keys that a device makes are those of sequential Java, arc by arc. */
class DeviceKeysProperties {
  /** Bits of weights to draw from: both zeros, subnormals, ends, and numbers around powers of 2. */
  private static final long[] BITS = {
    0, 1, 2, 0x7fffffff, 0x80000000L, 0x80000001L, 0xffffffffL, 1L << 32, 1L << 52, 1L << 62
  };

  private enum Draw {
    NEAR_EACH_OTHER,
    FEW_EXTREMES,
    /** Distances whose last one is, or is just beyond, the largest key. */
    AT_THE_LIMIT,
    HIGH_HALVES_ONLY,
    ANY_BITS
  }

  @Property(tries = 300, shrinking = ShrinkingMode.BOUNDED)
  void areThoseOfJava(
      @ForAll("graphs") Graph graph,
      @ForAll Objective first,
      @ForAll Objective second,
      @ForAll("devices") String name) {
    try (DeviceGraph onDevice = new DeviceGraph(Variants.device(name), graph, first)) {
      assertArrayEquals(WeightKeys.of(graph, first), onDevice.weights().toArray());
      onDevice.serve(second);
      assertArrayEquals(WeightKeys.of(graph, second), onDevice.weights().toArray());
    }
  }

  @Provide
  Arbitrary<String> devices() {
    return Arbitraries.of(Variants.devices());
  }

  @Provide
  Arbitrary<Graph> graphs() {
    return Combinators.combine(
            Arbitraries.of(WeightType.class),
            Arbitraries.of(Draw.class),
            Arbitraries.integers().between(0, 40),
            Arbitraries.integers().between(0, 400),
            Arbitraries.longs())
        .as(DeviceKeysProperties::graph);
  }

  private static Graph graph(WeightType type, Draw draw, int vertices, int edges, long seed) {
    Random random = new Random(seed);
    GraphBuilder builder = new GraphBuilder(vertices, type);
    long begin = random.nextLong() >> random.nextInt(64);
    for (int e = 0; e < (vertices == 0 ? 0 : edges); e++) {
      int u = random.nextInt(vertices);
      int v = random.nextInt(vertices);
      long bits =
          switch (draw) {
            case NEAR_EACH_OTHER -> begin + random.nextInt(50);
            case FEW_EXTREMES -> BITS[random.nextInt(BITS.length)] * (random.nextInt(3) - 1);
            case AT_THE_LIMIT -> begin + Integer.MAX_VALUE * (e % 2L) + random.nextInt(2);
            case HIGH_HALVES_ONLY -> (long) random.nextInt(20) << 58;
            case ANY_BITS -> random.nextLong();
          };
      switch (type) {
        case INT -> builder.addEdge(u, v, (int) bits);
        case LONG -> builder.addEdge(u, v, bits);
        case FLOAT -> {
          float weight = Float.intBitsToFloat((int) bits);
          builder.addEdge(u, v, Float.isFinite(weight) ? weight : Float.MAX_VALUE);
        }
        case DOUBLE -> {
          double weight = Double.longBitsToDouble(bits);
          builder.addEdge(u, v, Double.isFinite(weight) ? weight : -Double.MAX_VALUE);
        }
      }
    }
    return builder.build();
  }
}
