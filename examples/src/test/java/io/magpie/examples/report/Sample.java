package io.magpie.examples.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** A record of a comparison's run, to be changed field by field. */
final class Sample {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final ObjectNode record = MAPPER.createObjectNode();

  private Sample() {}

  /** Of a kind, with nothing else but an algorithm. */
  static Sample of(String kind) {
    return new Sample().with("kind", kind).with("algorithm", "msf");
  }

  /** A run of a contestant that took so long. */
  static Sample run(String contestant, double millis) {
    return of("run").with("contestant", contestant).with("millis.total", millis);
  }

  /** The same with a field; a point in its name leads into an object. */
  Sample with(String path, Object value) {
    String[] names = path.split("\\.");
    ObjectNode node = record;
    for (String name : Arrays.copyOf(names, names.length - 1)) {
      node = node.withObjectProperty(name);
    }
    node.set(names[names.length - 1], MAPPER.valueToTree(value));
    return this;
  }

  /** Writes records to a file, a line for each. */
  static Path write(Path file, Sample... samples) throws IOException {
    return Files.write(file, Arrays.stream(samples).map(each -> each.record.toString()).toList());
  }
}
