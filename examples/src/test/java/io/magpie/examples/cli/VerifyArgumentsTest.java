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
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code verify --arg} takes from lists, files and graphs, by a region that colors a graph.
 */
class VerifyArgumentsTest {
  @TempDir Path folder;

  /** Gives a vertex the least color, from 1, that none of its neighbors has, if it has none. */
  private static final String COLOR =
      """
      #include "magpie/stm.cuh"
      using magpie::stm::outcome;
      struct rows {
        magpie::array<const std::uint32_t> offsets;
        magpie::array<const std::int64_t> neighbors;
        magpie::array<const float> weights;
      };
      struct color {
        magpie::stm::objects vertices;
        magpie::array<std::uint32_t> colors;
        rows graph;
        std::uint32_t count;
        static constexpr std::uint32_t max_objects = 9, max_writes = 1;
        template <class Tx>
        MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
          if (graph.offsets.length != count + 1 || graph.weights.length != graph.neighbors.length) return outcome::cancel;
          const auto own = tx.open(vertices, item);
          std::uint32_t taken = 1;
          const std::uint32_t end = magpie::ld_plain(&graph.offsets[item + 1]);
          for (std::uint32_t arc = magpie::ld_plain(&graph.offsets[item]); arc < end; ++arc) {
            const auto neighbor = static_cast<std::uint32_t>(magpie::ld_plain(&graph.neighbors[arc]));
            std::uint32_t theirs = 0;
            LOOK
            taken |= 1u << theirs;
          }
          std::uint32_t least = 1;
          while ((taken >> least & 1u) != 0) ++least;
          return tx.write(own, &colors[item], least) ? outcome::commit : outcome::retry;
        }
      };
      MAGPIE_REGION(color)
      """;

  private static final String READ =
      "if (!tx.read(tx.open(vertices, neighbor), &colors[neighbor], theirs)) return outcome::retry;";

  /** Does not open the neighbor, so that two can choose at the same time. */
  private static final String PEEK = "theirs = tx.peek(vertices, neighbor, &colors[neighbor]);";

  private String region(String look) throws IOException {
    return Files.writeString(folder.resolve("color.cu"), COLOR.replace("LOOK", look)).toString();
  }

  private CommandRun verify(String look, List<String> arguments, String... more)
      throws IOException {
    List<String> words = new ArrayList<>(List.of("verify", "--region", region(look)));
    arguments.forEach(argument -> words.addAll(List.of("--arg", argument)));
    words.addAll(List.of(more));
    CommandRun run = CommandRun.of(words.toArray(String[]::new));
    assumeTrue(run.status() != ExitStatus.DEVICE_UNAVAILABLE.code(), "there is no compiler");
    return run;
  }

  private static List<String> of(String graph) {
    return List.of(
        "vertices=objects:vertices(" + graph + ")",
        "colors=zeros:vertices(" + graph + ")",
        "graph=csr:" + graph,
        "count=vertices(" + graph + ")");
  }

  private static void assertSays(CommandRun run, ExitStatus status, String... words) {
    run.expect(status);
    for (String word : words) {
      assertTrue(run.err().contains(word), "'" + word + "' is not in: " + run.err());
    }
    assertEquals(1, run.err().strip().lines().filter(line -> line.contains(words[0])).count());
  }

  @Test
  void aColoringOfAGeneratedGraphIsVerified() throws IOException {
    CommandRun run = verify(READ, of("road:100"), "--items", "100", "--device", "sim:1:4");
    run.expect(ExitStatus.OK);
    assertTrue(run.out().contains("100 committed"), run.out());
    verify(READ, of("generate:road:100"), "--items", "100", "--device", "sim")
        .expect(ExitStatus.OK);
  }

  @Test
  void aColoringThatOnlyLooksAtItsNeighborsIsCaught() throws IOException {
    CommandRun run = verify(PEEK, of("road:9"), "--items", "9", "--explore", "random");
    run.expect(ExitStatus.VIOLATION);
    assertTrue(run.out().contains("'graph=csr:road:9'") || run.out().contains("graph=csr:road:9"));
    assertTrue(run.out().contains("'count=vertices(road:9)'"), run.out());
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
            "vertices=objects:3",
            "colors=[0, 0, 0]",
            "graph.offsets=[0,1,3,4]",
            "graph.neighbors=file:" + neighbors,
            "graph.weights=csr.weights:" + graph,
            "count=3");
    CommandRun one =
        verify(READ, arguments, "--items", "3", "--device", "sim").expect(ExitStatus.OK);
    CommandRun other =
        verify(READ, of(graph.toString()), "--items", "3", "--device", "sim").expect(ExitStatus.OK);
    assertTrue(one.out().contains("3 committed"), one.out());
    assertEquals(counts(one), counts(other));
  }

  /** What does not depend on time. */
  private static List<String> counts(CommandRun run) {
    return run.out().lines().filter(line -> line.contains("committed")).toList();
  }

  private CommandRun bad(String argument) throws IOException {
    List<String> arguments = new ArrayList<>(of("road:9"));
    String field = argument.substring(0, argument.indexOf('=') + 1);
    arguments.removeIf(each -> each.startsWith(field));
    arguments.add(argument);
    return verify(READ, arguments, "--items", "9", "--device", "sim");
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  @Test
  void malformedArgumentsAreWrongUsage() throws IOException {
    ExitStatus usage = ExitStatus.USAGE;
    assertSays(bad("colors=[1,x]"), usage, "--arg colors: 'x' in '[1,x]' is not a number");
    assertSays(bad("colors=x:y"), usage, "'x:y' is not objects:COUNT", "or csr:GRAPH for a struct");
    assertSays(bad("colors=[1,-1]"), usage, "element 1: '-1'", "0 to 4294967295");
    assertSays(bad("colors=file:"), usage, "--arg colors: 'file:' lacks its path");
    assertSays(bad("colors=csr:"), usage, "'csr:' lacks its graph");
    assertSays(bad("colors=csr:-"), usage, "standard input");
    assertSays(bad("colors=csr.colors:road:9"), usage, "'colors' in 'csr.colors:road:9'");
    assertSays(
        bad("colors=csr.offsets:roud:9"), usage, "'roud'", "road, ", "graph, generate, wheel");
    assertSays(bad("colors=csr.offsets:mesh:a"), usage, "--arg colors: ", "'mesh'", "road, ");
    assertSays(bad("colors=zeros:vertices()"), usage, "'zeros:vertices()' lacks its graph");
    assertSays(bad("colors=zeros:edges(road:9)"), usage, "--arg colors: ", "not");
    assertSays(bad("colors=csr:road:9"), usage, "colors (an array of u32): 'csr:road:9' does not");
    assertSays(bad("count=csr.offsets:road:9"), usage, "count (a scalar of type u32)", "a number");
    CommandRun items = CommandRun.of("verify", "--region", "a.cu", "--items", "vertices(road:9)");
    assertSays(items, usage, "'--items'", "expected a whole number, but was 'vertices(road:9)'");
    assertTrue(!items.err().contains("--per-run"), items.err());
    assertSays(bad("count=arcs(road:9"), usage, "--arg count: 'arcs(road:9' is not");
  }

  @Test
  void filesThatDoNotSuitAreBadInput() throws IOException {
    ExitStatus input = ExitStatus.BAD_INPUT;
    String letters = file("letters.txt", "1\n2 x\n");
    String unweighted = file("unweighted.el", "0 1\n");
    assertSays(bad("colors=file:" + letters), input, letters + ":2: found 'x', expected a number");
    assertSays(bad("colors=file:" + folder), input, "is a folder; name a file");
    assertSays(bad("colors=file:" + folder.resolve("none")), input, "none: no such file");
    assertSays(bad("colors=csr.offsets:complete:1M"), input, "too large: 999999000000 arcs");
    assertSays(bad("colors=csr.offsets:none.gr"), input, "none.gr: no such file");
    assertSays(
        bad("colors=csr.weights:" + unweighted), input, "no weights", "fill:1:arcs(" + unweighted);
    String negative = file("negative.txt", "1\n\n-1\n");
    assertSays(
        bad("colors=file:" + negative),
        input,
        "--arg colors (an array of u32): "
            + negative
            + ":3: '-1' is none of its values, whole numbers from");
    assertSays(
        bad("graph=csr:" + unweighted),
        ExitStatus.USAGE,
        "graph.weights (an array of f32): 'csr:" + unweighted.substring(0, 9),
        "gives only offsets, neighbors");
  }
}
