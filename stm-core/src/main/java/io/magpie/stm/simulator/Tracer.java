package io.magpie.stm.simulator;

/**
 * What a device of the kind {@code cpu} or {@code sim} tells of its launches: accesses to memory
 * that is named, also by plain {@code a[i]}, in modules that were compiled with {@code
 * MAGPIE_TRACE}. Thread-safe as its device is: calls take turns.
 */
public interface Tracer {
  /**
   * Says what is traced of the launches that follow; on {@code sim} only of those that have a
   * schedule. A trace holds what the last such launch did. Memory for its events, 56 bytes each up
   * to the capacity, stays with the device for the next trace.
   *
   * @param wanted null, as initially, traces nothing
   * @throws IllegalArgumentException if retries are to be forced, and the device is no simulator:
   *     {@link io.magpie.stm.Recording#disturb} does that there
   */
  void setTracing(AccessTrace.Scope wanted);

  /**
   * What the last traced launch did, also if a fault ended it.
   *
   * @throws IllegalStateException if nothing is traced
   */
  AccessTrace accessTrace();
}
