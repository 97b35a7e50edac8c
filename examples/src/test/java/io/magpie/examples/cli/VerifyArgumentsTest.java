package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code verify --arg} takes from lists, files and graphs, by the region that a page shows.
 */
class VerifyArgumentsTest {
  private static final Path FILE =
      Path.of(System.getProperty("magpie.basedir"), "../verification/src/test/regions/choose.cu");

  @TempDir Path folder;

  /** The default schedule alone: what is compiled for that is compiled for exploration, too. */
  private static final String[] ONCE = {"--replay", "explicit"};

  private static CommandRun verify(Path region, List<String> arguments, int items, String... more) {
    List<String> words = new ArrayList<>(List.of("verify", "--region", region.toString()));
    arguments.forEach(argument -> words.addAll(List.of("--arg", argument)));
    words.addAll(List.of("--items", Integer.toString(items)));
    words.addAll(List.of(more));
    CommandRun run = CommandRun.of(words.toArray(String[]::new));
    assumeTrue(run.status() != ExitStatus.DEVICE_UNAVAILABLE.code(), "there is no compiler");
    return run;
  }

  private static List<String> of(String graph) {
    return List.of("chosen=zeros:vertices(" + graph + ")", "graph=csr:" + graph, "apart=1000000");
  }

  private static void assertSays(CommandRun run, ExitStatus status, String... words) {
    run.expect(status);
    for (String word : words) {
      assertTrue(run.err().contains(word), "'" + word + "' is not in: " + run.err());
    }
    assertEquals(1, run.err().strip().lines().filter(line -> line.contains(words[0])).count());
  }

  @Test
  void verticesOfAGeneratedGraphAreChosen() {
    String some = "[1-9][0-9]* committed, [1-9][0-9]* canceled, 0 unfinished";
    CommandRun run = verify(FILE, of("road:100"), 100, ONCE).expect(ExitStatus.OK);
    assertTrue(Pattern.compile(some).matcher(run.out()).find(), run.out());
    assertEquals(
        ended(run), ended(verify(FILE, of("generate:road:100"), 100, ONCE).expect(ExitStatus.OK)));
    List<String> anywhere = new ArrayList<>(of("road:100"));
    anywhere.set(2, "apart=0");
    run = verify(FILE, anywhere, 100, ONCE).expect(ExitStatus.OK);
    assertTrue(run.out().contains("100 committed, 0 canceled, 0 unfinished"), run.out());
  }

  @Test
  void aRegionThatOnlyLooksAtTheNeighborsIsCaught() throws IOException {
    String careless =
        Files.readString(FILE)
            .replace("MAGPIE_TRY(tx.get(chosen, neighbor))", "tx.glance(chosen, neighbor)");
    Path region = Files.writeString(folder.resolve("careless.cu"), careless);
    CommandRun run = verify(region, of("road:9"), 9, "--explore", "pct:2");
    run.expect(ExitStatus.VIOLATION);
    assertTrue(run.out().contains("unchecked hint"), run.out());
    assertTrue(run.out().contains("'graph=csr:road:9'") || run.out().contains("graph=csr:road:9"));
    assertTrue(run.out().contains("'chosen=zeros:vertices(road:9)'"), run.out());
  }

  @Test
  void partsListsAndFilesGiveTheSame() throws IOException {
    // The path 0 - 1 - 2.
    Path graph = Files.writeString(folder.resolve("path.wel"), "0 1 4\n1 2 6\n");
    Path neighbors = folder.resolve("neighbors.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(neighbors))) {
      out.write("1 # of 0\n0, 2 # of 1\n1".getBytes(StandardCharsets.US_ASCII));
    }
    List<String> arguments =
        List.of(
            "chosen=[0, 0, 0]",
            "graph.offsets=[0,1,3,4]",
            "graph.neighbors=file:" + neighbors,
            "graph.weights=csr.weights:" + graph,
            "apart=1000000");
    CommandRun one = verify(FILE, arguments, 3, ONCE).expect(ExitStatus.OK);
    CommandRun other = verify(FILE, of(graph.toString()), 3, ONCE).expect(ExitStatus.OK);
    assertTrue(one.out().contains("2 committed, 1 canceled"), one.out());
    assertEquals(ended(one), ended(other));
  }

  @Test
  void itemsAreArcsWithTheirSources() throws IOException {
    Path region =
        Files.writeString(
            folder.resolve("arcs.cu"),
            """
            #include "magpie/stm.cuh"
            struct arcs_of {
              magpie::array<const std::uint32_t> sources;
              magpie::array<const std::uint32_t> offsets;
            };
            struct counts {
              magpie::stm::guarded<std::uint32_t> arcs;
              arcs_of graph;
              static constexpr std::uint32_t max_objects = 1, max_writes = 1;
              template <class Tx>
              MAGPIE_DEVICE magpie::stm::outcome operator()(Tx& tx, std::uint32_t arc) const {
                const std::uint32_t v = graph.sources[arc];
                if (arc < graph.offsets[v] || arc >= graph.offsets[v + 1]) {
                  return magpie::stm::outcome::cancel;
                }
                const std::uint32_t n = MAGPIE_TRY(tx.get(arcs, v));
                MAGPIE_TRY(tx.set(arcs, v, n + 1));
                return magpie::stm::outcome::commit;
              }
            };
            MAGPIE_REGION(counts)
            """);
    CommandRun run =
        CommandRun.of(
            "verify",
            "--region=" + region,
            "--arg=arcs=fill:-1:vertices(road:9)",
            "--arg=graph=csr:road:9",
            "--items=arcs(road:9)",
            "--replay=explicit");
    assumeTrue(run.status() != ExitStatus.DEVICE_UNAVAILABLE.code(), "there is no compiler");
    run.expect(ExitStatus.OK);
    assertTrue(
        Pattern.compile("[1-9][0-9]* committed, 0 canceled").matcher(run.out()).find(), run.out());
  }

  /** What does not depend on time. */
  private static List<String> ended(CommandRun run) {
    return run.out().lines().filter(line -> line.contains("committed")).toList();
  }

  private static CommandRun bad(String argument) {
    List<String> arguments = new ArrayList<>(of("road:9"));
    String field = argument.substring(0, argument.indexOf('=') + 1);
    arguments.removeIf(each -> each.startsWith(field));
    arguments.add(argument);
    return verify(FILE, arguments, 9, ONCE);
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  @Test
  void malformedArgumentsAreWrongUsage() {
    ExitStatus usage = ExitStatus.USAGE;
    assertSays(bad("chosen=[1,x]"), usage, "--arg chosen: 'x' in '[1,x]' is not a number");
    assertSays(bad("chosen=x:y"), usage, "'x:y' is not objects:COUNT", "or csr:GRAPH for a struct");
    assertSays(bad("chosen=[1,-2]"), usage, "element 1: '-2'", "0 to 4294967295");
    assertSays(bad("chosen=file:"), usage, "--arg chosen: 'file:' lacks its path");
    assertSays(bad("chosen=csr:"), usage, "'csr:' lacks its graph");
    assertSays(bad("chosen=csr:-"), usage, "standard input");
    assertSays(bad("chosen=csr.chosen:road:9"), usage, "'chosen' in 'csr.chosen:road:9'");
    assertSays(
        bad("chosen=csr.offsets:roud:9"), usage, "'roud'", "road, ", "graph, generate, wheel");
    assertSays(bad("chosen=csr.offsets:mesh:a"), usage, "--arg chosen: ", "'mesh'", "road, ");
    assertSays(bad("chosen=zeros:vertices()"), usage, "'zeros:vertices()' lacks its graph");
    assertSays(bad("chosen=zeros:edges(road:9)"), usage, "--arg chosen: ", "not");
    assertSays(
        bad("graph.weights=csr:road:9"),
        usage,
        "graph.weights (an array of i32): 'csr:road:9' does not");
    assertSays(
        bad("chosen=csr:road:9"),
        usage,
        "chosen.data",
        "only offsets, neighbors, sources, weights");
    assertSays(bad("apart=csr.offsets:road:9"), usage, "apart (a scalar of type i32)", "a number");
    CommandRun items = CommandRun.of("verify", "--region", "a.cu", "--items", "vertices(roud:9)");
    assertSays(items, usage, "'--items'", "'roud' is neither a generator");
    assertSays(
        CommandRun.of("verify", "--region", "a.cu", "--items", "edges(road:9)"),
        usage,
        "'--items'",
        "expected a whole number, but was 'edges(road:9)'");
    assertTrue(!items.err().contains("--per-run"), items.err());
    assertSays(bad("apart=arcs(road:9"), usage, "--arg apart: 'arcs(road:9' is not");
  }

  private static CommandRun items(String count) {
    return CommandRun.of("verify", "--region", "a.cu", "--items", count);
  }

  @Test
  void filesThatDoNotSuitAreBadInput() throws IOException {
    ExitStatus input = ExitStatus.BAD_INPUT;
    String letters = file("letters.txt", "1\n2 x\n");
    String unweighted = file("unweighted.el", "0 1\n");
    assertSays(bad("chosen=file:" + letters), input, letters + ":2: found 'x', expected a number");
    assertSays(bad("chosen=file:" + folder), input, "is a folder; name a file");
    assertSays(bad("chosen=file:" + folder.resolve("none")), input, "none: no such file");
    assertSays(bad("chosen=csr.offsets:complete:1M"), input, "too large: 999999000000 arcs");
    assertSays(bad("chosen=csr.offsets:none.gr"), input, "none.gr: no such file");
    assertSays(
        bad("graph=csr:[0,1]"),
        input,
        "[0,1]: no such file; nor is it a generator such as road:100");
    assertSays(items("vertices(none.gr)"), input, "verify: none.gr: no such file; nor is it");
    assertSays(items("arcs(graph:none.gr)"), input, "verify: none.gr: no such file");
    assertSays(items("arcs(complete:1M)"), input, "too large: 999999000000 arcs");
    assertSays(items("arcs(" + letters + ")"), input, letters);
    assertSays(
        bad("chosen=csr.weights:" + unweighted), input, "no weights", "fill:1:arcs(" + unweighted);
    String negative = file("negative.txt", "1\n\n-2\n");
    assertSays(
        bad("chosen=file:" + negative),
        input,
        "--arg chosen (an array of u32): "
            + negative
            + ":3: '-2' is not one of its values, whole numbers from");
    assertSays(
        bad("graph=csr:" + unweighted),
        ExitStatus.USAGE,
        "graph.weights (an array of i32): 'csr:" + unweighted.substring(0, 9),
        "gives only offsets, neighbors");
  }
}
