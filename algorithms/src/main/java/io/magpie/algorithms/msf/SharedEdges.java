package io.magpie.algorithms.msf;

import io.magpie.algorithms.graph.WeightType;

/**
 * The edges of one source for several readers on threads of their own: each chunk goes to the one
 * that asks first, so a reader's edges come in ascending order of number, too, with gaps. Readers
 * of a {@link DeviceEdgeSource} are such sources.
 */
final class SharedEdges {
  private final EdgeSource source;
  private boolean stopped;

  /**
   * @param source read by these readers alone from now on, and not closed
   */
  SharedEdges(EdgeSource source) {
    this.source = source;
  }

  /** One more reader. */
  EdgeSource reader() {
    return source instanceof DeviceEdgeSource computed ? new DeviceReader(computed) : new Reader();
  }

  /** Ends the edges for all readers. */
  synchronized void stop() {
    stopped = true;
  }

  private synchronized void next(EdgeChunk chunk) {
    if (!stopped) {
      source.next(chunk);
    }
  }

  private synchronized void fill(DeviceEdgeSource computed, DeviceEdgeChunk chunk) {
    if (!stopped) {
      computed.fill(chunk);
    }
  }

  private final class DeviceReader extends Reader implements DeviceEdgeSource {
    private final DeviceEdgeSource computed;

    DeviceReader(DeviceEdgeSource computed) {
      this.computed = computed;
    }

    @Override
    public void fill(DeviceEdgeChunk chunk) {
      SharedEdges.this.fill(computed, chunk);
    }
  }

  private class Reader implements EdgeSource {
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
      SharedEdges.this.next(chunk);
    }
  }
}
