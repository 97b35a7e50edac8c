package io.magpie.algorithms.mesh.refine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.refine.RefinementReport.Round;
import io.magpie.stm.Device;
import java.util.BitSet;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Looks at the mesh after each launch: no two vertices that it inserted at fixed edges may be
 * neighbors. Such there are just where an insertion whose cavity met a fixed edge went on although
 * the same launch had made a triangle of the cavity: its fan joins its vertex to another one of the
 * launch. The triangles of a fan have its vertex first, and of those at a fixed edge none can be
 * changed again by the launch, as whoever would has this edge on its rim, and waits.
 */
final class NeighborsWatch {
  /** The flags of the three edges of a triangle: mesh.cuh. */
  private static final int FIXED = 7;

  private final BitSet known = new BitSet();
  private RefinementRun run;
  private int recycled;
  private int seen;

  private NeighborsWatch() {}

  /**
   * Refines by transactions.
   *
   * @return how many vertices were inserted under numbers below those of earlier ones
   */
  static int recycledNumbers(Device device, Mesh input, RefinementOptions options) {
    NeighborsWatch watch = new NeighborsWatch();
    watch.known.set(0, input.vertices());
    try (RefinementRun run =
        new RefinementRun(
            device,
            input,
            options.withMaximumVertices(Refinements.VERTICES),
            Map.of(),
            watch::look,
            Long.MAX_VALUE)) {
      watch.run = run;
      run.run(System.nanoTime(), null);
    }
    assertTrue(watch.seen > 0, "nothing was inserted at a fixed edge: another input is needed");
    return watch.recycled;
  }

  private void look(Round round) {
    MeshKernels kernels = run.kernels();
    int[] records = run.mesh().triangles().toArray();
    BitSet now = new BitSet();
    BitSet atFixed = new BitSet(); // inserted at fixed edges
    for (int at = 0; at < records.length; at += kernels.recordWords) {
      int flags = records[at + kernels.flagsWord];
      if ((flags & kernels.live) == 0) {
        continue;
      }
      for (int k = 0; k < 3; k++) {
        now.set(records[at + k]);
      }
      if ((flags & FIXED) != 0 && !known.get(records[at])) {
        atFixed.set(records[at]);
      }
    }
    seen += atFixed.cardinality();
    for (int at = 0; at < records.length; at += kernels.recordWords) {
      if ((records[at + kernels.flagsWord] & kernels.live) != 0) {
        int of = at;
        long found = IntStream.range(0, 3).filter(k -> atFixed.get(records[of + k])).count();
        assertTrue(found < 2, () -> "two vertices of one launch are neighbors: " + round);
      }
    }
    int numbers = known.length();
    now.andNot(known);
    recycled += now.get(0, numbers).cardinality();
    known.or(now);
  }
}
