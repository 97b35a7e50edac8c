package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.WeightType;
import java.util.Objects;

/**
 * Edges of an {@link EdgeSource}, as many as fit. Numbers ascend; where they do so by one, only the
 * first is kept. Edges are {@linkplain #add(long, int, int, int) added} one by one, or written to
 * the arrays and then {@linkplain #setConsecutive counted}. Java memory: 12 bytes for each edge
 * that it has room for, 16 if weights are longs or doubles, and 8 more once numbers do not follow
 * each other.
 */
public final class EdgeChunk {
  private final int capacity;
  private final WeightType weightType;
  private final int[] sources;
  private final int[] targets;
  private final int[] intWeights;
  private final long[] longWeights;
  private final float[] floatWeights;
  private final double[] doubleWeights;
  private long[] numbers;
  private boolean consecutive = true;
  private long first;
  private int size;

  /**
   * An empty chunk.
   *
   * @param capacity edges that it has room for, at least 1
   * @param weightType of all weights
   * @throws IllegalArgumentException if there is no room
   */
  public EdgeChunk(int capacity, WeightType weightType) {
    if (capacity < 1) {
      throw new IllegalArgumentException("a chunk holds 1 edge or more, got " + capacity);
    }
    this.capacity = capacity;
    this.weightType = Objects.requireNonNull(weightType, "weightType");
    this.sources = new int[capacity];
    this.targets = new int[capacity];
    this.intWeights = weightType == WeightType.INT ? new int[capacity] : null;
    this.longWeights = weightType == WeightType.LONG ? new long[capacity] : null;
    this.floatWeights = weightType == WeightType.FLOAT ? new float[capacity] : null;
    this.doubleWeights = weightType == WeightType.DOUBLE ? new double[capacity] : null;
  }

  /** Whether weights have 64 bits. */
  static boolean isWide(WeightType type) {
    return type == WeightType.LONG || type == WeightType.DOUBLE;
  }

  /** Whether weights may have fractions. */
  static boolean isFloating(WeightType type) {
    return type == WeightType.FLOAT || type == WeightType.DOUBLE;
  }

  /** The type itself, if devices can compute weights of that type. */
  static WeightType requireNarrow(WeightType type) {
    if (isWide(Objects.requireNonNull(type, "weightType"))) {
      throw new IllegalArgumentException(
          "edges that devices compute have weights of type int or float, got "
              + type
              + "; compute them in Java, as by EdgeSource.inJava, or convert the weights");
    }
    return type;
  }

  /** Edges that it has room for. */
  public int capacity() {
    return capacity;
  }

  /** Edges that it has. */
  public int size() {
    return size;
  }

  /** The type of the weights. */
  public WeightType weightType() {
    return weightType;
  }

  /** One end of each edge, a vertex from 0; not a copy, as long as {@link #capacity}. */
  public int[] sources() {
    return sources;
  }

  /** The other end of each edge; not a copy, as long as {@link #capacity}. */
  public int[] targets() {
    return targets;
  }

  /**
   * The weights if they are ints; not a copy, as long as {@link #capacity}.
   *
   * @throws IllegalStateException if they are not
   */
  public int[] intWeights() {
    return required(intWeights, WeightType.INT);
  }

  /**
   * The weights if they are longs; not a copy, as long as {@link #capacity}.
   *
   * @throws IllegalStateException if they are not
   */
  public long[] longWeights() {
    return required(longWeights, WeightType.LONG);
  }

  /**
   * The weights if they are floats, all finite; not a copy, as long as {@link #capacity}.
   *
   * @throws IllegalStateException if they are not
   */
  public float[] floatWeights() {
    return required(floatWeights, WeightType.FLOAT);
  }

  /**
   * The weights if they are doubles, all finite; not a copy, as long as {@link #capacity}.
   *
   * @throws IllegalStateException if they are not
   */
  public double[] doubleWeights() {
    return required(doubleWeights, WeightType.DOUBLE);
  }

  private <A> A required(A weights, WeightType type) {
    if (weights == null) {
      throw new IllegalStateException("the weights are " + weightType + "s, not " + type + "s");
    }
    return weights;
  }

  /** The array of the weights, of whatever type. */
  Object weights() {
    return switch (weightType) {
      case INT -> intWeights;
      case LONG -> longWeights;
      case FLOAT -> floatWeights;
      case DOUBLE -> doubleWeights;
    };
  }

  /** The weight of an edge. */
  Number weight(int index) {
    Objects.checkIndex(index, size);
    return switch (weightType) {
      case INT -> (Number) intWeights[index];
      case LONG -> (Number) longWeights[index];
      case FLOAT -> (Number) floatWeights[index];
      case DOUBLE -> (Number) doubleWeights[index];
    };
  }

  /** The number of an edge of the chunk. */
  public long number(int index) {
    Objects.checkIndex(index, size);
    return consecutive ? first + index : numbers[index];
  }

  /** Removes all edges. */
  public void clear() {
    size = 0;
    consecutive = true;
  }

  /** Whether there is no room left. */
  public boolean isFull() {
    return size == capacity;
  }

  /**
   * Takes the edges that were written to the arrays, in place of those that it has.
   *
   * @param firstNumber the number of the first; the others follow it
   * @param count how many
   * @throws IndexOutOfBoundsException if there is no room for so many
   */
  public void setConsecutive(long firstNumber, int count) {
    Objects.checkFromIndexSize(0, count, capacity);
    consecutive = true;
    first = firstNumber;
    size = count;
  }

  /**
   * Adds an edge with a weight that is an int.
   *
   * @throws IllegalStateException if there is no room left, or weights are of another type
   */
  public void add(long number, int source, int target, int weight) {
    intWeights()[append(number, source, target)] = weight;
  }

  /**
   * Adds an edge with a weight that is a float.
   *
   * @throws IllegalStateException if there is no room left, or weights are of another type
   */
  public void add(long number, int source, int target, float weight) {
    floatWeights()[append(number, source, target)] = weight;
  }

  /**
   * Adds an edge with a weight that is a long.
   *
   * @throws IllegalStateException if there is no room left, or weights are of another type
   */
  public void add(long number, int source, int target, long weight) {
    longWeights()[append(number, source, target)] = weight;
  }

  /**
   * Adds an edge with a weight that is a double.
   *
   * @throws IllegalStateException if there is no room left, or weights are of another type
   */
  public void add(long number, int source, int target, double weight) {
    doubleWeights()[append(number, source, target)] = weight;
  }

  /** Adds an edge with a weight of the chunk's type. */
  void add(long number, int source, int target, Number weight) {
    switch (weightType) {
      case INT -> add(number, source, target, weight.intValue());
      case LONG -> add(number, source, target, weight.longValue());
      case FLOAT -> add(number, source, target, weight.floatValue());
      case DOUBLE -> add(number, source, target, weight.doubleValue());
    }
  }

  private int append(long number, int source, int target) {
    if (isFull()) {
      throw new IllegalStateException("the chunk has its " + capacity + " edges");
    }
    if (size == 0) {
      first = number;
    } else if (consecutive && number != first + size) {
      writeNumbers();
    }
    if (!consecutive) {
      numbers[size] = number;
    }
    sources[size] = source;
    targets[size] = target;
    return size++;
  }

  private void writeNumbers() {
    roomForNumbers();
    for (int i = 0; i < size; i++) {
      numbers[i] = first + i;
    }
    consecutive = false;
  }

  /** The array of numbers, to be filled before {@link #setNumbered}; not a copy. */
  long[] roomForNumbers() {
    if (numbers == null) {
      numbers = new long[capacity];
    }
    return numbers;
  }

  /** Takes the edges that were written to the arrays, the numbers included. */
  void setNumbered(int count) {
    Objects.checkFromIndexSize(0, count, capacity);
    consecutive = false;
    size = count;
  }

  /** Whether each number follows the one before it. */
  boolean isConsecutive() {
    return consecutive;
  }

  /** The numbers if they do not follow each other; not a copy. */
  long[] numbers() {
    return numbers;
  }

  /**
   * Checks the numbers that a source has filled in.
   *
   * @param above what all must be above
   * @throws IllegalArgumentException that names the first number that is wrong
   */
  void checkNumbers(long above) {
    long last = above;
    int step = consecutive ? Math.max(1, size - 1) : 1;
    for (int i = 0; i < size; i += step) {
      long number = number(i);
      if (number <= last) {
        throw refusedNumber(number, last);
      }
      last = number;
    }
  }

  /**
   * Checks the edges that a source has filled in.
   *
   * @param vertices how many there are
   * @throws IllegalArgumentException that names the first edge that is wrong
   */
  void checkEdges(int vertices) {
    for (int i = 0; i < size; i++) {
      if (!isEdge(sources[i], targets[i], vertices)
          || floatWeights != null && !Float.isFinite(floatWeights[i])
          || doubleWeights != null && !Double.isFinite(doubleWeights[i])) {
        throw refusal(i, vertices);
      }
    }
  }

  /** Refuses an edge that is wrong. */
  IllegalArgumentException refusal(int index, int vertices) {
    return isEdge(sources[index], targets[index], vertices)
        ? refusedWeight(number(index), weight(index))
        : refusedEnds(number(index), sources[index], targets[index], vertices);
  }

  /** Whether both ends are vertices. */
  static boolean isEdge(int source, int target, int vertices) {
    return (source | target) >= 0 && source < vertices && target < vertices;
  }

  /** Refuses a number that is not above the last one, which is -1 if it is the first. */
  static IllegalArgumentException refusedNumber(long number, long last) {
    return new IllegalArgumentException(
        "edge number "
            + number
            + (last < 0 ? " is negative" : " comes after number " + last)
            + "; numbers are from 0, and ascend");
  }

  /** Refuses more edges than there can be. */
  static IllegalArgumentException refusedCount(long known, long given) {
    return new IllegalArgumentException(
        "a source of at most " + known + " edges has given " + given);
  }

  /** Refuses ends of which one is no vertex. */
  static IllegalArgumentException refusedEnds(long number, int source, int target, int vertices) {
    return new IllegalArgumentException(
        "edge number "
            + number
            + " joins "
            + source
            + " and "
            + target
            + "; of "
            + vertices
            + " vertices the last is "
            + (vertices - 1));
  }

  /** Refuses a weight that is not finite. */
  static IllegalArgumentException refusedWeight(long number, Number weight) {
    return new IllegalArgumentException(
        "edge number "
            + number
            + " weighs "
            + weight
            + ", which is not a finite number; leave out edges that must not be chosen");
  }

  /**
   * The bits of weights of 32, in an array of the first {@link #size} or more.
   *
   * @param room is that array if the weights are floats; not used if they are ints
   */
  int[] weightBits(int[] room) {
    if (weightType == WeightType.INT) {
      return intWeights;
    }
    for (int i = 0; i < size; i++) {
      room[i] = Float.floatToRawIntBits(floatWeights[i]);
    }
    return room;
  }

  /**
   * The bits of weights of 64, in an array of the first {@link #size} or more.
   *
   * @param room is that array if the weights are doubles; not used if they are longs
   */
  long[] wideBits(long[] room) {
    if (weightType == WeightType.LONG) {
      return longWeights;
    }
    for (int i = 0; i < size; i++) {
      room[i] = Double.doubleToRawLongBits(doubleWeights[i]);
    }
    return room;
  }

  @Override
  public String toString() {
    return size + " of at most " + capacity + " edges with weights of type " + weightType;
  }
}
