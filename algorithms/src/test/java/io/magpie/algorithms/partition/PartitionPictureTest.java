package io.magpie.algorithms.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.Coordinates;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphGenerator;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.internal.PixelImage;
import io.magpie.algorithms.internal.PngReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartitionPictureTest {
  private static final int PAPER = 0xffffff;
  private static final int CUT = 0x202428;

  @TempDir Path folder;

  /** A square of side 4 and its sides; the left half is part 0, the right half part 1. */
  private static PartitionPicture square() {
    GraphBuilder builder = new GraphBuilder(4, false);
    for (int v = 0; v < 4; v++) {
      builder.addEdge(v, (v + 1) % 4);
    }
    Coordinates corners = Coordinates.of(new double[] {0, 4, 4, 0}, new double[] {0, 0, 4, 4});
    return PartitionPicture.of(builder.build(), corners, new int[] {0, 1, 1, 0}).withSize(100);
  }

  @Test
  void colorsVerticesAndEdgesByPartAndCutEdgesDark() {
    PixelImage image = square().image();
    assertEquals(8 + 100 + 8, image.width());
    assertEquals(8 + 100 + 8, image.height());
    assertEquals(PAPER, image.get(8 + 50, 8 + 50));
    assertEquals(PAPER, image.get(1, 1));
    assertEquals(PartitionPicture.color(0), image.get(8 - 3, 8 + 3));
    assertEquals(PartitionPicture.color(1), image.get(8 + 100 + 3, 8 + 97));
    assertEquals(CUT, image.get(8 + 50, 8 - 1));
    // An edge within a part is one sample thick, so half of its pixel is paper.
    int edge = image.get(8, 8 + 50);
    assertTrue(edge != PAPER && edge != CUT, Integer.toHexString(edge));
  }

  @Test
  void upIsUp() {
    Graph graph = new GraphBuilder(2, false).build();
    Coordinates coordinates = Coordinates.of(new double[] {0, 0}, new double[] {0, 1});
    PixelImage image =
        PartitionPicture.of(graph, coordinates, new int[] {0, 1}).withSize(50).image();
    assertEquals(PartitionPicture.color(1), image.get(8, 8));
    assertEquals(PartitionPicture.color(0), image.get(8, 8 + 49));
  }

  @Test
  void writesAPng() throws IOException {
    Path file = folder.resolve("a.png");
    square().write(file);
    PixelImage expected = square().image();
    PixelImage written = PngReader.read(Files.readAllBytes(file));
    assertEquals(expected.width(), written.width());
    assertEquals(expected.height(), written.height());
    for (int i = 0; i < 116 * 116; i++) {
      assertEquals(expected.get(i % 116, i / 116), written.get(i % 116, i / 116), "pixel " + i);
    }
    assertThrows(IOException.class, () -> square().write(folder.resolve("none").resolve("a.png")));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(1, files.count());
    }
  }

  @Test
  void manyVerticesFillTheirParts() {
    GraphGenerator generator = GraphGenerators.parse("grid:rows=300,columns=300");
    Graph graph = generator.generate();
    int[] parts = new int[graph.vertices()];
    for (int v = 0; v < parts.length; v++) {
      parts[v] = v % 300 < 150 ? 0 : 1;
    }
    PixelImage image =
        PartitionPicture.of(graph, generator.coordinates().orElseThrow(), parts)
            .withSize(150)
            .image();
    assertEquals(PartitionPicture.color(0), image.get(8 + 30, 8 + 75));
    assertEquals(PartitionPicture.color(1), image.get(8 + 120, 8 + 75));
  }

  @Test
  void partsNearbyInNumberDifferInColor() {
    Set<Integer> colors = new HashSet<>();
    for (int p = 0; p < 256; p++) {
      assertTrue(colors.add(PartitionPicture.color(p)), "part " + p);
      assertTrue(PartitionPicture.color(p) >>> 24 == 0, "part " + p);
      assertTrue(PartitionPicture.color(p) != PAPER && PartitionPicture.color(p) != CUT);
    }
  }

  @Test
  void drawsNothingAndOnePoint() {
    Graph none = new GraphBuilder(0, false).build();
    Coordinates nowhere = Coordinates.of(new double[0], new double[0]);
    assertEquals(17, PartitionPicture.of(none, nowhere, new int[0]).image().width());
    Graph one = new GraphBuilder(1, false).build();
    Coordinates there = Coordinates.of(new double[] {7}, new double[] {-3});
    PixelImage image = PartitionPicture.of(one, there, new int[] {0}).image();
    assertEquals(PartitionPicture.color(0), image.get(8, 8));
  }

  @Test
  void refusesWhatDoesNotFitTogether() {
    Graph graph = new GraphBuilder(2, false).build();
    Coordinates one = Coordinates.of(new double[1], new double[1]);
    Coordinates two = Coordinates.of(new double[2], new double[2]);
    assertThrows(IllegalArgumentException.class, () -> PartitionPicture.of(graph, one, new int[2]));
    assertThrows(IllegalArgumentException.class, () -> PartitionPicture.of(graph, two, new int[1]));
    PartitionPicture picture = PartitionPicture.of(graph, two, new int[2]);
    assertThrows(IllegalArgumentException.class, () -> picture.withSize(15));
    assertThrows(IllegalArgumentException.class, () -> picture.withSize(8193));
  }
}
