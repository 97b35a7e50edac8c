package io.magpie.examples.cli.commands;

import io.magpie.algorithms.graph.GraphTooLargeException;
import io.magpie.examples.cli.options.PathOption;
import io.magpie.examples.input.InputException;
import io.magpie.stm.CompilationException;
import io.magpie.stm.Device;
import io.magpie.verification.workload.ArgumentSpec;
import io.magpie.verification.workload.NumberRangeException;
import io.magpie.verification.workload.RegionWorkload;
import io.magpie.verification.workload.UnsuitableArgumentException;
import io.magpie.verification.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ParameterException;

/**
 * A region of the user's own.
 *
 * @param given says what is wrong with the options
 * @param region {@code FILE.cu}, or {@code FILE.cu#NAME}
 * @param arguments {@code NAME=SPEC} for each of its fields
 */
record UserRegion(VerifyOptions given, String region, List<String> arguments) {
  /**
   * The region with its arguments, ready to run.
   *
   * @throws InputException if its source is not there, or a graph of the arguments does not suit
   * @throws CompilationException if its source does not compile
   * @throws IOException if a file of the arguments cannot be read or is malformed
   * @throws ParameterException if it has no such region, or no such arguments
   */
  Workload on(Device opened) throws IOException {
    int hash = hash();
    Path source = source(hash);
    String name = hash < 0 ? null : region.substring(hash + 1);
    requireSource(source);
    Map<String, ArgumentSpec> specs = specs();
    return given.parsed("--region", () -> workload(opened, source, name, specs));
  }

  /** The source and the files of the arguments, as far as these make sense. */
  List<Path> filesRead() {
    List<Path> files = new ArrayList<>(List.of(source(hash())));
    for (String argument : arguments) {
      files.addAll(ArgumentReader.filesRead(argument.substring(argument.indexOf('=') + 1)));
    }
    return files;
  }

  /** Where the region's name begins; negative if there is none. */
  private int hash() {
    // A file of the whole name comes first: '#' is a character of names like any other.
    return Files.exists(path(region)) ? -1 : region.lastIndexOf('#');
  }

  private Path source(int hash) {
    return path(hash < 0 ? region : region.substring(0, hash));
  }

  private Workload workload(
      Device opened, Path source, String name, Map<String, ArgumentSpec> specs) {
    try {
      RegionWorkload workload =
          new RegionWorkload(
              opened, source, name, specs, given.invariant(), Optional.of(given.runs()));
      if (given.noOtherOrder) {
        workload.leaveOutOtherOrder();
      }
      declareSlots(workload);
      return workload;
    } catch (NumberRangeException e) {
      throw new InputException("--arg " + e.getMessage(), e); // the file is unsuitable
    } catch (UnsuitableArgumentException e) {
      throw given.usage("--arg " + e.getMessage());
    }
  }

  private void declareSlots(RegionWorkload workload) {
    try {
      given.slots.forEach(workload::declareSlots);
    } catch (IllegalArgumentException e) {
      workload.close();
      throw given.usage("--slots: " + e.getMessage());
    }
  }

  private static void requireSource(Path source) {
    if (!Files.exists(source)) {
      throw new InputException(source + ": no such file");
    }
    if (Files.isDirectory(source)) {
      throw new InputException(source + ": is a folder; name a .cu file");
    }
    if (!Files.isReadable(source)) {
      throw new InputException(source + ": permission denied");
    }
  }

  private Path path(String file) {
    return given.parsed("--region", () -> new PathOption().convert(file));
  }

  private Map<String, ArgumentSpec> specs() throws IOException {
    ArgumentReader reader = new ArgumentReader();
    Map<String, ArgumentSpec> specs = new LinkedHashMap<>();
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      if (equals < 1) {
        throw given.usage("--arg " + argument + ": expected NAME=SPEC, as in --arg length=7");
      }
      String field = argument.substring(0, equals);
      String text = argument.substring(equals + 1);
      if (specs.containsKey(field)) {
        throw given.usage("--arg " + field + " is given twice; leave one of them out");
      }
      specs.put(field, spec(reader, field, text));
    }
    return specs;
  }

  private ArgumentSpec spec(ArgumentReader reader, String field, String text) throws IOException {
    try {
      return reader.read(text);
    } catch (GraphTooLargeException e) {
      throw e; // well written, but unsuitable
    } catch (IllegalArgumentException e) {
      throw given.usage("--arg " + field + ": " + e.getMessage());
    }
  }
}
