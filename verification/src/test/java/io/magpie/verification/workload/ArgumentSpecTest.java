package io.magpie.verification.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.verification.workload.ArgumentSpec.Form;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArgumentSpecTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "objects:7",
        "zeros:0",
        "fill:-2.5:9",
        "fill:1e3:9",
        "iota:3",
        "random:10:5",
        "random:10:5:2",
        "pool:8",
        "pool:8:3",
        "null",
        "-12",
        "0.25",
        "18446744073709551615"
      })
  void textFormsAreReadAndWritten(String text) {
    assertEquals(text, ArgumentSpec.parse(text).toString());
  }

  @Test
  void partsAreWhatTheySay() {
    assertEquals(new ArgumentSpec(Form.RANDOM, "10", 5, 1), ArgumentSpec.parse("random:10:5"));
    assertEquals(new ArgumentSpec(Form.POOL, "3", 8, 0), ArgumentSpec.parse("pool:8:3"));
    assertEquals(ArgumentSpec.parse("random:10:5"), ArgumentSpec.parse("random:10:5:1"));
    assertEquals(new ArgumentSpec(Form.FILL, "7", 5, 0), ArgumentSpec.parse("fill:7:5"));
  }

  @ParameterizedTest
  @CsvSource({
    "objects:x, 'x', a whole number",
    "objects:-1, '-1', a whole number",
    "pool:8:x, 'x', a whole number",
    "zeros:, '', a whole number",
    "fill:a:3, 'a', a number",
    "fill:NaN:3, 'NaN', a number",
    "random:5:3:z, 'z', a whole number",
    "zeros, 'zeros', iota:LENGTH",
    "zeros:1:2, 'zeros:1:2', random:BOUND:LENGTH[:SEED]",
    "Infinity, 'Infinity', objects:COUNT",
    "'', '', a number"
  })
  void whatIsMalformedIsNamed(String text, String part, String expected) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> ArgumentSpec.parse(text));
    assertTrue(e.getMessage().startsWith("'" + part + "'"), e.getMessage());
    assertTrue(e.getMessage().contains(expected), e.getMessage());
  }
}
