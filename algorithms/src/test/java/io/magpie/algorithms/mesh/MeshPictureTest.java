package io.magpie.algorithms.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.internal.PixelImage;
import io.magpie.algorithms.internal.PngReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.NodeList;

class MeshPictureTest {
  private static final int PAPER = 0xffffff;
  private static final int GOOD = 0xe6edf2;
  private static final int WORST = 0x8f0f14;
  private static final int LEAST_BAD = 0xfbb08f;
  private static final int SEGMENT = 0x14324a;

  /** A rectangle of width 2 and height 1 below which hangs a triangle with angles of 5 degrees. */
  private static final Mesh SHARP =
      Mesh.of(
          new double[] {0, 0, 2, 0, 2, 1, 0, 1, 1, -Math.tan(Math.toRadians(5))},
          new int[] {0, 1, 2, 0, 2, 3, 0, 4, 1},
          new int[] {0, 4, 4, 1, 1, 2, 2, 3, 3, 0});

  @TempDir Path folder;

  @Test
  void colorsTrianglesByTheirSmallestAngle() {
    // The halves of the rectangle have an angle of 26.6 degrees.
    PixelImage image = MeshPicture.of(SHARP).withSize(200).image();
    assertEquals(8 + 200 + 8, image.width());
    assertEquals(8 + 109 + 8, image.height());
    assertEquals(PAPER, image.get(3, 3));
    assertEquals(LEAST_BAD, image.get(8 + 150, 8 + 60));
    assertEquals(LEAST_BAD, image.get(8 + 50, 8 + 40));
    assertEquals(WORST, image.get(8 + 100, 8 + 104));
    assertEquals(SEGMENT, image.get(8 + 100, 8));
    PixelImage other = MeshPicture.of(SHARP).withSize(200).withMinimumAngle(26).image();
    assertEquals(GOOD, other.get(8 + 150, 8 + 60));
  }

  @Test
  void showsABadTriangleSmallerThanAPixelAmongGoodOnes() {
    Mesh mesh =
        Mesh.of(
            new double[] {0, 0, 1000, 0, 1000, 1000, 0, 1000, 500, 500, 500.3, 500, 500, 500.01},
            new int[] {0, 1, 5, 0, 5, 4, 1, 2, 5, 2, 6, 5, 2, 3, 6, 3, 4, 6, 3, 0, 4, 4, 5, 6});
    PixelImage image = MeshPicture.of(mesh).withSize(100).withMinimumAngle(0.5).image();
    assertEquals(
        1, differing(image, MeshPicture.of(mesh).withSize(100).withMinimumAngle(0).image()));
  }

  private static int differing(PixelImage one, PixelImage other) {
    int count = 0;
    for (int y = 0; y < one.height(); y++) {
      for (int x = 0; x < one.width(); x++) {
        count += one.get(x, y) == other.get(x, y) ? 0 : 1;
      }
    }
    return count;
  }

  @Test
  void drawsTwoMeshesAtTheSameScale() {
    Mesh before = Mesh.of(new double[] {0, 0, 2, 0, 0, 2}, new int[] {0, 1, 2});
    Mesh after = Grid.mesh(4);
    PixelImage both = MeshPicture.of(before, after).withSize(100).image();
    assertEquals(2 * 116, both.width());
    assertEquals(116, both.height());
    assertEquals(GOOD, both.get(8 + 20, 8 + 80));
    assertEquals(PAPER, both.get(8 + 20, 8 + 20));
    assertEquals(GOOD, both.get(116 + 8 + 20, 8 + 10));
  }

  @Test
  void writesWhatTheNameSays() throws Exception {
    Path png = folder.resolve("mesh.PNG");
    MeshPicture picture = MeshPicture.of(SHARP).withSize(64);
    picture.write(png);
    assertEquals(0, differing(picture.image(), PngReader.read(Files.readAllBytes(png))));
    Path svg = folder.resolve("mesh.svg");
    picture.write(svg);
    NodeList paths =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(svg.toFile())
            .getElementsByTagName("path");
    assertEquals(3, paths.getLength());
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> picture.write(folder.resolve("mesh.jpg")));
    assertTrue(refused.getMessage().endsWith("must end in .png or .svg, which is its format"));
    try (var files = Files.list(folder)) {
      assertEquals(2, files.count());
    }
  }

  @Test
  void writesAnSvgWithEveryTriangle() {
    String expected =
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="36" height="27">
        <rect width="100%" height="100%" fill="#ffffff"/>
        <g transform="translate(0 0)" stroke-linejoin="round" stroke-linecap="round">
        <path fill="#fbb08f" stroke="#8796a3" stroke-width="0.5" d="M8 18L28 18L28 8ZM8 18L28 8L8 8Z"><title>2 triangles below 30 degrees</title></path>
        <path fill="#8f0f14" stroke="#8796a3" stroke-width="0.5" d="M8 18L18 18.87L28 18Z"><title>1 triangles below 7.5 degrees</title></path>
        <path fill="none" stroke="#14324a" stroke-width="1.5" d="M8 18L18 18.87M18 18.87L28 18M28 18L28 8M28 8L8 8M8 8L8 18"/>
        </g>
        </svg>
        """;
    assertEquals(expected, MeshPicture.of(SHARP).withSize(20).svg());
  }

  @Test
  void refusesAnSvgOfTooManyTriangles() {
    Mesh large = Grid.mesh(501);
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> MeshPicture.of(large).svg());
    assertTrue(refused.getMessage().startsWith("502002 triangles are too many for an SVG"));
  }

  @Test
  void refusesSettingsOutOfRange() {
    MeshPicture picture = MeshPicture.of(SHARP);
    assertThrows(IllegalArgumentException.class, () -> picture.withSize(15));
    assertThrows(IllegalArgumentException.class, () -> picture.withSize(8193));
    assertThrows(IllegalArgumentException.class, () -> picture.withMinimumAngle(Double.NaN));
    assertThrows(IllegalArgumentException.class, () -> picture.withMinimumAngle(61));
  }

  @Test
  void drawsCoordinatesOfAnySize() {
    double[] coordinates = new double[10];
    for (int i = 0; i < 10; i++) {
      coordinates[i] = 1e16 * (i % 2 == 0 ? SHARP.x(i / 2) : SHARP.y(i / 2));
    }
    Mesh huge = Mesh.of(coordinates, SHARP.corners());
    assertEquals(
        0,
        differing(
            MeshPicture.of(huge).withSize(100).image(),
            MeshPicture.of(SHARP).withSize(100).image()));
  }

  @Test
  void drawsAnEmptyMesh() throws IOException {
    Mesh none = Mesh.of(new double[0], new int[0]);
    PixelImage image = MeshPicture.of(none).image();
    assertArrayEquals(new int[] {17, 17}, new int[] {image.width(), image.height()});
    assertEquals(PAPER, image.get(8, 8));
  }
}
