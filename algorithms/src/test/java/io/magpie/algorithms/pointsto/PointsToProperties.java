package io.magpie.algorithms.pointsto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.Schedules;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.pointsto.ConstraintSet.Kind;
import io.magpie.algorithms.pointsto.PointsToOptions.Form;
import io.magpie.stm.Device;
import io.magpie.stm.simulator.Schedule;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** Every variant on every device finds the least solution of any constraints. */
class PointsToProperties {
  @Property(tries = 100, shrinking = ShrinkingMode.BOUNDED)
  void generatedConstraints(
      @ForAll("specs") String spec,
      @ForAll("variants") PointsToOptions options,
      @ForAll("devices") String device) {
    check(ConstraintGenerator.generate(spec), options, Variants.device(device));
  }

  @Property(tries = 200, shrinking = ShrinkingMode.BOUNDED)
  void arbitraryConstraints(
      @ForAll("constraints") ConstraintSet constraints,
      @ForAll("variants") PointsToOptions options,
      @ForAll("devices") String device) {
    check(constraints, options, Variants.device(device));
  }

  /** However often the table of sparse sets is made longer, and in whatever launch it is full. */
  @Property(tries = 200, shrinking = ShrinkingMode.BOUNDED)
  void anyRoomAtFirst(
      @ForAll("constraints") ConstraintSet constraints,
      @ForAll("variants") PointsToOptions options,
      @ForAll("devices") String device,
      @ForAll("rooms") int room) {
    Assume.that(constraints.variables() > 0);
    DeviceMemory memory = new DeviceMemory(Variants.device(device));
    try (DeviceConstraints on = new DeviceConstraints(memory, constraints, "pointsto");
        Solver solver = new Solver(on, options.withSets(Form.SPARSE), room)) {
      solver.solve();
      PointsToResult.Builder result = new PointsToResult.Builder(constraints);
      solver.sets().copyTo(result, solver.roots());
      assertEquals(
          List.of(),
          PointsToVerifier.compare(result.build(null), PointsToReference.run(constraints)));
    }
    assertEquals(0, memory.held());
  }

  /** Whatever the interleaving, and whatever a relaxed load may still see. */
  @Property(tries = 100, shrinking = ShrinkingMode.BOUNDED)
  void anySchedule(
      @ForAll("constraints") ConstraintSet constraints,
      @ForAll("variants") PointsToOptions options,
      @ForAll("schedules") Schedule schedule,
      @ForAll("simulators") String simulator) {
    Device device = Variants.device(simulator);
    device.simulator().setSchedule(schedule);
    try {
      check(constraints, options, device);
    } finally {
      device.simulator().setSchedule(null);
    }
  }

  @Property(tries = 200, shrinking = ShrinkingMode.BOUNDED)
  void theReferenceAgreesWithDatalog(@ForAll("constraints") ConstraintSet constraints) {
    assertArrayEquals(Oracle.sets(constraints), Oracle.sets(PointsToReference.run(constraints)));
  }

  private static void check(ConstraintSet constraints, PointsToOptions options, Device device) {
    PointsToResult result = PointsToAnalysis.run(device, constraints, options);
    PointsToResult right = PointsToReference.run(constraints);
    assertEquals(List.of(), PointsToVerifier.compare(result, right), () -> result.report() + "");
    assertTrue(result.sameSets(right));
  }

  @Provide
  Arbitrary<PointsToOptions> variants() {
    return Arbitraries.of(Variants.all());
  }

  @Provide
  Arbitrary<String> devices() {
    return Arbitraries.of(Variants.devices());
  }

  @Provide
  Arbitrary<String> simulators() {
    return Arbitraries.of("sim:3:1", "sim:3:4", "sim:3:32");
  }

  @Provide
  Arbitrary<Schedule> schedules() {
    return Schedules.any();
  }

  @Provide
  Arbitrary<Integer> rooms() {
    return sizes(1, 40);
  }

  @Provide
  Arbitrary<String> specs() {
    Arbitrary<String> kinds =
        Arbitraries.oneOf(
            Combinators.combine(sizes(1, 150), sizes(0, 300))
                .as((vars, cons) -> "constraints:vars=" + vars + ",cons=" + cons),
            Combinators.combine(sizes(1, 150), sizes(0, 250))
                .as((vars, cons) -> "powerlaw:vars=" + vars + ",cons=" + cons + ",mix=3:4:1:1"),
            Combinators.combine(sizes(11, 150), sizes(2, 10), sizes(0, 3))
                .as(
                    (vars, length, links) ->
                        "cycles:vars=" + vars + ",length=" + length + ",links=" + links),
            sizes(1, 60).map(vars -> "chain:vars=" + vars));
    return Combinators.combine(kinds, sizes(1, 1000)).as((kind, seed) -> kind + ",seed=" + seed);
  }

  /** Few variables and many constraints, the same ones several times, variables with themselves. */
  @Provide
  Arbitrary<ConstraintSet> constraints() {
    return Combinators.combine(
            sizes(0, 40), sizes(0, 90), Arbitraries.of(false, true), Arbitraries.longs())
        .as(PointsToProperties::constraints);
  }

  private static ConstraintSet constraints(int variables, int count, boolean ofCopies, long seed) {
    Random random = new Random(seed);
    ConstraintSet.Builder builder = ConstraintSet.builder(variables);
    Kind[] kinds = Kind.values();
    for (int i = 0; i < (variables == 0 ? 0 : count); i++) {
      Kind kind = ofCopies && random.nextInt(3) > 0 ? Kind.COPY : kinds[random.nextInt(4)];
      builder.add(kind, random.nextInt(variables), random.nextInt(variables));
    }
    return builder.build();
  }

  private static Arbitrary<Integer> sizes(int least, int most) {
    return Arbitraries.integers().between(least, most);
  }
}
