package io.magpie.algorithms.graph;

import io.magpie.algorithms.internal.GeneratorSpec;
import io.magpie.algorithms.internal.OrderedBits;
import io.magpie.algorithms.internal.Parallel;
import java.util.Map;
import java.util.Objects;

/**
 * The edges of a generated graph by their number, without the graph: for the kinds {@code random}
 * and {@code rmat} of {@link GraphGenerators}, whose edges are functions of their number and whose
 * weights are functions of the ends. They are those of the graph of the same spec, but there may be
 * more of them than a graph can hold. Safe for use by several threads at once.
 */
public final class GeneratedEdges {
  /** The most edges: numbers are drawn from with some bits to spare. */
  static final long MAX_EDGES = 1L << 48;

  private final GeneratorSpec parsed;
  private final String spec;
  private final int vertices;
  private final long count;
  private final NumberedEnds ends;
  private final DrawnWeights weight;

  GeneratedEdges(
      GeneratorSpec parsed, int vertices, long count, NumberedEnds ends, DrawnWeights weight) {
    this.parsed = parsed;
    this.spec = parsed.complete();
    this.vertices = vertices;
    this.count = count;
    this.ends = ends;
    this.weight = weight;
  }

  /**
   * Parses a spec.
   *
   * @param spec such as {@code rmat:scale=20,edges=10G}; up to 2^48 edges
   * @throws IllegalArgumentException when the kind or a parameter is unknown, missing or out of
   *     range, when the kind has no edges by number, or when the spec says {@code directed}
   */
  public static GeneratedEdges parse(String spec) {
    return GraphGenerators.edges(Objects.requireNonNull(spec, "spec"));
  }

  /**
   * Whether {@link #parse} takes a spec, as far as its kind tells.
   *
   * @param spec of a graph
   * @throws IllegalArgumentException when the kind or the name of a parameter is unknown
   */
  public static boolean hasKind(String spec) {
    return GraphGenerators.hasEdges(Objects.requireNonNull(spec, "spec"));
  }

  /**
   * The same kind with one more parameter.
   *
   * @param parameter such as {@code seed} or {@code weights}
   * @param value as in a spec
   * @return a changed copy
   * @throws IllegalArgumentException if the parameter was given already, or the value is bad
   */
  public GeneratedEdges with(String parameter, String value) {
    return GraphGenerators.edges(parsed.with(parameter, value));
  }

  /** Whether a spec named a parameter, as {@link #with} does. */
  public boolean has(String parameter) {
    return parsed.has(parameter);
  }

  /** What cannot be had by number. */
  static IllegalArgumentException refusal(GeneratorSpec spec) {
    return spec.unsuitable(
        "its edges cannot be had one by one; expected random or rmat, undirected");
  }

  /** Number of vertices. */
  public int vertices() {
    return vertices;
  }

  /** Number of edges; self-loops count. */
  public long count() {
    return count;
  }

  /** Whether edges have weights, as they have unless the spec says {@code weights=none}. */
  public boolean isWeighted() {
    return weight != null;
  }

  /** The type of the weights; {@link WeightType#INT} if there are none. */
  public WeightType weightType() {
    return weight == null ? WeightType.INT : weight.type();
  }

  /**
   * Computes edges that follow each other, on the common pool.
   *
   * @param first the number of the first, from 0
   * @param length how many, so that the last is before {@link #count}
   * @param sources receives one end of each, from index 0
   * @param targets receives the other
   * @param weights receives the weights, 1 where there are none: an {@code int[]}, {@code long[]},
   *     {@code float[]} or {@code double[]} as {@link #weightType} says
   * @throws IndexOutOfBoundsException if there are no such edges, or an array is too short
   * @throws IllegalArgumentException if {@code weights} has another type
   */
  public void fill(long first, int length, int[] sources, int[] targets, Object weights) {
    Objects.checkFromIndexSize(first, length, count);
    Objects.checkFromIndexSize(0, length, sources.length);
    Objects.checkFromIndexSize(0, length, targets.length);
    Objects.checkFromIndexSize(0, length, ArcWeights.lengthOf(weightType(), weights));
    Parallel.forRanges(
        length,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            long edge = ends.edge(first + i);
            sources[i] = (int) (edge >>> 32);
            targets[i] = (int) edge;
          }
          weigh(from, to, sources, targets, weights);
        });
  }

  private void weigh(int from, int to, int[] sources, int[] targets, Object weights) {
    for (int i = from; i < to; i++) {
      long key = weight == null ? 1 : weight.of(sources[i], targets[i]);
      switch (weightType()) {
        case INT -> ((int[]) weights)[i] = (int) key;
        case LONG -> ((long[]) weights)[i] = key;
        case FLOAT -> ((float[]) weights)[i] = OrderedBits.toFloat((int) key);
        case DOUBLE -> ((double[]) weights)[i] = OrderedBits.toDouble(key);
      }
    }
  }

  /**
   * How an edge follows from its number, for code that computes the same elsewhere, as the module
   * {@code edges} does on devices.
   */
  public Formula formula() {
    return new Formula(
        parsed.kind(),
        Map.copyOf(ends.constants()),
        weight == null ? null : weight.range(),
        weight == null ? 0 : weight.key());
  }

  /**
   * How an edge follows from its number.
   *
   * @param kind {@code random} or {@code rmat}
   * @param constants what its ends depend on besides the number, an Integer or a Long each, by the
   *     names that the module {@code edges} gives them; numbers of 32 and 64 bits without a sign
   * @param weights the range that weights are drawn from; null if there are none
   * @param weightKey names the random numbers that draw them; 0 if there are none
   */
  public record Formula(
      String kind, Map<String, Number> constants, WeightRange weights, long weightKey) {}

  /** The complete spec, defaults included. */
  public String spec() {
    return spec;
  }

  @Override
  public String toString() {
    return spec;
  }
}
