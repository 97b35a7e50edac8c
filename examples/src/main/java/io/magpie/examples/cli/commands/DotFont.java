package io.magpie.examples.cli.commands;

import io.magpie.algorithms.internal.PixelCanvas;

/**
 * Small letters, digits and some marks, in dots: pictures need no fonts of the machine's, and are
 * the same on all. A character that is not known is a blank.
 */
final class DotFont {
  /** Dots of a line from top to bottom. */
  static final int HEIGHT = 9;

  /** Those above the line on which letters stand. */
  static final int ASCENT = 7;

  private static final int WIDTH = 5;

  /** From a character to the next. */
  private static final int ADVANCE = WIDTH + 1;

  private static final String CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789:,.-?";

  /** Rows of dots of the characters, in their order. */
  private static final String[][] ROWS = {
    {
      "..... #.... ..... ....# ..... ..##. ..... #.... ..#.. ...#. #.... .##.. .....",
      "..... #.... ..... ....# ..... .#..# ..... #.... ..... ..... #.... ..#.. .....",
      ".###. #.##. .###. .##.# .###. .#... .#### #.##. .##.. ..##. #..#. ..#.. ##.#.",
      "....# ##..# #...# #..## #...# ###.. #...# ##..# ..#.. ...#. #.#.. ..#.. #.#.#",
      ".#### #...# #.... #...# ##### .#... #...# #...# ..#.. ...#. ##... ..#.. #.#.#",
      "#...# #...# #...# #...# #.... .#... #...# #...# ..#.. ...#. #.#.. ..#.. #.#.#",
      ".#### ####. .###. .#### .###. .#... .#### #...# .###. ...#. #..#. .###. #...#",
      "..... ..... ..... ..... ..... ..... ....# ..... ..... #..#. ..... ..... .....",
      "..... ..... ..... ..... ..... ..... .###. ..... ..... .##.. ..... ..... ....."
    },
    {
      "..... ..... ..... ..... ..... ..... .#... ..... ..... ..... ..... ..... .....",
      "..... ..... ..... ..... ..... ..... .#... ..... ..... ..... ..... ..... .....",
      "#.##. .###. ####. .#### #.##. .#### ###.. #...# #...# #...# #...# #...# #####",
      "##..# #...# #...# #...# ##..# #.... .#... #...# #...# #.#.# .#.#. #...# ...#.",
      "#...# #...# #...# #...# #.... .###. .#... #...# #...# #.#.# ..#.. #...# ..#..",
      "#...# #...# #...# #...# #.... ....# .#..# #..## .#.#. #.#.# .#.#. #...# .#...",
      "#...# .###. ####. .#### #.... ####. ..##. .##.# ..#.. .#.#. #...# .#### #####",
      "..... ..... #.... ....# ..... ..... ..... ..... ..... ..... ..... ....# .....",
      "..... ..... #.... ....# ..... ..... ..... ..... ..... ..... ..... .###. ....."
    },
    {
      ".###. ..#.. .###. .###. ...#. ##### ..##. ##### .###. .###.",
      "#...# .##.. #...# #...# ..##. #.... .#... ....# #...# #...#",
      "#..## ..#.. ....# ....# .#.#. ####. #.... ...#. #...# #...#",
      "#.#.# ..#.. ..##. ..##. #..#. ....# ####. ..#.. .###. .####",
      "##..# ..#.. .#... ....# ##### ....# #...# .#... #...# ....#",
      "#...# ..#.. #.... #...# ...#. #...# #...# .#... #...# ...#.",
      ".###. .###. ##### .###. ...#. .###. .###. .#... .###. .##..",
      "..... ..... ..... ..... ..... ..... ..... ..... ..... .....",
      "..... ..... ..... ..... ..... ..... ..... ..... ..... ....."
    },
    {
      "..... ..... ..... ..... .###.",
      "..... ..... ..... ..... #...#",
      "..#.. ..... ..... ..... ....#",
      "..... ..... ..... ##### ..##.",
      "..... ..... ..... ..... ..#..",
      "..... ..#.. ..... ..... .....",
      "..#.. ..#.. ..#.. ..... ..#..",
      "..... .#... ..... ..... .....",
      "..... ..... ..... ..... ....."
    }
  };

  private DotFont() {}

  /** Dots that a text is wide. */
  static int width(String text) {
    return Math.max(0, ADVANCE * text.length() - 1);
  }

  /**
   * Draws a text.
   *
   * @param left in samples, as are the next
   * @param top of the line
   * @param dot side of a dot
   */
  static void draw(PixelCanvas canvas, String text, int left, int top, int dot, int color) {
    for (int i = 0; i < text.length(); i++) {
      int known = CHARACTERS.indexOf(text.charAt(i));
      for (int row = 0; row < HEIGHT && known >= 0; row++) {
        for (int column = 0; column < WIDTH; column++) {
          if (isSet(known, row, column)) {
            int x = left + (i * ADVANCE + column) * dot;
            int y = top + row * dot;
            canvas.rectangle(x, y, x + dot, y + dot, color);
          }
        }
      }
    }
  }

  private static boolean isSet(int character, int row, int column) {
    int at = character;
    for (String[] rows : ROWS) {
      int characters = (rows[0].length() + 1) / ADVANCE;
      if (at < characters) {
        return rows[row].charAt(at * ADVANCE + column) == '#';
      }
      at -= characters;
    }
    return false;
  }
}
