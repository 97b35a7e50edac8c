package io.magpie.examples.cli.commands;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.magpie.algorithms.Options;
import io.magpie.algorithms.OptionsSchema;
import io.magpie.algorithms.TransactionSettings;
import io.magpie.examples.cli.output.JsonOutput;
import io.magpie.examples.compare.Comparison;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The schema of all JSON that commands write. A resource has its fixed part; what repeats settings
 * or lists algorithms is made from those that there are.
 *
 * <p>The definitions of an algorithm there have only what is its own. What those of all algorithms
 * have stands once, under {@link #COMMON}, where {@link #NAME} is the algorithm's, and is added
 * here; of two members of one name an algorithm's own stays.
 */
final class FormatSchema {
  private static final String BASE =
      "/io/magpie/examples/format-" + JsonOutput.FORMAT + ".base.json";

  /** What definitions of one kind have in common; none of the schema itself. */
  private static final String COMMON = "common";

  /** The kinds of definitions of a comparison, behind its name. */
  private static final List<String> COMPARED = List.of("Input", "Millis", "Counters");

  private static final String NAME = "NAME";

  private static final String PROPERTIES = "properties";
  private static final String REQUIRED = "required";

  /** Ends the name of the definition of what a job of Apache Spark writes. */
  private static final String ON_SPARK = "OnSpark";

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final ObjectNode schema = base();
  private final ObjectNode definitions = (ObjectNode) schema.get("$defs");
  private final ObjectNode common = (ObjectNode) schema.remove(COMMON);

  private FormatSchema() {}

  /**
   * The schema as a text.
   *
   * @param algorithms those that have a command of their own, which is their name
   * @param comparisons all that there are
   */
  static String text(Collection<String> algorithms, Collection<Comparison<?>> comparisons) {
    FormatSchema made = new FormatSchema();
    made.definitions.set("policy", policy());
    made.addRuns(algorithms);
    algorithms.forEach(each -> made.complete(each, each, "Command"));
    for (Comparison<?> each : comparisons) {
      if (made.countsTransactions(each)) {
        made.complete(each.name() + "Counters", each.name(), "Transactions");
      }
      COMPARED.forEach(kind -> made.complete(each.name() + kind, each.name(), kind));
      if (algorithms.contains(each.name())) {
        made.definitions.set(each.name() + "Variant", variant(each.defaults()));
      }
      made.definitions.set(each.name() + "Contestant", contestant(each));
      made.addLines(each.name());
    }
    try {
      return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(made.schema);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ObjectNode base() {
    try (InputStream in = FormatSchema.class.getResourceAsStream(BASE)) {
      return (ObjectNode) MAPPER.readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether its runs count transactions: it has any, and no count of aborts of its own. */
  private boolean countsTransactions(Comparison<?> comparison) {
    return comparison.defaults().settings().stream()
            .anyMatch(each -> each.name().equals(TransactionSettings.POLICY.name()))
        && !definitions.path(comparison.name() + "Counters").path(PROPERTIES).has("aborts");
  }

  /** Adds to an algorithm's definition, if there is one, what all of its kind have. */
  private void complete(String definition, String algorithm, String kind) {
    if (definitions.get(definition) instanceof ObjectNode own) {
      String added = common.get(kind).toString().replace(NAME, algorithm);
      try {
        definitions.set(definition, both((ObjectNode) MAPPER.readTree(added), own));
      } catch (JsonProcessingException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** One definition and then another one, whose members stay where both have one of a name. */
  private static ObjectNode both(ObjectNode first, ObjectNode second) {
    ObjectNode both = first.deepCopy();
    both.setAll(second);
    ObjectNode properties = both.putObject(PROPERTIES);
    ArrayNode required = both.putArray(REQUIRED);
    for (ObjectNode each : List.of(first, second)) {
      each.path(PROPERTIES)
          .fields()
          .forEachRemaining(p -> properties.set(p.getKey(), p.getValue()));
      each.path(REQUIRED).forEach(required::add);
    }
    return both;
  }

  private static JsonNode policy() {
    Map<String, Object> policy = new LinkedHashMap<>();
    policy.put("description", "Which transaction goes first.");
    policy.put(
        "enum",
        TransactionSettings.ANY_POLICY.all().stream()
            .map(TransactionSettings.ANY_POLICY::write)
            .toList());
    return MAPPER.valueToTree(policy);
  }

  private static ObjectNode variant(Options<?> options) {
    return described(
        "The settings that had an effect, with their values.", OptionsSchema.ofValues(options));
  }

  private static ObjectNode contestant(Comparison<?> comparison) {
    Map<String, Object> texts = OptionsSchema.ofTexts(comparison.defaults());
    if (comparison.writesToArrays()) {
      @SuppressWarnings("unchecked") // of the schema of an object
      Map<String, Object> properties = (Map<String, Object>) texts.get(PROPERTIES);
      Map<String, Object> all = new LinkedHashMap<>(properties);
      all.put(
          ComparisonRun.RESULTS,
          Map.of(
              "description",
              "Only where results are not in new arrays: in arrays that are kept from run to run, or on"
                  + " the device.",
              "enum",
              comparison.leavesOnDevice() ? List.of("kept", "device") : List.of("kept")));
      texts.put(PROPERTIES, all);
    }
    if (!comparison.baselines().isEmpty()) {
      Map<String, Object> all = new LinkedHashMap<>();
      for (String rule : List.of(REQUIRED, "allOf")) {
        Optional.ofNullable(texts.remove(rule)).ifPresent(of -> all.put(rule, of));
      }
      texts.put("anyOf", List.of(all, Map.of("maxProperties", 0))); // a baseline has none
    }
    return described(
        "The settings that had an effect, as --variants takes their names and values; none of a"
            + " baseline.",
        texts);
  }

  private static ObjectNode described(String description, Map<String, Object> about) {
    ObjectNode all = MAPPER.createObjectNode().put("description", description);
    return all.setAll((ObjectNode) MAPPER.valueToTree(about));
  }

  /** What commands of algorithms write. */
  private void addRuns(Collection<String> algorithms) {
    ObjectNode branch = schema.withArray("allOf").addObject();
    branch.putObject("if").putArray(REQUIRED).add("algorithm");
    branch.withObject("if").putObject("not").putArray(REQUIRED).add("kind");
    ObjectNode then = branch.putObject("then");
    algorithms.forEach(then.putObject(PROPERTIES).putObject("algorithm").putArray("enum")::add);
    for (String each : algorithms) {
      ObjectNode one = then.withArray("allOf").addObject();
      one.set("if", only("algorithm", each));
      one.set("then", definitions.has(each + ON_SPARK) ? byEngine(each) : reference(each));
    }
  }

  /** What a command writes that may also run as a job of Apache Spark, and then says so. */
  private static ObjectNode byEngine(String algorithm) {
    ObjectNode byEngine = MAPPER.createObjectNode();
    byEngine.putObject("if").putArray(REQUIRED).add("spark");
    byEngine.set("then", reference(algorithm + ON_SPARK));
    return byEngine.set("else", reference(algorithm));
  }

  /** What lines of a comparison have in the fields that depend on the algorithm. */
  private void addLines(String algorithm) {
    ObjectNode run = addBranch("run", algorithm);
    refer(run, "millis", algorithm + "Millis");
    refer(run, "counters", algorithm + "Counters");
    if (run.has("counters")) {
      refer(run, "aborts", "aborts"); // and none of a stranger's own
    }
    ObjectNode summary = addBranch("summary", algorithm);
    refer(summary, "medianMillis", algorithm + "Millis");
    refer(summary, "medianCounters", algorithm + "Counters");
  }

  private ObjectNode addBranch(String kind, String algorithm) {
    ObjectNode branch = ((ObjectNode) definitions.get(kind)).withArray("allOf").addObject();
    branch.set("if", only("algorithm", algorithm));
    ObjectNode properties = branch.putObject("then").putObject(PROPERTIES);
    refer(properties, "input", algorithm + "Input");
    refer(properties, "variant", algorithm + "Contestant");
    return properties;
  }

  /** Describes a field by a definition, which an algorithm that a jar adds may not have. */
  private void refer(ObjectNode properties, String field, String definition) {
    if (definitions.has(definition)) {
      properties.set(field, reference(definition));
    }
  }

  private static ObjectNode only(String field, String value) {
    ObjectNode only = MAPPER.createObjectNode();
    only.putObject(PROPERTIES).putObject(field).put("const", value);
    return only;
  }

  private static ObjectNode reference(String definition) {
    String pointer = "/$defs/" + definition.replace("~", "~0").replace("/", "~1");
    try {
      return MAPPER.createObjectNode().put("$ref", new URI(null, null, pointer).toASCIIString());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
