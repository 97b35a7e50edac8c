package io.magpie.examples.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How records become experiments, labels, stages and lines. */
class ExperimentTest {
  @TempDir Path folder;

  private Records read(Sample... samples) throws IOException {
    return Records.read(List.of(Sample.write(folder.resolve("runs.jsonl"), samples)));
  }

  private List<String> labels(Sample... samples) throws IOException {
    return Experiment.of(read(samples)).get(0).variants().stream().map(Variant::label).toList();
  }

  private List<Scaling> scaling(Sample... samples) throws IOException {
    Records records = read(samples);
    return Scaling.of(Experiment.of(records), records);
  }

  @Test
  void labelsSayNoMoreThanTellsVariantsApart() throws IOException {
    assertEquals(
        List.of("atomic", "stm, parts=2", "stm, parts=4"),
        labels(
            Sample.run("atomic", 1).with("variant", Map.of("parts", "2", "policy", "a")),
            Sample.run("stm", 1).with("variant", Map.of("parts", "2", "policy", "a")),
            Sample.run("stm", 1).with("variant", Map.of("parts", "4", "policy", "a"))));
    assertEquals(
        List.of("stm, cpu:1", "stm, cpu:2"),
        labels(
            Sample.run("stm", 1).with("device.spec", "cpu:1"),
            Sample.run("stm", 1).with("device.spec", "cpu:2")));
    // A setting that only one has is likely one that was not written by then.
    assertEquals(
        List.of("stm, revision b", "stm, revision a"),
        labels(
            Sample.run("stm", 1).with("revision", "b").with("variant", Map.of("timeout", "60")),
            Sample.run("stm", 1).with("revision", "a").with("variant", Map.of("threads", "0"))));
    assertEquals(
        List.of("timeout=60", "msf"),
        labels(Sample.run("", 1).with("variant", Map.of("timeout", "60")), Sample.run("", 1)));
  }

  /** A round to warm up runs backwards. */
  @Test
  void variantsOfAComparisonAreInItsOrder() throws IOException {
    assertEquals(
        List.of("single", "A", "B", "C", "D"),
        labels(
            Sample.run("single", 1).with("kind", null).with("forest", Map.of("weight", 3)),
            finished("10:00", "C"),
            finished("10:00", "B"),
            finished("10:00", "A"),
            Sample.of("summary").with("contestant", "A").with("time", "10:00"),
            Sample.of("summary").with("contestant", "B").with("time", "10:00"),
            Sample.of("summary").with("contestant", "C").with("time", "10:00"),
            finished("11:00", "D")));
  }

  private static Sample finished(String time, String contestant) {
    return Sample.run(contestant, 1).with("time", time);
  }

  @Test
  void stagesAddUpToTheTotal() throws IOException {
    assertEquals(
        Map.of("kernels", 5.0, "upload", 2.0, "rest", 3.0),
        stages(Map.of("total", 10, "kernels", 5, "upload", 2)));
    // Where the time in kernels is a sum of stages, it is none itself.
    assertEquals(
        Map.of("select", 1.0, "refine", 4.0, "rest", 15.0),
        stages(Map.of("total", 20, "kernels", 5, "select", 1, "refine", 4)));
    assertEquals(
        Map.of("prepare", 1.0, "solve", 4.0, "rest", 15.0),
        stages(Map.of("total", 20, "kernels", 5, "prepare", 1, "solve", 4)));
    assertEquals(
        Map.of("one", 4.0, "other", 6.0),
        stages(Map.of("total", 10, "kernels", 10, "one", 4, "other", 6)));
    assertEquals(Map.of(), stages(Map.of("total", 10)));
  }

  private Map<String, Double> stages(Map<String, Integer> millis) throws IOException {
    return Stages.of(read(Sample.of("run").with("millis", millis)).runs().get(0));
  }

  @Test
  void aSettingThatAloneVariesIsALine() throws IOException {
    List<Scaling> charts =
        scaling(
            Sample.run("parts=8 stm", 5).with("variant", Map.of("parts", "8", "merge", "stm")),
            Sample.run("parts=2 stm", 3).with("variant", Map.of("parts", "2", "merge", "stm")),
            Sample.run("parts=2 a", 1).with("variant", Map.of("parts", "2", "merge", "a")),
            Sample.run("parts=8 a", 2).with("variant", Map.of("parts", "8", "merge", "a")),
            Sample.run("parts=8 b", 2).with("variant", Map.of("parts", "8", "merge", "b")));
    assertEquals(1, charts.size());
    assertEquals("parts", charts.get(0).quantity());
    assertEquals(List.of(2.0, 8.0), charts.get(0).numbers());
    assertEquals(
        List.of("merge=stm", "merge=a"),
        charts.get(0).lines().stream().map(Scaling.Line::name).toList());
    assertEquals(3, charts.get(0).lines().get(0).points().get(0).millis().median());
  }

  /** With 0 threads in flight the device decides: that is no point to the left of 32. */
  @Test
  void aNumberThatOthersChooseIsNotOnTheAxis() throws IOException {
    Sample[] samples = new Sample[3];
    List<String> threads = List.of("0", "32", "1024");
    for (int i = 0; i < 3; i++) {
      samples[i] =
          Sample.run("threads-in-flight=" + threads.get(i), 8 - i)
              .with("variant", Map.of("threads-in-flight", threads.get(i), "back-off", "-1"));
    }
    List<Scaling> charts = scaling(samples);
    assertEquals(1, charts.size());
    assertEquals(List.of(32.0, 1024.0), charts.get(0).numbers());
  }

  @Test
  void threadsOfAProcessorAreALine() throws IOException {
    Sample[] samples = new Sample[3];
    for (int i = 0; i < 3; i++) {
      samples[i] =
          Sample.run("stm", 8.0 / (1 << i))
              .with("device.spec", "cpu:" + (1 << i))
              .with("device.machine", "cpu")
              .with("device.parallelism", 1 << i)
              .with("device.detail", (1 << i) + " threads");
    }
    List<Scaling> charts = scaling(samples);
    assertEquals(1, charts.size());
    assertEquals("threads", charts.get(0).quantity());
    assertEquals(List.of(1.0, 2.0, 4.0), charts.get(0).numbers());
  }

  private static Sample on(String processor, int threads, double millis) {
    return Sample.run("stm", millis)
        .with("device.spec", processor + ":" + threads)
        .with("device.machine", "cpu")
        .with("device.parallelism", threads)
        .with("device.detail", threads + " threads of " + processor);
  }

  @Test
  void checkedProcessorsAreOthers() throws IOException {
    List<Scaling> charts = scaling(on("cpu", 1, 10), on("cpu-checked", 2, 30), on("cpu", 2, 5));
    assertEquals(1, charts.size());
    List<Scaling.Line> lines = charts.get(0).lines();
    assertEquals(1, lines.size());
    assertEquals(
        List.of(10.0, 5.0), lines.get(0).points().stream().map(p -> p.millis().median()).toList());
  }

  private static Sample finished(String time, double millis) {
    return Sample.run("stm", millis).with("time", time);
  }

  private static Sample summary() {
    return Sample.of("summary").with("contestant", "stm");
  }

  /** Not even where nothing but the time, the order or the rounds tells them apart. */
  @Test
  void runsOfTwoComparisonsAreNotTakenTogether() throws IOException {
    List<String> two = List.of("stm, comparison 1", "stm, comparison 2");
    assertEquals(
        List.of("stm"), labels(finished("10:00", 1), finished("10:00", 2), finished("10:00", 3)));
    assertEquals(two, labels(finished("10:00", 1), finished("11:00", 2), finished("10:00", 3)));
    assertEquals(two, labels(Sample.run("stm", 1), summary(), Sample.run("stm", 2), summary()));
    assertEquals(two, labels(summary(), summary()));
    assertEquals(
        two, labels(Sample.run("stm", 1).with("round", 0), Sample.run("stm", 2).with("round", 0)));
    Path one =
        Sample.write(folder.resolve("one.jsonl"), finished("10:00", 1).with("input.hash", "1"));
    Path other =
        Sample.write(folder.resolve("other.jsonl"), finished("10:00", 2).with("input.hash", "1"));
    assertEquals(
        List.of("stm, one.jsonl", "stm, other.jsonl"),
        Experiment.of(Records.read(List.of(one, other))).get(0).variants().stream()
            .map(Variant::label)
            .toList());
  }

  private static Sample driven(String driver, long memory) {
    return Sample.run("stm", 1)
        .with("device.spec", "cuda:0")
        .with("device.name", "NVIDIA H200")
        .with("device.memoryBytes", memory)
        .with("device.detail", "132 multiprocessors, driver for CUDA " + driver)
        .with("variant", Map.of("parts", memory));
  }

  @Test
  void devicesOfOneNameAreToldApart() throws IOException {
    assertEquals(
        List.of("stm, driver for CUDA 12.4", "stm, driver for CUDA 13.0"),
        labels(
            driven("12.4", 9).with("variant", Map.of()),
            driven("13.0", 9).with("variant", Map.of())));
    assertEquals(
        List.of("stm, memory bytes 9", "stm, memory bytes 8"),
        labels(
            driven("13.0", 9).with("variant", Map.of()),
            driven("13.0", 8).with("variant", Map.of())));
    List<Scaling> charts =
        scaling(
            driven("12.4", 2).with("device.memoryBytes", 9),
            driven("12.4", 4).with("device.memoryBytes", 9),
            driven("13.0", 2).with("device.memoryBytes", 9),
            driven("13.0", 4).with("device.memoryBytes", 9));
    assertEquals(
        List.of(
            "msf: unnamed input, NVIDIA H200, driver for CUDA 12.4",
            "msf: unnamed input, NVIDIA H200, driver for CUDA 13.0"),
        charts.stream().map(Scaling::title).toList());
  }

  /** The one with more runs. */
  @Test
  void whatTwoComparisonsMeasuredIsOnePoint() throws IOException {
    List<Scaling> charts =
        scaling(
            finished("10:00", 5).with("variant", Map.of("parts", 2)),
            finished("11:00", 7).with("variant", Map.of("parts", 2)),
            finished("11:00", 7).with("variant", Map.of("parts", 2)),
            finished("10:00", 9).with("variant", Map.of("parts", 4)));
    assertEquals(1, charts.size());
    assertEquals(
        List.of(7.0, 9.0),
        charts.get(0).lines().get(0).points().stream().map(p -> p.millis().median()).toList());
  }

  private static Sample sized(String source, int vertices, int edges) {
    return Sample.run("stm", vertices)
        .with("input", Map.of("source", source, "vertices", vertices, "edges", edges));
  }

  @Test
  void inputsOfOneGeneratorAreALine() throws IOException {
    List<Scaling> charts =
        scaling(
            sized("road:n=100,seed=1", 100, 120),
            sized("road:n=1000,seed=1", 1000, 1210),
            sized("road:n=5000,seed=2", 5000, 6000),
            sized("grid:n=300,seed=1", 300, 600),
            sized("road.gr", 300, 360));
    assertEquals(1, charts.size());
    assertEquals("vertices and edges", charts.get(0).quantity());
    assertEquals(List.of(220.0, 2210.0), charts.get(0).numbers());
    assertTrue(charts.get(0).title().startsWith("msf: road:n=\u2026,seed=1"), "" + charts);
  }

  /** However many edges a vertex has: a graph's size is all that it consists of. */
  @Test
  void theAxisIsTheSizeItself() throws IOException {
    List<Scaling> charts =
        scaling(
            sized("random:n=10,m=90", 10, 90),
            sized("random:n=90,m=90", 90, 90),
            sized("random:n=90,m=360", 90, 360));
    assertEquals(1, charts.size());
    assertEquals(List.of(100.0, 180.0, 450.0), charts.get(0).numbers());
    List<Scaling> meshes =
        scaling(
            Sample.run("a", 1).with("input", Map.of("source", "uniform:n=9", "triangles", 12)),
            Sample.run("a", 2).with("input", Map.of("source", "uniform:n=99", "triangles", 180)));
    assertEquals("triangles", meshes.get(0).quantity());
    assertEquals(List.of(12.0, 180.0), meshes.get(0).numbers());
  }

  @Test
  void whatDiffersInMoreIsNoLine() throws IOException {
    assertEquals(
        List.of(),
        scaling(
            Sample.run("a", 5).with("variant", Map.of("parts", "8", "merge", "stm")),
            Sample.run("b", 3).with("variant", Map.of("parts", "2", "merge", "a")),
            Sample.run("c", 3).with("variant", Map.of("seed", "2")),
            Sample.run("d", 3).with("variant", Map.of("seed", "3"))));
  }

  @Test
  void moreLinesThanColorsAreMoreCharts() throws IOException {
    Sample[] samples = new Sample[2 * (Palette.SIZE + 1)];
    for (int i = 0; i < samples.length; i++) {
      samples[i] =
          Sample.run("x" + i, 1 + i)
              .with("variant", Map.of("parts", 2 + i % 2, "merge", "m" + i / 2));
    }
    List<Scaling> charts = scaling(samples);
    assertEquals(
        List.of(Palette.SIZE, 1), charts.stream().map(each -> each.lines().size()).toList());
    assertTrue(Written.of(folder.resolve("runs.jsonl")).texts("h2").contains("Scaling"));
  }

  /** A record may have a part of any usual name. */
  @Test
  void theRestOfTheColorsHasANameOfItsOwn() throws IOException {
    Sample run = Sample.run("a", 200).with("millis.other", 99);
    for (int i = 1; i <= Palette.SIZE + 1; i++) {
      run.with("millis.stage" + i, i);
    }
    List<String> legend = Written.of(Sample.write(folder.resolve("a.jsonl"), run)).texts("li");
    List<String> names = legend.stream().map(each -> each.substring(1)).toList();
    assertEquals(names.size(), new HashSet<>(names).size(), names.toString());
  }

  /** More parts than colors: the smallest are one. */
  @Test
  void partsWithoutAColorAreTogether() throws IOException {
    Sample run = Sample.run("a", 100);
    for (int i = 1; i <= Palette.SIZE + 1; i++) {
      run.with("millis.stage" + i, i);
    }
    Path file = Sample.write(folder.resolve("a.jsonl"), run);
    List<String> legend = Written.of(file).texts("li");
    assertTrue(legend.contains("hall others"), legend.toString());
    assertTrue(legend.contains("grest"), legend.toString());
    assertTrue(legend.stream().noneMatch(each -> each.endsWith("stage1")), legend.toString());
  }
}
