package io.magpie.examples.cli.commands;

import io.magpie.algorithms.pointsto.ConstraintFormats;
import io.magpie.algorithms.pointsto.ConstraintGenerator;
import io.magpie.algorithms.pointsto.ConstraintSet;
import io.magpie.algorithms.pointsto.LlvmProgram;
import io.magpie.algorithms.pointsto.PointsToAnalysis;
import io.magpie.algorithms.pointsto.PointsToOptions;
import io.magpie.algorithms.pointsto.PointsToPicture;
import io.magpie.algorithms.pointsto.PointsToResult;
import io.magpie.algorithms.pointsto.PointsToSizeException;
import io.magpie.algorithms.pointsto.PointsToVerifier;
import io.magpie.examples.cli.options.DeviceOption;
import io.magpie.examples.cli.options.InputOptions;
import io.magpie.examples.cli.options.JsonOption;
import io.magpie.examples.cli.options.Outputs;
import io.magpie.examples.cli.options.ResultPictureOptions;
import io.magpie.examples.cli.options.SettingOptions;
import io.magpie.examples.cli.output.OutputFile;
import io.magpie.examples.compare.Progress;
import io.magpie.examples.input.ConstraintInput;
import io.magpie.examples.input.InputException;
import io.magpie.examples.input.InputKind;
import io.magpie.examples.input.ProgramFile;
import io.magpie.stm.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Finds what variables may point to. */
@Command(
    name = "pointsto",
    description = "Find what the variables of a program may point to: Andersen's analysis.")
final class PointsToCommand extends AlgorithmCommand<PointsToOutcome> {
  private final InputOptions<ConstraintInput> input;

  @Mixin private final CommandSpec inputOptions;

  @Option(names = "--seed", paramLabel = "N", description = "Seed of the generator; default 1.")
  private Long seed;

  @Mixin private DeviceOption device;

  private final SettingOptions<PointsToOptions> settings =
      new SettingOptions<>(PointsToOptions.defaults());

  @Mixin private final CommandSpec settingOptions = settings.spec();

  @Option(
      names = "--verify",
      description = "Compare with a sequential solver; exit status 1 if a set is wrong.")
  private boolean verify;

  @Option(names = "--details", description = "After the result, also show what each phase did.")
  private boolean details;

  @Mixin private JsonOption json;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "Write a line for each variable: the variables that it may point to, counted from 0.")
  private Path out;

  @Option(
      names = "--constraints-out",
      paramLabel = "FILE",
      description =
          "Write the constraints: as lines, or as LonestarGPU's files if FILE's name ends in"
              + " _constraints_after_hcd.txt.")
  private Path constraintsOut;

  @Option(
      names = "--query",
      paramLabel = "NAME",
      description =
          "Show what a variable of a program may point to, such as '*@head' for the global variable"
              + " head, or '@main/%%3' for a register; may be repeated.")
  private List<String> queries = new ArrayList<>();

  @Option(
      names = "--names-out",
      paramLabel = "FILE",
      description = "Write a line for each variable of a program: its name.")
  private Path namesOut;

  private final ResultPictureOptions picture =
      new ResultPictureOptions(
          "Draw the points-to sets: a row for each variable, a column for each target, brighter where"
              + " more of the pairs are there.");

  @Mixin private final CommandSpec pictureOptions = picture.spec();

  private ConstraintInput source;
  private PointsToOptions options;
  private OutputFile setsFile;
  private OutputFile constraintsFile;
  private OutputFile namesFile;
  private OutputFile pictureFile;

  /** What the help ends with. */
  static String[] kinds() {
    List<String> lines = new ArrayList<>(List.of("", "Kinds of generated constraints:"));
    ConstraintGenerator.usage().forEach(line -> lines.add("  " + line));
    return lines.toArray(new String[0]);
  }

  /**
   * @param kinds of input that there are
   */
  PointsToCommand(List<InputKind> kinds) {
    input = new InputOptions<>(ConstraintInput.class, "constraints", kinds);
    inputOptions = input.spec();
  }

  @Override
  void checkOptions() {
    source = input.input(spec);
    try {
      source = seed == null ? source : source.withSeed(seed);
    } catch (IllegalArgumentException e) {
      throw usage(e);
    }
    options = settings.options(spec);
    if (!(source instanceof ProgramFile) && (namesOut != null || !queries.isEmpty())) {
      throw usage(
          (namesOut != null ? "--names-out" : "--query")
              + " has no effect on "
              + source.description()
              + ": only programs, .ll, have names");
    }
    if (constraintsOut != null && LlvmProgram.isName(constraintsOut)) {
      throw usage(
          "--constraints-out "
              + constraintsOut
              + ": constraints cannot be written as a program; choose a name without .ll");
    }
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
    setsFile = outputs.at("--out", out);
    if (constraintsOut != null) {
      constraintsFile =
          outputs.at(
              "--constraints-out", constraintsOut, ConstraintFormats.filesOf(constraintsOut));
    }
    namesFile = outputs.at("--names-out", namesOut);
    pictureFile = picture.file(spec, outputs);
  }

  @Override
  Device open() {
    return device.open(spec);
  }

  @Override
  PointsToOutcome run(Device device, Progress progress) throws IOException {
    progress.begin(source.generated() ? "generating" : "reading", -1);
    LlvmProgram program = null;
    ConstraintSet constraints;
    if (source instanceof ProgramFile file) {
      program = Reading.of(source, file::program);
      constraints = program.constraints();
      requireNames(program);
    } else {
      constraints = Reading.of(source, source::constraints);
    }
    settings.requireEffect(spec, options, options.chosen(device, constraints));
    progress.begin("computing", -1);
    try {
      PointsToResult result = PointsToAnalysis.run(device, constraints, options);
      if (!verify) {
        return new PointsToOutcome(source, program, queries, result, false, List.of(), details);
      }
      progress.begin("verifying", -1);
      List<String> mistakes = PointsToVerifier.verify(result);
      return new PointsToOutcome(source, program, queries, result, true, mistakes, details);
    } catch (PointsToSizeException e) {
      throw new InputException(source.description() + ": " + e.getMessage(), e);
    }
  }

  private void requireNames(LlvmProgram program) {
    for (String name : queries) {
      if (program.variable(name).isEmpty()) {
        throw new InputException(
            source.description()
                + ": no variable '"
                + name
                + "' for --query; --names-out FILE writes all names");
      }
    }
  }

  @Override
  void write(PointsToOutcome found, Progress progress) throws IOException {
    if (setsFile != null || constraintsFile != null || namesFile != null) {
      progress.begin("writing", -1);
    }
    if (setsFile != null) {
      setsFile.write(found::writeSets);
    }
    if (constraintsFile != null) {
      ConstraintSet constraints = found.result().constraints();
      constraintsFile.writeBy(file -> ConstraintFormats.write(constraints, file));
    }
    if (namesFile != null) {
      namesFile.write(found::writeNames);
    }
    if (pictureFile != null) {
      progress.begin("drawing", -1);
      pictureFile.writeBy(PointsToPicture.of(found.result()).withSize(picture.pixels())::write);
    }
  }

  @Override
  void require(PointsToOutcome found) {
    if (found.wrong()) {
      throw new VerificationException("the points-to sets are wrong: " + found.mistake());
    }
  }
}
