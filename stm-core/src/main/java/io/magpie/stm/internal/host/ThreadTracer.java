package io.magpie.stm.internal.host;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import io.magpie.stm.simulator.AccessTrace;
import io.magpie.stm.simulator.Tracer;

/** What is traced of launches on processors: of a {@code magpie_simulation} they get no more. */
final class ThreadTracer implements Tracer {
  private final Tracing tracing = new Tracing();
  private final Memory block = new Memory(Simulation.BYTES);
  private boolean traces;

  ThreadTracer() {
    block.clear();
  }

  @Override
  public void setTracing(AccessTrace.Scope wanted) {
    if (wanted != null && (wanted.forcedRetries() > 0 || wanted.forcesInnerRetries())) {
      throw new IllegalArgumentException(
          "on processors attempts are made in vain by Recording.disturb, not by a trace");
    }
    tracing.set(wanted);
    traces = wanted != null;
    block.setPointer(Simulation.ACCESSES, tracing.pointer());
  }

  @Override
  public AccessTrace accessTrace() {
    return tracing.trace();
  }

  /** What a launch that begins gets; 0 = it is not traced. */
  long begin() {
    if (!traces) {
      return 0;
    }
    tracing.begin();
    return Pointer.nativeValue(block);
  }
}
