package io.magpie.examples.compare;

import io.magpie.stm.Device;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * An algorithm that {@code magpie compare} can run in several variants. To register one, implement
 * this with a public constructor without parameters, and name the class where {@link Comparisons}
 * says.
 */
public interface Comparison {
  /** Its name on the command line. */
  String name();

  /** What it computes, in a few words. */
  String summary();

  /** Its options, those on which others depend first. */
  List<Choice> choices();

  /** Names of the counters that a table should show, such as the quality of a result. */
  default List<String> shown() {
    return List.of();
  }

  /** Lists of variants to be run step by step. */
  default List<Ladder> ladders() {
    return List.of();
  }

  /**
   * Programs without a device to compare with, such as a sequential one.
   *
   * @return what they are, by name
   */
  Map<String, String> baselines();

  /**
   * Why a variant is impossible.
   *
   * @return a sentence with what to change; empty if it is possible
   */
  default Optional<String> objection(Variant variant) {
    return Optional.empty();
  }

  /**
   * The source as this algorithm takes it: what the report says the input was.
   *
   * @throws IllegalArgumentException if it is of another kind than the algorithm takes
   */
  default InputSource source(InputSource given) {
    return given;
  }

  /**
   * Reads or generates the input, and computes the reference that results are compared with.
   *
   * @throws IOException if the input cannot be read or is malformed
   * @throws InputException if it does not suit the algorithm
   */
  Prepared prepare(InputSource source, Progress progress) throws IOException;

  /** An input with its reference result. */
  interface Prepared {
    /** Numbers that tell how large it is, by name. */
    Map<String, Long> sizes();

    /** A hash of the input's content. */
    String hash();

    /** The program of a variant on a device, which stays open until the program is closed. */
    Program variant(Device device, Variant variant);

    /** The program of a baseline. */
    Program baseline(String name);
  }

  /** Something that can be run again and again on the same input. */
  interface Program extends AutoCloseable {
    /** Runs once and measures itself. */
    Outcome run();

    @Override
    default void close() {}
  }

  /**
   * What a run did.
   *
   * @param millis times in milliseconds by name; {@link #TOTAL} is from input to result, both in
   *     Java's memory, and always present; {@link #KERNELS} is the time in kernels
   * @param counters other numbers by name, such as commits; empty where nothing was counted
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
  }
}
