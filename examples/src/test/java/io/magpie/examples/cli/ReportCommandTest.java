package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.magpie.examples.report.Written;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportCommandTest {
  private static final String RECORD =
      "{\"kind\":\"run\",\"algorithm\":\"msf\",\"millis\":{\"total\":1}}\n";

  @TempDir Path folder;

  private Path file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  private CommandRun report(Object... arguments) {
    return CommandRun.of(
        Stream.concat(Stream.of("report"), Arrays.stream(arguments).map(String::valueOf))
            .toArray(String[]::new));
  }

  @Test
  void showsWhatTheCommandsWrite() throws IOException {
    Path forest = folder.resolve("forest.json");
    Path parts = folder.resolve("parts.json");
    Path worth = folder.resolve("worth.json");
    Path mesh = folder.resolve("mesh.json");
    Path compared = folder.resolve("compared.jsonl");
    Path vector = folder.resolve("parts.txt");
    run("msf --generate road:99 --device cpu:2 --verify --json", forest);
    run("partition --generate grid:9 -k 2 --device cpu:2 --out " + vector + " --json", parts);
    run("partition --generate grid:9 -k 2 --evaluate " + vector + " --json", worth);
    run("refine --points uniform:50 --device cpu:2 --json", mesh);
    run(
        "compare msf --generate road:99 --devices cpu:1,cpu:2 --with kruskal --repeats 2 --json",
        compared);
    Path page = folder.resolve("page.html");
    CommandRun run =
        report(forest, parts, worth, mesh, compared, "--out", page).expect(ExitStatus.OK);
    assertEquals(page + ": 10 runs and 3 warm-ups on 3 inputs from 5 files\n", run.out());
    Written written = Written.read(page);
    List<String> titles = written.texts("h2");
    assertTrue(titles.containsAll(List.of("Environment", "Inputs", "Scaling")), titles.toString());
    assertTrue(titles.contains("refine: uniform:n=50,seed=1"), titles.toString());
    List<String> captions = written.texts("caption");
    assertTrue(captions.contains("Kernels in the median run, ms"), captions.toString());
    assertTrue(written.texts("th").contains("kruskal (baseline)"), written.html());
    assertTrue(written.texts("td").contains("\u2713 verified"), written.html());
    assertTrue(
        written.texts("th").containsAll(List.of("weight", "cut", "triangles")), written.html());
  }

  private static void run(String command, Path json) {
    CommandRun.of((command + " " + json).split(" ")).expect(ExitStatus.OK);
  }

  /** The newest and the oldest; those of other programs are refused. */
  @Test
  void readsTheRecordsOfTheResults() throws IOException {
    Path results = Path.of(System.getProperty("magpie.basedir"), "results");
    assumeTrue(Files.isDirectory(results), "not a clone");
    List<Path> files;
    try (Stream<Path> all = Files.list(results)) {
      files = all.filter(each -> each.toString().endsWith(".jsonl")).sorted().toList();
    }
    Path page = folder.resolve("page.html");
    // Records of plain C++ programs, which have a form of their own.
    Set<String> ofOtherPrograms = new TreeSet<>();
    Set<String> refused = new TreeSet<>();
    List<Path> read = new ArrayList<>();
    for (Path each : files) {
      try (Stream<String> lines = Files.lines(each)) {
        if (lines.findFirst().orElse("").matches("\\{\"(benchmark|test)\":.*")) {
          ofOtherPrograms.add(each.getFileName().toString());
        }
      }
      CommandRun run = report(each, "--out", page);
      if (run.status() == ExitStatus.BAD_INPUT.code()) {
        assertTrue(run.err().contains(each + ":1: found a record that is not of a run"), run.err());
        refused.add(each.getFileName().toString());
      } else {
        run.expect(ExitStatus.OK);
        read.add(each);
      }
    }
    assertEquals(ofOtherPrograms, refused);
    assertTrue(refused.contains("h200-transfers.jsonl"), refused::toString);
    assertTrue(read.size() > 15, read.toString());
    report(Stream.concat(read.stream(), Stream.of("--out", page)).toArray()).expect(ExitStatus.OK);
    Written written = Written.read(page);
    assertTrue(written.texts("h2").size() > 30, written.texts("h2").toString());
  }

  @Test
  void whatIsCountedOnceIsSingular() throws IOException {
    Path page = folder.resolve("page.html");
    CommandRun run = report(file("one.jsonl", RECORD), "--out", page).expect(ExitStatus.OK);
    assertEquals(page + ": 1 run on 1 input from 1 file\n", run.out());
    assertTrue(
        Written.read(page).texts("p").contains("1 run of 1 variant on 1 input, from 1 file."));
  }

  @Test
  void aFailureLeavesNoPage() throws IOException {
    Path good = file("good.jsonl", RECORD);
    Path bad = file("bad.jsonl", RECORD + "{\n");
    Path page = folder.resolve("page.html");
    CommandRun run = report(good, bad, "--out", page).expect(ExitStatus.BAD_INPUT);
    assertTrue(run.err().contains("bad.jsonl:2: found an incomplete record"), run.err());
    assertFalse(Files.exists(page));
    Files.writeString(page, "before");
    report(good, "--picture", bad, "--out", page).expect(ExitStatus.BAD_INPUT);
    assertEquals("before", Files.readString(page));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(3, files.count(), "something was left behind");
    }
  }

  @Test
  void thePageIsWrittenWhereOutputsMayBe() throws IOException {
    Path good = file("good.jsonl", RECORD);
    Path folderOfThatName = Files.createDirectory(folder.resolve("folder.html"));
    Path link = Files.createSymbolicLink(folder.resolve("link.html"), Path.of("nowhere"));
    for (Path each : List.of(folderOfThatName, link, folder.resolve("none/a.html"))) {
      report(good, "--out", each).expect(ExitStatus.OUTPUT_FAILED);
    }
    CommandRun run = report(good, "--out", good).expect(ExitStatus.USAGE);
    assertTrue(run.err().contains("expected a name that ends in .html"), run.err());
    assertEquals(RECORD, Files.readString(good), "records are not replaced by a page");
    report(good, "--out", "-").expect(ExitStatus.USAGE);
    report(good).expect(ExitStatus.USAGE);
    report("--out", folder.resolve("a.html")).expect(ExitStatus.USAGE);
  }

  @Test
  void inputsThatAreNoneAreNamed() throws IOException {
    Path page = folder.resolve("page.html");
    CommandRun missing =
        report(folder.resolve("none.jsonl"), "--out", page).expect(ExitStatus.BAD_INPUT);
    assertTrue(missing.err().contains("none.jsonl: no such file"), missing.err());
    CommandRun directory = report(folder, "--out", page).expect(ExitStatus.BAD_INPUT);
    assertTrue(directory.err().contains("is a folder; name a file of records"), directory.err());
    CommandRun empty = report(file("empty.jsonl", ""), "--out", page).expect(ExitStatus.BAD_INPUT);
    assertTrue(empty.err().contains("empty.jsonl: found an empty file"), empty.err());
    Path notes = file("notes.md", "# Notes\n");
    CommandRun picture =
        report(file("a.jsonl", RECORD), "--picture", notes, "--out", page)
            .expect(ExitStatus.BAD_INPUT);
    assertTrue(picture.err().contains("notes.md: expected a complete PNG image"), picture.err());
    assertFalse(Files.exists(page));
  }

  @Test
  void recordsAreNeitherCountedTwiceNorReplaced() throws IOException {
    Path good = file("good.jsonl", RECORD);
    Path again = Files.createSymbolicLink(folder.resolve("again.jsonl"), good);
    CommandRun twice =
        report(good, again, "--out", folder.resolve("page.html")).expect(ExitStatus.USAGE);
    assertTrue(twice.err().contains("again.jsonl is given twice"), twice.err());
    Path named = file("named.html", RECORD);
    Path link = Files.createSymbolicLink(folder.resolve("link.html"), good);
    for (Path each : List.of(named, link)) {
      CommandRun run = report(good, named, "--out", each).expect(ExitStatus.USAGE);
      assertTrue(run.err().contains("would replace the input's own file"), run.err());
      assertEquals(RECORD, Files.readString(each));
    }
  }
}
