package io.magpie.algorithms.partition;

import io.magpie.algorithms.ResultArrays;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.internal.driver.ResultArray;
import io.magpie.algorithms.resident.ResidentGraph;

/** What is partitioned: a graph in Java's memory, or one without weights on the device. */
sealed interface PartitionInput {

  /** Number of vertices. */
  int vertices();

  /** The graph in Java's memory, copied there by the first call if need be. */
  Graph graph();

  /** Whether edges have weights. */
  boolean weighted();

  /** The weight of each vertex; null if all weigh 1. */
  int[] vertexWeights();

  /** Checks, before any work, that result arrays suit. */
  void check(ResultArrays arrays, String name);

  /** Its weights in units that suit a search. */
  CoarseUnits units(Balance balance);

  /** A graph in Java's memory. */
  record InJava(Graph graph) implements PartitionInput {
    @Override
    public int vertices() {
      return graph.vertices();
    }

    @Override
    public boolean weighted() {
      return graph.weighted();
    }

    @Override
    public int[] vertexWeights() {
      return graph.vertexWeights();
    }

    @Override
    public void check(ResultArrays arrays, String name) {
      graph.requireCounts("partitioning needs");
      ResultArray.check(arrays, graph, name);
    }

    @Override
    public CoarseUnits units(Balance balance) {
      return CoarseUnits.of(graph, balance);
    }
  }

  /** A graph on the device, from which no array comes to Java's memory unless asked for. */
  record OnDevice(ResidentGraph resident) implements PartitionInput {
    @Override
    public int vertices() {
      return resident.vertices();
    }

    @Override
    public Graph graph() {
      return resident.graph();
    }

    @Override
    public boolean weighted() {
      return false;
    }

    @Override
    public int[] vertexWeights() {
      return null;
    }

    @Override
    public void check(ResultArrays arrays, String name) {
      resident.offsets(); // is it open
      if (arrays != null) {
        arrays.requireNames(name);
      }
    }

    @Override
    public CoarseUnits units(Balance balance) {
      return CoarseUnits.ofOnes(balance);
    }
  }
}
