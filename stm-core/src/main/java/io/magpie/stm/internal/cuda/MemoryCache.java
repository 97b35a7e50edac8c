package io.magpie.stm.internal.cuda;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Blocks of GPU memory that were freed and wait for the next array of about their size: the driver
 * takes long to allocate, and stops the GPU to free. Blocks are never split; at most a quarter of
 * one is wasted.
 */
final class MemoryCache {
  private static final long SMALL_STEP = 512;
  private static final long LARGE_STEP = 2L << 20;
  private static final long LARGE = 1L << 20;

  private final boolean keeps;
  private final TreeMap<Long, Deque<Long>> waiting = new TreeMap<>();
  private final Map<Long, Long> sizes = new HashMap<>();
  private long bytes;

  /**
   * @param keeps whether blocks are kept at all
   */
  MemoryCache(boolean keeps) {
    this.keeps = keeps;
  }

  /** The size of a block for this many bytes. */
  static long blockBytes(long bytes) {
    long step = bytes >= LARGE ? LARGE_STEP : SMALL_STEP;
    return (bytes + step - 1) / step * step;
  }

  /** A waiting block of the size, or a little more; 0 if there is none. */
  long take(long size) {
    Map.Entry<Long, Deque<Long>> found = waiting.ceilingEntry(size);
    if (found == null || found.getKey() - size > found.getKey() / 4) {
      return 0;
    }
    long address = found.getValue().pop();
    if (found.getValue().isEmpty()) {
      waiting.remove(found.getKey());
    }
    bytes -= found.getKey();
    return address;
  }

  /** Notes that a block is in use; a block that was taken keeps its size. */
  void use(long address, long size) {
    sizes.putIfAbsent(address, size);
  }

  /** Keeps a block that is no longer in use; false if it is to be freed. */
  boolean giveBack(long address) {
    if (!keeps) {
      sizes.remove(address);
      return false;
    }
    long size = sizes.get(address);
    waiting.computeIfAbsent(size, s -> new ArrayDeque<>()).push(address);
    bytes += size;
    return true;
  }

  /** Bytes that wait. */
  long bytes() {
    return bytes;
  }

  /** Takes out all waiting blocks, to be freed. */
  List<Long> empty() {
    List<Long> all = new ArrayList<>();
    waiting.values().forEach(all::addAll);
    waiting.clear();
    all.forEach(sizes::remove);
    bytes = 0;
    return all;
  }
}
