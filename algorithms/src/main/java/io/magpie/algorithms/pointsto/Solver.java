package io.magpie.algorithms.pointsto;

import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.pointsto.ConstraintSet.Kind;
import io.magpie.algorithms.pointsto.PointsToOptions.Cycles;
import io.magpie.algorithms.pointsto.PointsToOptions.Form;
import io.magpie.algorithms.pointsto.PointsToOptions.Propagation;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.DeviceDescription.Machine;
import io.magpie.stm.Fields;

/** The rounds of one analysis, with the kernels of pointsto.cu. */
final class Solver implements AutoCloseable {
  /** Rounds at most between two looks whether anything changed. */
  private static final int MOST_AHEAD = 16;

  private final DeviceConstraints constraints;
  private final PointsToOptions options;
  private final Launches launches;
  private final Propagation propagation;

  /** On processors a look costs nothing, and where each launch is waited for nothing is saved. */
  private final boolean looksAtEach;

  private final Nodes nodes;
  private final Edges edges;
  private final Sets sets;
  private final CycleCollapse collapse; // null if cycles are left alone
  private final DeviceArray<int[]> active; // null unless differences are propagated

  /**
   * @param given how; what is {@code auto} there is chosen here
   */
  Solver(DeviceConstraints constraints, PointsToOptions given) {
    this(constraints, given, SparseSets.firstRoom(constraints.constraints()));
  }

  /**
   * @param firstRoom words that sparse sets have room for at first, at least 1
   */
  Solver(DeviceConstraints constraints, PointsToOptions given, long firstRoom) {
    this.constraints = constraints;
    this.options =
        given.chosen(
            constraints.device().description().machine(),
            constraints.device().description().memoryBytes(),
            constraints.variables(),
            constraints.locations().length);
    this.launches = new Launches(constraints.module(), options.phaseTimes(), options.stm(), true);
    this.propagation = options.propagation();
    this.looksAtEach = launches.timed() || launches.device().machine() == Machine.CPU;
    boolean differences = propagation == Propagation.DIFFERENCE;
    this.nodes = new Nodes(constraints, launches);
    this.active = differences ? constraints.scratch().ints("active", nodes.variables()) : null;
    if (differences) {
      active.fill(0);
    }
    this.sets =
        options.sets() == Form.DENSE
            ? new DenseSets(constraints, differences)
            : new SparseSets(
                constraints, nodes, launches, differences, firstRoom, options.sparseWords());
    Edges edgesOpen = null;
    try {
      edgesOpen =
          new Edges(
              constraints.scratch().memory(),
              nodes,
              launches,
              constraints.constraints().count() - constraints.constraints().count(Kind.ADDRESS_OF),
              propagation == Propagation.PULL);
      this.edges = edgesOpen;
      this.collapse =
          options.cycles() == Cycles.NONE
              ? null
              : new CycleCollapse(constraints, nodes, edges, sets, launches, options.mergeSize());
    } catch (RuntimeException e) {
      sets.close();
      if (edgesOpen != null) {
        edgesOpen.close();
      }
      throw e;
    }
  }

  /** How, with what {@code auto} stood for. */
  PointsToOptions options() {
    return options;
  }

  Launches launches() {
    return launches;
  }

  int rounds() {
    return nodes.round();
  }

  Edges edges() {
    return edges;
  }

  Sets sets() {
    return sets;
  }

  /** For each variable the root that stands for it; flat after {@link #solve}. */
  int[] roots() {
    return nodes.rep().toArray();
  }

  long searches() {
    return collapse == null ? 0 : collapse.searches();
  }

  int collapsed() {
    return (int) nodes.total("merged");
  }

  long looksGivenUp() {
    return collapse == null ? 0 : collapse.looksGivenUp();
  }

  /** Adds to sets until all constraints hold. */
  void solve() {
    addCopies();
    if (collapse != null) {
      collapse.run();
    }
    do {
      takeAddresses();
    } while (sets.makeRoom());
    int ahead = 1;
    do {
      nodes.nextRound();
      if (collapse != null) {
        collapse.run();
        ahead = Math.min(ahead, collapse.roundsUntilLook());
      }
      startRound();
      for (int i = 1; i < ahead; i++) {
        nodes.nextRound();
        startRound();
      }
      ahead = looksAtEach ? 1 : Math.min(MOST_AHEAD, 2 * ahead);
      if (nodes.total("lost") != 0) {
        repeatRound();
        ahead = 1;
      }
      if (nodes.seen("lost_words") != 0) {
        sets.makeRoom();
        sendAllAgain();
        ahead = 1;
      }
    } while (nodes.seen("grew") >= nodes.round());
    nodes.backTo(nodes.seen("grew") + 1);
  }

  private void startRound() {
    if (propagation == Propagation.DIFFERENCE) {
      takeDifferences();
    }
    addDereferences(new Fields().set("nodes", nodes.fields()).set("edges", edges.fields()));
    propagate();
  }

  /** Goes back to the round in which edges were lost, and on from there. */
  private void repeatRound() {
    nodes.backTo(nodes.seen("reached") + 1);
    edges.makeRoom();
    edges.add(this::addDereferences);
    nodes.setTotal("known", 0); // as edges are renumbered
    propagate();
    nodes.total("grew");
  }

  /** After a round in which words of sets were lost: all sets count as changed in it. */
  private void sendAllAgain() {
    nodes.backTo(nodes.seen("reached"));
    nodes.changed().fill(nodes.round());
    nodes.setTotal("grew", nodes.round());
    nodes.total("grew");
  }

  private void addCopies() {
    int count = constraints.constraints().count(Kind.COPY);
    edges.add(
        fields ->
            launches.run(
                "add_copies",
                count,
                fields
                    .set("count", count)
                    .set("to", constraints.to(Kind.COPY))
                    .set("from", constraints.from(Kind.COPY))));
  }

  private void takeAddresses() {
    int count = constraints.constraints().count(Kind.ADDRESS_OF);
    launches.run(
        sets.kernel("take_addresses"),
        count,
        new Fields()
            .set("count", count)
            .set("to", constraints.to(Kind.ADDRESS_OF))
            .set("location", constraints.from(Kind.ADDRESS_OF))
            .set("nodes", nodes.fields())
            .set("sets", sets.fields()));
  }

  private void addDereferences(Fields fields) {
    boolean differences = propagation == Propagation.DIFFERENCE;
    int loads = constraints.constraints().count(Kind.LOAD);
    int stores = constraints.constraints().count(Kind.STORE);
    launches.runPieces(
        sets.kernel("add_dereferences"),
        (long) loads + stores,
        pieces((long) loads + stores),
        fields
            .set("loads", loads)
            .set("stores", stores)
            .set("load_to", constraints.to(Kind.LOAD))
            .set("load_from", constraints.from(Kind.LOAD))
            .set("store_to", constraints.to(Kind.STORE))
            .set("store_from", constraints.from(Kind.STORE))
            .set("location", constraints.location())
            .set("since", differences ? nodes.round() : nodes.round() - 1)
            .set("stamp", differences ? active : nodes.changed())
            .set("by", differences ? sets.differenceFields() : sets.fields()));
  }

  private void takeDifferences() {
    launches.runPieces(
        sets.kernel("take_differences"),
        sets.work(),
        pieces(nodes.variables()),
        new Fields()
            .set("nodes", nodes.fields())
            .set("sets", sets.fields())
            .set("done", sets.dereferencedFields())
            .set("difference", sets.differenceFields())
            .set("active", active));
  }

  private void propagate() {
    Fields walk =
        new Fields()
            .set("nodes", nodes.fields())
            .set("sets", sets.fields())
            .set("end", edges.end())
            .set("next", edges.next());
    switch (propagation) {
      case PULL -> propagate("pull_sets", walk);
      case PUSH -> propagate("push_sets", walk);
      case DIFFERENCE -> {
        propagate(
            "push_over_new",
            new Fields()
                .set("nodes", nodes.fields())
                .set("sets", sets.fields())
                .set("owner", edges.owner())
                .set("end", edges.end()));
        propagate(
            "push_differences",
            walk.set("sent", sets.sentFields()).set("difference", sets.differenceFields()));
      }
      case AUTO -> throw new IllegalStateException("nothing was chosen");
    }
  }

  private void propagate(String kernel, Fields fields) {
    launches.runPieces(sets.kernel(kernel), sets.work(), pieces(nodes.variables()), fields);
  }

  /** Warps that share so many nodes, constraints or edges, one at a time. */
  private int pieces(long count) {
    return (int) Math.max(1, Math.min(launches.mostPieces(), count));
  }

  @Override
  public void close() {
    edges.close();
    sets.close();
  }
}
