package io.magpie.stm.trace;

import io.magpie.stm.RegionReport;
import io.magpie.stm.StmObjects;
import java.util.List;

/**
 * A run of a region that was recorded, as a {@link RunRecorder} hears of it.
 *
 * @param report what the run did
 * @param opaque whether the region's reads are validated, so that no attempt saw a mix of states
 * @param objects the arrays of objects among the run's arguments, each once
 * @param recording what the run was recorded in
 * @param ranks the rank of each position, in the order of positions; no two are equal
 * @param left the ranks of the positions that did not end their items: those unfinished and those
 *     deferred, in no order. Each other position has exactly one attempt that ended, under its rank
 */
public record RecordedRun(
    RegionReport report,
    boolean opaque,
    List<StmObjects> objects,
    Recording recording,
    List<Integer> ranks,
    List<Integer> left) {
  public RecordedRun {
    objects = List.copyOf(objects);
    ranks = List.copyOf(ranks);
    left = List.copyOf(left);
  }
}
