package io.magpie.stm.simulator;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * How the simulator runs launches: who goes on at each switch point, over which memory. Immutable;
 * each {@code with} method gives a changed copy. Set with {@link Simulator#setSchedule}.
 *
 * <p>A switch point, or step, comes before each shared access, fence and pause of a thread, counted
 * from 0 in each launch. Threads are named by their rank in the grid. The <em>default</em> schedule
 * lets the running thread go on until it ends, waits in a collective or pauses; then the next
 * higher rank goes on, the lowest after the highest. {@link Kind#EXPLICIT} deviates from it where
 * its choices say so, and {@link Simulator.Trace#choices()} gives any launch in that form.
 *
 * <p>The text form, which {@link #parse} reads, is a kind with its parameters, {@code round-robin},
 * {@code random:SEED}, {@code pct:SEED:DEPTH:STEPS}, {@code lock-step:SEED}, {@code
 * ordered[:THREAD,...]} or {@code explicit[:CHOICE,...]}, where a choice is {@code STEP@THREAD},
 * {@code STEP~VERSION} or {@code STEP@THREAD~VERSION}; then, in this order and where they apply,
 * {@code +weak}, {@code +lasso}, {@code +fine}, {@code +stop:THREAD@STEP} and {@code +most:STEPS}.
 *
 * @param kind what decides
 * @param seed of the kinds that draw
 * @param depth ordering constraints that {@link Kind#PCT} hits, at least 1; else 0
 * @param steps steps over which {@link Kind#PCT} spreads its change points, at least 1; else 0
 * @param choices of {@link Kind#EXPLICIT} the deviations from the default, in ascending order of
 *     steps; of {@link Kind#ORDERED} the threads, in order; else none
 * @param weakMemory whether loads may read older values, as far as release and acquire allow it;
 *     otherwise memory is sequentially consistent
 * @param lassoDetection whether a launch ends when a state comes again without progress in between
 * @param stoppedThread rank of the thread that stops forever; -1 = none
 * @param stoppedStep how many steps that thread does before
 * @param mostSteps steps after which a launch is a fault; 0 = the device's own bound
 * @param states whether the trace has the launch's states; not part of the text form
 * @param fine whether there are more steps: before plain accesses to memory that is traced, where
 *     attempts begin and end, and where they take their places in the serial order
 * @param search how the launch is one of a search, in fine steps; null = it is none; not part of
 *     the text form
 */
public record Schedule(
    Kind kind,
    long seed,
    int depth,
    long steps,
    List<Choice> choices,
    boolean weakMemory,
    boolean lassoDetection,
    int stoppedThread,
    long stoppedStep,
    long mostSteps,
    boolean states,
    boolean fine,
    Search search) {

  /** What decides who goes on. */
  public enum Kind {
    /**
     * The default, except for the choices given. A choice that cannot be is softened: of a thread
     * that cannot run to the default, of a value too old to the oldest. So a list stays a schedule
     * when a part of it is taken away.
     */
    EXPLICIT("explicit"),
    /** Each thread does one step, in the order of ranks. */
    ROUND_ROBIN("round-robin"),
    /** Goes on with the same thread with a probability that the seed gives, else with any. */
    RANDOM_WALK("random"),
    /**
     * Random priorities that change at random steps: hits each bug of depth d among n threads and k
     * steps with probability at least 1 / (n k^(d-1)) (Burckhardt et al., ASPLOS 2010). A thread
     * that pauses falls below all others.
     */
    PCT("pct"),
    /**
     * The lanes of a warp step together; those that diverge run group by group, in the seed's
     * order.
     */
    LOCK_STEP("lock-step"),
    /**
     * The threads of a list in turn, each until its item has ended; those that are not in it come
     * last, by rank. While the thread whose turn it is waits, the other lanes of its warp go on. So
     * transactions follow each other in the list's order, where each thread has one.
     */
    ORDERED("ordered");

    private final String text;

    Kind(String text) {
      this.text = text;
    }
  }

  /**
   * A deviation from the default schedule.
   *
   * @param step the switch point
   * @param thread rank of the thread that goes on there; {@link #NONE} = as by default
   * @param version if not 0, the load that this thread is about to do reads the version-th older
   *     value
   */
  public record Choice(long step, int thread, int version) {
    /** No thread: who goes on is left to the default. */
    public static final int NONE = -1;

    /** Checks the ranges. */
    public Choice {
      require(step >= 0, "step", step, "at least 0");
      require(thread >= NONE, "thread", thread, "a rank or -1");
      require(version >= 0, "version", version, "at least 0");
    }

    @Override
    public String toString() {
      return step
          + (thread != NONE || version == 0 ? "@" + thread : "")
          + (version != 0 ? "~" + version : "");
    }
  }

  /** Checks the ranges, and that choices ascend. */
  public Schedule {
    Objects.requireNonNull(kind, "kind");
    choices = List.copyOf(choices);
    require(kind != Kind.PCT || depth >= 1, "depth", depth, "at least 1");
    require(kind != Kind.PCT || steps >= 1, "steps", steps, "at least 1");
    require(
        kind == Kind.EXPLICIT || kind == Kind.ORDERED || choices.isEmpty(),
        "choices",
        choices,
        "empty");
    require(stoppedThread >= -1, "stoppedThread", stoppedThread, "a rank or -1");
    require(
        stoppedStep >= 0 && stoppedStep < 1L << 32, "stoppedStep", stoppedStep, "from 0 to 2^32-1");
    require(mostSteps >= 0, "mostSteps", mostSteps, "at least 0");
    require(
        search == null || kind == Kind.EXPLICIT && fine && !weakMemory,
        "search",
        search,
        "of an explicit schedule in fine steps, over memory that is not weak");
    for (int i = 1; i < choices.size(); i++) {
      require(
          choices.get(i - 1).step < choices.get(i).step,
          "choices",
          choices.get(i - 1) + ", " + choices.get(i),
          "in ascending order of steps");
    }
  }

  private static void require(boolean holds, String name, Object value, String range) {
    if (!holds) {
      throw new IllegalArgumentException(name + " must be " + range + ", got " + value);
    }
  }

  private static Schedule of(Kind kind, long seed, int depth, long steps, List<Choice> choices) {
    return new Schedule(
        kind, seed, depth, steps, choices, false, false, -1, 0, 0, false, false, null);
  }

  /** Each thread does one step, in the order of ranks. */
  public static Schedule roundRobin() {
    return of(Kind.ROUND_ROBIN, 0, 0, 0, List.of());
  }

  /** See {@link Kind#RANDOM_WALK}. */
  public static Schedule randomWalk(long seed) {
    return of(Kind.RANDOM_WALK, seed, 0, 0, List.of());
  }

  /**
   * See {@link Kind#PCT}.
   *
   * @param seed of priorities and change points
   * @param depth d, at least 1
   * @param steps k, at least 1: about as many as the launch takes
   */
  public static Schedule pct(long seed, int depth, long steps) {
    return of(Kind.PCT, seed, depth, steps, List.of());
  }

  /** See {@link Kind#ORDERED}. */
  public static Schedule ordered(List<Integer> threads) {
    return of(
        Kind.ORDERED,
        0,
        0,
        0,
        IntStream.range(0, threads.size())
            .mapToObj(i -> new Choice(i, threads.get(i), 0))
            .toList());
  }

  /** See {@link Kind#LOCK_STEP}. */
  public static Schedule lockStep(long seed) {
    return of(Kind.LOCK_STEP, seed, 0, 0, List.of());
  }

  /**
   * The default schedule except for some choices.
   *
   * @param choices in ascending order of steps
   */
  public static Schedule explicit(List<Choice> choices) {
    return of(Kind.EXPLICIT, 0, 0, 0, choices);
  }

  /**
   * An explicit schedule with these choices, over the same memory, with the same steps, detection,
   * stopped thread and bound: with a launch's {@link Simulator.Trace#choices()} it replays that
   * launch.
   */
  public Schedule withChoices(List<Choice> value) {
    return new Schedule(
        Kind.EXPLICIT,
        0,
        0,
        0,
        value,
        weakMemory,
        lassoDetection,
        stoppedThread,
        stoppedStep,
        mostSteps,
        states,
        fine,
        null);
  }

  /** A copy over weak memory. */
  public Schedule withWeakMemory() {
    return with(true, lassoDetection, stoppedThread, stoppedStep, mostSteps);
  }

  /**
   * A copy under which a launch ends with a fault when a state comes again, each thread that has
   * not ended took a step in between, and no item ended. Registers are not part of the state, so
   * this is a candidate of an endless execution, to be confirmed by replaying the cycle.
   */
  public Schedule withLassoDetection() {
    return with(weakMemory, true, stoppedThread, stoppedStep, mostSteps);
  }

  /**
   * A copy under which one thread stops forever. A launch that leaves only it is a fault.
   *
   * @param thread its rank
   * @param step how many of its own steps it does before
   */
  public Schedule withStoppedThread(int thread, long step) {
    return with(weakMemory, lassoDetection, thread, step, mostSteps);
  }

  /** A copy under which a launch of more steps is a fault; 0 = the device's own bound. */
  public Schedule withMostSteps(long value) {
    return with(weakMemory, lassoDetection, stoppedThread, stoppedStep, value);
  }

  /** A copy whose launches' traces have {@link Simulator.Trace#states()}. */
  public Schedule withStates() {
    return new Schedule(
        kind,
        seed,
        depth,
        steps,
        choices,
        weakMemory,
        lassoDetection,
        stoppedThread,
        stoppedStep,
        mostSteps,
        true,
        fine,
        search);
  }

  /** A copy in fine steps. */
  public Schedule withFineSteps() {
    return fine(search);
  }

  /** A copy in fine steps whose launches are part of a search: their traces have logs of steps. */
  public Schedule withSearch(Search value) {
    return fine(value);
  }

  private Schedule fine(Search wantedSearch) {
    return new Schedule(
        kind,
        seed,
        depth,
        steps,
        choices,
        weakMemory,
        lassoDetection,
        stoppedThread,
        stoppedStep,
        mostSteps,
        states,
        true,
        wantedSearch);
  }

  /** A copy under which launches go on where a state comes again. */
  public Schedule withoutLassoDetection() {
    return with(weakMemory, false, stoppedThread, stoppedStep, mostSteps);
  }

  private Schedule with(boolean weak, boolean lasso, int thread, long step, long most) {
    return new Schedule(
        kind, seed, depth, steps, choices, weak, lasso, thread, step, most, states, fine, search);
  }

  /** The text form. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(kind.text);
    switch (kind) {
      case ROUND_ROBIN -> {}
      case RANDOM_WALK, LOCK_STEP -> text.append(':').append(seed);
      case PCT -> text.append(':').append(seed).append(':').append(depth).append(':').append(steps);
      case EXPLICIT -> {
        StringJoiner list = new StringJoiner(",", ":", "").setEmptyValue("");
        choices.forEach(each -> list.add(each.toString()));
        text.append(list);
      }
      case ORDERED -> {
        StringJoiner list = new StringJoiner(",", ":", "").setEmptyValue("");
        choices.forEach(each -> list.add(Integer.toString(each.thread())));
        text.append(list);
      }
    }
    text.append(weakMemory ? "+weak" : "").append(lassoDetection ? "+lasso" : "");
    text.append(fine ? "+fine" : "");
    if (stoppedThread >= 0) {
      text.append("+stop:").append(stoppedThread).append('@').append(stoppedStep);
    }
    if (mostSteps > 0) {
      text.append("+most:").append(mostSteps);
    }
    return text.toString();
  }

  /**
   * Reads the text form.
   *
   * @throws IllegalArgumentException if it is malformed; the message names the part
   */
  public static Schedule parse(String text) {
    return new Parser(text).parse();
  }

  private static final class Parser {
    private static final String FORMS =
        "round-robin | random:SEED | pct:SEED:DEPTH:STEPS | lock-step:SEED |"
            + " ordered[:THREAD,...] | explicit[:STEP@THREAD[~VERSION],...], then +weak, +lasso, +fine,"
            + " +stop:THREAD@STEP, +most:STEPS";

    private final String text;

    Parser(String text) {
      this.text = text;
    }

    Schedule parse() {
      String[] parts = text.split("\\+", -1);
      Schedule schedule = kind(parts[0].split(":", -1));
      Set<String> modifiers = new HashSet<>();
      for (int i = 1; i < parts.length; i++) {
        if (!modifiers.add(parts[i].split(":", 2)[0])) {
          throw new IllegalArgumentException(
              "schedule '" + text + "': '+" + parts[i] + "' comes twice; leave one of them out");
        }
        schedule = modifier(parts[i]).apply(schedule);
      }
      return schedule;
    }

    private Schedule kind(String[] word) {
      return switch (word[0] + "/" + (word.length - 1)) {
        case "round-robin/0" -> roundRobin();
        case "random/1" -> randomWalk(number(word[1]));
        case "lock-step/1" -> lockStep(number(word[1]));
        case "pct/3" -> pct(number(word[1]), rank(word[2]), number(word[3]));
        case "ordered/0" -> ordered(List.of());
        case "ordered/1" ->
            ordered(List.of(word[1].split(",", -1)).stream().map(this::rank).toList());
        case "explicit/0" -> explicit(List.of());
        case "explicit/1" ->
            explicit(List.of(word[1].split(",", -1)).stream().map(this::choice).toList());
        default -> throw malformed(String.join(":", word));
      };
    }

    private UnaryOperator<Schedule> modifier(String part) {
      if (part.equals("weak")) {
        return Schedule::withWeakMemory;
      }
      if (part.equals("lasso")) {
        return Schedule::withLassoDetection;
      }
      if (part.equals("fine")) {
        return Schedule::withFineSteps;
      }
      int at = part.indexOf('@');
      if (part.startsWith("stop:") && at > 0) {
        int thread = rank(part.substring(5, at));
        long step = number(part.substring(at + 1));
        return schedule -> schedule.withStoppedThread(thread, step);
      }
      if (part.startsWith("most:")) {
        long most = number(part.substring(5));
        return schedule -> schedule.withMostSteps(most);
      }
      throw malformed(part);
    }

    private Choice choice(String part) {
      int tilde = part.indexOf('~');
      int version = tilde < 0 ? 0 : rank(part.substring(tilde + 1));
      String place = tilde < 0 ? part : part.substring(0, tilde);
      int at = place.indexOf('@');
      if (at < 0 && version == 0) {
        throw malformed(part);
      }
      return at < 0
          ? new Choice(number(place), Choice.NONE, version)
          : new Choice(number(place.substring(0, at)), rank(place.substring(at + 1)), version);
    }

    private int rank(String word) {
      long value = number(word);
      if (value < -1 || value > Integer.MAX_VALUE) {
        throw malformed(word);
      }
      return (int) value;
    }

    private long number(String word) {
      try {
        if (word.matches("-?[0-9]+")) { // Java takes digits of any script, and signs
          return Long.parseLong(word);
        }
      } catch (NumberFormatException e) {
        // Beyond 64 bits.
      }
      throw malformed(word);
    }

    private IllegalArgumentException malformed(String part) {
      return new IllegalArgumentException(
          "schedule '" + text + "': '" + part + "' is not understood; allowed: " + FORMS);
    }
  }
}
