package io.magpie.stm;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A run of a region that was started and is waited for later: {@link Region#start}. What is asked
 * of the device meanwhile is done after the run's first launch, which has all items.
 *
 * <pre>{@code
 * try (StartedRun transfers = region.start(options, items, fields)) {
 *   kernel.launch(vertices, others);
 *   RegionReport report = transfers.await().requireComplete();
 * }
 * }</pre>
 *
 * <p>{@link #await()} gives back what the run holds of the device; where it may not be reached,
 * {@link #close()} does. From any thread.
 */
public final class StartedRun implements Device.Owned {
  private final Device device;
  private final OpenModule module;
  private final RegionRun run;
  private final String name;
  private final AtomicBoolean over = new AtomicBoolean();
  private volatile RegionReport report;

  /**
   * For use within the device's queue.
   *
   * @param module what the region is of
   * @param run what was started; null if it has ended
   * @param report what it did, if it has ended
   */
  StartedRun(OpenModule module, String region, RegionRun run, RegionReport report) {
    this.device = module.device();
    this.module = module;
    this.run = run;
    this.name = "started run of region " + region;
    this.report = report;
    if (run != null) {
      device.opened(this, name);
    }
  }

  /**
   * Waits for the run, does what is left of it, and gives its report; later calls give the same one
   * at once.
   *
   * <p>Items whose transactions outgrow their logs are run again by this call, and so after all
   * that was asked of the device meanwhile. The arguments of the run, its list of items and its
   * module must be open and as they were: elements may have changed, but not those of the list.
   *
   * @throws IllegalStateException if the run was closed, or an earlier call failed; if larger logs
   *     are needed, and an argument or the module is closed; or if the list of items is closed, and
   *     items need larger logs or are unfinished
   * @throws KernelFaultException if the run, or another launch, broke a rule
   * @throws MagpieException if the device is dead
   */
  public RegionReport await() {
    if (report != null) {
      return report; // also if the device is closed by now, or dead
    }
    return device.running(
        () -> {
          if (report == null) {
            if (!end()) {
              throw new IllegalStateException(this + " is closed");
            }
            report = run.finish(module);
          }
          return report;
        });
  }

  /**
   * Whether the run's end is known: it was awaited, or its start has waited for it. Waits for
   * nothing itself.
   */
  public boolean hasEnded() {
    return report != null;
  }

  /**
   * Waits for the run's first launch, and leaves undone what it did not do. Closing a run that was
   * awaited, or closing twice, is harmless.
   *
   * @throws KernelFaultException if the run, or another launch, broke a rule
   */
  @Override
  public void close() {
    if (run != null && end()) {
      device.whileOpen(run::abandon);
    }
  }

  /** Ends its use; says whether it was neither closed nor awaited. */
  private boolean end() {
    if (!over.compareAndSet(false, true)) {
      return false;
    }
    device.closed(this);
    return true;
  }

  @Override
  public String toString() {
    return name + " on " + device.description().spec();
  }
}
