package io.magpie.verification.workload;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Recording;
import io.magpie.stm.Region;
import io.magpie.stm.RegionReport;
import io.magpie.stm.StmObjects;
import io.magpie.stm.StmOptions;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.explore.Violation.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Transactions on objects drawn at random, of any number: the module {@code drawn}. */
public final class DrawnWorkload implements Workload {
  private static final int MOST_ACCESSES = 8;

  /**
   * What is drawn. Text form: {@code drawn:objects=64,accesses=8,writes=50,words=2,cancels=0}; what
   * is left out is as in {@link #DEFAULT}.
   *
   * @param objects number of objects, at least 1
   * @param accesses of each transaction, 1 to 8; each reads an object
   * @param writePercent how many of them also write it, 0 to 100
   * @param words 64-bit words of an object, 1 or 2
   * @param cancelPercent how many transactions cancel themselves, by what they read, 0 to 100
   */
  public record Shape(long objects, int accesses, int writePercent, int words, int cancelPercent) {
    /** 1024 objects of one word; 8 accesses, half of them writes; no cancels. */
    public static final Shape DEFAULT = new Shape(1024, MOST_ACCESSES, 50, 1, 0);

    private static final List<String> NAMES =
        List.of("objects", "accesses", "writes", "words", "cancels");
    private static final String FORM =
        "drawn[:objects=N,accesses=1..8,writes=PERCENT,words=1|2,cancels=PERCENT]";

    /** Checks the ranges. */
    public Shape {
      require(objects >= 1 && objects < 1L << 31, "objects", objects, "from 1 to 2^31 - 1");
      require(
          accesses >= 1 && accesses <= MOST_ACCESSES,
          "accesses",
          accesses,
          "from 1 to " + MOST_ACCESSES);
      require(writePercent >= 0 && writePercent <= 100, "writes", writePercent, "from 0 to 100");
      require(words == 1 || words == 2, "words", words, "1 or 2");
      require(
          cancelPercent >= 0 && cancelPercent <= 100, "cancels", cancelPercent, "from 0 to 100");
    }

    private static void require(boolean holds, String name, long value, String range) {
      if (!holds) {
        throw new IllegalArgumentException(name + "=" + value + ": must be " + range);
      }
    }

    /**
     * Reads the text form.
     *
     * @throws IllegalArgumentException if it is malformed
     */
    public static Shape parse(String text) {
      if (!text.matches("drawn(:.*)?")) {
        throw new IllegalArgumentException("'" + text + "': expected " + FORM);
      }
      Map<String, Long> given = new HashMap<>();
      if (text.length() > 5) {
        for (String part : text.substring(6).split(",", -1)) {
          String[] pair = part.split("=", -1);
          if (pair.length != 2
              || !NAMES.contains(pair[0])
              || !pair[1].matches("[0-9]{1,10}")
              || given.put(pair[0], Long.parseLong(pair[1])) != null) {
            throw new IllegalArgumentException("'" + text + "': '" + part + "': expected " + FORM);
          }
        }
      }
      return new Shape(
          given.getOrDefault("objects", DEFAULT.objects),
          value(given, "accesses", DEFAULT.accesses),
          value(given, "writes", DEFAULT.writePercent),
          value(given, "words", DEFAULT.words),
          value(given, "cancels", DEFAULT.cancelPercent));
    }

    private static int value(Map<String, Long> given, String name, int otherwise) {
      return (int) Math.min(Integer.MAX_VALUE, given.getOrDefault(name, (long) otherwise));
    }

    /** The text form. */
    @Override
    public String toString() {
      return "drawn:objects="
          + objects
          + ",accesses="
          + accesses
          + ",writes="
          + writePercent
          + ",words="
          + words
          + ",cancels="
          + cancelPercent;
    }
  }

  private final Device device;
  private final Shape shape;
  private final long seed;
  private final Region region;
  private final StmObjects objects;
  private final DeviceArray<long[]> left;
  private final DeviceArray<long[]> right;
  private final DeviceArray<int[]> torn;
  private final List<AutoCloseable> open = new ArrayList<>();

  /**
   * Makes the objects.
   *
   * @param seed of the draws
   */
  public DrawnWorkload(Device device, Shape shape, long seed) {
    this(device, shape, seed, Map.of());
  }

  /**
   * Makes the objects, for a module compiled with macros defined.
   *
   * @param defines as of {@link Device#load(String, Map)}
   */
  public DrawnWorkload(Device device, Shape shape, long seed, Map<String, String> defines) {
    this.device = device;
    this.shape = shape;
    this.seed = seed;
    try {
      KernelModule module = keep(device.load("drawn", defines));
      this.region = module.region("drawn");
      this.objects = keep(device.objects(shape.objects));
      this.left = keep(device.longs(shape.objects));
      this.right = keep(device.longs(shape.objects));
      this.torn = keep(device.ints(1));
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private <T extends AutoCloseable> T keep(T resource) {
    open.add(resource);
    return resource;
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public Region region() {
    return region;
  }

  @Override
  public List<StmObjects> objects() {
    return List.of(objects);
  }

  @Override
  public void reset() {
    objects.reset();
    left.fill(0);
    right.fill(0);
    torn.fill(0);
  }

  @Override
  public RegionReport record(Recording recording, StmOptions options, long items, long number) {
    return region.record(
        recording,
        options,
        items,
        new Fields()
            .set("objects", objects)
            .set("left", left)
            .set("right", right)
            .set("words", shape.words)
            .set("accesses", shape.accesses)
            .set("writes", of256(shape.writePercent))
            .set("cancels", of256(shape.cancelPercent))
            .set("seed", seed + (number << 32))
            .set("torn", torn));
  }

  private static int of256(int percent) {
    return (percent * 256 + 50) / 100;
  }

  @Override
  public Optional<Violation> complaint() {
    return torn.getInt(0) == 0 || !region.opaque()
        ? Optional.empty()
        : Optional.of(
            new Violation(Kind.TORN_READ, "an attempt saw the two words of an object differ"));
  }

  @Override
  public void close() {
    OpenThings.close(open);
  }
}
