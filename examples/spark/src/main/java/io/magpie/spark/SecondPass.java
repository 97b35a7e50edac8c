package io.magpie.spark;

import io.magpie.algorithms.graph.WeightType;
import io.magpie.examples.cli.output.OutputException;
import io.magpie.examples.input.InputException;
import java.io.Serializable;
import java.lang.ref.SoftReference;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Checks a forest as it was written, by a second pass over all edges, in as many tasks as there are
 * partitions. Each process reads the file, again only if memory was short, and has the {@link
 * ForestTrees} of it.
 *
 * <p>Checked: it has as many edges as the job says, in ascending order of their numbers, without a
 * cycle, and the weight that the job says; each of its edges comes once, with that number, those
 * ends and that weight; each other edge joins two vertices that the forest joins, and is not before
 * the last edge of their path in the order of weight and number. An id of a chosen edge that
 * another edge has, too, is a fault of the input, not of the forest.
 *
 * @param file the forest's
 * @param edges how many it has
 * @param weight the sum of their weights
 * @param vertices how many there are
 * @param weightType of all edges
 * @param minimum whether the lightest edges are wanted
 * @param settings of Hadoop's file systems
 */
record SecondPass(
    String file,
    int edges,
    BigDecimal weight,
    int vertices,
    WeightType weightType,
    boolean minimum,
    Settings settings)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  private static final ParquetRows.Columns COLUMNS =
      new ParquetRows.Columns("src", "dst", "weight", "id");

  /** The trees that tasks of this process have in common, until memory is short. */
  private static String loadedFile;

  private static SoftReference<ForestTrees> loaded = new SoftReference<>(null);

  /** What is wrong with the forest itself comes before what edges show. */
  private static final long BEFORE_ALL_ROWS = -1;

  /**
   * A range of rows.
   *
   * @param index which of the ranges
   */
  private record Part(Edges edges, int index, long first, long end) implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  /**
   * What edges have shown.
   *
   * @param row the first that shows that the forest is wrong
   * @param mistake what it shows; null if none does
   * @param refusal whether that is a fault of the input
   * @param place of a chosen edge whose number came again, or of an edge unlike it; {@link
   *     ForestTrees#OTHER} if that is not what is wrong
   * @param came which edges of the forest came
   */
  private record Finding(long row, String mistake, boolean refusal, int place, BitSet came)
      implements Serializable {
    private static final long serialVersionUID = 1L;

    static Finding right(BitSet came) {
      return new Finding(0, null, false, ForestTrees.OTHER, came);
    }

    static Finding refused(RowRefusal refusal) {
      return new Finding(
          refusal.row(), refusal.getMessage(), true, ForestTrees.OTHER, new BitSet());
    }

    static Finding wrong(long row, String mistake, int place) {
      return new Finding(row, mistake, false, place, new BitSet());
    }

    Finding and(Finding other) {
      if (mistake != null || other.mistake != null) {
        boolean mine = other.mistake == null || mistake != null && row <= other.row;
        return mine ? this : other;
      }
      BitSet both = (BitSet) came.clone();
      both.and(other.came);
      if (!both.isEmpty()) {
        return wrong(
            Long.MAX_VALUE, "two edges have the number of one that was chosen", both.nextSetBit(0));
      }
      both.or(came);
      both.or(other.came);
      return right(both);
    }
  }

  /**
   * How often a number comes.
   *
   * @param rows how many have it
   */
  private record Occurrences(long number, long rows) implements Serializable {
    private static final long serialVersionUID = 1L;

    Occurrences and(Occurrences other) {
      return new Occurrences(number, rows + other.rows);
    }
  }

  /**
   * Makes the pass.
   *
   * @param all the edges that the forest is of
   * @return what is wrong, one sentence; empty if nothing is
   * @throws InputException if the edges are not those that they were, or a chosen one's id is
   *     repeated
   */
  List<String> run(JavaSparkContext spark, Edges all, int partitions) {
    List<Part> parts = new ArrayList<>();
    for (ForestJob.Range range : ForestJob.ranges(all.rows(), partitions)) {
      Edges some = all.within(range.first(), range.end());
      parts.add(new Part(some, parts.size(), range.first(), range.end()));
    }
    Finding finding =
        spark.parallelize(parts, partitions).map(this::check).treeReduce(Finding::and);
    if (finding.refusal) {
      throw new InputException(finding.mistake);
    }
    if (finding.place != ForestTrees.OTHER && all.haveIds()) {
      Occurrences found =
          spark
              .parallelize(parts, partitions)
              .map(part -> occurrences(part, finding.place))
              .reduce(Occurrences::and);
      if (found.rows > 1) {
        throw new InputException(RankedForest.repeated(found.number).getMessage());
      }
    }
    if (finding.mistake != null) {
      return List.of(finding.mistake);
    }
    int missing = edges - finding.came.cardinality();
    return missing == 0
        ? List.of()
        : List.of(
            missing
                + " of the chosen edges did not come, the first in row "
                + finding.came.nextClearBit(0)
                + " (from 0) of the forest's");
  }

  private Finding check(Part part) {
    ForestTrees trees = trees();
    if (trees.fault() != null) {
      return Finding.wrong(BEFORE_ALL_ROWS, trees.fault(), ForestTrees.OTHER);
    }
    if (part.index == 0) {
      BigDecimal sum = trees.weight();
      if (sum.compareTo(weight) != 0) {
        return Finding.wrong(
            BEFORE_ALL_ROWS,
            "the chosen edges weigh "
                + sum.toPlainString()
                + ", the forest says "
                + weight.toPlainString(),
            ForestTrees.OTHER);
      }
    }
    Judge judge = new Judge(trees, part.first);
    try {
      part.edges.pass(part.first, part.end, settings, judge);
    } catch (RowRefusal e) { // the first pass refused none
      return Finding.refused(e);
    }
    return judge.finding == null ? Finding.right(judge.came) : judge.finding;
  }

  /** How many rows have the number of a chosen edge. */
  private Occurrences occurrences(Part part, int place) {
    long number = trees().number(place);
    long[] found = {0};
    try {
      part.edges.pass(
          part.first,
          part.end,
          settings,
          (rows, count) -> {
            found[0] += Arrays.stream(rows.numbers, 0, count).filter(n -> n == number).count();
            return true;
          });
    } catch (RowRefusal e) {
      throw new InputException(e.getMessage(), e);
    }
    return new Occurrences(number, found[0]);
  }

  /** Judges rows until one is wrong. */
  private static final class Judge implements Edges.Taker {
    final BitSet came = new BitSet();
    private final ForestTrees trees;
    private long next;
    private Finding finding;

    Judge(ForestTrees trees, long first) {
      this.trees = trees;
      this.next = first;
    }

    @Override
    public boolean take(RowReader.Rows rows, int count) {
      ForestTrees.Wrong wrong = trees.judge(rows, count, came);
      if (wrong != null) {
        finding = Finding.wrong(next + wrong.row(), wrong.reason(), wrong.place());
      }
      next += count;
      return wrong == null;
    }
  }

  private ForestTrees trees() {
    synchronized (SecondPass.class) {
      ForestTrees trees = file.equals(loadedFile) ? loaded.get() : null;
      if (trees == null) {
        trees = new ForestTrees(read(), vertices, weightType, minimum);
        loaded = new SoftReference<>(trees);
        loadedFile = file;
      }
      return trees;
    }
  }

  /** What was written. */
  private ForestArrays read() {
    Configuration configuration = settings.configuration();
    try {
      ParquetRows table = ParquetRows.of(file, COLUMNS, (long) vertices, configuration);
      if (table.rows() != edges || table.weightType() != weightType) {
        throw new InputException(
            "it has "
                + table.rows()
                + " edges with weights of type "
                + table.weightType()
                + ", the forest "
                + edges
                + " and "
                + weightType);
      }
      ForestArrays forest =
          new ForestArrays(new long[edges], new int[edges], new int[edges], new long[edges]);
      int[] next = {0};
      table.pass(
          0,
          edges,
          settings,
          (rows, count) -> {
            System.arraycopy(rows.numbers, 0, forest.numbers(), next[0], count);
            System.arraycopy(rows.sources, 0, forest.sources(), next[0], count);
            System.arraycopy(rows.targets, 0, forest.targets(), next[0], count);
            System.arraycopy(rows.keys, 0, forest.keys(), next[0], count);
            next[0] += count;
            return true;
          });
      return forest;
    } catch (InputException | RowRefusal e) {
      throw new OutputException(
          "the forest that was written cannot be read again: "
              + e.getMessage()
              + "; see that all executors can read in the folder of --out",
          e);
    }
  }
}
