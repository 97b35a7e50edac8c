package io.magpie.verification.data;

import io.magpie.stm.Device;
import io.magpie.stm.KernelFaultException;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Recording;
import io.magpie.stm.StmOptions;
import io.magpie.verification.explore.Tally;
import io.magpie.verification.explore.Vacuity;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.explore.Violation.Kind;
import io.magpie.verification.workload.ArgumentSpec;
import io.magpie.verification.workload.CheckedRounds;
import io.magpie.verification.workload.CheckedRun;
import io.magpie.verification.workload.FaultFoundException;
import io.magpie.verification.workload.RecordedRuns;
import io.magpie.verification.workload.RegionWorkload;
import io.magpie.verification.workload.RegionWorkload.Runs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Recorded runs of the regions in a folder, with the arguments that their files name. */
final class RecordedCorpus {
  /** Regions that never end do so when time is up; others take a moment. */
  private static final StmOptions OPTIONS =
      StmOptions.defaults().withTimeout(Duration.ofSeconds(3));

  private static final long MOST_ROUNDS = 100;
  private static final int RUNS_TO_FIND = 1_000;
  private static final long NANOS_TO_FIND = 60_000_000_000L;
  private static final long NANOS_TO_HOLD = 200_000_000;

  /** Regions of a module: more cost less to compile, and more to find lines in. */
  private static final int MOST_TOGETHER = 12;

  private RecordedCorpus() {}

  /** Compiles regions, some together, each as it is run here alone. */
  static Map<Path, KernelModule> compiled(Device device, Path folder, List<Path> all, Runs runs) {
    Map<Path, KernelModule> modules = new ConcurrentHashMap<>();
    IntStream.rangeClosed(0, (all.size() - 1) / MOST_TOGETHER)
        .parallel()
        .forEach(
            part -> {
              int first = part * MOST_TOGETHER;
              List<Path> some = all.subList(first, Math.min(first + MOST_TOGETHER, all.size()));
              KernelModule module = module(device, folder.resolve("part" + part), some, runs);
              some.forEach(file -> modules.put(file, module));
            });
    return modules;
  }

  private static KernelModule module(Device device, Path folder, List<Path> files, Runs runs) {
    List<String> lines = new ArrayList<>();
    try {
      Files.createDirectory(folder);
      for (Path file : files) {
        Files.copy(file, folder.resolve(file.getFileName()));
        lines.add("#include \"" + file.getFileName() + "\"");
      }
      Path all = Files.write(folder.resolve("all.cu"), lines);
      return device.compile(all, RegionWorkload.defines(device, null, runs));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What was found.
   *
   * @param violations of the run that ended the search, its fault among them; if nothing did, that
   *     all were vacuous, if so
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
    return saidIfAny(file, word)
        .orElseThrow(() -> new IllegalArgumentException(file + " has no line // " + word + ":"));
  }

  static Optional<String> saidIfAny(Path file, String word) {
    String prefix = "// " + word + ": ";
    return lines(file).stream()
        .filter(line -> line.startsWith(prefix))
        .map(line -> line.substring(prefix.length()))
        .findFirst();
  }

  /** The line that a file says is the place of what is wrong, from 1. */
  static int line(Path file) {
    List<String> lines = lines(file);
    return 1
        + IntStream.range(0, lines.size())
            .filter(i -> lines.get(i).endsWith("// here"))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException(file + " has no line // here"));
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
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

  /**
   * Runs until something is found: most takes a few runs, some hundreds, of which a minute may have
   * too few on a busy machine.
   */
  static Found find(KernelModule module, Path file) {
    long end = System.nanoTime() + NANOS_TO_FIND;
    return run(module, file, runs -> runs < RUNS_TO_FIND || System.nanoTime() < end);
  }

  /** Runs for a moment, in which nothing is to be found. */
  static Found hold(KernelModule module, Path file) {
    long end = System.nanoTime() + NANOS_TO_HOLD;
    return run(module, file, runs -> System.nanoTime() < end);
  }

  private static Found run(KernelModule module, Path file, IntPredicate goesOn) {
    long items = Long.parseLong(said(file, "items"));
    String name = file.getFileName().toString().replace(".cu", "");
    try (RegionWorkload workload =
            new RegionWorkload(
                module, name, arguments(file), (history, verdict) -> Optional.empty());
        RecordedRuns runs =
            new RecordedRuns(workload, OPTIONS, Recording.Options.defaults(), 0, 1L << 30)) {
      int number = 0;
      Tally tally = Tally.NOTHING;
      CheckedRounds done;
      do {
        done = runs.rounds(items, number++, MOST_ROUNDS, OPTIONS.timeout());
        for (CheckedRun round : done.all()) {
          tally = tally.plus(round.tally());
        }
      } while (done.last().violations().isEmpty() && goesOn.test(number));
      List<Violation> violations = done.last().violations();
      return new Found(
          violations.isEmpty() ? Vacuity.of(tally).stream().toList() : violations,
          number,
          runs.notCompared());
    } catch (FaultFoundException e) {
      return new Found(List.of(e.violation()), 1, List.of());
    } catch (KernelFaultException e) {
      return new Found(List.of(new Violation(Kind.FAULT, e.getMessage())), 1, List.of());
    }
  }
}
