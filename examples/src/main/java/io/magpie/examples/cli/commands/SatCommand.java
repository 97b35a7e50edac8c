package io.magpie.examples.cli.commands;

import io.magpie.algorithms.sat.DimacsFormat;
import io.magpie.algorithms.sat.Formula;
import io.magpie.algorithms.sat.FormulaGenerator;
import io.magpie.algorithms.sat.FormulaVerifier;
import io.magpie.algorithms.sat.SurveyOptions;
import io.magpie.algorithms.sat.SurveyPicture;
import io.magpie.algorithms.sat.SurveyPropagation;
import io.magpie.algorithms.sat.SurveyReport.Step;
import io.magpie.algorithms.sat.SurveyResult;
import io.magpie.examples.cli.options.DeviceOption;
import io.magpie.examples.cli.options.InputOptions;
import io.magpie.examples.cli.options.JsonOption;
import io.magpie.examples.cli.options.Outputs;
import io.magpie.examples.cli.options.ResultPictureOptions;
import io.magpie.examples.cli.options.SettingOptions;
import io.magpie.examples.cli.output.Counts;
import io.magpie.examples.cli.output.OutputFile;
import io.magpie.examples.compare.Progress;
import io.magpie.examples.input.FormulaInput;
import io.magpie.examples.input.InputKind;
import io.magpie.stm.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Looks for a satisfying assignment. */
@Command(
    name = "sat",
    description = "Find a satisfying assignment of a Boolean formula by survey propagation.")
final class SatCommand extends AlgorithmCommand<SatOutcome> {
  private static final int PERCENT = 100;

  private final InputOptions<FormulaInput> input;

  @Mixin private final CommandSpec inputOptions;

  @Mixin private DeviceOption device;

  private final SettingOptions<SurveyOptions> settings =
      new SettingOptions<>(SurveyOptions.defaults());

  @Mixin private final CommandSpec settingOptions = settings.spec();

  @Option(
      names = "--verify",
      description =
          "Check the assignment, and repeat unit propagation from the chosen literals; exit status"
              + " 1 if the result is wrong.")
  private boolean verify;

  @Option(
      names = "--details",
      description = "After the result, also show each step of the decimation and each phase.")
  private boolean details;

  @Mixin private JsonOption json;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "Write the result as SAT competitions do: a line s SATISFIABLE, s UNSATISFIABLE or"
              + " s UNKNOWN, and the assignment in lines that begin with v; of a formula that was"
              + " not solved, the values that were decided, in comments.")
  private Path out;

  @Option(
      names = "--rest-out",
      paramLabel = "FILE",
      description =
          "Write what the decided values leave of the formula, in DIMACS format; all of it after a"
              + " contradiction between them, as none is kept; also with .gz or .xz.")
  private Path restOut;

  @Option(
      names = "--formula-out",
      paramLabel = "FILE",
      description = "Write the formula itself in that format, such as a generated one.")
  private Path formulaOut;

  private final ResultPictureOptions picture =
      new ResultPictureOptions(
          "Draw how decimation went, step by step: what is open, the mean bias, and sweeps.");

  @Mixin private final CommandSpec pictureOptions = picture.spec();

  private FormulaInput source;
  private SurveyOptions options;
  private OutputFile valuesFile;
  private OutputFile restFile;
  private OutputFile formulaFile;
  private OutputFile pictureFile;

  /**
   * @param kinds of input that there are
   */
  SatCommand(List<InputKind> kinds) {
    input = new InputOptions<>(FormulaInput.class, "a formula", kinds);
    inputOptions = input.spec();
  }

  /** What the help ends with. */
  static String[] kinds() {
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add("Formulas to generate:");
    FormulaGenerator.usage().forEach(line -> lines.add("  " + line));
    return lines.toArray(String[]::new);
  }

  @Override
  void checkOptions() {
    source = input.input(spec);
    options = settings.options(spec);
  }

  @Override
  JsonOption json() {
    return json;
  }

  @Override
  List<Path> filesRead() {
    return source.filesRead();
  }

  @Override
  void checkFiles(Outputs outputs) {
    valuesFile = outputs.at("--out", out);
    restFile = outputs.at("--rest-out", restOut);
    formulaFile = outputs.at("--formula-out", formulaOut);
    pictureFile = picture.file(spec, outputs);
  }

  @Override
  Device open() {
    return device.open(spec);
  }

  @Override
  SatOutcome run(Device device, Progress progress) throws IOException {
    progress.begin(source.generated() ? "generating" : "reading", -1);
    Formula formula = Reading.of(source, source::formula);
    progress.begin("deciding", PERCENT);
    SurveyResult result =
        SurveyPropagation.run(device, formula, options, new Teller(formula, progress)::tell);
    if (!verify) {
      return new SatOutcome(source, result, false, List.of(), details);
    }
    progress.begin("verifying", -1);
    return new SatOutcome(source, result, true, FormulaVerifier.verify(result), details);
  }

  /** Tells how many variables are still open. */
  private static final class Teller {
    private final Formula formula;
    private final Progress progress;
    private int percent;

    Teller(Formula formula, Progress progress) {
      this.formula = formula;
      this.progress = progress;
    }

    void tell(Step step) {
      long decided = (long) formula.variables() - step.openVariables();
      for (; percent < decided * PERCENT / formula.variables(); percent++) {
        progress.advance();
      }
      progress.tell(
          Counts.number(step.openVariables()) + " variables left, " + step.sweeps() + " sweeps");
    }
  }

  @Override
  void write(SatOutcome outcome, Progress progress) {
    if (valuesFile != null || restFile != null || formulaFile != null) {
      progress.begin("writing", -1);
    }
    SurveyResult result = outcome.result();
    if (valuesFile != null) {
      valuesFile.writeBy(path -> DimacsFormat.writeResult(result, path));
    }
    if (restFile != null) {
      restFile.writeBy(path -> DimacsFormat.write(result.rest(), path));
    }
    if (formulaFile != null) {
      formulaFile.writeBy(path -> DimacsFormat.write(result.formula(), path));
    }
    if (pictureFile != null) {
      progress.begin("drawing", -1);
      pictureFile.writeBy(SurveyPicture.of(result).withSize(picture.pixels())::write);
    }
  }

  @Override
  void require(SatOutcome outcome) {
    if (outcome.wrong()) {
      throw new VerificationException("the result is wrong: " + outcome.mistake());
    }
    SurveyResult result = outcome.result();
    if (result.unsatisfiable() || result.outcome() == SurveyResult.Outcome.SOLVED) {
      return;
    }
    throw new StoppedEarlyException(stop(result));
  }

  /** Why there is no assignment, and what to do. */
  private static String stop(SurveyResult result) {
    String left = Counts.number(result.rest().clauses(), "clause is left", "clauses are left");
    return switch (result.outcome()) {
      case SOLVED -> throw new IllegalArgumentException("it was solved");
      case CONTRADICTION ->
          (result.conflict()
                  ? "stopped at a contradiction between decided values"
                  : "stopped as surveys say that a variable can be neither true nor false")
              + ", which does not mean that the formula is unsatisfiable: try another --start, or a smaller --fraction";
      case UNCONVERGED ->
          "stopped as surveys did not converge and the local search found nothing: "
              + left
              + "; try another --start, or a larger --max-sweeps or --flips-per-variable";
      case PARAMAGNETIC ->
          "stopped as surveys tell nothing about the rest and the local search found nothing: "
              + left
              + "; try another --start, a smaller --fraction, or a larger --flips-per-variable";
    };
  }
}
