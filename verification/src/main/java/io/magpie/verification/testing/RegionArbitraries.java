package io.magpie.verification.testing;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** What jqwik itself does not draw for the arguments of regions. */
public final class RegionArbitraries {
  private RegionArbitraries() {}

  /**
   * Graphs, which shrink to few vertices and few edges. Edges may be parallel, and lead from a
   * vertex to itself.
   *
   * @param mostVertices from 1 on; a graph has at least 1
   * @param mostWeight weights are from 0 to this
   */
  public static Arbitrary<CsrGraph> graphs(int mostVertices, int mostEdges, int mostWeight) {
    return Arbitraries.integers()
        .between(1, mostVertices)
        .flatMap(
            vertices -> {
              Arbitrary<Integer> ends = Arbitraries.integers().between(0, vertices - 1);
              Arbitrary<Integer> weights = Arbitraries.integers().between(0, mostWeight);
              return Combinators.combine(ends, ends, weights)
                  .as((from, to, weight) -> new int[] {from, to, weight})
                  .array(int[][].class)
                  .ofMaxSize(mostEdges)
                  .map(edges -> CsrGraph.ofEdges(vertices, edges));
            });
  }
}
