package com.example.matching;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.StmObjects;
import java.util.Arrays;

/** Maximal matchings: edges of which no two meet, and to which no other edge can be added. */
public final class Matching {
  /** The partner of a vertex that has none. */
  public static final int NONE = -1;

  private Matching() {}

  /**
   * Matches vertices; which of all maximal matchings it finds depends on the device's schedule.
   *
   * @param vertices their number; they are counted from 0
   * @param from one end of each edge
   * @param to the other end; a loop is never chosen
   * @return the partner of each vertex, or {@link #NONE}
   */
  public static int[] of(Device device, int vertices, int[] from, int[] to) {
    int[] nobody = new int[vertices];
    Arrays.fill(nobody, NONE);
    try (StmObjects objects = device.objects(vertices);
        DeviceArray<int[]> partner = device.copyOf(nobody);
        DeviceArray<int[]> tails = device.copyOf(from);
        DeviceArray<int[]> heads = device.copyOf(to)) {
      device
          .load("matching")
          .region("match")
          .run(
              from.length,
              new Fields()
                  .set("vertices", objects)
                  .set("partner", partner)
                  .set("from", tails)
                  .set("to", heads))
          .requireComplete();
      return partner.toArray();
    }
  }
}
