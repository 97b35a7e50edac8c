package io.magpie.examples.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.FileFormatException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    assertEquals(
        List.of("Environment", "Inputs", "msf: an input without a name"), page.texts("h2"));
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
    assertEquals(List.of("Ended early"), page.texts("h2"));
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
    for (String each : List.of("Stages", "Kernels", "Aborted", "Other numbers", "Settings")) {
      assertTrue(one.shows(each), each);
    }
    assertFalse(one.shows("The total"), "one variant has nothing beside it");
    assertTrue(one.texts("th").contains("cut"));
    assertTrue(one.texts("desc").contains("choose 0.5000, settle 0.2500"), one.html());
    assertTrue(one.texts("desc").contains("stolen 2"), "what never happened is not drawn");
    assertTrue(one.texts("li").contains("astolen"), one.html());
    assertFalse(one.texts("li").contains("ball others"), "nor is it in the legend");
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
    assertEquals(List.of("Environment", "Inputs", "msf: x.gr", "msf: x.gr"), page.texts("h2"));
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
    Written page = Written.of(ReportPage.of(records, List.of(Picture.read(file)), "a test"));
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
      FileFormatException e = assertThrows(FileFormatException.class, () -> Picture.read(file));
      assertTrue(e.getMessage().contains("a.png: expected a complete picture"), e.getMessage());
    }
  }

  @Test
  void thePageIsWrittenAsUtf8() throws IOException {
    Path file = Sample.write(folder.resolve("a"), Sample.run("\u00fc\u4e2d\ud83d\ude00", 1));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ReportPage.of(Records.read(List.of(file)), List.of(), "a test").writeTo(out);
    assertTrue(out.toString("UTF-8").contains("\u00fc\u4e2d\ud83d\ude00"));
  }
}
