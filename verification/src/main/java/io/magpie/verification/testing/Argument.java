package io.magpie.verification.testing;

import io.magpie.stm.FieldKind;
import io.magpie.stm.FieldKind.Element;
import io.magpie.verification.workload.ArgumentSpec;
import io.magpie.verification.workload.NumberList;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a field of a region begins as.
 *
 * @param value a text as of {@link ArgumentSpec}, an array, or a {@link CsrGraph}
 * @param call how it is said in Java
 */
record Argument(String field, Object value, String call) {
  /** Characters of a call or a value that reports show. */
  private static final int SHOWN = 2_000;

  static Argument text(String field, String spec, String call) {
    return new Argument(field, spec, call);
  }

  static Argument array(String field, Object array, String suffix) {
    StringBuilder call = new StringBuilder(".array(\"").append(field).append('"');
    int length = Array.getLength(array);
    if (length == 0) {
      call.append(", new ").append(array.getClass().getComponentType()).append("[0]");
    }
    for (int i = 0; i < length; i++) {
      call.append(", ").append(Array.get(array, i)).append(suffix);
    }
    return new Argument(field, array, call.append(')').toString());
  }

  static Argument csr(String struct, CsrGraph graph) {
    return new Argument(
        struct,
        graph,
        ".csr(\""
            + struct
            + "\", CsrGraph.ofEdges("
            + graph.vertices()
            + ", "
            + graph.edges()
            + "))");
  }

  /** By field, as a region takes them: unsigned fields take the bits of Java's numbers. */
  static Map<String, ArgumentSpec> specs(List<Argument> arguments, Map<String, FieldKind> fields) {
    Map<String, ArgumentSpec> specs = new LinkedHashMap<>();
    for (Argument each : arguments) {
      specs.put(each.field, each.spec(fields));
    }
    return specs;
  }

  private ArgumentSpec spec(Map<String, FieldKind> fields) {
    if (value instanceof CsrGraph graph) {
      Map<String, ArgumentSpec> members = new LinkedHashMap<>();
      graph.members().forEach((member, array) -> members.put(member, list(array, null)));
      return ArgumentSpec.members(graph.toString(), members);
    }
    return value instanceof String text
        ? ArgumentSpec.parse(text)
        : list(value, fields.containsKey(field) ? fields.get(field).element() : null);
  }

  private static ArgumentSpec list(Object array, Element element) {
    List<String> numbers = numbers(array, element);
    return ArgumentSpec.list("[" + String.join(",", numbers) + "]", NumberList.of(numbers));
  }

  private static List<String> numbers(Object array, Element element) {
    List<String> numbers = new ArrayList<>();
    for (int i = 0; i < Array.getLength(array); i++) {
      Object number = Array.get(array, i);
      if (number instanceof Integer bits && element == Element.U32) {
        numbers.add(Integer.toUnsignedString(bits));
      } else if (number instanceof Long bits && element == Element.U64) {
        numbers.add(Long.toUnsignedString(bits));
      } else {
        numbers.add(number.toString());
      }
    }
    return numbers;
  }

  /** As {@code magpie verify --arg} takes it, a word or several. */
  List<String> words(Map<String, FieldKind> fields) {
    if (value instanceof CsrGraph graph) {
      List<String> words = new ArrayList<>();
      graph
          .members()
          .forEach(
              (member, array) -> {
                String name = field + "." + member;
                if (fields.containsKey(name)) {
                  words.add(name + "=[" + String.join(",", numbers(array, null)) + "]");
                }
              });
      return words;
    }
    return List.of(
        field
            + "="
            + (value instanceof String text
                ? text
                : "[" + String.join(",", numbers(value, fields.get(field).element())) + "]"));
  }

  /** As a report shows it. */
  String shown() {
    String text =
        value instanceof String || value instanceof CsrGraph
            ? value.toString()
            : numbers(value, null).toString();
    return text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text;
  }
}
