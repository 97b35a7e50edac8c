package io.magpie.algorithms.msf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.TestDevices;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.msf.EdgeSource.Edge;
import io.magpie.algorithms.msf.MsfOptions.Filter;
import io.magpie.algorithms.msf.MsfOptions.Merge;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import io.magpie.algorithms.msf.MsfOptions.Reads;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceOutOfMemoryException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/**
 * Forests of edges in chunks are those of a Kruskal over decimal numbers, edge by edge, however the
 * edges are cut: self-loops, parallel edges, equal weights, several components, extreme weights,
 * numbers with gaps and beyond 2^31.
 */
class StreamedForestProperties {
  private static final int[] INTS = {
    Integer.MIN_VALUE, Integer.MIN_VALUE + 1, -1, 0, 1, 7, Integer.MAX_VALUE
  };
  private static final long[] LONGS = {
    Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, 0, 1, (1L << 53) + 1, 1L << 53, Long.MAX_VALUE
  };
  private static final double[] DOUBLES = {
    -Double.MAX_VALUE, -1, -Double.MIN_VALUE, -0.0, 0.0, Double.MIN_VALUE, 0.1, Double.MAX_VALUE
  };
  private static final float[] FLOATS = {
    -Float.MAX_VALUE, -1, -Float.MIN_VALUE, -0.0f, 0.0f, Float.MIN_VALUE, 0.1f, Float.MAX_VALUE
  };

  /** Edges in ascending order of number. */
  record Stream(int vertices, WeightType type, List<Edge> edges) {
    EdgeSource source() {
      return EdgeSource.of(vertices, type, edges.iterator());
    }

    /** The same, as if devices computed them where numbers have no gaps. */
    EdgeSource onDevice() {
      boolean gaps = EdgeChunk.isWide(type); // which devices do not compute
      for (int e = 1; e < edges.size(); e++) {
        gaps |= edges.get(e).number() != edges.get(e - 1).number() + 1;
      }
      return gaps ? source() : new CopiedEdges(source());
    }

    private Stream of(List<Edge> some) {
      return new Stream(vertices, type, some);
    }
  }

  @Property(tries = 100, shrinking = ShrinkingMode.BOUNDED)
  void anyCutGivesTheForestOfKruskal(
      @ForAll("streams") Stream stream,
      @ForAll Objective objective,
      @ForAll("variants") MsfOptions options,
      @ForAll("chunks") int chunk,
      @ForAll boolean computed,
      @ForAll("devices") String device) {
    EdgeSource source = computed ? stream.onDevice() : stream.source();
    check(stream, objective, run(device, source, options.withObjective(objective), chunk));
  }

  @Property(tries = 60, shrinking = ShrinkingMode.BOUNDED)
  void forestsOfAnyTwoPartsMergeToThatOfAll(
      @ForAll("streams") Stream stream,
      @ForAll Objective objective,
      @ForAll("variants") MsfOptions variant,
      @ForAll long seed) {
    Random random = new Random(seed);
    List<Edge> one = new ArrayList<>();
    List<Edge> other = new ArrayList<>();
    for (Edge edge : stream.edges()) {
      int draw = random.nextInt(5);
      if (draw < 3) {
        one.add(edge);
      }
      if (draw > 1) {
        other.add(edge);
      }
    }
    MsfOptions options = variant.withObjective(objective);
    NumberedForest merged =
        StreamedForest.merge(
            Variants.device("cpu:4"),
            run("cpu:4", stream.of(one).source(), options, 13),
            run("cpu:4", stream.of(other).source(), options, 1000),
            options);
    check(stream, objective, merged);
  }

  @Property(tries = 40, shrinking = ShrinkingMode.BOUNDED)
  void severalDevicesGiveTheForestOfOne(
      @ForAll("streams") Stream stream,
      @ForAll Objective objective,
      @ForAll("variants") MsfOptions options,
      @ForAll("chunks") int chunk,
      @ForAll("rooms") int room,
      @ForAll boolean computed,
      @ForAll("severalDevices") List<String> devices) {
    List<Device> all = devices.stream().map(Variants::device).toList();
    EdgeSource source = computed ? stream.onDevice() : stream.source();
    NumberedForest forest =
        StreamedForest.run(
            all, source, options.withObjective(objective), chunk, Long.MAX_VALUE, room);
    check(stream, objective, forest);
    StreamReport report = forest.report().orElseThrow();
    assertEquals(stream.edges().size(), report.edges());
    assertEquals(String.join(", ", specs(all)), report.device());
  }

  @Property(tries = 40, shrinking = ShrinkingMode.BOUNDED)
  void oneDeviceTakesOverWhatAnotherHasInParts(
      @ForAll("streams") Stream stream,
      @ForAll Objective objective,
      @ForAll("variants") MsfOptions variant,
      @ForAll("chunks") int chunk,
      @ForAll("rooms") int room,
      @ForAll("freeBytes") long freeBytes,
      @ForAll long seed) {
    Random random = new Random(seed);
    Map<Boolean, List<Edge>> parts =
        stream.edges().stream().collect(Collectors.partitioningBy(edge -> random.nextInt(3) > 0));
    MsfOptions options = variant.withObjective(objective);
    DeviceMemory memory = new ToldMemory(Variants.device("cpu:2"), freeBytes);
    DeviceMemory otherMemory = new DeviceMemory(Variants.device("cpu:4"));
    try (StreamedRun run = new StreamedRun(memory, options, chunk, room, 1);
        StreamedRun other = new StreamedRun(otherMemory, options, chunk, room, 1)) {
      run.read(stream.of(parts.get(true)).source(), Long.MAX_VALUE, null);
      run.settle();
      other.read(stream.of(parts.get(false)).source(), Long.MAX_VALUE, null);
      other.settle();
      try {
        run.merge(other);
      } catch (DeviceOutOfMemoryException e) {
        assertTrue(freeBytes < e.neededBytes(), e::getMessage);
        assertTrue(e.neededBytes() <= 16L * stream.vertices() + 28L * chunk, e::getMessage);
        return;
      }
      UpcomingForest upcoming = new UpcomingForest(stream.vertices(), stream.type());
      check(stream, objective, run.forest(upcoming, System.nanoTime()));
    }
  }

  /** Says that so many bytes are free, and has more. */
  private static final class ToldMemory extends DeviceMemory {
    private final long freeBytes;

    ToldMemory(Device device, long freeBytes) {
      super(device);
      this.freeBytes = freeBytes;
    }

    @Override
    public long freeBytes() {
      return freeBytes;
    }
  }

  @Provide
  Arbitrary<Long> freeBytes() {
    return Arbitraries.of(0L, 1000L, 3000L, 10_000L, 1L << 40);
  }

  private static List<String> specs(List<Device> devices) {
    return devices.stream().map(device -> device.description().spec()).toList();
  }

  @Provide
  Arbitrary<List<String>> severalDevices() {
    return Arbitraries.of(
            Variants.withGpu(
                "cpu:1", "cpu:2", "cpu:4", TestDevices.compiled("cpu-checked:3"), "sim:3:4"))
        .list()
        .uniqueElements()
        .ofMinSize(1)
        .ofMaxSize(5);
  }

  private static NumberedForest run(
      String device, EdgeSource source, MsfOptions options, int chunk) {
    return StreamedForest.run(Variants.device(device), source, options, chunk);
  }

  private static void check(Stream stream, Objective objective, NumberedForest forest) {
    List<Edge> expected = kruskal(stream, objective);
    assertArrayEquals(expected.stream().mapToLong(Edge::number).toArray(), forest.numbers());
    BigDecimal sum = BigDecimal.ZERO;
    for (int e = 0; e < forest.edges(); e++) {
      Edge edge = expected.get(e);
      assertEquals(edge.source(), forest.sources()[e]);
      assertEquals(edge.target(), forest.targets()[e]);
      assertEquals(0, decimal(edge.weight()).compareTo(decimal(forest.weight(e))));
      sum = sum.add(decimal(edge.weight()));
    }
    assertEquals(0, sum.compareTo(forest.exactWeight()), () -> forest + " of " + stream);
    assertEquals(List.of(), StreamVerifier.verify(forest, stream.source()));
  }

  private static BigDecimal decimal(Number weight) {
    return weight instanceof Long whole
        ? BigDecimal.valueOf(whole)
        : new BigDecimal(weight.doubleValue());
  }

  /** The chosen edges in ascending order of number. */
  private static List<Edge> kruskal(Stream stream, Objective objective) {
    Comparator<Edge> byWeight = Comparator.comparing(edge -> decimal(edge.weight()));
    List<Edge> order = new ArrayList<>(stream.edges());
    order.sort(objective == Objective.MINIMUM ? byWeight : byWeight.reversed()); // stable
    int[] component = new int[stream.vertices()];
    Arrays.setAll(component, v -> v);
    List<Edge> chosen = new ArrayList<>();
    for (Edge edge : order) {
      int from = component[edge.source()];
      int to = component[edge.target()];
      if (from != to) {
        chosen.add(edge);
        Arrays.setAll(component, v -> component[v] == from ? to : component[v]);
      }
    }
    chosen.sort(Comparator.comparing(Edge::number));
    return chosen;
  }

  @Provide
  Arbitrary<MsfOptions> variants() {
    MsfOptions options = MsfOptions.defaults();
    return Arbitraries.of(
        options.withFilter(Filter.ON),
        options.withFilter(Filter.OFF),
        options.withReads(Reads.UNVALIDATED),
        options.withMerge(Merge.ATOMIC).withFilter(Filter.ON),
        options.withMerge(Merge.ATOMIC).withFilter(Filter.OFF),
        options.withMerge(Merge.ATOMIC).withPhaseTimes(false));
  }

  @Provide
  Arbitrary<String> devices() {
    return Arbitraries.of(Variants.devices());
  }

  @Provide
  Arbitrary<Integer> chunks() {
    return Arbitraries.oneOf(
        Arbitraries.integers().between(20, 70),
        Arbitraries.of(1, 2, 5, 13, 100, 199, 200, 100_000));
  }

  /** Edges that are kept behind a forest at most, if those of a chunk are fewer. */
  @Provide
  Arbitrary<Integer> rooms() {
    return Arbitraries.of(0, 30, 100, Integer.MAX_VALUE);
  }

  @Provide
  Arbitrary<Stream> streams() {
    return Combinators.combine(
            Arbitraries.of(WeightType.values()),
            Arbitraries.integers().between(0, 60),
            Arbitraries.integers().between(0, 400),
            Arbitraries.integers().between(0, 3),
            Arbitraries.longs())
        .as(StreamedForestProperties::stream);
  }

  private static Stream stream(WeightType type, int vertices, int edges, int draw, long seed) {
    Random random = new Random(seed);
    int gaps = random.nextInt(4); // from 2 on there are some
    long number =
        switch (random.nextInt(3)) {
          case 0 -> 0;
          case 1 -> random.nextLong() >>> 2;
          default -> (1L + random.nextInt(5) << 32) - random.nextInt(edges + 1);
        };
    List<Edge> result = new ArrayList<>();
    for (int e = 0; e < (vertices == 0 ? 0 : edges); e++) {
      int u = random.nextInt(vertices);
      int v = random.nextInt(4) == 0 ? u : random.nextInt(vertices);
      result.add(new Edge(number, u, v, weight(type, draw, random)));
      boolean gap = gaps >= 2 && random.nextInt(gaps == 2 ? 3 : 50) == 0;
      number += gap ? 1 + (random.nextLong() >>> 31) : 1;
    }
    return new Stream(vertices, type, result);
  }

  private static Number weight(WeightType type, int draw, Random random) {
    return switch (type) {
      case INT ->
          switch (draw) {
            case 0 -> INTS[random.nextInt(INTS.length)];
            case 1 -> 7;
            case 2 -> random.nextInt(5);
            default -> random.nextInt();
          };
      case LONG ->
          switch (draw) {
            case 0 -> LONGS[random.nextInt(LONGS.length)];
            case 1 -> 7L;
            case 2 -> (long) random.nextInt(5);
            default -> random.nextLong();
          };
      case FLOAT ->
          switch (draw) {
            case 0 -> FLOATS[random.nextInt(FLOATS.length)];
            case 1 -> 7f;
            case 2 -> random.nextInt(5) / 4f;
            default -> random.nextFloat() - 0.5f;
          };
      case DOUBLE ->
          switch (draw) {
            case 0 -> DOUBLES[random.nextInt(DOUBLES.length)];
            case 1 -> 7.0;
            case 2 -> random.nextInt(5) / 4.0;
            default -> random.nextDouble() - 0.5;
          };
    };
  }
}
