package io.magpie.algorithms.sat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.magpie.algorithms.internal.PixelImage;
import io.magpie.algorithms.internal.PngReader;
import io.magpie.algorithms.sat.SurveyOptions.Unconverged;
import io.magpie.algorithms.sat.SurveyReport.Step;
import io.magpie.algorithms.sat.SurveyResult.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A picture in 100 pixels has the curves in rows 8 to 57, and the bars in rows 66 to 81. */
class SurveyPictureTest {
  private static final int PAPER = 0xffffff;
  private static final int GROUND = 0xf1efea;
  private static final int VARIABLES = 0x14324a;
  private static final int CLAUSES = 0x3aa58b;
  private static final int BIAS = 0xe2703a;
  private static final int SWEEPS = 0x8fa3b3;
  private static final int UNCONVERGED = 0xc0392b;

  @TempDir Path folder;

  /** What some steps did to a formula of four variables and eight clauses. */
  private static SurveyPicture picture(Unconverged unconverged, Step... steps) {
    SurveyReport report =
        new SurveyReport(
            "cpu:1",
            SurveyOptions.defaults().withUnconverged(unconverged),
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            List.of(steps),
            List.of(),
            List.of(),
            0,
            0,
            0);
    return SurveyPicture.of(result(report)).withSize(100);
  }

  private static SurveyResult result(SurveyReport report) {
    Formula formula = Formula.of(4, Collections.nCopies(8, new int[] {1, 4}).toArray(int[][]::new));
    return new SurveyResult(
        formula, Outcome.PARAMAGNETIC, new byte[4], null, List.of(), false, report);
  }

  /** The middles of two steps are in columns 33 and 83. */
  @Test
  void curvesTellWhatIsOpenAndTheBias() {
    PixelImage image =
        picture(Unconverged.SEARCH, new Step(true, 3, 0.75, 4, 8), new Step(true, 1, 0.9, 2, 2))
            .image();
    assertEquals(8 + 100 + 8, image.width());
    assertEquals(8 + 50 + 8 + 16 + 8, image.height());
    assertEquals(VARIABLES, image.get(33, 8), "all variables, above all clauses");
    assertEquals(VARIABLES, image.get(58, 20), "on the way");
    assertEquals(VARIABLES, image.get(83, 33), "half of the variables");
    assertEquals(CLAUSES, image.get(83, 45), "a quarter of the clauses");
    assertEquals(BIAS, image.get(33, 20));
    assertEquals(BIAS, image.get(83, 12));
    assertEquals(GROUND, image.get(8, 8), "before the first step");
    assertEquals(GROUND, image.get(107, 57), "after the last");
    assertEquals(PAPER, image.get(7, 30));
    assertEquals(PAPER, image.get(108, 30));
    assertEquals(PAPER, image.get(50, 62));
  }

  /** One sweep is half as high as three: log 2 is half of log 4. */
  @Test
  void barsTellSweeps() {
    PixelImage image =
        picture(Unconverged.SEARCH, new Step(true, 3, 0.75, 4, 8), new Step(true, 1, 0.9, 2, 2))
            .image();
    assertEquals(PAPER, image.get(30, 65));
    assertEquals(SWEEPS, image.get(8, 66));
    assertEquals(SWEEPS, image.get(57, 81));
    assertEquals(GROUND, image.get(58, 66));
    assertEquals(GROUND, image.get(58, 73));
    assertEquals(SWEEPS, image.get(58, 74));
    assertEquals(SWEEPS, image.get(107, 81));
    assertEquals(PAPER, image.get(30, 82));
  }

  @Test
  void surveysThatDidNotConvergeAreRed() {
    Step[] steps = {new Step(true, 1, 0.5, 4, 8), new Step(false, 3, 0.1, 2, 2)};
    PixelImage decided = picture(Unconverged.DECIDE, steps).image();
    assertEquals(SWEEPS, decided.get(30, 81));
    assertEquals(UNCONVERGED, decided.get(100, 66));
    assertEquals(BIAS, decided.get(83, 8 + 45));
    PixelImage searched = picture(Unconverged.SEARCH, steps).image();
    assertEquals(UNCONVERGED, searched.get(100, 66));
    assertEquals(GROUND, searched.get(83, 8 + 45), "the search took over before there was a bias");
    assertEquals(BIAS, searched.get(33, 8 + 25));
  }

  @Test
  void noStepsOneAndMoreThanPixels() {
    assertEquals(GROUND, picture(Unconverged.SEARCH).image().get(50, 30));
    PixelImage one = picture(Unconverged.SEARCH, new Step(true, 0, 0.5, 4, 8)).image();
    assertEquals(BIAS, one.get(58, 33));
    assertEquals(GROUND, one.get(58, 81), "no sweeps");
    Step[] many = Collections.nCopies(500, new Step(true, 9, 0.5, 2, 2)).toArray(Step[]::new);
    PixelImage small = picture(Unconverged.SEARCH, many).withSize(16).image();
    for (int x = 8; x < 8 + 16; x++) {
      assertEquals(SWEEPS, small.get(x, 8 + 8 + 8), "column " + x);
    }
  }

  @Test
  void writesAPngOfTheSizeAskedFor() throws IOException {
    SurveyPicture picture = picture(Unconverged.SEARCH, new Step(true, 3, 0.75, 4, 8));
    Path file = folder.resolve("a.png");
    picture.write(file);
    PixelImage expected = picture.image();
    PixelImage written = PngReader.read(Files.readAllBytes(file));
    assertEquals(expected.width(), written.width());
    assertEquals(expected.height(), written.height());
    for (int i = 0; i < 116 * 90; i++) {
      assertEquals(expected.get(i % 116, i / 116), written.get(i % 116, i / 116), "pixel " + i);
    }
    assertThrows(IllegalArgumentException.class, () -> picture.withSize(15));
    assertThrows(IllegalArgumentException.class, () -> picture.withSize(8193));
    assertThrows(IllegalArgumentException.class, () -> SurveyPicture.of(result(null)));
  }
}
