package io.magpie.algorithms.paths;

import io.magpie.algorithms.SharedDevices;
import io.magpie.algorithms.TestDevices;
import io.magpie.algorithms.paths.PathsOptions.Balance;
import io.magpie.algorithms.paths.PathsOptions.Direction;
import io.magpie.algorithms.paths.PathsOptions.Drive;
import io.magpie.algorithms.paths.PathsOptions.Lengths;
import io.magpie.algorithms.paths.PathsOptions.Order;
import io.magpie.algorithms.paths.PathsOptions.Predecessors;
import io.magpie.algorithms.paths.PathsOptions.Sync;
import io.magpie.stm.Device;
import io.magpie.stm.Policy;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Every permitted combination of options, and the devices that tests run on. */
final class PathsVariants {
  private static final SharedDevices OPEN = new SharedDevices(Device::open);
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Where two transactions cannot block each other, as each opens one object, any policy ends. */
  private static final List<Policy> POLICIES = List.of(Policy.HAND_OFF, Policy.PRIORITY_RULE);

  private PathsVariants() {}

  /** All options that PathsOptions permits, under both policies where there are transactions. */
  static List<PathsOptions> all() {
    Set<PathsOptions> result = new LinkedHashSet<>();
    for (Lengths lengths : Lengths.values()) {
      for (Drive drive : Drive.values()) {
        for (Direction direction : Direction.values()) {
          for (Order order : Order.values()) {
            for (Predecessors predecessors : Predecessors.values()) {
              for (Sync sync : Sync.values()) {
                for (Balance balance : Balance.values()) {
                  for (Policy policy : POLICIES) {
                    try {
                      result.add(
                          options(
                              lengths,
                              drive,
                              direction,
                              order,
                              predecessors,
                              sync,
                              balance,
                              policy));
                    } catch (IllegalArgumentException e) {
                      // Which ones are refused, and why, is tested where it is listed.
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
    return List.copyOf(result);
  }

  private static PathsOptions options(
      Lengths lengths,
      Drive drive,
      Direction direction,
      Order order,
      Predecessors predecessors,
      Sync sync,
      Balance balance,
      Policy policy) {
    PathsOptions options =
        PathsOptions.defaults()
            .withLengths(lengths)
            .withDrive(drive)
            .withDirection(direction)
            .withOrder(order)
            .withBalance(balance)
            .withPredecessors(predecessors)
            .withSync(sync)
            .withPhaseTimes(predecessors != Predecessors.NONE);
    if (options.hasEffect(PathsOptions.DEGREE_BOUND)) {
      options = options.withDegreeBound(bound(predecessors));
    }
    if (options.hasEffect(PathsOptions.DELTA)) {
      options = options.withDelta(delta(predecessors));
    }
    return sync == Sync.TRANSACTIONAL
        ? options.withStm(options.stm().withPolicy(policy).withTimeout(LIMIT))
        : options;
  }

  /** A bound to go with each kind of predecessors, so that there are no more variants for it. */
  private static int bound(Predecessors predecessors) {
    return switch (predecessors) {
      case WITH_DISTANCE -> 1;
      case AFTERWARDS -> 0; // a histogram decides
      case NONE -> 3;
    };
  }

  /** The same for the width of a range. */
  private static int delta(Predecessors predecessors) {
    return switch (predecessors) {
      case WITH_DISTANCE -> 40;
      case AFTERWARDS -> 0; // as published
      case NONE -> 1000;
    };
  }

  /** cpu, checked or not, sim of widths 1, 3, 4 and 32, and the GPU if there is one. */
  static List<String> devices() {
    return TestDevices.of(
        List.of("cpu:4", "sim:2:4"), "cpu-checked:2", "sim:1:1", "sim:1:3", "sim:3:24", "sim:0:32");
  }

  /** A device with nothing on it, kept open for all tests of this process. */
  static Device device(String spec) {
    return OPEN.device(spec);
  }
}
