package io.magpie.examples.cli.commands;

import io.magpie.algorithms.mesh.Splitting;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a call of Triangle asks for: letters behind a hyphen, some of them with a number, in any
 * number of words, and the name of a file.
 *
 * @param letters the switches that were given
 * @param angle the number behind q, or its default; null without q
 * @param area the number behind a, of the last one that has one; null without
 * @param areas whether there is an a without a number: bounds are in files
 * @param steiner the number behind S
 * @param splitting which segments may be split: those that Y and YY leave
 * @param file the file's name, as given
 */
record TriangleSwitches(
    Set<Character> letters,
    Decimal angle,
    Decimal area,
    boolean areas,
    OptionalInt steiner,
    Splitting splitting,
    Path file) {
  /**
   * A number, and how it was written.
   *
   * @param text the digits and the point behind the switch
   * @param value what they say
   */
  record Decimal(String text, double value) {}

  /** Degrees of q without a number. */
  private static final Decimal DEFAULT_ANGLE = new Decimal("", 20);

  /** What is done with each switch that there is. */
  private static final Map<String, String> SUPPORTED = new LinkedHashMap<>();

  /** Why others are refused, and what to do. */
  private static final Map<String, String> REFUSED = new LinkedHashMap<>();

  static {
    SUPPORTED.put("p", "read segments, holes and regions from FILE.poly");
    SUPPORTED.put("r", "refine the mesh in FILE.node and FILE.ele");
    SUPPORTED.put("q", "no angle below 20 degrees, or the number that follows");
    SUPPORTED.put("a", "no area above the number that follows; without: regions or FILE.area say");
    SUPPORTED.put("A", "give triangles the attributes of their regions");
    SUPPORTED.put("c", "triangulate the convex hull, concavities included");
    SUPPORTED.put("D", "split segments until all triangles are Delaunay");
    SUPPORTED.put("e", "write edges");
    SUPPORTED.put("v", "write the Voronoi diagram");
    SUPPORTED.put("n", "write neighbors");
    SUPPORTED.put("B", "write no boundary markers");
    SUPPORTED.put("P", "write no .poly");
    SUPPORTED.put("N", "write no .node");
    SUPPORTED.put("E", "write no .ele");
    SUPPORTED.put("I", "no number in names of files; no .poly, and .node only of points in .poly");
    SUPPORTED.put("O", "ignore holes");
    SUPPORTED.put("j", "write no vertices without triangles, and renumber the others");
    SUPPORTED.put("z", "number from zero, where the input does not say");
    SUPPORTED.put("S", "add at most as many vertices as the number that follows says");
    SUPPORTED.put("Y", "add no vertices on the boundary; twice, YY: on no segment");
    SUPPORTED.put("C", "check the result");
    SUPPORTED.put("Q", "print nothing");
    SUPPORTED.put("V", "print more");
    SUPPORTED.put("h", "print this help, as do H and ?");
    REFUSED.put(
        "u",
        "calls a test that is compiled into Triangle; bound areas by -a, or in Java by a function");
    REFUSED.put("g", "writes for Geomview; leave it out, and convert the .node and .ele");
    REFUSED.put("X", "gives up exact arithmetic, which is always used here; leave it out");
    REFUSED.put("o", "makes triangles of six nodes, and here all have three; leave it out");
    REFUSED.put("s", "inserts segments by splitting them; use -D instead");
    String weighs = "weighs vertices by an attribute; leave it out for a Delaunay triangulation";
    REFUSED.put("w", weighs);
    REFUSED.put("W", weighs);
    REFUSED.put("L", "asks earlier versions of Triangle to split fewer segments; leave it out");
  }

  /** Ways to compute the same triangulation. */
  private static final Map<String, String> IGNORED = new LinkedHashMap<>();

  static {
    IGNORED.put("i", "inserts points one after another");
    IGNORED.put("F", "sweeps a line over the points");
    IGNORED.put("l", "divides points by vertical lines alone");
  }

  /** All switches, line by line, for the end of the help text. */
  static String[] usage() {
    List<String> lines = new ArrayList<>(List.of("", "Switches:"));
    SUPPORTED.forEach((letter, does) -> lines.add("  " + letter + "  " + does));
    lines.addAll(List.of("", "Ignored, with a note, as the triangulation is the same:"));
    IGNORED.forEach((letter, does) -> lines.add("  " + letter + "  " + does));
    lines.addAll(List.of("", "Refused, as each of them:"));
    REFUSED.forEach((letter, does) -> lines.add("  " + letter + "  " + does));
    return lines.toArray(new String[0]);
  }

  boolean has(char letter) {
    return letters.contains(letter);
  }

  /** What is to be said of switches that have no effect, a line each. */
  List<String> notes() {
    return letters.stream()
        .map(String::valueOf)
        .filter(IGNORED::containsKey)
        .map(
            letter ->
                "-"
                    + letter
                    + " is ignored: it "
                    + IGNORED.get(letter)
                    + "; the triangulation is the same")
        .toList();
  }

  /** Whether vertices are added. */
  boolean refines() {
    return has('q') || has('a') || has('D');
  }

  /**
   * Reads what was given.
   *
   * @throws IllegalArgumentException if it is none, not possible together, or not supported; the
   *     message is for users
   */
  static TriangleSwitches parse(List<String> words) {
    return new Parser().parse(words);
  }

  /** Whether help is asked for, so that nothing else counts. */
  static boolean askForHelp(List<String> words) {
    return words.stream().anyMatch(word -> word.matches("-[^-].*") && word.matches(".*[hH?].*"));
  }

  /** Goes through the words. */
  private static final class Parser {
    private final Set<Character> letters = new TreeSet<>();
    private final List<String> files = new ArrayList<>();
    private Decimal angle;
    private Decimal area;
    private OptionalInt steiner = OptionalInt.empty();
    private Splitting splitting = Splitting.ALL;
    private boolean areas;

    TriangleSwitches parse(List<String> words) {
      for (String word : words) {
        if (word.startsWith("-") && word.length() > 1) {
          switches(word);
        } else {
          files.add(word);
        }
      }
      if (files.size() != 1) {
        throw new IllegalArgumentException(
            files.isEmpty()
                ? "the name of a file is missing; add it after the switches"
                : "several files, "
                    + String.join(" and ", files)
                    + "; name one"
                    + separated(words));
      }
      Path file = Path.of(files.get(0));
      impliedBy(files.get(0));
      check();
      return new TriangleSwitches(letters, angle, area, areas, steiner, splitting, file);
    }

    /** A hint at a number that was meant for the switch in front of it. */
    private static String separated(List<String> words) {
      for (int i = 1; i < words.size(); i++) {
        String before = words.get(i - 1);
        if (before.matches("-.*[qa]") && words.get(i).matches("[0-9.]+")) {
          return ", or write a number without a blank, " + before + words.get(i);
        }
      }
      return "";
    }

    private void switches(String word) {
      for (int at = 1; at < word.length(); ) {
        char letter = word.charAt(at++);
        int end = at;
        boolean decimal = letter == 'q' || letter == 'a';
        while (end < word.length()
            && (isDigit(word.charAt(end)) || decimal && word.charAt(end) == '.')) {
          end++;
        }
        String number = word.substring(at, end);
        if (!number.isEmpty() && !decimal && letter != 'S' && letter != 'o') {
          throw new IllegalArgumentException(
              "'" + word + "': -" + letter + " takes no number; leave out " + number);
        }
        if (letter == 'q' || letter == 'a' || letter == 'S') {
          requireNumber(word, letter, at, end);
        }
        take(word, letter, number);
        at = end;
      }
    }

    /** Refuses what would begin or continue a number, and would be taken for switches. */
    private static void requireNumber(String word, char letter, int at, int end) {
      String rest = word.substring(end);
      boolean sign = end == at && rest.matches("[-+][0-9.].*");
      boolean exponent = end > at && rest.matches("[eE][-+]?[0-9].*");
      boolean fraction = letter == 'S' && rest.matches("[.].*");
      if (sign || exponent || fraction) {
        throw new IllegalArgumentException(
            "'"
                + word
                + "': -"
                + letter
                + (letter == 'S'
                    ? ": expected a whole number, without sign or exponent, as in -S1000"
                    : ": expected a number such as 0.1, without sign or exponent"));
      }
    }

    private static boolean isDigit(char c) {
      return c >= '0' && c <= '9';
    }

    private void take(String word, char letter, String number) {
      String name = String.valueOf(letter);
      if (REFUSED.containsKey(name)) {
        throw new IllegalArgumentException(
            "'" + word + "': -" + letter + " is not supported: it " + REFUSED.get(name));
      }
      if (!SUPPORTED.containsKey(name) && !IGNORED.containsKey(name)) {
        throw new IllegalArgumentException(
            "'"
                + word
                + "': '"
                + letter
                + "' is not a switch of Triangle; supported are "
                + String.join(" ", SUPPORTED.keySet()));
      }
      letters.add(letter);
      switch (letter) {
        case 'q' -> angle = number.isEmpty() ? DEFAULT_ANGLE : decimal(word, number);
        case 'a' -> {
          if (number.isEmpty()) {
            areas = true;
          } else {
            area = decimal(word, number);
            if (area.value() == 0) {
              throw new IllegalArgumentException(
                  "'" + word + "': -a" + number + ": expected an area above 0");
            }
          }
        }
        case 'Y' -> splitting = fewer(word);
        case 'S' -> steiner = OptionalInt.of(whole(word, number));
        default -> {
          // a flag
        }
      }
    }

    /** What may be split after one more Y. */
    private Splitting fewer(String word) {
      return switch (splitting) {
        case ALL -> Splitting.INSIDE;
        case INSIDE -> Splitting.NONE;
        case NONE ->
            throw new IllegalArgumentException(
                "'" + word + "': Y three times; once for the boundary, twice for all segments");
      };
    }

    private static Decimal decimal(String word, String number) {
      try {
        return new Decimal(number, Double.parseDouble(number));
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(
            "'" + word + "': '" + number + "' is no number; write it like 0.1", e);
      }
    }

    private static int whole(String word, String number) {
      try {
        return Integer.parseInt(number);
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(
            "'" + word + "': -S" + number + ": expected a number of vertices, as in -S1000", e);
      }
    }

    /** The name of a file says what is in it. */
    private void impliedBy(String name) {
      String bare = name.replaceFirst("\\.(gz|xz)$", "");
      if (bare.endsWith(".poly")) {
        letters.add('p');
      } else if (bare.endsWith(".ele")) {
        letters.add('r');
      } else if (bare.endsWith(".area")) {
        letters.add('r');
        letters.add('a');
        areas = true;
      }
    }

    private void check() {
      if (letters.contains('I') && letters.contains('r')) {
        throw new IllegalArgumentException(
            "-I with -r would write over FILE.ele, which is read; leave one of them out");
      }
      if (letters.contains('B') && letters.contains('e')) {
        throw new IllegalArgumentException(
            "-B with -e: edges are written with markers only; leave one of them out");
      }
      if (letters.contains('Y') && letters.contains('D')) {
        throw new IllegalArgumentException(
            "-Y with -D: where segments stay whole, triangles next to them are constrained Delaunay"
                + " only; leave out one of them");
      }
      if (areas && !letters.contains('p') && !letters.contains('r')) {
        throw new IllegalArgumentException(
            "-a without a number has bounds in regions (with -p) or in FILE.area (with -r); add one"
                + " of these, or a number");
      }
      if (steiner.isPresent()
          && !letters.contains('q')
          && !letters.contains('a')
          && !letters.contains('D')) {
        throw new IllegalArgumentException(
            "-S has no effect without -q, -a or -D; add one of these, or leave it out");
      }
    }
  }

  /** What the files that are written are called, without their endings. */
  Path output(Path base) {
    if (has('I')) {
      return base;
    }
    String name = base.getFileName().toString();
    int dot = name.lastIndexOf('.');
    Optional<String> number =
        Optional.of(name.substring(dot + 1)).filter(end -> dot >= 0 && end.matches("[0-9]{1,9}"));
    return base.resolveSibling(
        number
            .map(digits -> name.substring(0, dot + 1) + (Integer.parseInt(digits) + 1))
            .orElse(name + ".1"));
  }
}
