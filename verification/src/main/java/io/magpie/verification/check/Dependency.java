package io.magpie.verification.check;

import java.util.Locale;

/**
 * Why one attempt must come before another.
 *
 * @param from index of the former in its history
 * @param to index of the latter
 * @param kind how they depend
 * @param object the object; -1 for {@link Kind#RT}
 * @param stamp the version that is overwritten (ww, rw) or read (wr), as an unsigned number; 0 for
 *     {@link Kind#RT}
 */
public record Dependency(int from, int to, Kind kind, int object, int stamp) {
  /** Kinds of dependencies. */
  public enum Kind {
    /** It wrote the version that the other overwrote. */
    WW,
    /** It wrote the version that the other read. */
    WR,
    /** It read the version that the other overwrote. */
    RW,
    /** It had ended when the other began. */
    RT;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
