package io.magpie.algorithms;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The JSON Schema (draft 2020-12) of an algorithm's options, made from its {@linkplain Setting
 * settings}: an object with the values of those that have an effect, and no others. It consists of
 * maps, lists, strings, numbers and Booleans.
 */
public final class OptionsSchema {
  private OptionsSchema() {}

  /**
   * Of values that are JSON's own, by {@link Setting#jsonName()}, as {@link Setting#json} has them.
   */
  public static Map<String, Object> ofValues(Options<?> options) {
    return of(options, Setting::jsonName, Setting::jsonSchema, Setting::json);
  }

  /** Of {@link Options#written()}: every value is a string. */
  public static Map<String, Object> ofTexts(Options<?> options) {
    return of(options, Setting::name, Setting::textSchema, Setting::write);
  }

  private static Map<String, Object> of(
      Options<?> options,
      Function<Setting<?>, String> name,
      Function<Setting<?>, Map<String, Object>> schema,
      Condition.Written value) {
    Map<String, Setting<?>> fields = new LinkedHashMap<>();
    Map<String, Object> properties = new LinkedHashMap<>();
    for (Setting<?> setting : options.settings()) {
      if (setting.written()) {
        fields.put(name.apply(setting), setting);
        properties.put(name.apply(setting), schema.apply(setting));
      }
    }
    List<String> always = new ArrayList<>();
    Map<Map<String, Object>, List<String>> sometimes = new LinkedHashMap<>();
    fields.forEach(
        (field, setting) -> {
          if (setting.condition() == Condition.ALWAYS) {
            always.add(field);
          } else {
            setting
                .condition()
                .schema(fields, value)
                .ifPresent(
                    when -> sometimes.computeIfAbsent(when, w -> new ArrayList<>()).add(field));
          }
        });
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("type", "object");
    object.put("properties", properties);
    object.put("required", always);
    object.put("additionalProperties", false);
    if (!sometimes.isEmpty()) {
      object.put("allOf", sometimes.entrySet().stream().map(OptionsSchema::exactlyIf).toList());
    }
    return object;
  }

  /** That fields are there if a condition holds, and only then. */
  private static Map<String, Object> exactlyIf(
      Map.Entry<Map<String, Object>, List<String>> fields) {
    Map<String, Object> absent = new LinkedHashMap<>();
    fields.getValue().forEach(each -> absent.put(each, false));
    Map<String, Object> rule = new LinkedHashMap<>();
    rule.put("if", fields.getKey());
    rule.put("then", Map.of("required", fields.getValue()));
    rule.put("else", Map.of("properties", absent));
    return rule;
  }
}
