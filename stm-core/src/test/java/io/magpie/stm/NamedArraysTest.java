package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.parallel.Primitives;
import io.magpie.stm.parallel.ScanOperator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays with the names of fields, and the fields that take them. */
class NamedArraysTest {
  private final Map<String, DeviceArray<?>> arrays = new LinkedHashMap<>();
  private Device device;
  private KernelModule module;
  private Kernel kernel;

  @BeforeEach
  void open() {
    device = Devices.openLenient("cpu:1"); // closes what is open
    module = device.compile(Devices.source("swaps.cu"));
    kernel = module.kernel("write_all");
    for (String field : List.of("parent", "label", "given", "flag", "table", "pairs")) {
      arrays.put(field, device.ints(2));
    }
    arrays.put("weight", device.floats(2));
    arrays.put("edge.first", device.ints(2));
    arrays.put("edge.last", device.ints(2));
  }

  @AfterEach
  void close() {
    device.close();
  }

  private static String bare(String field) {
    return field.substring(field.lastIndexOf('.') + 1);
  }

  private Fields fields() {
    Fields fields = new Fields();
    arrays.forEach((field, array) -> set(fields, field, array));
    return fields;
  }

  private static Fields set(Fields fields, String field, DeviceArray<?> array) {
    return field.equals("table") ? fields.set("table", array, 2) : fields.set(field, array);
  }

  private DeviceArray<?> named(String field) {
    return arrays.get(field).named(bare(field));
  }

  private ArgumentMismatchException refused(Fields fields) {
    return assertThrows(ArgumentMismatchException.class, () -> kernel.launch(1, fields));
  }

  @Test
  void eachFieldTakesWhatIsNamedAfterIt() {
    arrays.keySet().forEach(this::named);
    Fields fields = fields();
    for (int i = 0; i < 2; i++) {
      kernel.run(1, fields);
      fields.set("parent", arrays.get("parent").slice(0, 1)).set("given", arrays.get("given"));
    }
    assertEquals(1, arrays.get("parent").getInt(0));
    assertEquals(2, arrays.get("label").getInt(0));
    assertEquals(5, arrays.get("table").getInt(0));
    assertEquals(9, arrays.get("edge.last").getInt(0));
  }

  /** A field, and another one after which the array for it is named. */
  @ParameterizedTest
  @CsvSource({
    "parent, label",
    "label, parent",
    "given, label",
    "flag, label",
    "label, flag",
    "pairs, label",
    "edge.first, edge.last",
    "edge.last, edge.first"
  })
  void twoThatAreWrittenAreNotSwapped(String field, String named) {
    DeviceArray<?> array = named(named);
    for (DeviceArray<?> each : List.of(array, array.slice(0, 2))) {
      ArgumentMismatchException e = refused(fields().set(field, each));
      assertEquals(field, e.field());
      assertEquals(
          each
              + ", which is named after '"
              + named
              + "': set that to it, or name no arrays that"
              + " change places",
          e.actual());
    }
    assertEquals(0, array.getInt(0));
  }

  @Test
  void theMessageTellsFieldNameAndRemedy() {
    Fields swapped =
        fields().set("label", named("parent")).set("parent", arrays.get("label").asConst());
    assertEquals(
        "'label' of kernel write_all must be an array of i32 on cpu:1, got int array 'parent' of 2"
            + " elements on cpu:1, which is named after 'parent': set that to it, or name no arrays"
            + " that change places",
        refused(swapped).getMessage());
  }

  @Test
  void anotherKindIsWhatIsToldFirst() {
    Fields fields = fields().set("weight", named("label"));
    assertEquals(
        "'weight' of kernel write_all must be an array of f32 on cpu:1, got int array 'label' of 2"
            + " elements on cpu:1",
        refused(fields).getMessage());
    DeviceArray<?> view = named("label").asConst();
    assertTrue(refused(fields().set("parent", view)).actual().endsWith("are not const"));
  }

  /** Guarded arrays and arrays in rows go by the member, not by its field. */
  @Test
  void dataOfAMemberAreNamedAfterTheMember() {
    ArgumentMismatchException e = refused(set(fields(), "label", named("table")));
    assertTrue(e.actual().contains("named after 'table'"), e::getMessage);
    e = refused(fields().set("table", named("label"), 2));
    assertEquals("table.data", e.field());
    assertTrue(e.actual().contains("named after 'label'"), e::getMessage);
    arrays.get("label").named("data");
    kernel.run(1, fields());
  }

  @Test
  void guardedArraysAreNotSwapped() {
    try (KernelModule elements = device.compile(Devices.source("elements.cu"));
        RunData data = new RunData(device);
        DeviceArray<short[]> totals = device.shorts(4).named("totals");
        DeviceArray<short[]> table = device.shorts(4).named("table");
        StmObjects objects = device.objects(4)) {
      data.guarded("vectors", new float[16]).array("sign", new byte[1]);
      try (DeviceArray<byte[]> marks = device.bytes(4);
          DeviceArray<byte[]> steps = device.bytes(12)) {
        Fields fields = data.fields().set("marks", marks, objects).set("steps", steps, 3);
        Region region = elements.region("adds");
        fields.set("totals", totals, objects).set("table", table, 2, objects);
        region.run(4, fields).requireComplete();
        fields.set("totals", table, objects).set("table", totals, 2, objects);
        ArgumentMismatchException e =
            assertThrows(ArgumentMismatchException.class, () -> region.run(4, fields));
        assertEquals("totals.data", e.field());
        assertTrue(e.actual().contains("'table' of 4 elements"), e::getMessage);
        assertTrue(e.actual().contains("named after 'table'"), e::getMessage);
      }
    }
  }

  /** No field has the name, or not in this struct, or it would not take the array. */
  @Test
  void otherNamesGoAnywhere() {
    DeviceArray<?> label = arrays.get("label");
    for (String name : List.of("labels", "first", "edge", "weight", "data", "n")) {
      label.named(name);
      kernel.run(1, fields());
    }
    label.named("parent");
    kernel.run(1, fields().set("label", device.ints(2)).set("given", label.asConst()));
    arrays.get("edge.first").named("parent");
    kernel.run(1, fields().set("label", device.ints(2)));
  }

  @Test
  void aLaunchLooksAtNamesWhenItsFieldsHaveChanged() {
    Fields fields = fields();
    arrays.keySet().forEach(this::named);
    kernel.run(1, fields);
    fields.set("label", arrays.get("parent"));
    for (int i = 0; i < 2; i++) {
      assertEquals("label", refused(fields).field());
    }
    kernel.run(1, fields.set("label", arrays.get("label")));
  }

  @Test
  void viewsAndGrownArraysHaveTheName() {
    DeviceArray<int[]> array = device.ints(2);
    assertSame(array, array.named("parent"));
    DeviceArray<int[]> slice = array.slice(0, 1);
    assertEquals("slice, int array 'parent' of 1 elements on cpu:1", slice.toString());
    assertEquals(
        "const view, int array 'parent' of 1 elements on cpu:1", slice.asConst().toString());
    assertEquals("label", slice.named("label").name());
    assertEquals("label", slice.slice(0, 1).name());
    assertEquals("parent", array.name());
    assertEquals("int array 'parent' of 3 elements on cpu:1", array.grown(3).toString());
    try (GuardedCells<int[]> cells = device.cells(int[].class, 3)) {
      cells.data().named("balance");
      assertEquals("balance", cells.data().slice(1, 2).name());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "edge.first"})
  void aNameIsAFieldsWithinItsStruct(String name) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> device.ints(1).named(name));
    assertTrue(e.getMessage().endsWith("got '" + name + "'"), e::getMessage);
  }

  /** Their kernels' fields are none of the caller's business. */
  @Test
  void primitivesTakeArraysOfAnyName() {
    List<String> names = new ArrayList<>(List.of("in", "out", "sums", "flags", "heads"));
    for (String in : names) {
      for (String out : names) {
        try (DeviceArray<int[]> a = device.copyOf(1, 2, 3).named(in);
            DeviceArray<int[]> b = device.ints(3).named(out)) {
          Primitives.of(device).exclusiveScan(a, b, ScanOperator.ADD);
          assertEquals(3, b.getInt(2));
        }
      }
    }
  }
}
