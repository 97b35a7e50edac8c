package io.magpie.examples.report;

import java.util.Map;

/**
 * Where something ran. What a record lacks is empty.
 *
 * @param device as the command line names it
 * @param machine its kind, such as {@code cuda} or {@code cpu}
 * @param name of the device
 * @param detail on the device, such as its driver
 * @param parallelism how many multiprocessors or threads it has
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
    String host,
    String java,
    String version,
    String revision) {

  /** Of a record's texts. */
  static Environment of(
      Map<String, String> record, Map<String, String> device, Map<String, String> host) {
    String processors = host.getOrDefault("processors", "");
    String system = host.getOrDefault("system", "");
    return new Environment(
        device.getOrDefault("spec", ""),
        device.getOrDefault("machine", ""),
        device.getOrDefault("name", ""),
        device.getOrDefault("detail", ""),
        device.getOrDefault("parallelism", ""),
        processors.isEmpty() ? system : (processors + " processors, " + system),
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
        host,
        java,
        version,
        revision);
  }

  /** In a few words. */
  String title() {
    String where = name.isEmpty() ? device : name;
    return where + (revision.isEmpty() ? "" : ", revision " + revision);
  }
}
