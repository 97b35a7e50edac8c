package io.magpie.algorithms.pointsto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.Phase;
import io.magpie.algorithms.pointsto.ConstraintSet.Kind;
import io.magpie.algorithms.pointsto.PointsToOptions.Cycles;
import io.magpie.algorithms.pointsto.PointsToOptions.Form;
import io.magpie.algorithms.pointsto.PointsToOptions.Propagation;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.DeviceOutOfMemoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PointsToAnalysisTest {
  static Stream<Arguments> everything() {
    return Variants.devices().stream()
        .flatMap(device -> Variants.all().stream().map(options -> Arguments.of(device, options)));
  }

  private static PointsToResult check(
      ConstraintSet constraints, Device device, PointsToOptions options) {
    PointsToResult result = PointsToAnalysis.run(device, constraints, options);
    assertEquals(
        List.of(),
        PointsToVerifier.verify(result),
        () -> constraints + " on " + device + ": " + options);
    return result;
  }

  /** {@code p = &a; q = &b; *p = q; r = *p; p = q; a = r} and a variable apart. */
  private static ConstraintSet program() {
    return ConstraintSet.builder(6)
        .add(Kind.ADDRESS_OF, 0, 1)
        .add(Kind.ADDRESS_OF, 2, 3)
        .add(Kind.STORE, 0, 2)
        .add(Kind.LOAD, 4, 0)
        .add(Kind.COPY, 0, 2)
        .add(Kind.COPY, 1, 4)
        .build();
  }

  /** Half a terabyte of sets and more. */
  @ParameterizedTest
  @EnumSource(Propagation.class)
  void saysWhatSetsHaveNoRoom(Propagation propagation) {
    int variables = 1 << 22;
    ConstraintSet.Builder constraints = ConstraintSet.builder(variables);
    for (int v = 0; v < 1 << 20; v++) {
      constraints.add(Kind.ADDRESS_OF, v, v);
    }
    PointsToOptions options =
        PointsToOptions.defaults().withPropagation(propagation).withSets(Form.DENSE);
    DeviceOutOfMemoryException e =
        assertThrows(
            DeviceOutOfMemoryException.class,
            () -> PointsToAnalysis.run(Variants.device("cpu:4"), constraints.build(), options));
    assertEquals(1L << 39, e.neededBytes());
    String array = propagation == Propagation.DIFFERENCE ? "one of four arrays" : "the array";
    String remedy =
        propagation == Propagation.DIFFERENCE
            ? "sets=sparse may need less, and propagation=push or pull has one such array"
            : "sets=sparse may need less";
    String pairs = "4,194,304 variables by 1,048,576 whose address is taken, a bit for each pair; ";
    String sets = "cpu:4: " + array + " of points-to sets (" + pairs + remedy + ") needs ";
    assertTrue(e.getMessage().startsWith(sets), e.getMessage());
  }

  /** The last doubling is to 1,500 words, of more than 2,000 that there are. */
  @ParameterizedTest
  @EnumSource(Propagation.class)
  void saysWhatGivesSparseSetsMoreRoom(Propagation propagation) {
    ConstraintSet.Builder constraints = ConstraintSet.builder(2100);
    for (int v = 0; v < 64 * 20; v += 64) {
      constraints.add(Kind.ADDRESS_OF, 0, v);
    }
    for (int v = 0; v < 64 * 20; v++) {
      constraints.add(Kind.ADDRESS_OF, 2099, v);
    }
    for (int v = 1; v < 200; v++) {
      constraints.add(Kind.COPY, v, v - 1);
    }
    PointsToOptions options =
        PointsToOptions.defaults().withPropagation(propagation).withSets(Form.SPARSE);
    Device device = Variants.device("cpu:4");
    PointsToSizeException e =
        assertThrows(
            PointsToSizeException.class,
            () -> PointsToAnalysis.run(device, constraints.build(), options.withSparseWords(1500)));
    assertEquals(
        "the points-to sets have more than 1,500 words of 64 locations that are not empty; raise"
            + " sparse-words, or use sets=dense",
        e.getMessage());
    check(constraints.build(), device, options.withSparseWords(5000));
  }

  /** What {@code auto} stands for, by machine and size. */
  @Test
  void autoIsChosenByMachineAndSize() {
    PointsToOptions given = PointsToOptions.defaults();
    PointsToOptions gpu = given.chosen(Machine.CUDA, 1L << 37, 1000, 1000);
    assertEquals(Propagation.DIFFERENCE, gpu.propagation());
    assertEquals(Cycles.NONE, gpu.cycles());
    assertEquals(Form.DENSE, gpu.sets());
    for (Machine machine : List.of(Machine.CPU, Machine.SIM)) {
      PointsToOptions chosen = given.chosen(machine, 1L << 37, 1000, 1000);
      assertEquals(Propagation.PUSH, chosen.propagation());
      assertEquals(Cycles.TRANSACTIONS, chosen.cycles());
      assertEquals(Form.DENSE, chosen.sets());
    }
    // 8 MB a word of each set, with differences four times that.
    int million = 1_000_000;
    assertEquals(Form.DENSE, given.chosen(Machine.CPU, 0, million, 3 * 64).sets());
    assertEquals(Form.SPARSE, given.chosen(Machine.CPU, 0, million, 4 * 64).sets());
    long memory = 4L * 32 * 10 * million;
    assertEquals(Form.DENSE, given.chosen(Machine.CUDA, memory, million, 9 * 64).sets());
    assertEquals(Form.SPARSE, given.chosen(Machine.CUDA, memory, million, 10 * 64).sets());
    // Locations are counted once each, however often their address is taken.
    ConstraintSet.Builder constraints = ConstraintSet.builder(million);
    for (int i = 0; i < 1000; i++) {
      constraints.add(Kind.ADDRESS_OF, i, i % (3 * 64));
    }
    Device cpu = Variants.device("cpu:4");
    assertEquals(Form.DENSE, given.chosen(cpu, constraints.build()).sets());
    constraints.add(Kind.ADDRESS_OF, 0, million - 1);
    assertEquals(Form.SPARSE, given.chosen(cpu, constraints.build()).sets());
    int most = Integer.MAX_VALUE;
    assertEquals(Form.SPARSE, given.chosen(Machine.CUDA, 1L << 37, most, most).sets());
    // What is given is kept.
    PointsToOptions fixed =
        given
            .withPropagation(Propagation.PUSH)
            .withCycles(Cycles.TRANSACTIONS)
            .withSets(Form.SPARSE);
    assertEquals(fixed, fixed.chosen(Machine.CUDA, 0, 1, 1));
    PointsToReport report =
        check(program(), Variants.device("cpu:4"), given).report().orElseThrow();
    assertEquals(given, report.options());
    assertEquals(given.chosen(Machine.CPU, 0, 6, 2), report.chosen());
    assertEquals(report.chosen(), given.chosen(Variants.device("cpu:4"), program()));
    assertFalse(gpu.hasEffect(PointsToOptions.MERGE_SIZE));
    assertTrue(report.chosen().hasEffect(PointsToOptions.MERGE_SIZE));
  }

  @Test
  void queriesOfAProgram() {
    PointsToResult result = check(program(), Variants.device("cpu:4"), PointsToOptions.defaults());
    assertArrayEquals(new int[] {1, 3}, result.pointsTo(0));
    assertArrayEquals(new int[] {3}, result.pointsTo(1));
    assertArrayEquals(new int[] {3}, result.pointsTo(2));
    assertArrayEquals(new int[] {3}, result.pointsTo(3));
    assertArrayEquals(new int[] {3}, result.pointsTo(4));
    assertArrayEquals(new int[0], result.pointsTo(5));
    assertTrue(result.mayAlias(0, 4));
    assertFalse(result.mayAlias(0, 5));
    assertEquals(2, result.size(0));
    assertEquals(3, result.sets());
    assertEquals(6, result.pairs());
    assertEquals(2, result.largest());
    assertEquals(1, result.empty());
    assertArrayEquals(new int[] {0, 1, 1, 1, 1, 2}, result.setOf());
    assertArrayEquals(new int[] {0, 2, 3, 3}, result.offsets());
    assertArrayEquals(new int[] {1, 3, 3}, result.elements());
    assertThrows(IndexOutOfBoundsException.class, () -> result.pointsTo(6));
  }

  private static List<ConstraintSet> adversarial() {
    List<ConstraintSet> sets = new ArrayList<>();
    sets.add(ConstraintSet.builder(0).build());
    sets.add(ConstraintSet.builder(1).build());
    sets.add(ConstraintSet.builder(0).add(Kind.COPY, 0, 0).add(Kind.LOAD, 0, 0).build());
    // A variable that holds its own address, loaded from and stored to itself.
    sets.add(
        ConstraintSet.builder(0)
            .add(Kind.ADDRESS_OF, 0, 0)
            .add(Kind.LOAD, 0, 0)
            .add(Kind.STORE, 0, 0)
            .build());
    sets.add(program());
    // One pointer to all of 130 variables, more than two words, stored through and loaded from.
    ConstraintSet.Builder hub = ConstraintSet.builder(132);
    for (int v = 0; v < 130; v++) {
      hub.add(Kind.ADDRESS_OF, 130, v).add(Kind.ADDRESS_OF, 130, v);
    }
    sets.add(hub.add(Kind.STORE, 130, 130).add(Kind.LOAD, 131, 130).build());
    // A ring of copies with chords, given twice, in more nodes than a small transaction merges.
    ConstraintSet.Builder ring = ConstraintSet.builder(60).add(Kind.ADDRESS_OF, 7, 3);
    for (int v = 0; v < 60; v++) {
      ring.add(Kind.COPY, (v + 1) % 60, v).add(Kind.COPY, (v + 1) % 60, v);
      ring.add(Kind.COPY, (v * 7) % 60, v);
    }
    sets.add(ring.build());
    return sets;
  }

  @ParameterizedTest
  @MethodSource("everything")
  void adversarialConstraints(String device, PointsToOptions options) {
    for (ConstraintSet constraints : adversarial()) {
      check(constraints, Variants.device(device), options);
    }
  }

  /** All cycles are gone, however few nodes a transaction merges. */
  @ParameterizedTest
  @EnumSource
  void cyclesAreCollapsed(Propagation propagation) {
    ConstraintSet constraints = ConstraintGenerator.generate("cycles:1010,length=100,links=3");
    PointsToOptions options = PointsToOptions.defaults().withPropagation(propagation);
    Device device = Variants.device("cpu:4");
    for (int size : new int[] {2, 32, 1 << 16}) {
      PointsToReport with =
          check(constraints, device, options.withMergeSize(size)).report().orElseThrow();
      assertEquals(990, with.collapsed());
      assertEquals(1, with.transactions().size());
      long pieces = (99 + size - 2) / (size - 1); // of each ring
      assertTrue(with.transactions().get(0).commits() >= 10 * pieces, with::toString);
    }
    PointsToReport without =
        check(constraints, device, options.withCycles(Cycles.NONE)).report().orElseThrow();
    assertEquals(0, without.collapsed());
    assertEquals(0, without.searches());
    PointsToReport with = check(constraints, device, options).report().orElseThrow();
    assertTrue(with.edges() < without.edges());
  }

  /**
   * Cycles one behind the other: no key is both the greatest that reaches a node and the greatest
   * that it reaches but in one of them, so the search within classes has to split the rest up.
   */
  @Test
  void cyclesBehindCyclesAreCollapsed() {
    int rings = 40;
    int length = 5;
    int source = rings * length;
    ConstraintSet.Builder constraints = ConstraintSet.builder(source + 2);
    for (int v = 0; v < source; v++) {
      constraints.add(Kind.COPY, v % length == length - 1 ? v - length + 1 : v + 1, v);
      if (v + length < source) {
        constraints.add(Kind.COPY, v + length, v);
      }
    }
    constraints.add(Kind.COPY, 0, source).add(Kind.COPY, source + 1, source - 1);
    constraints.add(Kind.ADDRESS_OF, source, 3).add(Kind.ADDRESS_OF, 77, 4);
    PointsToReport report =
        check(constraints.build(), Variants.device("cpu:4"), PointsToOptions.defaults())
            .report()
            .orElseThrow();
    assertEquals(rings * (length - 1), report.collapsed());
    assertEquals(0, report.looksGivenUp());
    assertTrue(report.searches() > 1, report::toString);
  }

  /**
   * One look at a chain that is longer than keys get: a thread that takes edges in ascending order
   * brings what lies behind a node one step nearer in a sweep, and there are eight in a pass.
   */
  @Test
  void aLookEndsAtItsBound() {
    int nodes = 4 * 8 * CycleCollapse.KEY_PASSES;
    ConstraintSet.Builder constraints = ConstraintSet.builder(nodes);
    for (int v = 1; v < nodes; v++) {
      constraints.add(Kind.COPY, v, v - 1);
    }
    PointsToReport report =
        check(constraints.build(), Variants.device("cpu:1"), PointsToOptions.defaults())
            .report()
            .orElseThrow();
    Phase spread =
        report.phases().stream()
            .filter(phase -> phase.name().equals("spread_keys"))
            .findFirst()
            .orElseThrow();
    assertEquals(1, report.looksGivenUp());
    assertEquals(CycleCollapse.KEY_PASSES, spread.launches());
  }

  /** Chains in the order of the nodes' numbers, either way, have no suspects. */
  @ParameterizedTest
  @ValueSource(ints = {-1, 1})
  void nothingIsSearchedForInChains(int step) {
    int nodes = 500;
    ConstraintSet.Builder constraints = ConstraintSet.builder(nodes);
    for (int v = 1; v < nodes - 1; v++) {
      constraints.add(Kind.COPY, v + step, v);
    }
    constraints.add(Kind.ADDRESS_OF, 1, 20).add(Kind.ADDRESS_OF, nodes - 2, 10);
    PointsToReport report =
        check(constraints.build(), Variants.device("cpu:4"), PointsToOptions.defaults())
            .report()
            .orElseThrow();
    assertEquals(0, report.searches());
    assertEquals(List.of(), report.transactions());
  }

  @ParameterizedTest
  @EnumSource
  void edgesThatFindNoRoomAreNotLost(Propagation propagation) {
    PointsToOptions options =
        PointsToOptions.defaults().withPropagation(propagation).withCycles(Cycles.NONE);
    PointsToResult result =
        check(
            ConstraintGenerator.generate("constraints:vars=400,cons=1600"),
            Variants.device("cpu:4"),
            options);
    assertTrue(result.report().orElseThrow().growths() > 1);
    assertTrue(result.report().orElseThrow().edges() > 2 * 1600);
  }

  /**
   * Rounds that are launched ahead neither count nor add, and are repeated where edges were lost.
   */
  @ParameterizedTest
  @EnumSource
  void roundsAheadAreThoseOfOneAtATime(Propagation propagation) {
    ConstraintSet constraints =
        ConstraintGenerator.generate("constraints:vars=150,cons=450,mix=4:3:2:1");
    PointsToOptions options =
        PointsToOptions.defaults().withPropagation(propagation).withCycles(Cycles.NONE);
    Device device = Variants.device("sim:1:1"); // one thread: each launch does the same again
    PointsToReport each = check(constraints, device, options).report().orElseThrow();
    PointsToReport ahead =
        check(constraints, device, options.withPhaseTimes(false)).report().orElseThrow();
    assertTrue(each.growths() > 0 && each.rounds() > 3, each::toString);
    assertEquals(each.rounds(), ahead.rounds());
    assertEquals(each.edges(), ahead.edges());
    assertEquals(each.growths(), ahead.growths());
  }

  /** A verifier that says yes to everything would be of no use. */
  @Test
  void wrongSetsAreNoticed() {
    PointsToResult right = PointsToReference.run(program());
    PointsToResult.Builder wrong = new PointsToResult.Builder(program());
    for (int v = 0; v < 6; v++) {
      wrong.add(v == 5 ? new int[] {3} : right.pointsTo(v));
    }
    assertEquals(
        List.of("variable 5 points to [3], not to []"), PointsToVerifier.verify(wrong.build(null)));
  }

  /** The first three variables that are wrong, and the first eight elements of a set. */
  @Test
  void mistakesAreToldInShort() {
    ConstraintSet.Builder builder = ConstraintSet.builder(9);
    for (int v = 0; v < 9; v++) {
      builder.add(Kind.ADDRESS_OF, 0, v);
      builder.add(Kind.COPY, v, 0);
    }
    ConstraintSet constraints = builder.build();
    PointsToResult.Builder wrong = new PointsToResult.Builder(constraints);
    for (int v = 0; v < 9; v++) {
      wrong.add(v == 2 ? new int[] {0, 1, 2, 3, 4, 5, 6, 7, 8} : new int[] {v});
    }
    String all = "[0, 1, 2, 3, 4, 5, 6, 7, ... 9 in all]";
    assertEquals(
        List.of(
            "variable 0 points to [0], not to " + all,
            "variable 1 points to [1], not to " + all,
            "variable 3 points to [3], not to " + all),
        PointsToVerifier.verify(wrong.build(null)));
  }

  /** Of merges that leave what the nodes that they merge point to. */
  @Tag("slow") // compiles
  @Test
  void aMergeThatLosesTargetsIsNoticed() {
    ConstraintSet constraints = ConstraintGenerator.generate("cycles:330,length=10,links=0");
    try (Device faulty = Device.open("cpu:2")) {
      faulty.define("pointsto", Map.of("MAGPIE_POINTSTO_SETS_LEFT", "1"));
      PointsToResult wrong = PointsToAnalysis.run(faulty, constraints, PointsToOptions.defaults());
      assertFalse(PointsToVerifier.verify(wrong).isEmpty());
    }
    check(constraints, Variants.device("cpu:4"), PointsToOptions.defaults());
  }

  /** Of sets that leave out what finds no room, and say nothing. */
  @Tag("slow") // compiles
  @Test
  void wordsThatAreForgottenAreNoticed() {
    ConstraintSet constraints = ConstraintGenerator.generate("constraints:vars=3000,cons=9000");
    PointsToOptions options =
        PointsToOptions.defaults().withSets(Form.SPARSE).withCycles(Cycles.NONE);
    try (Device faulty = Device.open("cpu:2")) {
      faulty.define("pointsto", Map.of("MAGPIE_POINTSTO_WORDS_FORGOTTEN", "1"));
      PointsToResult wrong = PointsToAnalysis.run(faulty, constraints, options);
      assertFalse(PointsToVerifier.verify(wrong).isEmpty());
    }
    check(constraints, Variants.device("cpu:4"), options);
  }

  /** Of a merge of {@code p} with {@code q}, which has sent on what {@code p} has only received. */
  @Tag("slow") // compiles
  @Test
  void aMergeThatSendsTooLittleIsNoticed() {
    int p = 0;
    int q = 1;
    int r = 2;
    int pointer = 3;
    int copy = 4;
    int target = 5;
    ConstraintSet constraints =
        ConstraintSet.builder(6)
            .add(Kind.COPY, q, p)
            .add(Kind.COPY, p, r)
            .add(Kind.COPY, copy, p)
            .add(Kind.ADDRESS_OF, q, target)
            .add(Kind.ADDRESS_OF, pointer, r) // which includes q by that
            .add(Kind.STORE, pointer, q)
            .build();
    PointsToOptions options = PointsToOptions.defaults().withPropagation(Propagation.DIFFERENCE);
    try (Device faulty = Device.open("cpu:1")) { // takes nodes in ascending order
      faulty.define("pointsto", Map.of("MAGPIE_POINTSTO_SENT_UNITED", "1"));
      PointsToResult wrong = PointsToAnalysis.run(faulty, constraints, options);
      assertEquals(List.of("variable 4 points to [], not to [5]"), PointsToVerifier.verify(wrong));
    }
    assertEquals(
        2,
        check(constraints, Variants.device("cpu:4"), options).report().orElseThrow().collapsed());
  }
}
