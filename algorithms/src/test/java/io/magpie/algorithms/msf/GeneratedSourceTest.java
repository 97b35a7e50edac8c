package io.magpie.algorithms.msf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.magpie.algorithms.graph.GeneratedEdges;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Edges that devices compute are, bit by bit, those that Java computes. */
class GeneratedSourceTest {
  /** Numbers that a chunk of so many edges begins with, near all powers of two that matter. */
  private static final int CHUNK = 257;

  @ParameterizedTest
  @CsvSource({
    "'random:n=2,m=3'",
    "'random:n=1000,m=1001,weights=none'",
    "'random:n=2147483638,m=20G,seed=99,weights=7..7'",
    "'random:n=777,m=281474976710656,weights=int:-2147483648..2147483647'",
    "'random:n=777,m=5G,weights=float:-1..1'",
    "'random:n=50,m=5000,weights=float:-0.0..0.0'",
    "'random:n=50,m=5000,weights=float:-3.4028235e38..3.4028235e38'",
    "'random:n=50,m=5000,weights=float:1e-45..1e-40'",
    "'rmat:n=1,edges=5'",
    "'rmat:n=2,edges=500'",
    "'rmat:n=3,edges=500,weights=none'",
    "'rmat:n=77,edges=9000,constants=gtgraph,weights=1..9'",
    "'rmat:scale=0,edges=5'",
    "'rmat:scale=17,edges=20G,seed=3'",
    "'rmat:scale=30,edges=281474976710656,weights=float:0..1'",
    "'rmat:n=2147483638,edges=20G'",
    "'rmat:n=1000003,edges=20G,a=0,b=0.5,c=0.5'",
    "'rmat:n=1000003,edges=20G,a=1,b=0,c=0'",
    "'rmat:n=1000,edges=20G,a=0,b=0,c=0'",
  })
  void devicesComputeTheSame(String spec) {
    GeneratedEdges edges = GeneratedEdges.parse(spec);
    for (String name : Variants.withGpu("cpu:4", "sim:2:4")) {
      Device device = Variants.device(name);
      for (long power = 0; power <= 48; power += power == 0 ? 9 : 1) {
        long first = power == 0 ? 0 : (1L << power) - 100;
        long left = edges.count() - first;
        if (left > 0) {
          compare(device, edges, first, (int) Math.min(CHUNK, left));
        }
      }
      compare(device, edges, edges.count() - 1, 1);
    }
  }

  @Test
  void aRangeHasItsEdgesAlone() {
    GeneratedEdges edges = GeneratedEdges.parse("random:n=90,m=1000");
    EdgeSource all = EdgeSource.of(edges);
    EdgeChunk expected = new EdgeChunk(1000, edges.weightType());
    all.next(expected);
    EdgeSource range = EdgeSource.of(edges, 100, 350);
    assertEquals(250, range.edges());
    EdgeChunk chunk = new EdgeChunk(200, edges.weightType());
    for (int first = 100; first < 350; first += 200) {
      chunk.clear();
      range.next(chunk);
      assertEquals(Math.min(200, 350 - first), chunk.size());
      for (int i = 0; i < chunk.size(); i++) {
        assertEquals(first + i, chunk.number(i));
        assertEquals(expected.sources()[first + i], chunk.sources()[i]);
        assertEquals(expected.targets()[first + i], chunk.targets()[i]);
      }
    }
    chunk.clear();
    range.next(chunk);
    assertEquals(0, chunk.size());
    assertThrows(IndexOutOfBoundsException.class, () -> EdgeSource.of(edges, 900, 1001));
    assertThrows(IndexOutOfBoundsException.class, () -> EdgeSource.of(edges, 9, 8));
  }

  private static void compare(Device device, GeneratedEdges edges, long first, int count) {
    boolean ints = edges.weightType() == WeightType.INT;
    int[] sources = new int[count];
    int[] targets = new int[count];
    Object weights = ints ? new int[count] : new float[count];
    edges.fill(first, count, sources, targets, weights);
    int[] bits = ints ? (int[]) weights : new int[count];
    for (int i = 0; !ints && i < count; i++) {
      bits[i] = Float.floatToRawIntBits(((float[]) weights)[i]);
    }
    GeneratedSource source = new GeneratedSource(edges, first, edges.count());
    try (DeviceArray<int[]> u = device.ints(count);
        DeviceArray<int[]> v = device.ints(count);
        DeviceArray<int[]> w = device.ints(count)) {
      DeviceEdgeChunk chunk = new DeviceEdgeChunk(edges.weightType(), u, v, w);
      source.fill(chunk);
      assertEquals(first, chunk.first());
      assertEquals(count, chunk.size());
      assertArrayEquals(sources, u.toArray(), () -> edges + " from " + first);
      assertArrayEquals(targets, v.toArray(), () -> edges + " from " + first);
      assertArrayEquals(bits, w.toArray(), () -> edges + " from " + first);
    }
  }
}
