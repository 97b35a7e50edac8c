package io.magpie.algorithms.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class ColorScaleTest {
  @Test
  void colorsAreMixedByChannels() {
    ColorScale scale = new ColorScale(0x000000, 0x204060, 0xff00ff);
    assertEquals(0x000000, scale.at(0));
    assertEquals(0x081018, scale.at(0.125));
    assertEquals(0x204060, scale.at(0.5));
    assertEquals(0x9020b0, scale.at(0.75), "from 20, 40 and 60 to ff, 00 and ff");
    assertEquals(0xff00ff, scale.at(1));
    assertThrows(IllegalArgumentException.class, () -> new ColorScale(0x123456));
  }
}
