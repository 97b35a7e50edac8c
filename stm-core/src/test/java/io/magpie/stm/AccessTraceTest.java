package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.simulator.AccessTrace;
import io.magpie.stm.simulator.AccessTrace.Kind;
import io.magpie.stm.simulator.AccessTrace.Scope;
import io.magpie.stm.simulator.Schedule;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a trace has of accesses that are known. */
class AccessTraceTest {
  private static final Path SOURCE =
      Path.of(System.getProperty("magpie.basedir"), "src/test/cuda/traced.cu");

  private static Device device;
  private static KernelModule module;
  private static Region region;
  private Fields arguments;
  private final List<AutoCloseable> open = new ArrayList<>();

  @BeforeAll
  static void load() {
    device = Device.open("sim:0:4");
    module = device.compile(SOURCE, Map.of("MAGPIE_TRACE", "1"));
    region = module.region("touch");
  }

  @AfterAll
  static void unload() {
    module.close();
    device.close();
  }

  @BeforeEach
  void fill() {
    arguments =
        new Fields()
            .set("cells", keep(device.objects(4)))
            .set("values", keep(device.copyOf(10, 20, 30, 40, 1, 2, 3, 4, 0, 0)))
            .set("sums", keep(device.longs(8)))
            .set("extra", keep(device.copyOf(100, 200, 300, 400)))
            .set("pairs", keep(device.ints(8)));
  }

  private <T extends AutoCloseable> T keep(T resource) {
    open.add(0, resource);
    return resource;
  }

  @AfterEach
  void close() throws Exception {
    device.simulator().setTracing(null);
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private AccessTrace run(Schedule schedule, Scope scope) {
    device.simulator().setTracing(scope);
    device.simulator().setSchedule(schedule);
    region.run(4, arguments);
    return device.simulator().accessTrace();
  }

  private Scope scope() {
    return new Scope(region.memory(arguments), 1000, 0, false);
  }

  /** Accesses of an item as {@code KIND where value line}. */
  private List<String> accesses(AccessTrace trace, int item) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < trace.size(); i++) {
      if (trace.item(i) == item && (trace.bytes(i) > 0 || trace.kind(i) == Kind.LOGGED)) {
        String line = module.sourceLine(trace.place(i)).orElse("?");
        lines.add(
            trace.kind(i)
                + " "
                + trace.inWords(trace.address(i))
                + " "
                + trace.value(i)
                + (trace.kind(i) == Kind.WRITE_BACK ? "" : " " + line));
      }
    }
    return lines;
  }

  @Test
  void everyAccessIsSeenWithFieldIndexValueAndLine() {
    AccessTrace trace = run(Schedule.ordered(List.of(2, 0, 1, 3)), scope());
    assertTrue(trace.complete());
    assertEquals(
        List.of(
            "READ values[2] 30 traced.cu:25",
            "PLAIN_READ values[6] 3 traced.cu:26",
            "PLAIN_READ extra[2] 300 traced.cu:27",
            "PLAIN_WRITE sums[2] 333 traced.cu:28",
            "PLAIN_WRITE pairs[4] 333 traced.cu:30",
            "PLAIN_WRITE pairs[5] 2 traced.cu:30",
            "GLANCE values[0] 10 traced.cu:31",
            "TALLY sums[7] 1 traced.cu:32",
            "ATOMIC values[9] 1 traced.cu:33",
            "LOGGED values[2] 343 traced.cu:34",
            "WRITE_BACK values[2] 343"),
        accesses(trace, 2));
    assertTrue(accesses(trace, 0).contains("TALLY sums[7] 2 traced.cu:32"), "after item 2");
  }

  /**
   * A model of bytes says which pieces, each in one word of 8 bytes on either side, are read and
   * written; the numbers of words copied are all that fit.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void whatStringFunctionsAccessIsSeen(int words) {
    int[] before = IntStream.range(0, 64).map(i -> 0x01020304 * (i + 1)).toArray();
    DeviceArray<int[]> blocks = keep(device.copyOf(before));
    Fields fields =
        new Fields()
            .set("cells", keep(device.objects(1)))
            .set("blocks", blocks)
            .set("words", words);
    Region copy = module.region("copy");
    device.simulator().setTracing(new Scope(copy.memory(fields), 1000, 0, false));
    device.simulator().setSchedule(Schedule.roundRobin());
    copy.run(1, fields).requireComplete();

    Bytes model = new Bytes(before);
    model.move(256, 0, 64, "traced.cu:56");
    model.add(256 + 60);
    model.move(64, 256, 64, "traced.cu:58");
    model.move(4, 0, 4 * words, "traced.cu:59");
    model.move(128, 132, 4 * words, "traced.cu:60");
    model.fill(20, 7, 4 * words, "traced.cu:61");
    model.move(192, 256, 64, "traced.cu:62");
    List<String> seen =
        accesses(device.simulator().accessTrace(), 0).stream()
            .filter(line -> line.startsWith("PLAIN"))
            .toList();
    assertEquals(model.events, seen);
    model.all.putInt(60, 0); // by the transaction
    int[] after = new int[64];
    model.all.rewind().asIntBuffer().get(after);
    assertArrayEquals(after, blocks.toArray());
  }

  @Test
  void everyAtomicOperationIsSeenWithWhatItDoes() {
    Region use = module.region("use_builtins");
    Fields fields =
        new Fields().set("cells", keep(device.objects(1))).set("words", keep(device.longs(8)));
    device.simulator().setTracing(new Scope(use.memory(fields), 1000, 0, false));
    device.simulator().setSchedule(Schedule.roundRobin());
    use.run(1, fields).requireComplete();
    assertEquals(AtomicWords.events(), AtomicWords.events(device.simulator().accessTrace()));
  }

  /**
   * Four blocks of 64 bytes that are traced, a fifth that is not, and the events that there are.
   */
  private static final class Bytes {
    final ByteBuffer all = ByteBuffer.allocate(320).order(ByteOrder.LITTLE_ENDIAN);
    final List<String> events = new ArrayList<>();

    Bytes(int[] words) {
      all.asIntBuffer().put(words);
    }

    void add(int at) {
      all.putInt(at, all.getInt(at) + 1);
    }

    void move(int to, int from, int bytes, String line) {
      NavigableSet<Integer> cuts = cuts(bytes, to, from);
      boolean fromItsEnd = to > from && to < from + bytes;
      for (int begin : fromItsEnd ? cuts.descendingSet() : cuts) {
        int piece = cuts.higher(begin) == null ? bytes - begin : cuts.higher(begin) - begin;
        byte[] moved = new byte[piece];
        all.get(from + begin, moved);
        event("PLAIN_READ", from + begin, piece, line);
        all.put(to + begin, moved);
        event("PLAIN_WRITE", to + begin, piece, line);
      }
    }

    void fill(int to, int value, int bytes, String line) {
      NavigableSet<Integer> cuts = cuts(bytes, to, to);
      for (int begin : cuts) {
        int piece = cuts.higher(begin) == null ? bytes - begin : cuts.higher(begin) - begin;
        for (int i = 0; i < piece; i++) {
          all.put(to + begin + i, (byte) value);
        }
        event("PLAIN_WRITE", to + begin, piece, line);
      }
    }

    /** Where pieces begin. */
    private static NavigableSet<Integer> cuts(int bytes, int to, int from) {
      return IntStream.range(0, bytes)
          .filter(i -> i == 0 || (to + i) % 8 == 0 || (from + i) % 8 == 0)
          .boxed()
          .collect(Collectors.toCollection(TreeSet::new));
    }

    private void event(String kind, int at, int bytes, String line) {
      if (at >= 256) {
        return;
      }
      long value = 0;
      for (int i = bytes - 1; i >= 0; i--) {
        value = value << 8 | all.get(at + i) & 0xff;
      }
      String rest = at % 64 == 0 ? "" : " + " + at % 64 + " bytes";
      events.add(kind + " blocks[" + at / 64 + "]" + rest + " " + value + " " + line);
    }
  }

  @Test
  void threadsRunInTheOrderThatIsAsked() {
    for (List<Integer> order : List.of(List.of(3, 1, 0, 2), List.of(0, 1, 2, 3), List.of(2))) {
      List<Integer> wanted = new ArrayList<>(order);
      for (int thread = 0; thread < 4; thread++) {
        if (!wanted.contains(thread)) {
          wanted.add(thread);
        }
      }
      AccessTrace trace = run(Schedule.ordered(order), scope());
      List<Integer> locked = new ArrayList<>();
      for (int i = 0; i < trace.size(); i++) {
        if (trace.kind(i) == Kind.LOCKED) {
          locked.add(trace.thread(i));
        }
      }
      assertEquals(wanted, locked);
    }
  }

  @Test
  void forcedRetriesAreMadeOfEachItem() {
    AccessTrace trace = run(Schedule.ordered(List.of()), scope().withForcedRetries(2));
    int begun = 0;
    int committed = 0;
    for (int i = 0; i < trace.size(); i++) {
      begun += trace.kind(i) == Kind.BEGIN ? 1 : 0;
      committed += trace.kind(i) == Kind.END && trace.value(i) == 0 ? 1 : 0;
      assertTrue(trace.attempt(i) <= 3);
    }
    assertEquals(12, begun);
    assertEquals(4, committed);
  }

  @Test
  void aTraceThatFindsNoRoomSaysSo() {
    AccessTrace trace =
        run(Schedule.roundRobin(), new Scope(region.memory(arguments), 5, 0, false));
    assertFalse(trace.complete());
    assertEquals(5, trace.size());
    assertTrue(trace.count() > 40);
  }

  @Test
  void nothingIsTracedUnlessAsked() {
    device.simulator().setSchedule(Schedule.roundRobin());
    region.run(StmOptions.defaults(), 4, arguments);
    assertThrows(IllegalStateException.class, device.simulator()::accessTrace);
    run(Schedule.roundRobin(), scope());
    device.simulator().setTracing(null);
    assertThrows(IllegalStateException.class, device.simulator()::accessTrace);
  }
}
