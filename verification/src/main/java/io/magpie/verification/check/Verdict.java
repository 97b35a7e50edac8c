package io.magpie.verification.check;

import java.util.Locale;
import java.util.Optional;

/** What {@link SerializabilityChecker} found out about a history. */
public final class Verdict {
  /** How serializable a history is. */
  public enum Level {
    /** Some serial order that respects real time explains every read and write. */
    STRICTLY_SERIALIZABLE("strictly serializable"),
    /** Some serial order does; whether one does that respects real time was not asked, or none. */
    SERIALIZABLE("serializable"),
    /** None does. */
    NOT_SERIALIZABLE("not serializable");

    private final String title;

    Level(String title) {
      this.title = title;
    }

    @Override
    public String toString() {
      return title;
    }
  }

  /** Whether a history is opaque. */
  public enum Opacity {
    /** Some serial order explains aborted attempts too, and respects real time. */
    OPAQUE("opaque"),
    /** None does. */
    NOT_OPAQUE("not opaque"),
    /** It was not asked. */
    NOT_CHECKED("opacity not checked");

    private final String title;

    Opacity(String title) {
      this.title = title;
    }

    @Override
    public String toString() {
      return title;
    }
  }

  /**
   * What was checked.
   *
   * @param committed attempts that committed
   * @param canceled attempts that their item canceled
   * @param aborted attempts that aborted, checked for opacity only
   * @param accesses logged by all of them
   */
  public record Extent(long committed, long canceled, long aborted, long accesses) {}

  private final Level level;
  private final Finding violation;
  private final Opacity opacity;
  private final Finding opacityViolation;
  private final Extent extent;
  private final int[] serialOrder;

  Verdict(
      Level level,
      Finding violation,
      Opacity opacity,
      Finding opacityViolation,
      Extent extent,
      int[] serialOrder) {
    this.level = level;
    this.violation = violation;
    this.opacity = opacity;
    this.opacityViolation = opacityViolation;
    this.extent = extent;
    this.serialOrder = serialOrder;
  }

  /** How serializable the history is. */
  public Level level() {
    return level;
  }

  /**
   * Why it is not of the next better level: a cycle with real time if it is only serializable.
   * Empty if it is strictly serializable, or serializable and real time was not asked for.
   */
  public Optional<Finding> violation() {
    return Optional.ofNullable(violation);
  }

  /** Whether it is opaque, as far as aborted attempts were logged. */
  public Opacity opacity() {
    return opacity;
  }

  /** Why it is not opaque. */
  public Optional<Finding> opacityViolation() {
    return Optional.ofNullable(opacityViolation);
  }

  /** The worse of the two, of completed attempts and of all; empty if it {@link #passed}. */
  public Optional<Finding> finding() {
    return violation().or(this::opacityViolation);
  }

  /**
   * The completed attempts, by index, in an order that explains them; in real time if the history
   * is strictly serializable.
   *
   * @throws IllegalStateException if the history is not serializable
   */
  public int[] serialOrder() {
    if (serialOrder == null) {
      throw new IllegalStateException("the history has no serial order: it is " + level);
    }
    return serialOrder.clone();
  }

  /** What was checked. */
  public Extent extent() {
    return extent;
  }

  /** Whether all is well that was asked for. */
  public boolean passed() {
    return violation == null && opacityViolation == null;
  }

  private boolean sameAttempts() {
    return violation != null && violation.attempts().equals(opacityViolation.attempts());
  }

  /** The verdict in one line, then what is wrong. Ends with a line feed. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(level).append(", ").append(opacity);
    text.append(
        String.format(
            Locale.ROOT,
            ": %,d committed, %,d canceled, %,d aborted, %,d accesses\n",
            extent.committed,
            extent.canceled,
            extent.aborted,
            extent.accesses));
    if (violation != null) {
      text.append('\n').append(violation);
    }
    if (opacityViolation != null && level != Level.NOT_SERIALIZABLE && !sameAttempts()) {
      text.append("\nNot opaque: ").append(opacityViolation);
    }
    return text.toString();
  }
}
