package io.magpie.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphFormats;
import io.magpie.examples.cli.ExitStatus;
import io.magpie.spark.TestEdges.Edge;
import io.magpie.spark.TestJobs.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code magpie convert} to Parquet and from there, of files of all formats. */
class ConvertTest {
  @TempDir private Path folder;

  private Path generated(String name, String spec) {
    Path file = folder.resolve(name);
    TestJobs.magpie("generate", spec, "--out", file.toString()).done();
    return file;
  }

  private Run convert(String... arguments) {
    return TestJobs.magpie(TestJobs.words(Stream.of("convert"), arguments));
  }

  /**
   * @param times how often each edge is to come
   */
  private void assertComesBack(Path file, String engine, int times) throws IOException {
    Graph graph = GraphFormats.read(file);
    Path edges = folder.resolve("edges-" + engine + ".parquet");
    Path back = folder.resolve(engine + ".mpg");
    Run there = convert("--engine", engine, "--graph", file.toString(), "--out", edges.toString());
    assertTrue(there.done().out().startsWith(edges + ": "), there.out());
    assertEquals("", there.err());
    convert("--parquet", edges.toString(), "--out", back.toString()).done();
    Graph again = GraphFormats.read(back);
    assertEquals(graph.vertices(), again.vertices());
    assertEquals(graph.weighted(), again.weighted());
    List<String> expected =
        ConvertProperties.edges(graph).stream()
            .flatMap(edge -> Collections.nCopies(times, edge).stream())
            .toList();
    assertEquals(expected, ConvertProperties.edges(again));
    try (Stream<Path> left = Files.list(folder)) {
      assertFalse(left.anyMatch(each -> each.toString().contains("attempts")));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a.gr",
        "a.graph",
        "a.mtx",
        "a.el",
        "a.wel",
        "a.txt",
        "a.egr",
        "a.mpg",
        "a.mpe",
        "a.gr.xz",
        "a.graph.gz",
        "a.mpg.xz",
        "a.el.gz"
      })
  void filesOfAllFormatsComeBack(String name) throws IOException {
    boolean weighted = !name.startsWith("a.el");
    Path file = generated(name, "random:n=50,m=120,weights=" + (weighted ? "1..5" : "none"));
    assertComesBack(file, "memory", 1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a.gr", "a.mtx", "a.el", "a.wel", "a.txt", "a.mpg", "a.mpe", "a.gr.xz", "a.el.gz"})
  void edgesOneByOneComeBackAsOftenAsTheyAreListed(String name) throws IOException {
    boolean weighted = !name.startsWith("a.el");
    Path file = generated(name, "random:n=50,m=120,weights=" + (weighted ? "1..5" : "none"));
    assertComesBack(file, "stream", name.startsWith("a.gr") ? 2 : 1);
  }

  @Test
  void aFolderThatIsThereIsLeftAsItIs() throws IOException {
    Path file = generated("a.mpe", "random:n=50,m=120");
    Path out = Files.createDirectory(folder.resolve("b.parquet"));
    Path mine = Files.writeString(out.resolve("mine"), "kept");
    for (String engine : new String[] {"memory", "stream"}) {
      Run run = convert("--engine", engine, "--graph", file.toString(), "--out", out.toString());
      assertEquals(ExitStatus.OUTPUT_FAILED.code(), run.status(), run.err());
      assertTrue(run.err().contains(out + ": is there already; remove it"), run.err());
      assertEquals("kept", Files.readString(mine));
    }
    Run given = convert("--graph", out.toString(), "--out", folder.resolve("c.el").toString());
    assertEquals(ExitStatus.BAD_INPUT.code(), given.status(), given.err());
    assertTrue(given.err().contains(out + ": is a folder; name a file, or give it to --parquet"));
  }

  /** Also where the damage is seen only when most has been written. */
  @ParameterizedTest
  @ValueSource(strings = {"memory", "stream"})
  void aDamagedFileLeavesNothing(String engine) throws IOException {
    Path file = generated("a.mpe", "random:n=500,m=3000");
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 1] ^= 1; // of the checksum
    Files.write(file, bytes);
    Path out = folder.resolve("b.parquet");
    Run run = convert("--engine", engine, "--graph", file.toString(), "--out", out.toString());
    assertEquals(ExitStatus.BAD_INPUT.code(), run.status(), run.err());
    assertTrue(run.err().startsWith("magpie convert: " + file + ": found checksum"), run.err());
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(List.of(file), left.toList());
    }
  }

  /** Names that mean something else to Hadoop. */
  @ParameterizedTest
  @ValueSource(strings = {"a b.parquet", "a%20b.parquet", "a+b.PARQUET"})
  void namesAreThoseOfFiles(String name) throws IOException {
    Path file = generated("a.mpe", "random:n=50,m=120");
    Path out = folder.resolve(name);
    convert("--graph", file.toString(), "--out", out.toString()).done();
    assertTrue(Files.exists(out.resolve("_manifest.json")));
  }

  @Test
  void parquetOfOthersIsAGraph() throws IOException {
    Path input = folder.resolve("edges.parquet");
    List<Edge> edges = TestEdges.random(20260902, 40, 100, 7);
    TestEdges.write(input, "required int64 src; required int64 dst; required float weight;", edges);
    Path back = folder.resolve("a.mpg");
    convert("--parquet", input.toString(), "--out", back.toString()).done();
    assertEquals(100, GraphFormats.read(back).edges());
    Run found = TestJobs.magpie("msf", "--parquet", input.toString(), "--device", "cpu:1").done();
    assertTrue(found.out().contains("100 edges"), found.out());
    TestEdges.write(folder.resolve("u.parquet"), "required int64 u; required int64 v;", List.of());
    Run refused =
        convert("--parquet", folder.resolve("u.parquet").toString(), "--out", back.toString());
    assertEquals(ExitStatus.BAD_INPUT.code(), refused.status(), refused.err());
    assertTrue(refused.err().contains("has no column 'src', but u, v; rename it"), refused.err());
  }

  /** Of the options of jobs that would help, commands for graphs have none. */
  @Test
  void remediesAreThoseThatCommandsForGraphsHave() throws IOException {
    Path input = folder.resolve("edges.parquet");
    MessageType schema =
        MessageTypeParser.parseMessageType(
            "message edges {optional int32 src; optional int32 dst;}");
    TestEdges.writeRows(input, schema, List.of(new SimpleGroupFactory(schema).newGroup()));
    Run refused = convert("--parquet", input.toString(), "--out", folder + "/a.mpg");
    assertEquals(ExitStatus.BAD_INPUT.code(), refused.status(), refused.err());
    assertTrue(
        refused
            .err()
            .contains("do not tell the largest vertex; write the files with statistics of src"),
        refused.err());
    assertFalse(refused.err().contains("--vertices"), refused.err());
  }
}
