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
import org.junit.jupiter.api.Tag;
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
  private static void check(Graph graph, int times) {
    for (Objective objective : Objective.values()) {
      MsfResult reference = KruskalReference.run(graph, objective);
      for (int time = 0; time < times; time++) { // at first loops run alone, see Parallel
        MsfResult result = THREADS.submit(() -> ParallelBoruvka.run(graph, objective)).join();
        assertArrayEquals(reference.arcs(), result.arcs(), graph::toString);
        assertEquals(List.of(), MsfVerifier.verify(result, reference), graph::toString);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "random:n=5000,m=15000,weights=1..100",
        "random:n=300,m=5000,weights=max",
        "random:n=5000,m=2000,weights=1..9",
        "random:n=2000,m=6000,weights=none",
        "complete:n=100,weights=7..7",
        "rmat:scale=10,edges=8000,weights=1..1000",
        "star:n=5000",
        "path:n=5000",
        "road:5000",
        "random:n=300,m=5000,weights=int:-2147483648..2147483647",
        "random:n=300,m=5000,weights=double:-1..1"
      })
  void choosesTheEdgesOfKruskal(String spec) {
    check(GraphGenerators.generate(spec), 2);
  }

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "random:n=20000,m=60000,weights=1..100",
        "random:n=500,m=20000,weights=max",
        "random:n=30000,m=10000,weights=1..9",
        "rmat:scale=12,edges=40000,weights=1..1000",
        "complete:n=200,weights=7..7",
        "star:n=50000",
        "path:n=50000",
        "road:50000"
      })
  void choosesTheEdgesOfKruskalInLargeGraphs(String spec) {
    check(GraphGenerators.generate(spec), 4);
  }

  @Test
  void loopsAndParallelEdges() {
    GraphBuilder builder = new GraphBuilder(40, true);
    for (int e = 0; e < 400; e++) {
      builder.addEdge(e * 7 % 40, e * 11 % 37, e % 3);
    }
    check(builder.build(), 2);
  }

  /** The hub has the highest number, so all its edges are offered to it by others. */
  @Test
  void hubOfTheHighestNumber() {
    GraphBuilder builder = new GraphBuilder(5_001, true);
    for (int v = 0; v < 5_000; v++) {
      builder.addEdge(v, 5_000, 5_000 - v);
    }
    check(builder.build(), 2);
  }

  @Test
  void nothingToUnite() {
    check(new GraphBuilder(0, true).build(), 1);
    check(new GraphBuilder(3, true).build(), 1);
    check(new GraphBuilder(1, true).addEdge(0, 0, 3).build(), 1);
  }
}
