package io.magpie.examples.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.magpie.algorithms.FileFormatException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The fields of a record or of an object in it. A field that is missing or null is empty; one of
 * another type than asked for is a fault of the file.
 *
 * @param file where it was read
 * @param line where it begins, from 1
 * @param path of this object's fields in the record, such as {@code input.}
 * @param object the fields
 */
record Fields(Path file, long line, String path, JsonNode object) {
  private static final int MOST_SHOWN = 40;

  private static final Set<String> UNDEFINED = Set.of("NaN", "Infinity", "-Infinity");

  /** Numbers so large are none that anything was measured or counted as. */
  private static final double MOST = 1e30;

  /** A text. */
  Optional<String> text(String name) throws FileFormatException {
    Optional<JsonNode> found = found(name);
    if (found.isPresent() && !found.get().isTextual()) {
      throw wrong(name, found.get(), "a string");
    }
    return found.map(JsonNode::textValue);
  }

  /** A text that every record of this kind has. */
  String required(String name) throws FileFormatException {
    Optional<String> found = text(name);
    if (found.isEmpty()) {
      throw new FileFormatException(
          file, line, "a record without '" + path + name + "'", "one with it", REMEDY, null);
    }
    return found.get();
  }

  /** What is left to do about a record that is wrong. */
  static final String REMEDY = "leave it out, or let the command write it again";

  /** A number. */
  Optional<BigDecimal> number(String name) throws FileFormatException {
    Optional<JsonNode> found = found(name).filter(each -> !isUndefined(each));
    return found.isEmpty() ? Optional.empty() : Optional.of(number(name, found.get()));
  }

  /** Whether it is how commands write what is no number, such as a ratio to no time at all. */
  private static boolean isUndefined(JsonNode value) {
    return value.isTextual() && UNDEFINED.contains(value.textValue());
  }

  private BigDecimal number(String name, JsonNode value) throws FileFormatException {
    if (!value.isNumber() || !(Math.abs(value.doubleValue()) <= MOST)) {
      throw wrong(name, value, "a number of at most 1e30");
    }
    return value.decimalValue();
  }

  /** A yes or no; no where it is missing. */
  boolean flag(String name) throws FileFormatException {
    Optional<JsonNode> found = found(name);
    if (found.isPresent() && !found.get().isBoolean()) {
      throw wrong(name, found.get(), "true or false");
    }
    return found.isPresent() && found.get().booleanValue();
  }

  /** An object; one without fields where it is missing. */
  Fields object(String name) throws FileFormatException {
    Optional<JsonNode> found = found(name);
    if (found.isPresent() && !found.get().isObject()) {
      throw wrong(name, found.get(), "an object");
    }
    return inner(name, found.orElse(JsonNodeFactory.instance.objectNode()));
  }

  /** Those fields that are objects, without some. */
  List<Fields> objectsExcept(Set<String> names) {
    List<Fields> objects = new ArrayList<>();
    for (Map.Entry<String, JsonNode> each : object.properties()) {
      if (each.getValue().isObject() && !names.contains(each.getKey())) {
        objects.add(inner(each.getKey(), each.getValue()));
      }
    }
    return objects;
  }

  /** The objects of an array; none where it is missing. */
  List<Fields> objects(String name) throws FileFormatException {
    List<Fields> objects = new ArrayList<>();
    Optional<JsonNode> found = found(name);
    if (found.isPresent() && !found.get().isArray()) {
      throw wrong(name, found.get(), "an array");
    }
    for (JsonNode each : found.isPresent() ? found.get() : JsonNodeFactory.instance.arrayNode()) {
      if (!each.isObject()) {
        throw wrong(name, each, "an array of objects");
      }
      objects.add(inner(name, each));
    }
    return objects;
  }

  /** The texts of an array; none where it is missing. */
  List<String> texts(String name) throws FileFormatException {
    List<String> texts = new ArrayList<>();
    Optional<JsonNode> found = found(name);
    if (found.isPresent() && !found.get().isArray()) {
      throw wrong(name, found.get(), "an array");
    }
    for (JsonNode each : found.isPresent() ? found.get() : JsonNodeFactory.instance.arrayNode()) {
      if (!each.isTextual()) {
        throw wrong(name, each, "an array of strings");
      }
      texts.add(each.textValue());
    }
    return texts;
  }

  /** How many elements an array has; empty if there is none. */
  Optional<BigDecimal> length(String name) {
    return found(name).filter(JsonNode::isArray).map(each -> BigDecimal.valueOf(each.size()));
  }

  /** All fields, which must be numbers. */
  Map<String, BigDecimal> numbers() throws FileFormatException {
    Map<String, BigDecimal> numbers = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> each : object.properties()) {
      if (!isUndefined(each.getValue())) {
        numbers.put(each.getKey(), number(each.getKey(), each.getValue()));
      }
    }
    return numbers;
  }

  /** All fields, which must be times in milliseconds, at least 0. */
  Map<String, Double> millis() throws FileFormatException {
    Map<String, Double> millis = new LinkedHashMap<>();
    for (Map.Entry<String, BigDecimal> each : numbers().entrySet()) {
      if (each.getValue().signum() < 0) {
        throw wrong(each.getKey(), object.get(each.getKey()), "a time of at least 0");
      }
      millis.put(each.getKey(), each.getValue().doubleValue());
    }
    return millis;
  }

  /** Those fields that are numbers. */
  Map<String, BigDecimal> someNumbers() throws FileFormatException {
    Map<String, BigDecimal> numbers = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> each : object.properties()) {
      if (each.getValue().isNumber()) {
        numbers.put(each.getKey(), number(each.getKey(), each.getValue()));
      }
    }
    return numbers;
  }

  /** Those fields that are texts, numbers, or yes or no, as text. */
  Map<String, String> someTexts() {
    Map<String, String> texts = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> each : object.properties()) {
      if (each.getValue().isValueNode() && !each.getValue().isNull()) {
        texts.put(each.getKey(), each.getValue().asText());
      }
    }
    return texts;
  }

  private Optional<JsonNode> found(String name) {
    return Optional.ofNullable(object.get(name)).filter(each -> !each.isNull());
  }

  private Fields inner(String name, JsonNode value) {
    return new Fields(file, line, path + name + ".", value);
  }

  private FileFormatException wrong(String name, JsonNode value, String expected) {
    String text = value.toString();
    String shown = text.length() > MOST_SHOWN ? text.substring(0, MOST_SHOWN) + "..." : text;
    return new FileFormatException(
        file, line, shown + " as '" + path + name + "'", expected, REMEDY, null);
  }
}
