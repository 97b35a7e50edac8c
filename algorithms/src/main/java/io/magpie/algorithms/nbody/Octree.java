package io.magpie.algorithms.nbody;

import java.util.Arrays;

/**
 * An octree over bodies, in a form that does not depend on who built it, nor on how its cells are
 * numbered: two trees are equal if they have the same cells and the same bodies in the same
 * octants.
 *
 * <p>The bounding cube is the root. It is cut into 2^21 parts in each dimension; a cube inside is a
 * cell, and split, if and only if two of its bodies are in different parts. Bodies in one part are
 * a leaf together.
 */
public final class Octree {
  /** Depths that cells have at most. */
  public static final int MOST_DEPTHS = 21;

  static final int OCTANTS = 8;
  static final int NONE = -1;

  /** Numbers of a cell in {@link #sums()}. */
  static final int SUMS = 4;

  /** What an octant has, in {@link #shape}. */
  private static final int EMPTY = 0;

  private static final int CELL = -1;

  /**
   * Octant by octant from the root, each cell's octants in place: {@code EMPTY}, {@code CELL}, or
   * the number of a leaf's bodies and these, ascending.
   */
  private final int[] shape;

  /** See {@link #sums()}; no part of what makes trees equal. */
  private final double[] sums;

  private final int bodies;
  private final int cells;
  private final int leaves;
  private final int depths;
  private final int largestLeaf;

  private Octree(Builder made) {
    this.shape = Arrays.copyOf(made.shape, made.length);
    this.sums = Arrays.copyOf(made.sums, SUMS * made.cells);
    this.bodies = made.bodies;
    this.cells = made.cells;
    this.leaves = made.leaves;
    this.depths = made.depths;
    this.largestLeaf = made.largestLeaf;
  }

  /**
   * A tree as a device has it.
   *
   * @param bodyBit what tells bodies from cells
   * @param child what is in the octants of each cell: -1, a cell, or {@code bodyBit} plus a body
   * @param next for each body the next one of its leaf, or -1
   * @param center of each cell its center of mass, and its mass
   * @throws IllegalArgumentException if that is no tree of cells; bodies are not looked at
   */
  static Octree of(int bodyBit, int[] child, int[] next, double[] center) {
    Builder builder = new Builder();
    int[] cellAt = new int[MOST_DEPTHS];
    int[] octantAt = new int[MOST_DEPTHS];
    int depth = 0;
    builder.cell(depth, center, 0);
    while (depth >= 0) {
      if (octantAt[depth] == OCTANTS) {
        depth--;
        continue;
      }
      int held = child[OCTANTS * cellAt[depth] + octantAt[depth]++];
      if (held == NONE) {
        builder.empty();
      } else if (held >= bodyBit) {
        builder.leaf(held - bodyBit, next);
      } else {
        if (held < 0
            || held >= child.length / OCTANTS
            || depth + 1 == MOST_DEPTHS
            || builder.cells >= child.length / OCTANTS) {
          throw new IllegalArgumentException(
              "cell " + cellAt[depth] + " at depth " + depth + " has " + held + " in an octant");
        }
        cellAt[++depth] = held;
        octantAt[depth] = 0;
        builder.cell(depth, center, SUMS * held);
      }
    }
    return new Octree(builder);
  }

  /** The number of bodies that are in leaves. */
  public int bodies() {
    return bodies;
  }

  /** The number of cells, the root among them. */
  public int cells() {
    return cells;
  }

  /** The number of leaves. */
  public int leaves() {
    return leaves;
  }

  /** The number of depths that have cells: 1 if there is only the root. */
  public int depths() {
    return depths;
  }

  /** The most bodies of a leaf, 0 if there is none. */
  public int largestLeaf() {
    return largestLeaf;
  }

  /** The bodies in the order of the tree: octant by octant, and by their numbers in a leaf. */
  public int[] order() {
    int[] order = new int[bodies];
    int placed = 0;
    for (int i = 0; i < shape.length; i++) {
      for (int left = Math.max(shape[i], 0); left > 0; left--) {
        order[placed++] = shape[++i];
      }
    }
    return order;
  }

  /**
   * x, y and z of the center of mass of each cell, and its mass, in the order of a walk from the
   * root; not a copy.
   */
  double[] sums() {
    return sums;
  }

  /** How far two trees agree from the root on, in steps of a walk; -1 if they are equal. */
  int mismatch(Octree other) {
    return Arrays.mismatch(shape, other.shape);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Octree && Arrays.equals(shape, ((Octree) other).shape);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(shape);
  }

  @Override
  public String toString() {
    return "Octree[bodies=" + bodies + ", cells=" + cells + ", depths=" + depths + "]";
  }

  /** Takes a tree octant by octant, in the order of a walk from the root. */
  static final class Builder {
    private int[] shape = new int[64];
    private double[] sums = new double[64];
    private int length;
    private int bodies;
    private int cells;
    private int leaves;
    private int depths;
    private int largestLeaf;

    /**
     * The next octant has a cell of that depth, or it is the root.
     *
     * @param center has the cell's center of mass and its mass
     * @param at where
     */
    void cell(int depth, double[] center, int at) {
      if (depth > 0) {
        add(CELL);
      }
      if (SUMS * cells == sums.length) {
        sums = Arrays.copyOf(sums, (int) Math.min(2L * sums.length, Integer.MAX_VALUE - 8));
      }
      System.arraycopy(center, at, sums, SUMS * cells, SUMS);
      cells++;
      depths = Math.max(depths, depth + 1);
    }

    void empty() {
      add(EMPTY);
    }

    /** The next octant has these bodies, in any order; no array of them is changed. */
    void leaf(int... inside) {
      add(inside.length);
      for (int body : inside) {
        add(body);
      }
      Arrays.sort(shape, length - inside.length, length);
      bodies += inside.length;
      leaves++;
      largestLeaf = Math.max(largestLeaf, inside.length);
    }

    private void leaf(int first, int[] next) {
      int count = 0;
      int at = length;
      add(0);
      for (int body = first; body != NONE; body = next[body]) {
        if (body < 0 || body >= next.length || ++count > next.length) {
          throw new IllegalArgumentException("the leaf of body " + first + " has no end");
        }
        add(body);
      }
      shape[at] = count;
      Arrays.sort(shape, at + 1, length);
      bodies += count;
      leaves++;
      largestLeaf = Math.max(largestLeaf, count);
    }

    private void add(int value) {
      if (length == shape.length) {
        shape = Arrays.copyOf(shape, (int) Math.min(2L * length, Integer.MAX_VALUE - 8));
      }
      shape[length++] = value;
    }

    Octree build() {
      return new Octree(this);
    }
  }
}
