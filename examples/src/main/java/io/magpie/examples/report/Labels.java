package io.magpie.examples.report;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Names that tell variants of one problem apart. A comparison's own name comes first; where several
 * variants have the same one, it is followed by what they differ in: device, settings, revision,
 * driver, comparison, and so on, until all names differ.
 */
final class Labels {
  private Labels() {}

  /** A name for each. */
  static List<String> of(List<Subject> subjects) {
    Names<Subject> names = new Names<>(subjects, Subject::contestant);
    names.distinguish(each -> each.environment().device());
    List<String> settings =
        subjects.stream().flatMap(each -> each.settings().keySet().stream()).distinct().toList();
    settings.forEach(name -> names.distinguish(each -> setting(each, name)));
    Environment.distinguish(names, Subject::environment, subjects);
    settings.forEach(
        name -> names.distinguish(each -> Objects.requireNonNullElse(setting(each, name), "")));
    names.distinguish(of(session -> String.valueOf(session.file().getFileName())));
    names.distinguish(of(Session::title));
    return names.all(each -> each.problem().algorithm());
  }

  /** What a subject's comparison says; nothing for a run on its own. */
  private static Function<Subject, String> of(Function<Session, String> property) {
    return subject -> Optional.ofNullable(subject.session()).map(property).orElse("");
  }

  /** A setting with its name; null if there is none. */
  private static String setting(Subject subject, String name) {
    String value = subject.settings().get(name);
    return value == null ? null : name + "=" + value;
  }
}
