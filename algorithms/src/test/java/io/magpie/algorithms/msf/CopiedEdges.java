package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.WeightType;
import io.magpie.stm.Device;

/** Edges whose numbers follow each other, given to devices as if they computed them. */
final class CopiedEdges implements DeviceEdgeSource {
  private final EdgeSource source;
  private EdgeChunk next;
  private boolean prepared;

  CopiedEdges(EdgeSource source) {
    this.source = source;
  }

  @Override
  public int vertices() {
    return source.vertices();
  }

  @Override
  public WeightType weightType() {
    return source.weightType();
  }

  @Override
  public long edges() {
    return source.edges();
  }

  @Override
  public void next(EdgeChunk chunk) {
    source.next(chunk);
  }

  @Override
  public void prepare(Device device) {
    prepared = true;
  }

  @Override
  public void fill(DeviceEdgeChunk chunk) {
    if (!prepared) {
      throw new IllegalStateException("not prepared");
    }
    if (next == null) {
      next = new EdgeChunk(chunk.capacity(), weightType());
    }
    next.clear();
    source.next(next);
    int count = next.size();
    if (!next.isConsecutive()) {
      throw new IllegalArgumentException("numbers have gaps");
    }
    chunk.sources().copyFrom(next.sources(), 0, 0, count);
    chunk.targets().copyFrom(next.targets(), 0, 0, count);
    chunk.weights().copyFrom(next.weightBits(new int[chunk.capacity()]), 0, 0, count);
    chunk.setConsecutive(count == 0 ? 0 : next.number(0), count);
  }
}
