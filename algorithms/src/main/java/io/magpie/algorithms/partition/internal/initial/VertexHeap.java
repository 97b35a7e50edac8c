package io.magpie.algorithms.partition.internal.initial;

import java.util.Arrays;

/**
 * A priority queue of vertices whose gains change, the highest first: a binary heap that knows
 * where each vertex is.
 */
final class VertexHeap {
  /** Gain in the upper half, vertex in the lower. */
  private final long[] heap;

  /** Where each vertex is in the heap; -1 if it is not. */
  private final int[] place;

  private int size;

  /** An empty queue for the vertices {@code 0 .. vertices - 1}. */
  VertexHeap(int vertices) {
    heap = new long[vertices];
    place = new int[vertices];
    Arrays.fill(place, -1);
  }

  boolean isEmpty() {
    return size == 0;
  }

  boolean contains(int vertex) {
    return place[vertex] >= 0;
  }

  /** The gain of a vertex, which must be in. */
  int gain(int vertex) {
    return (int) (heap[place[vertex]] >> 32);
  }

  /** The first vertex; the queue must not be empty. */
  int first() {
    return (int) heap[0];
  }

  /** The gain of the first vertex; the queue must not be empty. */
  int firstGain() {
    return (int) (heap[0] >> 32);
  }

  /** Inserts a vertex, or changes its gain. */
  void set(int vertex, int gain) {
    long entry = ((long) gain << 32) | vertex;
    int at = place[vertex];
    if (at < 0) {
      up(size++, entry);
    } else if (entry > heap[at]) {
      up(at, entry);
    } else if (entry < heap[at]) {
      down(at, entry);
    }
  }

  /** Takes the first vertex out; the queue must not be empty. */
  int pop() {
    int vertex = first();
    remove(vertex);
    return vertex;
  }

  /** Takes a vertex out, if it is in. */
  void remove(int vertex) {
    int at = place[vertex];
    if (at < 0) {
      return;
    }
    place[vertex] = -1;
    long last = heap[--size];
    long old = heap[at];
    if (last > old) {
      up(at, last);
    } else if (last < old) {
      down(at, last);
    }
  }

  void clear() {
    for (int i = 0; i < size; i++) {
      place[(int) heap[i]] = -1;
    }
    size = 0;
  }

  private void up(int from, long entry) {
    int at = from;
    while (at > 0) {
      int parent = (at - 1) >> 1;
      long other = heap[parent];
      if (other > entry) {
        break;
      }
      put(at, other);
      at = parent;
    }
    put(at, entry);
  }

  private void down(int from, long entry) {
    int at = from;
    for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && heap[child + 1] > heap[child]) {
        child++;
      }
      long other = heap[child];
      if (other < entry) {
        break;
      }
      put(at, other);
      at = child;
    }
    put(at, entry);
  }

  private void put(int at, long entry) {
    heap[at] = entry;
    place[(int) entry] = at;
  }
}
