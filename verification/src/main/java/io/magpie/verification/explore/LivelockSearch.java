package io.magpie.verification.explore;

import io.magpie.stm.simulator.Schedule;
import io.magpie.stm.simulator.Schedule.Choice;
import io.magpie.stm.simulator.Simulator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Visits every state that a subject can reach before its first item ends, under any schedule, and
 * looks for a cycle in which every thread that can go on does: a livelock, under a schedule that is
 * fair. The runs are those of the code itself.
 *
 * <p>A state is what the simulator's traces say: what was stored and where each thread is, without
 * registers. So a cycle is a candidate, and is confirmed by a run that stays in it for {@link
 * #STEPS} steps, in which every thread takes turns; and two states that differ in registers alone
 * count as one, so that what is not found here may still exist: behavior that depends on counts of
 * attempts or polls, or on remembered registrations. The model in {@code src/main/promela} has
 * those. Nor is a cycle found that is fair only because some thread, which could run in other
 * states that lead to it and back, waits in a collective all the way round.
 */
public final class LivelockSearch {
  /** Steps among the states of a cycle that confirm it. */
  public static final int STEPS = 4_000;

  /** Steps that a run does beyond the state it was made for. */
  private static final int BEYOND = 400;

  /** Steps beyond what was visited before a known state must come again. */
  private static final int MOST_EXTRA_STEPS = 4;

  /** Beginnings that are tried in one set of states, and changes of way from each. */
  private static final int TRIES = 200;

  /** Most threads of a subject: they are kept in a byte each. */
  public static final int MOST_THREADS = 256;

  private static final int UNKNOWN = -1;
  private static final int PROGRESS = -2;
  private static final int CANNOT_RUN = -3;

  /**
   * A livelock.
   *
   * @param schedule goes round for {@link #STEPS} steps, where its launch ends at its bound
   * @param begin step at which the cycle begins
   * @param threads the thread of each step from there on
   */
  public record Livelock(Schedule schedule, int begin, List<Integer> threads) {
    public Livelock {
      threads = List.copyOf(threads);
    }
  }

  /**
   * What was visited.
   *
   * @param states different ones
   * @param transitions between them, or to an item's end
   * @param runs made for it
   * @param steps of these runs
   * @param complete whether all reachable states were visited; of those that differ in registers
   *     alone, one
   * @param outOfTime whether it ended because its time was up
   * @param candidates sets of states with a fair cycle
   * @param livelock the first that was confirmed
   * @param fault the schedule of a run that ended with a fault, or in which every thread waits; the
   *     search ends with it
   */
  public record Result(
      int states,
      long transitions,
      long runs,
      long steps,
      boolean complete,
      boolean outOfTime,
      int candidates,
      Optional<Livelock> livelock,
      Optional<Schedule> fault) {}

  private final Subject subject;
  private final int threads;
  private final int mostStates;
  private final Deadline deadline;
  private final Map<Long, Integer> numbers = new HashMap<>();
  private final List<int[]> next = new ArrayList<>();
  private final List<byte[]> taken = new ArrayList<>();
  private int[] foundBy = new int[1024];
  private int[] foundAt = new int[1024];
  private final ArrayDeque<long[]> untried = new ArrayDeque<>();
  private long runs;
  private long steps;
  private boolean complete = true;
  private boolean outOfTime;
  private Schedule fault;

  private LivelockSearch(Subject subject, int mostStates, Deadline deadline) {
    if (subject.threads() > MOST_THREADS) {
      throw new IllegalArgumentException(
          "states are searched with at most "
              + MOST_THREADS
              + " threads, this run has "
              + subject.threads());
    }
    this.subject = subject;
    this.threads = subject.threads();
    this.mostStates = mostStates;
    this.deadline = deadline;
  }

  /**
   * Searches.
   *
   * @param mostStates states after which the search ends, incomplete
   * @throws IllegalArgumentException if the subject has more than 256 threads
   */
  public static Result search(Subject subject, int mostStates) {
    return search(subject, mostStates, Deadline.NEVER);
  }

  /** As {@link #search(Subject, int)}, until its time is up. */
  static Result search(Subject subject, int mostStates, Deadline deadline) {
    LivelockSearch search = new LivelockSearch(subject, mostStates, deadline);
    try {
      search.visit();
    } catch (RunOutOfTimeException e) {
      search.complete = false;
      search.outOfTime = true;
    }
    return search.result();
  }

  private void visit() {
    follow(-1, 0);
    while (!untried.isEmpty() && fault == null) {
      long[] move = untried.pollLast();
      int state = (int) move[0];
      if (next.get(state)[(int) move[1]] == UNKNOWN) {
        outOfTime = deadline.passed();
        if (next.size() >= mostStates || outOfTime) {
          complete = false;
          return;
        }
        follow(state, (int) move[1]);
      }
    }
  }

  /** Runs to a state, lets a thread go on there, and notes all that comes then. */
  private void follow(int state, int thread) {
    List<Integer> path = state < 0 ? new ArrayList<>() : pathTo(state);
    int known = path.size();
    if (known + BEYOND > Simulator.Trace.MOST_STATES) {
      complete = false; // too far from the beginning: a trace would not have all of its states
      return;
    }
    if (state >= 0) {
      path.add(thread);
    }
    Simulator.Trace trace = launch(path, known + BEYOND);
    boolean cut =
        trace.code() == Simulator.Trace.NO_PROGRESS && trace.steps() == (long) known + BEYOND;
    if (trace.code() != Simulator.Trace.OK && !cut) {
      fault = Schedule.explicit(choices(path));
      complete = false;
      return;
    }
    long[] states = trace.states();
    int[] chosen = trace.threads();
    byte[] all = new byte[chosen.length];
    for (int step = 0; step < all.length; step++) {
      all[step] = (byte) chosen[step];
    }
    taken.add(all);
    int at = state < 0 ? number(states[0], 0) : state;
    for (int step = known; step < states.length; step++) {
      int[] successors = next.get(at);
      if (step == known && state >= 0 && chosen[step] != thread) {
        successors[thread] = CANNOT_RUN;
      }
      boolean last = step + 1 == states.length;
      if (last && cut) {
        return;
      }
      int to = last ? PROGRESS : number(states[step + 1], step + 1);
      successors[chosen[step]] = to;
      at = to;
    }
  }

  private Simulator.Trace launch(List<Integer> path, int mostSteps) {
    runs++;
    Simulator.Trace trace =
        subject.launch(Schedule.explicit(choices(path)).withStates().withMostSteps(mostSteps));
    steps += trace.steps();
    return trace;
  }

  /** The number of a state; the last run came to it at a step. */
  private int number(long state, int step) {
    Integer known = numbers.get(state);
    if (known != null) {
      return known;
    }
    int number = next.size();
    if (number == foundBy.length) {
      foundBy = Arrays.copyOf(foundBy, 2 * number);
      foundAt = Arrays.copyOf(foundAt, 2 * number);
    }
    numbers.put(state, number);
    int[] successors = new int[threads];
    Arrays.fill(successors, UNKNOWN);
    next.add(successors);
    foundBy[number] = taken.size() - 1;
    foundAt[number] = step;
    for (int each = 0; each < threads; each++) {
      untried.addLast(new long[] {number, each});
    }
    return number;
  }

  /** The threads of the steps by which a state was found. */
  private List<Integer> pathTo(int state) {
    byte[] run = taken.get(foundBy[state]);
    List<Integer> path = new ArrayList<>();
    for (int step = 0; step < foundAt[state]; step++) {
      path.add(run[step] & 0xff);
    }
    return path;
  }

  private static List<Choice> choices(List<Integer> path) {
    List<Choice> choices = new ArrayList<>(path.size());
    for (int step = 0; step < path.size(); step++) {
      choices.add(new Choice(step, path.get(step), 0));
    }
    return choices;
  }

  // ---- Cycles.

  private Result result() {
    int[] component = components();
    Map<Integer, List<Integer>> members = new HashMap<>();
    for (int state = 0; state < component.length; state++) {
      members.computeIfAbsent(component[state], key -> new ArrayList<>()).add(state);
    }
    int candidates = 0;
    Optional<Livelock> found = Optional.empty();
    for (List<Integer> states : members.values()) {
      if (found.isPresent() || !fair(states, component)) {
        continue;
      }
      candidates++;
      int stride = Math.max(1, states.size() / TRIES);
      for (int i = 0; i < states.size() && found.isEmpty() && !outOfTime; i += stride) {
        outOfTime = deadline.passed();
        try {
          found = confirmed(states.get(i), states, component);
        } catch (RunOutOfTimeException e) {
          outOfTime = true;
        }
      }
    }
    long transitions = 0;
    for (int[] successors : next) {
      for (int to : successors) {
        transitions += to >= 0 || to == PROGRESS ? 1 : 0;
      }
    }
    return new Result(
        next.size(),
        transitions,
        runs,
        steps,
        complete && !outOfTime,
        outOfTime,
        candidates,
        found,
        Optional.ofNullable(fault));
  }

  /** Whether each thread that can run in some of these states has a step that stays among them. */
  private boolean fair(List<Integer> states, int[] component) {
    boolean[] canRun = new boolean[threads];
    boolean[] stays = new boolean[threads];
    for (int state : states) {
      for (int thread = 0; thread < threads; thread++) {
        int to = next.get(state)[thread];
        canRun[thread] |= to != CANNOT_RUN;
        stays[thread] |= to >= 0 && component[to] == component[state];
      }
    }
    return Arrays.equals(canRun, stays);
  }

  /**
   * Goes round among some states, for many steps. Where a run does not come to the state that was
   * expected, because registers differ, it goes on from where it is, or goes another way.
   */
  private Optional<Livelock> confirmed(int start, List<Integer> states, int[] component) {
    boolean[] needed = new boolean[threads];
    for (int state : states) {
      for (int thread = 0; thread < threads; thread++) {
        needed[thread] |= next.get(state)[thread] != CANNOT_RUN;
      }
    }
    List<Integer> path = pathTo(start);
    int begin = path.size();
    int goal = begin + STEPS;
    Set<Long> barred = new HashSet<>();
    int at = start;
    for (int tries = 0; tries < TRIES; tries++) {
      List<Integer> expected = new ArrayList<>();
      int from = path.size();
      if (!plan(at, component[start], needed, component, barred, goal, path, expected)) {
        return Optional.empty();
      }
      Simulator.Trace trace = launch(path, path.size());
      long[] seen = trace.states();
      int step = from;
      while (step < Math.min(seen.length, goal)
          && numbers.getOrDefault(seen[step], -1).equals(expected.get(step - from))) {
        step++;
      }
      if (step == goal) {
        return Optional.of(
            new Livelock(
                Schedule.explicit(choices(path)).withMostSteps(path.size()),
                begin,
                path.subList(begin, path.size())));
      }
      if (step == from) {
        return Optional.empty(); // not even the beginning is what it was
      }
      int actual = step < seen.length ? numbers.getOrDefault(seen[step], -1) : -1;
      if (actual < 0 && step < seen.length) {
        // A state that was not visited: a loop looks at something on every n-th turn only.
        List<Integer> detour = new ArrayList<>(path.subList(0, step));
        actual = outOfDetour(detour, path.get(step - 1));
        if (actual >= 0 && component[actual] == component[start]) {
          path = detour;
          at = actual;
          continue;
        }
        actual = -1;
      }
      if (actual < 0 || !leadsBack(actual, start, component)) {
        // This step left for good: not again.
        step--;
        actual = expected.get(step - from);
        barred.add((long) actual * threads + path.get(step));
      }
      if (component[actual] == component[start] && step > from) {
        // What this step does in truth, here.
        next.get(expected.get(step - from - 1))[path.get(step - 1)] = actual;
      }
      path.subList(step, path.size()).clear();
      at = actual;
    }
    return Optional.empty();
  }

  /** Lets a thread do some steps more until a known state comes; gives it, or -1. */
  private int outOfDetour(List<Integer> path, int thread) {
    for (int more = 0; more < MOST_EXTRA_STEPS; more++) {
      path.add(thread);
      long[] seen = launch(path, path.size() + 1).states();
      if (seen.length <= path.size()) {
        return -1;
      }
      Integer known = numbers.get(seen[path.size()]);
      if (known != null) {
        return known;
      }
    }
    return -1;
  }

  /** Extends a path by tours of all threads up to a length; false if there is no tour. */
  private boolean plan(
      int start,
      int home,
      boolean[] needed,
      int[] component,
      Set<Long> barred,
      int goal,
      List<Integer> path,
      List<Integer> expected) {
    int at = start;
    if (component[at] != home) {
      int size = path.size();
      walk(at, state -> component[state] == home, (state, thread) -> true, path);
      for (int step = size; step < path.size(); step++) {
        expected.add(at);
        at = next.get(at)[path.get(step)];
      }
    }
    while (path.size() < goal) {
      for (int thread = 0; thread < threads; thread++) {
        if (needed[thread]) {
          int whose = thread;
          int size = path.size();
          boolean found =
              walk(
                  at,
                  state -> stays(state, whose, component, barred),
                  (state, each) -> stays(state, each, component, barred),
                  path);
          if (!found) {
            return false;
          }
          path.add(thread);
          for (int step = size; step < path.size(); step++) {
            expected.add(at);
            at = next.get(at)[path.get(step)];
          }
        }
      }
    }
    return true;
  }

  private boolean leadsBack(int state, int start, int[] component) {
    return walk(
        state, at -> component[at] == component[start], (at, each) -> true, new ArrayList<>());
  }

  /** Which step of which thread from which state may be gone. */
  private interface Way {
    boolean open(int state, int thread);
  }

  /** Adds the shortest way to a goal; false if there is none. */
  private boolean walk(int start, IntPredicate goal, Way way, List<Integer> to) {
    Map<Integer, int[]> reached = new HashMap<>();
    ArrayDeque<Integer> queue = new ArrayDeque<>(List.of(start));
    reached.put(start, new int[] {-1, -1});
    while (!queue.isEmpty()) {
      int state = queue.poll();
      if (goal.test(state)) {
        List<Integer> back = new ArrayList<>();
        for (int at = state; reached.get(at)[0] >= 0; at = reached.get(at)[0]) {
          back.add(reached.get(at)[1]);
        }
        Collections.reverse(back);
        to.addAll(back);
        return true;
      }
      for (int each = 0; each < threads; each++) {
        int following = next.get(state)[each];
        if (following >= 0 && way.open(state, each) && !reached.containsKey(following)) {
          reached.put(following, new int[] {state, each});
          queue.add(following);
        }
      }
    }
    return false;
  }

  private boolean stays(int state, int thread, int[] component, Set<Long> barred) {
    int to = next.get(state)[thread];
    return to >= 0
        && component[to] == component[state]
        && !barred.contains((long) state * threads + thread);
  }

  /** The strongly connected component of each state (Tarjan 1972, without recursion). */
  private int[] components() {
    int count = next.size();
    int[] component = new int[count];
    int[] index = new int[count];
    int[] low = new int[count];
    int[] tried = new int[count];
    Arrays.fill(component, -1);
    ArrayDeque<Integer> open = new ArrayDeque<>();
    ArrayDeque<Integer> path = new ArrayDeque<>();
    int counter = 0;
    for (int root = 0; root < count; root++) {
      if (index[root] != 0) {
        continue;
      }
      path.push(root);
      while (!path.isEmpty()) {
        int state = path.peek();
        if (index[state] == 0) {
          index[state] = low[state] = ++counter;
          open.push(state);
        }
        int child = -1;
        while (tried[state] < threads && child < 0) {
          int to = next.get(state)[tried[state]++];
          if (to >= 0 && index[to] == 0) {
            child = to;
          } else if (to >= 0 && component[to] < 0) {
            low[state] = Math.min(low[state], index[to]);
          }
        }
        if (child >= 0) {
          path.push(child);
          continue;
        }
        path.pop();
        if (!path.isEmpty()) {
          low[path.peek()] = Math.min(low[path.peek()], low[state]);
        }
        if (low[state] == index[state]) {
          int member;
          do {
            member = open.pop();
            component[member] = state;
          } while (member != state);
        }
      }
    }
    return component;
  }
}
