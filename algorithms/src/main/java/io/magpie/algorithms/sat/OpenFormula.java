package io.magpie.algorithms.sat;

import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.internal.driver.Scratch;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.parallel.Primitives;
import io.magpie.stm.parallel.ScanOperator;

/**
 * What decided variables leave of a formula, with a survey of each edge: clauses that are not
 * satisfied and literals without a value, as compaction.cuh describes them.
 */
final class OpenFormula {
  private final DeviceFormula formula;
  private final Launches launches;
  private Version current;
  private int made;

  /** The arrays of one stage; the next one is made in others. */
  private record Version(
      int clauses,
      int edges,
      DeviceArray<int[]> clauseOffsets,
      DeviceArray<int[]> origin,
      DeviceArray<int[]> literals,
      DeviceArray<int[]> literalOffsets,
      DeviceArray<int[]> places,
      DeviceArray<double[]> survey) {}

  /** The whole formula, with undefined surveys. */
  OpenFormula(DeviceFormula formula, Launches launches) {
    this.formula = formula;
    this.launches = launches;
    Scratch scratch = formula.scratch();
    current =
        new Version(
            formula.clauses(),
            formula.edges(),
            formula.clauseOffsets(),
            scratch.ints(named("origin"), formula.clauses()),
            formula.literals(),
            formula.literalOffsets(),
            formula.occurrences(),
            scratch.doubles(named("survey"), formula.edges()));
    launches.run("number_clauses", formula.clauses(), new Fields().set("origin", current.origin()));
  }

  /** The name of an array of the stage that is made now: a stage and the next share none. */
  private String named(String array) {
    return array + " " + made % 2;
  }

  int clauses() {
    return current.clauses();
  }

  /** Of each edge its survey. */
  DeviceArray<double[]> survey() {
    return current.survey();
  }

  /** The same for a local search, until it is compacted again. */
  SearchedFormula searched() {
    return made == 0 ? formula : new Searched();
  }

  /**
   * It has the clauses of all places by itself, as sweeps need edges there. That is all it
   * allocates: compaction has left an array "edge_to" that is long enough.
   */
  private final class Searched implements SearchedFormula {
    private final DeviceArray<int[]> clauseOf;

    Searched() {
      clauseOf = formula.scratch().ints("clause_of", current.edges());
      DeviceFormula.listClauses(
          launches,
          OpenFormula.this.fields(),
          current.clauses(),
          current.places(),
          formula.scratch().ints("edge_to", current.edges()),
          clauseOf);
    }

    @Override
    public int variables() {
      return formula.variables();
    }

    @Override
    public int clauses() {
      return current.clauses();
    }

    @Override
    public DeviceArray<int[]> clauseOffsets() {
      return current.clauseOffsets();
    }

    @Override
    public DeviceArray<int[]> literals() {
      return current.literals();
    }

    @Override
    public DeviceArray<int[]> literalOffsets() {
      return current.literalOffsets();
    }

    @Override
    public DeviceArray<int[]> clauseOf() {
      return clauseOf;
    }

    @Override
    public Formula onHost() {
      return Formula.over(
          formula.variables(), current.clauseOffsets().toArray(), current.literals().toArray());
    }
  }

  /** The field {@code formula} of kernels that go over it. */
  Fields fields() {
    return new Fields()
        .set(
            "formula",
            new Fields()
                .set("variables", formula.variables())
                .set("clauses", current.clauses())
                .set("clause_offsets", current.clauseOffsets())
                .set("literals", current.literals())
                .set("literal_offsets", current.literalOffsets())
                .set("edges", current.places()));
  }

  int edges() {
    return current.edges();
  }

  /**
   * Leaves out what has been decided since the last time.
   *
   * @param clauses that are open
   * @param edges of these: literals without values
   */
  void compact(int clauses, int edges) {
    Version from = current;
    if (edges == from.edges()) {
      return;
    }
    Scratch scratch = formula.scratch();
    DeviceArray<int[]> kept = scratch.ints("kept", from.clauses() + 1L);
    DeviceArray<int[]> length = scratch.ints("length", from.clauses() + 1L);
    launches.run(
        "count_open",
        from.clauses(),
        new Fields()
            .set("clauses", from.clauses())
            .set("origin", from.origin())
            .set("left", formula.left())
            .set("kept", kept)
            .set("length", length));
    scan(kept);
    scan(length);
    made++;
    long literals = 2L * formula.variables();
    Version to =
        new Version(
            clauses,
            edges,
            scratch.ints(named("clause offsets"), clauses + 1L),
            scratch.ints(named("origin"), clauses),
            scratch.ints(named("literals"), edges),
            scratch.ints(named("literal offsets"), literals + 1),
            scratch.ints(named("edges"), edges),
            scratch.doubles(named("survey"), edges));
    DeviceArray<int[]> edgeTo = scratch.ints("edge_to", from.edges());
    launches.run(
        "move_clauses",
        from.clauses(),
        fields()
            .set("origin", from.origin())
            .set("left", formula.left())
            .set("value", formula.value())
            .set("survey", from.survey())
            .set("clause_to", kept)
            .set("begin_to", length)
            .set("new_offsets", to.clauseOffsets())
            .set("new_origin", to.origin())
            .set("new_literals", to.literals())
            .set("new_survey", to.survey())
            .set("edge_to", edgeTo));
    launches.run(
        "count_edges", literals, fields().set("edge_to", edgeTo).set("count", to.literalOffsets()));
    scan(to.literalOffsets());
    launches.run(
        "move_edges",
        literals,
        fields()
            .set("edge_to", edgeTo)
            .set("new_offsets", to.literalOffsets())
            .set("new_edges", to.places()));
    current = to;
  }

  /** Exclusive sums in place of all but the last, which becomes their sum. */
  private void scan(DeviceArray<int[]> counts) {
    long length = counts.length() - 1;
    launches.primitives(
        "scan",
        length,
        () ->
            Primitives.of(formula.device())
                .exclusiveScan(counts.slice(0, length), counts, ScanOperator.ADD));
  }
}
