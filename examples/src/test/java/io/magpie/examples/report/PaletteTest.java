package io.magpie.examples.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PaletteTest {
  /** What the three kinds of color blindness leave of linear light (Machado et al., 2009). */
  private static final List<double[][]> EYES =
      List.of(
          new double[][] {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
          new double[][] {
            {0.152286, 1.052583, -0.204868},
            {0.114503, 0.786281, 0.099216},
            {-0.003882, -0.048116, 1.051998}
          },
          new double[][] {
            {0.367322, 0.860646, -0.227968},
            {0.280085, 0.672501, 0.047413},
            {-0.011820, 0.042940, 0.968881}
          },
          new double[][] {
            {1.255528, -0.076749, -0.178779},
            {-0.078411, 0.930809, 0.147602},
            {0.004733, 0.691367, 0.303900}
          });

  static Stream<Palette.Ground> grounds() {
    return Stream.of(Palette.LIGHT, Palette.DARK);
  }

  @Test
  void contrastIsThatOfTheGuidelines() {
    assertEquals(21, Palette.contrast("#000000", "#ffffff"), 1e-9);
    assertEquals(4.54, Palette.contrast("#767676", "#ffffff"), 0.005);
    assertEquals(1, Palette.contrast("#123456", "#123456"));
  }

  @ParameterizedTest
  @MethodSource("grounds")
  void everythingIsSeen(Palette.Ground ground) {
    assertTrue(Palette.contrast(ground.text(), ground.page()) >= 7);
    assertTrue(Palette.contrast(ground.muted(), ground.page()) >= 4.5);
    assertEquals(Palette.SIZE, ground.series().size());
    for (String each : ground.series()) {
      assertTrue(Palette.contrast(each, ground.page()) >= 3, each);
      assertTrue(Palette.contrast(each, Palette.written(each)) >= 4.5, each);
    }
  }

  /** A distance of 0.1 in OKLab is several times what people just notice. */
  @ParameterizedTest
  @MethodSource("grounds")
  void everybodyTellsColorsApart(Palette.Ground ground) {
    for (double[][] eye : EYES) {
      for (int i = 0; i < Palette.SIZE; i++) {
        for (int j = 0; j < i; j++) {
          String one = ground.series().get(i);
          String other = ground.series().get(j);
          double distance = distance(seen(one, eye), seen(other, eye));
          assertTrue(distance >= 0.1, one + " and " + other + ": " + distance);
        }
      }
    }
  }

  private static double[] seen(String color, double[][] eye) {
    double[] light = {
      Palette.channel(color, 1), Palette.channel(color, 3), Palette.channel(color, 5)
    };
    double[] seen = new double[3];
    for (int i = 0; i < 3; i++) {
      double sum = eye[i][0] * light[0] + eye[i][1] * light[1] + eye[i][2] * light[2];
      seen[i] = Math.max(0, Math.min(1, sum));
    }
    return seen;
  }

  private static double distance(double[] one, double[] other) {
    double[] a = lab(one);
    double[] b = lab(other);
    return Math.hypot(Math.hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
  }

  /** OKLab of linear light. */
  private static double[] lab(double[] c) {
    double l = Math.cbrt(0.4122214708 * c[0] + 0.5363325363 * c[1] + 0.0514459929 * c[2]);
    double m = Math.cbrt(0.2119034982 * c[0] + 0.6806995451 * c[1] + 0.1073969566 * c[2]);
    double s = Math.cbrt(0.0883024619 * c[0] + 0.2817188376 * c[1] + 0.6299787005 * c[2]);
    return new double[] {
      0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
      1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
      0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s
    };
  }
}
