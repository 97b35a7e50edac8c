package io.magpie.algorithms.mesh.refine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.magpie.algorithms.TestDevices;
import io.magpie.algorithms.mesh.AngleHistogram;
import io.magpie.algorithms.mesh.DelaunayTriangulation;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import io.magpie.algorithms.mesh.RefinementClaim;
import io.magpie.algorithms.mesh.Splitting;
import io.magpie.algorithms.mesh.refine.PhasedMarkingOptions.Launches;
import io.magpie.algorithms.mesh.refine.PhasedMarkingOptions.Precision;
import io.magpie.algorithms.mesh.refine.PhasedMarkingOptions.Priority;
import io.magpie.algorithms.mesh.refine.PhasedMarkingOptions.Work;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Insertion;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Layout;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Synchronization;
import io.magpie.algorithms.mesh.refine.RefinementReport.Outcome;
import io.magpie.algorithms.mesh.refine.RefinementReport.Round;
import io.magpie.algorithms.mesh.verify.MeshCheck;
import io.magpie.algorithms.mesh.verify.MeshVerification;
import io.magpie.algorithms.mesh.verify.MeshVerifier;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.Policy;
import io.magpie.stm.Region;
import io.magpie.stm.RegionReport.AbortCause;
import io.magpie.stm.StmOptions;
import io.magpie.stm.StmOptions.BackOff;
import io.magpie.stm.UnfinishedItemsException;
import io.magpie.stm.simulator.Schedule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MeshRefinementTest {
  private static final Map<String, Mesh> INPUTS = RefinementInputs.all();

  static Stream<Arguments> everywhere() {
    return Refinements.devices().stream()
        .flatMap(
            device -> Stream.of(Synchronization.values()).map(way -> Arguments.of(device, way)));
  }

  static Stream<Arguments> onProcessors() {
    return Stream.of(Synchronization.values())
        .flatMap(way -> Stream.of(Insertion.values()).map(point -> Arguments.of(way, point)));
  }

  private static RefinementOptions options(Synchronization way) {
    return RefinementOptions.defaults().withSynchronization(way);
  }

  /** A bound on areas that leaves some two hundred triangles in a square. */
  private static double someArea(Mesh mesh) {
    return (mesh.maxX() - mesh.minX()) * (mesh.maxY() - mesh.minY()) / 100;
  }

  /**
   * Plain builds take two angles, one with a bound on areas and one without, and each input at one
   * of them, by turns.
   */
  @ParameterizedTest
  @MethodSource("onProcessors")
  void everyInputAtEveryAngle(Synchronization way, Insertion point) {
    int turn = way.ordinal() + point.ordinal();
    for (Map.Entry<String, Mesh> input : INPUTS.entrySet()) {
      double some = someArea(input.getValue());
      double[] angles =
          TestDevices.FULL
              ? new double[] {0, 20, 25, 30, 33}
              : new double[] {turn++ % 2 == 0 ? 0 : 30};
      for (double angle : angles) {
        for (double area :
            TestDevices.FULL ? new double[] {0, some} : new double[] {angle == 0 ? some : 0}) {
          RefinementOptions options =
              options(way).withInsertion(point).withMinimumAngle(angle).withMaximumArea(area);
          try {
            Refinements.run("cpu:4", input.getValue(), options);
          } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(input.getKey() + " with " + options, e);
          }
        }
      }
    }
  }

  /** Plain builds leave processors to {@link #everyInputAtEveryAngle}. */
  @ParameterizedTest
  @MethodSource("everywhere")
  void everyInputOnEveryDevice(String device, Synchronization way) {
    boolean slow = device.startsWith("sim");
    assumeTrue(TestDevices.FULL || !device.startsWith("cpu"), "another test has these");
    for (Map.Entry<String, Mesh> input : INPUTS.entrySet()) {
      if (slow && (input.getValue().triangles() > 120 || input.getKey().startsWith("grid"))) {
        continue;
      }
      try {
        Refinements.run(device, input.getValue(), options(way).withMinimumAngle(slow ? 25 : 30));
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(input.getKey(), e);
      }
    }
  }

  /**
   * What is asked of a run, and of what is left, is checked by {@link WholeSegments}. Plain builds
   * take each way to split with one of the points, by turns, and every third input.
   */
  @ParameterizedTest
  @MethodSource("everywhere")
  void segmentsStayWholeOnEveryDevice(String device, Synchronization way) {
    boolean slow = device.startsWith("sim");
    int kept = 0;
    int turn = 0;
    for (Map.Entry<String, Mesh> input : INPUTS.entrySet()) {
      Mesh mesh = input.getValue();
      if (slow && (mesh.triangles() > 120 || input.getKey().startsWith("grid"))) {
        continue;
      }
      turn++;
      if (!TestDevices.FULL && turn % 3 != way.ordinal() % 3) {
        continue;
      }
      for (Splitting splitting : List.of(Splitting.INSIDE, Splitting.NONE)) {
        for (Insertion point : Insertion.values()) {
          if (!TestDevices.FULL && (turn + splitting.ordinal() + point.ordinal()) % 2 != 0) {
            continue;
          }
          RefinementOptions options =
              options(way)
                  .withSplitting(splitting)
                  .withInsertion(point)
                  .withMinimumAngle(slow ? 25 : 30)
                  .withMaximumArea(slow ? 0 : someArea(mesh));
          try {
            RefinementReport report = Refinements.run(device, mesh, options).report();
            kept += report.outcome() == Outcome.SEGMENTS_KEPT ? 1 : 0;
          } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(input.getKey() + " with " + options, e);
          }
        }
      }
    }
    assertTrue(kept > (TestDevices.FULL ? 10 : 2), "nothing left: other inputs are needed");
  }

  /**
   * A refiner that gives up all that is bad is not taken for one that segments are in the way of.
   */
  @ParameterizedTest
  @EnumSource(Insertion.class)
  void trianglesWithoutASegmentInTheWayMustNotBeLeft(Insertion point) {
    Mesh input = RefinementInputs.generated("uniform:200");
    for (Splitting splitting : List.of(Splitting.INSIDE, Splitting.NONE)) {
      RefinementOptions options =
          RefinementOptions.defaults().withSplitting(splitting).withInsertion(point);
      RefinementReport report =
          Refinements.run("cpu:1", input, options.withMaximumSteinerPoints(0)).report();
      assertEquals(0, report.inserted());
      RefinementReport left =
          new RefinementReport(
              report.device(),
              options,
              report.rounds(),
              Outcome.SEGMENTS_KEPT,
              report.triangles(),
              report.badBefore(),
              report.badLeft(),
              report.excused(),
              0,
              0,
              report.badLeft(),
              report.triangleSlots(),
              report.freeTriangleSlots(),
              0,
              0,
              0,
              0,
              0,
              0);
      AssertionError wrong =
          assertThrows(
              AssertionError.class,
              () -> WholeSegments.check(input, new RefinementResult(input, left)));
      assertTrue(wrong.getMessage().contains("was left"), wrong.getMessage());
    }
  }

  /** Triangle 1.6 left so many triangles of these meshes, by -rpq30YY and -rpq30Y. */
  @ParameterizedTest
  @EnumSource(Synchronization.class)
  void hardlyMoreTrianglesAreLeftThanByTriangle(Synchronization way) {
    assertLeft(164, "uniform:1000", Splitting.NONE, way);
    assertLeft(34, "holes:3", Splitting.NONE, way);
    assertLeft(29, "map:300,seed=3", Splitting.NONE, way);
    assertLeft(0, "map:300,seed=3", Splitting.INSIDE, way);
  }

  private static void assertLeft(
      long byTriangle, String generator, Splitting splitting, Synchronization way) {
    RefinementReport report =
        Refinements.run(
                "cpu:4",
                RefinementInputs.generated(generator),
                options(way).withSplitting(splitting))
            .report();
    // Which vertices come first differs from run to run, and with them what is left.
    assertTrue(report.badLeft() <= byTriangle + byTriangle / 3, report::toString);
  }

  /** Most bad triangles do not lie at segments: these are mended. */
  @ParameterizedTest
  @EnumSource(Synchronization.class)
  void whatLiesInsideIsMended(Synchronization way) {
    Mesh input = RefinementInputs.generated("uniform:5000");
    RefinementOptions options =
        options(way).withSplitting(Splitting.NONE).withMaximumVertices(100_000);
    RefinementReport report = Refinements.run("cpu:4", input, options).report();
    assertEquals(Outcome.SEGMENTS_KEPT, report.outcome());
    assertEquals(0, report.insertedOnSegments());
    assertTrue(report.badLeft() < report.badBefore() / 10, report::toString);
    // A regular polygon is refined as if nothing were forbidden.
    Mesh polygon = RefinementInputs.circle(40);
    RefinementReport all = Refinements.run("cpu:4", polygon, options.withMinimumAngle(20)).report();
    assertEquals(Outcome.FINISHED, all.outcome());
    assertTrue(all.inserted() > 0);
  }

  /**
   * Around a vertex near a segment and two near each other edges grow with the distance. If much
   * shorter ones did not go first, there would be 1,100 and 1,400 triangles.
   */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MAXIMAL_SETS") // which has no order
  void theShortestEdgesGoFirst(Synchronization way) {
    long nearASegment = 0;
    long nearEachOther = 0;
    for (int i = 0; i < 12; i++) {
      double x = 0.21 + 0.05 * i;
      double side = 0.8 + 0.037 * i;
      Mesh one = RefinementInputs.triangulated(0, 0, side, 0, side, 1, 0, 1, x * side, 2e-8);
      Mesh two =
          RefinementInputs.triangulated(0, 0, side, 0, side, 1, 0, 1, x, 0.4, x + 3e-9, 0.4 + 1e-8);
      nearASegment += Refinements.run("cpu:1", one, options(way)).mesh().triangles();
      nearEachOther += Refinements.run("cpu:1", two, options(way)).mesh().triangles();
    }
    long first = nearASegment / 12;
    long second = nearEachOther / 12;
    assertTrue(first < 750 && second < 850, () -> first + " and " + second);
  }

  /**
   * A lattice whose boundary has triangles of just the angle asked, but for rounding, is refined
   * there only: each segment of the zigzag sides is split once.
   */
  @ParameterizedTest
  @EnumSource(Synchronization.class)
  void anglesThatAreTheBoundStay(Synchronization way) {
    int side = 20;
    double[] points = new double[2 * side * side];
    for (int i = 0; i < side * side; i++) {
      points[2 * i] = i % side + 0.5 * (i / side % 2);
      points[2 * i + 1] = i / side * Math.sqrt(3) / 2;
    }
    RefinementReport report =
        Refinements.run("cpu:4", RefinementInputs.triangulated(points), options(way)).report();
    assertEquals(0, report.insertedInside());
    assertEquals(side - 2, report.insertedOnSegments());
  }

  /**
   * A lattice of tilted square holes, whose cells are all equally urgent. Triangle 1.6 leaves 1,905
   * triangles of it, by -pDq30; splitting segments that others have made needless leaves 4,700.
   */
  @ParameterizedTest
  @EnumSource(names = {"TRANSACTIONS", "MARKS"})
  void segmentsOfCongruentHolesAreNotSplitAllOver(Synchronization way) {
    Mesh input = RefinementInputs.congruentHoles(15);
    int triangles = Refinements.run("cpu:1", input, options(way)).mesh().triangles();
    assertTrue(triangles < 1905 + 1905 / 4, () -> triangles + " triangles");
  }

  /** Also where a launch begins with the slots that the threads of an earlier one returned. */
  @ParameterizedTest
  @ValueSource(strings = {"cpu:4", "sim:2:4", "sim:0:32"})
  void itemsWaitWhereTheirLaunchHasChangedTheMesh(String device) {
    int recycled = 0;
    for (String name : List.of("uniform:200", "holes:2")) {
      recycled +=
          NeighborsWatch.recycledNumbers(
              Refinements.device(device),
              INPUTS.get(name),
              options(Synchronization.TRANSACTIONS).withBatch(1));
    }
    assertTrue(recycled > 0, "no launch used a returned slot: another input is needed");
  }

  /** A vertex may be seen before the number of the launch that inserted it can be. */
  @Test
  void itemsWaitOverWeakMemory() {
    for (int seed = 1; seed <= 20; seed++) {
      try (Device device = Device.open("sim:1:4")) {
        device.simulator().setSchedule(Schedule.randomWalk(seed).withWeakMemory());
        NeighborsWatch.recycledNumbers(
            device,
            RefinementInputs.generated("uniform:30,seed=" + seed),
            options(Synchronization.TRANSACTIONS).withBatch(1));
      }
    }
  }

  /** Small slices, and all work at once: the order changes, the bounds do not. */
  @ParameterizedTest
  @EnumSource(Synchronization.class)
  void anyBatchAndSlice(Synchronization way) {
    Mesh input = INPUTS.get("uniform:200");
    double[] batches =
        way == Synchronization.MAXIMAL_SETS // which takes all work
            ? new double[] {1}
            : new double[] {1e-9, 0.1, 1};
    for (double batch : batches) {
      for (int slice : new int[] {1, 7, 1000}) {
        Refinements.run("cpu:4", input, options(way).withBatch(batch).withSlice(slice));
      }
    }
  }

  /** Each switch by itself, and all at once. */
  static Stream<Arguments> phases() {
    PhasedMarkingOptions plain = PhasedMarkingOptions.defaults();
    PhasedMarkingOptions bySlots = plain.withWork(Work.SLOTS);
    List<PhasedMarkingOptions> all =
        List.of(
            plain,
            plain.withPriority(Priority.LOWER),
            plain.withLaunches(Launches.DOUBLING),
            plain.withLaunches(Launches.FIXED),
            plain.withSorted(true),
            plain.withLocalLists(true),
            plain.withRecycling(false),
            plain.withWorkSharing(true),
            plain.withPrecision(Precision.SINGLE),
            bySlots,
            bySlots.withSorted(true),
            bySlots.withLocalLists(true),
            new PhasedMarkingOptions(
                Priority.LOWER,
                Work.SLOTS,
                Launches.DOUBLING,
                true,
                true,
                false,
                true,
                Precision.SINGLE),
            new PhasedMarkingOptions(
                Priority.LOWER,
                Work.LISTS,
                Launches.FIXED,
                true,
                true,
                false,
                true,
                Precision.SINGLE));
    List<Synchronization> ways =
        Stream.of(Synchronization.values()).filter(Synchronization::inPhases).toList();
    return IntStream.range(0, ways.size() * all.size())
        .filter(i -> TestDevices.FULL || i / all.size() == i % all.size() % ways.size())
        .mapToObj(i -> Arguments.of(ways.get(i / all.size()), all.get(i % all.size())));
  }

  /**
   * Plain builds bound no areas, of which {@link #everyInputAtEveryAngle} has the default phases,
   * and take every other input, by turns of the ways to synchronize.
   */
  @ParameterizedTest
  @MethodSource("phases")
  void everyInputInAnyPhases(Synchronization way, PhasedMarkingOptions phases) {
    int turn = way.ordinal();
    for (Map.Entry<String, Mesh> input : INPUTS.entrySet()) {
      if (!TestDevices.FULL && turn++ % 2 != 0) {
        continue;
      }
      double some = someArea(input.getValue());
      for (double area : TestDevices.FULL ? new double[] {0, some} : new double[] {0}) {
        RefinementOptions options = options(way).withPhases(phases).withMaximumArea(area);
        try {
          Refinements.run("cpu:4", input.getValue(), options.withBatch(1));
        } catch (AssertionError | RuntimeException e) {
          throw new AssertionError(input.getKey() + " with " + options, e);
        }
      }
    }
  }

  /**
   * With room for fewer vertices than there are items, losers do not end because there is no room.
   */
  @ParameterizedTest
  @MethodSource("phases")
  void anyPhasesStopAtTheVertexLimit(Synchronization way, PhasedMarkingOptions phases) {
    Mesh input = INPUTS.get("uniform:200");
    for (int limit : new int[] {1, 201, 250}) {
      RefinementOptions options =
          options(way).withPhases(phases).withMinimumAngle(33).withMaximumVertices(limit);
      RefinementResult result = Refinements.run("cpu:4", input, options);
      assertEquals(Outcome.VERTEX_LIMIT, result.report().outcome());
      assertEquals(Math.max(limit, 200), result.mesh().vertices());
    }
  }

  /** Float filters decide what doubles would: on one thread everything is the same. */
  @Test
  void singlePrecisionChangesNothing() {
    PhasedMarkingOptions doubles = PhasedMarkingOptions.defaults();
    for (Map.Entry<String, Mesh> input : INPUTS.entrySet()) {
      for (double area : new double[] {0, someArea(input.getValue())}) {
        RefinementOptions options = options(Synchronization.THREE_PHASES).withMaximumArea(area);
        Mesh once = Refinements.run("cpu:1", input.getValue(), options.withPhases(doubles)).mesh();
        PhasedMarkingOptions floats = doubles.withPrecision(Precision.SINGLE);
        Mesh again = Refinements.run("cpu:1", input.getValue(), options.withPhases(floats)).mesh();
        assertArrayEquals(once.coordinates(), again.coordinates(), input.getKey());
        assertArrayEquals(once.corners(), again.corners(), input.getKey());
      }
    }
  }

  /** Refused at once, but where only a part of the work is asked for. */
  @Test
  void areasForWhichThereIsNoRoom() {
    Mesh input = INPUTS.get("uniform:200");
    RefinementOptions options = RefinementOptions.defaults().withMaximumArea(1e-14);
    try (Device device = Device.open("cpu:1")) {
      IllegalArgumentException refused =
          assertThrows(
              IllegalArgumentException.class, () -> MeshRefinement.run(device, input, options));
      assertTrue(refused.getMessage().startsWith("max-area 1.0E-14: "), refused.getMessage());
    }
    RefinementResult some = Refinements.run("cpu:1", input, options.withMaximumVertices(1000));
    assertEquals(Outcome.VERTEX_LIMIT, some.report().outcome());
  }

  /** It happens that everybody loses the race; then one runs alone, and wins. */
  @Test
  void oneRunsAloneWhereAllLose() {
    Mesh input = RefinementInputs.generated("uniform:12");
    int stalled = 0;
    for (int seed = 1; seed <= 20; seed++) {
      List<Round> rounds =
          Refinements.run(
                  "sim:" + seed + ":1",
                  input,
                  options(Synchronization.THREE_PHASES).withMinimumAngle(25).withBatch(1))
              .report()
              .rounds();
      for (int i = 0; i < rounds.size(); i++) {
        if (rounds.get(i).inserted() == 0 && rounds.get(i).aborted() > 0) {
          stalled++;
          assertEquals(1, rounds.get(i + 1).items());
          assertEquals(1, rounds.get(i + 1).inserted());
        }
      }
    }
    assertTrue(stalled > 0, "no round in which all lost: another input is needed");
  }

  /** Who loses to others, or finds changed what it saw, is not tried again in the same launch. */
  @Test
  void losersWaitForTheNextLaunch() {
    boolean anyLost = false;
    for (String device : List.of("sim:0:32", "sim:3:4")) {
      RefinementReport report =
          Refinements.run(
                  device, INPUTS.get("disc:60"), options(Synchronization.TRANSACTIONS).withBatch(1))
              .report();
      for (Round round : report.rounds()) {
        long lost = round.aborted() - round.aborts().getOrDefault(AbortCause.WAIT_EXPIRED, 0L);
        anyLost |= lost > 0;
        assertTrue(
            lost + round.inserted() + round.canceled() <= round.items(), () -> round.toString());
      }
    }
    assertTrue(anyLost, "no item lost to another: another input is needed");
  }

  /** Measured on GPUs only; where everybody may lose, the next launch might go the same way. */
  @ParameterizedTest
  @EnumSource(Policy.class)
  void losersWaitWhereItPaysAndSomebodyWins(Policy policy) {
    StmOptions stm = StmOptions.defaults().withPolicy(policy);
    boolean wins = policy.progress().excludesLivelock();
    assertEquals(wins, TransactionalInsertions.defers(Machine.CUDA, stm));
    assertEquals(wins, TransactionalInsertions.defers(Machine.SIM, stm));
    assertFalse(TransactionalInsertions.defers(Machine.CPU, stm));
    for (Machine machine : Machine.values()) {
      assertTrue(TransactionalInsertions.defers(machine, stm.withDeferral(true)));
    }
  }

  /** So where the policy may let everybody lose. */
  @Test
  void losersTryAgainUnderPoliciesWithoutProgress() {
    StmOptions stm = StmOptions.defaults().withPolicy(Policy.PRIORITY_RULE);
    RefinementReport report =
        Refinements.run(
                "sim:0:32",
                INPUTS.get("disc:60"),
                options(Synchronization.TRANSACTIONS)
                    .withMinimumAngle(25)
                    .withBatch(1)
                    .withStm(stm))
            .report();
    assertTrue(
        report.rounds().stream()
            .anyMatch(r -> r.aborted() + r.inserted() + r.canceled() > r.items()),
        report::toString);
  }

  /** Transactions that make each other fail in every launch; then one runs alone, and ends. */
  @Test
  void oneRunsAloneWhereTransactionsFailForever() {
    Mesh input = INPUTS.get("disc:60");
    StmOptions rule = StmOptions.defaults().withPolicy(Policy.PRIORITY_RULE);
    int stalled = 0;
    for (StmOptions stm : List.of(rule.withDeferral(true), rule.withMaxAttempts(1))) {
      for (String device : List.of("sim:0:1", "sim:0:4")) {
        RefinementOptions options =
            options(Synchronization.TRANSACTIONS)
                .withMinimumAngle(25)
                .withBatch(1)
                .withStm(stm.withBackOff(BackOff.NONE));
        List<Round> rounds = new ArrayList<>();
        MeshRefinement.run(
            Refinements.device(device),
            input,
            options,
            round -> {
              rounds.add(round);
              assertTrue(rounds.size() < 1000, "goes on forever");
            });
        int idle = 0;
        for (int i = 0; i < rounds.size(); i++) {
          Round round = rounds.get(i);
          idle = round.inserted() == 0 && round.aborted() > 0 ? idle + 1 : 0;
          if (idle == Region.IDLE_ROUNDS) {
            stalled++;
            Round alone = rounds.get(i + 1);
            assertEquals(1, alone.items());
            assertEquals(1, alone.inserted() + alone.canceled());
            assertEquals(0, alone.aborted());
          }
        }
        Refinements.run(device, input, options);
      }
    }
    assertTrue(stalled > 0, "never did all lose again and again: another input is needed");
  }

  /** The second stage leaves nobody behind: all that was due is done in its round. */
  @ParameterizedTest
  @EnumSource(names = {"TWO_STAGES", "ATOMIC_STAGES"})
  void stagesLeaveNobodyBehind(Synchronization way) {
    for (String device : List.of("cpu:4", "sim:0:32", "sim:3:4")) {
      RefinementReport report =
          Refinements.run(device, INPUTS.get("disc:60"), options(way).withMinimumAngle(25))
              .report();
      assertTrue(report.rounds().stream().anyMatch(round -> round.aborted() > 0));
      for (Round round : report.rounds()) {
        assertEquals(round.items(), round.inserted() + round.canceled(), round::toString);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void anyLayoutKeepsTheInput(Layout layout) {
    for (String name : List.of("regions", "full fan", "holes:2", "one triangle")) {
      Mesh input = INPUTS.get(name);
      RefinementOptions options = options(Synchronization.MARKS).withLayout(layout);
      Mesh mesh = Refinements.run("cpu:4", input, options).mesh();
      for (int v = 0; v < input.vertices(); v++) {
        assertEquals(input.x(v), mesh.x(v));
        assertEquals(input.y(v), mesh.y(v));
      }
    }
  }

  /** One thread has no rival: no work is wasted, and the result is always the same. */
  @Test
  void oneThreadRepeatsItself() {
    Mesh input = INPUTS.get("holes:2");
    RefinementOptions options = options(Synchronization.TRANSACTIONS);
    RefinementResult once = Refinements.run("cpu:1", input, options);
    RefinementResult again = Refinements.run("cpu:1", input, options);
    assertEquals(0, once.report().rounds().stream().mapToLong(round -> round.aborted()).sum());
    assertArrayEquals(once.mesh().coordinates(), again.mesh().coordinates());
    assertArrayEquals(once.mesh().corners(), again.mesh().corners());
  }

  @ParameterizedTest
  @MethodSource("everywhere")
  void whatIsGoodStaysAsItIs(String device, Synchronization way) {
    RefinementOptions options = options(way).withMinimumAngle(20);
    Mesh good = Refinements.run("cpu:1", INPUTS.get("disc:60"), options).mesh();
    RefinementResult again = Refinements.run(device, good, options);
    assertEquals(0, again.report().badBefore());
    assertEquals(0, again.report().inserted());
    assertArrayEquals(good.coordinates(), again.mesh().coordinates());
    assertArrayEquals(good.corners(), again.mesh().corners());
    assertArrayEquals(good.neighbors(), again.mesh().neighbors());
  }

  /** Refined meshes are inputs, and parts of segments are segments. */
  @ParameterizedTest
  @EnumSource(Synchronization.class)
  void refinesFurther(Synchronization way) {
    for (String name : List.of("uniform:200", "holes:2", "regions", "fan of 20.0")) {
      Mesh mesh = INPUTS.get(name);
      for (double angle : new double[] {15, 22, 28}) {
        Mesh input = mesh;
        mesh = Refinements.run("cpu:4", input, options(way).withMinimumAngle(angle)).mesh();
        assertTrue(mesh.vertices() >= input.vertices());
      }
    }
  }

  /**
   * On a whole circle of vertices every circumcircle contains all: one cavity is the whole mesh.
   */
  @ParameterizedTest
  @MethodSource("everywhere")
  void cavitiesOfAnySize(String device, Synchronization way) {
    int corners = device.startsWith("sim") ? 60 : 1000;
    Refinements.run(device, RefinementInputs.circle(corners), options(way).withMinimumAngle(15));
  }

  /**
   * Also where no room is large enough at first, inside the domain or at segments. In plain builds
   * each way takes one of the inputs, by turns.
   */
  @ParameterizedTest
  @EnumSource(Synchronization.class)
  void cavitiesBeyondAnyRoom(Synchronization way) {
    List<String> specs =
        List.of("circle:20000", "inclusion:20000", "inclusion:20000,hole=1", "spokes:20000");
    for (int i = 0; i < specs.size(); i++) {
      if (TestDevices.FULL || i == way.ordinal() % specs.size()) {
        assertFewLargeCavities(specs.get(i), 20_000, options(way));
      }
    }
  }

  /** Where all work is looked at in each round. */
  @ParameterizedTest
  @EnumSource(names = {"THREE_PHASES", "TWO_STAGES", "ATOMIC_STAGES"})
  void cavitiesBeyondAnyRoomBySlots(Synchronization way) {
    RefinementOptions options =
        options(way).withPhases(PhasedMarkingOptions.defaults().withWork(Work.SLOTS));
    assertFewLargeCavities("circle:20000", 20_000, options);
  }

  /** Not only the time of a few insertions is bounded, but that of all. */
  @Test
  void cavitiesOfAHundredThousandTriangles() {
    assertFewLargeCavities("circle:100k", 100_000, RefinementOptions.defaults());
  }

  @Test
  @Tag("slow")
  void cavitiesOfAMillionTriangles() {
    assertFewLargeCavities("circle:1M", 1_000_000, RefinementOptions.defaults());
  }

  /** In the usual number of vertices, and in some n log n items: the time is that of the items. */
  private static void assertFewLargeCavities(String spec, int n, RefinementOptions options) {
    RefinementResult result =
        Refinements.run(
            "cpu:4", RefinementInputs.generated(spec), options.withMaximumVertices(20 * n));
    RefinementReport report = result.report();
    assertEquals(Outcome.FINISHED, report.outcome(), spec);
    assertTrue(result.mesh().triangles() < 32 * n, () -> spec + ": " + report);
    long pushed = report.rounds().stream().mapToLong(Round::pushed).sum();
    assertTrue(pushed < 12 * n * Math.log(n), () -> spec + ": " + pushed + " pushed");
  }

  @ParameterizedTest
  @EnumSource(Synchronization.class)
  void largerMeshes(Synchronization way) {
    for (String spec : List.of("uniform:5000", "clustered:3000", "holes:100", "map:3000")) {
      RefinementOptions options = options(way).withMaximumVertices(100_000);
      RefinementReport report =
          Refinements.run("cpu:4", RefinementInputs.generated(spec), options).report();
      assertEquals(Outcome.FINISHED, report.outcome());
      assertTrue(report.inserted() > 0);
    }
  }

  @ParameterizedTest
  @EnumSource(Synchronization.class)
  void stopsAtTheVertexLimit(Synchronization way) {
    Mesh input = INPUTS.get("uniform:200");
    for (int limit : new int[] {1, 200, 201, 250, 400}) {
      RefinementOptions options =
          options(way).withMinimumAngle(33).withMaximumArea(1e-4).withMaximumVertices(limit);
      RefinementResult result = Refinements.run("cpu:4", input, options);
      assertEquals(Outcome.VERTEX_LIMIT, result.report().outcome());
      assertTrue(result.report().badLeft() > 0);
      assertEquals(Math.max(limit, 200), result.mesh().vertices());
    }
  }

  /** Parts of segments become shorter than a double tells from the whole; the chains are right. */
  @ParameterizedTest
  @EnumSource(Synchronization.class)
  void scalesBeyondTheDigitsOfADouble(Synchronization way) {
    double[] points = new double[122];
    for (int i = 0; i < 60; i++) {
      points[2 * i] = Math.scalb(1.0, -i);
      points[2 * i + 1] = Math.scalb(1.0, -2 * i);
    }
    points[121] = 1;
    RefinementResult result =
        Refinements.run("cpu:4", RefinementInputs.triangulated(points), options(way));
    assertEquals(Outcome.FINISHED, result.report().outcome());
  }

  /** By default as many vertices as it takes: 16 for each of the input and 100,000 are too few. */
  @Test
  void aThinRectangleIsRefinedToTheEnd() {
    Mesh input = RefinementInputs.triangulated(0, 0, 1, 0, 1, 1e-5, 0, 1e-5);
    RefinementResult result =
        MeshRefinement.run(Refinements.device("cpu:4"), input, RefinementOptions.defaults());
    assertEquals(Outcome.FINISHED, result.report().outcome());
    assertTrue(result.mesh().vertices() > 100_064);
    MeshVerification found = MeshVerifier.verify(input, result.mesh(), result.report().claim());
    assertTrue(found.passed(), found::toString);
  }

  /** A vertex one unit in the last place above a segment, and points a few of them apart. */
  @Test
  void unitsInTheLastPlace() {
    double above = Math.nextUp(0.5);
    PlanarGraph graph =
        PlanarGraph.of(
            new double[] {0, 0, 1, 0, 1, 1, 0, 1, 0.1, 0.5, 0.9, 0.5, 0.37, above},
            new int[] {0, 1, 1, 2, 2, 3, 3, 0, 4, 5});
    assertFewLeft(1, DelaunayTriangulation.of(graph));
    double unit = Math.ulp(1e12);
    double[] points = new double[24];
    Random random = new Random(5);
    for (int i = 0; i < points.length; i++) {
      points[i] = 1e12 + unit * random.nextInt(40);
    }
    assertFewLeft(4, RefinementInputs.triangulated(points));
  }

  private static void assertFewLeft(int most, Mesh input) {
    RefinementResult result =
        MeshRefinement.run(Refinements.device("cpu:1"), input, RefinementOptions.defaults());
    assertTrue(result.report().badLeft() <= most, result.report()::toString);
    MeshVerification found = MeshVerifier.verify(input, result.mesh(), result.report().claim());
    assertTrue(found.passed(), found::toString);
  }

  @Test
  void anUnfinishedMeshDoesNotPassAsFinished() {
    Mesh input = INPUTS.get("uniform:200");
    RefinementOptions options = options(Synchronization.MARKS).withMaximumVertices(300);
    RefinementResult result = MeshRefinement.run(Refinements.device("cpu:4"), input, options);
    RefinementClaim boast = RefinementClaim.of(30);
    assertEquals(
        List.of(MeshCheck.QUALITY), MeshVerifier.verify(input, result.mesh(), boast).failures());
  }

  @Test
  void excusesNoTriangleForItsSize() {
    Mesh input = INPUTS.get("wedge of 5.0");
    for (Synchronization way : Synchronization.values()) {
      double area = someArea(input);
      RefinementResult result = Refinements.run("cpu:4", input, options(way).withMaximumArea(area));
      assertTrue(result.report().excused() > 0);
    }
  }

  /**
   * Short segments with a vertex in their diametral circle on one side, and on the other side a
   * triangle whose circumcircle bulges less than the middle is rounded.
   */
  @ParameterizedTest
  @EnumSource(Synchronization.class)
  void segmentsBesideFlatCircumcircles(Synchronization way) {
    for (int angle = 0; angle < 20; angle++) {
      double ux = 1e-10 * Math.cos(angle);
      double uy = 1e-10 * Math.sin(angle);
      double[] points = {
        0,
        0,
        1,
        0,
        1,
        1,
        0,
        1,
        0.3,
        0.6,
        0.3 + ux,
        0.6 + uy,
        0.3 + ux / 2 - uy / 3,
        0.6 + uy / 2 + ux / 3
      };
      Mesh input =
          DelaunayTriangulation.of(
              PlanarGraph.builder(points)
                  .segments(new int[] {0, 1, 1, 2, 2, 3, 3, 0, 4, 5}, null)
                  .build());
      RefinementResult result =
          MeshRefinement.run(Refinements.device("cpu:1"), input, options(way).withMinimumAngle(0));
      MeshVerification found = MeshVerifier.verify(input, result.mesh(), result.report().claim());
      assertTrue(found.passed(), found::toString);
    }
  }

  /**
   * Three rows of points at the largest coordinates there may be, each nearly on a line: some
   * circumcenters are so far away that no test of them would be exact.
   */
  @ParameterizedTest
  @EnumSource(Synchronization.class)
  void circumcentersBeyondExactArithmetic(Synchronization way) {
    double[] points = {
      -0.3098068617145435,
      -0.30000000088900475,
      -0.13308691519174976,
      -3.605664476160726E-12,
      0.08360437192234449,
      -0.3000001515742536,
      -0.023279809412788066,
      0.2999999999999882,
      0.11331443591169432,
      -0.2999997916912294,
      0.38783880593294007,
      0.4643108617187023,
      -0.3161196868487469,
      0.30218178875848023,
      -0.12112933478098753,
      -0.30000000000000393,
      -0.4630152067417119,
      0.30000003416037646,
      0.11520364578672582,
      4.344567893339022E-16,
      0.4272971655739589,
      -4.974355280318301E-6,
      -0.4091659620420628,
      0.30000000000004834,
      0.44489502819954485,
      -0.3000026587938591,
      0.08862872948109013,
      -0.29999997560056735
    };
    Arrays.setAll(points, i -> Math.scalb(points[i], 249));
    Mesh input = RefinementInputs.triangulated(points);
    for (double angle : new double[] {20, 25}) {
      Refinements.run(
          "cpu:1",
          input,
          options(way).withInsertion(Insertion.CIRCUMCENTER).withMinimumAngle(angle));
    }
  }

  /**
   * Where segments meet at any angle below 120 degrees refinement ends at 33 degrees: without
   * shells around the ends of a map's borders it goes on until doubles are too coarse, and here
   * until the limit of 29,000 vertices. With them 4,400 to 8,100 are inserted, by who comes first.
   */
  @ParameterizedTest
  @MethodSource("onProcessors")
  void mapsEndAt33Degrees(Synchronization way, Insertion point) {
    for (String spec : List.of("map:200", "map:200,seed=2", "map:1000", "holes:5")) {
      RefinementOptions options = options(way).withInsertion(point).withMinimumAngle(33);
      RefinementReport report =
          Refinements.run("cpu:4", RefinementInputs.generated(spec), options).report();
      assertEquals(Outcome.FINISHED, report.outcome(), spec);
      assertTrue(report.inserted() < 15_000, report::toString);
    }
  }

  /**
   * Points so near each other that the other classes lie beyond the bins: even so, a launch keeps
   * to few classes. If it took all of the last bin, one vertex in ten would be wasted: 9,190 are
   * inserted instead of 8,280.
   */
  @Test
  void scalesFarApartAreMendedOneAfterTheOther() {
    Random random = new Random(1);
    double[] coordinates = new double[2 * 3_300];
    for (int i = 0; i < coordinates.length; i++) {
      coordinates[i] = i < 600 ? 1e-13 * random.nextDouble() : random.nextDouble() - 0.5;
    }
    RefinementReport report =
        Refinements.run(
                "cpu:1",
                RefinementInputs.triangulated(coordinates),
                options(Synchronization.TRANSACTIONS))
            .report();
    assertEquals(Outcome.FINISHED, report.outcome());
    assertTrue(report.inserted() < 8_700, report::toString);
  }

  /**
   * What small angles of the input excuse is bounded: no angle of the result is smaller than
   * arctan(sin a / (3 - cos a)), a being the smallest of the input, as the vertex after one on a
   * shell is at most three times as far away. (Miller, Pav and Walkington have 2 for 3, where all
   * segments at the angle were cut to one length first.)
   */
  @ParameterizedTest
  @EnumSource(Synchronization.class)
  void smallAnglesOfTheInputMakeNoneMuchSmaller(Synchronization way) {
    for (int degrees : new int[] {1, 2, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50}) {
      for (int count : new int[] {2, 3, 7}) {
        double a = Math.toRadians(degrees);
        double least = Math.toDegrees(Math.atan(Math.sin(a) / (3 - Math.cos(a))));
        Mesh input = RefinementInputs.fan(degrees, count, degrees + count);
        for (double angle : new double[] {20, 30}) {
          RefinementResult result =
              Refinements.run("cpu:4", input, options(way).withMinimumAngle(angle));
          double found = AngleHistogram.of(result.mesh()).smallest();
          assertTrue(
              found > Math.min(angle, least) - 1e-6, () -> degrees + ": " + found + " < " + least);
        }
      }
    }
  }

  @Test
  void saysWhenTimeIsUp() {
    RefinementOptions options = options(Synchronization.TRANSACTIONS);
    // So much in one launch that the watchdog is there before its end.
    RefinementOptions hasty =
        options.withBatch(1).withStm(options.stm().withTimeout(Duration.ofNanos(1)));
    Mesh input = RefinementInputs.generated("uniform:200k");
    UnfinishedItemsException end =
        assertThrows(
            UnfinishedItemsException.class,
            () -> MeshRefinement.run(Refinements.device("cpu:1"), input, hasty));
    assertTrue(end.getMessage().endsWith("after 1 round: time was up"), end::getMessage);
    assertTrue(end.report().timedOut());
  }

  /** Without memory for a larger mesh, or for what goes with one, the result is what was done. */
  @ParameterizedTest
  @EnumSource(Synchronization.class)
  void endsWhereMemoryEnds(Synchronization way) {
    Mesh input = RefinementInputs.generated("uniform:200k");
    for (int megabytes : TestDevices.FULL ? new int[] {16, 96} : new int[] {16}) {
      try (Device device = Device.open("cpu:2")) {
        // The host backs arrays only where they are written.
        long left = (long) megabytes << 20;
        List<DeviceArray<int[]>> taken = new ArrayList<>();
        while (device.freeBytes() > left + (1 << 20)) {
          taken.add(device.ints((device.freeBytes() - left) / 4));
        }
        RefinementResult result = MeshRefinement.run(device, input, options(way));
        assertEquals(Outcome.OUT_OF_MEMORY, result.report().outcome());
        assertTrue(result.report().badLeft() > 0);
        MeshVerification found = MeshVerifier.verify(input, result.mesh(), result.report().claim());
        assertTrue(found.passed(), found::toString);
        taken.forEach(DeviceArray::close);
      }
    }
  }

  @Test
  void nothingIsNothing() {
    Mesh empty = Mesh.of(new double[0], new int[0]);
    for (Synchronization way : Synchronization.values()) {
      RefinementResult result =
          MeshRefinement.run(Refinements.device("cpu:1"), empty, options(way));
      assertEquals(Outcome.FINISHED, result.report().outcome());
      assertEquals(0, result.mesh().triangles());
      assertEquals(List.of(), result.report().rounds());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu:4", "sim:1:1"})
  void refusesWhatIsNotDelaunay(String device) {
    // The other diagonal of a kite.
    Mesh kite = Mesh.of(new double[] {0, 0, 2, -0.5, 4, 0, 2, 0.5}, new int[] {0, 1, 2, 0, 2, 3});
    IllegalArgumentException refusal =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                MeshRefinement.run(Refinements.device(device), kite, RefinementOptions.defaults()));
    assertTrue(refusal.getMessage().contains("inside its circumcircle"), refusal::getMessage);
    // With a segment there, it is a constrained one.
    Mesh split =
        Mesh.of(
            new double[] {0, 0, 2, -0.5, 4, 0, 2, 0.5},
            new int[] {0, 1, 2, 0, 2, 3},
            new int[] {0, 2, 0, 1, 1, 2, 2, 3, 3, 0});
    Refinements.run(device, split, RefinementOptions.defaults());
  }

  @Test
  void refusesCoordinatesBeyondExactArithmetic() {
    for (double scale : new double[] {1e80, 1e-70}) {
      Mesh mesh = Mesh.of(new double[] {0, 0, scale, 0, 0, scale}, new int[] {0, 1, 2});
      IllegalArgumentException refusal =
          assertThrows(
              IllegalArgumentException.class,
              () ->
                  MeshRefinement.run(
                      Refinements.device("cpu:1"), mesh, RefinementOptions.defaults()));
      assertTrue(refusal.getMessage().contains("scale the mesh"), refusal::getMessage);
    }
  }

  /** Runs leave nothing on the device, neither memory nor locks on it. */
  @ParameterizedTest
  @EnumSource(Synchronization.class)
  void manyRunsAtOnce(Synchronization way) throws InterruptedException {
    List<Throwable> failures = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    try (Device device = Device.open("cpu:4")) {
      for (String name : List.of("holes:2", "disc:60", "regions")) {
        Thread thread =
            new Thread(
                () -> {
                  for (int i = 0; i < 5; i++) {
                    Refinements.run(device, INPUTS.get(name), options(way));
                  }
                });
        thread.setUncaughtExceptionHandler(
            (who, why) -> {
              synchronized (failures) {
                failures.add(why);
              }
            });
        threads.add(thread);
        thread.start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    assertEquals(List.of(), failures);
  }
}
