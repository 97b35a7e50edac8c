package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.internal.Elapsed;
import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.algorithms.msf.StreamingForest.Arrived;
import io.magpie.stm.DeviceArray;

/**
 * Edges that another thread fills in while the device works on those before, and that are copied
 * there, which checks them.
 */
final class UploadedEdges implements ArrivingEdges {
  private final Scratch scratch;
  private final int capacity;
  private final ChunkReader reader;
  private final DeviceArray<int[]> sources;
  private final DeviceArray<int[]> targets;
  private final DeviceArray<int[]> weights;
  private final DeviceArray<long[]> wide; // null for weights of 32 bits
  private final int[] weightBits; // of a chunk, for floats
  private final long[] wideBits; // of a chunk, for doubles
  private EdgeChunk chunk;
  private double uploadMillis;

  UploadedEdges(EdgeSource source, Scratch scratch, int capacity) {
    this.scratch = scratch;
    this.capacity = capacity;
    this.sources = scratch.ints("chunk sources", capacity);
    this.targets = scratch.ints("chunk targets", capacity);
    this.weights = scratch.ints("chunk weights", capacity);
    WeightType type = source.weightType();
    this.wide = EdgeChunk.isWide(type) ? scratch.longs("chunk wide", capacity) : null;
    this.weightBits = type == WeightType.FLOAT ? new int[capacity] : null;
    this.wideBits = type == WeightType.DOUBLE ? new long[capacity] : null;
    this.reader = new ChunkReader(source, capacity);
  }

  @Override
  public Arrived next() {
    chunk = reader.next();
    int count = chunk.size();
    if (count == 0) {
      return new Arrived(sources, targets, weights, wide, null, 0, 0);
    }
    long begin = System.nanoTime();
    sources.copyFrom(chunk.sources(), 0, 0, count);
    targets.copyFrom(chunk.targets(), 0, 0, count);
    if (wide == null) {
      weights.copyFrom(chunk.weightBits(weightBits), 0, 0, count);
    } else {
      wide.copyFrom(chunk.wideBits(wideBits), 0, 0, count);
    }
    DeviceArray<long[]> numbers = null;
    if (!chunk.isConsecutive()) {
      numbers = scratch.longs("chunk_numbers", capacity);
      numbers.copyFrom(chunk.numbers(), 0, 0, count);
    }
    uploadMillis += Elapsed.millisSince(begin);
    return new Arrived(sources, targets, weights, wide, numbers, chunk.number(0), count);
  }

  @Override
  public IllegalArgumentException refusal(int place, int vertices) {
    return chunk.refusal(place, vertices);
  }

  @Override
  public double waitMillis() {
    return reader.waitMillis();
  }

  @Override
  public double uploadMillis() {
    return uploadMillis;
  }

  @Override
  public double kernelMillis() {
    return 0;
  }

  @Override
  public void close() {
    reader.close();
  }
}
