package io.magpie.verification.explore;

import io.magpie.stm.MagpieException;
import io.magpie.stm.simulator.Schedule;
import io.magpie.stm.simulator.Schedule.Choice;
import io.magpie.stm.simulator.Search;
import io.magpie.stm.simulator.Search.StepLog;
import io.magpie.stm.simulator.Search.StepLog.Step;
import io.magpie.stm.simulator.Simulator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * All schedules of a subject but for equivalent ones: dynamic partial-order reduction, optimal, by
 * wakeup trees (Abdulla, Aronis, Jonsson, Sagonas: Optimal dynamic partial order reduction, POPL
 * 2014; Source sets, JACM 2017). Two runs are equivalent if steps that do not depend on each other,
 * swapped where they follow each other, make one of the other. What depends is in {@code
 * sim/step_log.hpp}: also where attempts begin and end, and who comes first in the serial order, so
 * that whatever is checked of a run comes out the same of an equivalent one.
 *
 * <p>Runs are in fine steps ({@link Schedule#fine}), so that each step does one access, whose
 * address its thread knows before. Where a step comes before another one of another thread that
 * depends on it, and nothing in between orders the two, the run with the second one first is left
 * to be made: as a branch of the tree at the first one's place, unless a branch there, or a thread
 * that sleeps there, leads to an equivalent one. A thread sleeps where all that begins with its
 * step was tried, until a step depends on that.
 *
 * <p>What a read-modify-write that was moved to the front does to its word is only known when it
 * has run; until then it counts as a write. Where that was wrong, branches were left next to it
 * that begin as it does; they go then, so that no later one is taken to be covered by them. A run
 * may still add nothing: it ends early, asleep.
 *
 * <p>With a bound of pauses a thread that would pause once more cannot go on. That depends on what
 * it did itself, so that the reduction holds: what is left out is every run in which some thread
 * pauses more often, and no other.
 */
final class PartialOrderSearch {
  /** A step that is left to be made, and what comes after it. */
  private record Branch(Step step, List<Branch> next) {}

  /** A place in the present run. */
  private static final class Place {
    /** Steps with which all was tried that begins here. */
    final List<Step> asleep;

    /** What is left to be tried, in this order. */
    final List<Branch> left;

    /** The step that was done here, or is to be. */
    Step done;

    Place(List<Step> asleep, List<Branch> left) {
      this.asleep = asleep;
      this.left = left;
    }
  }

  private final long mostPauses;
  private final List<Place> places = new ArrayList<>();
  private int given; // steps of the next run that are given
  private int known; // of those, steps that ran before
  private boolean atEnd;

  /**
   * @param mostPauses of each thread; {@link Strategy#UNBOUNDED} = any number
   */
  PartialOrderSearch(long mostPauses) {
    this.mostPauses = mostPauses;
    places.add(new Place(new ArrayList<>(), new ArrayList<>()));
  }

  /** The next run, after which comes {@link #ran}; empty if all were made. */
  Optional<Schedule> next() {
    if (atEnd) {
      return Optional.empty();
    }
    List<Choice> choices = new ArrayList<>(given);
    for (int i = 0; i < given; i++) {
      choices.add(new Choice(i, places.get(i).done.thread(), 0));
    }
    Search search = new Search(places.get(known).asleep, known, mostPauses);
    return Optional.of(Schedule.explicit(choices).withSearch(search));
  }

  /**
   * Takes in what the run did.
   *
   * @throws MagpieException if it is not the one that was asked for
   * @throws IllegalArgumentException if it is too long
   */
  void ran(Simulator.Trace trace) {
    StepLog log = trace.log();
    if (!log.complete()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a run under dpor took more than %,d steps; take fewer items",
              Search.MOST_STEPS));
    }
    Run run = new Run(log);
    followed(run.steps);
    for (int second = 0; second < run.steps.size(); second++) {
      for (int first : run.races.get(second)) {
        reverse(run, first, second);
      }
    }
    goBack();
  }

  /** Puts the steps of a run into their places. */
  private void followed(List<Step> steps) {
    for (int i = 0; i < given; i++) {
      Step expected = places.get(i).done;
      boolean same =
          i < steps.size()
              && (i < known
                  ? steps.get(i).equals(expected)
                  : steps.get(i).thread() == expected.thread());
      if (!same) {
        throw new MagpieException(
            "dpor: step "
                + i
                + " was "
                + expected
                + " and is "
                + (i < steps.size() ? steps.get(i) : "none")
                + " when it is repeated: runs must depend on nothing but their schedule");
      }
    }
    for (int i = known; i < steps.size(); i++) {
      Place here = places.get(i);
      Step step = steps.get(i);
      if (i < given && !step.equals(here.done)) {
        decided(i, step);
      }
      here.done = step;
      List<Step> asleep = new ArrayList<>();
      for (Step each : here.asleep) {
        if (each.thread() != step.thread() && !each.dependsOn(step)) {
          asleep.add(each);
        }
      }
      if (i + 1 < places.size()) {
        Place planned = places.get(i + 1);
        planned.asleep.clear();
        planned.asleep.addAll(asleep);
      } else {
        places.add(new Place(asleep, new ArrayList<>()));
      }
    }
  }

  /**
   * A step that counted as a write was none. Branches next to it that can begin with it now are not
   * apart from it: they go among those after it.
   */
  private void decided(int at, Step step) {
    List<List<Step>> sequences = new ArrayList<>();
    takeThatMayBegin(step, places.get(at).left, List.of(), sequences);
    for (List<Step> sequence : sequences) {
      List<Step> rest = without(step.thread(), sequence);
      int next = at + 1;
      while (next < given && mayBegin(places.get(next).done, rest)) {
        rest = without(places.get(next).done.thread(), rest);
        next++;
      }
      if (next < given) {
        insert(rest, places.get(next).left);
      }
    }
  }

  /** Moves the sequences of a tree, below {@code begin}, that can begin with a step. */
  private static void takeThatMayBegin(
      Step step, List<Branch> branches, List<Step> begin, List<List<Step>> taken) {
    for (Branch branch : List.copyOf(branches)) {
      List<Step> sequence = new ArrayList<>(begin);
      sequence.add(branch.step);
      boolean isLeaf = branch.next.isEmpty();
      if (!isLeaf) {
        takeThatMayBegin(step, branch.next, sequence, taken);
      } else if (mayBegin(step, sequence)) {
        taken.add(sequence);
      } else {
        continue;
      }
      if (branch.next.isEmpty()) {
        branches.remove(branch);
      }
    }
  }

  /** Leaves to be made the run in which {@code second} comes before {@code first}. */
  private void reverse(Run run, int first, int second) {
    List<Step> sequence = new ArrayList<>();
    for (int i = first + 1; i < run.steps.size(); i++) {
      if (!run.follows(first, i)) {
        sequence.add(run.steps.get(i));
      }
    }
    sequence.add(run.steps.get(second).undecided());
    Place at = places.get(first);
    for (Step each : at.asleep) {
      if (mayBegin(each, sequence)) {
        return;
      }
    }
    insert(sequence, at.left);
  }

  /** Whether a run that begins with this step is equivalent to one that begins with these. */
  private static boolean mayBegin(Step step, List<Step> sequence) {
    for (Step each : sequence) {
      if (each.thread() == step.thread()) {
        return true;
      }
      if (each.dependsOn(step)) {
        return false;
      }
    }
    return true;
  }

  private static void insert(List<Step> sequence, List<Branch> branches) {
    for (Branch branch : branches) {
      if (mayBegin(branch.step, sequence)) {
        if (!branch.next.isEmpty()) {
          insert(without(branch.step.thread(), sequence), branch.next);
        }
        return;
      }
    }
    List<Branch> to = branches;
    for (Step each : sequence) {
      Branch branch = new Branch(each, new ArrayList<>());
      to.add(branch);
      to = branch.next;
    }
  }

  /** The sequence without the thread's first step. */
  private static List<Step> without(int thread, List<Step> sequence) {
    List<Step> rest = new ArrayList<>(sequence);
    for (int i = 0; i < rest.size(); i++) {
      if (rest.get(i).thread() == thread) {
        rest.remove(i);
        break;
      }
    }
    return rest;
  }

  /** To the last place where something is left to be tried, and on along that. */
  private void goBack() {
    places.remove(places.size() - 1); // behind the last step
    while (!places.isEmpty()) {
      Place last = places.get(places.size() - 1);
      last.asleep.add(last.done);
      if (!last.left.isEmpty()) {
        known = places.size() - 1;
        Place place = last;
        while (!place.left.isEmpty()) {
          Branch branch = place.left.remove(0);
          place.done = branch.step;
          place = new Place(new ArrayList<>(), branch.next);
          places.add(place);
        }
        given = places.size() - 1;
        return;
      }
      places.remove(places.size() - 1);
    }
    atEnd = true;
  }

  /** The steps of one run, which of them comes after which, and the races among them. */
  private final class Run {
    final List<Step> steps = new ArrayList<>();

    /** For each step those before it that depend on it, with nothing in between that does. */
    final List<List<Integer>> races = new ArrayList<>();

    /** For each step how many steps of each thread come no later than it. */
    private final List<int[]> clocks = new ArrayList<>();

    /** For each step how many of its thread there are up to it. */
    private final List<Integer> numbers = new ArrayList<>();

    Run(StepLog log) {
      int threads = threadsOf(log);
      int[][] last = new int[threads][threads];
      int[] counts = new int[threads];
      for (Step step : log.steps()) {
        if (step.isMeeting()) {
          meet(step, last);
          continue;
        }
        int[] clock = last[step.thread()].clone();
        List<Integer> found = new ArrayList<>();
        for (int i = steps.size() - 1; i >= 0; i--) {
          Step before = steps.get(i);
          if (clock[before.thread()] < numbers.get(i) && step.dependsOn(before)) {
            found.add(i);
            join(clock, clocks.get(i));
          }
        }
        clock[step.thread()] = ++counts[step.thread()];
        last[step.thread()] = clock;
        steps.add(step);
        races.add(found);
        clocks.add(clock);
        numbers.add(counts[step.thread()]);
      }
    }

    /** Up to the last one that took a step or met: some do not, for want of an item. */
    private static int threadsOf(StepLog log) {
      int last = -1;
      for (Step step : log.steps()) {
        int highest =
            step.isMeeting()
                ? step.thread()
                    - step.bytes()
                    + Long.SIZE
                    - Long.numberOfLeadingZeros(step.address())
                    - 1
                : step.thread();
        last = Math.max(last, highest);
      }
      return last + 1;
    }

    /** The lanes that met go on after all of them came. */
    private void meet(Step meeting, int[][] last) {
      int first = meeting.thread() - meeting.bytes();
      int[] all = new int[last.length];
      for (int lane = 0; lane < Integer.SIZE; lane++) {
        if ((meeting.address() >>> lane & 1) != 0) {
          join(all, last[first + lane]);
        }
      }
      for (int lane = 0; lane < Integer.SIZE; lane++) {
        if ((meeting.address() >>> lane & 1) != 0) {
          last[first + lane] = all.clone();
        }
      }
    }

    private static void join(int[] to, int[] from) {
      Arrays.setAll(to, i -> Math.max(to[i], from[i]));
    }

    /** Whether a step comes after an earlier one in every equivalent run. */
    boolean follows(int first, int second) {
      return clocks.get(second)[steps.get(first).thread()] >= numbers.get(first);
    }
  }
}
