package io.magpie.examples.cli.commands;

import io.magpie.algorithms.nbody.BarnesHut;
import io.magpie.algorithms.nbody.Bodies;
import io.magpie.algorithms.nbody.BodyCsvFormat;
import io.magpie.algorithms.nbody.BodyGenerator;
import io.magpie.algorithms.nbody.DivergedException;
import io.magpie.algorithms.nbody.NBodyOptions;
import io.magpie.algorithms.nbody.NBodyPicture;
import io.magpie.algorithms.nbody.NBodyResult;
import io.magpie.algorithms.nbody.NBodyVerifier;
import io.magpie.algorithms.nbody.TipsyFormat;
import io.magpie.examples.cli.options.BodiesPictureOptions;
import io.magpie.examples.cli.options.DeviceOption;
import io.magpie.examples.cli.options.InputOptions;
import io.magpie.examples.cli.options.JsonOption;
import io.magpie.examples.cli.options.Outputs;
import io.magpie.examples.cli.options.SettingOptions;
import io.magpie.examples.cli.output.OutputFile;
import io.magpie.examples.compare.Progress;
import io.magpie.examples.input.BodiesInput;
import io.magpie.examples.input.InputException;
import io.magpie.examples.input.InputKind;
import io.magpie.stm.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Simulates gravity among many bodies. */
@Command(
    name = "nbody",
    description = "Simulate gravity among many bodies by the method of Barnes and Hut.")
final class NBodyCommand extends AlgorithmCommand<NBodyOutcome> {
  private static final String CSV = ".csv";
  private static final String TIPSY = ".tipsy";

  private final InputOptions<BodiesInput> input;

  @Mixin private final CommandSpec inputOptions;

  private final SettingOptions<NBodyOptions> settings =
      new SettingOptions<>(NBodyOptions.defaults());

  @Mixin private final CommandSpec settingOptions = settings.spec();

  @Mixin private DeviceOption device;

  @Option(
      names = "--verify",
      description =
          "Compare the last tree with one built without the device, and forces with sums over all"
              + " pairs, for a sample if there are many bodies; also check forces and steps at the"
              + " beginning and in the middle. Exit status 1 if the result is wrong.")
  private boolean verify;

  @Option(names = "--details", description = "After the result, also show what each phase did.")
  private boolean details;

  @Mixin private JsonOption json;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "Write the bodies at the end: .tipsy (standard form, as dark matter, 32 bits), or .csv"
              + " (mass, position, velocity).")
  private Path out;

  @Mixin private BodiesPictureOptions picture;

  private BodiesInput source;
  private NBodyOptions options;
  private OutputFile bodiesFile;
  private OutputFile pictureFile;

  /** What can be generated, for the end of the help text. */
  static String[] kinds() {
    List<String> lines = new ArrayList<>(List.of("", "Kinds of bodies:"));
    BodyGenerator.usage().forEach(line -> lines.add("  " + line));
    return lines.toArray(new String[0]);
  }

  /**
   * @param kinds of input that there are
   */
  NBodyCommand(List<InputKind> kinds) {
    input = new InputOptions<>(BodiesInput.class, "bodies", kinds);
    inputOptions = input.spec();
  }

  @Override
  void checkOptions() {
    options = settings.options(spec);
    source = input.input(spec);
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
    if (out != null && !endsIn(CSV) && !endsIn(TIPSY)) {
      throw usage("--out " + out + ": expected a name that ends in " + TIPSY + " or " + CSV);
    }
    bodiesFile = outputs.at("--out", out);
    pictureFile = picture.file(spec, outputs);
    picture.checkFrames(spec, outputs, options.steps());
  }

  private boolean endsIn(String suffix) {
    return out.toString().toLowerCase(Locale.ROOT).endsWith(suffix);
  }

  @Override
  Device open() {
    return device.open(spec);
  }

  @Override
  NBodyOutcome run(Device device, Progress progress) throws IOException {
    progress.begin(source.generated() ? "generating" : "reading", -1);
    Bodies bodies = Reading.of(source, source::bodies);
    progress.begin("simulating", -1);
    NBodyPicture view =
        picture.stepsBetweenFrames() == 0
            ? null
            : NBodyPicture.of(bodies).withSize(picture.pixels());
    NBodyResult result;
    try {
      result =
          BarnesHut.run(
              device,
              bodies,
              options,
              picture.stepsBetweenFrames(),
              (step, now) ->
                  OutputFile.at(picture.frame(step, options.steps()))
                      .writeBy(view.showing(now)::write),
              verify);
    } catch (DivergedException e) { // told in terms of the input
      throw new InputException(source.description() + ": " + e.getMessage(), e);
    }
    if (!verify) {
      return new NBodyOutcome(source, result, null, List.of(), details);
    }
    progress.begin("verifying", -1);
    NBodyVerifier.Errors errors = NBodyVerifier.errors(result);
    return new NBodyOutcome(source, result, errors, NBodyVerifier.verify(result, errors), details);
  }

  @Override
  void write(NBodyOutcome simulated, Progress progress) throws IOException {
    NBodyResult result = simulated.result();
    if (bodiesFile != null) {
      progress.begin("writing", -1);
      if (endsIn(CSV)) {
        bodiesFile.write(stream -> BodyCsvFormat.write(result.after(), stream));
      } else {
        try {
          bodiesFile.writeBy(
              path ->
                  TipsyFormat.write(
                      result.after(),
                      result.potentials(),
                      options.steps() * options.timeStep(),
                      options.softening(),
                      path));
        } catch (IllegalArgumentException e) { // a number that the format does not have
          throw new InputException(
              "--out " + out + ": " + e.getMessage() + "; write to a name that ends in " + CSV, e);
        }
      }
    }
    if (pictureFile != null) {
      progress.begin("drawing", -1);
      pictureFile.writeBy(NBodyPicture.of(result.after()).withSize(picture.pixels())::write);
    }
  }

  @Override
  void require(NBodyOutcome simulated) {
    if (simulated.wrong()) {
      throw new VerificationException("the simulation is wrong: " + simulated.mistake());
    }
  }
}
