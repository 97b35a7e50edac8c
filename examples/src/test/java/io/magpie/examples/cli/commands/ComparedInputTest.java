package io.magpie.examples.cli.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.examples.compare.Progress;
import io.magpie.examples.input.GeneratedGraph;
import io.magpie.examples.input.Input;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparedInputTest {
  private static final Input PATH = GeneratedGraph.of("path:3");

  /** The task that a progress shows. */
  private static String shown(ComparedInput input) {
    List<String> tasks = new ArrayList<>();
    Progress progress =
        new Progress() {
          @Override
          public void begin(String task, long steps) {
            tasks.add(task + " " + steps);
          }

          @Override
          public void advance() {
            tasks.add("step");
          }

          @Override
          public void tell(String more) {
            tasks.add(more);
          }

          @Override
          public void close() {
            tasks.add("end");
          }
        };
    try (Progress prefixed = new PrefixedProgress(progress, input.progress())) {
      prefixed.begin("generating", -1);
      prefixed.advance();
      prefixed.tell("more");
    }
    return String.join(", ", tasks);
  }

  @Test
  void progressSaysWhichInputItIs() {
    assertEquals(
        "2 of 9, W-like: generating -1, step, more, end",
        shown(new ComparedInput(PATH, "thesis-3.2", "W-like", 2, 9)));
    assertEquals("generating -1, step, more, end", shown(ComparedInput.given(PATH, "thesis-3.2")));
  }
}
