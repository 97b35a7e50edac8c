package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
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

  /** Position, what is given there, what the message says of it, and the field's name. */
  static Stream<Arguments> misfits() {
    return Stream.of(
        Arguments.of(0, 1L << 31, "Long 2147483648", "a"),
        Arguments.of(0, 1.0, "Double 1.0", "a"),
        Arguments.of(0, null, "null", "a"),
        Arguments.of(0, "5", "java.lang.String", "a"),
        Arguments.of(1, -1L, "Long -1", "b"),
        Arguments.of(1, 1L << 32, "Long 4294967296", "b"),
        Arguments.of(2, 1f, "Float 1.0", "c"),
        Arguments.of(3, -1, "Integer -1", "d"),
        Arguments.of(4, 1.0, "a cast to float is needed", "e"),
        Arguments.of(4, 1, "Integer 1", "e"),
        Arguments.of(5, 1, "Integer 1", "f"),
        Arguments.of(6, new long[6], "copy it to the device first", "words"),
        Arguments.of(6, null, "null", "words"),
        Arguments.of(6, 5L, "Long 5", "words"));
  }

  @ParameterizedTest
  @MethodSource("misfits")
  void namesArgumentAndField(int index, Object given, String said, String field) {
    ArgumentMismatchException e = everyKindWith(index, given);
    assertEquals(index, e.index());
    assertEquals(field, e.field());
    assertEquals("kernel every_kind", e.kernel());
    assertTrue(e.actual().contains(said), e::getMessage);
    assertTrue(e.getMessage().contains("argument " + index + " ('" + field + "')"), e::getMessage);
    assertTrue(e.getMessage().contains(e.expected()), e::getMessage);
  }

  private static ArgumentMismatchException everyKindWith(int index, Object given) {
    Object[] arguments = {1, 2, 3L, 4L, 5f, 6.0, longs, floats, doubles, null};
    arguments[index] = given;
    return assertThrows(
        ArgumentMismatchException.class, () -> vectors.phase("every_kind").run(1, arguments));
  }

  @Test
  void arraysMustHaveTheFieldsElements() {
    assertTrue(everyKindWith(6, ints).actual().contains("int array of 6"));
    assertTrue(everyKindWith(6, doubles).actual().contains("double array of 6"));
    assertTrue(everyKindWith(7, ints).expected().contains("an array of f32"));
    assertTrue(everyKindWith(9, longs).expected().contains("a pointer to u32"));
  }

  @Test
  void arraysOfAnotherDeviceAreRefused() {
    DeviceArray<long[]> foreign = other.longs(6);
    ArgumentMismatchException e = everyKindWith(6, foreign);
    foreign.close();
    assertTrue(e.actual().contains("another device of the same name"), e::getMessage);
  }

  @Test
  void closedArraysAreRefusedAsClosed() {
    DeviceArray<int[]> facts = device.ints(3);
    facts.close();
    assertThrows(IllegalStateException.class, () -> vectors.phase("warp_facts").run(1, facts));
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
  void theNumberOfArgumentsIsCheckedFirst() {
    ArgumentMismatchException e =
        assertThrows(
            ArgumentMismatchException.class, () -> transfers.region("transfer").run(1, 1, 2));
    assertEquals(-1, e.index());
    assertEquals(
        "region transfer takes 5 arguments (accounts, balance, from, to, amount), got 2",
        e.getMessage());
    e = assertThrows(ArgumentMismatchException.class, () -> vectors.phase("warp_facts").launch(1));
    assertEquals("kernel warp_facts takes 1 argument (facts), got 0", e.getMessage());
  }

  /** As a call with a single null is, if it does not say Object. */
  @Test
  void noArgumentsAtAllIsNoArray() {
    for (Executable call :
        List.<Executable>of(
            () -> transfers.region("transfer").run(1, (Object[]) null),
            () ->
                transfers
                    .region("transfer")
                    .runList(StmOptions.defaults(), ints, 1, (Object[]) null),
            () -> vectors.phase("warp_facts").run(1, (Object[]) null),
            () -> vectors.phase("warp_facts").launch(1, (Object[]) null))) {
      ArgumentMismatchException e = assertThrows(ArgumentMismatchException.class, call);
      assertTrue(
          e.getMessage().endsWith(", got null in place of all; a single null is (Object) null"),
          e::getMessage);
    }
  }

  @Test
  void objectsAreNoArrays() {
    DeviceArray<int[]> a = ints;
    ArgumentMismatchException e =
        assertThrows(
            ArgumentMismatchException.class,
            () -> transfers.region("transfer").run(1, a, a, a, a, 1));
    assertEquals("objects (an StmObjects) on cpu:1", e.expected());
    e =
        assertThrows(
            ArgumentMismatchException.class,
            () -> transfers.region("transfer").run(0, objects, objects, a, a, 1));
    assertEquals("4 objects on cpu:1", e.actual());
    assertEquals(1, e.index());
  }
}
