package io.magpie.algorithms.nbody;

import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Bodies after so many steps, before the last one, and the forces on them.
 *
 * @param step how many steps have been made
 * @param bodies the bodies; their masses are in one array for all states of a run
 * @param accelerations 3 numbers for each; not copied
 * @param potentials one for each; not copied
 */
record Checkpoint(int step, Bodies bodies, double[] accelerations, double[] potentials) {
  /**
   * The steps that are looked at besides the last one: the first, one in the middle and that to the
   * end, each with the step after it.
   */
  static SortedSet<Integer> steps(int steps) {
    SortedSet<Integer> result = new TreeSet<>();
    for (int step : new int[] {0, steps / 2, steps - 1}) {
      result.add(step);
      result.add(step + 1);
    }
    result.removeIf(step -> step < 0 || step >= steps);
    return result;
  }
}
