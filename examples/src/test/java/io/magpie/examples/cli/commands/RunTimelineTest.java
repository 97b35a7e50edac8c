package io.magpie.examples.cli.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.examples.cli.commands.RunTimeline.Bar;
import io.magpie.examples.cli.commands.RunTimeline.Ending;
import io.magpie.examples.cli.commands.RunTimeline.Link;
import io.magpie.verification.check.Dependency;
import io.magpie.verification.check.Finding;
import io.magpie.verification.check.SerializabilityChecker;
import io.magpie.verification.explore.AttemptId;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.history.Access;
import io.magpie.verification.history.History;
import io.magpie.verification.history.HistoryBuilder;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RunTimelineTest {
  /** Attempts one after the other, then two that each overwrite what the other has read. */
  private static History skewAfter(int attempts) {
    HistoryBuilder builder = new HistoryBuilder();
    for (int i = 0; i < attempts; i++) {
      builder.thread(i % 3).add(i, 1, 9, History.COMMIT, 10L * i, 10L * i + 5);
    }
    long begin = 10L * attempts;
    return builder
        .thread(7)
        .add(70, 1, 9, History.COMMIT, begin, begin + 9, Access.read(1, 0), Access.write(0, 0))
        .thread(5)
        .add(50, 2, 8, History.COMMIT, begin + 1, begin + 8, Access.read(0, 0), Access.write(1, 0))
        .build();
  }

  private static Optional<Finding> finding(History history) {
    return SerializabilityChecker.check(history, SerializabilityChecker.Options.DEFAULT).finding();
  }

  @Test
  void attemptsEndInTheirWays() {
    History history =
        new HistoryBuilder()
            .thread(1)
            .add(4, 1, 9, History.ABORT + 2, 10, 20)
            .add(4, 2, 9, History.CANCEL, 21, 30)
            .thread(0)
            .add(-1, 1, 8, History.COMMIT, 5, 15)
            .build();
    RunTimeline timeline =
        new RunTimeline.Run(history, "steps")
            .withUnended(List.of(new AttemptId(6, 3, 1), new AttemptId(7, 1, 2)), 40)
            .timeline();
    assertEquals(
        List.of(
            new Bar(2, 7, 1, 0, 40, Ending.UNFINISHED),
            new Bar(0, 0xffffffffL, 1, 5, 15, Ending.COMMITTED),
            new Bar(1, 4, 1, 10, 20, Ending.ABORTED),
            new Bar(1, 4, 2, 21, 30, Ending.CANCELED),
            new Bar(1, 6, 3, 30, 40, Ending.UNFINISHED)),
        timeline.bars());
    assertEquals(Set.of(), timeline.marked());
    assertEquals(List.of(), timeline.links());
    assertEquals("", timeline.title());
    assertEquals("5 attempts", timeline.inWords());
  }

  @Test
  void theAttemptsOfACycleAreMarkedAndLinked() {
    History history = skewAfter(3);
    RunTimeline timeline =
        new RunTimeline.Run(history, "steps")
            .withFinding(finding(history))
            .withViolations(List.of(new Violation(Violation.Kind.NOT_SERIALIZABLE, "a cycle")))
            .timeline();
    assertEquals(Set.of(3, 4), timeline.marked());
    assertEquals(
        Set.of(new Link(3, 4, Dependency.Kind.RW), new Link(4, 3, Dependency.Kind.RW)),
        Set.copyOf(timeline.links()));
    assertEquals("not serializable: write skew", timeline.title());
    assertEquals("5 attempts", timeline.inWords());
  }

  @Test
  void ofAFindingTheTwoAttemptsAreMarked() {
    List<AttemptId> two = List.of(new AttemptId(50, 2, 5), new AttemptId(70, 1, 7));
    Violation violation = new Violation(Violation.Kind.UNGUARDED_ACCESS, "two accesses", two);
    RunTimeline timeline =
        new RunTimeline.Run(skewAfter(1), "steps").withViolations(List.of(violation)).timeline();
    assertEquals(Set.of(1, 2), timeline.marked());
    assertEquals(List.of(new Link(2, 1, null)), timeline.links());
    assertEquals("unguarded access", timeline.title());
  }

  @Test
  void itemsOfOneNumberAreToldApart() {
    History history =
        new HistoryBuilder()
            .thread(0)
            .add(4, 1, 9, History.COMMIT, 10, 20)
            .thread(1)
            .add(4, 1, 9, History.COMMIT, 12, 30)
            .build();
    Violation violation =
        new Violation(Violation.Kind.INVARIANT, "a sum", List.of(new AttemptId(4, 1, 1)));
    RunTimeline timeline =
        new RunTimeline.Run(history, "steps").withViolations(List.of(violation)).timeline();
    assertEquals(
        List.of(1),
        timeline.marked().stream().map(each -> timeline.bars().get(each).thread()).toList());
  }

  @Test
  void ofManyAttemptsTheFirstAreShownOrThoseOfTheViolation() {
    int most = RunTimeline.MOST_ATTEMPTS;
    History history = skewAfter(2 * most);
    RunTimeline first = new RunTimeline.Run(history, "steps").timeline();
    assertEquals(most, first.bars().size());
    assertEquals(0, first.bars().get(0).begin());
    assertEquals(10 * (most - 1), first.bars().get(most - 1).begin());
    assertEquals("200 attempts of 402, the first ones", first.inWords());

    RunTimeline wrong =
        new RunTimeline.Run(history, "steps").withFinding(finding(history)).timeline();
    assertEquals(Set.of(0, 1), wrong.marked());
    assertEquals(List.of(70L, 50L), wrong.bars().stream().map(Bar::item).toList());
    assertEquals("write skew", wrong.title());
    assertEquals("2 attempts of 402, with those of the violation", wrong.inWords());

    RunTimeline early =
        new RunTimeline.Run(skewAfter(most - 2), "steps")
            .withFinding(finding(skewAfter(most - 2)))
            .timeline();
    assertEquals(most, early.bars().size());
    assertEquals(Set.of(most - 2, most - 1), early.marked());
    assertTrue(early.links().stream().allMatch(each -> each.from() >= most - 2));
  }
}
