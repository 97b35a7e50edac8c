package io.magpie.stm.internal.host;

import io.magpie.stm.internal.host.LaunchStructs.Control;
import io.magpie.stm.simulator.AccessTrace;
import io.magpie.stm.simulator.AccessTrace.Tracer;

/** What is traced of launches on processors: of a {@code magpie_simulation} they get no more. */
final class ThreadTracer implements Tracer {
  private final Tracing tracing = new Tracing();
  private LaunchStructs structs; // of the block
  private NativeStructs<Control> block;

  @Override
  public void setTracing(AccessTrace.Scope wanted) {
    if (wanted != null && (wanted.forcedRetries() > 0 || wanted.forcesInnerRetries())) {
      throw new IllegalArgumentException(
          "on processors retries are forced by Recording.disturb, not by a trace");
    }
    tracing.set(wanted);
  }

  @Override
  public AccessTrace accessTrace() {
    return tracing.trace();
  }

  /** Address of what a launch that begins gets; 0 = it is not traced. */
  long begin(LaunchStructs wanted) {
    long traced = tracing.begin(wanted);
    if (traced == 0) {
      return 0;
    }
    if (structs != wanted) {
      block = NativeStructs.zeros(wanted.control());
      structs = wanted;
    }
    block.set(Control.ACCESSES, traced);
    return block.address();
  }
}
