package io.magpie.examples.cli.commands;

import io.magpie.examples.cli.options.JsonOption;
import io.magpie.examples.cli.options.Outputs;
import io.magpie.examples.cli.output.BuildInfo;
import io.magpie.examples.cli.output.JsonOutput;
import io.magpie.examples.cli.output.NamedLines;
import io.magpie.examples.cli.output.Terminal;
import io.magpie.examples.compare.Progress;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceDescription;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * A command that runs an algorithm on one input. The way from its options to its end is the same
 * for all, and is here; a command has its options, and the steps below, in the order in which they
 * are taken. Whatever can be refused is refused before any work.
 *
 * @param <R> what a run gives
 */
abstract class AlgorithmCommand<R extends Outcome> implements Callable<Integer> {
  @Spec CommandSpec spec;

  /**
   * Looks at the options that say what is computed, and keeps what they say. Nothing is read yet.
   *
   * @throws ParameterException if they make no sense
   */
  abstract void checkOptions();

  /** The command's own {@code --json}. */
  abstract JsonOption json();

  /** The files that are read, which must not be replaced. */
  abstract List<Path> filesRead();

  /**
   * Looks at the options that name files to write, and keeps the files.
   *
   * @param outputs checks that each can be written, and is named once
   */
  abstract void checkFiles(Outputs outputs);

  /** Opens the device to run on; null if none is needed. */
  abstract Device open();

  /**
   * Reads or generates the input, runs the algorithm, and verifies its result if that was asked
   * for.
   *
   * @param device null if none is needed
   */
  abstract R run(Device device, Progress progress) throws IOException;

  /** Whether files are written. */
  boolean isKept(R outcome) {
    return !outcome.wrong();
  }

  /** Writes files that are to be there before anything is printed. */
  abstract void write(R outcome, Progress progress) throws IOException;

  /** Writes files that are to be there after all has been printed. */
  void writeLast(R outcome) throws IOException {}

  /**
   * Ends the command badly unless the outcome is what was asked for.
   *
   * @throws VerificationException if it is wrong
   * @throws StoppedEarlyException if it is right, but something is left
   */
  abstract void require(R outcome);

  @Override
  public final Integer call() throws IOException {
    checkOptions();
    Outputs outputs = new Outputs(spec, filesRead());
    JsonOutput json = json().output(outputs);
    checkFiles(outputs);
    R outcome;
    DeviceDescription description;
    try (Progress progress = Terminal.progress();
        Device device = open()) {
      description = device == null ? null : device.description();
      outcome = run(device, progress);
      if (isKept(outcome)) {
        write(outcome, progress);
      }
    }
    tell(outcome, description, json);
    if (isKept(outcome)) {
      writeLast(outcome);
    }
    require(outcome);
    return ExitCode.OK;
  }

  private void tell(R outcome, DeviceDescription device, JsonOutput json) {
    PrintWriter to = spec.commandLine().getOut();
    if (json == null || !json.replacesTable()) {
      outcome.print(new NamedLines(to), device);
    }
    if (json != null) {
      Map<String, Object> value = new LinkedHashMap<>();
      value.put("algorithm", spec.name());
      value.put("version", BuildInfo.version());
      value.put("revision", BuildInfo.revision());
      if (device != null) {
        value.put("device", DevicesCommand.json(device));
      }
      outcome.addTo(value);
      json.write(value, to);
    }
  }

  /** Wrong usage of this command. */
  final ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** Wrong usage of this command, as something that was called for it found. */
  final ParameterException usage(IllegalArgumentException e) {
    return new ParameterException(spec.commandLine(), e.getMessage(), e);
  }
}
