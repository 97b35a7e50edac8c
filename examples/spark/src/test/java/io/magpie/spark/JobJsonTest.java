package io.magpie.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.magpie.examples.cli.output.JsonOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The JSON of {@code --engine spark}, held to the schema of all JSON. */
class JobJsonTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final List<JsonNode> DOCUMENTS = new ArrayList<>();
  private static Schema schema;

  @TempDir private static Path folder;

  private static String out(String... arguments) {
    return TestJobs.magpie(arguments).done().out();
  }

  @BeforeAll
  static void run() throws IOException {
    schema =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(MAPPER.readTree(out("schema")));
    String[] words = {
      "msf",
      "--engine",
      "spark",
      "--generate",
      "rmat:scale=6,edges=300",
      "--partitions",
      "3",
      "--master",
      "local[1]",
      "--json"
    };
    DOCUMENTS.add(MAPPER.readTree(out(words)));
    List<String> more = new ArrayList<>(List.of(words));
    Path file = folder.resolve("json");
    more.addAll(List.of(file.toString(), "--objective", "maximum", "--verify"));
    more.addAll(List.of("--checkpoint", folder.resolve("kept").toString()));
    more.addAll(List.of("--out", folder.resolve("forest").toString()));
    String table = out(more.toArray(new String[0]));
    assertTrue(table.contains("verified "), table); // beside the file
    DOCUMENTS.add(MAPPER.readTree(Files.readString(file)));
    more.set(more.size() - 1, folder.resolve("again").toString());
    out(more.toArray(new String[0]));
    DOCUMENTS.add(MAPPER.readTree(Files.readString(file)));
    words[0] = "components";
    DOCUMENTS.add(MAPPER.readTree(out(words)));
    more = new ArrayList<>(List.of(words));
    more.addAll(List.of("--verify", "--out", folder.resolve("components").toString()));
    more.addAll(List.of("--checkpoint", folder.resolve("ofComponents").toString()));
    DOCUMENTS.add(MAPPER.readTree(out(more.toArray(new String[0]))));
  }

  static List<JsonNode> documents() {
    return DOCUMENTS.stream().map(each -> (JsonNode) each.deepCopy()).toList();
  }

  private static List<String> objections(JsonNode value) {
    return schema.validate(value).stream().map(Error::toString).toList();
  }

  private static List<String> names(JsonNode value) {
    List<String> names = new ArrayList<>();
    value.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static void collect(JsonNode value, Consumer<ObjectNode> taker) {
    if (value instanceof ObjectNode object) {
      taker.accept(object);
      names(object).forEach(name -> collect(object.get(name), taker));
    }
  }

  @ParameterizedTest
  @MethodSource("documents")
  void documentsAreValid(JsonNode document) {
    assertEquals(List.of(), objections(document), document::toString);
    assertEquals("format", document.fieldNames().next(), "the first field");
  }

  @Test
  void whatWasAskedForIsTold() {
    JsonNode plain = DOCUMENTS.get(0);
    assertEquals("not verified", plain.get("verdict").asText());
    assertEquals("minimum", plain.get("objective").asText());
    assertEquals(300, plain.at("/input/edges").asLong());
    assertEquals(64, plain.at("/input/vertices").asInt());
    assertEquals(64, plain.at("/forest/edges").asInt() + plain.at("/forest/components").asInt());
    assertEquals(3, plain.at("/spark/partitions").asInt());
    assertEquals("local[1]", plain.at("/spark/master").asText());
    assertFalse(plain.at("/spark").has("checkpoint"));
    assertTrue(plain.at("/spark").has("edgesPerSecond"));
    JsonNode all = DOCUMENTS.get(1);
    assertEquals("verified", all.get("verdict").asText());
    assertEquals("maximum", all.get("objective").asText());
    assertTrue(all.at("/millis").has("verify"));
    assertEquals(0, all.at("/spark/checkpoint/found").asInt(-1));
    JsonNode again = DOCUMENTS.get(2);
    assertEquals(3, again.at("/spark/checkpoint/found").asInt());
    assertFalse(again.at("/spark").has("edgesPerSecond"));
  }

  @Test
  void whatComponentsThereAreIsTold() throws IOException {
    JsonNode plain = DOCUMENTS.get(3);
    assertEquals("components", plain.get("algorithm").asText());
    assertEquals("not verified", plain.get("verdict").asText());
    String[] words = {
      "components", "--generate", "rmat:scale=6,edges=300", "--device", "cpu:1", "--json"
    };
    assertEquals(MAPPER.readTree(out(words)).get("found"), plain.get("found"));
    assertEquals(3, plain.at("/spark/partitions").asInt());
    JsonNode all = DOCUMENTS.get(4);
    assertEquals("verified", all.get("verdict").asText());
    assertEquals(plain.get("found"), all.get("found"));
    assertEquals(0, all.at("/spark/checkpoint/found").asInt(-1));
  }

  /** In every object of the document. */
  @ParameterizedTest
  @MethodSource("documents")
  void anUnknownFieldIsRefused(JsonNode document) {
    collect(
        document,
        each -> {
          each.put("surprise", "new");
          assertFalse(objections(document).isEmpty(), document::toString);
          each.remove("surprise");
        });
    assertEquals(List.of(), objections(document));
  }

  @ParameterizedTest
  @MethodSource("documents")
  void aMissingFieldIsRefusedButForThoseOfAnOption(JsonNode document) {
    collect(
        document,
        each -> {
          for (String name : names(each)) {
            JsonNode before = each.remove(name);
            boolean optional = Set.of("verify", "checkpoint", "edgesPerSecond").contains(name);
            assertEquals(optional, objections(document).isEmpty(), name);
            each.set(name, before);
          }
        });
  }

  /** A number with its unit as text, one below zero, and a text that is a number. */
  @ParameterizedTest
  @MethodSource("documents")
  void anotherUnitOrTypeIsRefused(JsonNode document) {
    collect(
        document,
        each -> {
          for (String name : names(each)) {
            JsonNode before = each.get(name);
            if (before.isNumber()) {
              each.put(name, before.asText() + " ms");
              assertFalse(objections(document).isEmpty(), () -> name + " of " + document);
              each.put(name, -2);
              boolean anySign = name.equals("weight");
              assertEquals(anySign, objections(document).isEmpty(), () -> name + " below 0");
            } else if (before.isTextual()) {
              each.put(name, 17);
              assertFalse(objections(document).isEmpty(), () -> name + " of " + document);
            }
            each.set(name, before);
          }
        });
  }

  @ParameterizedTest
  @MethodSource("documents")
  void anotherFormatIsRefused(JsonNode document) {
    ((ObjectNode) document).put("format", JsonOutput.FORMAT + 1);
    assertFalse(objections(document).isEmpty(), document::toString);
  }
}
