package io.magpie.examples.benchmarks;

import io.magpie.examples.input.Input;
import io.magpie.examples.input.InputKind;

/**
 * What {@code --input workload:SPEC} and {@code --workload SPEC} name: a benchmark of transactional
 * memory with its parameters, such as {@code bank:accounts=1M,contention=high}.
 */
public final class WorkloadKind implements InputKind {
  @Override
  public String name() {
    return "workload";
  }

  @Override
  public Class<? extends Input> type() {
    return Workload.class;
  }

  @Override
  public String label() {
    return "SPEC";
  }

  @Override
  public String description() {
    return "Benchmark of transactions to generate, such as bank:accounts=1M,contention=high;"
        + " there are "
        + String.join(", ", Benchmarks.names())
        + ".";
  }

  @Override
  public Input parse(String spec) {
    return Workload.of(spec);
  }
}
