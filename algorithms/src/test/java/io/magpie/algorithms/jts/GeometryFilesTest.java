package io.magpie.algorithms.jts;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.mesh.PlanarGraph;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class GeometryFilesTest {
  private static final double[] SQUARE = {0, 0, 4, 0, 4, 0.1, 0, 0.1};

  @TempDir Path folder;

  @Test
  void wellKnownTextIsRead() throws IOException {
    Path file = folder.resolve("a.WKT.gz");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(
          "\n polygon ((0 0, 4 0, 4 1e-1, 0 .1, 0 0))\r\nPOINT(4 .1)\nLINESTRING EMPTY\n"
              .getBytes(StandardCharsets.US_ASCII));
    }
    Files.write(file, bytes.toByteArray());
    PlanarGraph graph = GeometryFiles.readGraph(file);
    assertArrayEquals(SQUARE, graph.coordinates());
    assertEquals(4, graph.segments());
  }

  @Test
  void featuresOfGeoJsonAreRead() throws IOException {
    Path file = folder.resolve("a.geojson");
    Files.writeString(
        file,
        """
        {"type": "FeatureCollection", "name": "plots", "features": [
          {"type": "Feature", "properties": {"name": "M\u00fcller"}, "geometry":
            {"type": "Polygon", "coordinates":
              [[[0, 0], [4, 0], [4, 0.1], [0, 0.1], [0, 0]],
               [[1, 0.05], [2, 0.05], [2, 0.06], [1, 0.05]]]}},
          {"type": "Feature", "properties": null, "geometry":
            {"type": "LineString", "coordinates": [[0, 0], [0.5, 0.05]]}}
        ]}
        """);
    PlanarGraph graph = GeometryFiles.readGraph(file);
    assertEquals(8, graph.vertices());
    assertEquals(8, graph.segments());
    assertEquals(1, graph.holes());
  }

  @Test
  void featuresWithoutGeometryAreSkipped() throws IOException {
    Path file = folder.resolve("a.geojson");
    Files.writeString(
        file,
        """
        {"type": "FeatureCollection", "features": [
          {"type": "Feature", "geometry": null, "properties": {"geometry": null}},
          {"type": "Feature", "properties": {"a \\"geometry\": null}, "geometry":
            {"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, 0.1], [0, 0.1], [0, 0]]]}},
          {"geometry"
             :null, "type": "Feature", "properties": {"geometry": "\\"geometry\\": null"}}
        ]}
        """);
    assertArrayEquals(SQUARE, GeometryFiles.readGraph(file).coordinates());
    Files.writeString(file, "{\"type\": \"Feature\", \"geometry\": null}");
    assertTrue(GeometryFiles.read(file).isEmpty());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"a.wkt | POINT (1 2)", "a.geojson | {\"type\": \"Point\", \"coordinates\": [1, 2]}"})
  void byteOrderMarksAreSkipped(String name, String content) throws IOException {
    Path file = Files.writeString(folder.resolve(name), "\uFEFF" + content);
    assertEquals("POINT (1 2)", GeometryFiles.read(file).toText());
  }

  /** As one multipolygon they would not be valid. */
  @Test
  void neighborsMayBeOnALineEach() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("a.wkt"),
            "POLYGON ((0 0, 1 0, 1 1, 0 0))\nPOLYGON ((1 0, 2 0, 1 1, 1 0)) POINT (0.5 0.25)\n");
    assertEquals(3, GeometryFiles.read(file).getNumGeometries());
    assertEquals(5, GeometryFiles.readGraph(file).vertices());
    Files.writeString(file, "POLYGON ((0 0, 1 0, 1 1, 0 0))\nPOLYGON ((1 0, 2 0, 1 1, 1 0))\n");
    assertEquals(4, GeometryFiles.readGraph(file).vertices());
  }

  /** Foreign members and properties are not looked at. */
  @Test
  void onlyPositionsOfGeometriesNeedTwoNumbers() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("a.geojson"),
            "{\"type\": \"Feature\", \"bbox\": [1], \"properties\": {\"type\": \"Point\","
                + " \"coordinates\": [1]}, \"geometry\": {\"type\": \"Point\", \"coordinates\":"
                + " [1, 2, 3]}}");
    assertEquals(1, GeometryFiles.read(file).getNumPoints());
  }

  static Arguments[] faults() {
    return new Arguments[] {
      Arguments.of("a.wkt", "POINT (1 2)\nPOLYGON ((0 0, 4 zero", ":2: found malformed text"),
      Arguments.of("a.wkt", "\nPOINT\n(1\n2\nzero)", ":5: found malformed text: Expected"),
      Arguments.of("a.wkt", "\n\nPOLYGON ((0 0, 4 0, 4 4))\n", ":3: found malformed text"),
      Arguments.of("a.wkt", "POINT (1 2) and more", ":1: found malformed text"),
      Arguments.of(
          "a.wkt", "POLYGON ((0 0, 4 4, 4 0, 0 4, 0 0))", ": found an unsuitable geometry"),
      Arguments.of("a.wkt", "", ": found an unsuitable geometry: the geometry is empty"),
      Arguments.of("a.wkt", "POINT (\u00fc)", ":1: found malformed text"),
      Arguments.of("a.geojson", "{\n\"type\": ?}", ":2: found malformed JSON: Unexpected"),
      Arguments.of("a.geojson", "\u0007", ":1: found malformed JSON: Unexpected character (?)"),
      Arguments.of("a.geojson", "{}", ": found malformed GeoJSON"),
      Arguments.of("a.geojson", "[]", ": found malformed GeoJSON"),
      Arguments.of(
          "a.geojson",
          "{\"geometry\": null,\n\"type\": ?}",
          ":2: found malformed JSON: Unexpected character (?) at position 27"),
      Arguments.of(
          "a.geojson",
          "{\"type\": \"Feature\", \"geometry\": null}",
          ": found an unsuitable geometry: the geometry is empty"),
      Arguments.of(
          "a.geojson",
          "{\"type\": \"Feature\"}",
          ": found malformed GeoJSON: a Feature lacks a member, or has one that is malformed,"),
      Arguments.of("a.geojson", "", ":1: found malformed JSON"),
      Arguments.of("a.geojson", "{\"type\": \"Polygon\"}", ": found an unsuitable geometry"),
      Arguments.of(
          "a.geojson",
          "{\"type\": \"Polygon\", \"coordinates\": [[[0, \"1\"]]]}",
          ": found malformed GeoJSON"),
      Arguments.of(
          "a.geojson",
          "{\"type\": \"Polygon\", \"coordinates\": [[[0,0],[4,-1],[4],[0,1],[0,0]]]}",
          ": found the position '[4]' at coordinates[0][2], expected two numbers or more"),
      Arguments.of(
          "a.geojson",
          "{\"type\": \"FeatureCollection\", \"features\": [{\"type\": \"Feature\", \"geometry\":"
              + " {\"type\": \"GeometryCollection\", \"geometries\": [{\"type\": \"MultiPoint\","
              + " \"coordinates\": [[1, 2], []]}]}}]}",
          ": found the position '[]' at features[0].geometry.geometries[0].coordinates[1], expected"),
      Arguments.of(
          "a.geojson",
          "{\"type\": \"Point\", \"coordinates\": [1]}",
          ": found the position '[1]' at coordinates, expected"),
      Arguments.of(
          "a.geojson",
          "{\"type\": \"Point\",\n",
          ":1: found malformed JSON: Unexpected token END OF FILE at position 18, expected"),
      Arguments.of(
          "a.geojson", "{}", ": found malformed GeoJSON: No 'type' property found, expected"),
      Arguments.of("a.geojson", "[]", ": found malformed GeoJSON: it is not an object,"),
      Arguments.of("a.wkt", "POLYGON ((0 0, 4 0\n", ":1: found malformed text: Expected"),
      Arguments.of(
          "a.wkt",
          "POLYGON ((0 0, 4 0, NaN 4, 0 0))",
          ": found an unsuitable geometry: the geometry has the coordinates NaN 4.0, which are not"),
      Arguments.of(
          "a.wkt",
          "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), ((1 0, 2 0, 1 1, 1 0)))",
          ": found an unsuitable geometry: the geometry is not valid: Self-intersection at 1.0"),
      Arguments.of("a.shp", "", ": found suffix '.shp', expected one of .wkt, .geojson"),
    };
  }

  @ParameterizedTest
  @MethodSource("faults")
  void faultsAreTold(String name, String content, String message) throws IOException {
    Path file = Files.writeString(folder.resolve(name), content);
    FileFormatException fault =
        assertThrows(FileFormatException.class, () -> GeometryFiles.readGraph(file));
    assertTrue(fault.getMessage().startsWith(file + message), fault::getMessage);
    assertFalse(fault.getMessage().contains("\n"), fault::getMessage);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a.wkt | GEOMETRYCOLLECTION ( | POINT (1 2) | )",
        "a.geojson | {\"type\": \"GeometryCollection\", \"geometries\": [ | {\"type\": \"Point\","
            + " \"coordinates\": [1, 2]} | ]}"
      })
  void collectionsThatAreNestedTooDeepAreRefused(
      String name, String before, String inside, String after) throws IOException {
    int depth = 200_000; // on a stack of some MiB
    Path file =
        Files.writeString(
            folder.resolve(name), before.repeat(depth) + inside + after.repeat(depth));
    FileFormatException fault =
        assertThrows(FileFormatException.class, () -> GeometryFiles.readGraph(file));
    assertEquals(
        file
            + ": found collections within collections, too many for Java's stack, expected"
            + " collections that are not nested (flatten them)",
        fault.getMessage());
  }

  @Test
  void bytesThatAreNoTextAreRefused() throws IOException {
    Path file = Files.write(folder.resolve("a.wkt"), new byte[] {(byte) 0xff, (byte) 0xfe});
    FileFormatException fault =
        assertThrows(FileFormatException.class, () -> GeometryFiles.read(file));
    assertTrue(fault.getMessage().contains("convert the file to UTF-8"), fault::getMessage);
  }
}
