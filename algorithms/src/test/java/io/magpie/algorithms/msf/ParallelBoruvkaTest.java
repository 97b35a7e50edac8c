package io.magpie.algorithms.msf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Eight threads choose the edges of one. */
class ParallelBoruvkaTest {
  /** Loops of what runs in a pool are run by it. */
  private static final ForkJoinPool THREADS = new ForkJoinPool(8);

  @AfterAll
  static void close() {
    THREADS.shutdown();
  }

  /**
   * Of equal weights both take the edges of lesser arc, so the edges agree, not only the weight.
   */
  private static void check(Graph graph) {
    for (Objective objective : Objective.values()) {
      MsfResult reference = KruskalReference.run(graph, objective);
      for (int time = 0; time < 4; time++) { // at first loops run alone, see Parallel
        MsfResult result = THREADS.submit(() -> ParallelBoruvka.run(graph, objective)).join();
        assertArrayEquals(reference.arcs(), result.arcs(), graph::toString);
        assertEquals(List.of(), MsfVerifier.verify(result, reference), graph::toString);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "random:n=20000,m=60000,weights=1..100",
        "random:n=500,m=20000,weights=max",
        "random:n=30000,m=10000,weights=1..9",
        "random:n=3000,m=9000,weights=none",
        "complete:n=200,weights=7..7",
        "rmat:scale=12,edges=40000,weights=1..1000",
        "star:n=50000",
        "path:n=50000",
        "road:50000",
        "random:n=500,m=20000,weights=int:-2147483648..2147483647",
        "random:n=500,m=20000,weights=double:-1..1"
      })
  void choosesTheEdgesOfKruskal(String spec) {
    check(GraphGenerators.generate(spec));
  }

  @Test
  void loopsAndParallelEdges() {
    GraphBuilder builder = new GraphBuilder(40, true);
    for (int e = 0; e < 400; e++) {
      builder.addEdge(e * 7 % 40, e * 11 % 37, e % 3);
    }
    check(builder.build());
  }

  /** The hub has the highest number, so all its edges are offered to it by others. */
  @Test
  void hubOfTheHighestNumber() {
    GraphBuilder builder = new GraphBuilder(20_001, true);
    for (int v = 0; v < 20_000; v++) {
      builder.addEdge(v, 20_000, 20_000 - v);
    }
    check(builder.build());
  }

  @Test
  void nothingToUnite() {
    check(new GraphBuilder(0, true).build());
    check(new GraphBuilder(3, true).build());
    check(new GraphBuilder(1, true).addEdge(0, 0, 3).build());
  }
}
