package io.magpie.spark;

import io.magpie.algorithms.graph.WeightType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * The trees of a forest, by which edges are judged without a device or another forest. Its edges
 * are united in the order of weight and number, the smaller tree below the larger without
 * shortening ways: so links come later the higher they are, and the last edge of the path of two
 * vertices is the last link on their ways up to where these meet.
 *
 * <p>Time: O(log vertices) for each edge. Memory: 36 bytes for each vertex; 44 while edges are
 * sorted, and 52 if the heaviest are wanted.
 */
final class ForestTrees {
  /** The place of what no edge links. */
  private static final int NONE = Integer.MAX_VALUE;

  /** The place of an edge that has no number of the forest's. */
  static final int OTHER = -1;

  private final ForestArrays forest;
  private final WeightType weightType;
  private final boolean minimum;

  /** Trees; roots are their own parent. */
  private final int[] parent;

  /** The place in the order of the edge that linked a vertex to its parent. */
  private final int[] link;

  /** The forest's edges in the order of weight and number. */
  private final int[] order;

  private final String fault;

  /**
   * @param forest as it was found, which may be none
   * @param minimum whether the lightest edges are wanted
   */
  ForestTrees(ForestArrays forest, int vertices, WeightType weightType, boolean minimum) {
    this.forest = forest;
    this.weightType = weightType;
    this.minimum = minimum;
    parent = IntStream.range(0, vertices).toArray();
    link = new int[vertices];
    Arrays.fill(link, NONE);
    long[] keys = forest.keys();
    if (!minimum) {
      keys = Arrays.stream(keys).map(key -> ~key).toArray();
    }
    order = RadixOrder.sorted(keys, IntStream.range(0, forest.edges()).toArray());
    fault = unite();
  }

  /** Why it is no forest; null if it is. */
  String fault() {
    return fault;
  }

  private String unite() {
    for (int i = 1; i < forest.edges(); i++) {
      if (forest.numbers()[i] <= forest.numbers()[i - 1]) {
        return "the number " + forest.numbers()[i] + " of a chosen edge does not ascend";
      }
    }
    int[] size = new int[parent.length];
    Arrays.fill(size, 1);
    for (int i = 0; i < order.length; i++) {
      int edge = order[i];
      if (i > 0 && !isBefore(order[i - 1], edge)) {
        throw new IllegalStateException("the weights of a forest are not in order");
      }
      int u = root(forest.sources()[edge]);
      int v = root(forest.targets()[edge]);
      if (u == v) {
        return "edge number " + forest.numbers()[edge] + " closes a cycle";
      }
      int below = size[u] < size[v] ? u : v;
      int above = below == u ? v : u;
      parent[below] = above;
      link[below] = i;
      size[above] += size[below];
    }
    return null;
  }

  private int root(int vertex) {
    int v = vertex;
    while (parent[v] != v) {
      v = parent[v];
    }
    return v;
  }

  private boolean isBefore(int edge, int other) {
    return isBefore(forest.keys()[edge], forest.numbers()[edge], other);
  }

  /** Whether an edge of a weight and a number is before one of the forest. */
  private boolean isBefore(long key, long number, int other) {
    int byWeight = compared(key, forest.keys()[other]);
    return byWeight == 0 ? number < forest.numbers()[other] : byWeight < 0 == minimum;
  }

  private int compared(long key, long other) {
    return switch (weightType) {
      case INT, LONG -> Long.compare(key, other);
      case FLOAT -> Float.compare(Keys.toFloat(key), Keys.toFloat(other));
      case DOUBLE -> Double.compare(Keys.toDouble(key), Keys.toDouble(other));
    };
  }

  private Number weight(long key) {
    return switch (weightType) {
      case INT, LONG -> (Number) key;
      case FLOAT -> (Number) Keys.toFloat(key);
      case DOUBLE -> (Number) Keys.toDouble(key);
    };
  }

  /** The sum of the weights. */
  BigDecimal weight() {
    if (weightType.isFloating()) {
      BigDecimal sum = BigDecimal.ZERO;
      for (long key : forest.keys()) {
        sum = sum.add(new BigDecimal(weight(key).doubleValue()));
      }
      return sum;
    }
    long high = 0;
    long low = 0;
    for (long key : forest.keys()) {
      high += key >> Integer.SIZE;
      low += key & 0xffffffffL;
    }
    return new BigDecimal(
        BigInteger.valueOf(high).shiftLeft(Integer.SIZE).add(BigInteger.valueOf(low)));
  }

  /**
   * Judges rows of edges, and takes down which of them the forest has.
   *
   * @param count how many rows
   * @param came the places of those that came, to which new ones are added
   * @return what the first that is wrong shows; null if none is
   */
  Wrong judge(RowReader.Rows rows, int count, BitSet came) {
    int place = -1;
    for (int i = 0; i < count; i++) {
      long number = rows.numbers[i];
      place = place(number, place + 1);
      String wrong =
          place >= 0
              ? ofChosen(rows, i, place, came.get(place))
              : ofOther(number, rows.sources[i], rows.targets[i], rows.keys[i]);
      if (wrong != null) {
        return new Wrong(i, wrong, Math.max(place, OTHER));
      }
      if (place >= 0) {
        came.set(place);
      } else {
        place = -place - 2;
      }
    }
    return null;
  }

  /**
   * An edge that is wrong.
   *
   * @param row which of the rows
   * @param reason a sentence
   * @param place which edge of the forest it has the number of, though it is not like that one, or
   *     that one has come before; {@link #OTHER} if it has another number
   */
  record Wrong(int row, String reason, int place) {}

  /** The number of one of the forest's edges. */
  long number(int place) {
    return forest.numbers()[place];
  }

  /**
   * Where an edge is among those of the forest; as {@link Arrays#binarySearch} if it is not.
   *
   * @param next where it is if it is the next one
   */
  private int place(long number, int next) {
    long[] numbers = forest.numbers();
    boolean after = next == 0 || numbers[next - 1] < number;
    if (after && (next == numbers.length || number <= numbers[next])) {
      return next < numbers.length && number == numbers[next] ? next : -next - 1;
    }
    return Arrays.binarySearch(numbers, number);
  }

  private String ofChosen(RowReader.Rows rows, int row, int place, boolean again) {
    int u = rows.sources[row];
    int v = rows.targets[row];
    int x = forest.sources()[place];
    int y = forest.targets()[place];
    boolean sameEnds = u == x && v == y || u == y && v == x;
    if (again) {
      return "two edges have the number " + rows.numbers[row];
    }
    return sameEnds && rows.keys[row] == forest.keys()[place]
        ? null
        : "edge number "
            + rows.numbers[row]
            + " joins "
            + u
            + " and "
            + v
            + " and weighs "
            + weight(rows.keys[row])
            + ", the chosen one of that number "
            + x
            + " and "
            + y
            + ", and "
            + weight(forest.keys()[place]);
  }

  private String ofOther(long number, int u, int v, long key) {
    if (u == v) {
      return null;
    }
    int last = lastOfPath(u, v);
    if (last == NONE) {
      return "edge number " + number + " joins " + u + " and " + v + ", which the forest does not";
    }
    int other = order[last];
    return isBefore(key, number, other)
        ? "edge number "
            + number
            + " joins "
            + u
            + " and "
            + v
            + " and weighs "
            + weight(key)
            + "; the forest joins them over edge number "
            + forest.numbers()[other]
            + " of weight "
            + weight(forest.keys()[other])
            + ", which comes later"
        : null;
  }

  /** The place in the order of the last edge of a path; {@link #NONE} if there is no path. */
  private int lastOfPath(int from, int to) {
    int u = from;
    int v = to;
    int last = -1;
    while (u != v) {
      // The earlier of the two links is below the meeting point.
      boolean first = link[u] < link[v];
      last = first ? link[u] : link[v];
      if (last == NONE) {
        return NONE;
      }
      u = first ? parent[u] : u;
      v = first ? v : parent[v];
    }
    return last;
  }
}
