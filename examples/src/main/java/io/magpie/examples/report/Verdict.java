package io.magpie.examples.report;

import java.util.Locale;
import java.util.Map;

/** What is known of whether a variant's results are right, by sign, word and color. */
final class Verdict {
  private Verdict() {}

  /** The verdict on all runs of a variant. */
  static Element of(Variant variant) {
    Map<String, Long> verdicts = variant.verdicts();
    long all = verdicts.values().stream().mapToLong(count -> count).sum();
    long wrong = verdicts.getOrDefault(Run.WRONG, 0L);
    long verified = verdicts.getOrDefault(Run.VERIFIED, 0L);
    if (wrong > 0) {
      return shown("bad", "\u2717 " + part(wrong, all) + " wrong");
    }
    if (verified == all && all > 0) {
      return shown("good", "\u2713 verified");
    }
    if (verified > 0) {
      return shown("good", "\u2713 " + part(verified, all) + " verified");
    }
    String said = String.join(", ", verdicts.keySet());
    return shown("open", said.isEmpty() ? "\u2013 not recorded" : "\u2013 " + said);
  }

  private static String part(long count, long all) {
    return all == count
        ? String.format(Locale.ROOT, "%,d", count)
        : String.format(Locale.ROOT, "%,d of %,d", count, all);
  }

  private static Element shown(String style, String text) {
    return Element.of("span", text).styled(style);
  }
}
