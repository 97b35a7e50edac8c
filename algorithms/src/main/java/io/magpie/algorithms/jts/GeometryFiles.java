package io.magpie.algorithms.jts;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.internal.Compression;
import io.magpie.algorithms.internal.Tokenizer;
import io.magpie.algorithms.mesh.PlanarGraph;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.LineNumberReader;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.json.simple.parser.JSONParser;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKTReader;
import org.locationtech.jts.io.geojson.GeoJsonReader;

/**
 * Reads geometries from files. The suffix of the name, in upper or lower case, determines the
 * format; {@code .gz} or {@code .xz} may follow it:
 *
 * <ul>
 *   <li>{@code .wkt}: one geometry or several, one after another, such as {@code POLYGON ((0 0, 4
 *       0, 4 4, 0 0), (2 1, 3 1, 3 2, 2 1))}, separated by blanks or lines
 *   <li>{@code .geojson}: a geometry, a feature or a collection of features, whose properties are
 *       ignored; a feature whose geometry is null is an empty collection, and positions of fewer
 *       than two numbers are refused
 * </ul>
 *
 * <p>Files are in UTF-8, with or without a byte order mark. Coordinates are taken as they are, in
 * the plane; degrees may have to be projected first.
 */
public final class GeometryFiles {
  private static final String WKT = ".wkt";
  private static final String GEO_JSON = ".geojson";

  /** How the reader's messages end; it counts the lines of each geometry. */
  private static final Pattern LINE = Pattern.compile(" \\(line ([0-9]+)\\)$");

  /** A feature without a place (RFC 7946, 3.2), which the reader does not know. */
  private static final Pattern NO_GEOMETRY = Pattern.compile("(\"geometry\"\\s*:\\s*)null\\b");

  private static final String EMPTY = "{\"type\": \"GeometryCollection\", \"geometries\": []}";

  /** The reader's messages: the type that it did not get, and perhaps why. */
  private static final Pattern LIBRARY_MESSAGE =
      Pattern.compile("Could not parse (\\S+) from (?:GeoJson|Json) string\\. ?(.*?)\\.?");

  /** How many arrays there are around the positions of a geometry. */
  private static final Map<String, Integer> DEPTHS =
      Map.of(
          "Point", 0,
          "MultiPoint", 1,
          "LineString", 1,
          "MultiLineString", 2,
          "Polygon", 2,
          "MultiPolygon", 3);

  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private GeometryFiles() {}

  /**
   * The suffixes of the formats, without those of compression.
   *
   * @return such as {@code .wkt}
   */
  public static List<String> suffixes() {
    return List.of(WKT, GEO_JSON);
  }

  /**
   * Whether a name ends in a suffix of a format, alone or followed by that of a compression.
   *
   * @param file a path
   * @return true when {@link #read} knows the format
   */
  public static boolean isKnown(Path file) {
    return suffixes().contains(suffix(file));
  }

  private static String suffix(Path file) {
    String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    String bare = name.substring(0, name.length() - Compression.of(name).suffix().length());
    int dot = bare.lastIndexOf('.');
    return dot < 0 ? "" : bare.substring(dot);
  }

  /**
   * Reads what is to be triangulated, as {@link JtsMeshes#graph} makes it of the file's geometries.
   *
   * @param file the file; its suffix determines format and compression
   * @return the graph
   * @throws FileFormatException as {@link #read}, and when the geometry does not suit
   * @throws IOException when it cannot be read
   */
  public static PlanarGraph readGraph(Path file) throws IOException {
    Geometry geometry = read(file);
    try {
      return JtsMeshes.graph(geometry);
    } catch (IllegalArgumentException e) {
      throw new FileFormatException(
          file,
          0,
          "an unsuitable geometry: " + e.getMessage(),
          "valid polygons in a plane, with lines and points inside",
          null,
          e);
    } catch (StackOverflowError e) {
      throw tooDeep(file, e);
    } catch (OutOfMemoryError e) {
      throw tooLarge(file, e);
    }
  }

  /**
   * Reads the geometry of a file; several are a collection.
   *
   * @param file the file; its suffix determines format and compression
   * @return the geometry
   * @throws FileFormatException when the suffix is unknown or the file is malformed
   * @throws IOException when it cannot be read
   */
  public static Geometry read(Path file) throws IOException {
    String suffix = suffix(file);
    if (!isKnown(file)) {
      throw new FileFormatException(
          file,
          0,
          suffix.isEmpty() ? "a name without suffix" : "suffix " + Tokenizer.quote(suffix),
          "one of " + String.join(", ", suffixes()) + ", alone or followed by .gz or .xz",
          "rename the file to tell its format",
          null);
    }
    try {
      String text = text(file);
      return suffix.equals(WKT) ? wkt(file, text) : geoJson(file, text);
    } catch (StackOverflowError e) {
      throw tooDeep(file, e);
    } catch (OutOfMemoryError e) {
      throw tooLarge(file, e);
    }
  }

  private static FileFormatException tooDeep(Path file, StackOverflowError cause) {
    return new FileFormatException(
        file,
        0,
        "collections within collections, too many for Java's stack",
        "collections that are not nested",
        "flatten them",
        cause);
  }

  private static FileFormatException tooLarge(Path file, OutOfMemoryError cause) {
    return new FileFormatException(
        file,
        0,
        "more than fits the heap of " + (Runtime.getRuntime().maxMemory() >> 20) + " MiB",
        "geometries that do",
        "give Java more memory by -Xmx",
        cause);
  }

  private static String text(Path file) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] buffer = new byte[1 << 16];
    Compression compression = Compression.of(String.valueOf(file.getFileName()));
    try (ByteSource source = new ByteSource(file, compression)) {
      for (int read; (read = source.read(buffer, 0, buffer.length)) >= 0; ) {
        bytes.write(buffer, 0, read);
      }
    }
    try {
      String text =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(bytes.toByteArray()))
              .toString();
      return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw new FileFormatException(
          file, 0, "bytes that are no text", "text in UTF-8", "convert the file to UTF-8", e);
    }
  }

  private static Geometry wkt(Path file, String text) throws IOException {
    GeometryFactory factory = new GeometryFactory();
    WKTReader reader = new WKTReader(factory);
    reader.setIsOldJtsCoordinateSyntaxAllowed(false);
    List<Geometry> geometries = new ArrayList<>();
    LineNumberReader in = new LineNumberReader(new StringReader(text));
    long line = 1;
    try {
      while (more(in)) {
        line = in.getLineNumber() + 1L;
        geometries.add(reader.read(in));
      }
    } catch (ParseException | RuntimeException e) { // its checks throw several
      String message =
          e.getMessage() == null ? "it makes no geometry" : Tokenizer.oneLine(e.getMessage());
      Matcher inGeometry = LINE.matcher(message);
      throw new FileFormatException(
          file,
          Math.min(
              inGeometry.find() ? line + Long.parseLong(inGeometry.group(1)) - 1 : line,
              lines(text.stripTrailing())),
          "malformed text: " + withoutPeriod(inGeometry.replaceFirst("")),
          "geometries as well-known text, such as POLYGON ((0 0, 4 0, 4 4, 0 0))",
          null,
          e);
    }
    return geometries.size() == 1
        ? geometries.get(0)
        : factory.createGeometryCollection(geometries.toArray(Geometry[]::new));
  }

  /** Moves behind blanks; false at the end. */
  private static boolean more(LineNumberReader in) throws IOException {
    int c;
    do {
      in.mark(1);
      c = in.read();
    } while (c >= 0 && Character.isWhitespace(c));
    in.reset();
    return c >= 0;
  }

  /** How many lines a text has. */
  private static long lines(String text) {
    return 1 + text.chars().filter(c -> c == '\n').count();
  }

  /** A sentence of a library as a part of another. */
  private static String withoutPeriod(String sentence) {
    return sentence.replaceFirst("\\.$", "");
  }

  private static Geometry geoJson(Path file, String text) throws FileFormatException {
    try {
      Geometry geometry = geoJson(text);
      if (geometry != null) {
        requirePositions(file, new JSONParser().parse(text), "");
        return geometry;
      }
      throw fault(file, 0, "no geometry", null);
    } catch (ParseException e) {
      if (e.getCause() instanceof org.json.simple.parser.ParseException json) {
        throw malformed(file, text, json);
      }
      throw fault(file, 0, "malformed GeoJSON: " + reason(Tokenizer.oneLine(e.getMessage())), e);
    } catch (org.json.simple.parser.ParseException e) {
      throw malformed(file, text, e);
    } catch (RuntimeException e) { // it casts what it finds to what it expects
      throw fault(file, 0, "malformed GeoJSON: a part is missing, or of another type", e);
    }
  }

  private static String reason(String message) {
    Matcher known = LIBRARY_MESSAGE.matcher(message);
    if (!known.matches()) {
      return withoutPeriod(message);
    }
    if (!known.group(2).isEmpty()) {
      return known.group(2);
    }
    return known.group(1).equals("Geometry")
        ? "it is not an object"
        : "a " + known.group(1) + " lacks a member, or has one that is malformed";
  }

  private static FileFormatException malformed(
      Path file, String text, org.json.simple.parser.ParseException e) {
    int end = Math.min(text.stripTrailing().length(), Math.max(0, e.getPosition()));
    return fault(
        file,
        lines(text.substring(0, end)),
        "malformed JSON: " + withoutPeriod(Tokenizer.oneLine(e.toString())),
        e);
  }

  /**
   * Refuses positions without y, which the reader takes for 0.
   *
   * @param json an object of GeoJSON, which the reader has accepted
   * @param path where it is in the file, with a period at the end, or empty
   */
  private static void requirePositions(Path file, Object json, String path)
      throws FileFormatException {
    if (!(json instanceof Map<?, ?> object)) {
      return;
    }
    Integer depth = DEPTHS.get(object.get("type"));
    if (depth != null) {
      requirePositions(file, object.get("coordinates"), depth, path + "coordinates");
    } else if ("Feature".equals(object.get("type"))) {
      requirePositions(file, object.get("geometry"), path + "geometry.");
    } else {
      String members = "FeatureCollection".equals(object.get("type")) ? "features" : "geometries";
      int i = 0;
      for (Object each : list(object.get(members))) {
        requirePositions(file, each, path + members + "[" + i + "].");
        i++;
      }
    }
  }

  private static void requirePositions(Path file, Object json, int depth, String path)
      throws FileFormatException {
    if (depth > 0) {
      int i = 0;
      for (Object each : list(json)) {
        requirePositions(file, each, depth - 1, path + "[" + i + "]");
        i++;
      }
    } else if (list(json).size() < 2) {
      throw new FileFormatException(
          file,
          0,
          "the position " + Tokenizer.quote(String.valueOf(json)) + " at " + path,
          "two numbers or more, x and y (RFC 7946, section 3.1.1)",
          null,
          null);
    }
  }

  private static List<?> list(Object json) {
    return json instanceof List<?> list ? list : List.of();
  }

  private static Geometry geoJson(String text) throws ParseException {
    try {
      return new GeoJsonReader().read(text);
    } catch (ParseException | RuntimeException e) {
      // Quotes within strings are escaped, so this finds members of objects alone.
      Matcher none = NO_GEOMETRY.matcher(text);
      boolean malformed = e.getCause() instanceof org.json.simple.parser.ParseException;
      if (malformed || !none.find()) {
        throw e;
      }
      return new GeoJsonReader().read(none.replaceAll("$1" + EMPTY));
    }
  }

  private static FileFormatException fault(Path file, long line, String found, Exception cause) {
    return new FileFormatException(
        file,
        line,
        found,
        "a geometry, a feature or a collection of features, as RFC 7946 has them",
        null,
        cause);
  }
}
