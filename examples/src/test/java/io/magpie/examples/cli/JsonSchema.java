package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Holds what commands write to the schema that command {@code schema} prints. */
final class JsonSchema {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static final JsonNode TREE = load();

  private static final Schema SCHEMA =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(TREE);

  private static final Map<String, Schema> DEFINITIONS = new ConcurrentHashMap<>();

  private JsonSchema() {}

  private static JsonNode load() {
    try {
      return MAPPER.readTree(CommandRun.of("schema").expect(ExitStatus.OK).out());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The schema as a tree. */
  static JsonNode tree() {
    return TREE;
  }

  /** What the schema says against a value; nothing if it is valid. */
  static List<String> objections(JsonNode value) {
    return SCHEMA.validate(value).stream().map(Error::toString).toList();
  }

  /** What one of its definitions says against a value. */
  static List<String> objections(String definition, JsonNode value) {
    return DEFINITIONS.computeIfAbsent(definition, JsonSchema::definition).validate(value).stream()
        .map(Error::toString)
        .toList();
  }

  private static Schema definition(String name) {
    ObjectNode alone = MAPPER.createObjectNode().put("$ref", "#/$defs/" + name);
    alone.set("$defs", TREE.get("$defs"));
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(alone);
  }

  /** The values of a text, one after the other, each of which must be valid. */
  static List<JsonNode> validated(String text) {
    List<JsonNode> values = new ArrayList<>();
    try (var all = MAPPER.readerFor(JsonNode.class).<JsonNode>readValues(text)) {
      all.forEachRemaining(values::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    for (JsonNode value : values) {
      List<String> objections = objections(value);
      assertTrue(objections.isEmpty(), () -> "the schema objects: " + objections + " to " + value);
      assertEquals("format", value.fieldNames().next(), "the first field");
    }
    return values;
  }

  /** A call that may write JSON: what it writes must be valid. */
  static final class Call {
    private final boolean printed;
    private final Path file;
    private final String before;

    Call(String... arguments) {
      List<String> all = List.of(arguments);
      int at = all.indexOf("--json");
      String next = at >= 0 && at + 1 < all.size() ? all.get(at + 1) : "--";
      printed = at >= 0 && next.startsWith("-");
      file = at < 0 || printed ? null : Path.of(next);
      before = content();
    }

    /** Nothing where there is no file that can be read. */
    private String content() {
      try {
        return file != null && Files.isRegularFile(file) ? Files.readString(file) : "";
      } catch (IOException e) {
        return "";
      }
    }

    /** Checks what the call has printed, or written to its file. */
    void check(String out) {
      if (printed) {
        validated(out);
      } else if (!content().equals(before)) {
        validated(content());
      }
    }
  }
}
