package com.example.matching;

import io.magpie.stm.Device;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Matches a random graph on the devices that are named, else on {@code cpu} and {@code sim}. */
public final class Main {
  private static final int VERTICES = 10_000;
  private static final int EDGES = 30_000;

  private Main() {}

  public static void main(String[] devices) {
    int[] from = new SplittableRandom(1).ints(EDGES, 0, VERTICES).toArray();
    int[] to = new SplittableRandom(2).ints(EDGES, 0, VERTICES).toArray();
    for (String spec : devices.length > 0 ? List.of(devices) : List.of("cpu", "sim")) {
      try (Device device = Device.open(spec)) {
        int[] partner = Matching.of(device, VERTICES, from, to);
        long matched = Arrays.stream(partner).filter(p -> p != Matching.NONE).count();
        System.out.printf("%s: %,d of %,d vertices have a partner%n", device, matched, VERTICES);
      }
    }
  }
}
