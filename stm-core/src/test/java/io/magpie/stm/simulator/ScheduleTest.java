package io.magpie.stm.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.simulator.Schedule.Choice;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "round-robin",
        "random:17",
        "random:-3+weak",
        "pct:5:3:60+lasso",
        "lock-step:9+most:1000",
        "ordered",
        "ordered:3,0,2+lasso",
        "explicit",
        "explicit:0@0",
        "explicit:3@1,5@-1,7@2~1,9~2+weak+lasso+stop:2@40+most:77"
      })
  void theTextFormIsReadAsItWasWritten(String text) {
    assertEquals(text, Schedule.parse(text).toString());
  }

  @Test
  void theTextFormSaysEverything() {
    assertEquals(
        Schedule.explicit(
                List.of(new Choice(3, 1, 0), new Choice(7, 2, 1), new Choice(9, Choice.NONE, 2)))
            .withWeakMemory()
            .withLassoDetection()
            .withStoppedThread(2, 40)
            .withMostSteps(77),
        Schedule.parse("explicit:3@1,7@2~1,9~2+weak+lasso+stop:2@40+most:77"));
    assertEquals(Schedule.pct(5, 3, 60), Schedule.parse("pct:5:3:60"));
    assertEquals(Schedule.lockStep(9), Schedule.parse("lock-step:9"));
    assertEquals(Schedule.randomWalk(17), Schedule.parse("random:17"));
    assertEquals(Schedule.roundRobin(), Schedule.parse("round-robin"));
  }

  @Test
  void aReplayKeepsAllButWhoChooses() {
    List<Choice> choices = List.of(new Choice(1, 2, 0));
    assertEquals(
        Schedule.explicit(choices).withWeakMemory().withStoppedThread(1, 4).withMostSteps(9),
        Schedule.pct(1, 2, 3)
            .withWeakMemory()
            .withStoppedThread(1, 4)
            .withMostSteps(9)
            .withChoices(choices));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "random",
        "random:x",
        "pct:1:2",
        "pct:1:0:5",
        "pct:1:2:0",
        "round-robin:1",
        "explicit:",
        "explicit:3",
        "explicit:3@",
        "explicit:3@1@2",
        "explicit:3@-2",
        "explicit:-1@2",
        "explicit:3@1~-1",
        "explicit:3@99999999999",
        "explicit:3@1,3@2",
        "explicit:4@1,3@2",
        "random:1+strong",
        "random:1+stop:1",
        "random:1+stop:1@-1",
        "random:1+most:-1",
        "random:\u0663",
        "random:+3",
        "explicit:1@0+weak+weak",
        "random:1+lasso+weak+lasso",
        "random:1+most:3+most:4"
      })
  void whatIsMalformedIsRefused(String text) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Schedule.parse(text));
    assertTrue(
        e.getMessage().startsWith("schedule '" + text + "': ")
            || e.getMessage().contains(" must be "),
        e::getMessage);
  }
}
