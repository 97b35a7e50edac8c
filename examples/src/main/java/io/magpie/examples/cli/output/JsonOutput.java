package io.magpie.examples.cli.output;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Objects;

/** Where JSON goes: to a file, or to standard output in place of the table. */
public final class JsonOutput {
  /** The name that stands for standard output. */
  public static final String STANDARD_OUTPUT = "-";

  static final ObjectMapper MAPPER =
      new ObjectMapper()
          .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
          .enable(SerializationFeature.INDENT_OUTPUT);

  private final OutputFile file; // null = standard output

  private JsonOutput(OutputFile file) {
    this.file = file;
  }

  /** To standard output. */
  public static JsonOutput standard() {
    return new JsonOutput(null);
  }

  /** To a file. */
  public static JsonOutput to(OutputFile file) {
    return new JsonOutput(Objects.requireNonNull(file, "file"));
  }

  /** Whether it takes the place of the table. */
  public boolean replacesTable() {
    return file == null;
  }

  /** Writes one value. */
  public void write(Object value, PrintWriter out) {
    if (file != null) {
      file.write(
          stream -> {
            MAPPER.writeValue(stream, value);
            stream.write('\n');
          });
      return;
    }
    try {
      out.println(MAPPER.writeValueAsString(value));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
