package io.magpie.algorithms.pointsto;

import io.magpie.algorithms.pointsto.ConstraintSet.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A sequential solver with a worklist and bit sets: what the device's forms are compared with, and
 * the time they have to beat on a processor.
 *
 * <p>Method: Andersen's constraints as a graph that grows (as in Pearce, Kelly and Hankin, SCAM
 * 2003, without cycle detection). A variable is taken from the worklist; constraints that
 * dereference it make edges for what is new in its set, and its set is added over its edges. Shares
 * no code with the kernels. Time: O(variables³ / 64) at worst; memory: up to three bits for each
 * pair of variables.
 */
public final class PointsToReference {
  private final BitSet[] sets;
  private final BitSet[] successors;
  private final BitSet[] dereferenced;
  private final List<List<Integer>> loads;
  private final List<List<Integer>> stores;
  private final ArrayDeque<Integer> worklist = new ArrayDeque<>();
  private final BitSet listed = new BitSet();

  private PointsToReference(ConstraintSet constraints) {
    int variables = constraints.variables();
    sets = bitSets(variables);
    successors = bitSets(variables);
    dereferenced = bitSets(variables);
    loads = grouped(variables, constraints.sources(Kind.LOAD), constraints.destinations(Kind.LOAD));
    stores =
        grouped(variables, constraints.destinations(Kind.STORE), constraints.sources(Kind.STORE));
  }

  /**
   * Finds points-to sets on the calling thread.
   *
   * @param constraints any constraints
   * @return the sets, without a report
   * @throws PointsToSizeException if a result cannot hold the sets
   */
  public static PointsToResult run(ConstraintSet constraints) {
    PointsToReference solver = new PointsToReference(constraints);
    solver.begin(constraints);
    while (!solver.worklist.isEmpty()) {
      int v = solver.worklist.poll();
      solver.listed.clear(v);
      solver.dereference(v);
      BitSet next = solver.successors[v];
      for (int w = next.nextSetBit(0); w >= 0; w = next.nextSetBit(w + 1)) {
        solver.include(w, v);
      }
    }
    PointsToResult.Builder result = new PointsToResult.Builder(constraints);
    for (BitSet set : solver.sets) {
      result.add(set.stream().toArray());
    }
    return result.build(null);
  }

  private void begin(ConstraintSet constraints) {
    int[] pointers = constraints.destinations(Kind.ADDRESS_OF);
    int[] targets = constraints.sources(Kind.ADDRESS_OF);
    for (int i = 0; i < pointers.length; i++) {
      sets[pointers[i]].set(targets[i]);
      list(pointers[i]);
    }
    int[] to = constraints.destinations(Kind.COPY);
    int[] from = constraints.sources(Kind.COPY);
    for (int i = 0; i < to.length; i++) {
      successors[from[i]].set(to[i]);
    }
  }

  private void dereference(int v) {
    if (loads.get(v).isEmpty() && stores.get(v).isEmpty()) {
      return;
    }
    BitSet news = (BitSet) sets[v].clone();
    news.andNot(dereferenced[v]);
    dereferenced[v].or(news);
    for (int target = news.nextSetBit(0); target >= 0; target = news.nextSetBit(target + 1)) {
      for (int to : loads.get(v)) {
        connect(target, to);
      }
      for (int from : stores.get(v)) {
        connect(from, target);
      }
    }
  }

  private void connect(int from, int to) {
    if (!successors[from].get(to)) {
      successors[from].set(to);
      include(to, from);
    }
  }

  private void include(int to, int from) {
    if (to != from) {
      int before = sets[to].cardinality();
      sets[to].or(sets[from]);
      if (sets[to].cardinality() > before) {
        list(to);
      }
    }
  }

  private void list(int v) {
    if (!listed.get(v)) {
      listed.set(v);
      worklist.add(v);
    }
  }

  private static BitSet[] bitSets(int count) {
    BitSet[] sets = new BitSet[count];
    for (int i = 0; i < count; i++) {
      sets[i] = new BitSet();
    }
    return sets;
  }

  private static List<List<Integer>> grouped(int count, int[] keys, int[] values) {
    List<List<Integer>> groups = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      groups.add(List.of());
    }
    for (int i = 0; i < keys.length; i++) {
      if (groups.get(keys[i]).isEmpty()) {
        groups.set(keys[i], new ArrayList<>());
      }
      groups.get(keys[i]).add(values[i]);
    }
    return groups;
  }
}
