package io.magpie.algorithms.nbody;

import io.magpie.algorithms.internal.Elapsed;
import io.magpie.stm.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;

/**
 * The n-body simulation of Barnes and Hut on a device: at each time step an octree is built over
 * the bodies, a walk over it gives the force on each, and the leap-frog moves them.
 *
 * <pre>{@code
 * try (Device device = Device.open("auto")) {
 *   Bodies bodies = BodyGenerator.parse("plummer:30k").generate();
 *   NBodyResult result = BarnesHut.run(device, bodies, NBodyOptions.defaults().withSteps(50));
 * }
 * }</pre>
 *
 * <p>Any bodies will do: none, one, several at one place (which do not attract each other unless
 * there is softening), such of mass 0. The tree has 21 depths at most; bodies closer to each other
 * than 2^-21 of the bounding cube's side may be in one leaf. Forces of one tree are the same to the
 * last bit on one device, whoever built it and however many threads there are. They depend on the
 * width of warps, whose bodies walk together. Device memory in bytes for each body: 20, and 120 in
 * double precision or 60 in single; by the tree's build 28 more with {@link
 * NBodyOptions.Tree#MORTON}, 12 with {@link NBodyOptions.Tree#TRANSACTIONS}, 8 with {@link
 * NBodyOptions.Tree#LOCKS}, and with these two 8 if bodies share a leaf; for each cell that there
 * is room for 508 or 296, and 12 with transactions; and what sorting bodies needs. There is room
 * for five cells to eight bodies, and more if that is not enough. Too little memory throws {@link
 * io.magpie.stm.DeviceOutOfMemoryException}.
 *
 * <p>Sources: Barnes and Hut, "A hierarchical O(N log N) force-calculation algorithm", Nature 324,
 * 1986; steps and walk by warps after Burtscher and Pingali, GPU Computing Gems, Emerald Edition,
 * 2011; the tree from sorted keys after Karras, HPG 2012; when a cell is opened after Barnes,
 * "Error analysis of a tree code", 1994.
 */
public final class BarnesHut {
  /** Watches a simulation. */
  @FunctionalInterface
  public interface Observer {
    /**
     * Is called between steps, in the thread of the run.
     *
     * @param step how many have been made
     * @param bodies as they are now
     */
    void observe(int step, Bodies bodies);
  }

  /** What is copied to Java beyond the bodies at the end and the forces on them. */
  enum Kept {
    NOTHING,
    TREE,
    TREE_AND_STATES
  }

  private BarnesHut() {}

  /**
   * Simulates; from bodies in Java's memory to the result there.
   *
   * @param device where
   * @param bodies where they begin
   * @param options how
   * @return the bodies at the end, the forces on them and the tree, with a report; {@link
   *     NBodyVerifier} finds no states on the way there, and checks the end alone
   * @throws DivergedException if bodies are too far apart for the precision, or their numbers stop
   *     being finite: the step is too long for bodies that come so close
   * @throws IllegalArgumentException if the tree would need 2^28 cells or more
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   * @throws io.magpie.stm.UnfinishedItemsException if transactions did not finish, because of the
   *     options' timeout or bound of attempts
   */
  public static NBodyResult run(Device device, Bodies bodies, NBodyOptions options) {
    return run(device, bodies, options, 0, (step, now) -> {});
  }

  /**
   * The same, watched.
   *
   * @param every so many steps the observer is called, and before the first one; 0 for never
   * @param observer what is called; the time that it takes counts for the host only
   */
  public static NBodyResult run(
      Device device, Bodies bodies, NBodyOptions options, int every, Observer observer) {
    return run(device, bodies, options, every, observer, Kept.TREE, Cells.Room.USUAL);
  }

  /**
   * The same with all that the verifier looks at, or without any of it.
   *
   * @param forVerifier whether {@link NBodyResult#tree()} and states on the way are wanted, for
   *     {@link NBodyVerifier#verify(NBodyResult)}. The tree takes 64 bytes of Java's memory for
   *     each cell and 4 for each body; states, of which there are up to five, take 80 for each body
   *     and state, and 8 for each body. They last as long as the result, and the time to copy them
   *     is not in the report
   */
  public static NBodyResult run(
      Device device,
      Bodies bodies,
      NBodyOptions options,
      int every,
      Observer observer,
      boolean forVerifier) {
    Kept kept = forVerifier ? Kept.TREE_AND_STATES : Kept.NOTHING;
    return run(device, bodies, options, every, observer, kept, Cells.Room.USUAL);
  }

  static NBodyResult run(
      Device device,
      Bodies bodies,
      NBodyOptions options,
      int every,
      Observer observer,
      Kept kept,
      Cells.Room room) {
    Objects.requireNonNull(bodies, "bodies");
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(observer, "observer");
    if (every < 0) {
      throw new IllegalArgumentException("every must be 0 or more steps, got " + every);
    }
    device.load(Simulation.MODULE).close(); // it stays with the device; not part of the run
    long start = System.nanoTime();
    try (Simulation simulation = new Simulation(device, bodies, options, room)) {
      Checkpoints checkpoints = new Checkpoints(kept == Kept.TREE_AND_STATES ? options.steps() : 0);
      simulation.findForces();
      Conserved before = Conserved.of(simulation.bodies(), simulation.potentials());
      for (int step = 0; step < options.steps(); step++) {
        if (every > 0 && step % every == 0) {
          observer.observe(step, simulation.bodies());
        }
        checkpoints.pass(step, simulation);
        simulation.advance();
      }
      Bodies after = simulation.bodies();
      if (every > 0 && options.steps() % every == 0) {
        observer.observe(options.steps(), after);
      }
      double[] potentials = simulation.potentials();
      double[] accelerations = simulation.accelerations();
      NBodyReport report =
          simulation.report(
              before,
              Conserved.of(after, potentials),
              Elapsed.millisSince(start + checkpoints.nanos));
      return new NBodyResult(
          bodies,
          after,
          accelerations,
          potentials,
          options,
          kept == Kept.NOTHING ? BarnesHut::noTree : simulation.tree(),
          report,
          checkpoints.kept);
    }
  }

  /** Keeps states on the way, and the time that this takes. */
  private static final class Checkpoints {
    private final SortedSet<Integer> due;
    private final List<Checkpoint> kept = new ArrayList<>();
    private long nanos;

    Checkpoints(int steps) {
      due = Checkpoint.steps(steps);
    }

    void pass(int step, Simulation simulation) {
      if (!due.contains(step)) {
        return;
      }
      simulation.synchronize();
      long begin = System.nanoTime();
      double[] masses = kept.isEmpty() ? simulation.masses() : kept.get(0).bodies().sharedMasses();
      kept.add(simulation.checkpoint(masses));
      nanos += System.nanoTime() - begin;
    }
  }

  private static Octree noTree() {
    throw new IllegalStateException(
        "the run was told not to keep its tree; let forVerifier be true");
  }
}
