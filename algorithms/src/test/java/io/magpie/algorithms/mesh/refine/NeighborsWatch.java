package io.magpie.algorithms.mesh.refine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.refine.RefinementReport.Round;
import io.magpie.stm.Device;
import java.util.BitSet;
import java.util.Map;

/**
 * Looks at the mesh after each launch: no triangle may have two vertices that it inserted. Such
 * there are just where an insertion's cavity had a triangle that the same launch had made. For the
 * fan of its vertex then joins it to another one of the launch, and the fan of the last such
 * insertion stays.
 */
final class NeighborsWatch {
  private final BitSet known = new BitSet();
  private RefinementRun run;
  private int recycled;

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
    return watch.recycled;
  }

  private void look(Round round) {
    MeshKernels kernels = run.kernels();
    int[] records = run.mesh().triangles().toArray();
    BitSet now = new BitSet();
    for (int at = 0; at < records.length; at += kernels.recordWords) {
      if ((records[at + kernels.flagsWord] & kernels.live) == 0) {
        continue;
      }
      int inserted = 0;
      for (int k = 0; k < 3; k++) {
        now.set(records[at + k]);
        inserted += known.get(records[at + k]) ? 0 : 1;
      }
      assertTrue(inserted < 2, () -> "two vertices of one launch are neighbors: " + round);
    }
    int numbers = known.length();
    now.andNot(known);
    recycled += now.get(0, numbers).cardinality();
    known.or(now);
  }
}
