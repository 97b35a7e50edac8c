package io.magpie.algorithms.sat;

import io.magpie.algorithms.internal.PixelCanvas;
import io.magpie.algorithms.internal.PixelImage;
import io.magpie.algorithms.internal.PlaneFrame;
import io.magpie.algorithms.internal.PointDrawing;
import io.magpie.algorithms.sat.SurveyOptions.Unconverged;
import io.magpie.algorithms.sat.SurveyReport.Step;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Draws how decimation went, its steps from left to right, those since the last restart. Above are
 * three curves from 0 to 1: the part of the variables that are in open clauses and have no value,
 * in dark blue; the part of the clauses that are open, in green; and the mean bias of these
 * variables, in orange. Below are bars: how many sweeps each step took, on a logarithmic scale up
 * to the most of any; red where surveys did not converge.
 *
 * <p>The picture depends on nothing but the steps, the formula's size and the picture's. Cost:
 * O(pixels + steps).
 *
 * <p>Immutable: {@link #withSize} returns another picture.
 */
public final class SurveyPicture {
  private static final int DEFAULT_SIZE = 1000;
  private static final int SAMPLES = PointDrawing.SAMPLES;
  private static final int THICKNESS = 2 * SAMPLES;
  private static final int MARGIN = 8;
  private static final int PAPER = 0xffffff;
  private static final int GROUND = 0xf1efea;
  private static final int VARIABLES = 0x14324a;
  private static final int CLAUSES = 0x3aa58b;
  private static final int BIAS = 0xe2703a;
  private static final int SWEEPS = 0x8fa3b3;
  private static final int UNCONVERGED = 0xc0392b;

  private final Formula formula;
  private final SurveyReport report;
  private final int size;

  private SurveyPicture(Formula formula, SurveyReport report, int size) {
    this.formula = formula;
    this.report = report;
    this.size = size;
  }

  /**
   * A picture in 1000 pixels from the first step to the last.
   *
   * @throws IllegalArgumentException if the result has no report
   */
  public static SurveyPicture of(SurveyResult result) {
    SurveyReport report =
        result
            .report()
            .orElseThrow(() -> new IllegalArgumentException("the result has no report to draw"));
    return new SurveyPicture(result.formula(), report, DEFAULT_SIZE);
  }

  /** The same with so many pixels, 16 to 8192, from the first step to the last. */
  public SurveyPicture withSize(int pixels) {
    return new SurveyPicture(formula, report, PlaneFrame.requireSize(pixels));
  }

  /**
   * Writes the picture as PNG. A file of that name is replaced when the new one is complete.
   *
   * @throws IOException if it cannot be written
   */
  public void write(Path file) throws IOException {
    PointDrawing.write(image(), file);
  }

  /** The picture in pixels. */
  PixelImage image() {
    int curves = size / 2;
    int bars = size / 6;
    int width = MARGIN + size + MARGIN;
    int height = MARGIN + curves + MARGIN + bars + MARGIN;
    PixelCanvas canvas = new PixelCanvas(SAMPLES * width, SAMPLES * height, PAPER);
    new Panel(canvas, SAMPLES * (MARGIN + curves + MARGIN), SAMPLES * bars).sweeps();
    Panel upper = new Panel(canvas, SAMPLES * MARGIN, SAMPLES * curves);
    List<Step> steps = report.steps();
    upper.curve(steps, step -> (double) step.openClauses() / formula.clauses(), CLAUSES);
    upper.curve(steps, step -> (double) step.openVariables() / formula.variables(), VARIABLES);
    upper.curve(steps.stream().filter(this::hasBias).toList(), Step::bias, BIAS);
    PixelImage image = new PixelImage(width, height);
    canvas.shrinkInto(image, 0, SAMPLES);
    return image;
  }

  /** Surveys that were left to the local search have none; there is no step after them. */
  private boolean hasBias(Step step) {
    return step.converged() || report.options().unconverged() == Unconverged.DECIDE;
  }

  /** A part of the picture, over all its width; places are in samples. */
  private final class Panel {
    private final PixelCanvas canvas;
    private final int left = SAMPLES * MARGIN;
    private final int width = SAMPLES * size;
    private final int top;
    private final int height;

    Panel(PixelCanvas canvas, int top, int height) {
      this.canvas = canvas;
      this.top = top;
      this.height = height;
      canvas.rectangle(left, top, left + width, top + height, GROUND);
    }

    /** A curve through the middles of steps. */
    void curve(List<Step> steps, ToDoubleFunction<Step> value, int color) {
      for (int i = 0; i < steps.size(); i++) {
        int from = Math.max(0, i - 1);
        canvas.line(
            x(from),
            y(value.applyAsDouble(steps.get(from))),
            x(i),
            y(value.applyAsDouble(steps.get(i))),
            THICKNESS,
            color);
      }
    }

    private double x(int step) {
      return left + (step + 0.5) * width / report.steps().size();
    }

    private double y(double value) {
      return top + (1 - value) * height;
    }

    /** A bar for each step. */
    void sweeps() {
      List<Step> steps = report.steps();
      int most = steps.stream().mapToInt(Step::sweeps).max().orElse(0);
      for (int i = 0; i < steps.size() && most > 0; i++) {
        int begin = (int) ((long) i * width / steps.size());
        int end = Math.max(begin + 1, (int) ((i + 1L) * width / steps.size()));
        double part = Math.log1p(steps.get(i).sweeps()) / Math.log1p(most);
        int high = (int) Math.round(part * height);
        int color = steps.get(i).converged() ? SWEEPS : UNCONVERGED;
        canvas.rectangle(left + begin, top + height - high, left + end, top + height, color);
      }
    }
  }
}
