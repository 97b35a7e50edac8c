package io.magpie.algorithms.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.FileFormatException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CoordinatesTest {
  @TempDir Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void readsLinesOfTwoOrThreeNumbers() throws IOException {
    Coordinates read = Coordinates.read(file("a.xyz", "0 1.5\n-2e3\t7 9\n\n3 4\n"), 3);
    assertEquals(3, read.vertices());
    assertEquals(1.5, read.y(0));
    assertEquals(-2000, read.x(1));
    assertEquals(7, read.y(1));
    assertEquals(3, read.x(2));
  }

  @Test
  void readsDimacsInAnyOrderAndCompressed() throws IOException {
    Path file = folder.resolve("a.co.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write("c New York\np aux sp co 2\nv 2 -73 40\nc\nv 1 5 6\n".getBytes());
    }
    Coordinates read = Coordinates.read(file, 2);
    assertEquals(5, read.x(0));
    assertEquals(6, read.y(0));
    assertEquals(-73, read.x(1));
    assertEquals(40, read.y(1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a.xyz | 1 2;3 x; | a.xyz:2: found 'x', expected a coordinate, a finite decimal number",
        "a.xyz | 1 2;3 NaN; | a.xyz:2: found 'NaN', expected a coordinate",
        "a.xyz | 1 2 3 4; | a.xyz:1: found '4', expected the end of the line",
        "a.xyz | 1 2; | a.xyz:1: found the end of the file after 1 vertices, expected coordinates"
            + " of the graph's 2 vertices",
        "a.xyz | 1 2;1 2;1 2; | a.xyz:3: found more lines, expected 2 lines",
        "a.co | v 1 2 3; | a.co:1: found 'v', expected a header",
        "a.co | c; | a.co:1: found the end of the file, expected a header",
        "a.co | p aux sp co 3; | a.co:1: found '3', expected the graph's number of vertices, 2",
        "a.co | p aux sp co 2;v 1 2 3;v 1 2 3; | a.co:3: found vertex 1 again",
        "a.co | p aux sp co 2;v 3 2 3; | a.co:2: found '3', expected a vertex, 1 to 2",
        "a.co | p aux sp co 2;w 1 2 3; | a.co:2: found 'w', expected a line 'v VERTEX X Y'",
        "a.co | p aux sp co 2;v 1 2 3; | a.co:2: found the end of the file after 1 vertices",
        "a.pos | 1 2; | a.pos: found 'a.pos', expected a name that ends in .xyz or .co"
      })
  void saysWhatIsWrong(String name, String lines, String message) throws IOException {
    Path file = file(name, lines.replace(';', '\n'));
    String found =
        assertThrows(FileFormatException.class, () -> Coordinates.read(file, 2)).getMessage();
    assertTrue(found.startsWith(folder + "/" + message), found);
  }

  @Test
  void refusesNumbersThatAreNoPlaces() {
    double[] good = {1, 2};
    assertEquals(2, Coordinates.of(good, good).x(1));
    assertThrows(IllegalArgumentException.class, () -> Coordinates.of(good, new double[1]));
    assertThrows(
        IllegalArgumentException.class, () -> Coordinates.of(good, new double[] {1, 1 / 0.0}));
  }

  /** Weights of roads and of nearest neighbors are the distances of what they join. */
  @ParameterizedTest
  @ValueSource(
      strings = {"road:n=500,seed=3", "knn:n=300,seed=5", "rgg:n=300", "grid:rows=7,columns=11"})
  void generatedVerticesLieAtTheirDistances(String spec) {
    GraphGenerator generator = GraphGenerators.parse(spec);
    Graph graph = generator.generate();
    Coordinates at = generator.coordinates().orElseThrow();
    DoubleUnaryOperator weight =
        spec.startsWith("road")
            ? d -> 1 + Math.floor(d * 10000)
            : spec.matches("(knn|rgg).*") ? d -> Math.floor(d * (1 << 30)) : d -> d;
    for (int v = 0; v < graph.vertices(); v++) {
      for (int a = graph.offsets()[v]; a < graph.offsets()[v + 1]; a++) {
        int u = graph.neighbors()[a];
        double distance = Math.hypot(at.x(u) - at.x(v), at.y(u) - at.y(v));
        assertEquals(
            spec.startsWith("grid") ? 1 : graph.weight(a), weight.applyAsDouble(distance), 1);
      }
    }
  }

  @Test
  void otherKindsLieNowhere() {
    assertEquals(Optional.empty(), GraphGenerators.parse("star:9").coordinates());
  }
}
