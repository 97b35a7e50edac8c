package io.magpie.verification.workload;

import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.KernelFaultException;
import io.magpie.stm.simulator.AccessTrace;
import io.magpie.stm.simulator.AccessTrace.Tracer;
import io.magpie.verification.data.DataChecker;
import io.magpie.verification.data.UnjudgedSlots;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.explore.Violation.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What recorded runs on processors do to the memory of their arguments, where their module is
 * compiled to tell, and what is wrong with that. A run that makes too many accesses ends it: what
 * later ones do is not traced.
 */
final class RecordedTraces implements AutoCloseable {
  /** Events of a run that are kept. */
  private static final int MOST_EVENTS = 1 << 18;

  private static final String TOO_LONG =
      "Runs made too many accesses to check those past tx; take fewer --items or less data.";

  private static final String OUTGROWN =
      "Accesses past tx were not checked where transactions outgrew the region's max_objects or"
          + " max_writes.";

  private final Workload workload;
  private final Tracer tracer; // null where accesses cannot be traced
  private final AccessTrace.Scope scope;
  private final Map<String, Object> initial; // what arrays hold when runs begin, if known
  private final List<AccessTrace> launches = new ArrayList<>(); // of the present run
  private final UnjudgedSlots unjudged = new UnjudgedSlots();
  private boolean active;
  private boolean sawSome;
  private boolean partial; // of the present run some launch is missing
  private boolean outgrown; // of some run
  private boolean tooLong; // was some run

  /**
   * @param wanted whether data are checked at all
   */
  RecordedTraces(Workload workload, boolean wanted) {
    this.workload = workload;
    boolean traceable = wanted && workload.device().machine() == Machine.CPU;
    if (traceable) {
      workload.reset(); // a pool's memory says which of its slots are in use at first
    }
    List<AccessTrace.Memory> memory = traceable ? workload.memory() : List.of();
    this.active = !memory.isEmpty();
    this.tracer = active ? workload.device().tracer() : null;
    this.scope = active ? new AccessTrace.Scope(memory, MOST_EVENTS, 0, false) : null;
    boolean looksAt = !workload.pools().isEmpty() || DataComparison.areFew(memory);
    this.initial = active && looksAt ? workload.contents() : Map.of();
  }

  /** Whether every access of the runs so far was seen. */
  boolean seesAll() {
    return active && sawSome && !outgrown;
  }

  /** What is not known because of what was not traced: sentences. */
  List<String> limits() {
    List<String> limits = new ArrayList<>();
    if (tooLong) {
      limits.add(TOO_LONG);
    }
    if (outgrown) {
      limits.add(OUTGROWN);
    }
    unjudged.sentences().ifPresent(limits::add);
    return limits;
  }

  /** A run begins, of one launch or several. */
  void beginRun() {
    launches.clear();
    partial = false;
  }

  /** A launch begins. */
  void begin() {
    if (active) {
      tracer.setTracing(scope);
    }
  }

  /** It has ended; gives what it did, as far as that was traced. */
  Optional<AccessTrace> end() {
    if (!active) {
      return Optional.empty();
    }
    AccessTrace trace = tracer.accessTrace();
    tracer.setTracing(null);
    return trace.size() == 0 ? Optional.empty() : Optional.of(trace);
  }

  /** Adds the launch that just ended to the run; of more than one pass only the last was traced. */
  void add(Optional<AccessTrace> launch, boolean onePass) {
    if (!active) {
      return;
    }
    launch.ifPresent(launches::add);
    sawSome |= launch.isPresent();
    long events = launches.stream().mapToLong(AccessTrace::count).sum();
    boolean unseen = launch.isEmpty() && !sawSome; // the module is not compiled for it
    tooLong |= events > MOST_EVENTS;
    partial |= !onePass;
    outgrown |= partial;
    active = !tooLong && !unseen;
  }

  /** The last launch that was added. */
  Optional<AccessTrace> last() {
    return seesRun() ? Optional.of(launches.get(launches.size() - 1)) : Optional.empty();
  }

  /** What the present run did wrong so far. */
  List<Violation> wrong() {
    return seesRun() ? checked(launches) : List.of();
  }

  private boolean seesRun() {
    return active && !partial && !launches.isEmpty();
  }

  /** What the present run would have done wrong if this had been its last launch. */
  List<Violation> wrongWith(AccessTrace other) {
    if (!seesRun()) {
      return List.of();
    }
    List<AccessTrace> all = new ArrayList<>(launches.subList(0, launches.size() - 1));
    all.add(other);
    return checked(all);
  }

  private List<Violation> checked(List<AccessTrace> all) {
    return DataChecker.check(all, initial, workload.slotArrays(), workload::sourceLine, unjudged);
  }

  /** What items that committed left, if they did nothing through {@code tx}. */
  long changes() {
    return last().map(DataChecker::changes).orElse(0L);
  }

  /** Items of the last launch that canceled because inner transactions of theirs had. */
  long givenUp() {
    return last().map(DataChecker::givenUp).orElse(0L);
  }

  /** Whether items of the last launch met. */
  boolean met() {
    return last().filter(DataChecker::meet).isPresent();
  }

  /**
   * A fault by what led to it, or by the loop that it ended.
   *
   * @param launch the one that faulted
   */
  Violation explained(Violation fault, AccessTrace launch) {
    List<AccessTrace> all = new ArrayList<>(launches);
    all.add(launch);
    if (!launch.complete()) {
      return endedByTime(launch, fault.text()).orElse(fault);
    }
    Violation found = DataChecker.explain(all, initial, fault, workload::sourceLine);
    // One that was ended from outside, as its time was up, leaves no event that faulted.
    boolean endless = fault.text().contains(Kind.NO_END.words() + ": ");
    return endless && found.equals(fault) ? endedByTime(launch, fault.text()).orElse(fault) : found;
  }

  /** The same of the present run's next launch, to throw it. */
  RuntimeException explained(KernelFaultException fault, Optional<AccessTrace> launch) {
    Violation plain = new Violation(Kind.FAULT, fault.getMessage());
    Optional<Violation> found =
        launch.map(each -> explained(plain, each)).filter(each -> !each.equals(plain));
    return found.isPresent() ? new FaultFoundException(found.get(), fault) : fault;
  }

  /**
   * The loop in which the present run's next launch was when its time was up, or what it waited
   * for; empty if the trace does not tell.
   */
  Optional<Violation> endedByTime(AccessTrace launch) {
    return endedByTime(launch, "its transactions were stopped when time was up");
  }

  private Optional<Violation> endedByTime(AccessTrace launch, String what) {
    List<AccessTrace> all = new ArrayList<>(launches);
    all.add(launch);
    return DataChecker.endedByTime(
        all, initial, new Violation(Kind.NO_END, what), workload::sourceLine);
  }

  @Override
  public void close() {
    if (tracer != null) {
      tracer.setTracing(null);
    }
  }
}
