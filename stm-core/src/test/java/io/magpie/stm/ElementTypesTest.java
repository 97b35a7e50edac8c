package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.simulator.AccessTrace;
import io.magpie.stm.simulator.AccessTrace.Kind;
import io.magpie.stm.simulator.Schedule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes, shorts, vectors and rows as arguments of a region. */
class ElementTypesTest {
  private static final int N = 11;
  private static final int ROWS = 6;
  private static final int COLUMNS = 5;

  /** The arguments of region {@code adds}. */
  private static final class Data implements AutoCloseable {
    final List<AutoCloseable> open = new ArrayList<>();
    final DeviceArray<byte[]> marks;
    final DeviceArray<short[]> totals;
    final DeviceArray<short[]> table;
    final DeviceArray<float[]> vectors;
    final DeviceArray<byte[]> steps;
    final StmObjects objects;
    final Fields fields;

    Data(Device device) {
      byte[] each = new byte[3 * N];
      for (int i = 0; i < N; i++) {
        each[3 * i] = (byte) (20 * i); // unsigned, up to 200
        each[3 * i + 1] = (byte) (255 - i);
        each[3 * i + 2] = (byte) (i % COLUMNS);
      }
      marks = keep(device.bytes(N));
      totals = keep(device.shorts(N));
      table = keep(device.shorts(ROWS * COLUMNS));
      vectors = keep(device.floats(4 * N));
      steps = keep(device.copyOf(each));
      objects = keep(device.objects(N));
      fields =
          new Fields()
              .set("marks", marks, objects)
              .set("totals", totals, keep(device.objects(3)))
              .set("table", table, COLUMNS, keep(device.objects(ROWS / 2)))
              .set("vectors", vectors, objects)
              .set("steps", steps, 3)
              .set("sign", keep(device.copyOf(new byte[] {-1})));
    }

    <T extends AutoCloseable> T keep(T resource) {
      open.add(resource);
      return resource;
    }

    @Override
    public void close() {
      for (AutoCloseable each : open) {
        try {
          each.close();
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }

  private static KernelModule compiled(Device device) {
    return device.compile(Devices.source("elements.cu"));
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void neighborsOfAllSizesStayApart(String spec) {
    int times = 40;
    try (Device device = Device.open(spec);
        KernelModule module = compiled(device);
        Data data = new Data(device)) {
      module.region("adds").run(times * N, data.fields).requireComplete();
      byte[] marks = data.marks.toArray();
      short[] totals = data.totals.toArray();
      float[] vectors = data.vectors.toArray();
      short[] table = new short[ROWS * COLUMNS];
      for (int i = 0; i < N; i++) {
        assertEquals((byte) (times * 20 * i), marks[i]);
        assertEquals((short) (-times * (255 - i)), totals[i]);
        for (int part = 0; part < 4; part++) {
          assertEquals(times * (part + 1), vectors[4 * i + part]);
        }
        table[i % ROWS * COLUMNS + i % COLUMNS] -= (short) times;
      }
      assertArrayEquals(table, data.table.toArray());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu-checked:1", "sim:0:1"})
  void placesOutsideOfRowsAreNamed(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = compiled(device)) {
      Region adds = module.region("adds");
      try (Data data = new Data(device)) {
        data.fields.set("steps", data.steps, 2);
        assertFault(adds, data, "item 0: row 0, column 2 is outside 'steps.data' of 16 rows and 2");
      }
      try (Data data = new Data(device)) {
        data.fields.set("steps", data.steps.slice(0, 3), 3);
        assertFault(adds, data, "row 1, column 0 is outside 'steps.data' of 1 rows and 3 columns");
      }
      try (Data data = new Data(device)) {
        data.steps.set(3 * 4 + 2, COLUMNS);
        assertFault(adds, data, "item 4: index 5 is outside a part of 'table.data' of length 5");
      }
      try (Data data = new Data(device)) { // the first row begins where all of them do
        data.steps.set(2, COLUMNS);
        assertFault(adds, data, "item 0: index 5 is outside a part of 'table.data' of length 5");
      }
    }
  }

  private static void assertFault(Region region, Data data, String said) {
    StmOptions one = StmOptions.defaults().withThreadsInFlight(1);
    KernelFaultException e =
        assertThrows(KernelFaultException.class, () -> region.run(one, N, data.fields));
    assertTrue(e.getMessage().contains(said), e::getMessage);
  }

  @Test
  void whatDoesNotFitIsRefusedBeforeAnythingRuns() {
    try (Device device = Device.open("cpu:1");
        KernelModule module = compiled(device);
        Data data = new Data(device)) {
      Region adds = module.region("adds");
      Map<String, FieldKind> fields = adds.fields();
      assertEquals("an array of u8", fields.get("marks.data").inWords());
      assertEquals("an array of i16", fields.get("totals.data").inWords());
      assertEquals("an array of u8", fields.get("steps.data").inWords());
      assertEquals("a pointer to i8", fields.get("sign").inWords());
      assertEquals("a pointer to i8 (an array, or null)", fields.get("sign").inWordsOfJava());
      assertEquals(16, fields.get("vectors.data").elementBytes());

      StmObjects two = data.keep(device.objects(2));
      refused(adds, data, "table", new Fields().set("t", data.table, COLUMNS, two), "the 6 rows");
      refused(
          adds,
          data,
          "marks",
          new Fields().set("t", data.totals, data.objects),
          "'marks.data' of region adds must be an array of u8 on cpu:1, got short array of 11");
      refused(
          adds,
          data,
          "totals",
          new Fields().set("t", data.marks, data.objects),
          "'totals.data' of region adds must be an array of i16 on cpu:1, got byte array of 11");
      DeviceArray<byte[]> bytes = data.keep(device.bytes(17 * N));
      refused(
          adds,
          data,
          "vectors",
          new Fields().set("t", bytes.slice(1, 16 * N), data.objects),
          "slice, byte array of 176 elements on cpu:1 that does not begin at a multiple of 16");
      data.fields.set("vectors", bytes.slice(0, 16 * N), data.objects);
      adds.run(N, data.fields).requireComplete();

      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class, () -> new Fields().set("steps", data.steps, 0));
      assertEquals("columns must be at least 1, got 0", e.getMessage());
    }
  }

  /** The member gets what {@code given} has for {@code t}; then it is as it was. */
  private static void refused(Region region, Data data, String member, Fields given, String said) {
    Fields before = (Fields) data.fields.values().get(member);
    data.fields.set(member, (Fields) given.values().get("t"));
    ArgumentMismatchException e =
        assertThrows(ArgumentMismatchException.class, () -> region.run(1, data.fields));
    assertTrue(e.getMessage().contains(said), e::getMessage);
    data.fields.set(member, before);
  }

  @Test
  void tracesNameElementsOfEverySize() {
    try (Device device = Device.open("sim:0:4");
        KernelModule module =
            device.compile(
                Devices.source("elements.cu"),
                Map.of("MAGPIE_TRACE", "1", "MAGPIE_ONLY_FIXED_LOGS", "1"));
        Data data = new Data(device)) {
      Region adds = module.region("adds");
      device
          .simulator()
          .setTracing(new AccessTrace.Scope(adds.memory(data.fields), 1000, 0, false));
      device.simulator().setSchedule(Schedule.ordered(List.of()));
      adds.run(4, data.fields);
      AccessTrace trace = device.simulator().accessTrace();
      List<String> seen = new ArrayList<>();
      for (int i = 0; i < trace.size(); i++) {
        if (trace.item(i) == 3 && trace.bytes(i) > 0) {
          String where = trace.inWords(trace.address(i));
          Kind kind = trace.kind(i);
          seen.add(kind + " " + where + " " + trace.bytes(i) + ": " + trace.value(i));
        }
      }
      long vector = (long) Float.floatToRawIntBits(2) << 32 | Float.floatToRawIntBits(1);
      long rest = (long) Float.floatToRawIntBits(4) << 32 | Float.floatToRawIntBits(3);
      assertEquals(
          List.of(
              "READ marks.data[3] 1: 0",
              "FIXED_READ steps.data[9] 1: 60",
              "FIXED_READ steps.data[10] 1: 252",
              "FIXED_READ sign[0] 1: 255",
              "READ totals.data[3] 2: 0",
              "FIXED_READ steps.data[11] 1: 3",
              "READ table.data[18] 2: 0",
              "READ vectors.data[3] 8: 0",
              "READ vectors.data[3] + 8 bytes 8: 0",
              "WRITE_BACK marks.data[3] 1: 60",
              "WRITE_BACK totals.data[3] 2: " + (65536 - 252),
              "WRITE_BACK table.data[18] 2: 65535",
              "WRITE_BACK vectors.data[3] 8: " + vector,
              "WRITE_BACK vectors.data[3] + 8 bytes 8: " + rest),
          seen);
    }
  }
}
