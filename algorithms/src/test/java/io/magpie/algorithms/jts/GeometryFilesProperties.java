package io.magpie.algorithms.jts;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.FileFormatException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

class GeometryFilesProperties {
  private static final String WKT =
      "MULTIPOLYGON (((0 0, 9 0, 9 9, 0 9, 0 0), (1 1, 1 8, 8 8, 8 1, 1 1)), ((3 3, 5 3, 5 5, 3"
          + " 3)))\nLINESTRING (0 0, 0.5 0.5)\nPOINT (0.25 0.75)\n";
  private static final String GEO_JSON =
      """
      {"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": {"type": "Polygon",
       "coordinates": [[[0, 0], [9, 0], [9, 9], [0, 0]], [[4, 1], [5, 1], [5, 2], [4, 1]]]}},
       {"type": "Feature", "geometry": {"type": "Point", "coordinates": [6, 1.5e0]}}]}
      """;

  private static Path folder;

  @BeforeContainer
  static void makeFolder() throws IOException {
    folder = Files.createTempDirectory("geometry-files");
  }

  @AfterContainer
  static void removeFolder() throws IOException {
    for (String suffix : GeometryFiles.suffixes()) {
      Files.deleteIfExists(folder.resolve("damaged" + suffix));
    }
    Files.delete(folder);
  }

  @Provide
  Arbitrary<String> suffixes() {
    return Arbitraries.of(GeometryFiles.suffixes());
  }

  /** Any damage gives an exception in one line that names the file, or a graph. */
  @Property(tries = 2000)
  void damagedFilesAreRefusedOrRead(@ForAll("suffixes") String suffix, @ForAll Random random)
      throws IOException {
    String content = suffix.equals(".wkt") ? WKT : GEO_JSON;
    byte[] bytes = content.getBytes(StandardCharsets.US_ASCII);
    String replacements = "0123456789 -\n.,e()[]{}\":#\u0000";
    for (int i = 0; i < 1 + random.nextInt(3); i++) {
      bytes[random.nextInt(bytes.length)] =
          (byte) replacements.charAt(random.nextInt(replacements.length()));
    }
    Path file = folder.resolve("damaged" + suffix);
    Files.write(file, bytes);
    try {
      assertTrue(GeometryFiles.readGraph(file).vertices() > 0);
    } catch (FileFormatException e) {
      assertTrue(e.getMessage().startsWith(file.toString()), e::getMessage);
      assertTrue(e.getMessage().indexOf('\n') < 0, e::getMessage);
    }
  }
}
