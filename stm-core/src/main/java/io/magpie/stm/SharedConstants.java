package io.magpie.stm;

import io.magpie.stm.internal.ControlBlock;
import io.magpie.stm.internal.HistoryLayout;
import io.magpie.stm.internal.ModuleTable;
import io.magpie.stm.internal.RankAllocator;
import io.magpie.stm.internal.SharedNumbers;
import io.magpie.stm.simulator.AccessTrace;
import io.magpie.stm.simulator.Schedule;
import io.magpie.stm.simulator.Simulator.Trace;

/**
 * The numbers that this library has by itself although headers have them, too: those that it needs
 * before a module is loaded, or that are public. Each module's are compared with them when it is
 * loaded.
 */
final class SharedConstants {
  private final SharedNumbers shared;

  private SharedConstants(SharedNumbers shared) {
    this.shared = shared;
  }

  /**
   * Compares.
   *
   * @param module the module's name, for messages
   * @throws MagpieException if a number is another in the module's headers, or is missing there
   */
  static void check(String module, ModuleTable table) {
    SharedConstants constants = new SharedConstants(table.shared());
    try {
      constants.ofLaunches();
      if (table.layout() != null) {
        constants.ofRegions();
        constants.ofRecordings();
        for (Policy each : Policy.values()) {
          constants.of(each);
        }
      }
    } catch (IllegalArgumentException e) {
      throw new MagpieException(
          "module " + module + " does not fit this library: " + e.getMessage(), e);
    }
  }

  private void ofLaunches() {
    ArgumentPlaces.of(shared);
    shared.require("launch_ok", Trace.OK);
    shared.require("launch_bounds_fault", Trace.OUT_OF_BOUNDS);
    shared.require("launch_missing_lanes", Trace.MISSING_LANES);
    shared.require("launch_no_progress", Trace.NO_PROGRESS);
    shared.require("launch_lasso", Trace.LASSO);
    shared.require("launch_thread_stopped", Trace.THREAD_STOPPED);
    shared.require("launch_interrupted", Trace.INTERRUPTED);
    shared.require("launch_asleep", Trace.ASLEEP);
    shared.require("launch_cut", Trace.CUT);
    shared.require("launch_too_long", Trace.TOO_LONG);
    shared.require("launch_stuck", Trace.STUCK);
    shared.require("magpie_choice::by_default", Integer.toUnsignedLong(Schedule.Choice.NONE));
    shared.require("in_body", AccessTrace.PHASE_BODY);
    shared.require("in_apply", AccessTrace.PHASE_APPLY);
    shared.require("in_committed", AccessTrace.PHASE_COMMITTED);
    shared.require("in_rolled_back", AccessTrace.PHASE_ROLLED_BACK);
    shared.require("in_seek", AccessTrace.PHASE_SEEK);
    shared.require("in_irrevocable", AccessTrace.PHASE_IRREVOCABLE);
  }

  private void ofRegions() {
    shared.require("highest_rank", RankAllocator.HIGHEST);
    shared.require("short_transaction", RegionRun.SHORT_TRANSACTION);
    shared.require("paged_object_bytes", ControlBlock.PAGED_OBJECT_BYTES);
    shared.require("paged_write_bytes", ControlBlock.PAGED_WRITE_BYTES);
    shared.require("control::by_bits", Integer.toUnsignedLong(ControlBlock.BY_BITS));
    shared.require("control::linear_back_off", ControlBlock.LINEAR_BACK_OFF);
    shared.require("control::policys_back_off", ControlBlock.POLICYS_BACK_OFF);
    shared.require("counter::most_pools", FieldKind.MOST_POOLS);
    shared.require("most_datum_bytes", GuardedCells.MOST_BYTES);
    shared.require("objects::most_policies", StmObjects.MOST_POLICIES);
    shared.require("objects::words_of_distance", StmObjects.WORDS_OF_KB);
  }

  private void ofRecordings() {
    HistoryLayout.of(shared);
    shared.require("history::max_arrays", Recording.MOST_ARRAYS);
    shared.require("access_notes::tallied", RecordedData.TALLIED);
    shared.require("access_notes::atomic", RecordedData.ATOMIC);
    shared.require("seen::rolled_back_hook", RecordedData.ROLLED_BACK_HOOK);
    shared.require("seen::hints_in_hook", RecordedData.HINTS_IN_HOOK);
    shared.require("record_format::header", Recording.Format.HEADER_WORDS);
    shared.require("record_format::data_bit", Recording.Format.DATA_BIT);
    shared.require("record_format::code_at", Recording.Format.OUTCOME_AT);
    shared.require("record_format::accesses_at", Recording.Format.ACCESSES_AT);
    shared.require("record_format::write_bit", Recording.Format.WRITE_BIT);
    shared.require("record_format::stamp_at", Recording.Format.STAMP_AT);
    shared.require("record_format::kind_at", Recording.Format.KIND_AT);
    shared.require("record_format::again_bit", Recording.Format.AGAIN_BIT);
    shared.require("record_format::line_at", Recording.Format.LINE_AT);
    shared.require("ended_by_commit", Recording.Format.COMMIT);
    shared.require("ended_by_cancel", Recording.Format.CANCEL);
    shared.require("ended_in_vain", Recording.Format.ABORT);
    shared.require("cause::overflow", Recording.Format.OVERFLOW);
    shared.require("access_kind::read", Recording.Format.READ);
    shared.require("access_kind::write", Recording.Format.WRITE);
    shared.require("access_kind::peek", Recording.Format.PEEK);
    shared.require("access_kind::opened", Recording.Format.OPENED);
    shared.require("access_kind::taken", Recording.Format.TAKEN);
    shared.require("access_kind::freed", Recording.Format.FREED);
    shared.require("access_kind::pushed", Recording.Format.PUSHED);
    shared.require("access_kind::undone", Recording.Format.UNDONE);
  }

  /** Of a policy that the module was compiled for. */
  private void of(Policy policy) {
    String scope = policy.kernelName() + "::";
    if (shared.find(scope + "tag").isEmpty()) {
      return;
    }
    shared.require(scope + "tag", policy.tag());
    shared.require(scope + "unclaimed", Integer.toUnsignedLong(policy.unclaimedWord()));
    shared.require(scope + "claim_bits", Integer.toUnsignedLong(policy.claimBits()));
    shared.require(scope + "lock_bit", Integer.toUnsignedLong(policy.lockBit()));
    shared.require(scope + "default_lanes", policy.defaultLanes());
    shared.require(scope + "default_back_off", policy.defaultBackOffNanos());
    shared.require(scope + "has_eager_attempts", policy.hasEagerAttempts() ? 1 : 0);
    shared.require(scope + "most_eager_objects", policy.mostEagerObjects());
    shared.require(scope + "default_eager_attempts", policy.eagerAttempts());
    shared.require(scope + "versions_apart", policy.hasVersionsApart() ? 1 : 0);
    shared.require(scope + "words_of_launch", policy.hasWordsOfLaunch() ? 1 : 0);
    shared.require(scope + "has_descriptors", policy.hasDescriptors() ? 1 : 0);
    shared.require(scope + "thread_bytes", policy.threadBytes(2, 3));
  }
}
