package io.magpie.examples.cli.output;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Where JSON goes: to a file, or to standard output in place of the table. Every object that is
 * written begins with the number of its format, which command {@code schema} shows.
 */
public final class JsonOutput {
  /** The number of the format: within it, fields are added, and none is changed or removed. */
  public static final int FORMAT = 2;

  /** The name that stands for standard output. */
  public static final String STANDARD_OUTPUT = "-";

  private static final ObjectMapper LINES =
      new ObjectMapper()
          .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
          .registerModule(
              new SimpleModule()
                  .addSerializer(Double.class, new Finite())
                  .addSerializer(double.class, new Finite()));

  private static final ObjectMapper MAPPER =
      LINES.copy().enable(SerializationFeature.INDENT_OUTPUT);

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

  /** Writes an object, with the format's number before its fields. */
  public void write(Map<String, ?> value, PrintWriter out) {
    Map<String, Object> numbered = numbered(value);
    if (file != null) {
      file.write(
          stream -> {
            MAPPER.writeValue(stream, numbered);
            stream.write('\n');
          });
      return;
    }
    try {
      out.println(MAPPER.writeValueAsString(numbered));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An object as a line of JSON Lines, with the format's number before its fields. */
  public static String line(Map<String, ?> value) {
    try {
      return LINES.writeValueAsString(numbered(value));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Map<String, Object> numbered(Map<String, ?> value) {
    Map<String, Object> numbered = new LinkedHashMap<>();
    numbered.put("format", FORMAT);
    numbered.putAll(value);
    return numbered;
  }

  /** JSON has no number for what is none: that is null. */
  private static final class Finite extends JsonSerializer<Double> {
    @Override
    public void serialize(Double value, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      if (Double.isFinite(value)) {
        json.writeNumber(value);
      } else {
        json.writeNull();
      }
    }
  }
}
