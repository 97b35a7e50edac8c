package io.magpie.examples.cli.output;

import io.magpie.stm.RegionReport;
import io.magpie.stm.RegionReport.AbortCause;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** How numbers, times and aborts are shown. */
public final class Counts {
  private Counts() {}

  /** A number with commas. */
  public static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** A number with commas, and what it counts: one of these, or several. */
  public static String number(long value, String one, String several) {
    return number(value) + " " + (value == 1 ? one : several);
  }

  /** Milliseconds to the thousandth. */
  public static String millis(double value) {
    return String.format(Locale.ROOT, "%.3f", value);
  }

  /** A part in percent of a whole, to the tenth. */
  public static String percent(double part, double whole) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * part / whole);
  }

  /** Aborts of all regions together, by cause. */
  public static Map<AbortCause, Long> aborts(List<RegionReport> regions) {
    Map<AbortCause, Long> sums = new EnumMap<>(AbortCause.class);
    for (RegionReport region : regions) {
      region.abortsByCause().forEach((cause, count) -> sums.merge(cause, count, Long::sum));
    }
    return sums;
  }

  /** Aborts by cause for people, such as {@code 12 outranked, 3 stolen}. */
  public static String text(Map<AbortCause, Long> aborts) {
    String text =
        aborts.entrySet().stream()
            .filter(each -> each.getValue() > 0)
            .map(each -> number(each.getValue()) + " " + name(each.getKey()).replace('_', ' '))
            .collect(Collectors.joining(", "));
    return text.isEmpty() ? "none" : text;
  }

  /** Aborts by cause for programs. */
  public static Map<String, Object> json(Map<AbortCause, Long> aborts) {
    Map<String, Object> value = new LinkedHashMap<>();
    aborts.forEach((cause, count) -> value.put(name(cause), count));
    return value;
  }

  /** A cause's name for programs. */
  public static String name(AbortCause cause) {
    return cause.name().toLowerCase(Locale.ROOT);
  }
}
