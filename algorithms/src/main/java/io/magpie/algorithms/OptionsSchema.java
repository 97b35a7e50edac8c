package io.magpie.algorithms;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The JSON Schema (draft 2020-12) of an algorithm's options, made from its {@linkplain Setting
 * settings}: an object with the values of those that have an effect. It consists of maps, lists,
 * strings, numbers and Booleans.
 */
public final class OptionsSchema {
  private OptionsSchema() {}

  /** Of values that are JSON's own, by {@link Setting#jsonName()}, as {@link Setting#json} has them. */
  public static Map<String, Object> ofValues(Options<?> options) {
    return of(options, Setting::jsonName, Setting::jsonSchema);
  }

  /** Of {@link Options#written()}: every value is a string. */
  public static Map<String, Object> ofTexts(Options<?> options) {
    return of(options, Setting::name, Setting::textSchema);
  }

  private static Map<String, Object> of(
      Options<?> options,
      Function<Setting<?>, String> name,
      Function<Setting<?>, Map<String, Object>> schema) {
    Map<String, Object> properties = new LinkedHashMap<>();
    List<String> always = new ArrayList<>();
    for (Setting<?> setting : options.settings()) {
      if (setting.written()) {
        properties.put(name.apply(setting), schema.apply(setting));
        if (setting.condition() == Condition.ALWAYS) {
          always.add(name.apply(setting));
        }
      }
    }
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("type", "object");
    object.put("properties", properties);
    object.put("required", always);
    object.put("additionalProperties", false);
    return object;
  }
}
