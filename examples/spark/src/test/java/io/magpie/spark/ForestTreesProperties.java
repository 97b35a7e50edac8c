package io.magpie.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.algorithms.graph.WeightType;
import io.magpie.spark.TestEdges.Edge;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** What edges show of a forest, against JGraphT's. */
class ForestTreesProperties {
  /** The ways in which a forest is made another one; of some it may stay what it was. */
  private enum Change {
    NONE,
    LEFT_OUT,
    ADDED,
    REPLACED,
    OTHER_END,
    OTHER_WEIGHT,
    OTHER_NUMBER,
    NOT_IN_ORDER
  }

  @Property(tries = 600)
  void onlyTheForestIsRight(
      @ForAll long seed,
      @ForAll @IntRange(min = 2, max = 20) int vertices,
      @ForAll @IntRange(max = 60) int count,
      @ForAll @IntRange(min = 1, max = 9) int weights,
      @ForAll WeightType type,
      @ForAll boolean maximum,
      @ForAll Change change,
      @ForAll boolean shuffled) {
    Random random = new Random(seed);
    List<Edge> edges = new ArrayList<>();
    for (Edge edge : TestEdges.random(seed, vertices, count, weights)) { // with gaps in numbers
      edges.add(new Edge(3 * edge.id() + 1, edge.source(), edge.target(), edge.weight()));
    }
    TreeMap<Long, Edge> right = new TreeMap<>();
    List<Long> ids = new ArrayList<>(TestEdges.forest(edges, maximum));
    edges.stream().filter(edge -> ids.contains(edge.id())).forEach(e -> right.put(e.id(), e));
    List<Edge> chosen = new ArrayList<>(right.values());
    change(chosen, change, edges, vertices, random);
    List<Edge> rows = new ArrayList<>(edges);
    if (shuffled) {
      Collections.shuffle(rows, random);
    }
    assertEquals(
        chosen.equals(new ArrayList<>(right.values())),
        isRight(chosen, rows, vertices, type, !maximum, random));
  }

  private static void change(
      List<Edge> chosen, Change change, List<Edge> edges, int vertices, Random random) {
    if (edges.isEmpty() || chosen.isEmpty()) {
      return;
    }
    int at = random.nextInt(chosen.size());
    Edge edge = chosen.get(at);
    Edge any = edges.get(random.nextInt(edges.size()));
    switch (change) {
      case NONE -> {}
      case LEFT_OUT -> chosen.remove(at);
      case ADDED, REPLACED -> {
        if (change == Change.REPLACED) {
          chosen.remove(at);
        }
        if (!chosen.contains(any)) {
          chosen.add(any);
          chosen.sort((a, b) -> Long.compare(a.id(), b.id()));
        }
      }
      case OTHER_END ->
          chosen.set(
              at,
              new Edge(edge.id(), edge.source(), (edge.target() + 1) % vertices, edge.weight()));
      case OTHER_WEIGHT ->
          chosen.set(at, new Edge(edge.id(), edge.source(), edge.target(), edge.weight() + 1));
      case OTHER_NUMBER ->
          chosen.set(at, new Edge(edge.id() + 1, edge.source(), edge.target(), edge.weight()));
      case NOT_IN_ORDER -> Collections.swap(chosen, at, chosen.size() - 1);
    }
  }

  /** In blocks of some size, with the edges that came in common. */
  private static boolean isRight(
      List<Edge> chosen,
      List<Edge> rows,
      int vertices,
      WeightType type,
      boolean minimum,
      Random random) {
    RowReader.Rows all = rows(chosen, type);
    ForestArrays forest = new ForestArrays(all.numbers, all.sources, all.targets, all.keys);
    ForestTrees trees = new ForestTrees(forest, vertices, type, minimum);
    if (trees.fault() != null) {
      return false;
    }
    BitSet came = new BitSet();
    for (int from = 0, to; from < rows.size(); from = to) {
      to = Math.min(rows.size(), from + 1 + random.nextInt(20));
      if (trees.judge(rows(rows.subList(from, to), type), to - from, came) != null) {
        return false;
      }
    }
    return came.cardinality() == chosen.size();
  }

  private static RowReader.Rows rows(List<Edge> edges, WeightType type) {
    RowReader.Rows rows = new RowReader.Rows(edges.size());
    for (int i = 0; i < edges.size(); i++) {
      rows.numbers[i] = edges.get(i).id();
      rows.sources[i] = edges.get(i).source();
      rows.targets[i] = edges.get(i).target();
      rows.keys[i] = key(edges.get(i).weight(), type);
    }
    return rows;
  }

  private static long key(long weight, WeightType type) {
    return switch (type) {
      case INT, LONG -> weight;
      case FLOAT -> Keys.of(weight / 4f);
      case DOUBLE -> Keys.of(weight / 4.0);
    };
  }

  @Property(tries = 100)
  void weightsAddUp(@ForAll List<Long> values, @ForAll WeightType type) {
    BigDecimal expected = BigDecimal.ZERO;
    ForestArrays path =
        new ForestArrays(
            new long[values.size()],
            new int[values.size()],
            new int[values.size()],
            new long[values.size()]);
    for (int i = 0; i < values.size(); i++) {
      long value = type == WeightType.INT ? values.get(i).intValue() : values.get(i);
      expected =
          expected.add(
              switch (type) {
                case INT, LONG -> new BigDecimal(value);
                case FLOAT -> new BigDecimal(value / 4f);
                case DOUBLE -> new BigDecimal(value / 4.0);
              });
      path.numbers()[i] = i;
      path.targets()[i] = i + 1;
      path.sources()[i] = i;
      path.keys()[i] = key(value, type);
    }
    ForestTrees trees = new ForestTrees(path, values.size() + 1, type, true);
    assertEquals(0, expected.compareTo(trees.weight()));
  }

  @Property(tries = 20)
  void anEdgeThatComesTwiceIsWrong(@ForAll @IntRange(max = 9) int weight) {
    List<Edge> one = List.of(new Edge(7, 0, 1, weight));
    ForestArrays forest =
        new ForestArrays(new long[] {7}, new int[] {0}, new int[] {1}, new long[] {weight});
    ForestTrees trees = new ForestTrees(forest, 2, WeightType.INT, true);
    BitSet came = new BitSet();
    assertEquals(null, trees.judge(rows(one, WeightType.INT), 1, came));
    assertEquals(
        new ForestTrees.Wrong(0, "two edges have the number 7", 0),
        trees.judge(rows(one, WeightType.INT), 1, came));
  }
}
