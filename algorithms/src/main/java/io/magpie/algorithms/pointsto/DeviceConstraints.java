package io.magpie.algorithms.pointsto;

import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Workspace;
import io.magpie.algorithms.pointsto.ConstraintSet.Kind;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.StmObjects;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * Constraints on a device. Locations, the variables whose addresses are taken, are numbered in
 * ascending order.
 */
final class DeviceConstraints extends Workspace {
  private final ConstraintSet constraints;
  private final int[] locations;
  private final DeviceArray<int[]> location;
  private final Map<Kind, DeviceArray<int[]>> to = new EnumMap<>(Kind.class);
  private final Map<Kind, DeviceArray<int[]>> from = new EnumMap<>(Kind.class);
  private StmObjects objects;

  DeviceConstraints(DeviceMemory memory, ConstraintSet constraints, String module) {
    super(memory, module);
    this.constraints = constraints;
    int[] targets = constraints.sources(Kind.ADDRESS_OF);
    this.locations = Arrays.stream(targets).sorted().distinct().toArray();
    int[] numbers =
        Arrays.stream(targets).map(target -> Arrays.binarySearch(locations, target)).toArray();
    try {
      location = uploaded(locations).named("location");
      for (Kind kind : Kind.values()) {
        to.put(kind, uploaded(constraints.destinations(kind)).named("to"));
        int[] sources = kind == Kind.ADDRESS_OF ? numbers : constraints.sources(kind);
        from.put(kind, uploaded(sources).named("from"));
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private DeviceArray<int[]> uploaded(int[] values) {
    return upload(() -> keptInput(memory().copyOf(values)));
  }

  ConstraintSet constraints() {
    return constraints;
  }

  int variables() {
    return constraints.variables();
  }

  /** For each location its variable, ascending. */
  int[] locations() {
    return locations;
  }

  /** The same on the device. */
  DeviceArray<int[]> location() {
    return location;
  }

  DeviceArray<int[]> to(Kind kind) {
    return to.get(kind);
  }

  /** The sources of a kind's constraints; those of addresses are numbers of locations. */
  DeviceArray<int[]> from(Kind kind) {
    return from.get(kind);
  }

  /** An object for each variable; made when it is first asked for. */
  StmObjects objects() {
    if (objects == null) {
      objects = kept(memory().objects(variables()));
    }
    return objects;
  }
}
