package io.magpie.examples.report;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.magpie.algorithms.FileFormatException;
import io.magpie.examples.compare.Summary;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads the records of one file: those of comparisons, which have a {@code kind}, and those of
 * single runs, which have an {@code algorithm} only. A record may span lines.
 */
final class RecordReader {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String EXPECTED =
      "records that compare or a command of an algorithm wrote with --json";
  private static final String REMEDY = "name a file that one of them wrote";

  /**
   * What single runs of all algorithms have. Their other objects, such as {@code forest}, say what
   * the result is like.
   */
  private static final Set<String> COMMON =
      Set.of("device", "host", "input", "bounds", "variant", "millis", "aborts");

  /** What single runs say of their result and comparisons say too, by another name. */
  private static final Map<String, String> FIGURES = Map.of("bad", "badLeft");

  /** What single runs say among their result and is a setting, by its name. */
  private static final Map<String, String> SETTINGS =
      Map.of("parts", "parts", "allowedImbalance", "imbalance");

  private static final String SEED = "seed";

  /** As generators have it among their parameters, and files with drawn weights behind these. */
  private static final Pattern NAMED_SEED = Pattern.compile("\\bseed=-?[0-9]|, seed -?[0-9]+$");

  private final Path file;
  private final Records records;

  /** The comparison of the records that have all this in common. */
  private final Map<List<Object>, Session> sessions = new HashMap<>();

  /** The records of each comparison, as what tells them apart. */
  private final Map<Session, Set<List<Object>>> parts = new HashMap<>();

  /** Comparisons with a summary, which comes after all runs. */
  private final Set<Session> summarized = new HashSet<>();

  /** What the first summary of each comparison is of. */
  private final Map<Session, Subject> firsts = new HashMap<>();

  /** Where the current record begins, from 1. */
  private long line = 1;

  RecordReader(Path file, Records records) {
    this.file = file;
    this.records = records;
  }

  /** Reads all records. */
  void read() throws IOException {
    InputFiles.requireFile(file, "a file of records");
    try (InputStream in = Files.newInputStream(file);
        JsonParser parser = MAPPER.createParser(in)) {
      boolean any = false;
      while (next(parser)) {
        add(parser);
        any = true;
      }
      if (!any) {
        throw new FileFormatException(file, 0, "an empty file", EXPECTED, REMEDY, null);
      }
    } catch (JsonProcessingException e) {
      throw noJson(e);
    } catch (FileFormatException e) {
      throw e;
    } catch (IOException e) {
      throw InputFiles.unreadable(file, e);
    }
  }

  private static boolean next(JsonParser parser) throws IOException {
    return parser.nextToken() != null;
  }

  private FileFormatException noJson(JsonProcessingException e) {
    long at = e.getLocation() == null ? line : Math.max(line, e.getLocation().getLineNr());
    return new FileFormatException(file, at, "text that is not JSON", EXPECTED, REMEDY, e);
  }

  private void add(JsonParser parser) throws IOException {
    line = parser.currentTokenLocation().getLineNr();
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw new FileFormatException(
          file, line, noun(parser.currentToken()), EXPECTED + ", each a JSON object", REMEDY, null);
    }
    JsonNode value;
    try {
      value = MAPPER.readTree(parser);
    } catch (JsonEOFException e) {
      throw new FileFormatException(
          file, line, "an incomplete record", "a complete JSON object", Fields.REMEDY, e);
    }
    add(new Fields(file, line, "", value));
  }

  private static String noun(JsonToken token) {
    return token == JsonToken.START_ARRAY
        ? "an array"
        : token == JsonToken.VALUE_STRING
            ? "a string"
            : token.isNumeric() ? "a number" : "a literal";
  }

  private void add(Fields record) throws IOException {
    Optional<String> kind = record.text("kind");
    if (kind.isEmpty() && isSingleRun(record)) {
      addSingle(record);
      return;
    }
    switch (kind.orElse("")) {
      case "run" -> addRun(record);
      case "summary" -> addSummary(record);
      case "failure" -> addFailure(record);
      default ->
          throw new FileFormatException(
              file,
              record.line(),
              kind.isEmpty()
                  ? "a record that is not of a run"
                  : "a record of kind '" + kind.get() + "'",
              EXPECTED,
              REMEDY,
              null);
    }
  }

  private static boolean isSingleRun(Fields record) throws IOException {
    return record.text("algorithm").isPresent() && !record.objectsExcept(COMMON).isEmpty();
  }

  /**
   * The comparison that a record is part of. The records of one have algorithm, version, time, host
   * and input in common, and none of them comes twice.
   */
  private Session session(Fields record, boolean summary) throws IOException {
    Map<String, String> texts = record.someTexts();
    List<Object> common = new ArrayList<>();
    List.of("algorithm", "version", "revision", "time")
        .forEach(name -> common.add(texts.getOrDefault(name, "")));
    common.add(record.object("host").someTexts());
    common.add(record.object("input").someTexts());
    List<Object> own =
        List.of(
            summary,
            texts.getOrDefault("contestant", ""),
            record.object("device").someTexts(),
            record.object("variant").someTexts(),
            texts.getOrDefault("round", ""));
    boolean told = summary || texts.containsKey("round");
    Session session = sessions.get(common);
    if (session == null
        || (told && parts.get(session).contains(own))
        || (!summary && summarized.contains(session))) {
      session = records.begin(file, texts.getOrDefault("time", ""));
      sessions.put(common, session);
      parts.put(session, new HashSet<>());
    }
    parts.get(session).add(own);
    if (summary) {
      summarized.add(session);
    }
    return session;
  }

  private void addRun(Fields record) throws IOException {
    Subject subject = subject(record, session(record, false), record.object("variant").someTexts());
    describe(subject, record);
    records.add(
        new Run(
            subject,
            record.flag("warmUp"),
            record.object("millis").millis(),
            record.object("counters").numbers(),
            record.object("aborts").numbers(),
            phases(record),
            record.text("verdict").orElse("")));
  }

  private void addSummary(Fields record) throws IOException {
    Session session = session(record, true);
    Subject subject = subject(record, session, record.object("variant").someTexts());
    describe(subject, record);
    boolean toSimulated = firsts.computeIfAbsent(session, s -> subject).environment().isSimulated();
    Fields spread = record.object("spread");
    Fields ratio = record.object("ratioToFirst");
    records.add(
        new Summarized(
            subject,
            record.number("runs").orElse(BigDecimal.ZERO),
            record.number("wrong").orElse(BigDecimal.ZERO),
            record.text("measure").orElse(""),
            spread(spread.millis()),
            ratio.number("median").isEmpty() || toSimulated || subject.environment().isSimulated()
                ? Optional.empty()
                : Optional.of(ratio(ratio.someNumbers(), ratio.text("verdict").orElse(""))),
            record.number("processors"),
            record.flag("disturbed"),
            record.texts("shown")));
  }

  private static Optional<Summary.Spread> spread(Map<String, Double> of) {
    List<String> names = List.of("least", "lowerQuartile", "median", "upperQuartile", "largest");
    return of.keySet().containsAll(names)
        ? Optional.of(
            new Summary.Spread(
                of.get("least"),
                of.get("lowerQuartile"),
                of.get("median"),
                of.get("upperQuartile"),
                of.get("largest")))
        : Optional.empty();
  }

  private static Summarized.Ratio ratio(Map<String, BigDecimal> of, String verdict) {
    BigDecimal median = of.get("median");
    return new Summarized.Ratio(
        median.doubleValue(),
        of.getOrDefault("low", median).doubleValue(),
        of.getOrDefault("high", median).doubleValue(),
        verdict);
  }

  private void addSingle(Fields record) throws IOException {
    Map<String, String> settings = new LinkedHashMap<>(record.object("variant").someTexts());
    record.object("bounds").someTexts().forEach(settings::putIfAbsent);
    Map<String, BigDecimal> figures = new LinkedHashMap<>();
    for (Fields result : record.objectsExcept(COMMON)) {
      for (Map.Entry<String, BigDecimal> each : result.someNumbers().entrySet()) {
        String name = each.getKey();
        if (SETTINGS.containsKey(name)) {
          settings.putIfAbsent(SETTINGS.get(name), each.getValue().toPlainString());
        } else {
          figures.put(FIGURES.getOrDefault(name, name), each.getValue());
        }
      }
    }
    BigDecimal inside = figures.get("insertedInside");
    BigDecimal onSegments = figures.get("insertedOnSegments");
    if (inside != null && onSegments != null) {
      figures.put("inserted", inside.add(onSegments));
    }
    record.someNumbers().forEach(figures::putIfAbsent);
    figures.remove("format"); // of the record, not of the run
    record.length("levels").ifPresent(levels -> figures.putIfAbsent("levels", levels));
    Subject subject = subject(record, null, settings);
    describe(subject, record);
    records.add(
        new Run(
            subject,
            false,
            record.object("millis").millis(),
            figures,
            record.object("aborts").numbers(),
            phases(record),
            record.text("verdict").orElse("")));
  }

  private void addFailure(Fields record) throws IOException {
    String message = record.text("message").orElse("no reason given");
    Optional<String> input = record.object("input").text("source");
    records.addFailure(file, input.map(source -> source + ": " + message).orElse(message));
  }

  private Subject subject(Fields record, Session session, Map<String, String> settings)
      throws IOException {
    Fields input = record.object("input");
    String hash = input.text("hash").orElse("");
    Problem problem =
        new Problem(
            record.required("algorithm"),
            input.text("source").orElse(""),
            hash,
            hash.isEmpty() ? file.toString() : "");
    return new Subject(
        problem,
        Environment.of(
            record.someTexts(),
            record.object("device").someTexts(),
            record.object("host").someTexts()),
        session,
        record.text("contestant").orElse(""),
        record.flag("baseline"),
        settings);
  }

  private void describe(Subject subject, Fields record) throws IOException {
    String heap = record.object("host").someTexts().getOrDefault("heapBytes", "");
    records.describe(subject, file, properties(record.object("input")), heap);
  }

  /**
   * What numbers say of an input. The seed is always recorded, as 1 where nothing was drawn; what
   * was drawn names its seed in its source.
   */
  private static Map<String, BigDecimal> properties(Fields input) throws IOException {
    Map<String, BigDecimal> properties = new LinkedHashMap<>(input.someNumbers());
    if (BigDecimal.ONE.equals(properties.get(SEED))
        && !NAMED_SEED.matcher(input.text("source").orElse("")).find()) {
      properties.remove(SEED);
    }
    return properties;
  }

  /** The times of all phases; none if those of some were not taken. */
  private static List<KernelTime> phases(Fields record) throws IOException {
    List<KernelTime> phases = new ArrayList<>();
    for (Fields each : record.objects("phases")) {
      Optional<BigDecimal> millis = each.number("millis");
      if (millis.isEmpty()) {
        return List.of();
      }
      phases.add(new KernelTime(each.required("name"), Math.max(0, millis.get().doubleValue())));
    }
    return phases;
  }
}
