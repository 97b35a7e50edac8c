package io.magpie.algorithms.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.FileFormatException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Arrays that threads read at once are as those that are read in order, which compressed ones are:
 * so are faults in them.
 */
class LargeBinaryFilesTest {
  private static final int HEADER = 40;

  @TempDir Path folder;

  private static Graph graph(String weights) {
    return GraphGenerators.generate("random:300k,m=600k,seed=5,weights=" + weights);
  }

  @ParameterizedTest
  @CsvSource({
    "none, .mpg",
    "1..1000000000, .mpg",
    "long:-9000000000000..9000000000000, .mpg",
    "float:-1..1, .mpg",
    "double:-1..1, .mpg",
    "none, .egr",
    "1..1000000000, .egr"
  })
  void eachType(String weights, String suffix) throws IOException {
    Graph graph = graph(weights);
    Path file = folder.resolve("a" + suffix);
    GraphFormats.write(graph, file);
    assertEquals(graph, GraphFormats.read(file));
    assertEquals(graph, GraphFormats.read(compressed(Files.readAllBytes(file), "a" + suffix)));
  }

  @Test
  void damageIsNoticedWhereverItIs() throws IOException {
    byte[] bytes = bytes(graph("1..9"));
    for (int at : new int[] {HEADER, bytes.length / 3, bytes.length / 2, bytes.length - 5}) {
      byte[] bad = bytes.clone();
      bad[at] ^= 1;
      assertSameFault(bad);
    }
  }

  /** What is named is the first of several, which different threads find. */
  @Test
  void targetsThatAreNone() throws IOException {
    Graph graph = graph("1..9");
    byte[] bytes = bytes(graph);
    int targets = HEADER + 4 * (graph.vertices() + 1);
    for (int arc : new int[] {700_001, 1_100_003}) {
      ints(bytes).putInt(targets + 4 * arc, graph.vertices());
    }
    String message = assertSameFault(withChecksum(bytes));
    assertTrue(message.contains("target 300000 of arc 700001"), message);
  }

  @Test
  void offsetsThatDescend() throws IOException {
    Graph graph = GraphGenerators.generate("path:2M");
    byte[] bytes = bytes(graph);
    ints(bytes).putInt(HEADER + 4 * 1_500_000, 5);
    ints(bytes).putInt(HEADER + 4 * 1_900_000, 5);
    String message = assertSameFault(withChecksum(bytes));
    assertTrue(message.contains("offset 5 of vertex 1500000"), message);
  }

  @Test
  void weightsThatAreNoNumbers() throws IOException {
    Graph graph = graph("double:-1..1");
    byte[] bytes = bytes(graph);
    int weights = HEADER + 4 * (graph.vertices() + 1 + (int) graph.arcs());
    for (int arc : new int[] {400_001, 1_000_003}) {
      ints(bytes).putDouble(weights + 8 * arc, Double.NaN);
    }
    String message = assertSameFault(withChecksum(bytes));
    assertTrue(message.contains("weight NaN of arc 400001"), message);
  }

  @Test
  void filesThatEndEarly() throws IOException {
    byte[] bytes = bytes(graph("1..9"));
    for (int length : new int[] {bytes.length - 1, bytes.length / 2, HEADER + 100}) {
      assertSameFault(Arrays.copyOf(bytes, length));
    }
  }

  private static ByteBuffer ints(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private byte[] bytes(Graph graph) throws IOException {
    Path file = folder.resolve("good.mpg");
    GraphFormats.write(graph, file);
    return Files.readAllBytes(file);
  }

  /** With the checksum of its contents. */
  private static byte[] withChecksum(byte[] bytes) {
    CRC32C sum = new CRC32C();
    sum.update(bytes, 0, bytes.length - 4);
    ints(bytes).putInt(bytes.length - 4, (int) sum.getValue());
    return bytes;
  }

  private Path compressed(byte[] bytes, String name) throws IOException {
    Path file = folder.resolve(name + ".gz");
    try (OutputStream out =
        new GZIPOutputStream(Files.newOutputStream(file)) {
          {
            def.setLevel(0);
          }
        }) {
      out.write(bytes);
    }
    return file;
  }

  /** Asserts that a file is refused as it is when read in order; returns why. */
  private String assertSameFault(byte[] bytes) throws IOException {
    String inOrder = fault(compressed(bytes, "bad.mpg")).replace("bad.mpg.gz", "bad.mpg");
    String atOnce = fault(Files.write(folder.resolve("bad.mpg"), bytes));
    assertEquals(inOrder, atOnce);
    return atOnce;
  }

  private static String fault(Path file) {
    return assertThrows(FileFormatException.class, () -> GraphFormats.read(file)).getMessage();
  }
}
