package io.magpie.algorithms.msf;

import io.magpie.algorithms.Setting;
import io.magpie.algorithms.SharedDevices;
import io.magpie.algorithms.TestDevices;
import io.magpie.algorithms.TransactionSettings;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.msf.MsfOptions.Reads;
import io.magpie.algorithms.msf.MsfOptions.Traversal;
import io.magpie.stm.Device;
import io.magpie.stm.Policy;
import io.magpie.stm.StmOptions;
import io.magpie.stm.UnfinishedItemsException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/** Every permitted combination of options, and the devices that tests run on. */
final class Variants {
  private static final SharedDevices OPEN = new SharedDevices(Device::open);

  /**
   * priority_rule is not live: two transactions on two objects may abort each other forever. Its
   * runs pause after an abort, which breaks the step on a processor; on the simulator a pause is
   * one step among others, and the lanes of a GPU's warp can stay in step. Where a run may go on
   * forever it ends soon.
   */
  private static final int PAUSE_NANOS = 65_536;

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration LIMIT_WITHOUT_PROGRESS = Duration.ofMillis(500);

  private Variants() {}

  /** These devices, and a GPU where there is one. */
  static String[] withGpu(String... devices) {
    Stream<String> gpu = Device.whyNoGpu().isEmpty() ? Stream.of("cuda") : Stream.empty();
    return Stream.concat(Stream.of(devices), gpu).toArray(String[]::new);
  }

  /** All options that MsfOptions permits, under both policies where there are transactions. */
  static List<MsfOptions> all() {
    List<MsfOptions> result = List.of(MsfOptions.defaults());
    for (Setting<?> setting :
        List.of(
            MsfOptions.TRAVERSAL,
            MsfOptions.MERGE,
            MsfOptions.DISCOVERY,
            MsfOptions.FILTER,
            MsfOptions.READS)) {
      result = result.stream().flatMap(options -> with(options, setting)).toList();
    }
    return result.stream()
        .map(options -> options.withPhaseTimes(options.reads() == Reads.VALIDATED))
        .flatMap(Variants::withPolicies)
        .toList();
  }

  /** With each value of a setting, if it has an effect. */
  private static <V> Stream<MsfOptions> with(MsfOptions options, Setting<V> setting) {
    return options.hasEffect(setting)
        ? setting.all().stream().map(value -> options.with(setting, value))
        : Stream.of(options);
  }

  private static Stream<MsfOptions> withPolicies(MsfOptions options) {
    MsfOptions limited = options.withStm(StmOptions.defaults().withTimeout(LIMIT));
    return hasTransactions(options)
        ? Stream.of(
            limited,
            limited.withStm(
                limited.stm().withPolicy(Policy.PRIORITY_RULE).withBackOffNanos(PAUSE_NANOS)))
        : Stream.of(limited);
  }

  private static boolean hasTransactions(MsfOptions options) {
    return options.written().containsKey(TransactionSettings.POLICY.name());
  }

  /** cpu, checked and not, sim of widths 1, 4 and 32, and the GPU if there is one. */
  static List<String> devices() {
    return TestDevices.of(List.of("cpu:4", "sim:2:4"), "cpu-checked:2", "sim:1:1", "sim:0:32");
  }

  /**
   * The forest; or none, on the simulator and the GPU, where the transactions of a policy that
   * promises no progress made none and the run said so. Everything else must end.
   */
  static Optional<MsfResult> run(String device, Graph graph, MsfOptions options) {
    return ended(
        !device.startsWith("cpu"),
        device,
        options,
        fit -> MinimumSpanningForest.run(device(device), graph, fit));
  }

  /**
   * As {@link #run}, for a graph that lies on the device {@code device}; on the GPU, too, it must
   * end: of large graphs few transactions meet.
   */
  static Optional<MsfResult> run(String device, MinimumSpanningForest forest, MsfOptions options) {
    return ended(device.startsWith("sim"), device, options, forest::run);
  }

  private static Optional<MsfResult> ended(
      boolean inStep, String device, MsfOptions options, Function<MsfOptions, MsfResult> run) {
    boolean mayLivelock =
        inStep
            && options.stm().policy() == Policy.PRIORITY_RULE
            && options.traversal() != Traversal.EDGE;
    if (!mayLivelock) {
      return Optional.of(run.apply(options));
    }
    try {
      return Optional.of(
          run.apply(options.withStm(options.stm().withTimeout(LIMIT_WITHOUT_PROGRESS))));
    } catch (UnfinishedItemsException e) {
      LoggerFactory.getLogger(Variants.class)
          .info("On {}, as expected: {}", device, e.getMessage());
      return Optional.empty();
    }
  }

  /** A device with nothing on it, kept open for all tests of this process. */
  static Device device(String spec) {
    return OPEN.device(spec);
  }
}
