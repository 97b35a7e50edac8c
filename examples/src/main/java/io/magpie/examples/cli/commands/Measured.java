package io.magpie.examples.cli.commands;

import io.magpie.examples.compare.RunRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a comparison has measured so far.
 *
 * @param runs in their order
 * @param unfinished by the index of a contestant whose transactions did not finish, what was left
 */
record Measured(List<RunRecord> runs, Map<Integer, String> unfinished) {
  Measured() {
    this(new ArrayList<>(), new LinkedHashMap<>());
  }

  synchronized void add(RunRecord run) {
    runs.add(run);
  }

  synchronized void leaveOut(int contestant, String why) {
    unfinished.put(contestant, why);
  }

  /** The same as of now, whatever is still added. */
  synchronized Measured copy() {
    return new Measured(List.copyOf(runs), new LinkedHashMap<>(unfinished));
  }

  /** Whether nothing was, nor was tried. */
  synchronized boolean isEmpty() {
    return runs.isEmpty() && unfinished.isEmpty();
  }
}
