package io.magpie.verification.data;

import io.magpie.stm.simulator.AccessTrace.Kind;
import io.magpie.stm.simulator.AccessTrace.Memory;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The arrays in which attempts only work: they use them past their transactions, and read there
 * what they themselves wrote before. Such memory may hold anything, as what lies there is told
 * apart by whoever wrote it: of several pools the numbers of slots, in several forms, among other
 * words.
 */
final class Workspaces {
  private final Set<String> read = new HashSet<>();
  private final Set<String> others = new HashSet<>();

  /**
   * @param launches runs, in each of which it must be so
   */
  Workspaces(List<Launch> launches) {
    launches.forEach(this::note);
  }

  private void note(Launch launch) {
    Units.group(launch.attempts().accesses())
        .forEach(
            (unit, all) -> {
              Memory array = launch.trace().memory(unit).orElse(null);
              if (array == null) {
                return;
              }
              if (!isWorkedIn(all)) {
                others.add(array.name());
              } else if (all.stream().anyMatch(each -> !each.writes())) {
                read.add(array.name());
              }
            });
  }

  /** Whether who reads a datum has written it before, and nobody else has since. */
  private static boolean isWorkedIn(List<Access> all) {
    Attempt latest = null;
    for (Access each : all) {
      if (!each.pastTransaction()
          || each.kind() == Kind.ATOMIC
          || !each.writes() && each.attempt() != latest) {
        return false;
      }
      latest = each.attempt();
    }
    return true;
  }

  /** Whether one is such an array, from which somebody reads. */
  boolean isOne(Memory array) {
    return read.contains(array.name()) && !others.contains(array.name());
  }
}
