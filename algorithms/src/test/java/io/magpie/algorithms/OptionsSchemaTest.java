package io.magpie.algorithms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The rules by which fields are present. That the schema takes what options write, and nothing
 * else, is tested where there is a validator: {@code SettingsSchemaTest} of the examples.
 */
class OptionsSchemaTest {
  private enum Size {
    SMALL,
    LARGE
  }

  private static final Setting<Size> SIZE = Setting.oneOf("the-size", Size.SMALL, "a test");

  private static final Setting<Boolean> FLAG = Setting.flag("flag", true, "a test");

  private static Setting<Integer> number(Condition when) {
    return Setting.whole("number", 1, 1, 2, "a test").onlyWith(when);
  }

  private static Map<String, Object> rule(Map<String, Object> condition) {
    return Map.of(
        "if", condition,
        "then", Map.of("required", List.of("number")),
        "else", Map.of("properties", Map.of("number", false)));
  }

  private static Map<String, Object> is(String field, Object value) {
    return Map.of(
        "properties", Map.of(field, Map.of("enum", List.of(value))), "required", List.of(field));
  }

  @Test
  void aConditionIsWrittenAsItsFieldsAre() {
    Settings options = Settings.of(SIZE, FLAG, number(SIZE.is(Size.LARGE).or(FLAG.is(false))));
    assertEquals(
        List.of(rule(Map.of("anyOf", List.of(is("theSize", "large"), is("flag", false))))),
        OptionsSchema.ofValues(options).get("allOf"));
    assertEquals(
        List.of(rule(Map.of("anyOf", List.of(is("the-size", "large"), is("flag", "off"))))),
        OptionsSchema.ofTexts(options).get("allOf"));
    assertEquals(List.of("theSize", "flag"), OptionsSchema.ofValues(options).get("required"));
  }

  /** A setting that has no effect is absent, and has its default where a condition asks it. */
  @Test
  void anAbsentFieldStandsForTheDefault() {
    Setting<Boolean> sometimes = FLAG.onlyWith(SIZE.is(Size.LARGE));
    Map<String, Object> on = Map.of("flag", Map.of("enum", List.of(true)));
    Map<String, Object> off = Map.of("flag", Map.of("enum", List.of(false)));

    assertEquals(
        rule(Map.of("properties", on)), last(Settings.of(SIZE, sometimes, number(FLAG.is(true)))));
    assertEquals(
        rule(Map.of("properties", off, "required", List.of("flag"))),
        last(Settings.of(SIZE, sometimes, number(FLAG.is(false)))));
    assertEquals(
        rule(Map.of("properties", on, "required", List.of("flag"))),
        last(Settings.of(SIZE, sometimes, number(sometimes.is(true)))));
  }

  @Test
  void aConditionMayExcludeAValue() {
    Setting<Boolean> sometimes = FLAG.onlyWith(SIZE.isNot(Size.LARGE));
    Map<String, Object> notLarge = Map.of("not", Map.of("enum", List.of("large")));
    Map<?, ?> rule = (Map<?, ?>) last(Settings.of(SIZE, number(SIZE.isNot(Size.LARGE))));
    assertEquals(
        Map.of("properties", Map.of("theSize", notLarge), "required", List.of("theSize")),
        rule.get("if"));
    assertEquals("the-size other than large", sometimes.condition().inVariants());
    assertEquals("--the-size other than large", sometimes.condition().onCommandLine());
    assertEquals("flag=on with the-size other than large", sometimes.is(true).inVariants());
    Setting<Size> grouped = SIZE.grouped("sizes");
    assertEquals("--sizes the-size other than large", grouped.isNot(Size.LARGE).onCommandLine());
    assertEquals("--sizes the-size=large", grouped.is(Size.LARGE).onCommandLine());
    Settings options = Settings.of(SIZE, sometimes);
    assertTrue(options.with(SIZE, Size.SMALL).hasEffect(sometimes));
    assertFalse(options.with(SIZE, Size.LARGE).hasEffect(sometimes));
  }

  private static Object last(Options<?> options) {
    List<?> rules = (List<?>) OptionsSchema.ofValues(options).get("allOf");
    return rules.get(rules.size() - 1);
  }

  /** A setting of Java alone is in no field, and may have any value. */
  @Test
  void whatNoFieldTellsIsNoRule() {
    Setting<String> inJava = Setting.inJava("hidden", "none", "a test");
    Settings options = Settings.of(SIZE, inJava, number(inJava.is("some").or(SIZE.is(Size.LARGE))));
    assertFalse(OptionsSchema.ofValues(options).containsKey("allOf"));
    assertEquals(List.of("theSize"), OptionsSchema.ofValues(options).get("required"));
  }
}
