package io.magpie.stm.internal.toolchain;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a compiler says of the user's own files, shortened to a line each. A message about a header
 * of the library belongs to the line of the user's file that led there: g++ names it before, as
 * what requires an instantiation, or behind, as where a macro is expanded; nvcc behind.
 */
final class Diagnostics {
  private static final Pattern MESSAGE =
      Pattern.compile(
          "(?<file>[^\\s:(][^:(]*)(?::(?<line>\\d+):\\d+:|\\((?<nvccLine>\\d+)\\):)"
              + " (?:fatal )?(?<kind>error|warning)(?: #[0-9]+-D)?: (?<text>.*)");
  private static final Pattern REQUIRED =
      Pattern.compile("(?<file>[^\\s:][^:]*):(?<line>\\d+):\\d+:\\s+required (?:from|by) .*");
  private static final Pattern EXPANSION =
      Pattern.compile("(?<file>[^\\s:][^:]*):(?<line>\\d+):\\d+: note: in expansion of macro .*");
  private static final Pattern DURING =
      Pattern.compile(
          "\\s+(?:detected during )?instantiation of .* at line (?<line>\\d+) of (?<file>\\S+)\\s*");

  /** What g++ writes before the messages of another function, or of another file. */
  private static final Pattern CONTEXT =
      Pattern.compile("\\S.*?: (?:In|At) .*|In file included from .*");

  private static final Pattern STATIC =
      Pattern.compile("static assertion failed(?:: | with \")(?<text>.*?)\"?");
  private static final Pattern NO_DEVICE =
      Pattern.compile("calling a __host__ function\\(\"(?<name>[^\"]*)\"?.*");
  private static final Pattern UNUSED =
      Pattern.compile(
          "ignoring return value (?:of [^(]*\\btransaction<[^(]*>::"
              + "(?<name>read|write|open|open_each|reserve|inner|get|set)\\(.*"
              + "|from routine declared with \"nodiscard\" attribute)");

  /** An error of a compiler or a linker. */
  private static final Pattern ERROR =
      Pattern.compile("(?i)(: *(fatal )?error\\b.*:|undefined reference)");

  private static final int LONGEST = 240;

  private Diagnostics() {}

  /**
   * What is said of files whose names begin so.
   *
   * @param text what the compiler printed
   * @param own how names of the user's files begin
   * @param kind {@code error} or {@code warning}
   * @return {@code FILE:LINE: TEXT}, in their order, of what is in a header one of each line: the
   *     first reason that a static assertion gives, else the first message; and {@code TEXT} where
   *     the library calls a host function of the user's
   */
  static List<String> of(String text, String own, String kind) {
    return sorted(text, own, kind, new LinkedHashSet<>());
  }

  /** Those errors, and behind them the lines of all others. */
  static List<String> errors(String text, String own) {
    Set<String> others = new LinkedHashSet<>();
    List<String> all = new ArrayList<>(sorted(text, own, "error", others));
    all.addAll(others);
    return all;
  }

  /** The lines of a compiler's or a linker's output that are errors. */
  static List<String> lines(String text) {
    return text.lines().filter(line -> ERROR.matcher(line).find()).toList();
  }

  /**
   * @param others takes lines with messages of that kind that nothing of the user's leads to
   */
  private static List<String> sorted(String text, String own, String kind, Set<String> others) {
    Map<String, String> found = new LinkedHashMap<>(); // by place, if in a header
    Set<String> reasons = new HashSet<>(); // places of static assertions
    List<String> lines = text.lines().toList();
    List<String> required = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      Matcher message = MESSAGE.matcher(line);
      if (!message.matches()) {
        Matcher place = REQUIRED.matcher(line);
        if (CONTEXT.matcher(line).matches()) {
          required.clear();
        } else if (place.matches()) {
          add(required, place, own);
        } else if (ERROR.matcher(line).find()) {
          others.add(line);
        }
        continue;
      }
      if (!message.group("kind").equals(kind)) {
        continue;
      }
      boolean direct = message.group("file").startsWith(own);
      String where = null;
      if (direct) {
        String number = message.group("line");
        where = message.group("file") + ":" + (number == null ? message.group("nvccLine") : number);
      } else {
        // A macro is expanded in the function that what is required leads to.
        where = behind(lines, i + 1, own);
        if (where == null && !required.isEmpty()) {
          where = required.get(0);
        }
      }
      String said = message.group("text");
      Matcher device = NO_DEVICE.matcher(said);
      if (device.matches() && (where != null || said.contains("transaction<"))) {
        String name = function(withoutTemplates(device.group("name")));
        String advice = name + " runs on the device: write MAGPIE_DEVICE before it";
        found.putIfAbsent(advice, where == null ? advice : where + ": " + advice);
      } else if (where != null) {
        String told = where + ": " + sentence(said);
        String key = direct ? told : where;
        if (STATIC.matcher(said).matches() && reasons.add(key)) {
          found.put(key, told); // better than what comes of it, which g++ may say before
        } else {
          found.putIfAbsent(key, told);
        }
      } else {
        others.add(line);
      }
    }
    return List.copyOf(found.values());
  }

  /** The first of the user's places that are named behind a message, before the next one. */
  private static String behind(List<String> lines, int from, String own) {
    List<String> places = new ArrayList<>();
    for (int i = from; i < lines.size() && places.isEmpty(); i++) {
      String line = lines.get(i);
      Matcher expansion = EXPANSION.matcher(line);
      Matcher during = DURING.matcher(line);
      if (expansion.matches()) {
        add(places, expansion, own);
      } else if (during.matches()) {
        add(places, during, own);
      } else if (MESSAGE.matcher(line).matches() || CONTEXT.matcher(line).matches()) {
        return null;
      }
    }
    return places.isEmpty() ? null : places.get(0);
  }

  private static void add(List<String> places, Matcher place, String own) {
    if (place.group("file").startsWith(own)) {
      places.add(place.group("file") + ":" + place.group("line"));
    }
  }

  /** The name of a function in its declaration. */
  private static String function(String declaration) {
    int call = declaration.indexOf("operator ()");
    int end = call >= 0 ? call : declaration.indexOf('(');
    String head = end < 0 ? declaration : declaration.substring(0, end).strip();
    String name = head.substring(head.lastIndexOf(' ') + 1);
    return call >= 0 ? name + "operator()" : name;
  }

  private static String sentence(String text) {
    Matcher asserted = STATIC.matcher(text);
    if (asserted.matches()) {
      return asserted.group("text");
    }
    Matcher unused = UNUSED.matcher(text);
    if (unused.matches()) {
      String name = unused.group("name");
      return name == null
          ? "the result is ignored; if a call of tx fails, the attempt has failed, so return"
              + " outcome::retry"
          : "the result of tx."
              + name
              + " is ignored: if it fails, the attempt has failed, so return outcome::retry";
    }
    String shorter = withoutTemplates(text);
    return shorter.length() > LONGEST ? shorter.substring(0, LONGEST) + "..." : shorter;
  }

  /**
   * Without the namespaces of the library, what is bound, and the arguments of templates, unless
   * their brackets cannot be told from operators.
   */
  private static String withoutTemplates(String text) {
    int bound = text.indexOf(" [with ");
    String free = bound < 0 ? text : text.substring(0, bound);
    free = free.replaceAll("(?:::)?magpie::(?:magpie_\\w+::)?(?:stm::)?", "");
    StringBuilder result = new StringBuilder();
    int depth = 0;
    for (int i = 0; i < free.length(); i++) {
      char c = free.charAt(i);
      boolean opens = c == '<' && i > 0 && Character.isJavaIdentifierPart(free.charAt(i - 1));
      if (opens || c == '<' && depth > 0) {
        depth++;
      } else if (c == '>' && depth > 0) {
        depth--;
      } else if (depth == 0) {
        result.append(c);
      }
    }
    return depth == 0 ? result.toString() : free;
  }
}
