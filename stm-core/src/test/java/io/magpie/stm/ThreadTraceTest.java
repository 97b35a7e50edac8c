package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.simulator.AccessTrace;
import io.magpie.stm.simulator.AccessTrace.Kind;
import io.magpie.stm.simulator.AccessTrace.Scope;
import io.magpie.stm.simulator.AccessTrace.Tracer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a trace has of threads that run at the same time. */
class ThreadTraceTest {
  private static final Path SOURCE =
      Path.of(System.getProperty("magpie.basedir"), "src/test/cuda/traced.cu");

  private static Device device;
  private static KernelModule module;
  private static Region region;
  private final List<AutoCloseable> open = new ArrayList<>();
  private Tracer tracer;

  @BeforeAll
  static void load() {
    device = Device.open("cpu-checked:2");
    module = device.compile(SOURCE, Map.of("MAGPIE_TRACE", "1", "MAGPIE_ONLY_FIXED_LOGS", "1"));
    region = module.region("touch");
  }

  @AfterAll
  static void unload() {
    module.close();
    device.close();
  }

  @BeforeEach
  void ask() {
    tracer = device.tracer();
  }

  private <T extends AutoCloseable> T keep(T resource) {
    open.add(0, resource);
    return resource;
  }

  @AfterEach
  void close() throws Exception {
    tracer.setTracing(null);
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  /** Of four items with threads of their own. */
  private Fields arguments() {
    return new Fields()
        .set("cells", keep(device.objects(4)))
        .set("values", keep(device.copyOf(10, 20, 30, 40, 1, 2, 3, 4, 0, 0)))
        .set("sums", keep(device.longs(8)))
        .set("extra", keep(device.copyOf(100, 200, 300, 400)))
        .set("pairs", keep(device.ints(8)));
  }

  private static StmOptions threads(int count) {
    return StmOptions.defaults().withThreadsInFlight(count);
  }

  private static Scope scope(Fields arguments) {
    return new Scope(region.memory(arguments), 100_000, 0, false);
  }

  @Test
  void everyAccessIsSeenWithFieldIndexValueItemAttemptAndLine() {
    Fields arguments = arguments();
    tracer.setTracing(scope(arguments));
    region.run(threads(4), 4, arguments).requireComplete();
    AccessTrace trace = tracer.accessTrace();
    assertTrue(trace.complete());
    List<String> seen = new ArrayList<>();
    for (int i = 0; i < trace.size(); i++) {
      boolean access = trace.bytes(i) > 0 || trace.kind(i) == Kind.LOGGED;
      if (trace.item(i) == 2 && access) {
        assertEquals(1, trace.attempt(i));
        assertEquals(2, trace.thread(i));
        boolean sharesValue = List.of(Kind.GLANCE, Kind.TALLY, Kind.ATOMIC).contains(trace.kind(i));
        seen.add(
            trace.kind(i)
                + " "
                + trace.inWords(trace.address(i))
                + (sharesValue ? "" : " " + trace.value(i))
                + (trace.kind(i) == Kind.WRITE_BACK
                    ? ""
                    : " " + module.sourceLine(trace.place(i)).orElse("?")));
      }
    }
    assertEquals(
        List.of(
            "READ values[2] 30 traced.cu:25",
            "PLAIN_READ values[6] 3 traced.cu:26",
            "PLAIN_READ extra[2] 300 traced.cu:27",
            "PLAIN_WRITE sums[2] 333 traced.cu:28",
            "PLAIN_WRITE pairs[4] 333 traced.cu:30",
            "PLAIN_WRITE pairs[5] 2 traced.cu:30",
            "GLANCE values[0] traced.cu:31",
            "TALLY sums[7] traced.cu:32",
            "ATOMIC values[9] traced.cu:33"),
        seen.subList(0, 9));
    String written = seen.get(9).split(" ")[2];
    assertTrue(Long.parseLong(written) > 333, written);
    assertEquals(
        List.of("LOGGED values[2] " + written + " traced.cu:34", "WRITE_BACK values[2] " + written),
        seen.subList(9, seen.size()));
  }

  /** Whatever the order of events, no update's value is another one's, and none is lost. */
  @Test
  void whatAnUpdateLeavesIsItsOwn() {
    int items = 2_000;
    int most = items + 20;
    int[] listed = IntStream.range(10, items + 10).toArray(); // others write where all add
    Fields arguments =
        new Fields()
            .set("cells", keep(device.objects(most)))
            .set("values", keep(device.ints(most)))
            .set("sums", keep(device.longs(most)))
            .set("extra", keep(device.ints(most)))
            .set("pairs", keep(device.ints(2 * most)));
    tracer.setTracing(scope(arguments));
    region.runList(threads(4), keep(device.copyOf(listed)), items, arguments).requireComplete();
    AccessTrace trace = tracer.accessTrace();
    assertTrue(trace.complete());
    for (Kind kind : List.of(Kind.TALLY, Kind.ATOMIC)) {
      assertArrayEquals(
          LongStream.rangeClosed(1, items).toArray(),
          IntStream.range(0, trace.size())
              .filter(i -> trace.kind(i) == kind)
              .mapToLong(trace::value)
              .sorted()
              .toArray());
    }
  }

  /** The same past all accessors, while another thread writes. */
  @Test
  void whatAnAtomicOperationReadsOrLeavesIsItsOwn() {
    DeviceArray<long[]> sums = keep(device.longs(3));
    Fields arguments =
        new Fields()
            .set("cells", keep(device.objects(2)))
            .set("words", keep(device.ints(3)))
            .set("flags", keep(device.ints(2)))
            .set("sums", sums);
    Region meet = module.region("meet_by_builtins");
    List<AccessTrace.Memory> words =
        meet.memory(arguments).stream().filter(each -> each.name().startsWith("words")).toList();
    tracer.setTracing(new Scope(words, 100_000, 0, false));
    meet.run(threads(2), 2, arguments).requireComplete();
    AccessTrace trace = tracer.accessTrace();
    assertTrue(trace.complete());
    long[] seen = new long[3];
    for (int i = 0; i < trace.size(); i++) {
      int kind = List.of(Kind.SHARED_WRITE, Kind.SHARED_READ, Kind.ATOMIC).indexOf(trace.kind(i));
      if (kind >= 0) {
        seen[kind] += trace.value(i);
      }
    }
    assertArrayEquals(sums.toArray(), seen);
  }

  /** One after the other, in the order of a thread's steps, and with the claims before. */
  @Test
  void eventsOfAThreadAreInItsOrder() {
    Fields arguments = arguments();
    tracer.setTracing(scope(arguments));
    region.run(threads(4), 4, arguments).requireComplete();
    AccessTrace trace = tracer.accessTrace();
    Map<Long, List<Kind>> order = new HashMap<>();
    for (int i = 0; i < trace.size(); i++) {
      if (List.of(Kind.BEGIN, Kind.OPENED, Kind.LOCKED, Kind.END).contains(trace.kind(i))) {
        order.computeIfAbsent(trace.item(i), item -> new ArrayList<>()).add(trace.kind(i));
      }
    }
    List<Kind> expected = List.of(Kind.BEGIN, Kind.OPENED, Kind.LOCKED, Kind.END);
    assertEquals(Map.of(0L, expected, 1L, expected, 2L, expected, 3L, expected), order);
  }

  @Test
  void aTraceThatFindsNoRoomSaysSo() {
    Fields arguments = arguments();
    tracer.setTracing(new Scope(region.memory(arguments), 5, 0, false));
    region.run(threads(4), 4, arguments).requireComplete();
    AccessTrace trace = tracer.accessTrace();
    assertFalse(trace.complete());
    assertEquals(5, trace.size());
    assertTrue(trace.count() > 40);
  }

  @Test
  void aTraceIsThatOfTheLastLaunch() {
    Fields arguments = arguments();
    assertThrows(IllegalStateException.class, tracer::accessTrace);
    region.run(threads(4), 4, arguments).requireComplete();
    assertThrows(IllegalStateException.class, tracer::accessTrace);
    tracer.setTracing(scope(arguments));
    region.run(threads(4), 4, arguments).requireComplete();
    region.run(threads(4), 1, arguments).requireComplete();
    AccessTrace trace = tracer.accessTrace();
    assertTrue(IntStream.range(0, trace.size()).allMatch(i -> trace.item(i) <= 0));
    tracer.setTracing(null);
    assertThrows(IllegalStateException.class, tracer::accessTrace);
  }

  @Test
  void attemptsInVainAreARecordings() {
    Scope scope = scope(arguments()).withForcedRetries(1);
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> tracer.setTracing(scope));
    assertTrue(e.getMessage().contains("Recording.disturb"), e::getMessage);
  }

  @Test
  void everyAtomicOperationIsSeenWithWhatItDoes() {
    Region use = module.region("use_builtins");
    Fields arguments =
        new Fields().set("cells", keep(device.objects(1))).set("words", keep(device.longs(8)));
    Scope scope = new Scope(use.memory(arguments), 1000, 0, false);
    tracer.setTracing(scope);
    use.run(threads(1), 1, arguments).requireComplete();
    assertEquals(AtomicWords.events(), AtomicWords.events(tracer.accessTrace()));
  }

  /** The events before a fault are there, and the fault with its line. */
  @Test
  void aFaultIsAnEvent() {
    Fields arguments = arguments().set("values", keep(device.copyOf(10, 20, 30, 40, 1)));
    tracer.setTracing(scope(arguments));
    assertThrows(KernelFaultException.class, () -> region.run(threads(1), 4, arguments));
    AccessTrace trace = tracer.accessTrace();
    int last = trace.size() - 1;
    assertEquals(Kind.FAULTED, trace.kind(last));
    assertEquals("traced.cu:33", module.sourceLine(trace.place(last)).orElseThrow());
  }
}
