package io.magpie.algorithms.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.PropertyFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import java.util.zip.CRC32C;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Lists of edges ({@code .mpe}) whose bytes are made here, by one thread and by several: the edges
 * of each pass, and which fault is told.
 */
class EdgeFileProperties {
  private static final int HEADER = 40;
  private static final int VERTICES = 1000;
  private static final int[] THREADS = {1, 2, 7};

  private static final List<Stored> TYPES =
      List.of(
          new Stored(null),
          new Stored(WeightType.INT),
          new Stored(WeightType.LONG),
          new Stored(WeightType.FLOAT),
          new Stored(WeightType.DOUBLE));

  private static Path folder;

  @BeforeContainer
  static void makeFolder() throws IOException {
    folder = PropertyFolder.make("edge-files");
  }

  @AfterContainer
  static void removeFolder() throws IOException {
    PropertyFolder.remove(folder);
  }

  /** What a pass gives; weights as {@link #bits}. */
  private record Taken(int[] sources, int[] targets, long[] weights, List<Integer> chunks) {}

  /** The type of a file's weights; null if it has none. */
  private record Stored(WeightType type) {
    int bytes() {
      return type == null ? 8 : type.isWide() ? 16 : 12;
    }

    private int flags() {
      return type == null ? 0 : 1 | (type.isWide() ? 8 : 0) | (type.isFloating() ? 16 : 0);
    }

    /** The file's bytes, with a checksum. */
    ByteBuffer file(int edges, Random random) {
      ByteBuffer file =
          ByteBuffer.allocate(HEADER + edges * bytes() + 4).order(ByteOrder.LITTLE_ENDIAN);
      file.putLong(0x0a1a0a0d45504d89L).putInt(0x01020304).putInt(1).putInt(flags()).putInt(0);
      file.putLong(VERTICES).putLong(edges);
      for (int i = 0; i < edges; i++) {
        file.putInt(vertex(random)).putInt(vertex(random));
        if (type != null) {
          putWeight(file, random);
        }
      }
      return withChecksum(file.clear());
    }

    private static int vertex(Random random) {
      return random.nextInt(8) == 0 ? random.nextInt(2) * (VERTICES - 1) : random.nextInt(VERTICES);
    }

    private void putWeight(ByteBuffer file, Random random) {
      boolean extreme = random.nextInt(8) == 0;
      switch (type) {
        case INT -> file.putInt(extreme ? Integer.MIN_VALUE + random.nextInt(2) : random.nextInt());
        case LONG -> file.putLong(extreme ? Long.MAX_VALUE : random.nextLong());
        case FLOAT ->
            file.putFloat(
                extreme
                    ? new float[] {-0.0f, Float.MIN_VALUE, -Float.MAX_VALUE}[random.nextInt(3)]
                    : random.nextFloat() - 0.5f);
        case DOUBLE ->
            file.putDouble(
                extreme
                    ? new double[] {-0.0, Double.MIN_VALUE, -Double.MAX_VALUE}[random.nextInt(3)]
                    : random.nextDouble() - 0.5);
      }
    }

    /** How many kinds of {@link #putFault faults} there are. */
    int faults() {
      return type == null || !type.isFloating() ? 4 : 7;
    }

    /** Puts a fault into an edge; returns how it is told. */
    String putFault(ByteBuffer file, int edge, int kind) {
      int place = HEADER + edge * bytes();
      if (kind < 4) {
        int end = new int[] {VERTICES, Integer.MIN_VALUE, Integer.MAX_VALUE, -1}[kind];
        file.putInt(place + kind / 2 * 4, end);
        return "end " + end + " of edge " + edge + ", expected a vertex, 0 to 999";
      }
      double weight =
          new double[] {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}[kind - 4];
      if (type == WeightType.DOUBLE) {
        file.putDouble(place + 8, weight);
      } else {
        file.putFloat(place + 8, (float) weight);
      }
      return "weight " + weight + " of edge " + edge + ", expected a finite number";
    }

    /** The bits of the weight of an edge as it should be taken. */
    long weight(ByteBuffer file, int edge) {
      int place = HEADER + edge * bytes() + 8;
      if (type == null) {
        return 1;
      }
      return switch (type) {
        case INT -> file.getInt(place);
        case LONG -> file.getLong(place);
        case FLOAT -> {
          float weight = file.getFloat(place);
          yield Float.floatToRawIntBits(weight == 0 ? 0 : weight);
        }
        case DOUBLE -> {
          double weight = file.getDouble(place);
          yield Double.doubleToRawLongBits(weight == 0 ? 0 : weight);
        }
      };
    }
  }

  private static ByteBuffer withChecksum(ByteBuffer file) {
    CRC32C sum = new CRC32C();
    sum.update(file.array(), 0, file.capacity() - 4);
    return file.putInt(file.capacity() - 4, (int) sum.getValue());
  }

  private static long bits(Object weights, int index) {
    if (weights instanceof int[] ints) {
      return ints[index];
    } else if (weights instanceof long[] longs) {
      return longs[index];
    } else if (weights instanceof float[] floats) {
      return Float.floatToRawIntBits(floats[index]);
    }
    return Double.doubleToRawLongBits(((double[]) weights)[index]);
  }

  private static Taken all(FileEdges edges, int room) throws IOException {
    int most = (int) edges.most();
    Taken result = new Taken(new int[most], new int[most], new long[most], new ArrayList<>());
    int[] sources = new int[room];
    int[] targets = new int[room];
    Object weights = ArcWeights.of(edges.weightType(), room).array();
    int at = 0;
    try (EdgePass pass = edges.pass()) {
      int taken;
      while ((taken = pass.next(sources, targets, weights, null)) > 0) {
        System.arraycopy(sources, 0, result.sources, at, taken);
        System.arraycopy(targets, 0, result.targets, at, taken);
        for (int i = 0; i < taken; i++) {
          result.weights[at + i] = bits(weights, i);
        }
        result.chunks.add(taken);
        at += taken;
      }
    }
    assertEquals(most, at);
    return result;
  }

  /** A result or a failure, which a pool would wrap. */
  private record Outcome<T>(T result, Exception failure) {
    static <T> Outcome<T> of(Callable<T> work) {
      try {
        return new Outcome<>(work.call(), null);
      } catch (Exception e) {
        return new Outcome<>(null, e);
      }
    }
  }

  /** Does work whose loops are run by so many threads. */
  private static <T> T by(int threads, Callable<T> work) throws Exception {
    ForkJoinPool pool = new ForkJoinPool(threads);
    try {
      Outcome<T> outcome = pool.submit(() -> Outcome.of(work)).get();
      if (outcome.failure != null) {
        throw outcome.failure;
      }
      return outcome.result;
    } finally {
      pool.shutdown();
    }
  }

  private static FileEdges open(String name, ByteBuffer bytes) throws IOException {
    return FileEdges.open(Files.write(folder.resolve(name), bytes.array()), ReadOptions.defaults());
  }

  @Property(tries = 40)
  void edgesAndChunksDoNotDependOnThreads(
      @ForAll("types") Stored stored,
      @ForAll("counts") int edges,
      @ForAll("rooms") int room,
      @ForAll long seed)
      throws Exception {
    ByteBuffer bytes = stored.file(edges, new Random(seed));
    FileEdges file = open("a.mpe", bytes);
    for (int threads : THREADS) {
      Taken taken = by(threads, () -> all(file, room));
      for (int i = 0; i < edges; i++) {
        int place = HEADER + i * stored.bytes();
        if (bytes.getInt(place) != taken.sources[i]
            || bytes.getInt(place + 4) != taken.targets[i]
            || stored.weight(bytes, i) != taken.weights[i]) {
          throw new AssertionError("edge " + i + " by " + threads + " threads");
        }
      }
      for (int i = 0; i < taken.chunks.size(); i++) {
        assertEquals(Math.min(room, edges - i * room), taken.chunks.get(i));
      }
    }
  }

  /** Of several faults the first in the file, by its number, whichever thread finds it. */
  @Property(tries = 40)
  void theFirstFaultIsTold(
      @ForAll("types") Stored stored,
      @ForAll("counts") int count,
      @ForAll("rooms") int room,
      @ForAll long seed)
      throws Exception {
    Random random = new Random(seed);
    int edges = Math.max(3, count);
    ByteBuffer bytes = stored.file(edges, random);
    int[] wrong = random.ints(3, 0, edges).sorted().toArray();
    String expected = null;
    for (int edge : Arrays.stream(wrong).distinct().toArray()) {
      String fault = stored.putFault(bytes, edge, random.nextInt(stored.faults()));
      expected = expected == null ? fault : expected;
    }
    FileEdges file = open("wrong.mpe", withChecksum(bytes));
    for (int threads : THREADS) {
      String message = fault(threads, file, room);
      assertTrue(message.startsWith(file.file() + ": found " + expected), message);
    }
  }

  /** Each alone, so that no other makes edges be taken one by one. */
  @Example
  void everyFaultIsTold() throws Exception {
    for (Stored stored : TYPES) {
      for (int kind = 0; kind < stored.faults(); kind++) {
        ByteBuffer bytes = stored.file(500, new Random(kind));
        String expected = stored.putFault(bytes, 250, kind);
        FileEdges file = open("fault.mpe", withChecksum(bytes));
        String message = fault(1, file, 500);
        assertTrue(message.startsWith(file.file() + ": found " + expected), message);
      }
    }
  }

  private static String fault(int threads, FileEdges file, int room) throws Exception {
    return assertThrows(FileFormatException.class, () -> by(threads, () -> all(file, room)))
        .getMessage();
  }

  /** The bits that change leave numbers in range, so that only the sum of all tells. */
  @Property(tries = 15)
  void damageIsNoticedByTheSum(
      @ForAll("counts") int count, @ForAll("rooms") int room, @ForAll long seed) throws Exception {
    Random random = new Random(seed);
    int edges = Math.max(1, count);
    Stored stored = new Stored(WeightType.INT);
    ByteBuffer bytes = stored.file(edges, random);
    int place = HEADER + 12 * random.nextInt(edges) + 8 + random.nextInt(4);
    bytes.put(place, (byte) (bytes.get(place) ^ 1 << random.nextInt(8)));
    FileEdges file = open("damaged.mpe", bytes);
    String sum = "found checksum 0x" + Integer.toHexString(bytes.getInt(bytes.capacity() - 4));
    for (int threads : THREADS) {
      String message = fault(threads, file, room);
      assertTrue(message.startsWith(file.file() + ": " + sum), message);
    }
  }

  /** Cut at every byte of a record, in front of a pass and after it has begun. */
  @Example
  void filesThatAreCutAreRefused() throws Exception {
    for (WeightType type : new WeightType[] {null, WeightType.INT, WeightType.DOUBLE}) {
      Stored stored = new Stored(type);
      int edges = 150_001;
      ByteBuffer bytes = stored.file(edges, new Random(7));
      FileEdges file = open("cut.mpe", bytes);
      for (int cut = 0; cut < stored.bytes(); cut++) {
        long length = HEADER + 140_000L * stored.bytes() + cut;
        String expected = null;
        for (int threads : THREADS) {
          Files.write(file.file(), bytes.array());
          FileFormatException e =
              assertThrows(
                  FileFormatException.class, () -> by(threads, () -> allOf(file, 70_000, length)));
          assertTrue(
              e.getMessage().contains("found the end of the file before byte"), e::getMessage);
          assertEquals(expected == null ? e.getMessage() : expected, e.getMessage());
          expected = e.getMessage();
        }
        FileFormatException e = assertThrows(FileFormatException.class, file::pass);
        assertTrue(e.getMessage().contains("found a file of " + length + " bytes"), e::getMessage);
      }
    }
  }

  /** Cuts the file to a length after a pass has begun; asserts that what is there comes. */
  private static int allOf(FileEdges file, int room, long length) throws IOException {
    try (EdgePass pass = file.pass()) {
      try (FileChannel cut = FileChannel.open(file.file(), StandardOpenOption.WRITE)) {
        cut.truncate(length);
      }
      int[] ends = new int[room];
      Object weights = ArcWeights.of(file.weightType(), room).array();
      assertEquals(room, pass.next(ends, ends, weights, null));
      assertEquals(room, pass.next(ends, ends, weights, null));
      return pass.next(ends, ends, weights, null);
    }
  }

  /** What is not taken as it is stored is taken one by one. */
  @Example
  void weightsOfAnotherTypeAreTheSameNumbers() throws Exception {
    int edges = 100_000;
    ByteBuffer bytes = new Stored(WeightType.INT).file(edges, new Random(3));
    long[] expected = new long[edges];
    Arrays.setAll(
        expected, i -> Double.doubleToRawLongBits(bytes.getInt(HEADER + 12 * i + 8) + 0.0));
    Path path = open("ints.mpe", bytes).file();
    FileEdges doubles =
        FileEdges.open(path, ReadOptions.defaults().withWeights(FileWeights.DOUBLE));
    FileEdges counts = FileEdges.open(path, ReadOptions.defaults().withWeights(FileWeights.COUNTS));
    int negative = 0;
    while (bytes.getInt(HEADER + 12 * negative + 8) >= 0) {
      negative++;
    }
    for (int threads : THREADS) {
      assertArrayEquals(expected, by(threads, () -> all(doubles, 80_000)).weights);
      String message = fault(threads, counts, 80_000);
      assertTrue(message.contains(" of edge " + negative + ", expected a weight"), message);
    }
  }

  @Provide
  Arbitrary<Stored> types() {
    return Arbitraries.of(TYPES);
  }

  /** Around what one thread takes at a time, and what several share. */
  @Provide
  Arbitrary<Integer> counts() {
    return Arbitraries.oneOf(
        Arbitraries.integers().between(0, 300_000),
        Arbitraries.of(0, 1, 2, 16_383, 16_384, 16_385, 65_535, 65_536, 65_537, 131_073));
  }

  @Provide
  Arbitrary<Integer> rooms() {
    return Arbitraries.oneOf(
        Arbitraries.integers().between(1000, 300_000),
        Arbitraries.of(16_384, 16_385, 65_535, 65_536, 65_537, 65_792, 131_073));
  }
}
