package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.magpie.algorithms.Options;
import io.magpie.algorithms.Setting;
import io.magpie.examples.cli.options.SettingOptions;
import io.magpie.stm.Policy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the schema says of settings: it takes what they take, and nothing else. */
class SettingsSchemaTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** One definition of the schema, and the options that it is of. */
  record Definition(String name, Options<?> defaults, boolean typed) {
    ObjectNode json(Options<?> options) {
      return MAPPER.valueToTree(typed ? SettingOptions.json(options) : options.written());
    }

    String field(Setting<?> setting) {
      return typed ? setting.jsonName() : setting.name();
    }

    List<Setting<?>> settings() {
      return defaults.settings().stream().filter(Setting::written).toList();
    }

    /** What the schema says against a variant. */
    List<String> objections(JsonNode variant) {
      return JsonSchema.objections(name, variant);
    }

    /** A variant in which the setting has an effect. */
    Options<?> whereEffective(Setting<?> setting) {
      return pairs(this).stream().filter(each -> each.hasEffect(setting)).findFirst().orElseThrow();
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Definition> definitions() {
    return Stream.concat(
        Registered.algorithms().entrySet().stream()
            .map(each -> new Definition(each.getKey() + "Variant", each.getValue(), true)),
        Registered.compared().entrySet().stream()
            .map(each -> new Definition(each.getKey() + "Contestant", each.getValue(), false)));
  }

  /** Options with one other value, where it is possible. */
  private static Set<Options<?>> singles(Definition definition, Options<?> from) {
    Set<Options<?>> all = new LinkedHashSet<>(Set.of(from));
    for (Setting<?> setting : definition.settings()) {
      for (Object value : setting.all()) {
        with(from, setting, value).ifPresent(all::add);
      }
    }
    return all;
  }

  /** With two. */
  private static Set<Options<?>> pairs(Definition definition) {
    Set<Options<?>> all = new LinkedHashSet<>();
    singles(definition, definition.defaults())
        .forEach(each -> all.addAll(singles(definition, each)));
    return all;
  }

  @SuppressWarnings("unchecked") // one of the setting's own
  private static <V> Optional<Options<?>> with(
      Options<?> options, Setting<V> setting, Object value) {
    try {
      return options.hasEffect(setting)
          ? Optional.of(options.with(setting, (V) value))
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // it contradicts another one
    }
  }

  /** Those of {@code verify}, which takes all of them. */
  @Test
  void everyPolicyIsValid() {
    Set<String> names = new TreeSet<>();
    JsonSchema.tree().at("/$defs/policy/enum").forEach(name -> names.add(name.asText()));
    Set<String> expected = new TreeSet<>();
    for (Policy policy : Policy.values()) {
      expected.add(policy.kernelName());
    }
    assertEquals(expected, names);
  }

  @ParameterizedTest
  @MethodSource("definitions")
  void everyVariantIsValid(Definition definition) {
    Set<String> fields = new TreeSet<>();
    for (Options<?> options : pairs(definition)) {
      ObjectNode variant = definition.json(options);
      variant.fieldNames().forEachRemaining(fields::add);
      assertEquals(List.of(), definition.objections(variant), variant::toString);
    }
    Set<String> described = new TreeSet<>();
    JsonSchema.tree()
        .at("/$defs/" + definition.name() + "/properties")
        .fieldNames()
        .forEachRemaining(described::add);
    described.remove("results"); // of a comparison, no setting of the algorithm
    assertEquals(described, fields);
  }

  @ParameterizedTest
  @MethodSource("definitions")
  void aFieldIsThereIfItsSettingHasAnEffectAndOnlyThen(Definition definition) {
    for (Options<?> options : singles(definition, definition.defaults())) {
      ObjectNode variant = definition.json(options);
      for (Setting<?> setting : definition.settings()) {
        String field = definition.field(setting);
        JsonNode before = variant.get(field);
        assertEquals(options.hasEffect(setting), before != null, field);
        if (before == null) {
          variant.set(field, definition.json(definition.whereEffective(setting)).get(field));
        } else {
          variant.remove(field);
        }
        boolean isBaselines = variant.isEmpty() && !definition.typed();
        assertTrue(
            isBaselines || !definition.objections(variant).isEmpty(),
            () -> field + " of " + options);
        if (before == null) {
          variant.remove(field);
        } else {
          variant.set(field, before);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("definitions")
  void valuesAreThoseThatSettingsTake(Definition definition) throws IOException {
    for (Setting<?> setting : definition.settings()) {
      Options<?> options = definition.whereEffective(setting);
      ObjectNode variant = definition.json(options);
      int taken = 0;
      List<JsonNode> refused = new ArrayList<>(List.of(TextNode.valueOf("no such value")));
      if (setting.listed()) {
        refused.add(IntNode.valueOf(1));
      } else {
        for (String number :
            "-2 -1 0 0.5 1 2 33 33.5 1048576 1048577 2147483647 2147483648 9000000000 1000000000000000000000"
                .split(" ")) {
          String written = written(setting, number);
          if (written == null) {
            if (definition.typed()) {
              refused.add(MAPPER.readTree(number));
            }
          } else {
            JsonNode value = definition.typed() ? json(setting, number) : TextNode.valueOf(written);
            // With the fields that have an effect beside that value.
            ObjectNode others =
                with(options, setting, setting.parse(number)).map(definition::json).orElse(variant);
            check(definition, others, setting, value, true);
            taken++;
          }
        }
        assertTrue(taken >= 2, setting.name());
      }
      refused.forEach(each -> check(definition, variant, setting, each, false));
    }
  }

  private static void check(
      Definition definition,
      ObjectNode variant,
      Setting<?> setting,
      JsonNode value,
      boolean taken) {
    ObjectNode changed = variant.deepCopy().set(definition.field(setting), value);
    assertEquals(taken, definition.objections(changed).isEmpty(), () -> setting + " of " + changed);
  }

  /** A value as the setting writes it; null if it does not take it. */
  private static <V> String written(Setting<V> setting, String number) {
    try {
      V value = setting.parse(number);
      setting.check(value);
      return setting.write(value);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static <V> JsonNode json(Setting<V> setting, String number) {
    return MAPPER.valueToTree(setting.json(setting.parse(number)));
  }

  @ParameterizedTest
  @MethodSource("definitions")
  void anyOtherFieldIsRefused(Definition definition) {
    ObjectNode variant = definition.json(definition.defaults()).put("surprise", "new");
    assertFalse(definition.objections(variant).isEmpty());
  }
}
