package io.magpie.verification.workload;

import java.util.Arrays;
import java.util.List;

/**
 * What an argument of a region begins as, in words.
 *
 * <ul>
 *   <li>{@code objects:COUNT}, for transactional objects
 *   <li>{@code zeros:LENGTH}, {@code fill:VALUE:LENGTH}, {@code iota:LENGTH} (0, 1, 2, ...), {@code
 *       random:BOUND:LENGTH[:SEED]} (uniform from 0 to below BOUND; seed 1), for arrays and
 *       pointers
 *   <li>{@code pool:CAPACITY[:LIVE]}, for pools of slots, the first LIVE of which are in use (0)
 *   <li>{@code null}, for pointers
 *   <li>a number, for scalars
 * </ul>
 *
 * @param form which of these
 * @param value VALUE, BOUND, LIVE, or the number, as written; otherwise empty
 * @param length COUNT, LENGTH or CAPACITY, at least 0; otherwise 0
 * @param seed SEED; otherwise 0
 */
public record ArgumentSpec(Form form, String value, long length, long seed) {
  /** What can be said. */
  public enum Form {
    OBJECTS("objects:COUNT"),
    ZEROS("zeros:LENGTH"),
    FILL("fill:VALUE:LENGTH"),
    IOTA("iota:LENGTH"),
    RANDOM("random:BOUND:LENGTH[:SEED]"),
    POOL("pool:CAPACITY[:LIVE]"),
    NULL("null"),
    NUMBER("a number");

    private final String syntax;

    Form(String syntax) {
      this.syntax = syntax;
    }

    /** How it is written. */
    String syntax() {
      return syntax;
    }
  }

  /** Every form, as messages and help texts list them. */
  public static String forms() {
    List<String> forms = Arrays.stream(Form.values()).map(Form::syntax).toList();
    int last = forms.size() - 1;
    return String.join(", ", forms.subList(0, last)) + " or " + forms.get(last);
  }

  /**
   * Reads a text.
   *
   * @throws IllegalArgumentException if it is none of the forms
   */
  public static ArgumentSpec parse(String text) {
    String[] part = text.split(":", -1);
    return switch (part[0] + "/" + (part.length - 1)) {
      case "objects/1" -> new ArgumentSpec(Form.OBJECTS, "", whole(text, part[1]), 0);
      case "zeros/1" -> new ArgumentSpec(Form.ZEROS, "", whole(text, part[1]), 0);
      case "iota/1" -> new ArgumentSpec(Form.IOTA, "", whole(text, part[1]), 0);
      case "fill/2" -> new ArgumentSpec(Form.FILL, number(text, part[1]), whole(text, part[2]), 0);
      case "random/2" ->
          new ArgumentSpec(Form.RANDOM, number(text, part[1]), whole(text, part[2]), 1);
      case "random/3" ->
          new ArgumentSpec(
              Form.RANDOM, number(text, part[1]), whole(text, part[2]), whole(text, part[3]));
      case "pool/1" -> new ArgumentSpec(Form.POOL, "0", whole(text, part[1]), 0);
      case "pool/2" ->
          new ArgumentSpec(Form.POOL, Long.toString(whole(text, part[2])), whole(text, part[1]), 0);
      case "null/0" -> new ArgumentSpec(Form.NULL, "", 0, 0);
      default -> new ArgumentSpec(Form.NUMBER, number(text, text), 0, 0);
    };
  }

  private static long whole(String text, String part) {
    if (part.matches("[0-9]{1,18}")) {
      return Long.parseLong(part);
    }
    throw malformed(text, part, "a whole number");
  }

  private static String number(String text, String part) {
    try {
      if (Double.isFinite(Double.parseDouble(part)) && part.matches("[-+0-9.eE]+")) {
        return part;
      }
    } catch (NumberFormatException e) {
      // Said below, with what is allowed.
    }
    throw malformed(text, part, part.equals(text) ? forms() : "a number");
  }

  private static IllegalArgumentException malformed(String text, String part, String expected) {
    return new IllegalArgumentException(
        (part.equals(text) ? "'" + text + "'" : "'" + part + "' in '" + text + "'")
            + " is not "
            + expected);
  }

  /** The text. */
  @Override
  public String toString() {
    return switch (form) {
      case OBJECTS -> "objects:" + length;
      case ZEROS -> "zeros:" + length;
      case FILL -> "fill:" + value + ":" + length;
      case IOTA -> "iota:" + length;
      case RANDOM -> "random:" + value + ":" + length + (seed == 1 ? "" : ":" + seed);
      case POOL -> "pool:" + length + (value.equals("0") ? "" : ":" + value);
      case NULL -> "null";
      case NUMBER -> value;
    };
  }
}
