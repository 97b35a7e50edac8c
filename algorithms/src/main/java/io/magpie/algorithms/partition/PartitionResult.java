package io.magpie.algorithms.partition;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.internal.driver.ResultArray;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** A graph's partition, not checked; see {@link PartitionVerifier}. */
public final class PartitionResult {
  private final int vertices;
  private final Supplier<Graph> graph;
  private final Balance balance;
  private final FixedVertices fixed;
  private final ResultArray<int[]> parts;
  private final long cut;
  private final long[] partWeights;
  private final PartitionReport report;

  /** A result without fixed vertices whose parts are in Java's memory; not copied. */
  PartitionResult(
      Graph graph,
      Balance balance,
      int[] parts,
      long cut,
      long[] partWeights,
      PartitionReport report) {
    this(
        new PartitionInput.InJava(graph),
        balance,
        FixedVertices.NONE,
        ResultArray.of(parts),
        cut,
        partWeights,
        report);
  }

  /**
   * A result.
   *
   * @param graph what was partitioned
   * @param balance what was asked
   * @param fixed vertices that were to be in given parts
   * @param parts for each vertex its part
   * @param cut the weight of the edges between parts
   * @param partWeights the weight of each part; not copied
   * @param report how it was computed, or null
   */
  PartitionResult(
      PartitionInput graph,
      Balance balance,
      FixedVertices fixed,
      ResultArray<int[]> parts,
      long cut,
      long[] partWeights,
      PartitionReport report) {
    this.vertices = graph.vertices();
    this.graph = graph::graph;
    this.balance = Objects.requireNonNull(balance, "balance");
    this.fixed = Objects.requireNonNull(fixed, "fixed");
    this.parts = Objects.requireNonNull(parts, "parts");
    this.cut = cut;
    this.partWeights = Objects.requireNonNull(partWeights, "partWeights");
    this.report = report;
  }

  /**
   * The graph; the one on the device is copied to Java's memory by the first call for it.
   *
   * @throws IllegalStateException if it was on the device, was never copied, and is closed
   */
  public Graph graph() {
    return graph.get();
  }

  /** The number of parts, and what each may weigh. */
  public Balance balance() {
    return balance;
  }

  /** The vertices that were to be in given parts. */
  public FixedVertices fixed() {
    return fixed;
  }

  /**
   * For each vertex its part, 0 to one less than their number; not a copy, unless they stay
   * {@linkplain io.magpie.algorithms.ResultArrays#onDevice on the device}.
   *
   * @throws IllegalStateException if they stay on the device and are first asked for when a later
   *     call has written to the array there, or it is closed
   */
  public int[] parts() {
    return parts.get();
  }

  /** The weight of the edges whose ends lie in different parts, each edge once. */
  public long cut() {
    return cut;
  }

  /** The weight of each part; not a copy. */
  public long[] partWeights() {
    return partWeights;
  }

  /** Whether no part weighs more than it may. */
  public boolean feasible() {
    return IntStream.range(0, partWeights.length).allMatch(p -> partWeights[p] <= balance.limit(p));
  }

  /** How it was computed; empty if it was not on a device. */
  public Optional<PartitionReport> report() {
    return Optional.ofNullable(report);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "PartitionResult[vertices=%d, parts=%d, cut=%d, heaviest=%d, limit=%d]",
        vertices,
        balance.parts(),
        cut,
        Arrays.stream(partWeights).max().orElse(0),
        balance.limit());
  }
}
