package io.magpie.algorithms.pointsto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.pointsto.ConstraintSet.Kind;
import io.magpie.algorithms.pointsto.PointsToOptions.Cycles;
import io.magpie.algorithms.pointsto.PointsToOptions.Form;
import io.magpie.algorithms.pointsto.PointsToOptions.Propagation;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceOutOfMemoryException;
import io.magpie.stm.Fields;
import io.magpie.stm.StmObjects;
import io.magpie.stm.StmOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What an analysis does where memory runs out. */
class MemoryTest {
  private static final String MODULE = "pointsto";

  /** Memory that refuses one allocation. */
  private static final class ScarceMemory extends DeviceMemory {
    private final int refused;
    private int asked;

    ScarceMemory(Device device, int refused) {
      super(device);
      this.refused = refused;
    }

    private void ask() {
      if (asked++ == refused) {
        throw new DeviceOutOfMemoryException("an array", "test", 1, 0);
      }
    }

    @Override
    public DeviceArray<int[]> ints(long length) {
      ask();
      return super.ints(length);
    }

    @Override
    public DeviceArray<long[]> longs(long length) {
      ask();
      return super.longs(length);
    }

    @Override
    public DeviceArray<int[]> copyOf(int... values) {
      ask();
      return super.copyOf(values);
    }

    @Override
    public StmObjects objects(long count) {
      ask();
      return super.objects(count);
    }
  }

  static Stream<Arguments> forms() {
    return Stream.of(Propagation.PULL, Propagation.PUSH, Propagation.DIFFERENCE)
        .flatMap(
            propagation ->
                Stream.of(Form.DENSE, Form.SPARSE).map(form -> Arguments.of(propagation, form)));
  }

  /** Whichever allocation fails, nothing is left; without new arrays to compact to it goes on. */
  @ParameterizedTest
  @MethodSource("forms")
  void nothingIsLeftWhereMemoryRanOut(Propagation propagation, Form form) {
    ConstraintSet constraints = ConstraintGenerator.generate("cycles:99,length=10");
    PointsToResult right = PointsToReference.run(constraints);
    PointsToOptions options =
        PointsToOptions.defaults()
            .withPropagation(propagation)
            .withSets(form)
            .withPhaseTimes(false);
    int failed = 0;
    int wentOn = 0;
    int refused = 0;
    for (boolean reached = true; reached; refused++) {
      ScarceMemory memory = new ScarceMemory(Variants.device("cpu:2"), refused);
      try (DeviceConstraints onDevice = new DeviceConstraints(memory, constraints, MODULE);
          Solver solver = new Solver(onDevice, options, 10)) { // fewer words than there are
        solver.solve();
        PointsToResult.Builder result = new PointsToResult.Builder(constraints);
        solver.sets().copyTo(result, solver.roots());
        assertEquals(List.of(), PointsToVerifier.compare(result.build(null), right));
        reached = memory.asked > refused;
        wentOn += reached ? 1 : 0;
      } catch (DeviceOutOfMemoryException e) {
        failed++;
      }
      assertEquals(0, memory.held(), "where allocation " + refused + " fails");
    }
    assertTrue(failed > 20, "failed " + failed);
    assertTrue(wentOn >= 4, "went on " + wentOn); // an analysis compacts once, to four arrays
  }

  /** A chain of 5000 variables, whose edges never need longer arrays, and of sets with room. */
  @ParameterizedTest
  @MethodSource("forms")
  void memoryIsAsDocumented(Propagation propagation, Form form) {
    ConstraintSet constraints = ConstraintGenerator.generate("chain:vars=5000,locations=200");
    PointsToOptions options =
        PointsToOptions.defaults()
            .withPropagation(propagation)
            .withSets(form)
            .withCycles(Cycles.NONE);
    DeviceMemory memory = new DeviceMemory(Variants.device("cpu:2"));
    try (DeviceConstraints onDevice = new DeviceConstraints(memory, constraints, MODULE);
        Solver solver = new Solver(onDevice, options)) {
      solver.solve();
    }
    boolean differences = propagation == Propagation.DIFFERENCE;
    long dense = 5000 * 8 * 4 * (differences ? 4 : 1);
    long slots = 1 << 15; // for 4 times the constraints, and a third more
    long sparse = 4 * 5000 + slots * (differences ? 44 : 20);
    long sets = form == Form.DENSE ? dense : sparse;
    long perVariable = 20 + (differences ? 4 : 0);
    long edges = 12 * 4999 + 16 * 8192;
    long expected = 8 * constraints.count() + 4 * 200 + 5000 * perVariable + sets + edges;
    assertEquals(expected, memory.most(), 120); // numbers for the host
  }

  /** Threads that look at the same time fill slots beyond the room, and a move keeps them all. */
  @Test
  void wordsBeyondTheRoomAreMoved() {
    ConstraintSet.Builder builder = ConstraintSet.builder(33);
    for (int v = 0; v < 33; v++) {
      builder.add(Kind.ADDRESS_OF, v, v);
    }
    ConstraintSet constraints = builder.build();
    DeviceMemory memory = new DeviceMemory(Variants.device("cpu:1"));
    try (DeviceConstraints onDevice = new DeviceConstraints(memory, constraints, MODULE)) {
      Launches launches = new Launches(onDevice.module(), false, StmOptions.defaults(), true);
      Nodes nodes = new Nodes(onDevice, launches);
      try (SparseSets sets = new SparseSets(onDevice, nodes, launches, false, 13, 1000)) {
        Fields beyond = sets.fields().set("room", 32); // as many as slots
        takeAddresses(onDevice, nodes, launches, beyond, 0, 32);
        assertEquals(32, nodes.total("words"));
        assertFalse(sets.makeRoom());
        takeAddresses(onDevice, nodes, launches, sets.fields(), 32, 33);
        assertTrue(sets.makeRoom());
        takeAddresses(onDevice, nodes, launches, sets.fields(), 32, 33);
        assertFalse(sets.makeRoom());
        check(sets, nodes, constraints);
      }
    }
    assertEquals(0, memory.held());
  }

  /** Words of nodes that are merged make room for others where the table may not be longer. */
  @Test
  void wordsOfMergedNodesAreDropped() {
    ConstraintSet.Builder builder = ConstraintSet.builder(41);
    for (int v = 0; v <= 20; v++) {
      builder.add(Kind.ADDRESS_OF, v, v);
    }
    for (int v = 0; v < 20; v++) {
      builder.add(Kind.COPY, v, (v + 1) % 20);
    }
    ConstraintSet constraints = builder.build();
    DeviceMemory memory = new DeviceMemory(Variants.device("cpu:1"));
    try (DeviceConstraints onDevice = new DeviceConstraints(memory, constraints, MODULE)) {
      Launches launches = new Launches(onDevice.module(), false, StmOptions.defaults(), true);
      Nodes nodes = new Nodes(onDevice, launches);
      try (SparseSets sets = new SparseSets(onDevice, nodes, launches, false, 20, 20)) {
        takeAddresses(onDevice, nodes, launches, sets.fields(), 0, 20);
        assertFalse(sets.makeRoom());
        for (int v = 1; v < 20; v++) {
          nodes.rep().set(v, v - 1); // to the root in many steps
        }
        nodes.setTotal("merged", 19);
        takeAddresses(onDevice, nodes, launches, sets.fields(), 20, 21);
        assertTrue(sets.makeRoom());
        assertEquals(1, nodes.total("words"));
        takeAddresses(onDevice, nodes, launches, sets.fields(), 20, 21);
        assertFalse(sets.makeRoom());
        launches.run("flatten", nodes.variables(), new Fields().set("nodes", nodes.fields()));
        check(sets, nodes, constraints);
        takeAddresses(onDevice, nodes, launches, sets.fields(), 21, 39); // 20 words with these
        assertFalse(sets.makeRoom());
        takeAddresses(onDevice, nodes, launches, sets.fields(), 39, 41);
        PointsToSizeException e = assertThrows(PointsToSizeException.class, sets::makeRoom);
        assertTrue(e.getMessage().contains("more than 20 words"), e.getMessage());
      }
    }
    assertEquals(0, memory.held());
  }

  /** To each of some variables the address of the location of the same number. */
  private static void takeAddresses(
      DeviceConstraints onDevice, Nodes nodes, Launches launches, Fields sets, int first, int end) {
    DeviceMemory memory = onDevice.scratch().memory();
    int locations = onDevice.locations().length;
    int[] variables = IntStream.range(first, end).toArray();
    DeviceArray<int[]> to = memory.copyOf(variables);
    DeviceArray<int[]> location =
        memory.copyOf(Arrays.stream(variables).map(v -> v % locations).toArray());
    try {
      launches.run(
          "take_addresses_sparse",
          variables.length,
          new Fields()
              .set("count", variables.length)
              .set("to", to)
              .set("location", location)
              .set("nodes", nodes.fields())
              .set("sets", sets));
    } finally {
      memory.free(to);
      memory.free(location);
    }
  }

  private static void check(Sets sets, Nodes nodes, ConstraintSet constraints) {
    PointsToResult.Builder result = new PointsToResult.Builder(constraints);
    sets.copyTo(result, nodes.rep().toArray());
    assertEquals(
        List.of(),
        PointsToVerifier.compare(result.build(null), PointsToReference.run(constraints)));
  }

  /** Edges within merged nodes make room for others where arrays may not be longer. */
  @Test
  void arraysThatMayNotGrowAreCompacted() {
    int variables = 200;
    int most = 64;
    DeviceMemory memory = new DeviceMemory(Variants.device("cpu:2"));
    ConstraintSet none = ConstraintSet.builder(variables).build();
    PointsToOptions options = PointsToOptions.defaults().withCycles(Cycles.NONE);
    try (DeviceConstraints onDevice = new DeviceConstraints(memory, none, MODULE)) {
      Launches launches = new Launches(onDevice.module(), false, options.stm(), true);
      Nodes nodes = new Nodes(onDevice, launches);
      try (Edges edges = new Edges(memory, nodes, launches, 0, true, most)) {
        addCopies(memory, launches, edges, 0, most);
        assertEquals(0, edges.renumberings());
        for (int v = 1; v <= 30; v++) {
          nodes.rep().set(v, 0);
        }
        addCopies(memory, launches, edges, 100, 130); // 64 - 30 + 30 = 64
        assertEquals(1, edges.renumberings());
        Set<String> expected = new TreeSet<>();
        for (int v = 0; v < 130; v = v == most - 1 ? 100 : v + 1) {
          expected.add((v + 1 <= 30 ? 0 : v + 1) + " includes " + (v <= 30 ? 0 : v));
        }
        expected.remove("0 includes 0");
        Set<String> found = new TreeSet<>();
        for (int e = 0; e < edges.count(); e++) {
          found.add(edges.owner().toArray()[e] + " includes " + edges.end().toArray()[e]);
        }
        assertEquals(expected, found);
        PointsToSizeException e =
            assertThrows(
                PointsToSizeException.class, () -> addCopies(memory, launches, edges, 130, 131));
        assertEquals(
            "the constraints make more than 64 edges between variables; collapse cycles, or leave"
                + " constraints out",
            e.getMessage());
      }
    }
    assertEquals(0, memory.held());
  }

  /** From each variable an edge to the next. */
  private static void addCopies(
      DeviceMemory memory, Launches launches, Edges edges, int first, int end) {
    int[] from = new int[end - first];
    Arrays.setAll(from, i -> first + i);
    DeviceArray<int[]> sources = memory.copyOf(from);
    DeviceArray<int[]> targets = memory.copyOf(Arrays.stream(from).map(v -> v + 1).toArray());
    try {
      edges.add(
          fields ->
              launches.run(
                  "add_copies",
                  from.length,
                  fields.set("count", from.length).set("to", targets).set("from", sources)));
    } finally {
      memory.free(sources);
      memory.free(targets);
    }
  }
}
