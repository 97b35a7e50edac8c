package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.msf.MsfOptions.Discovery;
import io.magpie.algorithms.msf.MsfOptions.Filter;
import io.magpie.algorithms.msf.MsfOptions.Merge;
import io.magpie.algorithms.msf.MsfOptions.Reads;
import io.magpie.algorithms.msf.MsfOptions.Traversal;
import io.magpie.stm.Device;
import io.magpie.stm.Policy;
import io.magpie.stm.StmOptions;
import io.magpie.stm.UnfinishedItemsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Every permitted combination of options, and the devices that tests run on. */
final class Variants {
  private static final Map<String, Device> OPEN = new LinkedHashMap<>();

  /** priority_rule is not live: two transactions on two objects may abort each other for ever. */
  private static final Map<Policy, Duration> LIMIT =
      Map.of(Policy.HAND_OFF, Duration.ofSeconds(60), Policy.PRIORITY_RULE, Duration.ofMillis(500));

  private Variants() {}

  /** All options that MsfOptions permits, under both policies where there are transactions. */
  static List<MsfOptions> all() {
    List<MsfOptions> result = new ArrayList<>();
    for (Traversal traversal : Traversal.values()) {
      for (Merge merge : Merge.values()) {
        for (Discovery discovery : Discovery.values()) {
          for (Filter filter : Filter.values()) {
            for (Reads reads : Reads.values()) {
              for (Policy policy : Policy.values()) {
                if ((merge == Merge.ATOMIC && policy != Policy.HAND_OFF)
                    || (traversal == Traversal.EDGE && discovery == Discovery.ATOMIC_FREE)
                    || (traversal == Traversal.VERTEX && filter != Filter.AUTO)
                    || (merge == Merge.ATOMIC && reads == Reads.UNVALIDATED)) {
                  continue;
                }
                result.add(
                    new MsfOptions(
                        merge,
                        discovery,
                        traversal,
                        filter,
                        reads,
                        reads == Reads.VALIDATED,
                        StmOptions.defaults().withPolicy(policy).withTimeout(LIMIT.get(policy))));
              }
            }
          }
        }
      }
    }
    return result;
  }

  /** cpu, sim of widths 1, 4 and 32, and the GPU if there is one. */
  static List<String> devices() {
    List<String> specs = new ArrayList<>();
    specs.add("cpu:4");
    specs.add("sim:1:1");
    specs.add("sim:2:4");
    specs.add("sim:0:32");
    if (Device.whyNoGpu().isEmpty()) {
      specs.add("cuda");
    }
    return specs;
  }

  /**
   * The forest, or none: where the transactions of a policy that promises no progress made none and
   * the run said so. Under hand_off every run must end.
   */
  static Optional<MsfResult> run(String device, Graph graph, MsfOptions options) {
    return ended(options, () -> MinimumSpanningForest.run(device(device), graph, options));
  }

  /** As {@link #run}, for a graph that lies on its device. */
  static Optional<MsfResult> run(MinimumSpanningForest forest, MsfOptions options) {
    return ended(options, () -> forest.run(options));
  }

  private static Optional<MsfResult> ended(MsfOptions options, Supplier<MsfResult> run) {
    try {
      return Optional.of(run.get());
    } catch (UnfinishedItemsException e) {
      if (options.stm().policy() == Policy.PRIORITY_RULE
          && options.traversal() == Traversal.VERTEX) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** A device, kept open for all tests of this process. */
  static synchronized Device device(String spec) {
    return OPEN.computeIfAbsent(spec, Device::open);
  }
}
