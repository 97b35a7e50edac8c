package io.magpie.examples.compare;

import io.magpie.algorithms.Options;
import io.magpie.algorithms.ResultArrays;
import io.magpie.examples.input.Input;
import io.magpie.examples.input.InputException;
import io.magpie.stm.Device;
import io.magpie.stm.RegionReport;
import io.magpie.stm.RegionReport.AbortCause;
import io.magpie.stm.UnfinishedItemsException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * An algorithm that {@code magpie compare} can run in several variants. To register one, implement
 * this with a public constructor without parameters, and name the class in {@code
 * META-INF/services/io.magpie.examples.compare.Comparison}.
 *
 * @param <O> the algorithm's options, whose settings are what variants differ in
 */
public interface Comparison<O extends Options<O>> {
  /** Its name on the command line, which no other comparison has. */
  String name();

  /** What it computes, in a few words. */
  String summary();

  /** The algorithm's options, with the defaults of variants. */
  O defaults();

  /**
   * Names of the counters that the table of {@code compare}, and the first one of a report page,
   * show, such as the quality of a result.
   */
  default List<String> shown() {
    return List.of();
  }

  /** Lists of variants to be run step by step. */
  default List<Ladder<O>> ladders() {
    return List.of();
  }

  /** Programs without a device to compare with; none by default. */
  default List<Baseline> baselines() {
    return List.of();
  }

  /**
   * Whether {@link Prepared#variant(Device, Object, ResultArrays)} is there; without it {@code
   * --results kept} is refused.
   */
  default boolean writesToArrays() {
    return false;
  }

  /**
   * Whether it also takes arrays {@linkplain ResultArrays#onDevice on the device}; without that
   * {@code --results device} is refused.
   */
  default boolean leavesOnDevice() {
    return false;
  }

  /**
   * Why the results of a variant can be in new arrays only, where {@link #writesToArrays()}; empty
   * if they need not. {@code compare} says so before it reads an input.
   */
  default Optional<String> refusesArrays(O variant) {
    return Optional.empty();
  }

  /**
   * The source as this algorithm takes it: what the report says the input was.
   *
   * @throws IllegalArgumentException if it is of another kind than the algorithm takes
   */
  default Input source(Input given) {
    return given;
  }

  /**
   * Why a variant cannot run on an input.
   *
   * @param settings names of those whose values keep it from it
   * @param reason what to tell, beginning with one of them
   */
  record Unsuited(Set<String> settings, String reason) {
    /** Copies the names. */
    public Unsuited {
      settings = Set.copyOf(settings);
    }
  }

  /**
   * Why a variant cannot run on an input; empty if it can, as far as is known before the input is
   * read or generated. {@code compare} leaves such a variant out where a ladder has it or all
   * values are asked for of a setting that keeps it from it, and says so; else it refuses it.
   *
   * @param source of {@link #source}
   */
  default Optional<Unsuited> unsuited(Input source, O variant) {
    return Optional.empty();
  }

  /**
   * Whether a variant takes the weights of arcs for lengths. {@code compare} refuses a type of
   * lengths if no variant does; it does not ask comparisons whose weights are none.
   */
  default boolean usesLengths(O variant) {
    return true;
  }

  /**
   * Reads or generates the input, and computes the reference that results are compared with.
   *
   * @throws IOException if the input cannot be read or is malformed
   * @throws InputException if it does not suit the algorithm
   */
  Prepared<O> prepare(Input source, Progress progress) throws IOException;

  /** An input with its reference result. */
  interface Prepared<O> {
    /** Numbers that tell how large it is, by name. */
    Map<String, Long> sizes();

    /** A hash of the input's content. */
    String hash();

    /** The program of a variant on a device, which stays open until the program is closed. */
    Program variant(Device device, O variant);

    /**
     * The same with results in arrays that are kept: a run overwrites the result of the run before.
     *
     * @param arrays where results go, and nothing else does
     * @throws UnsupportedOperationException unless {@link Comparison#writesToArrays()}
     * @throws IllegalArgumentException if {@link Comparison#refusesArrays} tells why
     */
    default Program variant(Device device, O variant, ResultArrays arrays) {
      throw new UnsupportedOperationException("results are in new arrays only");
    }

    /**
     * The program of a baseline.
     *
     * @param name of one of {@link Comparison#baselines()}
     * @param options those of the first variant: what a result must be like, as far as a baseline
     *     can be asked for it
     */
    default Program baseline(String name, O options) {
      throw new IllegalArgumentException("there is no baseline '" + name + "'");
    }
  }

  /** Something that can be run again and again on the same input. */
  interface Program extends AutoCloseable {
    /**
     * Runs once and measures itself.
     *
     * @throws UnfinishedItemsException if items are left, as {@link RegionReport#requireComplete}
     *     says it: the contestant is told to be unfinished and runs no more, the others go on
     */
    Outcome run();

    @Override
    default void close() {}
  }

  /**
   * What a run did.
   *
   * @param millis times in milliseconds by name; {@link #TOTAL} is from input to result, both in
   *     Java's memory, and always present; {@link #KERNELS} is the time in kernels
   * @param counters other numbers by name, such as colors; empty where nothing was counted. {@link
   *     #COMMITS} and {@link #ABORTS} are reserved for the numbers that they stand for
   * @param aborts aborted attempts by cause; empty where nothing was counted
   * @param mistake compares the result with the reference: what is wrong with it, or empty. It may
   *     take long and is called outside of all measurements
   */
  record Outcome(
      Map<String, Double> millis,
      Map<String, Long> counters,
      Map<String, Long> aborts,
      Supplier<Optional<String>> mistake) {
    /** Name of the time from input to result. */
    public static final String TOTAL = "total";

    /** Name of the time in kernels. */
    public static final String KERNELS = "kernels";

    /** Name of the counter of committed transactions. */
    public static final String COMMITS = "commits";

    /**
     * Name of the counter of aborted attempts in all, which the table shows. Where it is missing,
     * and aborts by cause are not, it is their sum.
     */
    public static final String ABORTS = "aborts";

    /**
     * Checks that the total time is there.
     *
     * @throws IllegalArgumentException if it is not
     */
    public Outcome {
      if (!millis.containsKey(TOTAL)) {
        throw new IllegalArgumentException("millis lacks '" + TOTAL + "', got " + millis.keySet());
      }
      Objects.requireNonNull(counters, "counters");
      Objects.requireNonNull(aborts, "aborts");
      Objects.requireNonNull(mistake, "mistake");
    }

    /** A run without transactions, or to which theirs are added. */
    public Outcome(
        Map<String, Double> millis,
        Map<String, Long> counters,
        Supplier<Optional<String>> mistake) {
      this(millis, counters, Map.of(), mistake);
    }

    /**
     * This with numbers that runs of regions have counted, by the names of {@link RegionReport}'s
     * methods, and with the aborts by cause. Numbers that are there already are added to, and of
     * the most attempts the greater stays. Without runs, as of a variant that has no transactions,
     * nothing is added.
     */
    public Outcome withTransactions(List<RegionReport> runs) {
      Map<String, Long> sums = new LinkedHashMap<>(counters);
      Outcome all = this;
      for (RegionReport run : runs) {
        sums.merge(COMMITS, run.commits(), Long::sum);
        sums.merge("cancels", run.cancels(), Long::sum);
        sums.merge(ABORTS, run.aborts(), Long::sum);
        sums.merge("steals", run.steals(), Long::sum);
        sums.merge("registrations", run.registrations(), Long::sum);
        sums.merge("mostAttempts", run.mostAttempts(), Math::max);
        sums.merge("overflows", run.overflows(), Long::sum);
        all = all.withAborts(run.abortsByCause());
      }
      return new Outcome(millis, sums, all.aborts, mistake);
    }

    /** This with more aborts by cause, for reports that have no other counts of a region. */
    public Outcome withAborts(Map<AbortCause, Long> more) {
      Map<String, Long> sums = new LinkedHashMap<>(aborts);
      more.forEach(
          (cause, count) -> sums.merge(cause.name().toLowerCase(Locale.ROOT), count, Long::sum));
      return new Outcome(millis, counters, sums, mistake);
    }

    /** The counters, with the aborts in all where any were counted. */
    Map<String, Long> countersWithAborts() {
      if (aborts.isEmpty() || counters.containsKey(ABORTS)) {
        return counters;
      }
      Map<String, Long> all = new LinkedHashMap<>(counters);
      all.put(ABORTS, aborts.values().stream().mapToLong(Long::longValue).sum());
      return all;
    }
  }
}
