package io.magpie.algorithms;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalTextTest {
  @ParameterizedTest
  @ValueSource(strings = {"0", "-0", "007", "12", "-12", "99999999999999999999999999"})
  void wholeNumbers(String text) {
    assertForms(true, true, text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.5", ".5", "5.", "-.5", "1e9", "1E-400", "-1.5e+3", "5.e3"})
  void otherNumbers(String text) {
    assertForms(false, true, text);
  }

  /** Most of which Java would take for a number. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        ".",
        "-.",
        "e3",
        "1e",
        "1e+",
        "+5",
        "--5",
        " 5",
        "5 ",
        "5\n",
        "1_000",
        "1,5",
        "5d",
        "5f",
        "5L",
        "0x10",
        "0x1p3",
        "NaN",
        "Infinity",
        "-Infinity",
        "٣",
        "５",
        "1.2.3"
      })
  void noNumbers(String text) {
    assertForms(false, false, text);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-12, -12",
    "7k, 7000",
    "20M, 20000000",
    "-3G, -3000000000",
    "9223372036854775807, 9223372036854775807",
    "9223372036854775k, 9223372036854775000",
  })
  void counts(String text, long count) {
    assertEquals(OptionalLong.of(count), DecimalText.count(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "k",
        "M",
        "-k",
        "1K",
        "1m",
        "1kk",
        "1 k",
        "0.5k",
        "1e3",
        "+5",
        "5T",
        "\u0663k",
        "9223372036854775808",
        "9223372036854776k",
        "99999999999G"
      })
  void noCounts(String text) {
    assertEquals(OptionalLong.empty(), DecimalText.count(text));
  }

  private static void assertForms(boolean whole, boolean number, String text) {
    assertEquals(whole, DecimalText.isWhole(text));
    assertEquals(number, DecimalText.isNumber(text));
  }
}
