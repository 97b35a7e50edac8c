package io.magpie.examples.cli.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.magpie.algorithms.internal.PixelCanvas;
import io.magpie.algorithms.internal.PixelImage;
import io.magpie.verification.check.Dependency;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.history.Anomaly;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DotFontTest {
  private static final String KNOWN = "abcdefghijklmnopqrstuvwxyz0123456789:,.-?";

  /** Dots of a text, row by row. */
  private static String dots(String text) {
    int width = DotFont.width(text) + 1;
    PixelCanvas canvas = new PixelCanvas(width, DotFont.HEIGHT, 0);
    DotFont.draw(canvas, text, 0, 0, 1, 0xffffff);
    PixelImage image = new PixelImage(width, DotFont.HEIGHT);
    canvas.shrinkInto(image, 0, 1);
    StringBuilder dots = new StringBuilder();
    for (int y = 0; y < image.height(); y++) {
      for (int x = 0; x < width; x++) {
        dots.append(image.get(x, y) == 0 ? '.' : '#');
      }
      dots.append('\n');
    }
    return dots.toString();
  }

  @Test
  void charactersDiffer() {
    Map<String, Character> seen = new HashMap<>();
    seen.put(dots(" "), ' ');
    for (char each : KNOWN.toCharArray()) {
      assertNull(seen.put(dots("" + each), each), "'" + each + "' looks like another");
    }
  }

  @Test
  void aTextIsItsCharactersSideBySide() {
    assertEquals(11, DotFont.width("t1"));
    assertEquals(
        """
        .#......#...
        .#.....##...
        ###.....#...
        .#......#...
        .#......#...
        .#..#...#...
        ..##...###..
        ............
        ............
        """,
        dots("t1"));
    assertEquals(dots("  "), dots("\u00e9\u2192"), "others are blanks");
    assertEquals(0, DotFont.width(""));
  }

  /** All that pictures of runs are to say. */
  @Test
  void titlesAreOfKnownCharacters() {
    for (Violation.Kind each : Violation.Kind.values()) {
      assertKnown(each.words());
    }
    for (Anomaly each : Anomaly.values()) {
      assertKnown(each.title());
    }
    for (Dependency.Kind each : Dependency.Kind.values()) {
      assertKnown(each.toString());
    }
  }

  private static void assertKnown(String text) {
    assertEquals("", text.replaceAll("[ " + KNOWN.replace("-", "\\-") + "]", ""), text);
  }
}
