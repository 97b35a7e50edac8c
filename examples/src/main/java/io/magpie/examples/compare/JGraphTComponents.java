package io.magpie.examples.compare;

import io.magpie.algorithms.graph.Graph;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jgrapht.alg.connectivity.ConnectivityInspector;
import org.jgrapht.graph.DefaultEdge;
import org.jgrapht.graph.Pseudograph;

/** JGraphT's ConnectivityInspector on JGraphT's general graph. */
final class JGraphTComponents implements Comparison.Program {
  private final Pseudograph<Integer, DefaultEdge> graph = new Pseudograph<>(DefaultEdge.class);
  private final int[] labels;

  /**
   * Copies a graph into JGraphT's form.
   *
   * @param labels for each vertex the least one of its component
   */
  JGraphTComponents(Graph source, int[] labels) {
    this.labels = labels;
    for (int v = 0; v < source.vertices(); v++) {
      graph.addVertex(v);
    }
    for (int v = 0; v < source.vertices(); v++) {
      for (long a = source.offset(v); a < source.offset(v + 1); a++) {
        int u = source.neighbors()[(int) a];
        if (u >= v) {
          graph.addEdge(v, u);
        }
      }
    }
  }

  @Override
  public Comparison.Outcome run() {
    // A new one each time: it keeps what it has found.
    return Timed.once(() -> new ConnectivityInspector<>(graph).connectedSets(), this::mistake);
  }

  private Optional<String> mistake(List<Set<Integer>> sets) {
    int vertices = 0;
    for (Set<Integer> set : sets) {
      int label = labels[set.iterator().next()];
      for (int v : set) {
        if (labels[v] != label) {
          return Optional.of("vertices " + label + " and " + v + " are in one set");
        }
      }
      vertices += set.size();
    }
    long components = 0;
    for (int v = 0; v < labels.length; v++) {
      components += labels[v] == v ? 1 : 0;
    }
    return vertices == labels.length && sets.size() == components
        ? Optional.empty()
        : Optional.of(
            vertices
                + " vertices in "
                + sets.size()
                + " sets, expected "
                + labels.length
                + " in "
                + components);
  }
}
