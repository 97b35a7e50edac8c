package io.magpie.algorithms.pointsto;

import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.pointsto.ConstraintSet.Kind;
import io.magpie.algorithms.pointsto.PointsToOptions.Cycles;
import io.magpie.algorithms.pointsto.PointsToOptions.Propagation;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;

/** The rounds of one analysis, with the kernels of pointsto.cu. */
final class Solver implements AutoCloseable {
  private final DeviceConstraints constraints;
  private final Launches launches;
  private final Propagation propagation;
  private final Nodes nodes;
  private final Edges edges;
  private final Sets sets;
  private final CycleCollapse collapse; // null if cycles are left alone
  private final DeviceArray<int[]> active; // null unless differences are propagated

  Solver(DeviceConstraints constraints, PointsToOptions options) {
    this.constraints = constraints;
    this.launches = new Launches(constraints.module(), options.phaseTimes(), options.stm(), true);
    this.propagation = options.propagation();
    boolean differences = propagation == Propagation.DIFFERENCE;
    this.nodes = new Nodes(constraints, launches);
    this.sets = new Sets(constraints, differences);
    this.active = differences ? constraints.scratch().ints("active", nodes.variables()) : null;
    if (differences) {
      active.fill(0);
    }
    this.edges =
        new Edges(
            constraints.scratch().memory(),
            nodes,
            launches,
            constraints.constraints().count() - constraints.constraints().count(Kind.ADDRESS_OF),
            propagation == Propagation.PULL);
    try {
      this.collapse =
          options.cycles() == Cycles.NONE
              ? null
              : new CycleCollapse(constraints, nodes, edges, sets, launches, options.mergeSize());
    } catch (RuntimeException e) {
      edges.close();
      throw e;
    }
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

  long searchesGivenUp() {
    return collapse == null ? 0 : collapse.unfinished();
  }

  /** Adds to sets until all constraints hold. */
  void solve() {
    addCopies();
    if (collapse != null) {
      collapse.run();
    }
    takeAddresses();
    boolean goesOn;
    do {
      nodes.nextRound();
      nodes.setTotal("grown", 0);
      if (collapse != null) {
        collapse.run();
      }
      if (propagation == Propagation.DIFFERENCE) {
        spreadDifferences();
      } else {
        addDereferences(nodes.changed(), nodes.round() - 1, sets.fields());
        spread(propagation == Propagation.PULL ? "pull_sets" : "push_sets");
      }
      goesOn = nodes.total("grown") != 0;
    } while (goesOn);
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
        "take_addresses",
        count,
        new Fields()
            .set("count", count)
            .set("to", constraints.to(Kind.ADDRESS_OF))
            .set("location", constraints.from(Kind.ADDRESS_OF))
            .set("nodes", nodes.fields())
            .set("sets", sets.fields()));
  }

  /** Adds the edges of dereferences, and says whether edges were renumbered for that. */
  private boolean addDereferences(DeviceArray<int[]> stamp, int since, Fields by) {
    int loads = constraints.constraints().count(Kind.LOAD);
    int stores = constraints.constraints().count(Kind.STORE);
    return edges.add(
        fields ->
            launches.runPieces(
                "add_dereferences",
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
                    .set("since", since)
                    .set("stamp", stamp)
                    .set("by", by)));
  }

  private void spread(String kernel) {
    launches.runPieces(
        kernel,
        sets.work(),
        pieces(nodes.variables()),
        new Fields()
            .set("nodes", nodes.fields())
            .set("sets", sets.fields())
            .set("end", edges.end())
            .set("next", edges.next())
            .set("totals", nodes.totals()));
  }

  private void spreadDifferences() {
    launches.runPieces(
        "take_differences",
        sets.work(),
        pieces(nodes.variables()),
        new Fields()
            .set("nodes", nodes.fields())
            .set("sets", sets.fields())
            .set("done", sets.dereferencedFields())
            .set("difference", sets.differenceFields())
            .set("active", active));
    int known = edges.count();
    boolean renumbered = addDereferences(active, nodes.round(), sets.differenceFields());
    int first = renumbered ? 0 : known;
    int added = edges.count() - first;
    if (added > 0) {
      launches.runPieces(
          "push_over_new",
          sets.work(),
          pieces(added),
          new Fields()
              .set("first", first)
              .set("count", added)
              .set("nodes", nodes.fields())
              .set("sets", sets.fields())
              .set("owner", edges.owner())
              .set("end", edges.end()));
    }
    launches.runPieces(
        "push_differences",
        sets.work(),
        pieces(nodes.variables()),
        new Fields()
            .set("nodes", nodes.fields())
            .set("sets", sets.fields())
            .set("sent", sets.sentFields())
            .set("difference", sets.differenceFields())
            .set("end", edges.end())
            .set("next", edges.next())
            .set("totals", nodes.totals()));
  }

  /** Warps that share so many nodes, constraints or edges, one at a time. */
  private int pieces(long count) {
    return (int) Math.max(1, Math.min(launches.mostPieces(), count));
  }

  @Override
  public void close() {
    edges.close();
  }
}
