package io.magpie.examples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.magpie.stm.Device;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VerifyCommandTest {
  private static final String NO_INVARIANT =
      "No invariant was given: results were not checked against one.";

  private static final Path TUTORIAL =
      Path.of(System.getProperty("magpie.basedir"), "02-verify-your-region");

  @TempDir Path folder;

  private static CommandRun verify(String... arguments) {
    return CommandRun.of(
        Stream.concat(Stream.of("verify"), Stream.of(arguments)).toArray(String[]::new));
  }

  private static CommandRun onCall(String file, String... more) {
    return onCall(2, file, more);
  }

  private static CommandRun onCall(int doctors, String file, String... more) {
    return verify(
        Stream.concat(
                Stream.of(
                    "--region",
                    TUTORIAL.resolve(file).toString(),
                    "--arg",
                    "on_call=fill:1:" + doctors,
                    "--items",
                    Integer.toString(doctors)),
                Stream.of(more))
            .toArray(String[]::new));
  }

  /** The words of a command line as a shell splits them. */
  private static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    Matcher word = Pattern.compile("'([^']*)'|\\S+").matcher(line);
    while (word.find()) {
      words.add(word.group(1) != null ? word.group(1) : word.group());
    }
    return words;
  }

  /** What stands behind a line's name. */
  private static String line(CommandRun run, String name) {
    return run.out()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .map(line -> line.substring(name.length()).strip())
        .findFirst()
        .orElseThrow(() -> new AssertionError("no line '" + name + "' in:\n" + run.out()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu:4", "sim:3:8"})
  void drawnLoadsAreVerifiedInSeveralRuns(String device) throws IOException {
    CommandRun run =
        verify(
            "--workload",
            "drawn:objects=64,accesses=4,words=2",
            "--device",
            device,
            "--transactions",
            "500",
            "--per-run",
            "200",
            "--json");
    JsonNode json = new ObjectMapper().readTree(run.expect(ExitStatus.OK).out());
    assertEquals(device, json.at("/device/spec").asText());
    assertEquals("hand_off", json.get("policy").asText());
    assertEquals(3, json.get("runs").size());
    assertEquals(500, json.at("/sum/transactions").asLong());
    assertEquals(100, json.at("/runs/2/transactions").asLong());
    assertTrue(json.at("/sum/edges").asLong() > 1_000, json.toString());
    assertTrue(json.at("/sum/attempts").asLong() >= 500, json.toString());
    assertEquals(500, json.get("committed").asLong());
    assertEquals(0, json.get("cancelled").asLong());
    assertEquals(0, json.get("unfinished").asLong());
    assertEquals("strictly serializable", json.at("/runs/1/verdict").asText());
    assertEquals("opaque", json.at("/runs/1/opacity").asText());
    assertEquals(0, json.get("violations").size());
    assertEquals(device.startsWith("sim") ? "steps" : "counter", json.get("clock").asText());
  }

  @Test
  void aSavedHistoryGivesTheSameVerdict() throws IOException {
    Path file = folder.resolve("history.txt");
    CommandRun run =
        verify(
            "--workload",
            "drawn:objects=9,accesses=2",
            "--device",
            "sim:5:4",
            "--transactions",
            "50",
            "--save",
            file.toString());
    assertTrue(run.expect(ExitStatus.OK).out().contains("50 transactions: no violation"));
    CommandRun again = verify("--history", file.toString()).expect(ExitStatus.OK);
    assertTrue(again.out().startsWith("strictly serializable, opaque: 50 committed"), again.out());

    CommandRun.of("verify", "--history", file.toString(), "--no-opacity").expect(ExitStatus.OK);

    // One read of the wrong version.
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    int last = lines.size() - 1;
    lines.set(last, lines.get(last).replaceFirst("r(\\d+)@\\d+", "r$1@4000"));
    Files.write(file, lines);
    CommandRun wrong = verify("--history", file.toString()).expect(ExitStatus.VIOLATION);
    assertTrue(wrong.out().contains("garbage stamp"), wrong.out());
    assertTrue(wrong.err().contains("is not serializable"), wrong.err());
  }

  /** An aborted attempt that read two objects of different states, as unvalidated reads may. */
  @Test
  void opacityCanBeLeftOut() throws IOException {
    Path file = folder.resolve("mixed.txt");
    Files.writeString(
        file,
        """
        magpie-history 1
        0 0 1 9 commit 10 30 w0@0 w1@0
        1 1 1 8 abort:2 5 40 r0@0 r1@1
        """);
    CommandRun run = verify("--history", file.toString()).expect(ExitStatus.VIOLATION);
    assertTrue(run.err().contains("strictly serializable, not opaque"), run.err());
    run = verify("--history", file.toString(), "--no-opacity").expect(ExitStatus.OK);
    assertTrue(run.out().contains("opacity not checked"), run.out());
  }

  @Test
  void aBugIsFoundShrunkShownAndReplayed() throws IOException {
    Path history = folder.resolve("history.txt");
    CommandRun run =
        onCall("on_call.cu", "--explore", "periodic", "--save", history.toString())
            .expect(ExitStatus.VIOLATION);
    assertTrue(run.out().contains("write skew (G2-item)"), run.out());
    assertTrue(run.err().contains("not serializable"), run.err());
    assertFalse(run.err().contains("--stacktrace"), run.err());
    verify("--history", history.toString()).expect(ExitStatus.VIOLATION);

    List<String> replay = words(line(run, "replay"));
    assertEquals(List.of("magpie", "verify"), replay.subList(0, 2));
    CommandRun again =
        CommandRun.of(replay.subList(1, replay.size()).toArray(new String[0]))
            .expect(ExitStatus.VIOLATION);
    assertEquals(line(run, "schedule"), line(again, "schedule"));
    int table = run.out().indexOf("not serializable");
    assertEquals(
        run.out().substring(table), again.out().substring(again.out().indexOf("not serializable")));
  }

  /** The schedule that fails is drawn, and its replay and saved history give the same picture. */
  @Test
  void aBugIsDrawn() throws IOException {
    Path picture = folder.resolve("bug.png");
    Path history = folder.resolve("history.txt");
    CommandRun run =
        onCall(
                "on_call.cu",
                "--explore",
                "periodic",
                "--save",
                history.toString(),
                "--png",
                picture.toString(),
                "--pixels",
                "480")
            .expect(ExitStatus.VIOLATION);
    assertEquals(picture + ": 2 attempts", line(run, "drawn"));
    assertEquals(480, PngHeader.of(picture).width());

    Path again = folder.resolve("again.png");
    List<String> replay = new ArrayList<>(words(line(run, "replay")));
    replay.addAll(List.of("--png", again.toString(), "--pixels", "480"));
    CommandRun.of(replay.subList(1, replay.size()).toArray(new String[0]))
        .expect(ExitStatus.VIOLATION);
    assertEquals(-1, Files.mismatch(picture, again));

    // Of a schedule without the violation nothing is outlined.
    onCall("on_call.cu", "--replay", "explicit", "--png", again.toString(), "--pixels", "480")
        .expect(ExitStatus.OK);
    assertTrue(Files.mismatch(picture, again) >= 0);
    assertTrue(PngHeader.of(again).height() < PngHeader.of(picture).height(), "it has no notes");

    run = verify("--history", history.toString(), "--png", again.toString());
    assertEquals(again + ": 2 attempts", line(run.expect(ExitStatus.VIOLATION), "drawn"));
  }

  @Test
  void runsWithoutAViolationAreDrawn() throws IOException {
    Path picture = folder.resolve("runs.png");
    String[] drawn = {"--png", picture.toString()};
    CommandRun run =
        verify(
            Stream.concat(
                    Stream.of("--workload", "drawn:objects=4", "--explore", "random", "--runs=9"),
                    Stream.of(drawn))
                .toArray(String[]::new));
    assertTrue(line(run.expect(ExitStatus.OK), "drawn").startsWith(picture + ": "), run.out());
    assertEquals(1000, PngHeader.of(picture).width());
    run =
        verify(
            "--workload",
            "drawn:objects=4096",
            "--device",
            "cpu:2",
            "--transactions",
            "5000",
            "--png",
            picture.toString());
    String told = line(run.expect(ExitStatus.OK), "drawn");
    assertTrue(
        told.matches(Pattern.quote(picture + ": 200 attempts of ") + "5,[0-9]+, the first ones"),
        told);
    assertTrue(run.out().indexOf("\n   sum ") < run.out().indexOf("\ndrawn "), run.out());
  }

  /** What a bound of steps ends is unfinished, and drawn. */
  @Test
  void aRunWithoutAnEndIsDrawn() throws IOException {
    Path picture = folder.resolve("endless.png");
    CommandRun run =
        onCall("on_call.cu", "--replay", "explicit", "--steps", "9", "--png", picture.toString())
            .expect(ExitStatus.VIOLATION);
    assertTrue(line(run, "drawn").endsWith(": 1 attempt"), run.out());
    assertEquals(1000, PngHeader.of(picture).width());
  }

  @Test
  void theFixPassesEverySchedule() {
    CommandRun run =
        onCall("on_call_fixed.cu", "--explore", "exhaustive:2", "--runs", "100000")
            .expect(ExitStatus.OK);
    assertTrue(line(run, "explored").contains("all there are"), run.out());
    onCall("on_call_fixed.cu", "--explore", "random+weak").expect(ExitStatus.OK);
    onCall("on_call_fixed.cu", "--explore", "lock-step", "--device", "sim:0:2")
        .expect(ExitStatus.OK);
    onCall("on_call_fixed.cu", "--replay", "random:7").expect(ExitStatus.OK);
    run = onCall("on_call_fixed.cu", "--replay", "explicit:0@9").expect(ExitStatus.OK);
    assertTrue(line(run, "unused").contains("1 of 1"), run.out());
  }

  /** Every class of schedules within a bound, and a violation that is replayed in its steps. */
  @Test
  void allSchedulesButForEquivalentOnes() throws IOException {
    CommandRun run =
        onCall("on_call_fixed.cu", "--explore", "dpor:2", "--runs", "100000").expect(ExitStatus.OK);
    assertTrue(line(run, "explored").contains("all there are, of dpor:2"), run.out());
    assertTrue(
        run.out().contains("were cut off where a thread would have paused more than 2"), run.out());
    CommandRun cut =
        onCall("on_call_fixed.cu", "--explore", "dpor:2", "--runs", "10").expect(ExitStatus.OK);
    assertTrue(cut.out().contains("Stopped after 10 runs: not exhaustive"), cut.out());
    assertTrue(
        cut.out().contains("were cut off where a thread would have paused more than 2"), cut.out());

    CommandRun wrong = onCall("on_call.cu", "--explore", "dpor:2").expect(ExitStatus.VIOLATION);
    assertTrue(line(wrong, "schedule").endsWith("+fine"), wrong.out());
    List<String> replay = words(line(wrong, "replay"));
    CommandRun again =
        CommandRun.of(replay.subList(1, replay.size()).toArray(new String[0]))
            .expect(ExitStatus.VIOLATION);
    assertEquals(line(wrong, "schedule"), line(again, "schedule"));

    CommandRun rounds = told(Told.PUSHES_SOME, "--explore=dpor").expect(ExitStatus.USAGE);
    assertTrue(
        rounds.err().contains("dpor searches one launch, and region pushes runs in rounds"),
        rounds.err());

    CommandRun weak = onCall("on_call_fixed.cu", "--explore", "dpor+weak").expect(ExitStatus.USAGE);
    assertTrue(weak.err().contains("dpor+weak: nothing chooses older values"), weak.err());
  }

  @Test
  void whatIsReadPastTransactionsIsSeen() {
    CommandRun run =
        onCall("on_call_past_tx.cu", "--explore", "pct:2").expect(ExitStatus.VIOLATION);
    assertTrue(run.out().contains("unguarded access: on_call.data["), run.out());
    assertTrue(run.out().contains("reads, past its transaction by an atomic load"), run.out());
    assertTrue(run.out().contains("(on_call_past_tx.cu:15)"), run.out());
  }

  /** The default schedule comes first, and is not among the runs that a verdict counts. */
  @Test
  void runsThatAreNotComparedAreCountedWithTheDefaultSchedule() {
    String[] shared = {"--device", "sim:0:4", "--threads-in-flight", "4"};
    String not =
        ", the default schedule's included, were not compared with their items one after the"
            + " other: a thread had several items.";
    for (int runs : new int[] {1, 3}) {
      Stream<String> which =
          runs == 1
              ? Stream.of("--replay", "random:1")
              : Stream.of("--explore", "pct:2", "--runs=3");
      CommandRun run =
          onCall(
                  8,
                  "on_call_fixed.cu",
                  Stream.concat(Stream.of(shared), which).toArray(String[]::new))
              .expect(ExitStatus.OK);
      assertTrue(run.out().contains((runs + 1) + " runs" + not), run.out());
    }
  }

  @Test
  void anInvariantFindsWhatRightTransactionsDoWrong() {
    String file = "on_call_wrong_pair.cu";
    onCall(4, file, "--explore", "pct:2", "--runs", "100").expect(ExitStatus.OK);
    CommandRun run =
        onCall(4, file, "--explore", "pct:2", "--invariant", "one_stays")
            .expect(ExitStatus.VIOLATION);
    assertTrue(run.out().contains("invariant: one_stays does not hold at 1"), run.out());
    assertEquals(
        "one_stays, after each run, and after each commit in the serial order",
        line(run, "invariant"));
    for (String strategy : List.of("random+weak", "states")) {
      CommandRun alone =
          onCall(4, file, "--explore", strategy, "--runs", "1", "--invariant", "one_stays");
      assertEquals(
          "one_stays, after each run, and after each commit in the serial order of the default"
              + " schedule",
          line(alone, "invariant"));
      assertFalse(alone.out().contains(NO_INVARIANT), alone.out());
    }
    List<String> replay = words(line(run, "replay"));
    CommandRun again =
        CommandRun.of(replay.subList(1, replay.size()).toArray(new String[0]))
            .expect(ExitStatus.VIOLATION);
    assertEquals(line(run, "schedule"), line(again, "schedule"));
  }

  private static CommandRun takesAnyCell(String... more) {
    Stream<String> words =
        Stream.of(
            "--region",
            TUTORIAL
                .resolve("../../verification/src/test/cuda/misbehaves.cu#misbehaves")
                .toString(),
            "--arg=cells=objects:2",
            "--arg=values=zeros:2",
            "--arg=what=10",
            "--items=2",
            "--explore=pct:2",
            "--runs=20");
    return verify(Stream.concat(words, Stream.of(more)).toArray(String[]::new));
  }

  /** Which item gets which cell depends on the order, and is right in any. */
  @Test
  void theOtherOrderCanBeLeftOut() {
    CommandRun wrong = takesAnyCell().expect(ExitStatus.VIOLATION);
    assertTrue(wrong.out().contains("unchecked hint: item 1 writes values"), wrong.out());
    CommandRun right = takesAnyCell("--no-other-order").expect(ExitStatus.OK);
    assertTrue(
        right.out().contains("Items did not run in another order (--no-other-order)"), right.out());
  }

  @Test
  void aRegionThatDependsOnTheOrderRunsInNoOther() {
    declaresThatItDependsOnTheOrder("sim");
  }

  @Tag("slow") // compiles
  @Test
  void aRegionThatDependsOnTheOrderRunsInNoOtherOnProcessors() {
    declaresThatItDependsOnTheOrder("cpu:2");
  }

  private static void declaresThatItDependsOnTheOrder(String device) {
    CommandRun declared =
        verify(
                "--region",
                TUTORIAL
                    .resolve("../../verification/src/test/regions/right/any_free_cell.cu")
                    .toString(),
                "--arg=cells=objects:4",
                "--arg=values=fill:0:4",
                "--items=3",
                "--device",
                device)
            .expect(ExitStatus.OK);
    assertTrue(
        declared
            .out()
            .contains("Items did not run in another order (order_dependent of any_free_cell)"),
        declared.out());
  }

  /** Which is the read that comes first is what a reader wants to know of a write skew. */
  @Test
  void theTutorialsTableHasEachReadBeforeTheWriteThatEndsItsVersion() {
    CommandRun run = onCall("on_call.cu", "--explore", "periodic").expect(ExitStatus.VIOLATION);
    for (int object = 0; object < 2; object++) {
      int read = run.out().indexOf("read object " + object + ": 0");
      int write = run.out().indexOf("write object " + object + ": 0 to 1");
      assertTrue(read >= 0 && read < write, run.out());
    }
  }

  @Test
  void anExhaustiveSearchThatIsCutShortSaysSo() throws IOException {
    CommandRun cut =
        onCall("on_call_fixed.cu", "--explore", "exhaustive:2", "--runs", "20")
            .expect(ExitStatus.OK);
    assertTrue(line(cut, "explored").startsWith("20 of at least "), cut.out());
    assertTrue(cut.out().contains("Stopped after 20 of at least "), cut.out());
    assertTrue(cut.out().contains(" runs: not exhaustive"), cut.out());

    CommandRun whole = onCall("on_call_fixed.cu", "--explore", "exhaustive:1", "--json");
    JsonNode json = new ObjectMapper().readTree(whole.expect(ExitStatus.OK).out());
    assertTrue(json.get("complete").asBoolean(), whole.out());
    assertEquals(json.get("exploredRuns"), json.get("knownRuns"));
    assertFalse(whole.out().contains("not exhaustive"), whole.out());

    CommandRun states = onCall("on_call_fixed.cu", "--explore", "states", "--runs", "5");
    assertTrue(states.expect(ExitStatus.OK).out().contains("states left: not exhaustive"));

    CommandRun drawn = onCall("on_call_fixed.cu", "--explore", "pct:2", "--runs", "5");
    assertFalse(drawn.expect(ExitStatus.OK).out().contains("exhaustive"), drawn.out());
  }

  @Tag("slow") // compiles on_call_fixed.cu in four ways
  @Test
  void whatAVerdictOnARegionCannotSeeIsSaid() {
    String limits = "Only accesses through tx are seen";
    onCall("on_call_fixed.cu", "--device", "cpu:2", "--transactions", "10").expect(ExitStatus.OK);
    CommandRun region = onCall("on_call_fixed.cu", "--device", "cpu:2").expect(ExitStatus.OK);
    assertTrue(
        Pattern.compile("(?m)^[\\d,]+ transactions in [\\d,]+ runs: no violation$")
            .matcher(region.out())
            .find(),
        region.out());
    assertTrue(region.out().contains("What no run did may go unnoticed"), region.out());
    assertTrue(region.out().contains("but no other string functions"), region.out());
    assertTrue(region.out().contains(NO_INVARIANT), region.out());
    CommandRun longer =
        onCall(1_001, "on_call_fixed.cu", "--device", "cpu:2").expect(ExitStatus.OK);
    assertTrue(longer.out().contains("A race that did not happen may go unnoticed"), longer.out());
    assertTrue(longer.out().contains("in runs of at most 1,000 --items"), longer.out());
    assertFalse(longer.out().contains("string functions"), longer.out());
    CommandRun simulated =
        onCall("on_call_fixed.cu", "--device", "sim", "--transactions", "2").expect(ExitStatus.OK);
    assertTrue(simulated.out().contains(limits), simulated.out());
    assertTrue(
        simulated
            .out()
            .contains(
                "2 transactions: no violation in what was seen; with --transactions, only accesses"
                    + " through tx are seen on sim: leave it out to see others"),
        simulated.out());
    CommandRun replay = onCall("on_call_fixed.cu", "--replay", "explicit").expect(ExitStatus.OK);
    assertFalse(replay.out().contains("past"), replay.out());
    assertTrue(replay.out().contains("1 run: no violation\n" + NO_INVARIANT), replay.out());
    CommandRun weak =
        onCall("on_call_fixed.cu", "--explore", "random+weak", "--runs", "3").expect(ExitStatus.OK);
    assertTrue(weak.out().contains("Accesses past tx were checked in the default"), weak.out());
    CommandRun drawn =
        verify("--workload", "drawn:objects=9", "--device", "cpu:2", "--transactions", "9");
    assertFalse(drawn.expect(ExitStatus.OK).out().contains(limits), drawn.out());
    assertFalse(drawn.out().contains("invariant"), drawn.out());
    String help = CommandRun.of("verify", "--help").out().replaceAll("\\s+", " ");
    assertTrue(help.contains(limits), help);
  }

  @Tag("slow") // compiles on_call_fixed.cu for another policy
  @Test
  void whyAccessesAreUncheckedWhereOthersStoreCommitsIsSaid() {
    CommandRun run =
        onCall(
                "on_call_fixed.cu",
                "--policy",
                "obstruction_free",
                "--explore",
                "random",
                "--runs",
                "3")
            .expect(ExitStatus.OK);
    assertTrue(
        run.out()
            .contains(
                "no violation in what was seen; accesses past tx were not checked\nAccesses past tx"
                    + " were not checked: under obstruction_free, commits are stored by other items as"
                    + " well.\n"),
        run.out());
  }

  /** Versions have no names and no lines. */
  @Test
  void whatARecordedHistoryShowsIsNamedByExploring() {
    CommandRun run = onCall("on_call.cu", "--device", "sim", "--transactions", "2");
    String out = run.expect(ExitStatus.VIOLATION).out();
    assertTrue(out.contains("write skew (G2-item)"), out);
    assertFalse(out.contains("on_call.cu:"), out);
    assertTrue(out.contains("\n--explore looks for it under many schedules"), out);
  }

  /** Without a strategy, too: a recorded run would see less. */
  @Test
  void aRegionOnSimIsExplored() {
    CommandRun wrong = onCall("on_call.cu", "--device", "sim").expect(ExitStatus.VIOLATION);
    assertTrue(wrong.out().contains("unchecked hint: item "), wrong.out());
    assertTrue(wrong.out().contains("on_call.data["), wrong.out());
    assertTrue(wrong.out().contains("(on_call.cu:16)"), wrong.out());
    assertTrue(wrong.out().contains("under a claim, as by tx.get(on_call, i), "), wrong.out());
    assertFalse(wrong.out().contains("--explore looks for it"), wrong.out());
    assertTrue(line(wrong, "device").startsWith("sim:0:2: "), wrong.out());
    List<String> replay = words(line(wrong, "replay"));
    CommandRun again =
        CommandRun.of(replay.subList(1, replay.size()).toArray(new String[0]))
            .expect(ExitStatus.VIOLATION);
    assertEquals(line(wrong, "schedule"), line(again, "schedule"));

    CommandRun past = onCall("on_call_past_tx.cu", "--device", "sim:3:4");
    assertTrue(past.expect(ExitStatus.VIOLATION).out().contains("(on_call_past_tx.cu:15)"));

    CommandRun right =
        onCall("on_call_fixed.cu", "--device", "sim", "--runs", "20", "--seed", "4")
            .expect(ExitStatus.OK);
    assertEquals("20 runs of pct:2, seed 4", line(right, "explored"));
    assertTrue(right.out().contains("20 runs of pct:2: no violation\n"), right.out());
  }

  /** Whether a busy machine has not ended a run, the first of which is that by default. */
  private static boolean hadTooLittleTime(CommandRun run) {
    return run.err().contains("ended the default schedule")
        || run.err().contains("time ended a run")
        || run.err().contains("took longer than its");
  }

  /** What this process has had of processors, which does not depend on what else is running. */
  private static Duration processorTime() {
    return ProcessHandle.current().info().totalCpuDuration().orElseThrow();
  }

  private static CommandRun exploredFor(int seconds) {
    String time = Integer.toString(seconds);
    return onCall(900, "on_call_fixed.cu", "--device", "sim", "--timeout", time);
  }

  /** Time ends what nobody asked for, and what was seen until then stands. */
  @Test
  void aRegionOnSimIsExploredForSomeTime() {
    int seconds = 3;
    CommandRun run = exploredFor(seconds);
    while (hadTooLittleTime(run) && seconds < 100) {
      seconds *= 2;
      run = exploredFor(seconds);
    }
    run.expect(ExitStatus.OK);
    assertTrue(run.out().contains(" of pct:2: no violation"), run.out());
    String stopped = "Stopped after " + seconds + " s; --runs says how many";
    assertTrue(run.out().contains(stopped), run.out());
  }

  private static final String HOW_TO_NAME_AN_ACCESS =
      "With at most 1,000 --items, or --explore, the data and the line";

  /** Only traces tell more than how an item ends, and short runs have them. */
  @Test
  void whoFindsAnUnguardedAccessInALongRunIsToldHowToNameIt() {
    String out = unguardedInALongRun();
    // By how the items met, the run itself is wrong, or its other order is.
    for (int tries = 1; !out.contains("unguarded access: item ") && tries < 20; tries++) {
      assertTrue(out.contains("wrong result: item "), out);
      out = unguardedInALongRun();
    }
    assertTrue(out.contains("unguarded access: item "), out);
  }

  private static String unguardedInALongRun() {
    CommandRun of = onCall(1_002, "on_call_past_tx.cu", "--device", "cpu:2");
    String out = of.expect(ExitStatus.VIOLATION).out();
    assertTrue(out.contains("\n" + HOW_TO_NAME_AN_ACCESS), out);
    return out;
  }

  @Tag("slow") // compiles
  @Test
  void anUnguardedAccessInAShortRunIsNamed() {
    CommandRun of = onCall(1_000, "on_call_past_tx.cu", "--device", "cpu:2");
    String out = of.expect(ExitStatus.VIOLATION).out();
    assertTrue(out.contains("unguarded access: on_call.data["), out);
    assertTrue(out.contains("(on_call_past_tx.cu:15)"), out);
    assertFalse(out.contains(HOW_TO_NAME_AN_ACCESS), out);
  }

  @Test
  void manyItemsOnSimAreRecorded() {
    CommandRun run = onCall(1_002, "on_call_fixed.cu", "--device", "sim").expect(ExitStatus.OK);
    assertTrue(
        run.out()
            .contains(
                "no violation in what was seen; with more than 1,000 items, only accesses through"
                    + " tx are seen on sim: take fewer, or --explore to see others"),
        run.out());
    CommandRun runs = onCall(1_002, "on_call_fixed.cu", "--device", "sim", "--runs", "2");
    assertTrue(runs.expect(ExitStatus.USAGE).err().contains("--runs has no effect without"));
  }

  @Test
  void recordedRunsAreRepeatedAndSayWhetherItemsMet() throws IOException {
    CommandRun right = told(Told.ADDS_TO_ITS_OWN, "--device=cpu:4", "--json").expect(ExitStatus.OK);
    JsonNode json = new ObjectMapper().readTree(right.out());
    assertTrue(json.get("repeatedRuns").asLong() > 0, right.out());
    assertTrue(right.out().contains("vacuous run: no two items used the same object"), right.out());

    CommandRun wrong =
        told(Told.READS_ANOTHERS, "--device=cpu:4", "--json").expect(ExitStatus.VIOLATION);
    // By how the items met: the run itself is wrong, or its other order is.
    assertTrue(
        wrong.out().contains("wrong result: values[")
            || wrong.out().contains("unguarded access: values["),
        wrong.out());
  }

  @Test
  void runsAreMadeAtTheSameTime() throws IOException {
    CommandRun drawn =
        verify(
            "--workload=drawn:objects=64,accesses=4",
            "--device=cpu:1",
            "--transactions=40500",
            "--items=5000",
            "--jobs=3",
            "--json");
    JsonNode json = new ObjectMapper().readTree(drawn.expect(ExitStatus.OK).out());
    assertEquals(9, json.get("runs").size());
    assertEquals(3, json.get("jobs").asInt());
    Set<Integer> numbers = new TreeSet<>();
    json.get("runs").forEach(run -> numbers.add(run.get("run").asInt()));
    assertEquals("[1, 2, 3, 4, 5, 6, 7, 8, 9]", numbers.toString());
    assertEquals(40_500, json.at("/sum/transactions").asLong());
    assertEquals(40_500, json.get("committed").asLong());
  }

  /** Any other device that is a processor is refused, too: runs would not be traced. */
  @Test
  void jobsOfTracedRunsAreRefusedWhereverTheyRun() {
    assumeTrue(Device.whyNoGpu().isPresent(), "auto is a GPU here");
    String[] words = {
      "--region=a.cu", "--items=9", "--transactions=99", "--jobs=2", "--device=auto"
    };
    String refused = verify(words).expect(ExitStatus.USAGE).err();
    assertTrue(refused.contains("--jobs has no effect on a processor with at most"), refused);
  }

  /** A run takes a share of the transactions, or one would make them all. */
  @Test
  void runsOfALoadAreAsManyAsAreMadeAtTheSameTime() throws IOException {
    CommandRun drawn =
        verify(
            "--workload=drawn:objects=64,accesses=4",
            "--device=cpu:1",
            "--transactions=20001",
            "--jobs=4",
            "--json");
    JsonNode json = new ObjectMapper().readTree(drawn.expect(ExitStatus.OK).out());
    assertEquals(4, json.get("runs").size());
    assertEquals(20_001, json.at("/sum/transactions").asLong());
  }

  /** Each run has twice as many transactions as items, so the third is one too many. */
  @Test
  void runsThatWereAskedForStayRows() throws IOException {
    String[] words = {
      "--items", "1001", "--device=cpu:1", "--transactions=4004", "--jobs=2", "--json"
    };
    CommandRun run = told(Told.PUSHES_FOR_EACH, words);
    JsonNode json = new ObjectMapper().readTree(run.expect(ExitStatus.OK).out());
    assertEquals(6, json.get("runs").size(), run.out());
    assertEquals(6_006, json.at("/sum/transactions").asLong());
    assertFalse(json.has("repeatedRuns"), run.out());
  }

  /** Whoever finds it, the others are ended. */
  @Test
  void whatOneOfSeveralRunsFindsEndsThem() {
    String file = TUTORIAL.resolve("on_call_past_tx.cu").toString();
    String[] words = {
      "--region=" + file,
      "--arg=on_call=fill:1:2000",
      "--items=2000",
      "--device=cpu:2",
      "--transactions=20000000",
      "--jobs=2"
    };
    CommandRun wrong = verify(words).expect(ExitStatus.VIOLATION);
    assertTrue(wrong.err().contains("verify: run "), wrong.err());
    assertTrue(wrong.out().contains("remedy: "), wrong.out());
  }

  @Test
  void schedulesAreExplained() {
    String help = CommandRun.of("verify", "--help").out().replaceAll("\\s+", " ");
    assertTrue(help.contains("STEP@THREAD. At step STEP, counted from 0"), help);
    assertFalse(help.contains("as wide as there are items"), help);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--device=sim", "--explore=pct:2", "--replay=explicit"})
  void aFaultEndsAsOneHoweverItIsMet(String how) throws IOException {
    aFaultEndsAsOne(how);
  }

  @Tag("slow") // compiles
  @Test
  void aFaultOnProcessorsEndsAsOne() throws IOException {
    aFaultEndsAsOne("--device=cpu-checked:1");
  }

  private void aFaultEndsAsOne(String how) throws IOException {
    told(Told.ADDS, how).expect(ExitStatus.OK);
    CommandRun run = told(Told.LEAVES_THE_ARRAY, how).expect(ExitStatus.KERNEL_FAULT);
    assertTrue(run.err().contains("index 9 is outside 'values' of length 1"), run.err());
  }

  /** Takes a slot at each run of its item, and frees it {@code times} times. */
  private Path slotUser() throws IOException {
    Path source = folder.resolve("slot_user.cu");
    Files.writeString(
        source,
        """
        #include "magpie/stm.cuh"
        using magpie::stm::outcome;
        struct slot_user {
          magpie::stm::objects cells;
          magpie::array<std::uint32_t> values;
          magpie::stm::pool<0> slots;
          std::uint32_t times;
          static constexpr std::uint32_t max_objects = 1, max_writes = 1;
          static constexpr std::uint32_t max_slots[] = {1};
          struct state {
            std::uint32_t slot;
          };
          template <class Tx>
          MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t, state& s) const {
            if (!tx.reserve(slots, 1)) return outcome::retry;
            s.slot = tx.take(slots);
            return tx.open(cells, s.slot) ? outcome::commit : outcome::retry;
          }
          template <class Tx>
          MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
            tx.store({}, &values[s.slot], item);
            for (std::uint32_t i = 0; i < times; ++i) tx.free(slots, s.slot);
          }
        };
        MAGPIE_REGION(slot_user)
        """);
    return source;
  }

  @ParameterizedTest
  @ValueSource(strings = {"--device=sim", "--explore=pct:2", "--replay=explicit"})
  void aSlotFreedTwiceIsAFault(String how) throws IOException {
    freesASlotTwice(how);
  }

  @Tag("slow") // compiles
  @ParameterizedTest
  @ValueSource(strings = {"--device=cpu:1", "--device=cpu-checked:1"})
  void aSlotFreedTwiceIsAFaultOnProcessors(String how) throws IOException {
    freesASlotTwice(how);
  }

  private void freesASlotTwice(String how) throws IOException {
    String[] arguments = {
      "--region=" + slotUser(),
      "--arg=cells=objects:8",
      "--arg=values=zeros:8",
      "--arg=slots=pool:8",
      "--items=2",
      how,
      "--arg=times=1"
    };
    CommandRun once = verify(arguments);
    assumeTrue(once.status() != ExitStatus.DEVICE_UNAVAILABLE.code(), "there is no compiler");
    once.expect(ExitStatus.OK);
    assertFalse(once.out().contains("compared with serial runs"), once.out());
    arguments[arguments.length - 1] = "--arg=times=2";
    CommandRun run = verify(arguments).expect(ExitStatus.KERNEL_FAULT);
    assertTrue(run.out().contains("double free: slots[0]: it is freed twice"), run.out());
  }

  @Test
  void logsThatAreTooSmallForASchedule() throws IOException {
    CommandRun run = told(Told.OUTGROWS_ITS_LOG, "--explore", "pct:2").expect(ExitStatus.BAD_INPUT);
    assertTrue(run.err().contains("outgrow its max_objects (1) or max_writes (1)"), run.err());
    assertFalse(run.err().contains("--items"), run.err());
  }

  @Tag("slow") // compiles
  @Test
  void logsThatAreTooSmallForAScheduleAreNotForARecordedRun() throws IOException {
    told(Told.OUTGROWS_ITS_LOG, "--device", "sim:0:2", "--transactions", "2").expect(ExitStatus.OK);
  }

  @Test
  void aSourceThatDoesNotCompileIsWrongInput() throws IOException {
    Path source = folder.resolve("adds.cu");
    String head = "#include \"magpie/stm.cuh\"\nusing magpie::stm::outcome;\n";
    Files.writeString(source, head + ADDS.replace("outcome::commit", "outcome::comit"));
    CommandRun run = verify("--region", source.toString(), "--items", "2", "--device", "sim");
    assumeTrue(!run.err().contains("no compiler"), run.err());
    run.expect(ExitStatus.BAD_INPUT);
    assertTrue(run.err().contains("adds.cu:12:"), run.err());
  }

  @Test
  void unvalidatedRegionsAreNotAskedForOpacity() throws IOException {
    Path source = folder.resolve("count.cu");
    Files.writeString(
        source,
        """
        #include "magpie/stm.cuh"
        using magpie::stm::outcome;
        struct count {
          magpie::stm::objects cells;
          magpie::array<std::uint32_t> values;
          std::uint32_t step;
          static constexpr std::uint32_t max_objects = 1, max_writes = 1;
          static constexpr magpie::stm::reads reads = magpie::stm::reads::unvalidated;
          template <class Tx>
          MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
            const std::uint32_t id = item % cells.count;
            const auto cell = tx.open(cells, id);
            std::uint32_t x = 0;
            if (!tx.read(cell, &values[id], x) || !tx.write(cell, &values[id], x + step)) {
              return outcome::retry;
            }
            return outcome::commit;
          }
        };
        MAGPIE_REGION(count)
        """);
    CommandRun run =
        verify(
            "--region",
            source + "#count",
            "--arg",
            "cells=objects:3",
            "--arg",
            "values=random:10:3",
            "--arg",
            "step=2",
            "--items",
            "100",
            "--device",
            "sim:2:4",
            "--runs",
            "20");
    if (run.status() != ExitStatus.DEVICE_UNAVAILABLE.code()) { // there is a compiler
      assertTrue(run.expect(ExitStatus.OK).out().contains("reads not validated"), run.out());
      assertFalse(run.out().contains("opa"), run.out());
    }
  }

  /**
   * A region that does what it is told, one that stores, and one that pushes items. Told anything
   * up to 8, all items meet at one object, else none do.
   */
  /** What the items of a region of {@link #told} do. */
  private enum Told {
    /** Each adds 1 to one datum. */
    ADDS("told"),
    CANCELS("told"),
    DOES_NOTHING("told"),
    RETRIES("told"),
    READS_WITHOUT_END("told"),
    /** Item 0 reads behind the end of the array. */
    LEAVES_THE_ARRAY("told"),
    READS("told"),
    /** Item 1 is in a loop of its own. */
    LOOPS_WITHOUT_ACCESS("told"),
    OUTGROWS_ITS_LOG("told"),
    /** Each adds 1 to a datum of its own, under an object of its own. */
    ADDS_TO_ITS_OWN("told"),
    /** The same, but it adds to what it reads of the other item, past its transaction. */
    READS_ANOTHERS("told"),
    STORES_IN_APPLY("stores"),
    /** Items below 4 push another one each, and each adds 1. */
    PUSHES_SOME("pushes"),
    PUSHES_WITHOUT_END("pushes"),
    PUSHES_TOO_MANY("pushes"),
    PUSHER_RETRIES("pushes"),
    PUSHER_DEFERS("pushes"),
    /** Each of the first 1,001 items pushes another one. */
    PUSHES_FOR_EACH("pushes");

    final String region;

    Told(String region) {
      this.region = region;
    }

    boolean isOwn() {
      return this == ADDS_TO_ITS_OWN || this == READS_ANOTHERS;
    }

    /** All of them as enumerators of C++. */
    static String enumerators() {
      return Arrays.stream(values())
          .map(each -> each.name().toLowerCase(Locale.ROOT))
          .collect(Collectors.joining(", "));
    }
  }

  private CommandRun told(Told what, String... more) throws IOException {
    Path source = folder.resolve("told.cu");
    Files.writeString(
        source,
        """
        #include "magpie/stm.cuh"
        using magpie::stm::outcome;
        enum : std::uint32_t { ENUMERATORS };
        struct told {
          magpie::stm::objects cells;
          magpie::array<std::uint32_t> values;
          std::uint32_t what;
          static constexpr std::uint32_t max_objects = 1, max_writes = 1;
          template <class Tx>
          MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
            if (what == cancels) return outcome::cancel;
            if (what == does_nothing) return outcome::commit;
            if (what == retries) return outcome::retry;
            const std::uint32_t own = what == adds_to_its_own || what == reads_anothers ? item : 0;
            const auto cell = tx.open(cells, own);
            std::uint32_t x = 0;
            while (what == reads_without_end) static_cast<void>(tx.read(cell, &values[0], x));
            const std::uint32_t at = what == leaves_the_array && item == 0 ? 9 : own;
            if (!tx.read(cell, &values[at], x)) return outcome::retry;
            volatile std::uint32_t turns = 0;
            while (what == loops_without_access && item == 1) turns = turns + 1;
            if (what == reads) return outcome::commit;
            if (what == outgrows_its_log && !tx.open(cells, 1)) return outcome::retry;
            if (what == reads_anothers) x = values[1 - item];
            return tx.write(cell, &values[at], x + 1) ? outcome::commit : outcome::retry;
          }
        };
        MAGPIE_REGION(told)
        struct stores {
          magpie::stm::objects cells;
          magpie::array<std::uint32_t> values;
          std::uint32_t what;
          static constexpr std::uint32_t max_objects = 1, max_writes = 0;
          struct state {};
          template <class Tx>
          MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t, state&) const {
            return tx.open(cells, 0) ? outcome::commit : outcome::retry;
          }
          template <class Tx>
          MAGPIE_DEVICE void apply(Tx&, std::uint32_t item, const state&) const {
            values[0] = values[0] + item;
          }
        };
        MAGPIE_REGION(stores)
        struct pushes {
          magpie::stm::objects cells;
          magpie::array<std::uint32_t> values;
          std::uint32_t what;
          static constexpr std::uint32_t max_objects = 1, max_writes = 1, max_pushes = 1;
          template <class Tx>
          MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
            if (what == pusher_retries) return outcome::retry;
            if (what == pusher_defers) return outcome::defer;
            const auto cell = tx.open(cells, 0);
            std::uint32_t x = 0;
            if (!tx.read(cell, &values[0], x)) return outcome::retry;
            if (!tx.write(cell, &values[0], x + 1)) return outcome::retry;
            const bool for_each = what == pushes_for_each;
            const bool one = for_each ? item < 1001 : what == pushes_without_end || item < 4;
            if (one) tx.push(item + (for_each ? 1001 : 2));
            if (what == pushes_too_many) tx.push(item);
            return outcome::commit;
          }
        };
        MAGPIE_REGION(pushes)
        """
            .replace("ENUMERATORS", Told.enumerators()));
    List<String> arguments =
        new ArrayList<>(
            List.of("--region", source + "#" + what.region, "--arg", "cells=objects:2"));
    String values = what.isOwn() ? "values=zeros:2" : "values=zeros:1";
    arguments.addAll(List.of("--arg", values, "--arg", "what=" + what.ordinal()));
    if (!List.of(more).contains("--items")) {
      arguments.addAll(List.of("--items", "2"));
    }
    arguments.addAll(List.of(more));
    CommandRun run = verify(arguments.toArray(String[]::new));
    assumeTrue(run.status() != ExitStatus.DEVICE_UNAVAILABLE.code(), "there is no compiler");
    return run;
  }

  private static final String ADDS =
      """
      struct adds {
        magpie::stm::objects cells;
        magpie::array<std::uint32_t> values;
        static constexpr std::uint32_t max_objects = 1, max_writes = 1;
        template <class Tx>
        MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
          const auto cell = tx.open(cells, item);
          std::uint32_t x = 0;
          if (!tx.read(cell, &values[item], x)) return outcome::retry;
          return tx.write(cell, &values[item], x + 1) ? outcome::commit : outcome::retry;
        }
      };
      MAGPIE_REGION(adds)
      """;

  private static final String MOVES =
      """
      struct moves {
        magpie::array<std::uint32_t> values;
        magpie::stm::guarded<std::uint32_t> balance;
        magpie::stm::guarded_cells<std::uint32_t> cells;
        magpie::stm::guarded_matrix<std::uint32_t> table;
        static constexpr std::uint32_t max_objects = 3, max_writes = 1;
        struct state {
          std::uint32_t hint;
        };
        template <class Tx>
        MAGPIE_DEVICE magpie::stm::result<std::uint32_t> doubled(Tx& tx, std::uint32_t i) const {
          return 2 * MAGPIE_TRY(tx.get(cells, i));
        }
        template <class Tx>
        MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
          std::uint32_t x = MAGPIE_TRY(tx.get(balance, item));
          x += MAGPIE_TRY(tx.get(table.row(item), 1));
          x += MAGPIE_TRY(doubled(tx, item));
          s.hint = tx.glance(&values[item]) + tx.peek(cells, item);
          MAGPIE_TRY(tx.set(table.row(item), 1, x));
          return outcome::commit;
        }
        template <class Tx>
        MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
          const std::uint32_t x = tx.load(balance, item);
          tx.store(balance, item, x + s.hint);
        }
      };
      MAGPIE_REGION(moves)
      """;

  /** What is wrong is said in a line of the region's file, with the reason, and not in headers. */
  @Test
  void compilersAreQuotedByTheRegionsOwnLines() throws IOException {
    areSaidInTheirLines(
        ADDS,
        "adds",
        List.of(
            new Mistake(
                "std::uint32_t x = 0", "int x = 0", 9, "tx.read takes a variable of the datum's"),
            new Mistake("&values[item], x)", "values[item], x)", 9, "tx.read takes the datum's"),
            new Mistake("read(cell,", "read(item,", 9, "tx.read takes the handle of an opened"),
            new Mistake("array<std", "array<const std", 10, "tx.write to const data: leave const"),
            new Mistake("item) const", "item)", 13, "region adds4: const is missing after"),
            new Mistake(", max_writes = 1", "", 13, "region adds0: declare how much"),
            new Mistake("write(cell,", "write(item,", 10, "tx.write takes the handle of an opened"),
            new Mistake(
                "&values[item], x +", "values[item], x +", 10, "tx.write takes the datum's"),
            new Mistake("x + 1)", "&x)", 10, "tx.write takes a value of the datum's own type"),
            new Mistake("open(cells", "open(values", 7, "tx.open takes magpie::stm::objects and")));
    CommandRun forgotten =
        compiled(
            "forgotten.cu",
            "#include \"magpie/stm.cuh\"\nusing magpie::stm::outcome;\n"
                + ADDS.replace("MAGPIE_REGION(adds)", ""));
    assertTrue(forgotten.err().contains("end it with MAGPIE_REGION(adds)"), forgotten.err());
    CommandRun untried =
        compiled(
            "untried.cu",
            "#include \"magpie/stm.cuh\"\nusing magpie::stm::outcome;\n"
                + MOVES
                    .replace("MAGPIE_TRY(tx.get(balance, item))", "tx.get(balance, item)")
                    .replace("s.hint = ", "atomicAdd(&values[0], 1); s.hint = ")
                    .replace(
                        "MAGPIE_TRY(tx.set(table.row(item), 1, x))", "tx.set(balance, item, x)"));
    assertTrue(
        untried.err().contains("such as tx.get, needs MAGPIE_TRY(...) around it"), untried.err());
    assertTrue(untried.err().contains("magpie::red_add_rlx_dev(&count[0], 1)"), untried.err());
  }

  @Tag("slow") // compiles
  @Test
  void compilersAreQuotedByTheLinesOfRegionsWithGuardedDataToo() throws IOException {
    areSaidInTheirLines(
        MOVES,
        "moves",
        List.of(
            new Mistake("get(balance", "get(values", 16, "tx.get takes a magpie::stm::guarded arr"),
            new Mistake("get(balance, item)", "get(balance)", 16, "tx.get takes an index behind"),
            new Mistake(
                "MAGPIE_TRY(tx.get(balance, item))", "balance.data[item]", 16, "the data of a"),
            new Mistake(
                "MAGPIE_TRY(tx.get(balance, item))", "cells.data[item]", 16, "the data of a"),
            new Mistake(
                "table.row(item), 1))", "table, item, 1))", 17, "tx.get of a guarded matrix"),
            new Mistake(
                "MAGPIE_TRY(tx.get(table.row(item), 1))",
                "table(item, 1)",
                17,
                "a guarded matrix is reached by tx.get(m.row(i), column)"),
            new Mistake(
                "magpie::stm::result<std::uint32_t> dou", "std::uint32_t dou", 12, "MAGPIE_TRY"),
            new Mistake(
                "magpie::stm::result<std::uint32_t> dou", "void dou", 12, "MAGPIE_TRY returns"),
            new Mistake(
                "glance(&values", "glance(values", 19, "tx.glance takes the datum's address"),
            new Mistake(
                "peek(cells", "peek(values", 19, "tx.peek takes a guarded array and an index"),
            new Mistake(
                "set(table.row(item), 1", "set(values, item", 20, "tx.set takes a magpie::stm"),
            new Mistake(
                "set(table.row(item), 1, x", "set(balance, item, s", 20, "tx.set takes a value"),
            new Mistake("load(balance", "load(values", 25, "tx.load takes the handle of an opened"),
            new Mistake(
                "store(balance", "store(values", 26, "tx.store takes the handle of an opened"),
            new Mistake(
                "MAGPIE_TRY(tx.get(balance, item))",
                "tx.take(magpie::stm::pool<0>{})",
                16,
                "a region declares for each of its pools how many slots"),
            new Mistake(
                "store(balance, item,", "store(table, item, 1,", 26, "tx.store takes the")));
  }

  private record Mistake(String right, String wrong, int line, String said) {}

  /** Of so many mistakes all is told, also what comes of them. */
  private static final int TOLD_AT_ONCE = 5;

  /**
   * Compiles a region with each of the mistakes in turn, some together, and with limits of its own,
   * so that nothing is compiled only once for several.
   */
  private void areSaidInTheirLines(String right, String name, List<Mistake> mistakes)
      throws IOException {
    int lines = right.lines().toList().size();
    for (int first = 0; first < mistakes.size(); first += TOLD_AT_ONCE) {
      List<Mistake> some = mistakes.subList(first, Math.min(first + TOLD_AT_ONCE, mistakes.size()));
      StringBuilder all =
          new StringBuilder("#include \"magpie/stm.cuh\"\nusing magpie::stm::outcome;\n");
      for (int i = 0; i < some.size(); i++) {
        assertTrue(right.contains(some.get(i).right), some.get(i).right);
        all.append(
            right
                .replace(some.get(i).right, some.get(i).wrong)
                .replace("max_writes = 1", "max_writes = " + (1 + i))
                .replace(name, name + i));
      }
      String file = name + "_from_" + first + ".cu";
      CommandRun run = compiled(file, all.toString());
      for (int i = 0; i < some.size(); i++) {
        String said = file + ":" + (2 + i * lines + some.get(i).line) + ": " + some.get(i).said;
        assertTrue(run.err().contains(said), said + " is not in " + run.err());
      }
      assertFalse(run.err().contains(".cuh:"), run.err());
    }
  }

  /** Verifies what does not compile, or has no region. */
  private CommandRun compiled(String name, String text) throws IOException {
    Path source = folder.resolve(name);
    Files.writeString(source, text);
    CommandRun run = verify("--region", source.toString(), "--items", "2", "--explore", "pct:2");
    assumeTrue(run.status() != ExitStatus.DEVICE_UNAVAILABLE.code(), "there is no compiler");
    return run.expect(ExitStatus.BAD_INPUT);
  }

  @Test
  void howItemsEndedIsAlwaysSaid() throws IOException {
    for (String[] how :
        List.of(
            new String[] {"--explore=pct:2", "--runs=7"},
            new String[] {"--explore=states"},
            new String[] {"--replay=explicit"},
            new String[] {"--device=sim:1:2", "--runs=7"})) {
      String committed = how[how.length - 1].equals("--runs=7") ? "14" : "2";
      assertAllEnded(committed, told(Told.ADDS, how));
    }
  }

  @Tag("slow") // compiles
  @Test
  void howItemsEndedIsSaidOfRecordedRunsOnSimToo() throws IOException {
    assertAllEnded("2", told(Told.ADDS, "--device=sim:1:2", "--clock=counter"));
  }

  private static void assertAllEnded(String committed, CommandRun run) {
    run.expect(ExitStatus.OK);
    assertEquals(committed + " committed, 0 canceled, 0 unfinished", line(run, "ended"), run.out());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--device=sim:1:2",
        "--device=cpu:1",
        "--explore=random",
        "--explore=states",
        "--explore=exhaustive:1",
        "--replay=explicit"
      })
  void nothingIsVerifiedWhereNothingCommitted(String how) throws IOException {
    assertNothingIsVerified(how);
  }

  @Tag("slow") // compiles
  @Test
  void nothingIsVerifiedWhereNothingCommittedInARecordedRunOnSim() throws IOException {
    assertNothingIsVerified("--device=sim:1:2 --skew=0");
  }

  private void assertNothingIsVerified(String how) throws IOException {
    CommandRun canceled = told(Told.CANCELS, how.split(" ")).expect(ExitStatus.NOT_VERIFIED);
    assertTrue(canceled.err().contains("nothing committed"), canceled.err());
    assertTrue(line(canceled, "ended").startsWith("0 committed"), canceled.out());
    assertFalse(canceled.out().contains("serializable"), canceled.out());
    assertFalse(canceled.out().contains("no violation"), canceled.out());
    CommandRun empty = told(Told.DOES_NOTHING, how.split(" ")).expect(ExitStatus.NOT_VERIFIED);
    assertTrue(empty.err().contains("read and wrote nothing through tx"), empty.err());
    assertFalse(empty.out().contains("no violation"), empty.out());
    for (CommandRun run : List.of(canceled, empty)) {
      assertTrue(run.out().contains("\nvacuous run: "), run.out());
      assertTrue(run.out().contains(", so nothing was verified"), run.out());
      assertTrue(run.out().contains("\nremedy: give it arguments"), run.out());
    }
  }

  /** Both in JSON: without a verdict among the violations, with one among what it leaves open. */
  @ParameterizedTest
  @ValueSource(strings = {"--device=cpu:2", "--explore=random", "--replay=explicit"})
  void vacuousRunsAreNamed(String how) throws IOException {
    JsonNode canceled =
        new ObjectMapper()
            .readTree(told(Told.CANCELS, how, "--json").expect(ExitStatus.NOT_VERIFIED).out());
    assertTrue(
        canceled.at("/violations/0").asText().startsWith("vacuous run: nothing committed"),
        canceled.toString());
    JsonNode reads =
        new ObjectMapper().readTree(told(Told.READS, how, "--json").expect(ExitStatus.OK).out());
    assertEquals(0, reads.get("violations").size(), reads.toString());
    String open = reads.get("limits").toString();
    assertTrue(open.contains("\"nothing was written"), open);
    assertTrue(open.contains("\"vacuous run: no"), open);
    assertFalse(open.contains("no two items"), open);
  }

  @Test
  void whatRegionsLeavePastTheTransactionIsVerifiedOnSimToo() throws IOException {
    CommandRun stored =
        told(Told.STORES_IN_APPLY, "--explore=random", "--runs=20").expect(ExitStatus.OK);
    assertTrue(stored.out().contains("of random: no violation\n"), stored.out());
  }

  @Test
  void anEmptyHistoryVerifiesNothing() throws IOException {
    Path file = folder.resolve("empty.txt");
    Files.writeString(file, "magpie-history 1\n");
    CommandRun run = verify("--history", file.toString()).expect(ExitStatus.NOT_VERIFIED);
    assertTrue(run.out().contains("vacuous run: nothing committed"), run.out());
    assertFalse(run.out().contains("remedy: "), run.out());
    assertTrue(run.err().contains("nothing committed"), run.err());
    assertFalse(run.out().contains("serializable"), run.out());
  }

  /** It has neither arguments nor items that one could give otherwise. */
  @Test
  void aVacuousWorkloadHasNoRemedy() throws IOException {
    CommandRun run =
        verify("--workload", "drawn:objects=9", "--device", "cpu:2", "--transactions", "1")
            .expect(ExitStatus.OK);
    assertTrue(run.out().contains("\nvacuous run: no two items used the same object"), run.out());
    assertFalse(run.out().contains("remedy: "), run.out());
  }

  /** More than are traced, so that nobody sees why they do not end. */
  @Test
  void unfinishedItemsHaveNoVerdict() throws IOException {
    CommandRun run =
        told(Told.RETRIES, "--items", "1001", "--device=cpu:1", "--timeout=1", "--json")
            .expect(ExitStatus.NOT_VERIFIED);
    assertTrue(run.err().contains("1,001 of 1,001 items are unfinished"), run.err());
    JsonNode json = new ObjectMapper().readTree(run.out());
    assertEquals("1,001 unfinished", json.at("/runs/0/verdict").asText());
    assertEquals("opacity not checked", json.at("/runs/0/opacity").asText());
    assertEquals(1001, json.get("unfinished").asLong());
  }

  @Test
  void itemsThatRetryForEverAreNoEnd() throws IOException {
    CommandRun run =
        told(Told.RETRIES, "--device=cpu:1", "--timeout=1", "--json").expect(ExitStatus.VIOLATION);
    JsonNode json = new ObjectMapper().readTree(run.out());
    assertEquals(0, json.at("/runs/0/checkedPerSecond").asDouble(-1));
    assertEquals(2, json.get("unfinished").asLong());
  }

  @Test
  void whatTheDefaultScheduleShowsIsNamedAndReplayed() throws IOException {
    // Under this one a run comes to the fault later than by default.
    CommandRun fault =
        told(Told.LEAVES_THE_ARRAY, "--explore", "round-robin").expect(ExitStatus.KERNEL_FAULT);
    assertTrue(fault.err().contains("the default schedule: fault: "), fault.err());
    assertTrue(fault.err().contains("index 9 is outside 'values' of length 1"), fault.err());
    List<String> replay = words(line(fault, "replay"));
    CommandRun.of(replay.subList(1, replay.size()).toArray(new String[0]))
        .expect(ExitStatus.KERNEL_FAULT);

    CommandRun bounded =
        told(Told.READS_WITHOUT_END, "--explore", "pct:2", "--steps", "5000")
            .expect(ExitStatus.VIOLATION);
    assertTrue(bounded.out().contains("not finished after 5000 steps"), bounded.out());
    assertTrue(line(bounded, "replay").contains("--steps 5000"), bounded.out());
  }

  @Tag("slow")
  @Test
  void stepsAreBoundedWhereTimeIsNot() throws IOException {
    CommandRun endless =
        told(Told.READS_WITHOUT_END, "--explore", "pct:2", "--timeout", "0")
            .expect(ExitStatus.VIOLATION);
    assertTrue(endless.out().contains("not finished after 10000000 steps"), endless.out());
  }

  @Test
  void aLoopWithoutAccessesIsFoundWhereTimeEndsTheRun() throws IOException {
    assertEndless(
        told(Told.LOOPS_WITHOUT_ACCESS, "--device=sim", "--timeout=1")
            .expect(ExitStatus.VIOLATION));
  }

  @Tag("slow")
  @Test
  void aLoopWithoutAccessesIsFoundLongBeforeTheTimeOfARun() throws IOException {
    told(Told.ADDS, "--device=sim", "--runs=1").expect(ExitStatus.OK); // compiled
    long begin = System.nanoTime();
    assertEndless(told(Told.LOOPS_WITHOUT_ACCESS, "--device=sim").expect(ExitStatus.VIOLATION));
    assertTrue(System.nanoTime() - begin < 40e9, "it takes about 12 s on an idle machine");
  }

  private static void assertEndless(CommandRun run) {
    String said = "no end: item 1 of region told is in an endless loop of its own";
    assertTrue(run.err().contains(said), run.err());
    assertEquals(1, run.err().split("no end", -1).length - 1, run.err());
    assertFalse(run.err().contains("--timeout"), run.err());
    String loop = said + ": it accesses no shared data there \\(.*told\\.cu:2[01]\\)";
    String last = "last access: item 1, attempt \\d+, .*values\\[0] .*\\(.*told\\.cu:19\\)";
    assertTrue(run.out().matches("(?s).*" + loop + "\\R\\s*" + last + ".*"), run.out());
  }

  @Test
  void timeEndsAnExplorationWithoutAVerdict() throws IOException {
    String[] options = {"--explore", "pct:2", "--runs", "1000000000", "--timeout", "1"};
    Duration before = processorTime();
    CommandRun run = told(Told.ADDS, options);
    for (int seconds = 2; hadTooLittleTime(run) && seconds <= 64; seconds *= 2) {
      Duration used = processorTime().minus(before);
      assertTrue(used.compareTo(Duration.ofSeconds(4)) < 0, "the default schedule took " + used);
      options[options.length - 1] = Integer.toString(seconds);
      before = processorTime();
      run = told(Told.ADDS, options);
    }
    run.expect(ExitStatus.STOPPED_EARLY);
    assertTrue(run.err().contains("no violation so far"), run.err());
    assertFalse(run.out().contains("no violation"), run.out());
  }

  @ParameterizedTest
  @ValueSource(strings = {"--device=cpu:2", "--explore=random", "--replay=explicit"})
  void aRegionThatPushesRunsInRounds(String how) throws IOException {
    String[] options =
        how.startsWith("--device")
            ? new String[] {how, "--transactions=1", "--json"}
            : new String[] {how, "--json"};
    CommandRun run = told(Told.PUSHES_SOME, options).expect(ExitStatus.OK);
    JsonNode json = new ObjectMapper().readTree(run.out());
    assertEquals(3, json.get("rounds").asLong(), json.toString());
    assertEquals(4, json.get("pushed").asLong());
    assertEquals(0, json.get("waiting").asLong());
    if (how.startsWith("--device")) {
      assertTrue(json.at("/limits/0").asText().startsWith("No invariant was given"));
      assertTrue(json.at("/limits/1").asText().startsWith("Accesses to the arguments are seen"));
      assertEquals(6, json.get("committed").asLong());
      assertEquals(3, json.get("runs").size());
      assertEquals(2, json.at("/runs/1/round").asLong());
      assertEquals(2, json.at("/runs/1/items").asLong());
    }
  }

  @Test
  void roundsThatNeverEndAreBounded() throws IOException {
    CommandRun bounded =
        told(Told.PUSHES_WITHOUT_END, "--device=cpu:1", "--rounds", "3", "--transactions", "1")
            .expect(ExitStatus.OK);
    assertEquals("3, 6 items pushed, 0 deferred, 2 waiting", line(bounded, "rounds"));
    assertTrue(bounded.out().contains("--rounds says how many"), bounded.out());
    CommandRun endless =
        told(Told.PUSHES_WITHOUT_END, "--explore=random").expect(ExitStatus.VIOLATION);
    assertTrue(endless.err().contains("no end: round 1000: 2 items still wait"), endless.err());
    CommandRun useless =
        told(Told.ADDS, "--device=cpu:1", "--rounds", "3").expect(ExitStatus.USAGE);
    assertTrue(useless.err().contains("--rounds has no effect"), useless.err());
    CommandRun states = told(Told.PUSHES_SOME, "--explore=states").expect(ExitStatus.USAGE);
    assertTrue(states.err().contains("runs in rounds of a launch each"), states.err());
    CommandRun stop = told(Told.PUSHES_SOME, "--replay=explicit+stop:0@1").expect(ExitStatus.USAGE);
    assertTrue(stop.err().contains("--replay: +stop is for one launch"), stop.err());
  }

  @Test
  void boundedRoundsInWhichNothingEndsAreNotVerified() throws IOException {
    CommandRun late =
        told(
                Told.PUSHER_RETRIES,
                "--items",
                "1001",
                "--device=cpu:1",
                "--rounds",
                "1",
                "--timeout",
                "1")
            .expect(ExitStatus.NOT_VERIFIED); // as many are not traced, else that is no end
    assertTrue(
        late.err().contains("1,001 items still wait after 1 round: time was up; give it more"),
        late.err());
    CommandRun deferred =
        told(Told.PUSHER_DEFERS, "--device=cpu:1", "--rounds", "1").expect(ExitStatus.NOT_VERIFIED);
    assertTrue(deferred.err().contains("nothing committed, so nothing"), deferred.err());
  }

  @Test
  void tooManyPushesAreSaidWithTheRemedy() throws IOException {
    CommandRun recorded =
        told(Told.PUSHES_TOO_MANY, "--device=cpu:1").expect(ExitStatus.NOT_VERIFIED);
    CommandRun explored =
        told(Told.PUSHES_TOO_MANY, "--explore=random").expect(ExitStatus.VIOLATION);
    for (CommandRun run : List.of(recorded, explored)) {
      assertTrue(run.err().contains("max_pushes = 1: raise max_pushes"), run.err());
    }
  }

  @Test
  void statesAreSearchedWithFewThreads() {
    CommandRun run =
        verify("--workload", "drawn", "--items", "300", "--explore", "states")
            .expect(ExitStatus.USAGE);
    assertTrue(run.err().contains("--items: states are searched with at most 256"), run.err());
  }
}
