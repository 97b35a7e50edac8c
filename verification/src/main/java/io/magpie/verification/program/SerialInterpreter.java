package io.magpie.verification.program;

import io.magpie.verification.program.Step.CancelIf;
import io.magpie.verification.program.Step.Inner;
import io.magpie.verification.program.Step.Read;
import io.magpie.verification.program.Step.ReadAt;
import io.magpie.verification.program.Step.Write;
import io.magpie.verification.program.Step.WriteAt;
import java.util.Arrays;
import java.util.List;

/**
 * Runs a program's transactions one after the other: what a run of the region must be equal to, in
 * some order. Shares no code with the kernel.
 */
public final class SerialInterpreter {
  private final TransactionProgram program;
  private final long[] values;

  /** Begins with all objects 0. */
  public SerialInterpreter(TransactionProgram program) {
    this.program = program;
    this.values = new long[program.objects()];
  }

  /** What became of a transaction. */
  public record Result(boolean committed, long accumulator) {}

  /** Runs transaction {@code item}; if it cancels, nothing changes. */
  public Result run(int item) {
    long[] written = values.clone();
    long[] accumulator = {item};
    boolean committed = run(program.transactions().get(item), written, accumulator);
    if (committed) {
      System.arraycopy(written, 0, values, 0, values.length);
    }
    return new Result(committed, accumulator[0]);
  }

  /** False if the transaction cancels, also where an inner one does. */
  private boolean run(List<Step> steps, long[] state, long[] accumulator) {
    for (Step step : steps) {
      if (step instanceof Read read) {
        accumulator[0] = mix(accumulator[0], state[read.object()]);
      } else if (step instanceof ReadAt) {
        accumulator[0] = mix(accumulator[0], state[reached(accumulator[0])]);
      } else if (step instanceof Write write) {
        state[write.object()] = mix(accumulator[0], write.argument());
      } else if (step instanceof WriteAt write) {
        state[reached(accumulator[0])] = mix(accumulator[0], write.argument());
      } else if (step instanceof CancelIf cancel) {
        if (Long.remainderUnsigned(accumulator[0], 16) < cancel.sixteenths()) {
          return false;
        }
      } else if (step instanceof Inner inner && !run(inner.steps(), state, accumulator)) {
        return false;
      }
    }
    return true;
  }

  private int reached(long accumulator) {
    return (int) Long.remainderUnsigned(accumulator, values.length);
  }

  /** The objects' values. */
  public long[] values() {
    return Arrays.copyOf(values, values.length);
  }

  /** Finalizer of splitmix64 (Steele, Lea, Flood, OOPSLA 2014), over both arguments. */
  public static long mix(long a, long b) {
    long z = a * 0x9e3779b97f4a7c15L + b + 0x632be59bd9b4e019L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
