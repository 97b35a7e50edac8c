package io.magpie.examples.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordReaderTest {
  @TempDir Path folder;

  private Records read(String... lines) throws IOException {
    Path file = folder.resolve("runs.jsonl");
    Files.write(file, List.of(lines));
    return Records.read(List.of(file));
  }

  @Test
  void readsARunOfAComparison() throws IOException {
    Run run =
        read("""
        {"kind":"run","algorithm":"msf","version":"1","revision":"abc",
         "host":{"processors":2,"heapBytes":1073741824,"java":"17","system":"Linux"},
         "device":{"spec":"cpu:2","machine":"cpu","name":"processor","parallelism":2},
         "input":{"source":"road:9","hash":"sha256:1","vertices":9},
         "contestant":"stm","baseline":false,"variant":{"merge":"stm"},
         "warmUp":true,"millis":{"total":3.5,"kernels":1},"counters":{"rounds":2},
         "aborts":{"stolen":7},"verdict":"verified"}\
        """)
            .runs()
            .get(0);
    assertEquals(new Problem("msf", "road:9", "sha256:1", ""), run.subject().problem());
    assertEquals("2 processors, Linux", run.subject().environment().host());
    assertEquals("stm", run.subject().contestant());
    assertEquals(Map.of("merge", "stm"), run.subject().settings());
    assertEquals(Map.of("total", 3.5, "kernels", 1.0), run.millis());
    assertEquals("7", run.aborts().get("stolen").toString());
    assertEquals("2", run.figures().get("rounds").toString());
    assertTrue(run.warmUp());
  }

  @Test
  void readsASingleRun() throws IOException {
    Records records =
        read(
            """
            {"algorithm" : "refine", "input" : {"source" : "uniform:9", "vertices" : 9},
             "bounds" : {"minimumAngle" : 30.0},
             "variant" : {"sync" : "three-phases", "sorted" : true},
             "mesh" : {"triangles" : 12, "bad" : 0, "insertedInside" : 3, "insertedOnSegments" : 1},
             "millis" : {"total" : 2.5}, "rounds" : 4, "profile" : [{"items" : 1}],
             "verdict" : "not verified"}
            {"algorithm":"partition","input":{},"partition":{"parts":4,"cut":17,"weights":[1,2]},
             "phases":[{"name":"judge","synchronization":"lock-free","millis":0.5,"launches":3}]}
            {"algorithm":"color","input":{"vertices":3},"coloring":{"colors":5},"rounds":2}
            {"algorithm":"msf","input":{},"forest":{"edges":8},
             "phases":[{"name":"unite","millis":0.5},{"name":"test"}]}\
            """);
    Run mesh = records.runs().get(0);
    assertEquals(
        Map.of("minimumAngle", "30.0", "sync", "three-phases", "sorted", "true"),
        mesh.subject().settings());
    assertEquals("4", mesh.figures().get("inserted").toString());
    assertEquals("0", mesh.figures().get("badLeft").toString());
    assertEquals("4", mesh.figures().get("rounds").toString());
    Run parts = records.runs().get(1);
    assertEquals("4", parts.subject().settings().get("parts"));
    assertEquals("17", parts.figures().get("cut").toString());
    assertEquals(List.of(new KernelTime("judge", 0.5)), parts.phases());
    assertEquals("", parts.verdict());
    assertEquals(List.of(), records.runs().get(3).phases()); // one of which has no time
    Run colors = records.runs().get(2); // of an algorithm that the reader does not know
    assertEquals("5", colors.figures().get("colors").toString());
    assertFalse(colors.figures().containsKey("vertices"), "of the input");
  }

  @Test
  void readsASummaryAndAFailure() throws IOException {
    Records records =
        read(
            """
            {"kind":"summary","algorithm":"msf","runs":3,"wrong":0,"measure":"total",
             "shown":["cut","levels"],"spread":{"least":1,"lowerQuartile":1,"median":2,"upperQuartile":3,"largest":3},
             "ratioToFirst":{"median":2.0,"low":1.5,"high":2.5,"verdict":"slower"}}\
            """,
            "{\"kind\":\"summary\",\"algorithm\":\"msf\",\"spread\":null}",
            "{\"kind\":\"failure\",\"input\":{\"source\":\"path:9\"},\"message\":\"ended from"
                + " outside\"}");
    Summarized summary = records.summaries().get(0);
    assertEquals(2, summary.spread().orElseThrow().median());
    assertEquals("slower", summary.ratio().orElseThrow().verdict());
    assertEquals(List.of("cut", "levels"), summary.shown());
    assertTrue(records.summaries().get(1).spread().isEmpty());
    assertEquals(List.of(), records.summaries().get(1).shown());
    assertEquals(List.of("path:9: ended from outside"), List.copyOf(records.failures().values()));
  }

  /** Records always have a seed: 1 where nothing was drawn. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "road:n=9,seed=1 | 1 | true",
        "/data/seed/a.gr with weights 1..9, seed 1 | 1 | true",
        "/data/a.gr | 2 | true",
        "/data/seed/a.gr | 1 | false",
        "/data/seed 1.gr | 1 | false",
        "ring:9 | 1 | false",
      })
  void theSeedIsThereWhereSomethingWasDrawn(String source, int seed, boolean shown)
      throws IOException {
    Records records =
        read(
            String.format(
                Locale.ROOT,
                "{\"kind\":\"run\",\"algorithm\":\"a\",\"input\":"
                    + "{\"source\":\"%s\",\"seed\":%d,\"vertices\":9}}",
                source,
                seed));
    Map<String, BigDecimal> sizes = records.sizes(records.runs().get(0).subject().problem());
    assertEquals(shown, sizes.containsKey("seed"), sizes::toString);
    assertTrue(sizes.containsKey("vertices"));
  }

  /** As the commands write ratios to no time at all, and the like. */
  @Test
  void whatIsUndefinedIsLeftOut() throws IOException {
    Records records =
        read(
            "{\"kind\":\"summary\",\"algorithm\":\"a\",\"ratioToFirst\":{\"median\":\"NaN\"}}",
            "{\"kind\":\"run\",\"algorithm\":\"a\",\"millis\":{\"total\":1,\"x\":\"Infinity\"}}");
    assertTrue(records.summaries().get(0).ratio().isEmpty());
    assertEquals(Map.of("total", 1.0), records.runs().get(0).millis());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "hello | runs.jsonl:2: found text that is not JSON",
        "{\"kind\" | runs.jsonl:2: found an incomplete record, expected a complete JSON object",
        "{\"kind\" \"run\"} | runs.jsonl:2: found text that is not JSON",
        "[{}] | runs.jsonl:2: found an array",
        "7 | runs.jsonl:2: found a number",
        "\"run\" | runs.jsonl:2: found a string",
        "null | runs.jsonl:2: found a literal",
        "{} | runs.jsonl:2: found a record that is not of a run",
        "{\"kind\":\"walk\"} | runs.jsonl:2: found a record of kind 'walk'",
        "{\"kind\":7} | runs.jsonl:2: found 7 as 'kind', expected a string",
        "{\"kind\":\"run\"} | runs.jsonl:2: found a record without 'algorithm'",
        "{\"algorithm\":\"msf\",\"millis\":{}} | runs.jsonl:2: found a record that is not of a run",
        "{\"command\":\"verify\"} | runs.jsonl:2: found a record that is not of a run",
        "{\"kind\":\"run\",\"algorithm\":\"a\",\"millis\":[]} | found [] as 'millis', expected an"
            + " object",
        "{\"kind\":\"run\",\"algorithm\":\"a\",\"millis\":{\"x\":\"y\"}} | \"y\" as 'millis.x',"
            + " expected a number",
        "{\"kind\":\"run\",\"algorithm\":\"a\",\"millis\":{\"x\":1e999}} | as 'millis.x', expected"
            + " a number",
        "{\"kind\":\"run\",\"algorithm\":\"a\",\"millis\":{\"x\":-1}} | -1 as 'millis.x', expected"
            + " a time of at least 0",
        "{\"kind\":\"run\",\"algorithm\":\"a\",\"warmUp\":1} | 1 as 'warmUp', expected true or"
            + " false",
        "{\"kind\":\"run\",\"algorithm\":\"a\",\"phases\":[1]} | 1 as 'phases', expected an array"
            + " of objects",
        "{\"kind\":\"summary\",\"algorithm\":\"a\",\"shown\":\"cut\"} | \"cut\" as 'shown', expected"
            + " an array",
        "{\"kind\":\"summary\",\"algorithm\":\"a\",\"shown\":[1]} | 1 as 'shown', expected an array"
            + " of strings",
        "{\"kind\":\"run\",\"algorithm\":\"a\",\"phases\":{}} | {} as 'phases', expected an array",
      })
  void saysWhatIsWrongWhere(String line, String message) {
    IOException e = assertThrows(IOException.class, () -> read("{\"kind\":\"failure\"}", line));
    assertTrue(e.getMessage().contains(message), e.getMessage());
    assertTrue(e.getMessage().startsWith(folder + "/runs.jsonl:2: "), e.getMessage());
    assertTrue(e.getMessage().contains("("), () -> "no remedy: " + e.getMessage());
    assertEquals(1, e.getMessage().lines().count());
  }

  @Test
  void aFileWithoutRecordsIsRefused() throws IOException {
    for (String content : List.of("", " \n\n")) {
      Path file = Files.writeString(folder.resolve("empty.jsonl"), content);
      IOException e = assertThrows(IOException.class, () -> Records.read(List.of(file)));
      assertTrue(
          e.getMessage().contains("empty.jsonl: found an empty file, expected"), e.getMessage());
    }
  }

  @Test
  void deepAndBinaryFilesAreNoFault() throws IOException {
    Path deep = Files.writeString(folder.resolve("deep"), "{\"a\":".repeat(100_000));
    Path bytes = Files.write(folder.resolve("bytes"), new byte[] {(byte) 0x89, 'P', 'N', 'G', 0});
    Path half = Files.write(folder.resolve("half"), new byte[] {'{', '"', (byte) 0xc3, '"', '}'});
    for (Path each : List.of(deep, bytes, half)) {
      IOException e = assertThrows(IOException.class, () -> Records.read(List.of(each)));
      assertTrue(e.getMessage().startsWith(each + ":1: found"), e.getMessage());
    }
  }
}
