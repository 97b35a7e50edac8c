package io.magpie.examples.cli.commands;

import io.magpie.examples.compare.Progress;
import io.magpie.stm.simulator.Schedule;
import io.magpie.stm.simulator.Simulator;
import io.magpie.verification.explore.Observation;
import io.magpie.verification.explore.Subject;
import java.util.Locale;

/** A subject that tells of each of its runs: an exploration may take minutes. */
final class WatchedSubject implements Subject {
  private final Subject subject;
  private final Progress progress;
  private long steps;
  private boolean found;

  /**
   * @param progress has a step for each run
   */
  WatchedSubject(Subject subject, Progress progress) {
    this.subject = subject;
    this.progress = progress;
  }

  @Override
  public Observation run(Schedule schedule) {
    Observation observed = subject.run(schedule);
    found |= !observed.violations().isEmpty();
    ran(observed.trace());
    return observed;
  }

  @Override
  public Simulator.Trace launch(Schedule schedule) {
    Simulator.Trace trace = subject.launch(schedule);
    ran(trace);
    return trace;
  }

  private void ran(Simulator.Trace trace) {
    steps += trace.steps();
    if (progress != Progress.NONE) { // a run may take microseconds
      progress.tell(
          String.format(
              Locale.ROOT, "%,d steps, %s found", steps, found ? "a violation" : "nothing"));
    }
    progress.advance();
  }

  @Override
  public int threads() {
    return subject.threads();
  }
}
