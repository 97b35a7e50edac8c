package io.magpie.stm.internal;

/**
 * A parsed device specification.
 *
 * @param kind which device
 * @param index the GPU's number; {@code cuda} only
 * @param threads host threads, 0 = one for each processor; {@code cpu} only
 * @param checked whether bounds are tested; {@code cpu} only, {@code sim} always does
 * @param seed schedule, 0 = round robin; {@code sim} only
 * @param width threads of a warp; {@code sim} only
 */
public record DeviceSpec(Kind kind, int index, int threads, boolean checked, long seed, int width) {
  /** What comes before the first colon. */
  public enum Kind {
    AUTO,
    CUDA,
    CPU,
    SIM
  }

  /** The forms that are allowed, for messages and help texts. */
  public static final String ALLOWED =
      "auto | cuda[:number] | cpu[:threads] | cpu-checked[:threads] | sim[:seed[:width]]";

  private static final int MOST_THREADS = 1024;

  /**
   * Reads a specification.
   *
   * @throws IllegalArgumentException if it is none of {@link #ALLOWED}, or a number is out of range
   */
  public static DeviceSpec parse(String spec) {
    String[] part = spec.split(":", -1);
    int most = part[0].equals("sim") ? 3 : part[0].equals("auto") ? 1 : 2;
    if (part.length > most) {
      throw bad(spec, "'" + part[0] + "' takes at most " + (most - 1) + " numbers");
    }
    return switch (part[0]) {
      case "auto" -> new DeviceSpec(Kind.AUTO, 0, 0, false, 0, 0);
      case "cuda" ->
          new DeviceSpec(
              Kind.CUDA, (int) number(spec, part, 1, "device", 0, 0, 65535), 0, false, 0, 0);
      case "cpu", "cpu-checked" ->
          new DeviceSpec(
              Kind.CPU,
              0,
              (int) number(spec, part, 1, "threads", 0, 1, MOST_THREADS),
              part[0].equals("cpu-checked"),
              0,
              0);
      case "sim" ->
          new DeviceSpec(
              Kind.SIM,
              0,
              0,
              true,
              number(spec, part, 1, "seed", 0, 0, Long.MAX_VALUE),
              (int) number(spec, part, 2, "width", 32, 1, 32));
      default -> throw bad(spec, "there is no machine '" + part[0] + "'");
    };
  }

  private static long number(
      String spec, String[] part, int at, String name, long absent, long least, long most) {
    if (at >= part.length) {
      return absent;
    }
    try {
      // Java takes digits of any script, and signs.
      long value = part[at].matches("-?[0-9]+") ? Long.parseLong(part[at]) : Long.MIN_VALUE;
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // reported below, with the range
    }
    throw bad(
        spec,
        name
            + " must be a number from "
            + least
            + " to "
            + (most == Long.MAX_VALUE ? "2^63-1" : Long.toString(most))
            + ", got '"
            + part[at]
            + "'");
  }

  private static IllegalArgumentException bad(String spec, String why) {
    return new IllegalArgumentException("device '" + spec + "': " + why + "; allowed: " + ALLOWED);
  }
}
