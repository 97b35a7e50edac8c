package io.magpie.examples.cli.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.examples.cli.CommandRun;
import io.magpie.examples.cli.ExitStatus;
import io.magpie.examples.compare.Comparison;
import io.magpie.examples.compare.Contestant;
import io.magpie.examples.compare.Rounds;
import io.magpie.examples.compare.RunRecord;
import io.magpie.examples.input.Input;
import io.magpie.examples.report.Written;
import io.magpie.stm.DeviceDescription;
import io.magpie.stm.DeviceDescription.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever a comparison writes can be read, and makes a page. */
class ReportProperties {
  /** An input of any name. */
  private record Named(String description) implements Input {
    @Override
    public boolean generated() {
      return false;
    }
  }

  private static Arbitrary<String> names() {
    return Arbitraries.oneOf(
        Arbitraries.strings().ofMaxLength(12),
        Arbitraries.of("stm", "total", "kernels", "select", "cut", "road:n=9,seed=1", "<b>&\"'"));
  }

  private static <V> Arbitrary<Map<String, V>> named(Arbitrary<V> values) {
    return Arbitraries.maps(names(), values).ofMaxSize(4);
  }

  private static Arbitrary<Double> millis() {
    return Arbitraries.oneOf(
        Arbitraries.doubles().between(0, 1e9), Arbitraries.of(0.0, Double.MIN_VALUE));
  }

  private static Arbitrary<RunRecord> runs(int contestants) {
    return Combinators.combine(
            Arbitraries.integers().between(0, contestants - 1),
            Arbitraries.integers().between(-2, 5),
            named(millis()),
            named(Arbitraries.longs()),
            named(Arbitraries.longs().greaterOrEqual(0)),
            names().injectNull(0.7),
            Arbitraries.of(true, false))
        .as(
            (contestant, round, millis, counters, aborts, mistake, verified) -> {
              millis.put(
                  Comparison.Outcome.TOTAL, millis.values().stream().mapToDouble(m -> m).sum());
              return new RunRecord(
                  contestant, round, 0, millis, -1, counters, aborts, mistake, verified);
            });
  }

  private static Arbitrary<ComparisonReport.Entry> contestants() {
    return Combinators.combine(
            names(),
            Arbitraries.of("cpu:2", Contestant.HOST),
            Arbitraries.of(true, false),
            named(names()))
        .as(
            (label, device, baseline, variant) ->
                new ComparisonReport.Entry(label, device, baseline, variant));
  }

  /** A comparison's lines. */
  @Provide
  static Arbitrary<List<String>> lines() {
    int most = 3;
    return Combinators.combine(
            contestants().list().ofSize(most),
            runs(most).list().ofMinSize(1).ofMaxSize(12),
            names(),
            named(Arbitraries.longs()),
            names(),
            Arbitraries.of(Comparison.Outcome.TOTAL, Comparison.Outcome.KERNELS),
            names().injectNull(0.7))
        .as(
            (contestants, runs, input, sizes, algorithm, measure, failure) ->
                new ComparisonReport(
                        algorithm,
                        ComparedInput.given(new Named(input), null),
                        sizes,
                        "sha256:1",
                        List.of(new DeviceDescription("cpu:2", Machine.CPU, input, 1, 2, 9, input)),
                        contestants,
                        new Rounds(1, 3, true),
                        measure,
                        List.of())
                    .jsonLines(new Measured(runs, Map.of()), failure));
  }

  @Property(tries = 150)
  void everyRecordIsRead(@ForAll("lines") List<String> lines) throws IOException {
    Path folder = Files.createTempDirectory("report");
    Path file = folder.resolve("runs.jsonl");
    Path page = folder.resolve("page.html");
    try {
      Files.write(file, lines);
      CommandRun run =
          CommandRun.of("report", file.toString(), "--out", page.toString()).expect(ExitStatus.OK);
      long all = lines.stream().filter(line -> line.contains("\"kind\":\"run\"")).count();
      long warmUps = lines.stream().filter(line -> line.contains("\"warmUp\":true")).count();
      long runs = all - warmUps;
      String counted =
          runs
              + (runs == 1 ? " run" : " runs")
              + (warmUps == 0 ? "" : " and " + warmUps)
              + (warmUps == 0 ? "" : warmUps == 1 ? " warm-up" : " warm-ups");
      assertTrue(run.out().contains(": " + counted + " on 1 input from 1 file"), run.out());
      Written written = Written.read(page);
      List<String> captions = new ArrayList<>(written.texts("caption"));
      assertTrue(captions.contains("Runs; times in ms; medians where values vary"), "" + captions);
      assertEquals(
          lines.stream().anyMatch(line -> line.contains("\"kind\":\"failure\"")),
          written.texts("h2").contains("Unfinished comparisons"));
    } finally {
      Files.deleteIfExists(file);
      Files.deleteIfExists(page);
      Files.delete(folder);
    }
  }
}
