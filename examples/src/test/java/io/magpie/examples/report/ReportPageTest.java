package io.magpie.examples.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.magpie.algorithms.FileFormatException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

class ReportPageTest {
  private static final String HOSTILE =
      "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>&lt;\u0000\u001b[31m\u202e";

  @TempDir Path folder;

  private Written page(Sample... samples) throws IOException {
    return Written.of(Sample.write(folder.resolve("runs.jsonl"), samples));
  }

  @Test
  void whatRecordsLackIsNotShown() throws IOException {
    Written page = page(Sample.run("only", 3));
    assertEquals(List.of("Environment", "Inputs", "msf: unnamed input"), page.texts("h2"));
    assertTrue(page.shows("Runs"));
    for (String each :
        List.of("Median", "The total", "Stages", "Kernels", "Aborted", "Other", "Settings")) {
      assertFalse(page.shows(each), each);
    }
    assertTrue(page.texts("td").contains("\u2013 not recorded"), page.html());
  }

  @Test
  void aComparisonThatMeasuredNothingSaysWhy() throws IOException {
    Written page = page(Sample.of("failure").with("message", "ended <early>"));
    assertEquals(List.of("Unfinished comparisons"), page.texts("h2"));
    assertTrue(page.texts("li").contains(folder + "/runs.jsonl: ended <early>"));
  }

  @Test
  void eachSectionIsThereWhereItsDataAre() throws IOException {
    assertTrue(page(Sample.run("a", 3), Sample.run("b", 4)).shows("The total time"));
    assertTrue(
        page(Sample.run("a", 3), Sample.run("a", 5), Sample.run("b", 4))
            .shows("Median of the total time; the line spans all runs"));
    Written one =
        page(
            Sample.run("a", 3)
                .with("millis.upload", 1)
                .with("aborts", Map.of("stolen", 2, "locked", 0))
                .with("counters", Map.of("cut", 5, "levels", 3))
                .with("variant", Map.of("merge", "stm"))
                .with(
                    "phases",
                    List.of(
                        Map.of("name", "choose", "millis", 0.5),
                        Map.of("name", "settle", "millis", 0.25))));
    for (String each : List.of("Stages", "Kernels", "Aborted", "Other figures", "Settings")) {
      assertTrue(one.shows(each), each);
    }
    assertFalse(one.shows("The total"), "one variant has nothing beside it");
    assertTrue(one.texts("th").contains("cut"));
    assertTrue(one.texts("desc").contains("choose 0.5000, settle 0.2500"), one.html());
    assertTrue(one.texts("desc").contains("stolen 2"), "what never happened is not drawn");
    assertTrue(one.texts("li").contains("astolen"), one.html());
    assertFalse(one.texts("li").contains("ball others"), "nor is it in the legend");
  }

  /** Of a comparison, what its own table shows, in that order; the rest is in another table. */
  @Test
  void theFirstTableShowsWhatTheComparisonsTableDoes() throws IOException {
    Map<String, Integer> counters = Map.of("pairs", 5, "cut", 7, "levels", 3);
    Sample run = Sample.run("a", 3).with("counters", counters);
    Sample summary = Sample.of("summary").with("contestant", "a");
    assertEquals(List.of("cut"), quality(page(run, summary)));
    assertEquals(
        List.of("levels", "pairs", "cut"),
        quality(page(run, summary.with("shown", List.of("levels", "pairs", "none")))));
  }

  /** The heads behind those of times in the table of runs. */
  private static List<String> quality(Written page) {
    Element runs =
        page.all("table").stream()
            .filter(table -> table.getFirstChild().getTextContent().startsWith("Runs"))
            .findFirst()
            .orElseThrow();
    List<String> heads = new ArrayList<>();
    NodeList cells = runs.getElementsByTagName("thead").item(0).getFirstChild().getChildNodes();
    for (int i = 0; i < cells.getLength(); i++) {
      heads.add(cells.item(i).getTextContent());
    }
    return heads.subList(heads.indexOf("largest") + 1, heads.size());
  }

  @Test
  void repetitionsAreOneVariantAndWarmUpsDoNotCount() throws IOException {
    Written page =
        page(
            Sample.run("a", 1000).with("warmUp", true).with("verdict", "verified"),
            Sample.run("a", 3).with("verdict", "not verified"),
            Sample.run("a", 5).with("verdict", "not verified"),
            Sample.run("a", 7).with("verdict", "not verified"),
            Sample.run("b", 50).with("verdict", "wrong"));
    List<String> cells = page.texts("td");
    assertTrue(cells.containsAll(List.of("5.000", "3.000", "7.000")), cells.toString());
    assertTrue(cells.contains("\u2713 1 of 4 verified"), cells.toString());
    assertTrue(cells.contains("\u2717 1 wrong"), cells.toString());
    assertTrue(
        page.texts("title").contains("a: median 5.000 ms, from 3.000 to 7.000 ms, 3 runs"),
        page.html());
    assertTrue(
        page.texts("p").contains("4 runs and 1 warm-up of 2 variants on 1 input, from 1 file."),
        page.html());
  }

  @Test
  void aSummaryStandsInForItsRuns() throws IOException {
    Sample summary =
        Sample.of("summary")
            .with("contestant", "a")
            .with("runs", 9)
            .with("wrong", 0)
            .with("measure", "kernels")
            .with("spread.least", 1)
            .with("spread.lowerQuartile", 2)
            .with("spread.median", 3)
            .with("spread.upperQuartile", 4)
            .with("spread.largest", 5)
            .with("ratioToFirst.median", 1.25)
            .with("ratioToFirst.low", 1.125)
            .with("ratioToFirst.high", 1.5)
            .with("ratioToFirst.verdict", "slower");
    List<String> cells = page(summary).texts("td");
    assertTrue(
        cells.containsAll(
            List.of("9", "3.000", "1.000", "5.000", "1.250 (1.125 to 1.500)", "slower")),
        cells.toString());
  }

  @Test
  void revisionsAreNotMixed() throws IOException {
    Written page =
        page(
            Sample.run("stm", 3).with("revision", "one"),
            Sample.run("stm", 9).with("revision", "other"));
    List<String> heads = page.texts("th");
    assertTrue(heads.containsAll(List.of("stm, revision one", "stm, revision other")), "" + heads);
  }

  /** Wherever a record has text, it is read and not run. */
  @Test
  void textOfRecordsCannotRun() throws IOException {
    Sample[] samples = new Sample[3];
    for (int i = 0; i < samples.length; i++) {
      samples[i] =
          Sample.of("run")
              .with("algorithm", HOSTILE)
              .with("version", HOSTILE)
              .with("revision", HOSTILE)
              .with("host.java", HOSTILE)
              .with("host.system", HOSTILE)
              .with("host.heapBytes", HOSTILE)
              .with("device.spec", HOSTILE)
              .with("device.machine", "cpu")
              .with("device.parallelism", 2)
              .with("device.name", HOSTILE)
              .with("device.detail", HOSTILE)
              .with("input.source", HOSTILE)
              .with("input.hash", HOSTILE)
              .with("input." + HOSTILE, 9)
              .with("contestant", HOSTILE)
              .with("variant." + HOSTILE, HOSTILE)
              .with("variant.parts", 2 + i)
              .with("millis." + HOSTILE, 1)
              .with("millis.total", 2)
              .with("counters." + HOSTILE, 7)
              .with("aborts." + HOSTILE, 7)
              .with("phases", List.of(Map.of("name", HOSTILE, "millis", 1)))
              .with("verdict", HOSTILE);
    }
    Path hostileName = folder.resolve("<script>alert(1)<\u0001script>.jsonl");
    Path failed = folder.resolve("failed.jsonl");
    Sample.write(hostileName, samples);
    Sample.write(failed, Sample.of("failure").with("message", HOSTILE));
    Written page =
        Written.of(ReportPage.of(Records.read(List.of(hostileName, failed)), List.of(), HOSTILE));
    assertFalse(page.html().contains("<script"), "a script");
    assertFalse(page.html().contains("<img"), "an image");
    assertTrue(page.html().contains("&lt;script&gt;alert(1)"), "the text itself");
    assertTrue(page.html().contains("\\u001b[31m\\u202e"), "controls are shown");
    assertTrue(page.texts("h2").contains("Scaling"), page.texts("h2").toString());
    assertTrue(page.shows("Aborted"));
    assertTrue(page.shows("Kernels"));
  }

  /** As large and as small as they may be; what is no number of threads is none. */
  @Test
  void numbersAtTheirLimitsHaveAPlace() throws IOException {
    Sample[] samples = new Sample[4];
    List<Double> values = List.of(0.0, Double.MIN_VALUE, 1e-9, 1e30);
    List<String> parts = List.of("0", "1e-320", "1e999", "1e30");
    for (int i = 0; i < samples.length; i++) {
      samples[i] =
          Sample.run("x" + i, values.get(i))
              .with("millis.upload", values.get(i))
              .with("counters.cut", values.get(i))
              .with("aborts.stolen", values.get(i))
              .with("aborts.locked", 1e30)
              .with("variant.parts", parts.get(i))
              .with("device.machine", "cpu")
              .with("device.parallelism", i == 0 ? "many" : "1" + i);
    }
    Written page = page(samples);
    assertTrue(page.shows("Aborted"));
    assertTrue(page.html().length() < 200_000, page.html().length() + " characters");
    assertFalse(page.html().contains("NaN"), "no number");
    assertFalse(page.html().contains("Infinity"), "no number");
  }

  @Test
  void theSameRecordsMakeTheSamePage() throws IOException {
    Path file = Sample.write(folder.resolve("a.jsonl"), Sample.run("a", 1), Sample.run("b", 2));
    assertEquals(Written.of(file).html(), Written.of(file).html());
  }

  @Test
  void inputsOfOneNameWithOtherContentsAreTwo() throws IOException {
    Written page =
        page(
            Sample.run("a", 3).with("input", Map.of("source", "x.gr", "hash", "1")),
            Sample.run("a", 5).with("input", Map.of("source", "x.gr", "hash", "2")));
    assertEquals(
        List.of("Environment", "Inputs", "msf: x.gr, 1", "msf: x.gr, 2"), page.texts("h2"));
  }

  private static byte[] png(int width, int height) {
    return ByteBuffer.allocate(16 + 8 + 5 + 4 + 12)
        .put(new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, 0, 13})
        .put(new byte[] {'I', 'H', 'D', 'R'})
        .putInt(width)
        .putInt(height)
        .put(new byte[9])
        .put(new byte[] {0, 0, 0, 0, 'I', 'E', 'N', 'D'})
        .putInt(0xae426082)
        .array();
  }

  @Test
  void picturesAreWithinThePage() throws IOException {
    Path file = Files.write(folder.resolve("road_forest-<b>.png"), png(30, 20));
    Records records = Records.read(List.of(Sample.write(folder.resolve("a"), Sample.run("a", 1))));
    Written page = Written.of(ReportPage.of(records, Picture.read(List.of(file)), "a test"));
    assertEquals("road forest <b>", page.all("img").get(0).getAttribute("alt"));
    assertEquals("30", page.all("img").get(0).getAttribute("width"));
    assertTrue(page.texts("figcaption").contains("road forest <b>"));
    assertTrue(page.texts("h2").contains("Pictures"));
  }

  @Test
  void whatIsNoPictureIsRefused() throws IOException {
    byte[] whole = png(30, 20);
    byte[] cut = Arrays.copyOf(whole, whole.length - 3);
    for (byte[] content : List.of(new byte[0], "<svg/>".getBytes("US-ASCII"), cut, png(0, 5))) {
      Path file = Files.write(folder.resolve("a.png"), content);
      FileFormatException e =
          assertThrows(FileFormatException.class, () -> Picture.read(List.of(file)));
      assertTrue(e.getMessage().contains("a.png: expected a complete PNG image"), e.getMessage());
    }
  }

  private Path large(String name, int mebibytes) throws IOException {
    byte[] content = Arrays.copyOf(png(30, 20), mebibytes << 20);
    byte[] small = png(30, 20);
    System.arraycopy(small, small.length - 12, content, content.length - 12, 12);
    return Files.write(folder.resolve(name), content);
  }

  @Test
  void picturesAreLimitedTogether() throws IOException {
    Path half = large("half.png", 32);
    Path rest = large("rest.png", 32);
    assertEquals(2, Picture.read(List.of(half, rest)).size());
    Path small = Files.write(folder.resolve("small.png"), png(3, 2));
    FileFormatException e =
        assertThrows(FileFormatException.class, () -> Picture.read(List.of(half, rest, small)));
    assertEquals(
        small
            + ": expected images of at most 64 MiB in all"
            + " (draw smaller ones with fewer --pixels, or leave some out)",
        e.getMessage());
  }

  /** What is written at once is what is in memory at once. */
  @Test
  void thePageIsWrittenPieceByPiece() throws IOException {
    Path file = Sample.write(folder.resolve("a"), Sample.run("a", 1));
    ReportPage page =
        ReportPage.of(
            Records.read(List.of(file)), Picture.read(List.of(large("a.png", 4))), "a test");
    int[] most = {0};
    long[] all = {0};
    page.writeTo(
        new OutputStream() {
          @Override
          public void write(int b) {
            all[0]++;
          }

          @Override
          public void write(byte[] bytes, int from, int length) {
            most[0] = Math.max(most[0], length);
            all[0] += length;
          }
        });
    assertTrue(all[0] > 5 << 20, all[0] + " bytes");
    assertTrue(most[0] <= 1 << 16, most[0] + " bytes at once");
  }

  @Test
  void aPictureMayComeFromAPipe() throws IOException, InterruptedException {
    Path pipe = folder.resolve("pipe.png");
    assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0);
    Path image = Files.write(folder.resolve("image.png"), png(30, 20));
    Process writer = new ProcessBuilder("cp", image.toString(), pipe.toString()).start();
    try {
      assertEquals("pipe", Picture.read(List.of(pipe)).get(0).caption());
    } finally {
      writer.destroyForcibly().waitFor();
    }
  }

  private static Sample ratio(String contestant, double ratio) {
    Sample summary =
        Sample.of("summary")
            .with("contestant", contestant)
            .with("runs", 1)
            .with("measure", "total")
            .with("spread", Map.of("least", 1, "lowerQuartile", 1, "median", 1))
            .with("spread.upperQuartile", 1)
            .with("spread.largest", 1);
    return ratio == 0
        ? summary
        : summary.with("ratioToFirst.median", ratio).with("ratioToFirst.verdict", "slower");
  }

  private static Sample at(String time, Sample sample) {
    return sample.with("time", time);
  }

  /** Each comparison has its own rounds, and its own first contestant. */
  @Test
  void ratiosAreOfOneComparison() throws IOException {
    Written page =
        page(
            at("10:00", Sample.run("a", 100)),
            at("10:00", Sample.run("b", 125)),
            at("10:00", ratio("a", 0)),
            at("10:00", ratio("b", 1.25)),
            at("11:00", Sample.run("c", 50)),
            at("11:00", Sample.run("b", 175)),
            at("11:00", ratio("c", 0)),
            at("11:00", ratio("b", 3.5)));
    List<List<String>> rows = rows(page, "Runs");
    assertEquals(
        List.of(
            List.of("a", "", "1", "1", "\u2013 not recorded", "100.0", "100.0", "100.0", "", ""),
            List.of(
                "b, comparison 1",
                "",
                "1",
                "1",
                "\u2013 not recorded",
                "125.0",
                "125.0",
                "125.0",
                "1.250 (1.250 to 1.250)",
                "slower"),
            List.of("c", "", "2", "1", "\u2013 not recorded", "50.00", "50.00", "50.00", "", ""),
            List.of(
                "b, comparison 2",
                "",
                "2",
                "1",
                "\u2013 not recorded",
                "175.0",
                "175.0",
                "175.0",
                "3.500 (3.500 to 3.500)",
                "slower")),
        rows);
    String file = folder.resolve("runs.jsonl").toString();
    assertEquals(
        List.of(List.of("1", "a", file, "10:00"), List.of("2", "c", file, "11:00")),
        rows(page, "Comparisons"));
  }

  /** The cells of a table without its head. */
  private static List<List<String>> rows(Written page, String caption) {
    Element table =
        page.all("table").stream()
            .filter(each -> each.getFirstChild().getTextContent().startsWith(caption))
            .findFirst()
            .orElseThrow();
    List<List<String>> rows = new ArrayList<>();
    NodeList found = table.getLastChild().getChildNodes();
    for (int i = 0; i < found.getLength(); i++) {
      List<String> cells = new ArrayList<>();
      for (Node cell = found.item(i).getFirstChild(); cell != null; cell = cell.getNextSibling()) {
        cells.add(cell.getTextContent());
      }
      rows.add(cells);
    }
    return rows;
  }

  /** What other programs took time from is told, marked, and not judged. */
  @Test
  void disturbedComparisonsAreVoid() throws IOException {
    Written page =
        page(
            Sample.run("a", 100),
            Sample.run("b", 150),
            Sample.run("c", 90),
            ratio("a", 0).with("processors", 0.996).with("disturbed", false),
            ratio("b", 1.5)
                .with("processors", 0.25)
                .with("disturbed", true)
                .with("ratioToFirst.verdict", "void"),
            ratio("c", 0.9).with("processors", null).with("disturbed", false));
    assertTrue(
        page.texts("p")
            .contains(
                "Other programs may have taken processor time (cpu/wall is low) from b: these times and"
                    + " ratios are void, repeat on a quiet machine."),
        page.html());
    assertEquals(
        List.of(
            List.of("1.00", "", ""),
            List.of("\u2717 disturbed, 0.25", "1.500", "void"),
            List.of("", "0.900 (0.900 to 0.900)", "slower")),
        rows(page, "Runs").stream().map(row -> row.subList(7, 10)).toList());
    // Records without the field are older.
    assertFalse(page(Sample.run("a", 1), ratio("a", 0)).shows("Other programs"));
    assertFalse(page(Sample.run("a", 1), ratio("a", 0)).texts("th").contains("cpu/wall"));
  }

  /** Nor do older records, which have the ratios, say that one is slower. */
  @Test
  void timesOfSimulatorsAreNotCompared() throws IOException {
    Sample[] simulated = {Sample.run("b", 9), ratio("b", 9)};
    for (Sample each : simulated) {
      each.with("device.spec", "sim:0:32").with("device.machine", "sim");
    }
    Written page =
        page(
            Sample.run("a", 1),
            simulated[0],
            Sample.run("c", 2),
            ratio("a", 0),
            simulated[1],
            ratio("c", 2));
    assertEquals(1, page.texts("td").stream().filter("slower"::equals).count(), page.html());
    assertTrue(
        page.texts("title").stream().anyMatch(each -> each.startsWith("c: median 2.000 ms")));
    assertTrue(page.texts("title").stream().noneMatch(each -> each.startsWith("b: ")));
    Written other =
        page(
            simulated[0],
            Sample.run("a", 1),
            simulated[1].with("ratioToFirst", null),
            ratio("a", 2));
    assertFalse(other.texts("td").contains("slower"), other.html());
  }

  @Test
  void oneComparisonNamesItsFirst() throws IOException {
    Written page = page(Sample.run("a", 2), Sample.run("b", 3), ratio("a", 0), ratio("b", 1.5));
    assertTrue(page.texts("th").contains("ratio to a"), page.html());
    assertFalse(page.shows("Comparisons"));
  }

  @Test
  void aRatioOfAnotherTimeSaysSo() throws IOException {
    Written page =
        page(
            at("1", Sample.run("a", 2)),
            at("1", ratio("a", 0)),
            at("1", ratio("b", 1.5).with("measure", "kernels")));
    assertTrue(
        page.texts("td").contains("1.500 (1.500 to 1.500) of kernels"),
        page.texts("td").toString());
  }

  /** One name may stand for two contents. */
  @Test
  void inputsWithoutAHashAreKeptApartByFile() throws IOException {
    Sample run = Sample.run("a", 3).with("input", Map.of("source", "x.gr"));
    Path one = Sample.write(folder.resolve("one.jsonl"), run);
    Path other = Sample.write(folder.resolve("other.jsonl"), run);
    Written page = Written.of(one, other);
    assertEquals(
        List.of("Environment", "Inputs", "msf: x.gr, in " + one, "msf: x.gr, in " + other),
        page.texts("h2"));
    assertTrue(page.texts("td").contains("not recorded"), page.html());
  }

  @Test
  void environmentsThatLookAlikeSayWhatDiffers() throws IOException {
    Written page =
        page(
            Sample.run("a", 3).with("device.spec", "cuda:0").with("device.clockMegahertz", 1700),
            Sample.run("a", 4).with("device.spec", "cuda:0").with("device.clockMegahertz", 1900));
    assertTrue(page.texts("th").contains("clock megahertz"), page.html());
    assertTrue(page.texts("td").containsAll(List.of("1700", "1900")), page.html());
  }

  @Test
  void thePageIsWrittenAsUtf8() throws IOException {
    Path file = Sample.write(folder.resolve("a"), Sample.run("\u00fc\u4e2d\ud83d\ude00", 1));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ReportPage.of(Records.read(List.of(file)), List.of(), "a test").writeTo(out);
    assertTrue(out.toString("UTF-8").contains("\u00fc\u4e2d\ud83d\ude00"));
  }
}
