package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What every_kind and transfer do not take, and what they then say. */
class ArgumentMismatchTest {
  private static Device device;
  private static Device other;
  private static KernelModule vectors;
  private static KernelModule transfers;
  private static DeviceArray<int[]> ints;
  private static DeviceArray<long[]> longs;
  private static DeviceArray<float[]> floats;
  private static DeviceArray<double[]> doubles;
  private static StmObjects objects;

  @BeforeAll
  static void open() {
    device = Device.open("cpu:1");
    other = Device.open("cpu:1");
    vectors = device.compile(Devices.source("vectors.cu"));
    transfers = device.compile(Devices.source("transfers.cu"));
    ints = device.ints(6);
    longs = device.longs(6);
    floats = device.floats(1);
    doubles = device.doubles(6);
    objects = device.objects(4);
  }

  @AfterAll
  static void close() {
    Stream.of(ints, longs, floats, doubles, objects, vectors, transfers)
        .forEach(Device.Owned::close);
    other.close();
    assertEquals(0, device.leaks().size());
    device.close();
  }

  /** A field, what is given for it, and what the message says of that. */
  static Stream<Arguments> misfits() {
    return Stream.of(
        Arguments.of("a", 1L << 31, "Long 2147483648"),
        Arguments.of("a", 1.0, "Double 1.0"),
        Arguments.of("a", null, "null"),
        Arguments.of("a", "5", "java.lang.String"),
        Arguments.of("b", -1L, "Long -1"),
        Arguments.of("b", 1L << 32, "Long 4294967296"),
        Arguments.of("c", 1f, "Float 1.0"),
        Arguments.of("d", -1, "Integer -1"),
        Arguments.of("e", 1.0, "a cast to float is needed"),
        Arguments.of("e", 1, "Integer 1"),
        Arguments.of("f", 1, "Integer 1"),
        Arguments.of("words", new long[6], "copy it to the device first"),
        Arguments.of("words", null, "null"),
        Arguments.of("words", 5L, "Long 5"));
  }

  @ParameterizedTest
  @MethodSource("misfits")
  void namesFieldAndValue(String field, Object given, String said) {
    ArgumentMismatchException e = everyKindWith(field, given);
    assertEquals(field, e.field());
    assertEquals("kernel every_kind", e.kernel());
    assertTrue(e.actual().contains(said), e::getMessage);
    assertTrue(e.getMessage().startsWith("'" + field + "' of kernel every_kind"), e::getMessage);
    assertTrue(e.getMessage().contains(e.expected()), e::getMessage);
  }

  private static ArgumentMismatchException everyKindWith(String field, Object given) {
    Map<String, Object> values = new HashMap<>();
    values.put("a", 1);
    values.put("b", 2);
    values.put("c", 3L);
    values.put("d", 4L);
    values.put("e", 5f);
    values.put("f", 6.0);
    values.put("words", longs);
    values.put("floats", floats);
    values.put("doubles", doubles);
    values.put("nothing", null);
    values.put(field, given);
    return assertThrows(
        ArgumentMismatchException.class,
        () -> vectors.kernel("every_kind").run(1, Fields.of(values)));
  }

  @Test
  void arraysMustHaveTheFieldsElements() {
    assertTrue(everyKindWith("words", ints).actual().contains("int array of 6"));
    assertTrue(everyKindWith("words", doubles).actual().contains("double array of 6"));
    assertTrue(everyKindWith("floats", ints).expected().contains("an array of f32"));
    assertTrue(everyKindWith("nothing", longs).expected().contains("a pointer to u32"));
  }

  /** Inputs and results of one type that are swapped; slices of a const view are const. */
  @Test
  void whatIsConstGoesToFieldsOfConstElementsOnly() {
    DeviceArray<int[]> inputs = ints.asConst();
    Fields right = new Fields().set("accounts", objects).set("balance", ints).set("amount", 1);
    right.set("from", inputs).set("to", inputs.slice(0, 6));
    assertEquals(1, transfers.region("transfer").run(1, right).cancels());
    for (DeviceArray<int[]> each : List.of(inputs, inputs.slice(0, 6))) {
      Fields swapped = new Fields().set("accounts", objects).set("balance", each).set("amount", 1);
      swapped.set("from", ints).set("to", inputs);
      ArgumentMismatchException e =
          assertThrows(
              ArgumentMismatchException.class, () -> transfers.region("transfer").run(1, swapped));
      assertEquals(
          "'balance' of region transfer must be an array of i32 on cpu:1, got const view, int array"
              + " of 6 elements on cpu:1, and the field's elements are not const",
          e.getMessage());
    }
  }

  @Test
  void nothingIsWrittenThroughAConstView() {
    DeviceArray<int[]> view = ints.asConst();
    int[] before = ints.toArray();
    List<Executable> writes =
        List.of(
            () -> view.copyFrom(new int[] {7, 7, 7, 7, 7, 7}),
            () -> view.copyFrom(ints),
            () -> view.fill(7),
            () -> view.set(0, 7),
            () -> view.slice(1, 2).fill(7),
            () -> view.grown(9));
    for (Executable each : writes) {
      IllegalStateException e = assertThrows(IllegalStateException.class, each);
      assertTrue(e.getMessage().contains("does not apply to const view, int array"), e::getMessage);
    }
    assertArrayEquals(before, ints.toArray());
    assertArrayEquals(before, view.toArray());
  }

  @Test
  void arraysOfAnotherDeviceAreRefused() {
    DeviceArray<long[]> foreign = other.longs(6);
    ArgumentMismatchException e = everyKindWith("words", foreign);
    foreign.close();
    assertTrue(e.actual().contains("another device of the same name"), e::getMessage);
  }

  @Test
  void closedArraysAreRefusedAsClosed() {
    DeviceArray<int[]> facts = device.ints(3);
    facts.close();
    assertThrows(
        IllegalStateException.class,
        () -> vectors.kernel("warp_facts").run(1, new Fields().set("facts", facts)));
  }

  @Test
  void closedObjectsAreCalledObjects() {
    StmObjects accounts = device.objects(64);
    accounts.close();
    for (Executable use : List.<Executable>of(accounts::reset, accounts::claimed)) {
      IllegalStateException e = assertThrows(IllegalStateException.class, use);
      assertTrue(e.getMessage().startsWith("64 objects on "), e::getMessage);
      assertTrue(e.getMessage().endsWith(" are closed"), e::getMessage);
    }
  }

  @Test
  void eachFieldNeedsAValueAndEachValueAField() {
    Fields fields = new Fields().set("accounts", objects).set("balance", ints).set("from", ints);
    ArgumentMismatchException e =
        assertThrows(
            ArgumentMismatchException.class, () -> transfers.region("transfer").run(1, fields));
    assertEquals("to", e.field());
    assertEquals(
        "'to' of region transfer must be an array of u32 on cpu:1, got no value", e.getMessage());
    fields.set("too", ints).set("ammount", 1);
    e =
        assertThrows(
            ArgumentMismatchException.class, () -> transfers.region("transfer").run(1, fields));
    assertEquals("no value; 'too', 'ammount' are no field of it", e.actual());
    Fields all = new Fields().set("accounts", objects).set("balance", ints).set("from", ints);
    all.set("to", ints).set("amount", 1).set("amuont", 1);
    e =
        assertThrows(
            ArgumentMismatchException.class, () -> transfers.region("transfer").run(1, all));
    assertEquals(
        "'amuont' of region transfer must be one of its fields: accounts, balance, from, to,"
            + " amount, got a value",
        e.getMessage());
    e =
        assertThrows(
            ArgumentMismatchException.class,
            () -> vectors.kernel("warp_facts").launch(1, new Fields()));
    assertEquals("facts", e.field());
  }

  @Test
  void aStructIsNoArray() {
    ArgumentMismatchException e = everyKindWith("words", new Fields().set("x", 1));
    assertEquals("words", e.field());
  }

  @Test
  void objectsAreNoArrays() {
    DeviceArray<int[]> a = ints;
    ArgumentMismatchException e =
        assertThrows(
            ArgumentMismatchException.class,
            () ->
                transfers
                    .region("transfer")
                    .run(
                        1,
                        new Fields()
                            .set("accounts", a)
                            .set("balance", a)
                            .set("from", a)
                            .set("to", a)
                            .set("amount", 1)));
    assertEquals("objects (an StmObjects) on cpu:1", e.expected());
    e =
        assertThrows(
            ArgumentMismatchException.class,
            () ->
                transfers
                    .region("transfer")
                    .run(
                        0,
                        new Fields()
                            .set("accounts", objects)
                            .set("balance", objects)
                            .set("from", a)
                            .set("to", a)
                            .set("amount", 1)));
    assertEquals("4 objects on cpu:1", e.actual());
    assertEquals("balance", e.field());
  }
}
