package io.magpie.verification.data;

import io.magpie.stm.simulator.AccessTrace;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.explore.Violation.Kind;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;

/** Tells events of a trace in words. */
final class EventText {
  private final AccessTrace trace;
  private final LongFunction<Optional<String>> lines;

  /**
   * @param lines tells the source's line of a place in the code
   */
  EventText(AccessTrace trace, LongFunction<Optional<String>> lines) {
    this.trace = trace;
    this.lines = lines;
  }

  /** A finding on a datum, with two accesses to it. */
  Violation finding(
      Kind kind, String what, String why, Access access, Access other, String remedy) {
    String said = why + ofOneNumber(access.attempt(), other.attempt());
    String told = finding(kind, what, said, line(access), line(other), remedy).text();
    return new Violation(kind, told, List.of(access.attempt().id(), other.attempt().id()));
  }

  /** A finding with two lines; the second may be empty. */
  static Violation finding(
      Kind kind, String what, String why, String first, String second, String remedy) {
    return new Violation(
        kind,
        String.format(
            "%s: %s%n  %s%n%sremedy: %s",
            what, why, first, second.isEmpty() ? "" : String.format("  %s%n", second), remedy));
  }

  String line(Access access) {
    boolean atCommit = access.kind() == AccessTrace.Kind.WRITE_BACK;
    return who(access.attempt())
        + (atCommit ? ", at commit" : part(access.phase()))
        + ", "
        + what(access);
  }

  String line(SlotUse use) {
    return String.format(
        "%s, %s %s%s",
        who(use.attempt()) + part(use.phase()),
        use.frees() ? "frees" : "takes",
        slot(use.pool(), use.slot()),
        at(use.place()));
  }

  /** A slot in words, such as {@code slots[3]}. */
  String slot(long pool, long slot) {
    return trace.inWords(pool + slot * Integer.BYTES);
  }

  /** An attempt in words. */
  static String who(Attempt attempt) {
    return "item " + attempt.item + ", attempt " + attempt.number;
  }

  /** What to say of two attempts of a launch if they are of two items of one number. */
  static String ofOneNumber(Attempt attempt, Attempt other) {
    return attempt.item == other.item && !attempt.isOfItem(other)
        ? "; two items of the launch have the number " + attempt.item
        : "";
  }

  private static String part(int phase) {
    return switch (phase) {
      case AccessTrace.PHASE_APPLY -> ", in apply";
      case AccessTrace.PHASE_COMMITTED -> ", in committed";
      case AccessTrace.PHASE_ROLLED_BACK -> ", in rolled_back";
      case AccessTrace.PHASE_SEEK -> ", in seek";
      case AccessTrace.PHASE_IRREVOCABLE -> ", irrevocable";
      default -> "";
    };
  }

  /** An access in words, without who makes it. */
  String what(Access access) {
    return String.format(
        "%s %s%s%s",
        access.inWords(),
        trace.inWords(access.address()),
        (access.writes() ? " and makes it " : " and gets ")
            + trace.valueInWords(access.address(), access.bytes(), access.value()),
        at(access.place()));
  }

  /** Where in the source a place is; nothing if that is not known. */
  String at(long place) {
    return lines.apply(place).map(found -> " (" + found + ")").orElse("");
  }
}
