package io.magpie.verification.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Policy;
import io.magpie.verification.explore.Violation.Kind;
import io.magpie.verification.testing.internal.KeptDevices;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Checks of a region that is right if it is told so, and wrong in many ways otherwise. */
class RegionCheckTest {
  private static final Path FILE =
      Path.of(System.getProperty("magpie.basedir"), "src/test/cuda/misbehaves.cu");
  private static final int ADDS = 0;
  private static final int CANCELS = 2;
  private static final int COMMITS_ONLY = 3;
  private static final int FAULTS_IF_ONE_COMES_FIRST = 5;
  private static final int TAKES_ANY = 10;

  @AfterAll
  static void close() {
    KeptDevices.close();
  }

  private static RegionCheck misbehaves(int what, int items) {
    return RegionCheck.of(FILE, "misbehaves")
        .objects("cells", 2)
        .array("values", 0, 7)
        .number("what", what)
        .items(items);
  }

  private static RegionCheck pushes(int first, int items) {
    return RegionCheck.of(FILE, "pushes").objects("cells", 1).array("values", first).items(items);
  }

  /** What a region that adds one to the first value is specified to do. */
  private static boolean add(RegionData data, int item) {
    data.ints("values")[0]++;
    return true;
  }

  private static RegionFailure failure(RegionCheck check) {
    return assertThrows(RegionFailure.class, check::check);
  }

  private static void assertContains(String part, String text) {
    assertTrue(text.contains(part), text);
  }

  @Test
  void aRightRegionPassesOnSimulatorsAndProcessors() {
    assertPasses("sim:0:1", "sim:0:4", "cpu:2");
  }

  @Tag("slow") // compiles
  @Test
  void aRightRegionPassesWhereIndicesAreChecked() {
    assertPasses("sim:0:1", "sim:0:4", "cpu-checked:2");
  }

  private static void assertPasses(String... devices) {
    int[] looks = new int[1];
    misbehaves(ADDS, 3)
        .on(devices)
        .explore("pct:2", 20)
        .explore("exhaustive:1", 50)
        .invariant(data -> assertEquals(7, data.ints("values")[1]))
        .invariant(data -> looks[0]++)
        .specification(RegionCheckTest::add)
        .check();
    assertTrue(looks[0] > 2 * 70 + 3, looks[0] + " runs were looked at");
  }

  @Test
  void nothingButTheModuleStaysOpenOnADevice() {
    String device = "sim:2718:2"; // devices are kept, and no other test has this one
    misbehaves(ADDS, 2).on(device).explore("pct:1", 1).check();
    misbehaves(ADDS, 3).on(device).explore("pct:1", 1).check();
    failure(misbehaves(CANCELS, 1).on(device));
    KeptDevices.use(
        device,
        kept -> assertEquals(1, kept.device().leaks().size(), kept.device().leaks()::toString));
  }

  @Test
  void aScheduleThatFaultsIsMadeSmallAndReplayed() {
    RegionFailure first =
        failure(misbehaves(FAULTS_IF_ONE_COMES_FIRST, 4).on("sim:0:1").explore("pct:2", 200));
    assertEquals(Kind.FAULT, first.violations().get(0).kind());
    String schedule = first.schedule().orElseThrow();
    assertTrue(schedule.matches("explicit:[0-9]+@1"), schedule);
    assertContains(
        "  replay      " + LaunchCommand.near(FILE) + " verify --region ", first.getMessage());
    assertContains(
        "--arg cells=objects:2 --arg 'values=[0,7]' --arg what=5 --items 4 --device sim:0:1"
            + " --replay "
            + schedule,
        first.getMessage());
    assertContains(".replay(\"" + schedule + "\")\n", first.getMessage());

    // With fewer items, and one run to explore: the schedule that failed is tried by itself.
    RegionFailure next =
        failure(misbehaves(FAULTS_IF_ONE_COMES_FIRST, 2).on("sim:0:1").explore("round-robin", 1));
    assertContains("found by    the schedule that failed before", next.getMessage());
    RegionFailure again =
        failure(misbehaves(FAULTS_IF_ONE_COMES_FIRST, 2).on("sim:0:1").replay(schedule));
    assertEquals(Kind.FAULT, again.violations().get(0).kind());
    misbehaves(FAULTS_IF_ONE_COMES_FIRST, 2).on("sim:0:1").replay("explicit").check();
  }

  @Test
  void anInvariantThatDoesNotHoldIsTold() {
    RegionCheck check =
        misbehaves(ADDS, 2)
            .invariant(data -> assertTrue(data.ints("values")[0] < 2, "it has become two"));
    RegionFailure failure = failure(check);
    assertEquals(Kind.INVARIANT, failure.violations().get(0).kind());
    assertContains("invariant: it has become two", failure.getMessage());
    assertFalse(failure.getMessage().contains("magpie verify"), failure::getMessage);
    assertContains(".number(\"what\", 0L)\n                  .items(2)\n", failure.getMessage());
    assertContains("run 1 of 3", failure(check.on("cpu:2")).getMessage());
  }

  @Test
  void anInvariantHoldsBeforeTheRegionRuns() {
    RegionCheck check =
        misbehaves(ADDS, 1).invariant(data -> assertEquals(1, data.ints("values")[0]));
    String message = assertThrows(IllegalArgumentException.class, check::check).getMessage();
    assertContains("the invariant does not hold before the region has run", message);
  }

  @Test
  void whatDiffersFromTheSpecificationIsTold() {
    RegionFailure data = failure(misbehaves(ADDS, 2).specification((state, item) -> true));
    assertEquals(Kind.WRONG_RESULT, data.violations().get(0).kind());
    assertContains("values[0] is 2 and not 0, after items 0, 1", data.getMessage());
    RegionFailure outcome =
        failure(misbehaves(ADDS, 2).specification((state, item) -> item != 1 && add(state, item)));
    assertContains("item 1 commits, and should cancel, after items 0", outcome.getMessage());
    RegionFailure view =
        failure(
            misbehaves(ADDS, 2)
                .specification(
                    state -> Arrays.stream(state.ints("values")).boxed().toList(),
                    (state, item) -> true));
    assertContains("what is left is [2, 7], and should be [0, 7]", view.getMessage());
  }

  /** Items 0 to 2 push 0 and 1, and these 0: each adds one. */
  @Test
  void regionsThatPushRunInRounds() {
    int[] most = new int[1];
    RegionCheck check =
        pushes(0, 3).invariant(data -> most[0] = Math.max(most[0], data.ints("values")[0]));
    check.on("sim:0:2", "cpu:2").explore("pct:2", 20).specification(RegionCheckTest::add).check();
    assertEquals(6, most[0]);
    RegionFailure failure =
        failure(check.invariant(data -> assertTrue(data.ints("values")[0] < 5, "five")));
    assertContains("invariant: round 2: five", failure.getMessage());
    assertContains(
        "+stop is for one launch, and region pushes runs in rounds",
        assertThrows(
                IllegalArgumentException.class,
                pushes(0, 3).on("sim:0:2").replay("explicit+stop:0@1")::check)
            .getMessage());
    check = pushes(0, 3).explore("dpor", 1);
    check.on("cpu:2").check(); // which explores nothing
    assertContains(
        "explore: dpor searches one launch",
        assertThrows(IllegalArgumentException.class, check.on("sim:0:2")::check).getMessage());
  }

  private static RegionCheck takesAnyCell() {
    return RegionCheck.of(FILE, "misbehaves")
        .objects("cells", 2)
        .array("values", 0, 0)
        .number("what", TAKES_ANY)
        .items(2)
        .on("sim:0:4")
        .explore("pct:2", 20);
  }

  /** Which item gets which cell depends on the order, and is right in any. */
  @Test
  void theOtherOrderCanBeLeftOut() {
    RegionFailure failure = failure(takesAnyCell());
    assertEquals(Kind.UNCHECKED_HINT, failure.violations().get(0).kind());
    assertContains("when items that share no object run in another order", failure.getMessage());
    takesAnyCell().leaveOutOtherOrder().check();
    RegionCheck wrong = takesAnyCell().leaveOutOtherOrder();
    String text = failure(wrong.specification((data, item) -> false)).getMessage();
    assertContains(".leaveOutOtherOrder()", text);
  }

  private static RegionCheck leavesTheLastOne() {
    return RegionCheck.of(FILE.resolve("../../regions/wrong/leaves_the_last_one.cu").normalize())
        .guarded("head", 6)
        .guarded("next", 9, 9, 9, 9, 9, 9, 4, 9)
        .pool("slots", 8, 7)
        .items(2)
        .on("sim:0:4")
        .explore("pct:2", 2);
  }

  @Test
  void whatAnArrayHoldsCanBeDeclared() {
    RegionFailure left = failure(leavesTheLastOne());
    assertEquals(Kind.DANGLING_REFERENCE, left.violations().get(0).kind());
    assertContains("--slots ARRAY=none", left.getMessage());
    assertEquals(
        Kind.DANGLING_REFERENCE,
        failure(leavesTheLastOne().slots("head", "slots")).violations().get(0).kind());
    leavesTheLastOne().noSlots("head").check();
    String text = failure(leavesTheLastOne().noSlots("next")).getMessage();
    assertContains(".slots(\"next\", \"none\")", text);
    assertContains("--slots next=none --replay", text);
  }

  @Test
  void whatIsDeclaredMustBeThere() {
    for (RegionCheck wrong :
        List.of(
            leavesTheLastOne().noSlots("tail"),
            leavesTheLastOne().slots("slots", "slots"),
            leavesTheLastOne().slots("head", "others"),
            leavesTheLastOne().slots("head", "others", 1),
            leavesTheLastOne().slots("head", "slots", -1),
            leavesTheLastOne().slots("head", "none+1"),
            leavesTheLastOne().slots("head", "slots+"),
            leavesTheLastOne().slots("head", "slots+2147483648"),
            leavesTheLastOne().notIndexedBySlots("tail"),
            leavesTheLastOne().notIndexedBySlots("slots"),
            leavesTheLastOne().notIndexedBySlots("next").notIndexedBySlots("next"),
            leavesTheLastOne().slots("head", "slots").noSlots("head"))) {
      assertThrows(IllegalArgumentException.class, wrong::check);
    }
  }

  /**
   * The last node's number, 4, stays at the head; plus one it is that of slot 3, which is in use.
   */
  @Test
  void whatIsAddedToNumbersAndWhatIsNotIndexedByThemCanBeDeclared() {
    leavesTheLastOne().slots("head", "slots", 1).check();
    String text =
        failure(leavesTheLastOne().slots("head", "slots", 0).notIndexedBySlots("head"))
            .getMessage();
    assertContains(".slots(\"head\", \"slots+0\")", text);
    assertContains("--slots head=slots+0 --slots head=unindexed --replay", text);
  }

  @Test
  void checksOfNothingFailUnlessTheyMay() {
    RegionFailure canceled = failure(misbehaves(CANCELS, 2));
    assertEquals(Kind.VACUOUS_RUN, canceled.violations().get(0).kind());
    assertContains("vacuous run on sim:0:4", canceled.getMessage());
    assertContains("nothing committed, so nothing was verified", canceled.getMessage());
    assertContains("; or allowNoCommits()", canceled.getMessage());
    misbehaves(CANCELS, 2).allowNoCommits().check();
    for (String device : List.of("cpu:1", "sim:0:2")) {
      RegionFailure idle = failure(misbehaves(COMMITS_ONLY, 2).on(device));
      assertContains("committed, but read and wrote nothing through tx", idle.getMessage());
    }
    assertContains("there are no items", failure(misbehaves(ADDS, 0)).getMessage());
    misbehaves(ADDS, 0).allowNoCommits().check();
  }

  /** Nobody can check accesses past transactions there, which is no failure. */
  @Tag("slow") // compiles for another policy
  @Test
  void whereOthersStoreCommitsTheRestIsChecked() {
    RegionCheck check = misbehaves(ADDS, 2).policy(Policy.OBSTRUCTION_FREE).on("sim:0:2");
    check.explore("pct:1", 5).check();
    RegionFailure wrong = failure(check.invariant(data -> assertEquals(0, data.ints("values")[0])));
    assertEquals(Kind.INVARIANT, wrong.violations().get(0).kind());
  }

  @Test
  void aCheckThatRunsOutOfTimeFails() {
    String message =
        failure(misbehaves(ADDS, 4).explore("random", 1_000_000).timeout(Duration.ofMillis(500)))
            .getMessage();
    assertContains("longer timeout()", message);
    assertThrows(
        IllegalArgumentException.class, () -> misbehaves(ADDS, 4).timeout(Duration.ZERO).check());
  }

  @Tag("slow")
  @Test
  void timeBoundsAllRoundsOfARun() {
    RegionFailure late = failure(pushes(0, 3_000).timeout(Duration.ofMillis(100)).on("cpu:2"));
    assertEquals(List.of(), late.violations());
    assertContains("longer timeout()", late.getMessage());
    RegionFailure endless = failure(pushes(-1, 2).timeout(Duration.ofSeconds(5)).on("cpu:2"));
    assertEquals(Kind.NO_END, endless.violations().get(0).kind());
    // Of which item, threads decide: both are in the loop.
    assertContains(" is in an endless loop, in which it reads only", endless.getMessage());
  }

  @Test
  void mistakesOfATestAreNotTheRegions() {
    RegionCheck unknown = misbehaves(ADDS, 1).invariant(data -> data.ints("valeus"));
    assertContains(
        "there is no array 'valeus'; the region has values",
        assertThrows(IllegalArgumentException.class, unknown::check).getMessage());
    RegionCheck type = misbehaves(ADDS, 1).invariant(data -> data.longs("values"));
    assertContains(
        "values has ints: use ints(\"values\")",
        assertThrows(IllegalArgumentException.class, type::check).getMessage());
    assertThrows(
        IllegalArgumentException.class, () -> misbehaves(ADDS, 1).objects("cells", 3).check());
    assertThrows(
        IllegalArgumentException.class,
        () -> misbehaves(ADDS, 1).on("cpu:1").replay("explicit").check());
    assertContains(
        "has several regions: name one, as in RegionCheck.of(file, name); it has:",
        assertThrows(
                IllegalArgumentException.class,
                () -> RegionCheck.of(FILE.resolveSibling("invariants.cu")).check())
            .getMessage());
  }

  @Test
  void unsignedFieldsTakeTheBits() {
    RegionCheck.of(FILE, "misbehaves")
        .objects("cells", 1)
        .array("values", -1)
        .argument("what", "0")
        .specification(RegionCheckTest::add)
        .invariant(data -> assertTrue(data.ints("values")[0] == -1 || data.ints("values")[0] == 0))
        .check();
  }

  @Test
  void graphsAreGivenAsTheirArrays() {
    CsrGraph path = CsrGraph.ofEdges(3, new int[][] {{0, 1, 7}, {1, 2, 5}});
    Argument argument = Argument.csr("graph", path);
    assertEquals(
        List.of("graph.neighbors=[1,0,2,1]"),
        argument.words(
            Map.of("graph.neighbors", io.magpie.stm.FieldKind.parse("array:const:u32"))));
    assertEquals(
        ".csr(\"graph\", CsrGraph.ofEdges(3, new int[][] {{0, 1, 7}, {1, 2, 5}}))",
        argument.call());
    assertThrows(
        IllegalArgumentException.class, () -> CsrGraph.ofEdges(2, new int[][] {{0, 2, 1}}));
  }
}
