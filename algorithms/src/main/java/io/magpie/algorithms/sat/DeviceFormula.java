package io.magpie.algorithms.sat;

import io.magpie.algorithms.internal.driver.DeviceMemory;
import io.magpie.algorithms.internal.driver.Launches;
import io.magpie.algorithms.internal.driver.Workspace;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.StmObjects;
import io.magpie.stm.StmOptions;
import java.util.function.Supplier;

/**
 * A formula on a device, with the values of its variables and the states of its clauses, as
 * formula.cuh describes them.
 */
final class DeviceFormula extends Workspace implements SearchedFormula {
  private static final String MODULE = "sat";

  private final Formula formula;
  private final DeviceArray<int[]> clauseOffsets;
  private final DeviceArray<int[]> literals;
  private final DeviceArray<int[]> literalOffsets;
  private final DeviceArray<int[]> edges;
  private final DeviceArray<int[]> clauseOf;
  private final DeviceArray<int[]> value;
  private final DeviceArray<int[]> left;
  private final DeviceArray<int[]> rest;
  private final boolean meets;
  private StmObjects variableObjects;
  private StmObjects clauseObjects;

  /**
   * Copies a formula that has no clause with a variable twice, and at least one literal.
   *
   * @throws io.magpie.stm.DeviceOutOfMemoryException if the device has too little free memory
   */
  DeviceFormula(Device device, Formula formula) {
    this(device, formula, true);
  }

  /**
   * @param meets false for a launch for each phase, wherever it is
   */
  DeviceFormula(Device device, Formula formula, boolean meets) {
    super(new DeviceMemory(device), MODULE);
    this.formula = formula;
    try {
      this.meets = meets && device.hasGridBarrier() && module().intConstant("observed") == 0;
      clauseOffsets = copied(formula.offsets()).named("clause_offsets");
      literals = copied(formula.literals()).named("literals");
      literalOffsets = copied(formula.occurrenceOffsets()).named("literal_offsets");
      edges = copied(formula.occurrences()).named("edges");
      DeviceArray<int[]> clauses =
          kept(memory().ints(formula.literals().length)).named("clause_of");
      listClauses(clauses);
      clauseOf = clauses.asConst();
      value = kept(memory().ints(formula.variables())).named("value");
      left = kept(memory().ints(formula.clauses())).named("left");
      rest = kept(memory().ints(formula.clauses())).named("rest");
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private DeviceArray<int[]> copied(int[] array) {
    Supplier<DeviceArray<int[]>> copy = () -> memory().copyOf(array);
    return keptInput(upload(copy));
  }

  private void listClauses(DeviceArray<int[]> clauseOf) {
    Fields whole =
        new Fields()
            .set("variables", variables())
            .set("clauses", clauses())
            .set("clause_offsets", clauseOffsets)
            .set("literals", literals)
            .set("literal_offsets", literalOffsets)
            .set("edges", edges);
    listClauses(
        new Launches(module(), false, StmOptions.defaults()),
        new Fields().set("formula", whole),
        clauses(),
        edges,
        scratch().ints("edge_to", edges()),
        clauseOf);
  }

  /**
   * Lists for each place of a literal the clause of its edge.
   *
   * @param formula the field {@code formula} with these clauses and edges
   * @param ofEdges as long as the edges; overwritten
   */
  static void listClauses(
      Launches launches,
      Fields formula,
      int clauses,
      DeviceArray<int[]> edges,
      DeviceArray<int[]> ofEdges,
      DeviceArray<int[]> clauseOf) {
    launches.run("number_edges", clauses, formula.set("clause", ofEdges));
    launches.run(
        "list_clauses",
        edges.length(),
        new Fields().set("edges", edges).set("clause", ofEdges).set("clause_of", clauseOf));
  }

  /** What was copied. */
  @Override
  public Formula onHost() {
    return formula;
  }

  /** Whether a series of phases can be one launch, whose threads meet between them. */
  boolean meets() {
    return meets;
  }

  /** The word by which the threads of a launch meet, for one such launch. */
  DeviceArray<int[]> arrived() {
    DeviceArray<int[]> arrived = scratch().ints("arrived", 1);
    arrived.fill(0);
    return arrived;
  }

  /** The most literals that a clause has. */
  int longestClause() {
    int longest = 0;
    for (int a = 0; a < clauses(); a++) {
      longest = Math.max(longest, formula.offsets()[a + 1] - formula.offsets()[a]);
    }
    return longest;
  }

  @Override
  public int variables() {
    return formula.variables();
  }

  @Override
  public int clauses() {
    return formula.clauses();
  }

  int edges() {
    return formula.literals().length;
  }

  /** The edges of each clause, and behind the last. */
  @Override
  public DeviceArray<int[]> clauseOffsets() {
    return clauseOffsets;
  }

  /** The literal of each edge. */
  @Override
  public DeviceArray<int[]> literals() {
    return literals;
  }

  /** The places of each literal in {@link #occurrences}, and behind the last. */
  @Override
  public DeviceArray<int[]> literalOffsets() {
    return literalOffsets;
  }

  /** The edges of each literal. */
  DeviceArray<int[]> occurrences() {
    return edges;
  }

  @Override
  public DeviceArray<int[]> clauseOf() {
    return clauseOf;
  }

  /** Of each variable its value. */
  DeviceArray<int[]> value() {
    return value;
  }

  /** Of each clause the number of literals without a value, or that it is satisfied. */
  DeviceArray<int[]> left() {
    return left;
  }

  /** Of each clause the exclusive or of these literals. */
  DeviceArray<int[]> rest() {
    return rest;
  }

  /** An object for each variable, allocated by the first call. */
  StmObjects variableObjects() {
    if (variableObjects == null) {
      variableObjects = kept(memory().objects(variables()));
    }
    return variableObjects;
  }

  /** An object for each clause, allocated by the first call. */
  StmObjects clauseObjects() {
    if (clauseObjects == null) {
      clauseObjects = kept(memory().objects(clauses()));
    }
    return clauseObjects;
  }
}
