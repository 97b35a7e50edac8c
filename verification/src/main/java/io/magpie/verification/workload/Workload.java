package io.magpie.verification.workload;

import io.magpie.stm.Device;
import io.magpie.stm.Recording;
import io.magpie.stm.Region;
import io.magpie.stm.RegionReport;
import io.magpie.stm.SlotPool;
import io.magpie.stm.StmObjects;
import io.magpie.stm.StmOptions;
import io.magpie.stm.simulator.AccessTrace;
import io.magpie.verification.check.Verdict;
import io.magpie.verification.data.Commit;
import io.magpie.verification.data.DeclaredSlots;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.history.History;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A region with its arguments on a device, ready to be run and recorded as often as wanted. */
public interface Workload extends AutoCloseable {
  /** The device that it lies on. */
  Device device();

  /** The region; its module was compiled with {@code MAGPIE_RECORD}. */
  Region region();

  /** The objects among the arguments. */
  List<StmObjects> objects();

  /** Makes all data as at first, and all objects unclaimed; no item waits. */
  void reset();

  /**
   * Runs items 0 to {@code items - 1}; in rounds the first one.
   *
   * @param number which run it is, from 0; a workload may draw each differently
   */
  RegionReport record(Recording recording, StmOptions options, long items, long number);

  /**
   * Whether {@link #record} runs the first of several rounds: the region pushes items. What these
   * push or defer waits then.
   */
  default boolean inRounds() {
    return false;
  }

  /** Items that wait for another round. */
  default long waiting() {
    return 0;
  }

  /** Runs the items that wait as the next round. */
  default RegionReport recordNext(Recording recording, StmOptions options) {
    throw new IllegalStateException(region() + " does not run in rounds");
  }

  /**
   * Items of a round, by their ids.
   *
   * @param number which round of its run it is, from 0
   * @param given those that it began with
   * @param deferred those that it left to the next one
   */
  record Round(int number, List<Integer> given, List<Integer> deferred) {
    public Round {
      given = List.copyOf(given);
      deferred = List.copyOf(deferred);
    }
  }

  /** The items of the last round; none where a run has no rounds. */
  default Optional<Round> lastRound() {
    return Optional.empty();
  }

  /**
   * What is wrong with the data after a run, or what the region itself saw wrong since the last
   * {@link #reset()}.
   */
  Optional<Violation> complaint();

  /**
   * The same for a workload that wants to know what the checker says of the run, such as the order
   * in which its items would have done the same one after the other.
   */
  default Optional<Violation> complaint(History history, Verdict verdict) {
    return complaint();
  }

  /** Whether the author of the region states what {@link #complaint()} looks at. */
  default boolean hasInvariant() {
    return false;
  }

  /** Whether these commits say all that an invariant may depend on. */
  default boolean canLookBetween(Commit.Sequence commits) {
    return false;
  }

  /**
   * Makes the commits of a run one after the other, in memory that is as before the run, and looks
   * at what {@link #complaint()} looks at after each of them.
   *
   * @return what was wrong first
   */
  default Optional<Violation> complaintBetween(Commit.Sequence commits) {
    return Optional.empty();
  }

  /**
   * The memory of the arguments, as it can be traced on {@code cpu} and {@code sim} in modules
   * compiled with {@code MAGPIE_TRACE}; none if it is not known. Stays where it is.
   */
  default List<AccessTrace.Memory> memory() {
    return List.of();
  }

  /**
   * Whether its data can be compared: {@link #contents} gives them, {@link #save} keeps them,
   * {@link #recordList} runs items again, and they depend on nothing but the items and their order.
   */
  default boolean comparesData() {
    return false;
  }

  /**
   * Whether items that no object orders must do the same in any order, and are compared with
   * themselves in another one. Not so where several results are right and the order decides, as a
   * region {@linkplain Region#orderDependent declares}.
   */
  default boolean isComparedInAnotherOrder() {
    return !region().orderDependent();
  }

  /**
   * Whether items must do what they do alone in their turn, and are compared with that. Not so
   * where hints choose among several results that are all right.
   */
  default boolean isComparedInTurn() {
    return true;
  }

  /**
   * By arrays of the arguments, what they are declared to hold. Of others the runs have to tell.
   */
  default Map<String, DeclaredSlots> slotArrays() {
    return Map.of();
  }

  /** What the arguments held at some time; closing it frees the copy. */
  interface Saved extends AutoCloseable {
    /** Makes all data so again. Objects are unclaimed between launches. */
    void restore();

    @Override
    void close();
  }

  /** Keeps what the arguments hold now. */
  default Saved save() {
    throw new UnsupportedOperationException(this + " keeps no data");
  }

  /** The pools among the arguments, by the numbers that the region gives them. */
  default List<SlotPool> pools() {
    return List.of();
  }

  /**
   * Runs a list of items, recorded; of a region that pushes items as a round of its own, which
   * leaves what waits as it is.
   *
   * @param items in the order in which they run if one thread is in flight
   */
  default RegionReport recordList(Recording recording, StmOptions options, int[] items) {
    throw new UnsupportedOperationException(this + " runs no lists");
  }

  /**
   * The same workload on one thread of a processor, where items that run one after the other take a
   * fraction of the time. They need not do the same there to the last bit. Empty if it is on a
   * processor already, or cannot be made on one. Stays this workload's.
   */
  default Optional<Workload> onProcessor() {
    return Optional.empty();
  }

  /**
   * The same workload of a GPU on a processor, where every access of its runs is seen, past
   * transactions too. Empty if all runs are long, it is on a processor already, or cannot be made
   * on one. Stays this workload's.
   */
  default Optional<Workload> tracedOnProcessor() {
    return Optional.empty();
  }

  /** What is in the arguments' arrays, by field: Java arrays of the arrays' types. */
  default Map<String, Object> contents() {
    return Map.of();
  }

  /** The arguments that hold objects, by field, in the order of {@link #objects}. */
  default List<String> objectNames() {
    return List.of();
  }

  /** Where a place of the region's code is in its source, as {@code file:line}, if known. */
  default Optional<String> sourceLine(long place) {
    return Optional.empty();
  }

  /** Frees the arguments and the module. */
  @Override
  void close();
}
