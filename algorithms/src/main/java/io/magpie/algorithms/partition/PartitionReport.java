package io.magpie.algorithms.partition;

import io.magpie.algorithms.Phase;
import io.magpie.stm.RegionReport;
import java.util.List;
import java.util.Locale;

/**
 * What a partitioning did, and how long it took.
 *
 * @param device where it ran
 * @param options how
 * @param levels the graphs, the input first; where all is done again within the parts found, those
 *     of the last time, from which the result comes. None if there is one part
 * @param initialCut the cut of the first coarsest graph before its refinement
 * @param phases the phases in the order of their first launch
 * @param transactions the reports of the transactional launches, in order; empty if there were none
 * @param deviceBytes the most that the run held on the device at a time, working memory of
 *     primitives included, without what the device keeps for transactions
 * @param deviceBudget what {@link GraphPartitioner} says that it holds at most
 * @param uploadMillis copying the graph to the device
 * @param coarsenMillis making the coarser graphs, each time
 * @param initialMillis partitioning the coarsest, copies to and from the host included
 * @param uncoarsenMillis projection and refinement, each time
 * @param downloadMillis copying the parts back
 * @param totalMillis everything, from the graph in Java's memory to the parts there
 */
public record PartitionReport(
    String device,
    PartitionOptions options,
    List<Level> levels,
    long initialCut,
    List<Phase> phases,
    List<RegionReport> transactions,
    long deviceBytes,
    long deviceBudget,
    double uploadMillis,
    double coarsenMillis,
    double initialMillis,
    double uncoarsenMillis,
    double downloadMillis,
    double totalMillis) {

  /**
   * One graph of the hierarchy. Its cuts and weights are multiples of the unit that the search
   * rounded to where weights add up to 2^31 or more.
   *
   * @param vertices its vertices
   * @param edges its edges
   * @param heaviestVertex the largest weight of a vertex
   * @param projectedCut the cut before refinement; on the coarsest graph that of what it began with
   * @param cut the cut after refinement
   * @param heaviestPart the weight of the heaviest part after refinement
   * @param rounds rounds of refinement
   * @param moves vertices that changed their part, counted each time
   * @param coarsenMillis making the next coarser graph of it; 0 for the coarsest
   * @param refineMillis projection to it and refinement
   */
  public record Level(
      int vertices,
      long edges,
      long heaviestVertex,
      long projectedCut,
      long cut,
      long heaviestPart,
      int rounds,
      long moves,
      double coarsenMillis,
      double refineMillis) {}

  /** Copies the lists. */
  public PartitionReport {
    levels = List.copyOf(levels);
    phases = List.copyOf(phases);
    transactions = List.copyOf(transactions);
  }

  /** A table, one line for each level. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%d parts on %s: coarsen %.3f ms, initial %.3f ms, uncoarsen %.3f ms, host to host %.3f"
                + " ms; %,d bytes on the device%n",
            options.parts(),
            device,
            coarsenMillis,
            initialMillis,
            uncoarsenMillis,
            totalMillis,
            deviceBytes));
    for (int l = 0; l < levels.size(); l++) {
      Level level = levels.get(l);
      text.append(
          String.format(
              Locale.ROOT,
              "  level %2d %,12d vertices %,14d edges, cut %,d, then %,d by %d rounds of %,d moves%n",
              l,
              level.vertices(),
              level.edges(),
              level.projectedCut(),
              level.cut(),
              level.rounds(),
              level.moves()));
    }
    return text.toString();
  }
}
