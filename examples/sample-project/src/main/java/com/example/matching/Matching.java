package com.example.matching;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.RegionReport;
import io.magpie.stm.StmObjects;
import io.magpie.stm.StmOptions;
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
    return run(device, new Edges(vertices, from, to), StmOptions.defaults()).partner();
  }

  /**
   * What a run found, and how it went.
   *
   * @param partner of each vertex, or {@link #NONE}
   * @param report times and counts of its transactions
   */
  record Result(int[] partner, RegionReport report) {}

  static long pairs(int[] partner) {
    return Arrays.stream(partner).filter(p -> p != NONE).count() / 2;
  }

  /** As {@link #of}, with options for its transactions. */
  static Result run(Device device, Edges edges, StmOptions options) {
    int[] nobody = new int[edges.vertices()];
    Arrays.fill(nobody, NONE);
    try (StmObjects objects = device.objects(edges.vertices());
        DeviceArray<int[]> partner = device.copyOf(nobody);
        DeviceArray<int[]> tails = device.copyOf(edges.from());
        DeviceArray<int[]> heads = device.copyOf(edges.to())) {
      RegionReport report =
          device
              .load("matching")
              .region("match")
              .run(
                  options,
                  edges.size(),
                  new Fields()
                      .set("vertices", objects)
                      .set("partner", partner)
                      .set("from", tails)
                      .set("to", heads))
              .requireComplete();
      return new Result(partner.toArray(), report);
    }
  }
}
