package io.magpie.examples.report;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/**
 * Names that tell variants of one problem apart. A comparison's own name comes first; where several
 * variants have the same one, it is followed by what they differ in: device, settings, revision,
 * and so on, until all names differ.
 */
final class Labels {
  private final List<Subject> subjects;
  private final List<StringBuilder> labels = new ArrayList<>();

  private Labels(List<Subject> subjects) {
    this.subjects = subjects;
  }

  /** A name for each. */
  static List<String> of(List<Subject> subjects) {
    Labels labels = new Labels(subjects);
    subjects.forEach(each -> labels.labels.add(new StringBuilder(each.contestant())));
    labels.distinguish(each -> each.environment().device());
    List<String> settings = labels.settings();
    settings.forEach(name -> labels.distinguish(each -> setting(each, name)));
    labels.distinguish(each -> prefixed("revision ", each.environment().revision()));
    labels.distinguish(each -> each.environment().name());
    labels.distinguish(each -> each.environment().host());
    labels.distinguish(each -> prefixed("Java ", each.environment().java()));
    settings.forEach(
        name -> labels.distinguish(each -> Objects.requireNonNullElse(setting(each, name), "")));
    return labels.numbered();
  }

  private static String prefixed(String prefix, String text) {
    return text.isEmpty() ? "" : prefix + text;
  }

  /** A setting with its name; null if there is none. */
  private static String setting(Subject subject, String name) {
    String value = subject.settings().get(name);
    return value == null ? null : name + "=" + value;
  }

  /** The names of all settings. */
  private List<String> settings() {
    return subjects.stream().flatMap(each -> each.settings().keySet().stream()).distinct().toList();
  }

  /** Adds a property to those names that several have, if all of these have it and differ in it. */
  private void distinguish(Function<Subject, String> property) {
    Map<String, List<Integer>> same = new LinkedHashMap<>();
    for (int i = 0; i < labels.size(); i++) {
      same.computeIfAbsent(labels.get(i).toString(), l -> new ArrayList<>()).add(i);
    }
    for (List<Integer> group : same.values()) {
      Set<String> values = new HashSet<>();
      group.forEach(i -> values.add(property.apply(subjects.get(i))));
      if (values.size() > 1 && !values.contains(null)) {
        group.forEach(i -> append(i, property.apply(subjects.get(i))));
      }
    }
  }

  private void append(int index, String text) {
    StringBuilder label = labels.get(index);
    label.append(label.isEmpty() || text.isEmpty() ? "" : ", ").append(text);
  }

  private List<String> numbered() {
    Set<String> taken = new HashSet<>();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < labels.size(); i++) {
      String label = labels.get(i).toString();
      String name = label.isEmpty() ? subjects.get(i).problem().algorithm() : label;
      String own = name;
      for (int n = 2; !taken.add(own); n++) {
        own = name + " (" + n + ")";
      }
      names.add(own);
    }
    return names;
  }
}
