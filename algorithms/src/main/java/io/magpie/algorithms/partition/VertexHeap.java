package io.magpie.algorithms.partition;

import java.util.Arrays;

/**
 * A priority queue of vertices whose priorities change: a binary heap that knows where each vertex
 * is. Highest gain first; of equal gains the one that was set last.
 */
final class VertexHeap {
  private final int[] heap;
  private final int[] place;
  private final long[] key;
  private int size;
  private int stamp;

  /** An empty queue for the vertices {@code 0 .. vertices - 1}. */
  VertexHeap(int vertices) {
    heap = new int[vertices];
    place = new int[vertices];
    key = new long[vertices];
    Arrays.fill(place, -1);
  }

  boolean isEmpty() {
    return size == 0;
  }

  boolean contains(int vertex) {
    return place[vertex] >= 0;
  }

  /** The first vertex; the queue must not be empty. */
  int first() {
    return heap[0];
  }

  /** The gain of the first vertex; the queue must not be empty. */
  int firstGain() {
    return (int) (key[heap[0]] >> 32);
  }

  /** Inserts a vertex, or changes its gain. */
  void set(int vertex, int gain) {
    long value = ((long) gain << 32) | stamp++;
    int at = place[vertex];
    if (at < 0) {
      key[vertex] = value;
      up(size++, vertex);
    } else {
      boolean higher = value > key[vertex];
      key[vertex] = value;
      if (higher) {
        up(at, vertex);
      } else {
        down(at, vertex);
      }
    }
  }

  /** Takes the first vertex out; the queue must not be empty. */
  int pop() {
    int vertex = heap[0];
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
    int last = heap[--size];
    if (last == vertex) {
      return;
    }
    if (key[last] > key[vertex]) {
      up(at, last);
    } else {
      down(at, last);
    }
  }

  void clear() {
    for (int i = 0; i < size; i++) {
      place[heap[i]] = -1;
    }
    size = 0;
    stamp = 0;
  }

  private void up(int at, int vertex) {
    long mine = key[vertex];
    while (at > 0) {
      int parent = (at - 1) >> 1;
      int other = heap[parent];
      if (key[other] >= mine) {
        break;
      }
      heap[at] = other;
      place[other] = at;
      at = parent;
    }
    heap[at] = vertex;
    place[vertex] = at;
  }

  private void down(int at, int vertex) {
    long mine = key[vertex];
    for (; ; ) {
      int child = 2 * at + 1;
      if (child >= size) {
        break;
      }
      if (child + 1 < size && key[heap[child + 1]] > key[heap[child]]) {
        child++;
      }
      int other = heap[child];
      if (key[other] <= mine) {
        break;
      }
      heap[at] = other;
      place[other] = at;
      at = child;
    }
    heap[at] = vertex;
    place[vertex] = at;
  }
}
