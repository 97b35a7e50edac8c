package io.magpie.algorithms.nbody;

import io.magpie.algorithms.FileFormatException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * Files of bodies as text: the line {@code mass,x,y,z,vx,vy,vz}, then one line for each body with
 * these numbers. Numbers are written as Java writes doubles, so that what is read is to the last
 * bit what was written. Spaces around numbers, empty lines at the end, and UTF-8's byte-order mark
 * at the start are allowed.
 */
public final class BodyCsvFormat {
  private static final String HEADER = "mass,x,y,z,vx,vy,vz";
  private static final String[] COLUMNS = HEADER.split(",");

  /** Characters that are written at a time. */
  private static final int BLOCK = 1 << 15;

  private static final int LONGEST_QUOTE = 40;

  /** UTF-8's, as ISO 8859-1 has its bytes. */
  private static final String BYTE_ORDER_MARK = "\u00ef\u00bb\u00bf";

  /** Java reads more than decimal numbers, such as 1f and 0x1p3. */
  private static final Pattern DECIMAL = Pattern.compile("[-+0-9.eE]+");

  private final Path file;
  private double[] numbers = new double[COLUMNS.length * 1024];
  private int bodies;

  private BodyCsvFormat(Path file) {
    this.file = file;
  }

  /**
   * Reads a file. Memory: up to 168 bytes for each body.
   *
   * @param file its path
   * @throws FileFormatException if it is malformed, has too many bodies, or a number that is no
   *     body's; the message says where, what was found, and what to do
   * @throws IOException if it cannot be read
   */
  public static Bodies read(Path file) throws IOException {
    // Each byte is a character: none is refused by the reader, and those of numbers are ASCII.
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(Files.newInputStream(file), StandardCharsets.ISO_8859_1))) {
      return new BodyCsvFormat(file).read(in);
    }
  }

  private Bodies read(BufferedReader in) throws IOException {
    String header = in.readLine();
    if (header != null && header.startsWith(BYTE_ORDER_MARK)) {
      header = header.substring(BYTE_ORDER_MARK.length());
    }
    if (header == null || !header.replace(" ", "").equals(HEADER)) {
      throw fault(
          1,
          header == null ? "the end of the file" : quoted(header),
          "the line " + HEADER,
          "name the columns so, in this order");
    }
    long line = 1;
    long empty = 0;
    for (String text = in.readLine(); text != null; text = in.readLine()) {
      line++;
      if (text.isBlank()) {
        empty = empty == 0 ? line : empty;
      } else if (empty != 0) {
        throw fault(empty, "an empty line", "a body", "remove it, or what follows");
      } else {
        add(text, line);
      }
    }
    double[] masses = new double[bodies];
    double[] positions = new double[Bodies.DIMENSIONS * bodies];
    double[] velocities = new double[Bodies.DIMENSIONS * bodies];
    for (int i = 0; i < bodies; i++) {
      int at = COLUMNS.length * i;
      masses[i] = numbers[at];
      System.arraycopy(numbers, at + 1, positions, Bodies.DIMENSIONS * i, Bodies.DIMENSIONS);
      System.arraycopy(
          numbers,
          at + 1 + Bodies.DIMENSIONS,
          velocities,
          Bodies.DIMENSIONS * i,
          Bodies.DIMENSIONS);
    }
    return Bodies.owning(masses, positions, velocities);
  }

  private void add(String text, long line) throws FileFormatException {
    if (bodies == Bodies.MOST) {
      throw fault(line, "more bodies", "at most " + Bodies.MOST, "take a sample of them");
    }
    String[] parts = text.split(",", -1);
    if (parts.length != COLUMNS.length) {
      throw fault(
          line,
          parts.length + (parts.length == 1 ? " number" : " numbers"),
          COLUMNS.length + ", separated by commas",
          "give " + HEADER);
    }
    int at = COLUMNS.length * bodies;
    if (at == numbers.length) {
      numbers =
          Arrays.copyOf(numbers, (int) Math.min(2L * at, (long) COLUMNS.length * Bodies.MOST));
    }
    for (int k = 0; k < COLUMNS.length; k++) {
      numbers[at + k] = number(COLUMNS[k], parts[k].strip(), line);
    }
    if (numbers[at] < 0) {
      throw fault(line, "mass " + quoted(parts[0].strip()), "0 or more", "correct it");
    }
    bodies++;
  }

  private double number(String column, String text, long line) throws FileFormatException {
    double value = Double.NaN;
    if (DECIMAL.matcher(text).matches()) {
      try {
        value = Double.parseDouble(text);
      } catch (NumberFormatException e) {
        // told below, as what is none by its letters
      }
    }
    if (!Double.isFinite(value)) {
      throw fault(
          line,
          column + " " + quoted(text),
          "a finite decimal number",
          "correct it; a simulation that wrote it may have diverged");
    }
    return value;
  }

  private static String quoted(String text) {
    StringBuilder shown = new StringBuilder("'");
    for (char c : text.substring(0, Math.min(text.length(), LONGEST_QUOTE)).toCharArray()) {
      shown.append(c >= ' ' && c < 0x7f ? c : '?');
    }
    return shown.append(text.length() > LONGEST_QUOTE ? "..'" : "'").toString();
  }

  private FileFormatException fault(long line, String found, String expected, String remedy) {
    return new FileFormatException(file, line, found, expected, remedy, null);
  }

  /**
   * Writes bodies.
   *
   * @param bodies the bodies
   * @param stream where to; stays open
   * @throws IOException if it cannot be written
   */
  public static void write(Bodies bodies, OutputStream stream) throws IOException {
    StringBuilder lines = new StringBuilder(HEADER).append('\n');
    for (int i = 0; i < bodies.count(); i++) {
      lines.append(bodies.mass(i));
      for (int k = 0; k < Bodies.DIMENSIONS; k++) {
        lines.append(',').append(bodies.position(i, k));
      }
      for (int k = 0; k < Bodies.DIMENSIONS; k++) {
        lines.append(',').append(bodies.velocity(i, k));
      }
      lines.append('\n');
      if (lines.length() > BLOCK) {
        stream.write(lines.toString().getBytes(StandardCharsets.US_ASCII));
        lines.setLength(0);
      }
    }
    stream.write(lines.toString().getBytes(StandardCharsets.US_ASCII));
  }
}
