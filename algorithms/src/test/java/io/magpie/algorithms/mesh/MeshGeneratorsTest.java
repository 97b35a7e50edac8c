package io.magpie.algorithms.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.DoubleToIntFunction;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MeshGeneratorsTest {
  static Stream<String> kinds() {
    return MeshGenerators.usage().stream().map(line -> line.substring(0, line.indexOf(':')));
  }

  /** Checksums of all coordinates and segments: inputs named in reports must not change. */
  @ParameterizedTest
  @CsvSource({
    "uniform, 838632661",
    "disc, 4217435882",
    "clustered, 3496950020",
    "graded, 1755496203",
    "grid, 2329848628",
    "holes, 1943448536",
    "map, 3567808620",
    "circle, 3560130351",
    "inclusion, 2814605369",
    "spokes, 929473882",
  })
  void resultsNeverChange(String kind, long expected) {
    PlanarGraph graph = MeshGenerators.generate(kind + ":1000");
    CRC32C checksum = new CRC32C();
    ByteBuffer bytes =
        ByteBuffer.allocate(8 * graph.coordinates().length + 4 * graph.segmentEnds().length);
    for (double each : graph.coordinates()) {
      bytes.putDouble(each);
    }
    for (int each : graph.segmentEnds()) {
      bytes.putInt(each);
    }
    checksum.update(bytes.flip());
    assertEquals(expected, checksum.getValue());
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void theSeedDecides(String kind) {
    PlanarGraph graph = MeshGenerators.generate(kind + ":500");
    assertArrayEquals(
        graph.coordinates(), MeshGenerators.generate(kind + ":n=500,seed=1").coordinates());
    assertTrue(
        !Arrays.equals(
            graph.coordinates(), MeshGenerators.generate(kind + ":500,seed=2").coordinates()));
    assertEquals(
        graph.vertices(), graph.withoutDuplicates().vertices(), "no two vertices at one place");
  }

  @ParameterizedTest
  @ValueSource(strings = {"uniform", "disc", "clustered", "graded", "grid", "circle"})
  void sizesAreThoseAskedFor(String kind) {
    for (int n : new int[] {0, 1, 2, 3, 1000}) {
      PlanarGraph graph = MeshGenerators.generate(kind + ":" + n);
      assertEquals(n, graph.vertices());
      assertEquals(0, graph.segments());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "uniform:1M, 'uniform:n=1000000,seed=1'",
    "'Disc:n=2k,seed=-3', 'disc:n=2000,seed=-3'",
    "clustered:10000, 'clustered:n=10000,clusters=100,seed=1'",
    "'graded:7,decades=2.5', 'graded:n=7,decades=2.5,seed=1'",
    "grid:7, 'grid:n=7,jitter=1e-12,seed=1'",
    "holes:5, 'holes:n=5,seed=1'",
    "map:200, 'map:n=200,seed=1'",
  })
  void specsAreCompleted(String given, String complete) {
    MeshGenerator generator = MeshGenerators.parse(given);
    assertEquals(complete, generator.spec());
    assertEquals(complete, MeshGenerators.parse(complete).toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "random:5 | 'random' is no kind of input; expected one of uniform, disc,",
        "uniform | 'n' is missing.",
        "uniform:-1 | n=-1: expected a whole number from 0 to 1,073,741,819",
        "uniform:2G | n=2G: expected a whole number from 0 to 1,073,741,819",
        "uniform:5,m=6 | 'm' is no parameter of uniform.",
        "uniform:5,6 | '6' has no name",
        "uniform:5,n=6 | 'n' is given twice.",
        "uniform :5 | 'uniform ' is no kind of input; expected one of uniform, disc,",
        "uniform:n =5 | 'n ' is no parameter of uniform. Expected uniform:n=..,seed=..",
        "uniform:+5 | n=+5: expected a whole number from 0 to 1,073,741,819",
        "uniform:\u0665 | n=\u0665: expected a whole number from 0 to 1,073,741,819",
        "uniform:5,seed=\u0663 | seed=\u0663: expected a whole number of 64 bits.",
        "graded:5,decades=1d | decades=1d: expected a number from 0.0 to 12.0.",
        "graded:5,decades=0x1p3 | decades=0x1p3: expected a number from 0.0 to 12.0.",
        "uniform:5,seed=x | seed=x: expected a whole number of 64 bits.",
        "clustered:5,clusters=0 | clusters=0: expected a whole number from 1 to 1,073,741,819",
        "graded:5,decades=13 | decades=13: expected a number from 0.0 to 12.0.",
        "grid:5,jitter=nan | jitter=nan: expected a number from 0.0 to 0.5.",
        "map:199 | n=199: expected a whole number from 200 to 1,073,741,819, which may end in k, M or G.",
      })
  void faultsAreNamed(String spec, String problem) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> MeshGenerators.parse(spec)).getMessage();
    String expected = "generator '" + spec + "': " + problem;
    assertTrue(message.startsWith(expected), () -> message + "\nexpected\n" + expected);
    assertEquals(1, message.lines().count(), message);
  }

  /** Cells of a tenth: each of a hundred has close to a hundredth of the points. */
  @Test
  void uniformPointsFillTheUnitSquare() {
    PlanarGraph graph = MeshGenerators.generate("uniform:1M,seed=3");
    int[] cells = new int[100];
    for (int v = 0; v < graph.vertices(); v++) {
      cells[10 * (int) (10 * graph.x(v)) + (int) (10 * graph.y(v))]++;
    }
    for (int count : cells) {
      assertEquals(10_000, count, 600);
    }
  }

  /** A ring from radius a to b has the share b^2 - a^2. */
  @Test
  void discPointsFillTheUnitDisc() {
    PlanarGraph graph = MeshGenerators.generate("disc:100k");
    int[] rings = rings(graph, radius -> (int) (10 * radius * radius));
    for (int ring = 0; ring < 10; ring++) {
      assertEquals(10_000, rings[ring], 600);
    }
    assertEquals(0, rings[10]);
  }

  @Test
  void gradedPointsAreUniformInTheLogarithm() {
    PlanarGraph graph = MeshGenerators.generate("graded:100k,decades=5");
    int[] rings = rings(graph, radius -> (int) (-2 * Math.log10(Math.min(1, radius))));
    for (int ring = 0; ring < 10; ring++) {
      assertEquals(10_000, rings[ring], 600);
    }
  }

  private static int[] rings(PlanarGraph graph, DoubleToIntFunction ring) {
    int[] rings = new int[11];
    for (int v = 0; v < graph.vertices(); v++) {
      rings[ring.applyAsInt(Math.hypot(graph.x(v), graph.y(v)))]++;
    }
    return rings;
  }

  /** A single cluster: its mean and deviation, and the share within one deviation. */
  @Test
  void clustersAreNormallyDistributed() {
    PlanarGraph graph = MeshGenerators.generate("clustered:100k,clusters=1");
    double mean = 0;
    double squares = 0;
    for (int v = 0; v < graph.vertices(); v++) {
      mean += graph.x(v) / graph.vertices();
    }
    for (int v = 0; v < graph.vertices(); v++) {
      squares += (graph.x(v) - mean) * (graph.x(v) - mean) / graph.vertices();
    }
    double deviation = Math.sqrt(squares);
    int within = 0;
    for (int v = 0; v < graph.vertices(); v++) {
      within += Math.abs(graph.x(v) - mean) < deviation ? 1 : 0;
    }
    assertTrue(mean > 0 && mean < 1);
    assertTrue(deviation > 1 / 1100.0 && deviation < 1 / 7.0);
    assertEquals(68_270, within, 800);
  }

  @Test
  void gridPointsAreNearTheirPlaces() {
    PlanarGraph graph = MeshGenerators.generate("grid:1000");
    boolean moved = false;
    for (int v = 0; v < 1000; v++) {
      assertEquals(v % 32, graph.x(v), 1.01e-12);
      assertEquals(v / 32, graph.y(v), 1.01e-12);
      moved |= graph.x(v) != v % 32;
    }
    assertTrue(moved);
    assertArrayEquals(
        new double[] {0, 0, 1, 0, 2, 0, 0, 1, 1, 1},
        MeshGenerators.generate("grid:5,jitter=0").coordinates());
  }

  @Test
  void inputsLargerThanTheHeapAreRefused() {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> new MeshGenerator("uniform:n=9", 1, MeshGeneratorsTest::noMemory).generate())
            .getMessage();
    assertTrue(message.startsWith("generator 'uniform:n=9': too large for the heap of "), message);
  }

  private static PlanarGraph noMemory() {
    throw new OutOfMemoryError("a test");
  }
}
