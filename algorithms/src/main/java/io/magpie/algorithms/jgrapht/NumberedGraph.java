package io.magpie.algorithms.jgrapht;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * A JGraphT graph with its vertices numbered in the order of its vertex set. A copy: later changes
 * of the original do not reach it.
 *
 * @param <V> the type of the vertices
 */
public final class NumberedGraph<V> {
  private final Graph graph;
  private final List<V> vertices;
  private final Map<V, Integer> numbers;

  private NumberedGraph(Graph graph, List<V> vertices, Map<V, Integer> numbers) {
    this.graph = graph;
    this.vertices = vertices;
    this.numbers = numbers;
  }

  /**
   * Copies a graph. Cost: O(vertices + edges).
   *
   * @param original undirected; self-loops and parallel edges are kept. If it is weighted, each
   *     weight is a whole number of 0 to 2^31 - 1
   * @throws IllegalArgumentException if it has directed edges, or another weight; the message names
   *     the edge
   */
  public static <V, E> NumberedGraph<V> of(org.jgrapht.Graph<V, E> original) {
    return of(original, null);
  }

  /**
   * Copies a graph and gives weights to its vertices.
   *
   * @param original as for {@link #of(org.jgrapht.Graph)}
   * @param vertexWeight of each vertex, 0 or more; null if each weighs 1
   * @throws IllegalArgumentException as there, or if a vertex has a negative weight
   */
  public static <V, E> NumberedGraph<V> of(
      org.jgrapht.Graph<V, E> original, ToIntFunction<? super V> vertexWeight) {
    if (!original.getType().isUndirected()) {
      throw new IllegalArgumentException(
          "expected an undirected graph, such as JGraphT's AsUndirectedGraph makes of a directed"
              + " one");
    }
    List<V> vertices = List.copyOf(original.vertexSet());
    Map<V, Integer> numbers = new HashMap<>();
    vertices.forEach(vertex -> numbers.put(vertex, numbers.size()));
    boolean weighted = original.getType().isWeighted();
    GraphBuilder builder = new GraphBuilder(vertices.size(), weighted);
    for (E edge : original.edgeSet()) {
      int u = numbers.get(original.getEdgeSource(edge));
      int v = numbers.get(original.getEdgeTarget(edge));
      if (weighted) {
        builder.addEdge(u, v, wholeWeight(original, edge));
      } else {
        builder.addEdge(u, v);
      }
    }
    Graph graph = builder.build();
    if (vertexWeight != null) {
      graph =
          Graph.of(
              graph.offsets(),
              graph.neighbors(),
              graph.weights(),
              vertices.stream().mapToInt(vertexWeight).toArray());
    }
    return new NumberedGraph<>(graph, vertices, numbers);
  }

  private static <V, E> int wholeWeight(org.jgrapht.Graph<V, E> original, E edge) {
    double weight = original.getEdgeWeight(edge);
    if (weight != (int) weight || weight < 0) {
      throw new IllegalArgumentException(
          "edge "
              + edge
              + " weighs "
              + weight
              + ": expected a whole number from 0 to 2147483647; scale and round the weights first");
    }
    return (int) weight;
  }

  /** The copy. */
  public Graph graph() {
    return graph;
  }

  /** The original's vertices in the order of their numbers. */
  public List<V> vertices() {
    return vertices;
  }

  /** Whether a vertex is one of the graph. */
  public boolean contains(V vertex) {
    return numbers.containsKey(vertex);
  }

  /**
   * The number of a vertex.
   *
   * @throws IllegalArgumentException if it is none of the graph
   */
  public int number(V vertex) {
    Integer number = numbers.get(vertex);
    if (number == null) {
      throw new IllegalArgumentException(vertex + " is not a vertex of the graph");
    }
    return number;
  }
}
