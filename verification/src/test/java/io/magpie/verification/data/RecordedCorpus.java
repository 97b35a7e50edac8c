package io.magpie.verification.data;

import io.magpie.stm.Device;
import io.magpie.stm.Recording;
import io.magpie.stm.StmOptions;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.workload.ArgumentSpec;
import io.magpie.verification.workload.CheckedRun;
import io.magpie.verification.workload.RecordedRuns;
import io.magpie.verification.workload.RegionWorkload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Recorded runs of the regions in a folder, with the arguments that their files name. */
final class RecordedCorpus {
  private RecordedCorpus() {}

  /**
   * What was found.
   *
   * @param violations of the run that ended the search; none if time did
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
  static String said(Path file, String word) throws IOException {
    String prefix = "// " + word + ": ";
    return Files.readAllLines(file).stream()
        .filter(line -> line.startsWith(prefix))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(file + " has no line " + prefix))
        .substring(prefix.length());
  }

  /** Whether a wrong region's file says that its recorded runs show nothing. */
  static boolean hasNoEffect(Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .anyMatch(line -> line.startsWith("// recorded: nothing"));
  }

  /** Runs until something is found or time is up. */
  static Found run(String device, Path file, long millis) throws IOException {
    Map<String, ArgumentSpec> specs = new LinkedHashMap<>();
    for (String each : said(file, "arguments").split(" ")) {
      String[] parts = each.split("=", 2);
      specs.put(parts[0], ArgumentSpec.parse(parts[1]));
    }
    long items = Long.parseLong(said(file, "items"));
    try (Device opened = Device.open(device);
        RegionWorkload workload = new RegionWorkload(opened, file, null, specs);
        RecordedRuns runs =
            new RecordedRuns(
                workload, StmOptions.defaults(), Recording.Options.defaults(), 0, 1L << 30)) {
      long end = System.nanoTime() + millis * 1_000_000;
      int number = 0;
      CheckedRun run;
      do {
        run = runs.run(items, number++);
      } while (run.violations().isEmpty() && System.nanoTime() < end);
      return new Found(run.violations(), number, runs.notCompared());
    }
  }
}
