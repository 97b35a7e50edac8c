package io.magpie.verification.workload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What an argument of a region begins as, in words.
 *
 * <ul>
 *   <li>{@code objects:COUNT}, for transactional objects
 *   <li>{@code FIELD.guards}, for objects: the same that guard another field's data
 *   <li>{@code zeros:LENGTH}, {@code fill:VALUE:LENGTH}, {@code iota:LENGTH} (0, 1, 2, ...), {@code
 *       random:BOUND:LENGTH[:SEED]} (uniform from 0 to below BOUND; seed 1), for arrays and
 *       pointers
 *   <li>{@code [N,N,...]}, for arrays and pointers: their elements, in decimal, with or without
 *       spaces around them; of structs the 32-bit words of one after the other; {@code []} is an
 *       array without elements
 *   <li>{@code pool:CAPACITY[:LIVE]}, for pools of slots, the first LIVE of which are in use (0)
 *   <li>{@code null}, for pointers
 *   <li>a number, for scalars
 * </ul>
 *
 * <p>Elements may also be handed over ({@link #list}), and so may the fields of a struct ({@link
 * #members}); these have a text for messages, which {@link #parse} need not know.
 *
 * @param form which of these
 * @param value VALUE, BOUND, LIVE, the field, the list or the number, as written; otherwise empty
 * @param length COUNT, LENGTH or CAPACITY, or how many elements are listed, at least 0; otherwise 0
 * @param seed SEED; otherwise 0
 * @param numbers the elements of a list; otherwise null
 * @param members what the fields of a struct begin as, by their names within it; empty unless that
 *     is the form
 */
public record ArgumentSpec(
    Form form,
    String value,
    long length,
    long seed,
    NumberList numbers,
    Map<String, ArgumentSpec> members) {
  /** Characters of a text that messages show. */
  private static final int SHOWN = 60;

  /** What can be said. */
  public enum Form {
    OBJECTS("objects:COUNT"),
    FIELD("FIELD.guards"),
    ZEROS("zeros:LENGTH"),
    FILL("fill:VALUE:LENGTH"),
    IOTA("iota:LENGTH"),
    RANDOM("random:BOUND:LENGTH[:SEED]"),
    LIST("[N,N,...]"),
    POOL("pool:CAPACITY[:LIVE]"),
    NULL("null"),
    NUMBER("a number"),
    /** A struct's fields, each as a spec of its own says; not to be written. */
    MEMBERS("");

    private final String syntax;

    Form(String syntax) {
      this.syntax = syntax;
    }

    /** How it is written. */
    String syntax() {
      return syntax;
    }
  }

  /**
   * Copies the members.
   *
   * @throws IllegalArgumentException if a list lacks its numbers, or another form has some
   */
  public ArgumentSpec {
    if ((form == Form.LIST) != (numbers != null)) {
      throw new IllegalArgumentException("numbers are for lists: " + form + ", " + numbers);
    }
    members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
  }

  /** One without elements and members. */
  public ArgumentSpec(Form form, String value, long length, long seed) {
    this(form, value, length, seed, null, Map.of());
  }

  /**
   * The elements of an array.
   *
   * @param text what messages call them, such as {@code file:weights.txt}
   */
  public static ArgumentSpec list(String text, NumberList numbers) {
    Objects.requireNonNull(text, "text");
    return new ArgumentSpec(Form.LIST, text, numbers.length(), 0, numbers, Map.of());
  }

  /**
   * The fields of a struct. Those that the struct lacks are left out; those that have an argument
   * of their own keep it.
   *
   * @param text what messages call them
   * @param members by the fields' names within the struct
   */
  public static ArgumentSpec members(String text, Map<String, ArgumentSpec> members) {
    Objects.requireNonNull(text, "text");
    return new ArgumentSpec(Form.MEMBERS, text, 0, 0, null, members);
  }

  /** Every form that can be written, as messages and help texts list them. */
  public static String forms() {
    return forms(List.of());
  }

  private static String forms(List<String> more) {
    List<String> forms =
        Stream.concat(Arrays.stream(Form.values()).map(Form::syntax), more.stream())
            .filter(form -> !form.isEmpty())
            .toList();
    int last = forms.size() - 1;
    return String.join(", ", forms.subList(0, last)) + " or " + forms.get(last);
  }

  /**
   * Reads a text.
   *
   * @throws IllegalArgumentException if it is none of the forms
   */
  public static ArgumentSpec parse(String text) {
    return parse(text, List.of());
  }

  /**
   * Reads a text that the caller found to be none of its own forms.
   *
   * @param more these forms, for messages
   * @throws IllegalArgumentException if it is none of the forms
   */
  public static ArgumentSpec parse(String text, List<String> more) {
    if (text.startsWith("[")) {
      return literal(text);
    }
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
      default -> {
        if (text.matches("[A-Za-z_][A-Za-z0-9_.]*\\.guards")) {
          yield new ArgumentSpec(Form.FIELD, text, 0, 0);
        }
        if (!NumberList.isNumber(text)) {
          throw malformed(text, text, forms(more));
        }
        yield new ArgumentSpec(Form.NUMBER, text, 0, 0);
      }
    };
  }

  /** The list that a text in brackets is. */
  private static ArgumentSpec literal(String text) {
    if (!text.endsWith("]")) {
      throw malformed(text, text, "a list, which ends with ], as in [5,3,2]");
    }
    String inner = text.substring(1, text.length() - 1).strip();
    List<String> numbers = new ArrayList<>();
    for (String part : inner.isEmpty() ? new String[0] : inner.split(",", -1)) {
      numbers.add(number(text, part.strip()));
    }
    return list(text, NumberList.of(numbers));
  }

  private static long whole(String text, String part) {
    if (part.matches("[0-9]{1,18}")) {
      return Long.parseLong(part);
    }
    throw malformed(text, part, "a whole number");
  }

  private static String number(String text, String part) {
    if (NumberList.isNumber(part)) {
      return part;
    }
    throw malformed(text, part, "a number");
  }

  private static IllegalArgumentException malformed(String text, String part, String expected) {
    return new IllegalArgumentException(
        (part.equals(text) ? quoted(text) : quoted(part) + " in " + quoted(text))
            + " is not "
            + expected);
  }

  private static String quoted(String text) {
    return "'" + (text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text) + "'";
  }

  /** The text as messages show it: in quotes, and cut if it is long. */
  String quoted() {
    return quoted(toString());
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
      case LIST, NUMBER, FIELD, MEMBERS -> value;
    };
  }
}
