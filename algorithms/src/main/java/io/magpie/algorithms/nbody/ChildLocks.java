package io.magpie.algorithms.nbody;

import io.magpie.algorithms.internal.Parallel;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/**
 * The simulation on all processors of the host, without a device, as ports of LonestarGPU to Cilk
 * Plus have it: in double precision, with an octree in arrays.
 *
 * <p>Method of a step: the bounding cube by a reduction; all bodies are inserted at the same time,
 * where an octant that has a body is locked while cells are put between it and the new one, and a
 * body that meets a locked octant is tried again later; cells are summed up from the newest, whose
 * cells are newer still, and wait for those that are not ready; bodies are numbered by a walk of
 * the tree, again cell by cell, from the oldest; then forces, body by body in that order, with a
 * stack for each; then all bodies move. Where the ports have room for as many cells as bodies, this
 * tries again with twice the room. Shares no code with the kernels, nor with {@link
 * NBodyReference}.
 *
 * <p>The tree is the one that its bodies determine, however threads ran. Only the order of bodies
 * in a leaf depends on the threads, and so do the last bits of forces where a leaf has several
 * bodies. Cost of a step: bodies times depths, and the forces. Memory: 108 bytes for each body, 81
 * for each cell that there is room for and 4 for each cell; those of a tree without enough room are
 * kept until the larger one is made.
 */
public final class ChildLocks {
  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(int[].class);

  /** In an octant whose body is just being replaced by cells. */
  private static final int LOCKED = -2;

  /** An octant has {@link Octree#NONE}, the number of a cell, or this bit plus a body. */
  private static final int BODY = 1 << 30;

  private static final int ACROSS = 1 << Octree.MOST_DEPTHS;

  /** Turns that a thread takes at a time. */
  private static final int CHUNK = 64;

  private final NBodyOptions options;
  private final int n;
  private final double[] positions;
  private final double[] velocities;
  private final double[] masses;
  private final double[] forces;
  private final double[] potentials;

  /** In which part of the bounding cube each body is, in each dimension. */
  private final int[] parts;

  /** For each body the next one in its leaf, or {@link Octree#NONE}. */
  private final int[] next;

  /** The bodies in the order of the tree. */
  private final int[] order;

  private final double[] least = new double[3];
  private double side;
  private Tree tree;

  private ChildLocks(Bodies bodies, NBodyOptions options, int room) {
    this.options = options;
    tree = new Tree(room);
    n = bodies.count();
    positions = bodies.positions();
    velocities = bodies.velocities();
    masses = bodies.masses();
    forces = new double[3 * n];
    potentials = new double[n];
    parts = new int[3 * n];
    next = new int[n];
    order = new int[n];
  }

  /**
   * Simulates bodies, in double precision whatever the options say.
   *
   * @param bodies where they begin
   * @param options steps, their length, theta and softening
   * @return bodies, forces and the tree at the end; without a report
   * @throws CancellationException if the thread is interrupted while it works on cells
   */
  public static NBodyResult run(Bodies bodies, NBodyOptions options) {
    return run(bodies, options, bodies.count() + CHUNK);
  }

  /** The same with room for so many cells at first, at least 1. */
  static NBodyResult run(Bodies bodies, NBodyOptions options, int room) {
    ChildLocks all = new ChildLocks(bodies, options, room);
    all.step();
    for (int step = 0; step < options.steps(); step++) {
      all.push(true);
      all.step();
      all.push(false);
    }
    Bodies after = Bodies.owning(all.masses, all.positions, all.velocities);
    Tree last = all.tree;
    return new NBodyResult(
        bodies,
        after,
        all.forces,
        all.potentials,
        options,
        () -> Octree.of(BODY, last.child, all.next, last.center),
        null);
  }

  /** The tree alone, by whoever runs this and its loops. */
  static Octree tree(Bodies bodies) {
    ChildLocks all = new ChildLocks(bodies, NBodyOptions.defaults(), bodies.count() + CHUNK);
    all.plant();
    return Octree.of(BODY, all.tree.child, all.next, all.tree.center);
  }

  /** Half a step's velocity; and before forces are computed, the places. */
  private void push(boolean moves) {
    double length = options.timeStep();
    Parallel.forRanges(
        3 * n,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            velocities[i] += forces[i] * length / 2;
            if (moves) {
              positions[i] += velocities[i] * length;
            }
          }
        });
  }

  /** The tree, with all that is known of cells. */
  private void plant() {
    box();
    while (!build()) {
      tree = new Tree(2 * tree.room());
    }
    int cells = tree.cells();
    new Turns().run(cells, (i, turns) -> sumUp(cells - 1 - i, turns)); // from the newest
    tree.start = new int[cells];
    Arrays.fill(tree.start, -1);
    new Turns().run(cells, this::number); // from the root on
  }

  /** The tree and the forces. */
  private void step() {
    plant();
    Parallel.forRanges(
        n,
        (from, to) -> {
          Pull pull = new Pull();
          for (int i = from; i < to; i++) {
            pull.on(order[i]);
          }
        });
  }

  /** The bounding cube, and where in it bodies are. */
  private void box() {
    side = 0;
    for (int k = 0; k < 3; k++) {
      int dimension = k;
      double[] bounds =
          Parallel.map(n, (from, to) -> bounds(dimension, from, to)).stream()
              .reduce(
                  new double[] {Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY},
                  (a, b) -> new double[] {Math.min(a[0], b[0]), Math.max(a[1], b[1])});
      least[k] = bounds[0];
      side = n == 0 ? 0 : Math.max(side, bounds[1] - bounds[0]);
    }
    double scale = ACROSS / side;
    boolean point = Double.isInfinite(scale); // all are in one part
    Parallel.forRanges(
        3 * n,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            double part = point ? 0 : (positions[i] - least[i % 3]) * scale;
            parts[i] = (int) Math.min(part, ACROSS - 1);
          }
        });
  }

  private double[] bounds(int dimension, int from, int to) {
    double[] bounds = {Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
    for (int i = from; i < to; i++) {
      bounds[0] = Math.min(bounds[0], positions[3 * i + dimension]);
      bounds[1] = Math.max(bounds[1], positions[3 * i + dimension]);
    }
    return bounds;
  }

  /** An octree in arrays, each cell's octants side by side; cell 0 is the root. */
  private static final class Tree {
    final int[] child;

    /** Cells between the root, 0, and this one. */
    final byte[] depth;

    /** A body that is in the cell. */
    final int[] some;

    /** Center of mass and mass. */
    final double[] center;

    /** Bodies that are nearer to the center than this open the cell. */
    final double[] reach;

    /** Of the cell's bodies; 0 until the cell is summed up. */
    final int[] count;

    /** Where the cell's bodies begin in the order; -1 until that is known. */
    int[] start;

    private final AtomicInteger used = new AtomicInteger(1);

    Tree(int room) {
      child = new int[Math.multiplyExact(Octree.OCTANTS, room)];
      depth = new byte[room];
      some = new int[room];
      center = new double[Octree.SUMS * room];
      reach = new double[room];
      count = new int[room];
    }

    int room() {
      return depth.length;
    }

    int cells() {
      return used.get();
    }

    /** The first of so many new cells, or {@link Octree#NONE} if there is no room. */
    int more(int cells) {
      int first = used.getAndAdd(cells);
      return first >= 0 && first <= room() - cells ? first : Octree.NONE;
    }

    /** An empty cell; nobody else knows of it, or the root. */
    void clear(int cell, int cellDepth, int body) {
      Arrays.fill(child, Octree.OCTANTS * cell, Octree.OCTANTS * (cell + 1), Octree.NONE);
      depth[cell] = (byte) cellDepth;
      some[cell] = body;
    }
  }

  /** Inserts all bodies; false if there is too little room. */
  private boolean build() {
    tree.used.set(1);
    tree.clear(0, 0, 0);
    AtomicBoolean full = new AtomicBoolean();
    Parallel.forRanges(
        n,
        (from, to) -> {
          int[] again = new int[to - from];
          int left = 0;
          for (int body = from; body < to && !full.get(); body++) {
            if (!insert(body, full)) {
              again[left++] = body;
            }
          }
          while (left > 0 && !full.get()) {
            int tried = left;
            left = 0;
            for (int i = 0; i < tried; i++) {
              if (!insert(again[i], full)) {
                again[left++] = again[i];
              }
            }
            if (left == tried) {
              Thread.yield();
            }
          }
        });
    if (full.get()) {
      return false;
    }
    Arrays.fill(tree.count, 0, tree.cells(), 0);
    return true;
  }

  /** Inserts a body; false if an octant on its way is locked, or nothing more can be inserted. */
  private boolean insert(int body, AtomicBoolean full) {
    int cell = 0;
    int depth = 0;
    while (true) {
      int place = Octree.OCTANTS * cell + octant(body, depth);
      int held = (int) WORDS.getAcquire(tree.child, place);
      if (held == LOCKED) {
        return false;
      }
      if (held == Octree.NONE) {
        next[body] = Octree.NONE;
        if (WORDS.compareAndSet(tree.child, place, Octree.NONE, BODY + body)) {
          return true;
        }
      } else if (held >= BODY) {
        if (WORDS.compareAndSet(tree.child, place, held, LOCKED)) {
          int filled = split(held - BODY, body, depth + 1);
          WORDS.setRelease(tree.child, place, filled == Octree.NONE ? held : filled);
          if (filled == Octree.NONE) {
            full.set(true);
          }
          return filled != Octree.NONE;
        }
      } else {
        cell = held;
        depth++;
      }
    }
  }

  /**
   * What an octant has that had a leaf, and a body is added: a longer leaf, or cells down to the
   * one where they part. None if there is no room.
   */
  private int split(int leaf, int body, int depth) {
    int same = samePart(leaf, body);
    if (same == Octree.MOST_DEPTHS) {
      next[body] = leaf;
      return BODY + body;
    }
    int cells = same - depth + 1;
    int first = tree.more(cells);
    if (first == Octree.NONE) {
      return Octree.NONE;
    }
    next[body] = Octree.NONE;
    for (int i = 0; i < cells; i++) {
      int cell = first + i;
      tree.clear(cell, depth + i, body);
      if (i + 1 < cells) {
        tree.child[Octree.OCTANTS * cell + octant(body, depth + i)] = cell + 1;
      } else {
        tree.child[Octree.OCTANTS * cell + octant(body, depth + i)] = BODY + body;
        tree.child[Octree.OCTANTS * cell + octant(leaf, depth + i)] = BODY + leaf;
      }
    }
    return first;
  }

  /** The depth of the smallest cube that has both; that of parts if they are in one. */
  private int samePart(int one, int other) {
    int differ = 0;
    for (int k = 0; k < 3; k++) {
      differ |= parts[3 * one + k] ^ parts[3 * other + k];
    }
    return Integer.numberOfLeadingZeros(differ) - (Integer.SIZE - Octree.MOST_DEPTHS);
  }

  /** Of a cell at that depth which has the body. */
  private int octant(int body, int depth) {
    int shift = Octree.MOST_DEPTHS - 1 - depth;
    return (parts[3 * body] >> shift & 1) << 2
        | (parts[3 * body + 1] >> shift & 1) << 1
        | parts[3 * body + 2] >> shift & 1;
  }

  /** Something to do for a cell, which may wait for one of an earlier turn. */
  @FunctionalInterface
  interface Turn {
    void take(int number, Turns turns);
  }

  /**
   * Runs something on all threads of the pool, in which each takes the next turns when it is done:
   * a turn that waits for an earlier one therefore waits for one that some thread has, or had.
   */
  static final class Turns {
    /** What ended a turn before its time; it ends the others, too, which may wait for that one. */
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    private final AtomicInteger taken = new AtomicInteger();

    /** Takes the turns from 0 on; once. */
    void run(int count, Turn turn) {
      IntStream.range(0, Math.min(threads(), count))
          .parallel()
          .forEach(
              thread -> {
                try {
                  take(count, turn);
                } catch (RuntimeException | Error e) {
                  failure.compareAndSet(null, e);
                }
              });
      Throwable ended = failure.get();
      if (ended instanceof Error error) {
        throw error;
      } else if (ended != null) {
        throw (RuntimeException) ended;
      }
    }

    /** Those of the pool that runs this; of the common one, and this thread, if none does. */
    static int threads() {
      ForkJoinPool pool = ForkJoinTask.getPool();
      return pool == null ? ForkJoinPool.getCommonPoolParallelism() + 1 : pool.getParallelism();
    }

    private void take(int count, Turn turn) {
      int from = taken.getAndAdd(CHUNK);
      while (from < count) {
        endIfFailed();
        int to = from + Math.min(CHUNK, count - from);
        for (int i = from; i < to; i++) {
          turn.take(i, this);
        }
        from = taken.getAndAdd(CHUNK);
      }
    }

    /** Waits until a word is another. */
    void await(int[] words, int place, int not) {
      for (int poll = 1; (int) WORDS.getAcquire(words, place) == not; poll++) {
        if (poll % 64 == 0) {
          endIfFailed();
          Thread.yield();
        } else {
          Thread.onSpinWait();
        }
      }
    }

    private void endIfFailed() {
      if (failure.get() != null) {
        throw new CancellationException("another thread failed");
      }
      if (Thread.currentThread().isInterrupted()) {
        throw new CancellationException("interrupted while cells were summed up or numbered");
      }
    }
  }

  /** Mass and center of a cell, once its cells have theirs. */
  private void sumUp(int cell, Turns turns) {
    double[] center = tree.center;
    int at = Octree.SUMS * cell;
    Arrays.fill(center, at, at + Octree.SUMS, 0);
    int count = 0;
    for (int octant = 0; octant < Octree.OCTANTS; octant++) {
      int held = tree.child[Octree.OCTANTS * cell + octant];
      if (held >= BODY) {
        for (int body = held - BODY; body != Octree.NONE; body = next[body]) {
          add(at, masses[body], positions, 3 * body);
          count++;
        }
      } else if (held != Octree.NONE) {
        turns.await(tree.count, held, 0);
        add(at, center[Octree.SUMS * held + 3], center, Octree.SUMS * held);
        count += tree.count[held];
      }
    }
    if (center[at + 3] > 0) {
      for (int k = 0; k < 3; k++) {
        center[at + k] /= center[at + 3];
      }
    } else {
      double[] sum = new double[3];
      addPlaces(cell, sum);
      for (int k = 0; k < 3; k++) {
        center[at + k] = count == 0 ? 0 : sum[k] / count;
      }
    }
    tree.reach[cell] = reach(cell);
    WORDS.setRelease(tree.count, cell, count);
  }

  private void add(int at, double mass, double[] places, int place) {
    for (int k = 0; k < 3; k++) {
      tree.center[at + k] += mass * places[place + k];
    }
    tree.center[at + 3] += mass;
  }

  /** Adds up where the bodies of a cell are; what it has is ready. */
  private void addPlaces(int cell, double[] sum) {
    for (int octant = 0; octant < Octree.OCTANTS; octant++) {
      int held = tree.child[Octree.OCTANTS * cell + octant];
      if (held >= BODY) {
        for (int body = held - BODY; body != Octree.NONE; body = next[body]) {
          for (int k = 0; k < 3; k++) {
            sum[k] += positions[3 * body + k];
          }
        }
      } else if (held != Octree.NONE) {
        addPlaces(held, sum);
      }
    }
  }

  /** The cell's size over theta, and how far its center of mass is from its middle. */
  private double reach(int cell) {
    int depth = tree.depth[cell];
    int half = ACROSS >> (depth + 1);
    double squares = 0;
    for (int k = 0; k < 3; k++) {
      int corner = n == 0 ? 0 : parts[3 * tree.some[cell] + k] & -(2 * half);
      double middle = least[k] + (corner + half) * (side / ACROSS);
      double d = tree.center[Octree.SUMS * cell + k] - middle;
      squares += d * d;
    }
    return side / (1 << depth) / options.theta() + Math.sqrt(squares);
  }

  /** Places the bodies of a cell's leaves, and tells its cells where theirs begin. */
  private void number(int cell, Turns turns) {
    if (cell == 0) {
      tree.start[0] = 0;
    } else {
      turns.await(tree.start, cell, -1);
    }
    int at = tree.start[cell];
    for (int octant = 0; octant < Octree.OCTANTS; octant++) {
      int held = tree.child[Octree.OCTANTS * cell + octant];
      if (held >= BODY) {
        for (int body = held - BODY; body != Octree.NONE; body = next[body]) {
          order[at++] = body;
        }
      } else if (held != Octree.NONE) {
        WORDS.setRelease(tree.start, held, at);
        at += tree.count[held];
      }
    }
  }

  /** What acts on one body after the other. */
  private final class Pull {
    /** An open cell leaves at most 7 of its octants while one is looked at. */
    private final int[] stack = new int[Octree.OCTANTS * Octree.MOST_DEPTHS];

    private final double softening = options.softening() * options.softening();
    private int body;
    private double x;
    private double y;
    private double z;
    private double forceX;
    private double forceY;
    private double forceZ;
    private double potential;

    void on(int some) {
      body = some;
      x = positions[3 * body];
      y = positions[3 * body + 1];
      z = positions[3 * body + 2];
      forceX = 0;
      forceY = 0;
      forceZ = 0;
      potential = 0;
      walk();
      forces[3 * body] = forceX;
      forces[3 * body + 1] = forceY;
      forces[3 * body + 2] = forceZ;
      potentials[body] = potential;
    }

    private void walk() {
      int top = 0;
      stack[top++] = 0;
      while (top > 0) {
        int open = Octree.OCTANTS * stack[--top];
        for (int place = open; place < open + Octree.OCTANTS; place++) {
          int held = tree.child[place];
          if (held >= BODY) {
            for (int other = held - BODY; other != Octree.NONE; other = next[other]) {
              if (other != body) {
                double dx = positions[3 * other] - x;
                double dy = positions[3 * other + 1] - y;
                double dz = positions[3 * other + 2] - z;
                add(dx, dy, dz, dx * dx + dy * dy + dz * dz, masses[other]);
              }
            }
          } else if (held != Octree.NONE) {
            int at = Octree.SUMS * held;
            double dx = tree.center[at] - x;
            double dy = tree.center[at + 1] - y;
            double dz = tree.center[at + 2] - z;
            double squares = dx * dx + dy * dy + dz * dz;
            if (Math.sqrt(squares) > tree.reach[held]) {
              add(dx, dy, dz, squares, tree.center[at + 3]);
            } else {
              stack[top++] = held;
            }
          }
        }
      }
    }

    private void add(double dx, double dy, double dz, double squares, double mass) {
      double distance = Math.sqrt(squares + softening);
      if (distance > 0) {
        double factor = mass / (distance * distance * distance);
        forceX += factor * dx;
        forceY += factor * dy;
        forceZ += factor * dz;
        potential -= mass / distance;
      }
    }
  }
}
