package io.magpie.verification.testing;

import io.magpie.stm.FieldKind;
import io.magpie.stm.Policy;
import io.magpie.stm.simulator.Schedule;
import io.magpie.verification.explore.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** What is told of a check that fails. */
final class FailureText {
  /** Characters of a command: longer ones no shell takes. */
  private static final int MOST = 100_000;

  private final RegionCheck check;
  private final String spec;
  private final String region;
  private final Map<String, FieldKind> fields;
  private Supplier<Optional<String>> unjudged = Optional::empty;

  FailureText(RegionCheck check, String spec, String region, Map<String, FieldKind> fields) {
    this.check = check;
    this.spec = spec;
    this.region = region;
    this.fields = fields;
  }

  /**
   * Has failures tell what was left open.
   *
   * @param left asked when a check has failed
   */
  void leaves(Supplier<Optional<String>> left) {
    unjudged = left;
  }

  /** A failure without a wrong run. */
  RegionFailure unchecked(String why) {
    StringBuilder more = new StringBuilder();
    addUnjudged(more);
    return new RegionFailure(
        "region "
            + region
            + " of "
            + check.source.where()
            + " on "
            + spec
            + ": "
            + why
            + rows(more.toString()),
        List.of(),
        null);
  }

  private void addUnjudged(StringBuilder rows) {
    unjudged.get().ifPresent(left -> add(rows, "left open", left));
  }

  /**
   * A wrong run.
   *
   * @param how which run it was
   * @param schedule null if none was chosen
   * @param before choices of the schedule before it was made small
   */
  RegionFailure wrong(String how, Schedule schedule, int before, List<Violation> wrong) {
    StringBuilder more = new StringBuilder();
    add(more, "found by", how);
    if (schedule != null) {
      int choices = schedule.choices().size();
      add(
          more,
          "schedule",
          schedule
              + (before > choices ? " (" + before + " choices before it was made small)" : ""));
    }
    if (schedule != null && check.source.file() != null && !Judgment.made(wrong.get(0))) {
      String command = command(schedule);
      if (command.length() <= MOST) {
        add(more, "replay", command);
      }
    }
    addUnjudged(more);
    add(more, "in Java", java(schedule));
    String violations =
        wrong.stream().map(each -> "\n" + each + "\n").collect(Collectors.joining());
    String title = wrong.get(0).kind().words() + " on " + spec;
    return new RegionFailure(
        "region "
            + region
            + " of "
            + check.source.where()
            + ": "
            + title
            + rows(more.toString())
            + violations,
        wrong,
        schedule == null ? null : schedule.toString());
  }

  private String rows(String more) {
    StringBuilder rows = new StringBuilder("\n");
    for (Argument each : check.arguments) {
      add(rows, each.field(), each.shown());
    }
    add(rows, "items", Long.toString(check.items));
    return rows.append(more).toString();
  }

  private static void add(StringBuilder rows, String name, String value) {
    rows.append(String.format(Locale.ROOT, "  %-11s %s%n", name, value));
  }

  private String command(Schedule schedule) {
    List<String> words =
        new ArrayList<>(List.of(LaunchCommand.near(check.source.file()), "verify"));
    words.addAll(List.of("--region", check.source.word()));
    for (Argument each : check.arguments) {
      each.words(fields).forEach(word -> words.addAll(List.of("--arg", word)));
    }
    words.addAll(List.of("--items", Long.toString(check.items), "--device", spec));
    if (check.policy != Policy.HAND_OFF) {
      words.addAll(List.of("--policy", check.policy.name().toLowerCase(Locale.ROOT)));
    }
    if (check.policy.storesAtCommit()) { // others take neither
      if (check.leavesOutOtherOrder) {
        words.add("--no-other-order");
      }
      check.slotArrays.forEach(each -> words.addAll(List.of("--slots", each)));
    }
    words.addAll(List.of("--replay", schedule.toString()));
    return words.stream().map(FailureText::quoted).collect(Collectors.joining(" "));
  }

  /** A word as a shell takes it. */
  private static String quoted(String word) {
    return word.matches("[A-Za-z0-9_./:=,@+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  /** The check as a test has it, without what it must hold, a call a line. */
  private String java(Schedule schedule) {
    List<String> calls = new ArrayList<>(List.of(check.source.call()));
    check.arguments.forEach(each -> calls.add(each.call()));
    calls.add(".items(" + check.items + ")");
    calls.add(".on(\"" + spec + "\")");
    if (check.policy != Policy.HAND_OFF) {
      calls.add(".policy(Policy." + check.policy + ")");
    }
    if (check.leavesOutOtherOrder) {
      calls.add(".leaveOutOtherOrder()");
    }
    for (String each : check.slotArrays) {
      calls.add(".slots(\"" + each.replace("=", "\", \"") + "\")");
    }
    if (schedule != null) {
      calls.add(".replay(\"" + schedule + "\")");
    }
    return String.join("\n" + " ".repeat(18), calls);
  }
}
