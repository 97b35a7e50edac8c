package io.magpie.algorithms.resident;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.PropertyFolder;
import io.magpie.algorithms.TestDevices;
import io.magpie.algorithms.components.ComponentsOptions;
import io.magpie.algorithms.components.ComponentsReference;
import io.magpie.algorithms.components.ConnectedComponents;
import io.magpie.algorithms.graph.DirectedGraph;
import io.magpie.algorithms.graph.FileWeights;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphFormats;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.graph.ReadOptions;
import io.magpie.algorithms.graph.SnapshotParts;
import io.magpie.algorithms.graph.Symmetry;
import io.magpie.algorithms.graph.WeightRange;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.msf.KruskalReference;
import io.magpie.algorithms.msf.MinimumSpanningForest;
import io.magpie.algorithms.msf.MsfOptions;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import io.magpie.algorithms.msf.MsfResult;
import io.magpie.algorithms.msf.MsfVerifier;
import io.magpie.algorithms.partition.GraphPartitioner;
import io.magpie.algorithms.partition.PartitionOptions;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Graphs that come from files to devices, held to the way through Java's arrays. */
class ResidentReadProperties {
  private static final List<Device> DEVICES =
      TestDevices.of(List.of("cpu:2", "sim:2:4"), "cpu:4").stream().map(Device::open).toList();

  /** Where the flags of a snapshot are, and where its arrays begin. */
  private static final int FLAGS = 16;

  private static final int HEADER = 40;

  private static Path folder;

  @BeforeContainer
  static void makeFolder() throws IOException {
    folder = PropertyFolder.make("resident");
  }

  @AfterContainer
  static void close() throws IOException {
    DEVICES.forEach(Device::close);
    PropertyFolder.remove(folder);
  }

  /**
   * Self-loops, parallel edges, isolated vertices and extreme weights are likely.
   *
   * @param type of the weights; null for none
   */
  private static Graph graph(long seed, int most, WeightType type) {
    Random random = new Random(seed);
    int vertices = random.nextInt(most + 1);
    GraphBuilder builder =
        type == null ? new GraphBuilder(vertices, false) : new GraphBuilder(vertices, type);
    int edges = vertices == 0 ? 0 : random.nextInt(3 * most);
    for (int e = 0; e < edges; e++) {
      int u = random.nextInt(vertices);
      int v = random.nextInt(8) == 0 ? u : random.nextInt(vertices);
      if (type == null) {
        builder.addEdge(u, v);
        continue;
      }
      switch (type) {
        case INT -> builder.addEdge(u, v, random.nextInt(3) == 0 ? 1 : random.nextInt());
        case LONG -> builder.addEdge(u, v, random.nextLong());
        case FLOAT -> builder.addEdge(u, v, (random.nextInt(100) - 50) / 8f);
        case DOUBLE -> builder.addEdge(u, v, random.nextGaussian() * 1e100);
      }
    }
    if (random.nextInt(3) == 0) {
      builder.vertexWeights(random.ints(vertices, 0, Integer.MAX_VALUE).toArray());
    }
    return builder.build();
  }

  private static WeightType type(int index) {
    return index == 0 ? null : WeightType.values()[index - 1];
  }

  private static Path written(Graph graph, String name) throws IOException {
    Path file = folder.resolve(name);
    GraphFormats.write(graph, file);
    return file;
  }

  /** The same on every device, whichever way it came there; a snapshot without a Java array. */
  private static void assertIs(Graph expected, Path file, ReadOptions options, boolean direct)
      throws IOException {
    for (Device device : DEVICES) {
      ResidentGraph read = ResidentGraph.read(device, file, options);
      try (read) {
        assertEquals(expected.vertices(), read.vertices());
        assertEquals(expected.arcs(), read.arcs());
        assertEquals(expected.edges(), read.edges());
        assertEquals(expected.weighted(), read.weighted());
        assertEquals(expected.weightType(), read.weightType());
        assertEquals(expected.hasNegativeWeights(), read.hasNegativeWeights());
        assertArrayEquals(expected.offsets(), read.offsets().toArray());
        assertArrayEquals(expected.neighbors(), read.neighbors().toArray());
        if (expected.weighted()) {
          assertEquals(expected.withoutVertexWeights(), withWeights(expected, read.weights()));
        } else {
          assertThrows(IllegalStateException.class, read::weights);
        }
      }
      if (direct) {
        assertThrows(IllegalStateException.class, read::graph, "nothing was in Java's memory");
      } else {
        assertEquals(expected.withoutVertexWeights(), read.graph());
      }
    }
  }

  private static Graph withWeights(Graph graph, DeviceArray<?> weights) {
    Graph bare = graph.withoutWeights();
    Object array = weights.toArray();
    return switch (graph.weightType()) {
      case INT -> bare.withWeights((int[]) array);
      case LONG -> bare.withWeights((long[]) array);
      case FLOAT -> bare.withWeights((float[]) array);
      case DOUBLE -> bare.withWeights((double[]) array);
    };
  }

  @Property(tries = 150)
  void aSnapshotIsTheGraphThatWasWritten(
      @ForAll long seed,
      @ForAll @IntRange(max = 4) int type,
      @ForAll @IntRange(max = 2) int scale,
      @ForAll boolean unitWeights)
      throws IOException {
    Graph graph = graph(seed, List.of(3, 40, 2000).get(scale), type(type));
    ReadOptions options = ReadOptions.defaults().withUnitWeights(unitWeights);
    Path file = written(graph, "graph.mpg");
    assertIs(unitWeights ? graph.withoutWeights() : graph, file, options, true);
    try (ResidentGraph read = ResidentGraph.read(DEVICES.get(0), file, options)) {
      assertEquals(GraphFormats.read(file, options).withoutVertexWeights(), read.graph());
    }
  }

  @Property(tries = 20)
  void anyOtherFileIsReadAsEver(@ForAll long seed) throws IOException {
    Graph graph = graph(seed, 40, null).withoutVertexWeights();
    for (String suffix : List.of(".mpg.gz", ".graph", ".egr")) {
      assertIs(graph, written(graph, "other" + suffix), ReadOptions.defaults(), false);
    }
  }

  /** Lists of more than a block, whose parts are taken one after the other. */
  @Example
  void longListsComeInBlocks() throws IOException {
    GraphBuilder builder = new GraphBuilder(150_001, WeightType.DOUBLE);
    for (int v = 1; v <= 150_000; v++) {
      builder.addEdge(0, v, v / 8.0);
    }
    Graph star = builder.build();
    assertIs(star, written(star, "star.mpg"), ReadOptions.defaults(), true);
    Graph grid = GraphGenerators.generate("grid:rows=400,columns=400");
    assertIs(grid, written(grid, "grid.mpg"), ReadOptions.defaults(), true);
  }

  @Property(tries = 60)
  void weightsAreWhatIsAskedFor(@ForAll long seed, @ForAll @IntRange(min = 1, max = 4) int type)
      throws IOException {
    Graph graph = graph(seed, 12, type(type));
    Path file = written(graph, "asked.mpg");
    for (FileWeights asked : FileWeights.values()) {
      ReadOptions options = ReadOptions.defaults().withWeights(asked);
      Graph expected;
      try {
        expected = GraphFormats.read(file, options);
      } catch (FileFormatException e) {
        assertRefused(e.getMessage(), file, options);
        continue;
      }
      for (Device device : DEVICES) {
        try (ResidentGraph read = ResidentGraph.read(device, file, options)) {
          assertEquals(expected.withoutVertexWeights(), read.graph());
        }
      }
    }
  }

  /** Refused on every device; what was opened there is closed, or closing the device would fail. */
  private static void assertRefused(String message, Path file, ReadOptions options) {
    for (Device device : DEVICES) {
      FileFormatException e =
          assertThrows(
              FileFormatException.class, () -> ResidentGraph.read(device, file, options).close());
      assertEquals(message, e.getMessage());
    }
  }

  /** A damaged file is refused in the words of the reader into Java's arrays. */
  @Property(tries = 150)
  void whatIsDamagedIsRefused(
      @ForAll long seed, @ForAll @IntRange(max = 4) int type, @ForAll @IntRange(max = 3) int how)
      throws IOException {
    Random random = new Random(seed);
    Path file = written(graph(random.nextLong(), 30, type(type)), "damaged.mpg");
    byte[] bytes = Files.readAllBytes(file);
    switch (how) {
      case 0 -> bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      case 1 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
      case 2 -> bytes = Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(9));
      default -> { // damaged, and its checksum made to fit
        if (bytes.length > HEADER + 4) {
          int at = HEADER + random.nextInt(bytes.length - HEADER - 4);
          bytes[at] ^= (byte) (1 << random.nextInt(8));
        }
        sum(bytes);
      }
    }
    Files.write(file, bytes);
    ReadOptions options = ReadOptions.defaults().withSymmetry(Symmetry.REQUIRE);
    Graph expected;
    try {
      expected = GraphFormats.read(file, options);
    } catch (FileFormatException e) {
      assertRefused(e.getMessage(), file, options);
      return;
    }
    assertEquals(3, how); // as by a weight of a self-loop, all of which are legal
    assertIs(expected, file, options, true);
  }

  private static void sum(byte[] bytes) {
    CRC32C sum = new CRC32C();
    sum.update(bytes, 0, bytes.length - 4);
    ByteBuffer.wrap(bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(bytes.length - 4, (int) sum.getValue());
  }

  @Example
  void missingDirectionsAreAddedOrRefused() throws IOException {
    Path file = folder.resolve("oneWay.mpg");
    GraphFormats.write(
        DirectedGraph.of(new int[] {0, 2, 2, 3}, new int[] {1, 2, 0}, new int[] {5, 6, 6}), file);
    assertRefused(
        assertThrows(FileFormatException.class, () -> GraphFormats.read(file)).getMessage(),
        file,
        ReadOptions.defaults());
    byte[] bytes = Files.readAllBytes(file);
    bytes[FLAGS] &= ~4; // not directed
    sum(bytes);
    Files.write(file, bytes);
    Graph completed = GraphFormats.read(file);
    assertEquals(4, completed.arcs());
    assertIs(completed, file, ReadOptions.defaults(), false);
    ReadOptions strict = ReadOptions.defaults().withSymmetry(Symmetry.REQUIRE);
    String message =
        assertThrows(FileFormatException.class, () -> GraphFormats.read(file, strict)).getMessage();
    assertTrue(message.contains("oneWay.mpg"), message);
    assertRefused(message, file, strict);
  }

  @Example
  void weightsOfMinusZeroBecomeZeroAndOthersAreRefused() throws IOException {
    for (boolean wide : new boolean[] {false, true}) {
      GraphBuilder builder = new GraphBuilder(2, wide ? WeightType.DOUBLE : WeightType.FLOAT);
      builder.addEdge(0, 1, 0.0f);
      Graph graph = builder.build();
      Path file = written(graph, "zero.mpg");
      byte[] bytes = Files.readAllBytes(file);
      int weights = HEADER + 4 * (3 + 2);
      int width = wide ? 8 : 4;
      bytes[weights + width - 1] = (byte) 0x80;
      sum(bytes);
      Files.write(file, bytes);
      assertIs(graph, file, ReadOptions.defaults(), true);
      bytes[weights + width - 1] = (byte) 0x7f; // not a number
      bytes[weights + width - 2] = (byte) 0xff;
      sum(bytes);
      Files.write(file, bytes);
      String message =
          assertThrows(FileFormatException.class, () -> GraphFormats.read(file)).getMessage();
      assertTrue(message.contains("NaN of arc 0"), message);
      assertRefused(message, file, ReadOptions.defaults());
    }
  }

  /** Whatever becomes of the file, no process ends, and what was read in part is given up. */
  @Example
  void aFileThatChangesMeanwhileIsNotTaken() throws IOException {
    Graph graph = GraphGenerators.generate("grid:rows=60,columns=60");
    for (boolean cut : new boolean[] {true, false}) {
      Path file = written(graph, "changing.mpg");
      try (SnapshotParts parts = SnapshotParts.open(file, ReadOptions.defaults()).orElseThrow();
          FileChannel other = FileChannel.open(file, StandardOpenOption.WRITE)) {
        SnapshotParts.Taker changes =
            new SnapshotParts.Taker() {
              @Override
              public void offsets(int first, ByteBuffer part) {
                try {
                  if (cut) {
                    other.truncate(HEADER + 8);
                  } else {
                    other.write(ByteBuffer.allocate(64), Files.size(file) - 100);
                  }
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }

              @Override
              public void neighbors(int first, ByteBuffer part) {}

              @Override
              public void weights(int first, ByteBuffer part) {}
            };
        assertFalse(parts.read(changes));
        assertThrows(IllegalStateException.class, parts::edges);
      }
      FileFormatException e =
          assertThrows(
              FileFormatException.class, () -> ResidentGraph.read(DEVICES.get(0), file).close());
      assertTrue(e.getMessage().contains("changing.mpg"), e::getMessage);
    }
  }

  @Example
  void whatCannotBeReadIsAnErrorOfTheFile() throws IOException {
    assertThrows(
        NoSuchFileException.class,
        () -> ResidentGraph.read(DEVICES.get(0), folder.resolve("none.mpg")));
    Path unknown = Files.write(folder.resolve("graph.unknown"), new byte[10]);
    assertThrows(FileFormatException.class, () -> ResidentGraph.read(DEVICES.get(0), unknown));
    Path bigEndian = written(graph(1, 5, null), "foreign.mpg");
    byte[] bytes = Files.readAllBytes(bigEndian);
    bytes[8] = 1;
    bytes[9] = 2;
    bytes[10] = 3;
    bytes[11] = 4;
    Files.write(bigEndian, bytes);
    FileFormatException e =
        assertThrows(
            FileFormatException.class, () -> ResidentGraph.read(DEVICES.get(0), bigEndian));
    assertTrue(e.getMessage().contains("the file is big endian; write it again"), e::getMessage);
  }

  /** Forests, components and parts are those of the graph in Java's memory. */
  @Property(tries = 12)
  void algorithmsRunOnWhatWasRead(@ForAll long seed, @ForAll @IntRange(max = 4) int type)
      throws IOException {
    Graph graph = graph(seed, 60, type(type)).withoutVertexWeights();
    Path file = written(graph, "run.mpg");
    for (Device device : DEVICES) {
      try (ResidentGraph read = ResidentGraph.read(device, file);
          ConnectedComponents components = new ConnectedComponents(read)) {
        assertArrayEquals(
            ComponentsReference.run(graph).labels(),
            components.run(ComponentsOptions.defaults()).labels());
      }
      for (Objective objective : Objective.values()) {
        MsfResult result;
        MsfResult reference = KruskalReference.run(graph, objective);
        try (ResidentGraph read = ResidentGraph.read(device, file);
            MinimumSpanningForest forest = new MinimumSpanningForest(read)) {
          result = forest.run(MsfOptions.defaults().withObjective(objective));
          assertEquals(reference.exactWeight(), result.exactWeight());
          assertEquals(reference.components(), result.components());
          assertEquals(List.of(), MsfVerifier.verify(result, reference));
        }
      }
    }
  }

  @Example
  void partsAreThoseOfTheGraphInJavasMemory() throws IOException {
    PartitionOptions options = PartitionOptions.of(4);
    Graph bare = GraphGenerators.generate("grid:rows=20,columns=20").withoutWeights();
    Graph weighted = bare.withWeights(3, new WeightRange(WeightType.INT, 1, 9));
    for (Graph graph : List.of(bare, weighted)) {
      Path file = written(graph, "parts.mpg");
      for (Device device : DEVICES) {
        try (ResidentGraph read = ResidentGraph.read(device, file)) {
          assertArrayEquals(
              GraphPartitioner.run(device, graph, options).parts(),
              GraphPartitioner.run(read, options).parts());
        }
      }
    }
  }
}
