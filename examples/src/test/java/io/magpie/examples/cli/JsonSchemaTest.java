package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.magpie.algorithms.Options;
import io.magpie.algorithms.Setting;
import io.magpie.examples.cli.output.JsonOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The schema of all JSON. That it holds for what commands write is checked by {@link CommandRun} in
 * every other test, too.
 */
class JsonSchemaTest {
  private static final boolean FULL =
      Boolean.parseBoolean(System.getProperty("magpie.test.full", "true"));

  /** The schema's part that is not made. */
  private static final String BASE = "format-" + JsonOutput.FORMAT + ".base.json";

  @TempDir Path folder;

  static List<String> valid() {
    return List.of(
        "msf --generate road:64 --device sim:1:4 --verify",
        "msf --generate road:500 --device cpu:2 --merge atomic --details",
        "msf --generate random:200,m=600 --device cpu:2 --traversal vertex",
        "msf --generate road:64 --device sim:1:4 --traversal cycle --verify",
        "msf --generate road:99 --device cpu:2 --traversal component-space --details",
        "msf --generate road:99 --device cpu:2 --traversal scan",
        "msf --generate path:1 --device cpu:1",
        "msf --generate rmat:scale=6 --engine stream --chunk 100 --device cpu:2 --verify",
        "components --generate rmat:scale=6 --engine stream --chunk 100 --device cpu:2 --verify",
        "components --generate rmat:scale=6 --engine gpus --chunk 100 --devices cpu:1,cpu:2"
            + " --device-memory 1000000",
        "paths --generate road:64 --device sim:1:4 --verify",
        "paths --digraph rmat:6,edges=300,directed --device cpu:2 --direction auto --details",
        "paths --generate grid:9 --device cpu:2 --lengths weights --order near-far",
        "paths --generate grid:9 --device cpu:2 --lengths weights --order bins --delta 5",
        "paths --generate grid:9,weights=float:0..1 --device cpu:2 --lengths weights --order bins"
            + " --delta 0.5",
        "paths --generate grid:9 --device sim:1:4 --lengths weights --predecessors with-distance"
            + " --sync transactional",
        "paths --generate path:1 --device cpu:1 --direction pull --predecessors none",
        "paths --generate star:9 --device cpu:2 --balance split --degree-bound 3 --verify",
        "paths --digraph rmat:5,directed --device sim:1:4 --balance heavy --details",
        "nbody --bodies plummer:50 --device sim:1:4 --verify",
        "nbody --bodies cube:50 --device cpu:2 --tree transactions --steps 2 --details",
        "nbody --bodies collision:50 --device cpu:2 --tree locks --precision float --theta 0",
        "partition --generate grid:20 -k 4 --device cpu:2 --verify",
        "partition --generate grid:12 -k 3 --device sim:1:4 --matching stm --refinement stm",
        "partition --generate path:5 -k 1 --device cpu:1 --effort ultra",
        "partition --generate path:9 -k 3 --device cpu:1 --imbalance 0.5",
        "partition --generate grid:12 -k 3 --device cpu:1 --part-weights 1:2:1.5 --verify",
        "refine --points uniform:100 --device cpu:2 --histogram --verify",
        "refine --points uniform:60 --device sim:1:4 --sync marks",
        "refine --points uniform:60 --device cpu:2 --sync three-phases --phases sorted=on"
            + " work=slots",
        "refine --points uniform:100 --device cpu:2 --angle 25.5 --max-area 0.001",
        "components --generate road:64 --device sim:1:4 --verify",
        "components --generate random:200,m=150 --device cpu:2 --output forest --details",
        "components --generate path:9 --device cpu:1 --form transactional",
        "components --generate star:9 --device cpu:1 --form atomic-free --direction alternating",
        "sat --cnf ksat:n=60,ratio=3 --device cpu:2 --verify --details",
        "sat --cnf planted:n=40,k=4,ratio=8 --device sim:1:4 --flips transactions",
        "sat --cnf tree:n=30,units=3 --device cpu:1 --decimation marks",
        "pointsto --constraints art --device sim:1:4 --verify",
        "pointsto --constraints cycles:99,length=9 --device cpu:2 --details",
        "pointsto --constraints chain:9 --device cpu:1 --cycles none --propagation difference",
        "verify --workload drawn:objects=8 --items 20 --transactions 40 --device cpu:2",
        "verify --workload drawn:objects=4,cancels=50 --items 4 --device sim:1:4 --skew 3",
        "verify --workload drawn:objects=2 --explore random --runs 5",
        "verify --workload drawn:objects=2 --explore exhaustive:0",
        "verify --workload drawn:objects=2 --replay explicit:10@1",
        "devices",
        "doctor --quick");
  }

  /** A command that writes JSON is called by the tests here, with some of each kind. */
  @Test
  void everyCommandWithJsonIsHeldToTheSchema() {
    Set<String> called = new TreeSet<>(Set.of("compare")); // in lines
    valid().forEach(command -> called.add(command.split(" ")[0]));
    Registered.assertSame(
        Registered.writersOfJson(), called, "valid() must call each command that has --json");
    Set<String> changed = new TreeSet<>();
    documents().forEach(command -> changed.add(command.split(" ")[0]));
    changed.add("doctor"); // whose document depends on the machine
    Registered.assertSame(called, changed, "documents() must call each command that has --json");
  }

  @ParameterizedTest
  @MethodSource("valid")
  void documentsAreValid(String command) {
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    words.add("--json");
    CommandRun run = CommandRun.of(words.toArray(new String[0])).expect(ExitStatus.OK);
    assertEquals(1, JsonSchema.validated(run.out()).size());
  }

  @ParameterizedTest
  @CsvSource({
    "msf, --generate, road:60, merge=stm|atomic reads=validated|unvalidated, 'kruskal,jgrapht', 0",
    "components, --generate, road:60, form=all output=labels|forest, 'union-find,jgrapht', 0",
    "paths, --digraph, 'rmat:6,weights=1..9,directed', lengths=all sync=all"
        + " predecessors=with-distance, 'sequential,jgrapht', 0",
    "paths, --digraph, 'rmat:6,directed', balance=split|heavy degree-bound=0|5, , 0",
    "paths-64, --digraph, 'rmat:6,weights=1..9,directed', lengths=all sync=all"
        + " predecessors=with-distance, sequential, 0",
    "nbody, --bodies, plummer:40, tree=all precision=float|double, 'sequential,direct', 0",
    "pointsto, --constraints, art, propagation=all cycles=all, worklist, 0",
    "partition, --generate, grid:20, parts=3 refinement=stm|atomic, , 0",
    "sat, --cnf, 'ksat:n=50,ratio=3', decimation=all flips=all, sequential, 0",
    "refine, --points, uniform:60, sync=all angle=25.5, , 0",
    "transactions, --workload, 'bank:accounts=99,transactions=200', synchronization=stm|locks, , 0",
    "wrong, --generate, path:3, when=third, , 1",
    "wrong, --generate, path:3, when=throws, , 70"
  })
  void linesOfComparisonsAreValid(
      String algorithm, String option, String input, String variants, String with, int status)
      throws IOException {
    List<String> words = new ArrayList<>(List.of("compare", algorithm, option, input));
    words.add("--variants");
    words.addAll(List.of(variants.replace('|', ',').split(" ")));
    // Plain builds run most once behind the warm-up, and on one device; what goes wrong may do so
    // in the third run.
    boolean whole = FULL || Set.of("msf", "wrong").contains(algorithm);
    words.addAll(List.of("--devices", whole ? "cpu:2,sim:1:4" : "cpu:2"));
    words.addAll(List.of("--repeats", whole ? "2" : "1", "--warmups", "1"));
    if (with != null) {
      words.addAll(List.of("--with", with));
    }
    Path file = folder.resolve("runs.jsonl");
    words.addAll(List.of("--json", file.toString()));
    CommandRun run = CommandRun.of(words.toArray(new String[0]));
    assertEquals(status, run.status(), run::err);
    List<JsonNode> lines = JsonSchema.validated(Files.readString(file));
    assertEquals(Files.readAllLines(file).size(), lines.size());
    Set<String> kinds = new HashSet<>();
    lines.forEach(line -> kinds.add(line.get("kind").asText()));
    assertEquals(
        status == 70 ? Set.of("run", "summary", "failure") : Set.of("run", "summary"), kinds);
  }

  /** As programs of others have, which may not be on this machine. */
  @ParameterizedTest
  @CsvSource({
    "refine, --points, uniform:60, sync=marks",
    "partition, --generate, grid:9, parts=3",
    "msf, --generate, road:60, merge=atomic"
  })
  void aBaselineHasNoSettings(String algorithm, String option, String input, String variants)
      throws IOException {
    Path file = folder.resolve("runs.jsonl");
    CommandRun.of(
            "compare",
            algorithm,
            option,
            input,
            "--variants",
            variants,
            "--devices",
            "cpu:1",
            "--repeats",
            "1",
            "--json",
            file.toString())
        .expect(ExitStatus.OK);
    for (String line : Files.readAllLines(file)) {
      ObjectNode changed = (ObjectNode) new ObjectMapper().readTree(line);
      changed.putObject("variant");
      assertEquals(1, JsonSchema.validated(changed.toString()).size());
    }
  }

  @Test
  void aWorthlessPartitionIsValidWithoutADevice() throws IOException {
    Path parts = folder.resolve("parts");
    Files.writeString(parts, "0\n0\n0\n1\n");
    CommandRun run =
        CommandRun.of(
                "partition",
                "--generate",
                "path:4",
                "-k",
                "2",
                "--evaluate",
                parts.toString(),
                "--json")
            .expect(ExitStatus.NOT_VERIFIED);
    JsonNode value = JsonSchema.validated(run.out()).get(0);
    assertEquals("not balanced", value.get("verdict").asText());
    assertFalse(value.has("device"));
  }

  @Test
  void historiesAreValid() throws IOException {
    Path history = folder.resolve("history.txt");
    CommandRun.of(
            "verify",
            "--workload",
            "drawn:objects=4",
            "--items",
            "4",
            "--device",
            "sim:1:4",
            "--save",
            history.toString())
        .expect(ExitStatus.OK);
    CommandRun run =
        CommandRun.of("verify", "--history", history.toString(), "--json").expect(ExitStatus.OK);
    assertEquals(1, JsonSchema.validated(run.out()).size());
  }

  /** No number is infinite or unknown: JSON has none such, and text would be of another type. */
  @Test
  void whatIsNoNumberIsNull() throws IOException {
    assertEquals(
        "{\"format\":2,\"least\":null,\"all\":[null,0.5]}",
        JsonOutput.line(
            new TreeMap<>(
                    Map.of("least", Double.NaN, "all", List.of(Double.POSITIVE_INFINITY, 0.5)))
                .descendingMap()));
  }

  // ---- What the schema does not let pass.

  static List<String> documents() {
    return List.of(
        "msf --generate road:64 --device cpu:1",
        "partition --generate grid:20 -k 4 --device cpu:1",
        "paths --generate road:64 --device cpu:1",
        "nbody --bodies cube:20 --device cpu:1 --verify",
        "refine --points uniform:60 --device cpu:1",
        "components --generate road:64 --device cpu:1 --output forest",
        "sat --cnf ksat:n=50,ratio=3 --device cpu:1",
        "pointsto --constraints art --device cpu:1",
        "verify --workload drawn:objects=4 --items 4 --device sim:1:4",
        "devices",
        "compare msf --generate road:64 --devices cpu:1 --repeats 1 --warmups 0",
        "compare paths-64 --generate road:64 --devices cpu:1 --repeats 1 --warmups 0",
        "compare components --generate road:64 --ladder forms --devices cpu:1 --repeats 1"
            + " --warmups 0",
        "compare transactions --workload bank:accounts=99,transactions=200 --devices cpu:1"
            + " --repeats 1 --warmups 0");
  }

  /** In every object of the document. */
  @ParameterizedTest
  @MethodSource("documents")
  void anUnknownFieldIsRefused(String command) {
    for (JsonNode value : values(command)) {
      List<ObjectNode> objects = new ArrayList<>();
      collect(value, objects::add);
      assertTrue(objects.size() >= 2, value.toString());
      for (ObjectNode each : objects) {
        each.put("surprise", "new");
        assertFalse(JsonSchema.objections(value).isEmpty(), value::toString);
        each.remove("surprise");
      }
      assertEquals(List.of(), JsonSchema.objections(value));
    }
  }

  /** A number with its unit as text, and one below zero. */
  @ParameterizedTest
  @MethodSource("documents")
  void anotherUnitOrTypeIsRefused(String command) {
    for (JsonNode value : values(command)) {
      collect(
          value,
          each -> {
            for (String name : names(each)) {
              JsonNode before = each.get(name);
              if (before.isNumber()) {
                each.put(name, before.asText() + " ms");
                assertFalse(JsonSchema.objections(value).isEmpty(), () -> name + " of " + value);
              } else if (before.isTextual() || before.isBoolean()) {
                each.put(name, 17);
                assertFalse(JsonSchema.objections(value).isEmpty(), () -> name + " of " + value);
              }
              if (before.isDouble() && before.asDouble() >= 0) { // a potential is below
                each.put(name, -2.5);
                assertFalse(JsonSchema.objections(value).isEmpty(), () -> name + " of " + value);
              }
              each.set(name, before);
            }
          });
      assertEquals(List.of(), JsonSchema.objections(value));
    }
  }

  @ParameterizedTest
  @MethodSource("documents")
  void anotherFormatIsRefusedAndSoIsNone(String command) {
    for (JsonNode value : values(command)) {
      ((ObjectNode) value).put("format", JsonOutput.FORMAT + 1);
      assertFalse(JsonSchema.objections(value).isEmpty(), value::toString);
      ((ObjectNode) value).remove("format");
      assertFalse(JsonSchema.objections(value).isEmpty(), value::toString);
    }
  }

  @Test
  void whatIsNoDocumentIsRefused() throws IOException {
    for (String each :
        List.of(
            "{}",
            "{\"format\":2}",
            "[]",
            "{\"format\":2,\"algorithm\":\"mst\"}",
            "{\"format\":2,\"command\":\"msf\"}",
            "{\"format\":2,\"kind\":\"other\"}")) {
      assertFalse(JsonSchema.objections(new ObjectMapper().readTree(each)).isEmpty(), each);
    }
  }

  private static List<JsonNode> values(String command) {
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    words.addAll(command.startsWith("compare") ? List.of("--json", "-") : List.of("--json"));
    CommandRun run = CommandRun.of(words.toArray(new String[0])).expect(ExitStatus.OK);
    return JsonSchema.validated(run.out());
  }

  private static List<String> names(JsonNode value) {
    List<String> names = new ArrayList<>();
    value.fieldNames().forEachRemaining(names::add);
    return names;
  }

  /** All objects; of arrays, which have many that are alike, those of the first element. */
  private static void collect(JsonNode value, Consumer<ObjectNode> taker) {
    if (value instanceof ObjectNode object) {
      taker.accept(object);
      names(object).forEach(name -> collect(object.get(name), taker));
    } else if (value.isArray() && !value.isEmpty()) {
      collect(value.get(0), taker);
    }
  }

  // ---- The schema itself.

  @Test
  void theSchemaIsOne() {
    SchemaRegistry registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    JsonNode schema = JsonSchema.tree();
    assertEquals(
        List.of(),
        registry.getSchema(SchemaLocation.of(schema.get("$schema").asText())).validate(schema));
    assertEquals("urn:magpie:format:" + JsonOutput.FORMAT, schema.get("$id").asText());
  }

  @Test
  void theCommandPrintsIt() throws IOException {
    CommandRun run = CommandRun.of("schema").expect(ExitStatus.OK);
    assertEquals(JsonSchema.tree(), new ObjectMapper().readTree(run.out()));
  }

  /** Each says what it means; numbers have a range or say that they have none by their type. */
  @Test
  void everyFieldIsDescribed() {
    int[] fields = {0};
    collect(
        JsonSchema.tree().get("$defs"),
        each -> {
          if (each.has("description") && each.path("type").asText().equals("object")) {
            assertTrue(
                each.has("additionalProperties"), () -> "open to any field: " + each.toString());
            each.path("properties")
                .fields()
                .forEachRemaining(
                    field -> {
                      JsonNode about = field.getValue();
                      String shown = field.getKey() + ": " + about;
                      assertTrue(about.has("$ref") || about.has("description"), shown);
                      assertTrue(
                          about.has("type")
                              || about.has("enum")
                              || about.has("const")
                              || about.has("anyOf")
                              || about.has("$ref"),
                          shown);
                      fields[0]++;
                    });
          }
        });
    assertTrue(fields[0] > 200, fields[0] + " fields");
  }

  /** Each setting that has an effect is told, and no other one. */
  @Test
  void runsTellOfTheSettingsThatHaveAnEffect() {
    Set<String> algorithms = new TreeSet<>();
    for (String command : documents()) {
      JsonNode value = values(command).get(0);
      Options<?> options = Registered.compared().get(value.path("algorithm").asText());
      if (options != null
          && !command.contains("--ladder")) { // whose steps have settings of their own
        algorithms.add(value.get("algorithm").asText());
        Set<String> names = new TreeSet<>();
        for (Setting<?> setting : options.settings()) {
          if (setting.written() && options.hasEffect(setting)) {
            names.add(value.has("kind") ? setting.name() : setting.jsonName());
          }
        }
        assertEquals(names, new TreeSet<>(names(value.get("variant"))), command);
      }
    }
    Registered.assertSame(
        Registered.compared().keySet(),
        algorithms,
        "documents() must run or compare each algorithm");
  }

  /** Of commands and comparisons; what the schema says of settings is in SettingsSchemaTest. */
  @Test
  void allAlgorithmsAreDescribed() {
    Set<String> needed = new TreeSet<>();
    for (String each : Registered.algorithms().keySet()) {
      needed.addAll(List.of(each, each + "Variant"));
    }
    for (String each : Registered.compared().keySet()) {
      for (String kind : List.of("Contestant", "Input", "Millis", "Counters")) {
        needed.add(each + kind);
      }
    }
    Set<String> used = references();
    used.retainAll(needed);
    Registered.assertSame(needed, used, BASE + " must define what of an algorithm is not made");
  }

  /** Each reference leads to a definition, and each definition is referred to. */
  @Test
  void nothingIsMissingOrLeftOver() {
    Set<String> defined = new TreeSet<>(names((ObjectNode) JsonSchema.tree().get("$defs")));
    Registered.assertSame(
        references(), defined, BASE + " must define what is referred to, and nothing else");
  }

  private static Set<String> references() {
    Set<String> references = new TreeSet<>();
    for (JsonNode each : JsonSchema.tree().findValues("$ref")) {
      references.add(each.asText().replaceFirst("^#/[$]defs/", ""));
    }
    return references;
  }

  /** What all algorithms have in common is described once; their own members stay. */
  @Test
  void definitionsOfAlgorithmsHaveWhatAllHaveInCommon() {
    JsonNode definitions = JsonSchema.tree().get("$defs");
    for (String each : Registered.algorithms().keySet()) {
      JsonNode properties = definitions.at("/" + each + "/properties");
      assertEquals(each, properties.at("/algorithm/const").asText());
      assertTrue(properties.hasNonNull("device"), each);
      assertTrue(definitions.at("/" + each + "/description").asText().contains(" " + each + " "));
    }
    Set<String> counting = new TreeSet<>(Registered.compared().keySet());
    counting.removeIf(each -> !definitions.at("/" + each + "Counters/properties").has("steals"));
    Set<String> transactional = new TreeSet<>(Registered.compared().keySet());
    transactional.remove("refine"); // which has no count but that of aborts
    assertEquals(transactional, counting);
    assertEquals(
        "Failed attempts.",
        definitions.at("/refineCounters/properties/aborts/description").asText());
    assertFalse(JsonSchema.tree().has("common"));
  }
}
