package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.algorithms.msf.StreamingForest.Arrived;

/** Edges that the device computes. */
final class ComputedEdges implements ArrivingEdges {
  private final DeviceEdgeSource source;
  private final Launches launches;
  private final DeviceEdgeChunk chunk;
  private final long known;
  private final SummedTimes filling;
  private long edges;
  private long last = -1;

  /**
   * @param known the most edges that there can be
   */
  ComputedEdges(
      DeviceEdgeSource source, Launches launches, Scratch scratch, int capacity, long known) {
    this.source = source;
    this.known = known;
    this.launches = launches;
    this.filling = new SummedTimes(launches.device());
    this.chunk =
        new DeviceEdgeChunk(
            source.weightType(),
            scratch.ints("chunk sources", capacity),
            scratch.ints("chunk targets", capacity),
            scratch.ints("chunk weights", capacity));
  }

  @Override
  public Arrived next() {
    chunk.clear();
    long expected = Math.min(chunk.capacity(), known - edges);
    filling.add(() -> launches.primitives("fill", expected, () -> source.fill(chunk)));
    if (chunk.size() > 0) {
      long first = chunk.first();
      long end = first + chunk.size() - 1;
      if (first <= last) {
        throw EdgeChunk.refusedNumber(first, last);
      }
      if (end < first) {
        throw EdgeChunk.refusedNumber(end, first);
      }
      last = end;
      edges += chunk.size();
    }
    return new Arrived(
        chunk.sources(), chunk.targets(), chunk.weights(), null, null, chunk.first(), chunk.size());
  }

  @Override
  public IllegalArgumentException refusal(int place, int vertices) {
    long number = chunk.first() + place;
    int u = chunk.sources().getInt(place);
    int v = chunk.targets().getInt(place);
    if (EdgeChunk.isEdge(u, v, vertices) && chunk.weightType() == WeightType.FLOAT) {
      float weight = Float.intBitsToFloat(chunk.weights().getInt(place));
      return EdgeChunk.refusedWeight(number, weight);
    }
    return EdgeChunk.refusedEnds(number, u, v, vertices);
  }

  @Override
  public double waitMillis() {
    return 0;
  }

  @Override
  public double uploadMillis() {
    return 0;
  }

  @Override
  public double kernelMillis() {
    return filling.millis();
  }

  /** The arrays are the scratch memory's. */
  @Override
  public void close() {
    filling.close();
  }
}
