package io.magpie.algorithms.pointsto;

import io.magpie.algorithms.internal.Elapsed;
import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.stm.Device;
import io.magpie.stm.Timer;
import java.util.List;
import java.util.Objects;

/**
 * Inclusion-based points-to analysis on a device: the least points-to sets that satisfy all
 * constraints, flow- and context-insensitive, of variables without fields.
 *
 * <pre>{@code
 * try (Device device = Device.open("auto")) {
 *   PointsToResult found = PointsToAnalysis.run(device, constraints, PointsToOptions.defaults());
 * }
 * }</pre>
 *
 * <p>Any constraints will do: none at all, the same several times, variables that point to
 * themselves. Device memory: 8 bytes for each constraint; for each variable 20 bytes, by dense sets
 * a bit for each location (a variable whose address is taken) in whole words of 8 bytes, four times
 * that and 4 bytes where differences are propagated, and 48 bytes where cycles are collapsed; 4
 * bytes for each location; by sparse sets, for each word of 64 locations that there is room for, 27
 * to 53 bytes, of differences 59 to 117, with room for four words for each constraint at first,
 * which is doubled up to {@link PointsToOptions#sparseWords}; for each edge between variables that
 * there is room for 28 to 44 bytes, and 4 more where cycles are collapsed, with room for as many as
 * there are constraints at first, which is doubled when an edge finds none. While edges move to new
 * arrays, the old ones are there, too: three times the old room where it is doubled. Too little
 * memory throws {@link io.magpie.stm.DeviceOutOfMemoryException}.
 *
 * <p>Sources: the constraints are Andersen's (DIKU, 1994), rounds on a GPU are those of
 * Mendez-Lojo, Burtscher and Pingali (PPoPP 2012) and of Nasre, Burtscher and Pingali (PPoPP 2013,
 * sections 4 and 6.4), which have no online cycle collapse; merging cycles while they arise is
 * Fahndrich, Foster, Su and Aiken's (PLDI 1998) and Hardekopf and Lin's (PLDI 2007).
 */
public final class PointsToAnalysis {
  private static final String MODULE = "pointsto";

  private PointsToAnalysis() {}

  /**
   * Finds points-to sets; from constraints in Java's memory to the result there.
   *
   * @param device where
   * @param constraints what sets must satisfy
   * @param options how
   * @return the sets, with a report
   * @throws PointsToSizeException if there are more than 2^30 edges between variables, if different
   *     sets have more than 2^31 - 9 elements in all, or if sparse ones have more words than {@link
   *     PointsToOptions#sparseWords}
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   * @throws io.magpie.stm.UnfinishedItemsException if transactions did not finish, because of the
   *     options' timeout or bound of attempts
   */
  public static PointsToResult run(
      Device device, ConstraintSet constraints, PointsToOptions options) {
    Objects.requireNonNull(device, "device");
    Objects.requireNonNull(constraints, "constraints");
    Objects.requireNonNull(options, "options");
    device.load(MODULE).close(); // it stays with the device; not part of the run
    long start = System.nanoTime();
    PointsToResult.Builder result = new PointsToResult.Builder(constraints);
    if (constraints.variables() == 0) {
      String spec = device.description().spec();
      return result.build(
          new PointsToReport(
              spec,
              options,
              options.chosen(device, constraints),
              0,
              0,
              0,
              0,
              0,
              0,
              List.of(),
              List.of(),
              0,
              0,
              Elapsed.millisSince(start)));
    }
    DeviceMemory memory = new DeviceMemory(device);
    try (DeviceConstraints onDevice = new DeviceConstraints(memory, constraints, MODULE);
        Solver solver = new Solver(onDevice, options)) {
      double solveMillis;
      try (Timer solve = device.startTimer()) {
        solver.solve();
        solveMillis = solve.millis();
      }
      solver.sets().copyTo(result, solver.roots());
      return result.build(
          new PointsToReport(
              device.description().spec(),
              options,
              solver.options(),
              solver.rounds(),
              solver.edges().count(),
              solver.collapsed(),
              solver.searches(),
              solver.looksGivenUp(),
              solver.edges().growths(),
              solver.launches().phases(),
              solver.launches().transactions(),
              solveMillis,
              onDevice.takeUploadMillis(),
              Elapsed.millisSince(start)));
    }
  }
}
