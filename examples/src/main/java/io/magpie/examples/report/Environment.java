package io.magpie.examples.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Where something ran. What a record lacks is empty.
 *
 * @param device as the command line names it
 * @param machine its kind, such as {@code cuda} or {@code cpu}
 * @param name of the device
 * @param detail on the device, such as its driver
 * @param parallelism how many multiprocessors or threads it has
 * @param others whatever else records say of the device, such as its memory, by name
 * @param host the computer's processors and system
 * @param java the version of Java
 * @param version of Magpie
 * @param revision of Magpie's sources
 */
record Environment(
    String device,
    String machine,
    String name,
    String detail,
    String parallelism,
    Map<String, String> others,
    String host,
    String java,
    String version,
    String revision) {
  /** What has a place of its own. */
  private static final Set<String> NAMED =
      Set.of("spec", "machine", "name", "detail", "parallelism");

  /** Of a record's texts. */
  static Environment of(
      Map<String, String> record, Map<String, String> device, Map<String, String> host) {
    String processors = host.getOrDefault("processors", "");
    String system = host.getOrDefault("system", "");
    Map<String, String> others = new LinkedHashMap<>(device);
    others.keySet().removeAll(NAMED);
    return new Environment(
        device.getOrDefault("spec", ""),
        device.getOrDefault("machine", ""),
        device.getOrDefault("name", ""),
        device.getOrDefault("detail", ""),
        device.getOrDefault("parallelism", ""),
        others,
        processors.isEmpty() ? system : (Numbers.counted(processors, "processor") + ", " + system),
        host.getOrDefault("java", ""),
        record.getOrDefault("version", ""),
        record.getOrDefault("revision", ""));
  }

  /** The same whatever the number of threads of a processor is. */
  Environment withAnyThreads() {
    return new Environment(
        device.isEmpty() ? machine : device.substring(0, (device + ":").indexOf(':')),
        machine,
        name,
        machine.equals("cpu") ? "" : detail,
        "",
        others,
        host,
        java,
        version,
        revision);
  }

  /** Whether times say nothing of performance. */
  boolean isSimulated() {
    return machine.equals("sim");
  }

  /** In a few words. */
  String title() {
    String where = name.isEmpty() ? device : name;
    return where + (revision.isEmpty() ? "" : ", revision " + revision);
  }

  /**
   * Tells apart what ran in different environments.
   *
   * @param names to be made different
   * @param where each of the things ran
   * @param things that have the names
   */
  static <T> void distinguish(Names<T> names, Function<T, Environment> where, List<T> things) {
    List<Environment> all = things.stream().map(where).toList();
    names.distinguish(where.andThen(each -> prefixed("revision ", each.revision)));
    names.distinguish(where.andThen(Environment::name));
    names.distinguish(where.andThen(Environment::host));
    names.distinguish(where.andThen(each -> prefixed("Java ", each.java)));
    int details = all.stream().mapToInt(each -> each.details().length).max().orElse(0);
    for (int i = 0; i < details; i++) {
      int index = i;
      names.distinguish(where.andThen(each -> each.detail(index)));
    }
    names.distinguish(where.andThen(each -> prefixed("version ", each.version)));
    for (String name : otherNames(all)) {
      names.distinguish(where.andThen(each -> each.other(name)));
    }
  }

  private static String prefixed(String prefix, String text) {
    return text.isEmpty() ? "" : prefix + text;
  }

  private String[] details() {
    return detail.split(", ");
  }

  private String detail(int index) {
    return index < details().length ? details()[index] : "";
  }

  private String other(String name) {
    String value = others.getOrDefault(name, "");
    return value.isEmpty() ? "" : Numbers.words(name) + " " + value;
  }

  private static Set<String> otherNames(List<Environment> all) {
    Set<String> names = new TreeSet<>();
    all.forEach(each -> names.addAll(each.others.keySet()));
    return names;
  }

  /** What else tells apart environments that are alike in all that has a place of its own. */
  static List<String> namesOfDifferences(Set<Environment> all) {
    return otherNames(List.copyOf(all)).stream()
        .filter(
            name ->
                all.stream()
                    .anyMatch(
                        one ->
                            all.stream()
                                .anyMatch(
                                    other ->
                                        one.without().equals(other.without())
                                            && !one.other(name).equals(other.other(name)))))
        .toList();
  }

  private Environment without() {
    return new Environment(
        device, machine, name, detail, parallelism, Map.of(), host, java, version, revision);
  }
}
