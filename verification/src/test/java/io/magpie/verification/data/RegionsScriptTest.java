package io.magpie.verification.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.verification.explore.Violation.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code recorded.sh} makes of what a command says, with a launcher that only says it. */
class RegionsScriptTest {
  private static final Path SCRIPT =
      Path.of(System.getProperty("magpie.basedir"), "src/test/regions/recorded.sh");

  private static final String VACUOUS = "vacuous run: nothing committed, so nothing was verified";

  @TempDir private Path folder;

  private final List<String> files = new ArrayList<>();

  /** How a run of the script ended, and what it printed. */
  private record Ended(int status, String out) {
    /** The row of a region: its result, its kind and what is said of it. */
    String row(String name) {
      String line =
          out.lines().filter(each -> each.startsWith(name + ".cu ")).findFirst().orElseThrow();
      return line.substring(name.length() + 3).strip().replaceAll(" +", " ");
    }
  }

  @BeforeEach
  void launcher() throws IOException {
    Path launcher = folder.resolve("magpie");
    Files.writeString(
        launcher,
        """
        #!/usr/bin/env bash
        name=${3%.cu}
        cat "$name.out"
        exit "$(cat "$name.status")"
        """);
    assertTrue(launcher.toFile().setExecutable(true));
  }

  /** A region's file, and what a command that checks it ends with and says. */
  private void region(String name, String text, int status, String says) throws IOException {
    Path file = folder.resolve(name + ".cu");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "// arguments: values=zeros:2\n// items: 2\n" + text);
    Files.writeString(folder.resolve(name + ".out"), says + "\n");
    Files.writeString(folder.resolve(name + ".status"), Integer.toString(status));
    files.add(file.toString());
  }

  private Ended script(String... how) throws Exception {
    List<String> words = new ArrayList<>(List.of("bash", SCRIPT.toString()));
    words.addAll(Arrays.asList(how));
    words.addAll(files);
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.directory(folder.toFile());
    builder.environment().put("MAGPIE", folder.resolve("magpie").toString());
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes());
    return new Ended(process.waitFor(), out);
  }

  @Test
  void knowsAllKindsOfFindings() throws IOException {
    String words =
        Pattern.compile("^kinds\\+?='\\|?([^']*)'", Pattern.MULTILINE)
            .matcher(Files.readString(SCRIPT))
            .results()
            .map(match -> match.group(1))
            .collect(Collectors.joining("|"));
    assertEquals(
        Arrays.stream(Kind.values()).map(Kind::words).sorted().toList(),
        Arrays.stream(words.split("\\|")).sorted().toList());
  }

  @Test
  void countsWhatNamesAFinding() throws Exception {
    region(
        "wrong/other_result",
        "// recorded: unguarded access at values or wrong result at values (either)\n",
        8,
        "run 1\n\nwrong result: values[3] ends as 6\nremedy: none\n\nmagpie verify: run 1: wrong");
    region("wrong/stays", "// recorded: unfinished (endless)\n", 1, "2 of 2 are unfinished");
    region("wrong/ends", "// recorded: nothing (with pools)\n", 1, "1 of 2 is unfinished");
    region("wrong/cancels", "// expect: leak at values\n", 1, VACUOUS + "\nremedy: none");
    region(
        "wrong/does_nothing",
        "// expect: vacuous run\n// recorded: vacuous run\n",
        1,
        "\n" + VACUOUS + "\n\nmagpie verify: " + VACUOUS);
    region("wrong/freed_twice", "// recorded: fault at slots\n", 6, "misused pool 'slots'");
    region("wrong/another_field", "// recorded: leak at slots\n", 8, "leak: boxes[1]: is lost");
    region("wrong/unseen", "// recorded: nothing (with pools)\n", 0, "leak: it is said not to be");
    region("right/good", "", 0, "no violation");
    region("right/alarm", "", 8, "guard mismatch: values[1]: it is not");
    region("right/empty", "// recorded: vacuous run (past tx)\n", 1, VACUOUS);
    region("right/stopped", "", 1, "2 of 2 are unfinished");
    region("right/broken", "", 10, "a fault of Magpie");
    Ended ended = script("cuda");
    assertEquals(1, ended.status, ended.out);
    List<String> rows =
        List.of(
            "other_result|found wrong result TIME wrong result: values[3] ends as 6",
            "stays|unfinished unfinished TIME 2 of 2 are unfinished",
            "ends|unfinished unfinished TIME expected: nothing; 1 of 2 is unfinished",
            "cancels|unverified vacuous run TIME expected: a finding; " + VACUOUS,
            "does_nothing|unverified vacuous run TIME " + VACUOUS,
            "freed_twice|found fault TIME misused pool 'slots'",
            "another_field|found leak TIME expected: leak at slots; leak: boxes[1]: is lost",
            "unseen|nothing nothing TIME as expected: nothing (with pools)",
            "good|nothing nothing TIME",
            "alarm|found guard mismatch TIME expected: nothing; guard mismatch: values[1]: it is"
                + " not",
            "empty|unverified vacuous run TIME " + VACUOUS,
            "stopped|unfinished unfinished TIME expected: nothing; 2 of 2 are unfinished",
            "broken|failed TIME expected: nothing; a fault of Magpie");
    for (String row : rows) {
      String[] parts = row.split("\\|");
      assertEquals(parts[1], ended.row(parts[0]).replaceFirst("\\b[0-9]+\\.[0-9]+\\b", "TIME"));
    }
    assertTrue(
        ended.out.endsWith(
            """
            4 of 8 wrong regions found; 3 right ones found to be wrong, or failed; 6 not as their heads say
                 1  fault
                 1  leak
                 1  vacuous run
                 1  wrong result
            """),
        ended.out);
  }

  /**
   * By kind, field and line where every access is seen; on the simulator only then is the status
   * that of good runs.
   */
  @Test
  void comparesWithWhatIsExpectedWhereAllIsSeen() throws Exception {
    String head = "// expect: wait at flag\n\nspins();  // here\n";
    String says = "\nwait: item 1 reads flag[0] 16 times in a row (PLACE)\nremedy: none\n\nend";
    region("wrong/waits", head, 8, says.replace("PLACE", "waits.cu:5"));
    region("right/good", "// expect: nothing\n", 0, "no violation");
    for (String[] how :
        List.of(
            new String[] {"sim"}, new String[] {"--explore", "pct:2"}, new String[] {"cpu:4"})) {
      Ended ended = script(how);
      assertEquals(0, ended.status, ended.out);
      assertTrue(ended.row("waits").startsWith("found wait "), ended.out);
      assertTrue(ended.out.contains("; 0 not as their heads say"), ended.out);
    }
    region("wrong/elsewhere", head, 8, says.replace("PLACE", "elsewhere.cu:6"));
    Ended ended = script("sim:0:4");
    assertEquals(1, ended.status, ended.out);
    assertTrue(ended.row("elsewhere").contains("expected: wait at flag; wait: "), ended.out);
    assertTrue(ended.out.contains("2 of 2 wrong regions found; 0 right ones"), ended.out);
    assertTrue(ended.out.contains("; 1 not as their heads say"), ended.out);
    Ended onThreads = script("cpu-checked:4");
    assertEquals(0, onThreads.status, onThreads.out);
    assertTrue(onThreads.out.contains("; 1 not as their heads say"), onThreads.out);
  }

  /** There it has the name and place of runs in which all is seen. */
  @Test
  void countsWhatOnlyAProcessorShowsOfAGpusItems() throws Exception {
    String head = "// expect: leak at boxes\n// recorded: nothing (it changes no result)\n";
    String lost = "leak: the same items on a processor: boxes[1]: it is taken";
    region("wrong/lost", head + "takes();  // here\n", 8, lost + "\n  it is taken (lost.cu:5)");
    region("wrong/seen", "// recorded: wrong result\n", 8, "wrong result: a[1]\n\n" + lost);
    Ended ended = script("cuda");
    assertEquals(0, ended.status, ended.out);
    assertTrue(ended.row("lost").startsWith("found leak "), ended.out);
    assertTrue(ended.row("seen").startsWith("found wrong result "), ended.out);
    assertTrue(
        ended.out.contains("2 of 2 wrong regions found, 1 of them only on a processor; 0 right"),
        ended.out);
    assertTrue(ended.out.contains("; 0 not as their heads say"), ended.out);
    region("wrong/elsewhere", head + "\ntakes();  // here\n", 8, lost + "\n  (elsewhere.cu:5)");
    assertTrue(script("cuda").out.contains("; 1 not as their heads say"), "another line");
  }

  /** No verdict is no alarm of a wrong region, but one of a right one, which has nothing else. */
  @Test
  void rightRegionsMustEnd() throws Exception {
    region("right/stopped", "", 1, "2 of 2 are unfinished");
    for (String how : List.of("cpu:4", "sim")) {
      Ended ended = script(how);
      assertEquals(1, ended.status, ended.out);
      assertTrue(ended.row("stopped").startsWith("unfinished unfinished "), ended.out);
      assertTrue(ended.out.contains("0 of 0 wrong regions found; 1 right ones"), ended.out);
    }
  }

  @Test
  void aFindingOfAnUnknownKindCounts() throws Exception {
    region("wrong/strange", "", 8, "strange: values[1]: it is");
    Ended ended = script("cpu:4");
    assertEquals(0, ended.status, ended.out);
    assertTrue(ended.row("strange").startsWith("found unknown "), ended.out);
    assertTrue(ended.out.endsWith("; 0 not as their heads say\n     1  unknown\n"), ended.out);
  }

  @Test
  void takesOptionsTogether() throws Exception {
    region("right/good", "// expect: nothing\n", 0, "no violation");
    for (String how : List.of("-j12 cpu:4", "-vj 4 cpu:4", "-vj4 --explore pct:2")) {
      Ended ended = script(how.split(" "));
      assertEquals(0, ended.status, ended.out);
      assertEquals(how.startsWith("-v"), ended.out.contains("magpie verify --region"), ended.out);
      assertTrue(ended.row("good").startsWith("nothing nothing "), ended.out);
    }
  }

  /** By relative names, too, and not by a folder further up. */
  @Test
  void knowsWrongRegionsByTheirFolder() throws Exception {
    region("wrong/right/alarm", "", 8, "leak: boxes[1]: is lost");
    Ended above = script("cpu:4");
    assertEquals(1, above.status, above.out);
    assertTrue(above.out.contains("0 of 0 wrong regions found; 1 right"), above.out);
    files.clear();
    region("wrong/stays", "// recorded: unfinished (endless)\n", 1, "2 of 2 are unfinished");
    for (String file : List.of("wrong/stays.cu", "wrong/../wrong/stays.cu")) {
      files.set(0, file);
      Ended ended = script("cpu:4");
      assertEquals(0, ended.status, ended.out);
      assertTrue(ended.out.contains("0 of 1 wrong regions found; 0 right"), ended.out);
    }
  }

  @Test
  void asksForADevice() throws Exception {
    for (String[] how : List.of(new String[] {}, new String[] {"--explore"}, new String[] {"-x"})) {
      Ended ended = script(how);
      assertEquals(2, ended.status, ended.out);
      assertTrue(ended.out.contains("recorded.sh [-v]"), ended.out);
    }
  }
}
