package io.magpie.algorithms.msf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.magpie.algorithms.Phase;
import io.magpie.algorithms.graph.GeneratedEdges;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.msf.EdgeSource.Edge;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceOutOfMemoryException;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What several devices do when something goes wrong on one of them. */
@Timeout(120)
class ForestOnDevicesTest {
  private static final int VERTICES = 1000;

  /** A ring of edges that never ends, but fails or is wrong at one. */
  private static final class Ring implements Iterator<Edge> {
    private final AtomicLong next = new AtomicLong();
    private final long faulty;
    private final RuntimeException failure;

    /** Fails at an edge by an exception; null gives an edge to a vertex that there is not. */
    Ring(long faulty, RuntimeException failure) {
      this.faulty = faulty;
      this.failure = failure;
    }

    /** So many of its edges. */
    Iterator<Edge> first(int count) {
      return Stream.generate(this::next).limit(count).iterator();
    }

    @Override
    public boolean hasNext() {
      return true;
    }

    @Override
    public Edge next() {
      long number = next.getAndIncrement();
      int from = (int) (number % VERTICES);
      if (number == faulty && failure != null) {
        throw failure;
      }
      int to = number == faulty ? VERTICES : (from + 1) % VERTICES;
      return new Edge(number, from, to, (int) (number % 97));
    }
  }

  private static NumberedForest run(List<Device> devices, Iterator<Edge> edges) {
    return run(devices, EdgeSource.of(VERTICES, WeightType.INT, edges));
  }

  private static NumberedForest run(List<Device> devices, EdgeSource source) {
    return StreamedForest.run(devices, source, MsfOptions.defaults(), 200);
  }

  /** A source of edges like those of the ring. */
  private abstract static class RingSource implements EdgeSource {
    @Override
    public int vertices() {
      return VERTICES;
    }

    @Override
    public WeightType weightType() {
      return WeightType.INT;
    }
  }

  /** Edges that begin again. */
  private static final class Repeated extends RingSource {
    @Override
    public void next(EdgeChunk chunk) {
      for (int e = 0; !chunk.isFull(); e++) {
        chunk.add(e, e, e + 1, e);
      }
    }
  }

  /** More edges than it says. */
  private static final class Few extends RingSource {
    private final EdgeSource many;

    Few(EdgeSource many) {
      this.many = many;
    }

    @Override
    public long edges() {
      return 1000;
    }

    @Override
    public void next(EdgeChunk chunk) {
      many.next(chunk);
    }
  }

  private static List<Device> three() {
    return List.of(Variants.device("cpu:1"), Variants.device("cpu:2"), Variants.device("cpu:4"));
  }

  @Test
  void aFailureOfTheSourceEndsAllDevices() {
    IllegalStateException failure = new IllegalStateException("no more of these");
    Ring ring = new Ring(5_000, failure);
    assertSame(failure, assertThrows(IllegalStateException.class, () -> run(three(), ring)));
    assertTrue(ring.next.get() < 10_000, () -> "read on to " + ring.next);
  }

  /** One of two waits in the source while the other finds a wrong edge. */
  @Test
  void aSourceThatWaitsIsInterruptedWhenAnotherDeviceFails() {
    List<Device> devices = List.of(Variants.device("cpu:1"), Variants.device("cpu:2"));
    // The other may find it, and stop all, before the second has come to the source.
    for (int run = 0; run < 1_000; run++) {
      Waiting source = new Waiting();
      Exception refused =
          assertThrows(
              IllegalArgumentException.class,
              () -> StreamedForest.run(devices, source, MsfOptions.defaults(), 10));
      assertTrue(refused.getMessage().contains("edge number 0 "), refused::getMessage);
      if (source.waited) {
        return;
      }
    }
    fail("in 1,000 runs no device waited in the source while the other failed");
  }

  /** A wrong edge, and then nothing until its thread is interrupted. */
  private static final class Waiting implements EdgeSource {
    private int calls;
    private volatile boolean waited;

    @Override
    public int vertices() {
      return 2;
    }

    @Override
    public WeightType weightType() {
      return WeightType.INT;
    }

    @Override
    public void next(EdgeChunk chunk) {
      if (calls++ == 0) {
        chunk.add(0, 0, 2, 1);
        return;
      }
      waited = true;
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        throw new IllegalStateException("interrupted", e);
      }
    }
  }

  /** No device sees both of two edges, or all of them. */
  @Test
  void whatNoDeviceSeesIsRefused() {
    EdgeSource twice = new Repeated();
    Exception refused = assertThrows(IllegalArgumentException.class, () -> run(three(), twice));
    assertTrue(refused.getMessage().contains("comes after number"), refused::getMessage);
    EdgeSource many = EdgeSource.of(VERTICES, WeightType.INT, new Ring(-1, null));
    Exception counted =
        assertThrows(IllegalArgumentException.class, () -> run(three(), new Few(many)));
    assertTrue(counted.getMessage().contains("at most 1000 edges"), counted::getMessage);
  }

  @Test
  void aWrongEdgeIsToldByItsNumber() {
    Exception refused =
        assertThrows(IllegalArgumentException.class, () -> run(three(), new Ring(5_000, null)));
    assertTrue(refused.getMessage().contains("5000"), refused::getMessage);
  }

  @Test
  void anInterruptEndsNothingAndIsKept() {
    Thread.currentThread().interrupt();
    NumberedForest forest = run(three(), new Ring(-1, null).first(5_000));
    assertTrue(Thread.interrupted());
    assertEquals(5_000, forest.report().orElseThrow().edges());
    assertEquals(VERTICES - 1, forest.edges());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"random:n=500,m=20000,seed=4", "rmat:scale=9,edges=9000,weights=float:-1..1"})
  void edgesThatDevicesComputeGiveTheForestOfOne(String generated) {
    GeneratedEdges edges = GeneratedEdges.parse(generated);
    MsfOptions options = MsfOptions.defaults();
    NumberedForest alone =
        StreamedForest.run(Variants.device("cpu:2"), EdgeSource.of(edges), options, 700);
    List<Device> devices =
        Stream.of(Variants.withGpu("cpu:1", "cpu:2", "cpu:4")).map(Variants::device).toList();
    NumberedForest several = StreamedForest.run(devices, EdgeSource.of(edges), options, 700);
    assertArrayEquals(alone.numbers(), several.numbers());
    assertEquals(alone.exactWeight(), several.exactWeight());
    assertEquals(List.of(), StreamVerifier.verify(several, EdgeSource.of(edges)));
    StreamReport report = several.report().orElseThrow();
    assertEquals(edges.count(), report.edges());
    assertTrue(report.phases().stream().anyMatch(phase -> phase.name().equals("fill")));
  }

  /** Edges of a ring, until one of the devices fails in the middle of them, or of the merges. */
  private static final class ClosingADevice extends RingSource {
    private static final int CHUNKS = 8;

    private final Device device;
    private final int when;
    private final EdgeSource ring =
        EdgeSource.of(VERTICES, WeightType.INT, new Ring(-1, null).first(CHUNKS * 200));
    private int calls;

    ClosingADevice(Device device, int when) {
      this.device = device;
      this.when = when;
    }

    @Override
    public void next(EdgeChunk chunk) {
      if (calls++ == when) {
        closeAsIs(device);
      }
      ring.next(chunk);
    }
  }

  /** Closes a device on which something is open, which tests may be told as a failure. */
  private static void closeAsIs(Device device) {
    try {
      device.close();
    } catch (IllegalStateException e) {
      assertTrue(e.getMessage().contains("still open"), e::getMessage);
    }
  }

  @Test
  void aDeviceThatFailsLeavesNothingOnTheOthers() {
    int failures = 0;
    for (int when = 0; when <= ClosingADevice.CHUNKS; when++) {
      try (Device one = Device.open("cpu:1");
          Device failing = Device.open("cpu:2");
          Device other = Device.open("cpu:2")) {
        try {
          NumberedForest forest =
              run(List.of(one, failing, other), new ClosingADevice(failing, when));
          assertEquals(VERTICES - 1, forest.edges()); // it had had no edges, or was done with
        } catch (IllegalStateException e) {
          assertTrue(e.getMessage().contains("closed"), e::getMessage);
          failures++;
        }
        assertEquals(List.of(), one.leaks());
        assertEquals(List.of(), other.leaks());
      }
    }
    assertTrue(failures > 0, "no run failed");
  }

  /** Wherever memory ends, at first allocations, in the middle of edges or in a merge. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aDeviceThatRunsOutOfMemoryEndsAllAndIsTold(int which) {
    List<Device> devices = three();
    Device scarce = devices.get(which);
    int failures = 0;
    boolean enough = false;
    for (long bytes = 4_000; !enough; bytes += bytes / 4) {
      Ring ring = new Ring(-1, null);
      EdgeSource source = EdgeSource.of(VERTICES, WeightType.INT, ring.first(5_000));
      long limit = bytes;
      ForestOnDevices run =
          new ForestOnDevices(
              devices,
              MsfOptions.defaults(),
              200,
              Integer.MAX_VALUE,
              device ->
                  device == scarce ? new ScarceMemory(device, limit) : new DeviceMemory(device));
      try {
        assertEquals(VERTICES - 1, run.of(source, Long.MAX_VALUE).edges());
        enough = true;
      } catch (DeviceOutOfMemoryException e) {
        assertTrue(e.getMessage().contains(scarce.description().spec()), e::getMessage);
        failures++;
      }
      for (Device device : devices) {
        assertEquals(List.of(), device.leaks());
      }
    }
    assertTrue(failures > 0, "no run failed");
  }

  /** Single edges of a ring until so many threads have come for some, then so many more. */
  private static final class ForAll extends RingSource {
    private final Set<Thread> come = new HashSet<>();
    private final int threads;
    private int left;
    private int given;

    ForAll(int threads, int edges) {
      this.threads = threads;
      this.left = edges;
    }

    @Override
    public void next(EdgeChunk chunk) {
      come.add(Thread.currentThread());
      if (come.size() < threads) {
        add(chunk);
        return;
      }
      for (; left > 0 && !chunk.isFull(); left--) {
        add(chunk);
      }
    }

    private void add(EdgeChunk chunk) {
      chunk.add(given, given % VERTICES, (given + 1) % VERTICES, given % 97);
      given++;
    }
  }

  private static int launches(StreamReport report, String kernel) {
    return report.phases().stream()
        .filter(phase -> phase.name().equals(kernel))
        .mapToInt(Phase::launches)
        .sum();
  }

  @Test
  void mergesAreOnTheDevices() {
    ForAll source = new ForAll(3, 5_000);
    StreamReport report = run(three(), source).report().orElseThrow();
    assertEquals(source.given, report.edges());
    assertEquals(2, launches(report, "place_merged")); // the second to the first, then the third
    assertEquals(2, launches(report, "spread_halves")); // numbers, of both sides at once
    assertEquals(4, launches(report, "spread_longs")); // ends, of both sides
    assertEquals(4, launches(report, "spread_words")); // weights
    assertEquals(5, launches(report, "split_edges")); // of 999 edges one leaves, 200 at a time
    for (Device device : three()) {
      assertEquals(List.of(), device.leaks());
    }
  }

  @Test
  void devicesMustBeDifferent() {
    Device one = Variants.device("cpu:1");
    Ring ring = new Ring(-1, null);
    assertThrows(IllegalArgumentException.class, () -> run(List.of(one, one), ring));
    assertThrows(IllegalArgumentException.class, () -> run(List.of(), ring));
    assertEquals(0, ring.next.get());
  }
}
