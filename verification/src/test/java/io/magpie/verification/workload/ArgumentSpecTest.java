package io.magpie.verification.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.verification.workload.ArgumentSpec.Form;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArgumentSpecTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "objects:7",
        "rank.guards",
        "zeros:0",
        "fill:-2.5:9",
        "fill:1e3:9",
        "iota:3",
        "random:10:5",
        "random:10:5:2",
        "pool:8",
        "pool:8:3",
        "[5,3,2]",
        "[ 5, -3 ,2.5e1 ]",
        "[]",
        "[ ]",
        "[18446744073709551615]",
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
    "'', '', a number",
    "[, '[', a list",
    "'[1,2', '[1,2', a list",
    "'[1,2]]', '2]', a number",
    "'[[1]]', '[1]', a number",
    "'[,]', '', a number",
    "'[1,,2]', '', a number",
    "'[1,2,]', '', a number",
    "'[1 2]', '1 2', a number",
    "'[1;2]', '1;2', a number",
    "'[NaN]', 'NaN', a number",
    "'[1e999]', '1e999', a number",
    "'[0x10]', '0x10', a number",
    "'[1,iota:3]', 'iota:3', a number",
    "'zeros:[1]', '[1]', a whole number",
    "'1,2', '1,2', '[N,N,...]'",
    "' [1]', ' [1]', '[N,N,...]'"
  })
  void whatIsMalformedIsNamed(String text, String part, String expected) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> ArgumentSpec.parse(text));
    assertTrue(e.getMessage().startsWith("'" + part + "'"), e.getMessage());
    assertTrue(e.getMessage().contains(expected), e.getMessage());
  }

  @Test
  void listsHoldTheirNumbersAsWritten() {
    ArgumentSpec spec = ArgumentSpec.parse("[ +5, -0.5e1,18446744073709551615 ]");
    assertEquals(Form.LIST, spec.form());
    assertEquals(3, spec.length());
    assertEquals(NumberList.of(List.of("+5", "-0.5e1", "18446744073709551615")), spec.numbers());
    assertEquals(0, ArgumentSpec.parse("[]").length());
  }

  @Test
  void aLongTextIsCutInMessages() {
    String text = "[" + "1,".repeat(10_000) + "x]";
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> ArgumentSpec.parse(text));
    assertTrue(e.getMessage().startsWith("'x' in '[1,1,1"), e.getMessage());
    assertTrue(e.getMessage().length() < 120, e.getMessage());
  }

  @Test
  void formsOfTheCallerAreListed() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> ArgumentSpec.parse("x:y", List.of("file:PATH", "web:URL")));
    assertTrue(e.getMessage().endsWith("a number, file:PATH or web:URL"), e.getMessage());
  }

  @Test
  void numbersHandedOverAreCopiedAndChecked() {
    int[] numbers = {1, -2};
    NumberList list = NumberList.of(numbers);
    numbers[0] = 7;
    assertEquals(NumberList.of(List.of("1", "-2")), list);
    assertEquals("csr.weights:x", ArgumentSpec.list("csr.weights:x", list).toString());
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> NumberList.of(List.of("1", "x"), i -> "a.txt:" + (i + 4)));
    assertEquals("a.txt:5: 'x' is not a number", e.getMessage());
    assertThrows(IllegalArgumentException.class, () -> new ArgumentSpec(Form.LIST, "[1]", 1, 0));
  }
}
