package io.magpie.algorithms.nbody;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/** Bodies after a simulation, the forces on them there, and the tree that these were found by. */
public final class NBodyResult {
  private final Bodies before;
  private final Bodies after;
  private final double[] accelerations;
  private final double[] potentials;
  private final NBodyOptions options;
  private final NBodyReport report;
  private final List<Checkpoint> checkpoints;
  private Supplier<Octree> source;
  private Octree tree;

  /**
   * A result, not checked; see {@link NBodyVerifier}.
   *
   * @param before the bodies as they were given
   * @param after the bodies at the end
   * @param accelerations 3 numbers for each body; not copied
   * @param potentials one for each body; not copied
   * @param options how it was computed
   * @param tree gives the tree, when it is first asked for
   * @param report how it was computed on a device, or null
   */
  NBodyResult(
      Bodies before,
      Bodies after,
      double[] accelerations,
      double[] potentials,
      NBodyOptions options,
      Supplier<Octree> tree,
      NBodyReport report) {
    this(before, after, accelerations, potentials, options, tree, report, List.of());
  }

  /**
   * The same with states on the way.
   *
   * @param checkpoints in the order of their steps
   */
  NBodyResult(
      Bodies before,
      Bodies after,
      double[] accelerations,
      double[] potentials,
      NBodyOptions options,
      Supplier<Octree> tree,
      NBodyReport report,
      List<Checkpoint> checkpoints) {
    this.before = Objects.requireNonNull(before, "before");
    this.after = Objects.requireNonNull(after, "after");
    this.accelerations = Objects.requireNonNull(accelerations, "accelerations");
    this.potentials = Objects.requireNonNull(potentials, "potentials");
    this.options = Objects.requireNonNull(options, "options");
    this.source = Objects.requireNonNull(tree, "tree");
    this.report = report;
    this.checkpoints = List.copyOf(checkpoints);
  }

  /** The bodies as they were given. */
  public Bodies before() {
    return before;
  }

  /** The bodies after the last step. */
  public Bodies after() {
    return after;
  }

  /** x, y and z of each body's acceleration after the last step; not a copy. */
  public double[] accelerations() {
    return accelerations;
  }

  /** Each body's potential after the last step, for a unit of mass; not a copy. */
  public double[] potentials() {
    return potentials;
  }

  /** How it was computed. */
  public NBodyOptions options() {
    return options;
  }

  /**
   * The tree over the bodies after the last step. The first call makes it of what the device left,
   * which takes time and memory proportional to bodies and cells.
   *
   * @throws IllegalArgumentException if the device left no tree
   * @throws IllegalStateException if the run was told not to keep it
   */
  public synchronized Octree tree() {
    if (tree == null) {
      tree = source.get();
      source = null;
    }
    return tree;
  }

  /** States on the way, for the verifier; none unless the run was told to keep them. */
  List<Checkpoint> checkpoints() {
    return checkpoints;
  }

  /** How it was computed on a device; empty for the sequential references. */
  public Optional<NBodyReport> report() {
    return Optional.ofNullable(report);
  }

  @Override
  public String toString() {
    return "NBodyResult[bodies=" + after.count() + ", steps=" + options.steps() + "]";
  }
}
