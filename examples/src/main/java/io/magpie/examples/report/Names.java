package io.magpie.examples.report;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Names that tell things apart: where several have the same name, it is followed by what they
 * differ in, until all names differ.
 *
 * @param <T> what has the names
 */
final class Names<T> {
  private final List<T> things;
  private final List<StringBuilder> names = new ArrayList<>();

  /**
   * Names to begin with.
   *
   * @param things in order
   * @param first the name of each, which others may have too, or which may be empty
   */
  Names(List<T> things, Function<T, String> first) {
    this.things = things;
    things.forEach(each -> names.add(new StringBuilder(first.apply(each))));
  }

  /**
   * Adds a property to those names that several have, if all of these have it and differ in it.
   *
   * @param property null where a thing does not have it; an empty text adds nothing
   */
  Names<T> distinguish(Function<T, String> property) {
    Map<String, List<Integer>> same = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      same.computeIfAbsent(names.get(i).toString(), name -> new ArrayList<>()).add(i);
    }
    for (List<Integer> group : same.values()) {
      Set<String> values = new HashSet<>();
      group.forEach(i -> values.add(property.apply(things.get(i))));
      if (values.size() > 1 && !values.contains(null)) {
        group.forEach(i -> append(names.get(i), property.apply(things.get(i))));
      }
    }
    return this;
  }

  private static void append(StringBuilder name, String text) {
    name.append(name.isEmpty() || text.isEmpty() ? "" : ", ").append(text);
  }

  /**
   * The names; those that are still the same are numbered.
   *
   * @param unnamed what things without a name are called
   */
  List<String> all(Function<T, String> unnamed) {
    Set<String> taken = new HashSet<>();
    List<String> all = new ArrayList<>();
    for (int i = 0; i < things.size(); i++) {
      String name = names.get(i).isEmpty() ? unnamed.apply(things.get(i)) : names.get(i).toString();
      String own = name;
      for (int n = 2; !taken.add(own); n++) {
        own = name + " (" + n + ")";
      }
      all.add(own);
    }
    return all;
  }
}
