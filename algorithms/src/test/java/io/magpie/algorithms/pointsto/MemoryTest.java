package io.magpie.algorithms.pointsto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.pointsto.PointsToOptions.Cycles;
import io.magpie.algorithms.pointsto.PointsToOptions.Form;
import io.magpie.algorithms.pointsto.PointsToOptions.Propagation;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceOutOfMemoryException;
import io.magpie.stm.StmObjects;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
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
