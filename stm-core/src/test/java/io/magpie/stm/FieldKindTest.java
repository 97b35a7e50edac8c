package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.FieldKind.Element;
import io.magpie.stm.FieldKind.Form;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The words of a module's table for what a field holds. */
class FieldKindTest {
  @Test
  void fieldsInCellsSayWhereInThem() {
    assertEquals(
        new FieldKind(Form.ARRAY, Element.BYTES, 12, 0, true, 16, 4),
        FieldKind.parse("array:const:bytes12@16+4"));
    assertEquals(
        new FieldKind(Form.ARRAY, Element.F64, 8, 0, false, 16, 8),
        FieldKind.parse("array:f64@16+8"));
    assertEquals(
        new FieldKind(Form.OBJECTS, null, 4, 1, false, 8, 0), FieldKind.parse("objects@8:1"));
    assertEquals(
        new FieldKind(Form.OBJECTS, null, 4, 0, false, 128, 0), FieldKind.parse("objects@128"));
    assertEquals(16, FieldKind.parse("array:u32@8+4").fieldBytes());
    assertEquals(16, FieldKind.parse("array:u32@8+0").fieldBytes());
    assertTrue(FieldKind.parse("array:u32@8+0").isFused());
    assertFalse(FieldKind.parse("array:u32@8+4").isFused());
    assertFalse(FieldKind.parse("objects@8:1").isFused());
  }

  @Test
  void objectsMayStandForAsManyDataAsAnArrayHas() {
    assertEquals(Integer.MAX_VALUE, FieldKind.parse("objects:2147483647").number());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "array:u32@8",
        "array:u32@12+4",
        "array:u32@0+4",
        "array:u32@8+4:1x",
        "array:@8+4",
        "array:u64@8+0",
        "array:u32@16+0",
        "array:u33@8+4",
        "objects@8+4",
        "objects@3",
        "objects@",
        "pool:0@8",
        "u32@8+4",
        "objects:2147483648",
        "objects:4294967295",
        "objects:9999999999",
        "objects@8:4294967295"
      })
  void whatIsNoKindIsRefused(String text) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> FieldKind.parse(text));
    assertTrue(e.getMessage().startsWith("unknown kind '"), e::getMessage);
  }
}
