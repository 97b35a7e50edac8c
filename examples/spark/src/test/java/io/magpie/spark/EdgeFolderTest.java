package io.magpie.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.msf.EdgeSource;
import io.magpie.spark.TestEdges.Edge;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Folders of edges, in files and row groups that are small enough to be several. */
class EdgeFolderTest {
  private static final Configuration CONFIGURATION = new Configuration();

  @TempDir private Path root;

  private final StringWriter warnings = new StringWriter();

  /** Writes a folder with seven rows to a file and three to a row group. */
  private long write(Path out, EdgeSource edges, boolean numbered) {
    OutputFolder folder = OutputFolder.local(out, CONFIGURATION, new PrintWriter(warnings, true));
    try (EdgeFolder target = new EdgeFolder(folder, CONFIGURATION, 7, 3)) {
      return target.write(edges, true, numbered, "a test");
    }
  }

  private static EdgeSource source(int vertices, List<Edge> edges) {
    Iterator<Edge> each = edges.iterator();
    return EdgeSource.of(
        vertices,
        WeightType.LONG,
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return each.hasNext();
          }

          @Override
          public EdgeSource.Edge next() {
            Edge next = each.next();
            return new EdgeSource.Edge(next.id(), next.source(), next.target(), next.weight());
          }
        });
  }

  private static ParquetRows rows(Path folder, String id) {
    ParquetRows.Columns columns = new ParquetRows.Columns("src", "dst", "weight", id);
    return ParquetRows.of(folder.toString(), columns, null, CONFIGURATION);
  }

  /** What a job reads. */
  private static List<Edge> edges(ParquetRows rows) {
    List<Edge> edges = new ArrayList<>();
    rows.pass(
        0,
        rows.rows(),
        Settings.of(CONFIGURATION),
        (some, count) -> {
          for (int i = 0; i < count; i++) {
            edges.add(new Edge(some.numbers[i], some.sources[i], some.targets[i], some.keys[i]));
          }
          return true;
        });
    return edges;
  }

  private List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.endsWith(".crc"))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 1, 1", "1, 1, 1", "7, 1, 3", "8, 2, 4", "100, 15, 43"})
  void rowsAreInOrderWhateverTheFilesAndGroups(int count, int files, int groups)
      throws IOException {
    List<Edge> edges = TestEdges.random(20260901, 60, count, 9);
    Path out = root.resolve("edges.parquet");
    assertEquals(count, write(out, source(90, edges), false));
    ParquetRows rows = rows(out, null);
    assertEquals(edges, edges(rows));
    assertEquals(90, rows.vertices(), "those without edges, too");
    assertEquals(WeightType.LONG, rows.weightType());
    if (count > 0) {
      assertEquals(groups, rows.groups().size());
    }
    List<String> parts =
        IntStream.range(0, files).mapToObj("part-%08d.parquet"::formatted).toList();
    List<String> expected = new ArrayList<>(List.of("_manifest.json"));
    expected.addAll(parts);
    assertEquals(expected, names(out));
    JsonNode manifest = new ObjectMapper().readTree(out.resolve("_manifest.json").toFile());
    assertEquals(count, manifest.get("edges").asInt());
    assertEquals(90, manifest.get("vertices").asInt());
    assertEquals("long", manifest.get("weightType").asText());
    List<String> listed = new ArrayList<>();
    manifest.get("files").forEach(file -> listed.add(file.asText()));
    assertEquals(parts, listed);
    assertEquals(List.of("edges.parquet"), names(root));
    assertEquals("", warnings.toString());
  }

  @Test
  void numbersOf64BitsAreIds() throws IOException {
    List<Edge> edges = new ArrayList<>();
    long[] ids = {0, 1, 5, 1L << 31, 1L << 32, (1L << 53) + 1, Long.MAX_VALUE - 1, Long.MAX_VALUE};
    for (int i = 0; i < ids.length; i++) {
      edges.add(new Edge(ids[i], i % 3, (i + 1) % 4, i % 2 == 0 ? Long.MIN_VALUE : Long.MAX_VALUE));
    }
    Path out = root.resolve("edges.parquet");
    write(out, source(4, edges), true);
    assertEquals(edges, edges(rows(out, "id")));
    Path forest = root.resolve("forest");
    TestJobs.job(
            "--input",
            out.toString(),
            "--id",
            "id",
            "--partitions",
            "3",
            "--master",
            "local[2]",
            "--out",
            forest.toString())
        .done();
    List<Edge> ranked =
        edges.stream()
            .map(e -> new Edge(e.id(), e.source(), e.target(), Long.signum(e.weight())))
            .toList();
    assertEquals(TestEdges.forest(ranked, false), TestJobs.ids(forest));
  }

  /** What would be numbered otherwise is a fault of the caller's, and leaves nothing. */
  @Test
  void numbersWithGapsAreNotRows() throws IOException {
    List<Edge> edges = List.of(new Edge(0, 0, 1, 1), new Edge(2, 1, 2, 1));
    Path out = root.resolve("edges.parquet");
    assertThrows(IllegalArgumentException.class, () -> write(out, source(3, edges), false));
    assertEquals(List.of(), names(root));
  }

  @Test
  void edgesThatCannotBeReadLeaveNothing() throws IOException {
    List<Edge> edges = TestEdges.random(20260901, 60, 20, 9);
    Iterator<Edge> some = edges.iterator();
    EdgeSource broken =
        EdgeSource.of(
            60,
            WeightType.LONG,
            new Iterator<>() {
              @Override
              public boolean hasNext() {
                return true;
              }

              @Override
              public EdgeSource.Edge next() {
                if (!some.hasNext()) {
                  throw new UncheckedIOException(new IOException("the disk does not answer"));
                }
                Edge next = some.next();
                return new EdgeSource.Edge(next.id(), next.source(), next.target(), next.weight());
              }
            });
    Path out = root.resolve("a/b/edges.parquet");
    assertThrows(UncheckedIOException.class, () -> write(out, broken, false));
    assertFalse(Files.exists(root.resolve("a")));
    assertEquals("", warnings.toString());
  }

  /** As some tool may write them, or as files of two folders that are put together. */
  @Test
  void theMostVerticesThatAFooterTellsCount() throws IOException {
    Path all = Files.createDirectory(root.resolve("all"));
    for (int part = 0; part < 2; part++) {
      Path out = root.resolve("edges-" + part);
      write(out, source(10 + 20 * part, List.of(new Edge(0, 0, 1, 1))), false);
      Files.copy(out.resolve("part-00000000.parquet"), all.resolve("p" + part + ".parquet"));
    }
    TestEdges.write(
        all.resolve("q.parquet"),
        "required int32 src; required int32 dst; required int64 weight;",
        List.of(new Edge(0, 3, 41, 1)));
    assertEquals(42, rows(all, null).vertices());
    Files.delete(all.resolve("q.parquet"));
    assertEquals(30, rows(all, null).vertices());
  }
}
