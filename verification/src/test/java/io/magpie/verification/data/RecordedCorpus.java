package io.magpie.verification.data;

import io.magpie.stm.Device;
import io.magpie.stm.KernelFaultException;
import io.magpie.stm.Recording;
import io.magpie.stm.StmOptions;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.explore.Violation.Kind;
import io.magpie.verification.workload.ArgumentSpec;
import io.magpie.verification.workload.CheckedRun;
import io.magpie.verification.workload.RecordedRuns;
import io.magpie.verification.workload.RegionWorkload;
import io.magpie.verification.workload.RegionWorkload.Runs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Recorded runs of the regions in a folder, with the arguments that their files name. */
final class RecordedCorpus {
  private static final StmOptions OPTIONS = StmOptions.defaults();
  private static final long MOST_ROUNDS = 100;

  private RecordedCorpus() {}

  /**
   * What was found.
   *
   * @param violations of the run that ended the search, its fault among them; none if time did
   * @param runs how many there were
   * @param notCompared what was not looked at, and why
   */
  record Found(List<Violation> violations, int runs, List<String> notCompared) {}

  static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> file.toString().endsWith(".cu")).sorted().toList();
    }
  }

  /** What a file says behind a word. */
  static String said(Path file, String word) {
    String prefix = "// " + word + ": ";
    try {
      return Files.readAllLines(file).stream()
          .filter(line -> line.startsWith(prefix))
          .map(line -> line.substring(prefix.length()))
          .findFirst()
          .orElseThrow(() -> new IllegalArgumentException(file + " has no line " + prefix));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The arguments that a file names. */
  static Map<String, ArgumentSpec> arguments(Path file) {
    Map<String, ArgumentSpec> specs = new LinkedHashMap<>();
    for (String each : said(file, "arguments").split(" ")) {
      String[] parts = each.split("=", 2);
      specs.put(parts[0], ArgumentSpec.parse(parts[1]));
    }
    return specs;
  }

  /** Runs until something is found or time is up. */
  static Found run(String device, Path file, long millis) {
    long items = Long.parseLong(said(file, "items"));
    try (Device opened = Device.open(device);
        RegionWorkload workload =
            new RegionWorkload(
                opened,
                file,
                null,
                arguments(file),
                Optional.empty(),
                Optional.of(Runs.recorded(OPTIONS.policy())));
        RecordedRuns runs =
            new RecordedRuns(workload, OPTIONS, Recording.Options.defaults(), 0, 1L << 30)) {
      long end = System.nanoTime() + millis * 1_000_000;
      int number = 0;
      CheckedRun run;
      do {
        run = runs.rounds(items, number++, MOST_ROUNDS, OPTIONS.timeout()).last();
      } while (run.violations().isEmpty() && System.nanoTime() < end);
      return new Found(run.violations(), number, runs.notCompared());
    } catch (KernelFaultException e) {
      return new Found(List.of(new Violation(Kind.FAULT, e.getMessage())), 1, List.of());
    }
  }
}
