package io.magpie.algorithms;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * One setting of an algorithm, described once: its name, what values it takes, its default, what it
 * decides, and when it has an effect. Command lines, help, variants of comparisons, and reports are
 * made from that. Immutable: methods that add something give a changed copy.
 *
 * <pre>{@code
 * static final Setting<Effort> EFFORT =
 *     Setting.oneOf("effort", Effort.DEFAULT, "time against cut")
 *         .meaning(Effort.FAST, "few rounds at each level");
 * }</pre>
 *
 * @param <V> the type of its values
 * @see Options
 */
public final class Setting<V> {
  private final String name;
  private final Domain<V> domain;
  private final V byDefault;
  private final String decides;
  private final List<String> meanings;
  private final List<V> series;
  private final Condition condition;
  private final Character letter;
  private final String label;
  private final Part<?, V> part;
  private final boolean required;
  private final String group;

  private Setting(
      String name,
      Domain<V> domain,
      V byDefault,
      String decides,
      List<String> meanings,
      List<V> series,
      Condition condition,
      Character letter,
      String label,
      Part<?, V> part,
      boolean required,
      String group) {
    this.name = name;
    this.domain = domain;
    this.byDefault = byDefault;
    this.decides = decides;
    this.meanings = List.copyOf(meanings);
    this.series = List.copyOf(series);
    this.condition = condition;
    this.letter = letter;
    this.label = label;
    this.part = part;
    this.required = required;
    this.group = group;
  }

  private static <V> Setting<V> of(
      String name, Domain<V> domain, V byDefault, String decides, String label) {
    if (!name.matches("[a-z]+(-[a-z]+)*")) {
      throw new IllegalArgumentException(
          "a setting's name is words in lower case, joined by '-', got '" + name + "'");
    }
    Objects.requireNonNull(decides, "decides");
    Setting<V> setting =
        new Setting<>(
            name,
            domain,
            byDefault,
            decides,
            List.of(),
            List.of(),
            Condition.ALWAYS,
            null,
            label,
            null,
            false,
            null);
    setting.check(byDefault);
    return setting;
  }

  /**
   * A setting whose values are the constants of a type. Written in lower case, with {@code -} for
   * {@code _}; read with either.
   *
   * @param name words in lower case, joined by {@code -}
   * @param byDefault the value that holds where none is given
   * @param decides what it decides, in a few words that follow a colon well
   */
  public static <E extends Enum<E>> Setting<E> oneOf(String name, E byDefault, String decides) {
    return of(
        name,
        new Constants<>(
            List.of(byDefault.getDeclaringClass().getEnumConstants()),
            constant -> constant.name().toLowerCase(Locale.ROOT).replace('_', '-')),
        byDefault,
        decides,
        named(name));
  }

  /** As {@link #oneOf}, written with their {@code _}. */
  static <E extends Enum<E>> Setting<E> oneOfUnderscored(String name, E byDefault, String decides) {
    return of(
        name,
        new Constants<>(
            List.of(byDefault.getDeclaringClass().getEnumConstants()),
            constant -> constant.name().toLowerCase(Locale.ROOT)),
        byDefault,
        decides,
        named(name));
  }

  /** A setting that is {@code on} or {@code off}. */
  public static Setting<Boolean> flag(String name, boolean byDefault, String decides) {
    return of(name, new Flag("on", "off"), byDefault, decides, named(name));
  }

  /** A setting of two values with names of their own: the first is true. */
  public static Setting<Boolean> either(
      String name, String whenTrue, String whenFalse, boolean byDefault, String decides) {
    return of(name, new Flag(whenTrue, whenFalse), byDefault, decides, named(name));
  }

  /** A whole number from {@code least} to {@code most}. */
  public static Setting<Integer> whole(
      String name, int byDefault, int least, int most, String decides) {
    return of(name, new Whole<>(Integer::valueOf, least, most), byDefault, decides, "N");
  }

  /** A whole number of 64 bits from {@code least} to {@code most}. */
  public static Setting<Long> wholeLong(
      String name, long byDefault, long least, long most, String decides) {
    return of(name, new Whole<>(Long::valueOf, least, most), byDefault, decides, "N");
  }

  /**
   * A decimal number.
   *
   * @param range which ones, as a message says it: "must be" and this
   */
  public static Setting<Double> decimal(
      String name, double byDefault, Range range, String decides) {
    return of(name, new Decimal(range), byDefault, decides, "X");
  }

  /** A duration in seconds, with up to nine digits behind the point, from 0 to {@code most}. */
  public static Setting<Duration> seconds(
      String name, Duration byDefault, Duration most, String decides) {
    return of(name, new Seconds(most), byDefault, decides, "SECONDS");
  }

  /**
   * A setting whose values have a form of their own.
   *
   * @param parser reads a value as it is written; it throws {@link IllegalArgumentException} for
   *     other texts, with a message that begins with "expected" or says what is wrong
   * @param allowed what values are allowed, as a message says it behind "expected"
   * @param pattern a regular expression that written values match, as JSON Schema has them
   */
  public static <V> Setting<V> custom(
      String name,
      V byDefault,
      Function<String, V> parser,
      Function<V, String> writer,
      String allowed,
      String pattern,
      String decides) {
    return of(
        name, new Custom<>(parser, writer, allowed, pattern), byDefault, decides, named(name));
  }

  // ---- Changed copies.

  /** Says in a few words what one value does, for help; of all values, or of none. */
  public Setting<V> meaning(V value, String words) {
    int index = domain.listed().indexOf(value);
    if (index < 0) {
      throw new IllegalArgumentException(name + " has no value " + value + " to describe");
    }
    List<String> changed = new ArrayList<>(meanings);
    while (changed.size() < domain.listed().size()) {
      changed.add("");
    }
    changed.set(index, words);
    return new Setting<>(
        name, domain, byDefault, decides, changed, series, condition, letter, label, part, required,
        group);
  }

  /** Takes only some of the values that it has names for; its default is one of them. */
  Setting<V> among(Predicate<V> wanted) {
    List<String> kept = new ArrayList<>();
    for (int i = 0; i < meanings.size(); i++) {
      if (wanted.test(domain.listed().get(i))) {
        kept.add(meanings.get(i));
      }
    }
    Setting<V> some =
        new Setting<>(
            name,
            domain.among(wanted),
            byDefault,
            decides,
            kept,
            series,
            condition,
            letter,
            label,
            part,
            required,
            group);
    some.check(byDefault);
    return some;
  }

  /** Has no effect unless a condition on other settings holds. */
  public Setting<V> onlyWith(Condition when) {
    return new Setting<>(
        name, domain, byDefault, decides, meanings, series, when, letter, label, part, required,
        group);
  }

  /** Values of a number that a comparison runs through when asked for all. */
  @SafeVarargs
  public final Setting<V> series(V... values) {
    return new Setting<>(
        name,
        domain,
        byDefault,
        decides,
        meanings,
        Arrays.asList(values),
        condition,
        letter,
        label,
        part,
        required,
        group);
  }

  /** Has a short form on command lines, such as {@code -k}, and a name for its value in help. */
  public Setting<V> shown(Character shortName, String valueLabel) {
    return new Setting<>(
        name,
        domain,
        byDefault,
        decides,
        meanings,
        series,
        condition,
        shortName,
        valueLabel,
        part,
        required,
        group);
  }

  /**
   * Is a component of another setting's value: read from it and changed within it.
   *
   * @param whole the setting whose value it is a component of
   * @param get reads the component
   * @param with gives a copy of the whole with another component
   */
  public <W> Setting<V> within(Setting<W> whole, Function<W, V> get, BiFunction<W, V, W> with) {
    return new Setting<>(
        name,
        domain,
        byDefault,
        decides,
        meanings,
        series,
        condition,
        letter,
        label,
        new Part<>(whole, get, with),
        required,
        group);
  }

  /** Must be given on the command line of the algorithm itself; its default is for comparisons. */
  public Setting<V> mandatory() {
    return new Setting<>(
        name, domain, byDefault, decides, meanings, series, condition, letter, label, part, true,
        group);
  }

  /** Is given on command lines as {@code --group NAME=VALUE}, together with others. */
  public Setting<V> grouped(String option) {
    return new Setting<>(
        name, domain, byDefault, decides, meanings, series, condition, letter, label, part,
        required, option);
  }

  /** A setting of Java alone, whose values cannot be written, such as options of something else. */
  public static <V> Setting<V> inJava(String name, V byDefault, String decides) {
    return of(name, new Unwritten<>(), byDefault, decides, "");
  }

  // ---- What it says of itself.

  /** Its name, as on command lines and in variants: words joined by {@code -}. */
  public String name() {
    return name;
  }

  /** Its name in JSON, such as {@code threadsInFlight}. */
  public String jsonName() {
    String[] words = name.split("-");
    return words[0]
        + Arrays.stream(words)
            .skip(1)
            .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
            .collect(Collectors.joining());
  }

  /** The value that holds where none is given. */
  public V byDefault() {
    return byDefault;
  }

  /** What it decides, in a few words. */
  public String decides() {
    return decides;
  }

  /** When it has an effect. */
  public Condition condition() {
    return condition;
  }

  /** The letter of its short form on command lines; null if it has none. */
  public Character letter() {
    return letter;
  }

  /** Whether it must be given on the command line of the algorithm itself. */
  public boolean required() {
    return required;
  }

  /** What it is called on command lines, such as {@code --effort}. */
  String option() {
    return group == null ? "--" + name : "--" + group + " " + name;
  }

  /** What is between that and a value. */
  String beforeValue() {
    return group == null ? " " : "=";
  }

  /** What its value is called in help. */
  public String label() {
    return label;
  }

  /** Whether its values are few and have names. */
  public boolean listed() {
    return !domain.listed().isEmpty();
  }

  /** Whether values can be written and read as text. */
  public boolean written() {
    return !(domain instanceof Unwritten);
  }

  /** The values that a comparison runs through when asked for all, the default first. */
  public List<V> all() {
    List<V> values = new ArrayList<>();
    values.add(byDefault);
    for (V value : domain.listed().isEmpty() ? series : domain.listed()) {
      if (!values.contains(value)) {
        values.add(value);
      }
    }
    return values;
  }

  /** What values are allowed, such as {@code fast, default, ultra} or {@code 1 to 64}. */
  public String allowed() {
    return domain.allowed();
  }

  private String sentence() {
    return decides.substring(0, 1).toUpperCase(Locale.ROOT) + decides.substring(1);
  }

  /** What help says of it: what it decides, its values, what they mean, and the default. */
  public String help() {
    String first = sentence();
    String last =
        condition == Condition.ALWAYS ? "." : "; only with " + condition.onCommandLine() + ".";
    if (domain.isFlag()) {
      return first
          + "; default "
          + write(byDefault)
          + (byDefault.equals(true) ? ", --no-" + name + " turns it off" : "")
          + last;
    }
    if (!listed()) {
      return first
          + "; "
          + domain.allowed()
          + (required ? "" : ", default " + write(byDefault))
          + last;
    }
    return first + ": " + listing(true) + last;
  }

  /** Its values, with what they mean. */
  private String listing(boolean tellsDefault) {
    StringBuilder text = new StringBuilder();
    List<V> values = domain.listed();
    for (int i = 0; i < values.size(); i++) {
      List<String> notes = new ArrayList<>();
      if (tellsDefault && values.get(i).equals(byDefault)) {
        notes.add("the default");
      }
      if (!meanings.isEmpty() && !meanings.get(i).isEmpty()) {
        notes.add(meanings.get(i));
      }
      text.append(i == 0 ? "" : i == values.size() - 1 ? " or " : ", ");
      text.append(write(values.get(i)));
      text.append(notes.isEmpty() ? "" : " (" + String.join("; ", notes) + ")");
    }
    return text.toString();
  }

  // ---- Values.

  /** A value as it is written on command lines and in variants. */
  public String write(V value) {
    return domain.write(value);
  }

  /** A value as JSON has it: a number, which for a duration is in seconds; a Boolean; a string. */
  public Object json(V value) {
    if (value instanceof Duration duration) {
      return duration.getNano() == 0 ? (Object) duration.getSeconds() : seconds(duration);
    }
    return value instanceof Number || domain.isFlag() ? value : write(value);
  }

  /** What JSON Schema says of its values in JSON: {@link #json}. */
  Map<String, Object> jsonSchema() {
    return schema(domain.json());
  }

  /** What JSON Schema says of its values as texts: {@link #write}. */
  Map<String, Object> textSchema() {
    return schema(domain.text());
  }

  private Map<String, Object> schema(Map<String, Object> values) {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put(
        "description",
        sentence()
            + (!listed()
                ? "; " + domain.allowed()
                : meanings.isEmpty() ? "" : ": " + listing(false))
            + (condition == Condition.ALWAYS ? "" : "; only with " + condition.inVariants())
            + ".");
    schema.putAll(values);
    return schema;
  }

  /**
   * Reads a value as it is written.
   *
   * @throws IllegalArgumentException if the text is no value of this kind; the message begins with
   *     "expected"
   */
  public V parse(String text) {
    return domain.parse(text);
  }

  /**
   * Checks a value's range.
   *
   * @throws SettingException if it is out of range
   */
  public void check(V value) {
    Objects.requireNonNull(value, name);
    if (!domain.contains(value)) {
      throw new SettingException(
          this, "must be " + domain.range() + ", but is " + domain.shown(value));
    }
  }

  /** The condition that it has one of these values. */
  @SafeVarargs
  public final Condition is(V... values) {
    return Condition.of(this, List.of(values));
  }

  /** The condition that it has any value but this. */
  public Condition isNot(V value) {
    return Condition.except(this, value);
  }

  /** Reads its value, where it may be a component of another setting's. */
  V in(Options<?> options) {
    return part == null ? options.stored(this) : part.get(options);
  }

  /** Where its value is stored: in itself, or in another setting's. */
  Setting<?> home() {
    return part == null ? this : part.whole().home();
  }

  /** What is to be stored in its home to give it a value. */
  Object stored(Options<?> options, V value) {
    return part == null ? value : part.changed(options, value);
  }

  @Override
  public String toString() {
    return name;
  }

  /** A range of decimal numbers, ends included or not, and how a message says it. */
  public record Range(
      double least, boolean withLeast, double most, boolean withMost, String words) {
    /** From {@code least} to {@code most}, both included. */
    public static Range closed(double least, double most) {
      return new Range(least, true, most, true, number(least) + " to " + number(most));
    }

    /** Above {@code least}, up to {@code most}. */
    public static Range above(double least, double most) {
      return new Range(
          least, false, most, true, "above " + number(least) + ", up to " + number(most));
    }

    /** At least {@code least}, and finite. */
    public static Range atLeast(double least) {
      return new Range(
          least,
          true,
          Double.POSITIVE_INFINITY,
          false,
          "at least " + number(least) + ", and finite");
    }

    /** The same, with a unit in its words. */
    public Range in(String unit) {
      return new Range(least, withLeast, most, withMost, words + " " + unit);
    }

    boolean contains(double value) {
      return (withLeast ? value >= least : value > least)
          && (withMost ? value <= most : value < most);
    }
  }

  /** Exactly. */
  private static BigDecimal seconds(Duration value) {
    BigDecimal all =
        BigDecimal.valueOf(value.getSeconds()).add(BigDecimal.valueOf(value.getNano(), 9));
    return value.getNano() == 0 ? all.setScale(0) : all.stripTrailingZeros();
  }

  private static String number(double value) {
    return jsonNumber(value).toString();
  }

  /** The same as a whole number, if it is one that is not too long to be read. */
  private static Number jsonNumber(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15 ? (Number) (long) value : value;
  }

  /** The place of a component within another setting's value. */
  private record Part<W, V>(Setting<W> whole, Function<W, V> getter, BiFunction<W, V, W> wither) {
    V get(Options<?> options) {
      return getter.apply(whole.in(options));
    }

    Object changed(Options<?> options, V value) {
      return whole.stored(options, wither.apply(whole.in(options), value));
    }
  }

  /** What values there are, and how they are written. */
  private interface Domain<V> {
    V parse(String text);

    String write(V value);

    String allowed();

    default List<V> listed() {
      return List.of();
    }

    default boolean isFlag() {
      return false;
    }

    /** The same without some of the values that are listed. */
    default Domain<V> among(Predicate<V> wanted) {
      throw new UnsupportedOperationException("its values have no names of their own");
    }

    default boolean contains(V value) {
      return true;
    }

    /** What it must be, as a message says it. */
    default String range() {
      return (allowed().matches("-?[0-9.]+ to .*") ? "from " : "") + allowed();
    }

    default Object shown(V value) {
      return value;
    }

    /** What JSON Schema says of values in JSON. */
    default Map<String, Object> json() {
      return text();
    }

    /** What JSON Schema says of values as they are written. */
    default Map<String, Object> text() {
      return Map.of("enum", listed().stream().map(this::write).toList());
    }
  }

  /** What JSON Schema says of a type: names, each with its value. */
  private static Map<String, Object> typed(String type, Object... more) {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("type", type);
    for (int i = 0; i < more.length; i += 2) {
      schema.put((String) more[i], more[i + 1]);
    }
    return schema;
  }

  private static Map<String, Object> texts(String pattern) {
    return typed("string", "pattern", "^" + pattern + "$");
  }

  /** What a value with a name is called: unlike any other, as shells complete by it. */
  private static String named(String name) {
    return name.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  private static IllegalArgumentException unexpected(String expected, String text) {
    return new IllegalArgumentException("expected " + expected + " but was '" + text + "'");
  }

  private record Constants<E extends Enum<E>>(List<E> listed, Function<E, String> writer)
      implements Domain<E> {
    @Override
    public Domain<E> among(Predicate<E> wanted) {
      return new Constants<>(listed.stream().filter(wanted).toList(), writer);
    }

    @Override
    public boolean contains(E value) {
      return listed.contains(value);
    }

    @Override
    public String range() {
      return "one of " + allowed();
    }

    @Override
    public Object shown(E value) {
      return write(value);
    }

    @Override
    public E parse(String text) {
      String constant = text.toUpperCase(Locale.ROOT).replace('-', '_');
      return listed.stream()
          .filter(each -> each.name().equals(constant))
          .findFirst()
          .orElseThrow(() -> unexpected("one of " + allowed(), text));
    }

    @Override
    public String write(E value) {
      return writer.apply(value);
    }

    @Override
    public String allowed() {
      return listed().stream().map(this::write).collect(Collectors.joining(", "));
    }
  }

  private record Flag(String whenTrue, String whenFalse) implements Domain<Boolean> {
    @Override
    public Boolean parse(String text) {
      if (text.equals(whenTrue) || text.equals(whenFalse)) {
        return text.equals(whenTrue);
      }
      throw unexpected("one of " + allowed(), text);
    }

    @Override
    public String write(Boolean value) {
      return value ? whenTrue : whenFalse;
    }

    @Override
    public List<Boolean> listed() {
      return List.of(true, false);
    }

    @Override
    public boolean isFlag() {
      return whenTrue.equals("on");
    }

    @Override
    public String allowed() {
      return whenTrue + ", " + whenFalse;
    }

    @Override
    public Map<String, Object> json() {
      return isFlag() ? typed("boolean") : text();
    }
  }

  private record Whole<N extends Number>(Function<String, N> parser, long least, long most)
      implements Domain<N> {
    @Override
    public N parse(String text) {
      if (!DecimalText.isWhole(text)) {
        throw unexpected("a whole number,", text);
      }
      try {
        return parser.apply(text);
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException("'" + text + "' is out of range");
      }
    }

    @Override
    public String write(N value) {
      return value.toString();
    }

    @Override
    public boolean contains(N value) {
      return value.longValue() >= least && value.longValue() <= most;
    }

    @Override
    public String allowed() {
      if (least == Long.MIN_VALUE) {
        return "a whole number";
      }
      return most >= Integer.MAX_VALUE ? "at least " + least : least + " to " + most;
    }

    @Override
    public Map<String, Object> json() {
      return typed("integer", "minimum", least, "maximum", most);
    }

    @Override
    public Map<String, Object> text() {
      return texts(least >= 0 ? "[0-9]+" : least == -1 ? "(-1|[0-9]+)" : "-?[0-9]+");
    }
  }

  private record Decimal(Range bounds) implements Domain<Double> {
    @Override
    public Double parse(String text) {
      if (!DecimalText.isNumber(text)) {
        throw unexpected("a number, such as 0.5,", text);
      }
      return Double.valueOf(text);
    }

    @Override
    public String write(Double value) {
      return number(value);
    }

    @Override
    public boolean contains(Double value) {
      return bounds.contains(value);
    }

    @Override
    public String allowed() {
      return bounds.words();
    }

    @Override
    public Map<String, Object> json() {
      Map<String, Object> schema = typed("number");
      if (Double.isFinite(bounds.least())) {
        schema.put(bounds.withLeast() ? "minimum" : "exclusiveMinimum", jsonNumber(bounds.least()));
      }
      if (Double.isFinite(bounds.most())) {
        schema.put(bounds.withMost() ? "maximum" : "exclusiveMaximum", jsonNumber(bounds.most()));
      }
      return schema;
    }

    @Override
    public Map<String, Object> text() {
      return texts((bounds.least() < 0 ? "-?" : "") + "[0-9]+([.][0-9]+)?(E-?[0-9]+)?");
    }
  }

  private record Seconds(Duration longest) implements Domain<Duration> {
    @Override
    public Duration parse(String text) {
      if (!text.matches("-?[0-9]+([.][0-9]{1,9})?")) {
        throw unexpected("a number of seconds, such as 60 or 0.25,", text);
      }
      BigDecimal seconds = new BigDecimal(text);
      BigDecimal whole = seconds.setScale(0, RoundingMode.FLOOR);
      try {
        return Duration.ofSeconds(
            whole.longValueExact(), seconds.subtract(whole).movePointRight(9).longValueExact());
      } catch (ArithmeticException e) {
        throw new IllegalArgumentException("'" + text + "' is out of range");
      }
    }

    @Override
    public String write(Duration value) {
      return seconds(value).toPlainString();
    }

    @Override
    public boolean contains(Duration value) {
      return !value.isNegative() && value.compareTo(longest) <= 0;
    }

    @Override
    public String allowed() {
      return "0 to " + longest.toSeconds();
    }

    @Override
    public String range() {
      return "from " + allowed() + " seconds";
    }

    @Override
    public Object shown(Duration value) {
      return write(value);
    }

    @Override
    public Map<String, Object> json() {
      return typed("number", "minimum", 0, "maximum", seconds(longest));
    }

    @Override
    public Map<String, Object> text() {
      return texts("[0-9]+([.][0-9]+)?");
    }
  }

  private record Custom<V>(
      Function<String, V> parser, Function<V, String> writer, String allowed, String pattern)
      implements Domain<V> {
    @Override
    public V parse(String text) {
      return parser.apply(text);
    }

    @Override
    public String write(V value) {
      return writer.apply(value);
    }

    @Override
    public Map<String, Object> text() {
      return texts("(" + pattern + ")");
    }
  }

  private record Unwritten<V>() implements Domain<V> {
    @Override
    public V parse(String text) {
      throw new UnsupportedOperationException("it is set in Java alone");
    }

    @Override
    public String write(V value) {
      return String.valueOf(value);
    }

    @Override
    public String allowed() {
      return "anything";
    }
  }
}
