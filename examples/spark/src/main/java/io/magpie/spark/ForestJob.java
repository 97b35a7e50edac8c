package io.magpie.spark;

import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.msf.EdgeChunk;
import io.magpie.algorithms.msf.EdgeSource;
import io.magpie.algorithms.msf.MsfOptions;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import io.magpie.algorithms.msf.StreamedForest;
import io.magpie.examples.cli.output.OutputException;
import io.magpie.stm.Device;
import java.io.IOException;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.Partitioner;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * The job: each partition of edges becomes a forest, and forests are merged, {@value #MERGED} at a
 * time, until there is one. With edges ordered by weight and number, the forest of several sets is
 * that of their forests; so neither partitions nor attempts, nor which of two equal tasks ends
 * first, change a bit of it.
 *
 * @param edges what the forest is of
 * @param objective minimum or maximum
 * @param device of each task
 * @param folder where the file is written; null if none is
 * @param settings of Hadoop's file systems
 */
record ForestJob(Edges edges, Objective objective, String device, String folder, Settings settings)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /**
   * Forests that a task merges: of 3 to 5 the levels are quickest, and more need fewer shuffles.
   */
  static final int MERGED = 4;

  /**
   * A range of rows.
   *
   * @param first the first
   * @param end one more than the last
   */
  record Range(long first, long end) implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  /**
   * What the last task gives.
   *
   * @param file what it has written; null if nothing
   * @param edges of the forest
   * @param weight the sum of the weights
   * @param refusal what is wrong with the input, in place of all others; or null
   */
  record Result(String file, int edges, BigDecimal weight, String refusal) implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  /** Has the pieces of a level's forests come together where they are merged. */
  private static final class Groups extends Partitioner {
    private static final long serialVersionUID = 1L;
    private final int groups;

    Groups(int groups) {
      this.groups = groups;
    }

    @Override
    public int numPartitions() {
      return groups;
    }

    @Override
    public int getPartition(Object place) {
      return ((Piece.Place) place).forest() / MERGED;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Groups groupsToo && groupsToo.groups == groups;
    }

    @Override
    public int hashCode() {
      return groups;
    }
  }

  /**
   * Runs it.
   *
   * @param partitions how many
   */
  Result run(JavaSparkContext spark, int partitions) {
    JavaPairRDD<Piece.Place, Piece> forests =
        spark
            .parallelize(ranges(edges.rows(), partitions), partitions)
            .mapPartitionsToPair(this::forestOf);
    int count = partitions;
    while (count > MERGED) {
      int groups = (count - 1) / MERGED + 1;
      forests = together(forests, groups).mapPartitionsToPair(this::merged);
      count = groups;
    }
    return together(forests, 1).mapPartitions(this::result).first();
  }

  private static JavaPairRDD<Piece.Place, Piece> together(
      JavaPairRDD<Piece.Place, Piece> forests, int groups) {
    return forests.repartitionAndSortWithinPartitions(new Groups(groups));
  }

  /** Cuts rows into ranges of sizes that differ by one at most. */
  static List<Range> ranges(long rows, int partitions) {
    List<Range> ranges = new ArrayList<>();
    long first = 0;
    for (int i = 0; i < partitions; i++) {
      long end = first + rows / partitions + (i < rows % partitions ? 1 : 0);
      ranges.add(new Range(first, end));
      first = end;
    }
    return ranges;
  }

  private MsfOptions options() {
    return MsfOptions.defaults().withObjective(objective);
  }

  private Iterator<Tuple2<Piece.Place, Piece>> forestOf(Iterator<Range> given) {
    Range range = given.next();
    int forest = TaskContext.getPartitionId();
    try (TaskDevice open = TaskDevice.open(device)) {
      ForestArrays found = edges.forest(open.device(), range.first, range.end, options());
      open.done();
      return found.pieces(forest);
    } catch (RowRefusal e) {
      return refused(forest, e);
    }
  }

  private Iterator<Tuple2<Piece.Place, Piece>> merged(Iterator<Tuple2<Piece.Place, Piece>> pieces) {
    int forest = TaskContext.getPartitionId();
    try {
      return merge(pieces).pieces(forest);
    } catch (RowRefusal e) {
      return refused(forest, e);
    }
  }

  private static Iterator<Tuple2<Piece.Place, Piece>> refused(int forest, RowRefusal e) {
    Piece.Place place = new Piece.Place(forest, e.row());
    return Collections.singleton(new Tuple2<>(place, Piece.of(e))).iterator();
  }

  private ForestArrays merge(Iterator<Tuple2<Piece.Place, Piece>> pieces) {
    MergedPieces merged = new MergedPieces(pieces);
    try (TaskDevice open = TaskDevice.open(device)) {
      ForestArrays forest = merge(open.device(), merged);
      open.done();
      return forest;
    }
  }

  private ForestArrays merge(Device open, MergedPieces merged) {
    if (edges.weightType() == WeightType.INT || edges.weightType() == WeightType.FLOAT) {
      EdgeSource source = new MergedSource(merged);
      return ForestArrays.of(StreamedForest.run(open, source, options()));
    }
    RankedForest forest = new RankedForest(open, edges.vertices(), options());
    while (merged.next()) {
      forest.add(merged.number(), merged.source(), merged.target(), merged.key());
    }
    return forest.end();
  }

  private Iterator<Result> result(Iterator<Tuple2<Piece.Place, Piece>> pieces) {
    ForestArrays forest;
    try {
      forest = merge(pieces);
    } catch (RowRefusal e) {
      return List.of(new Result(null, 0, null, e.getMessage())).iterator();
    }
    BigDecimal weight = BigDecimal.ZERO;
    for (long key : forest.keys()) {
      weight = weight.add(Keys.exact(edges.weightType(), key));
    }
    String file = folder == null ? null : write(forest);
    return List.of(new Result(file, forest.edges(), weight, null)).iterator();
  }

  private String write(ForestArrays forest) {
    Configuration configuration = settings.configuration();
    Path path = new Path(folder, TaskContext.get().taskAttemptId() + ".parquet");
    try {
      // To write would make the folder again, which a job that has ended has removed.
      if (TaskContext.get().isInterrupted()
          || !path.getFileSystem(configuration).exists(path.getParent())) {
        throw new IOException("the job has ended, or does not need this attempt");
      }
      new ForestFile(forest, edges.weightType()).write(path, configuration);
    } catch (IOException | RuntimeException e) { // such as for want of a file system's jar
      throw new OutputException(
          folder
              + ": cannot be written: "
              + e.getMessage()
              + "; see that all executors can write there, or name another folder by --out",
          e);
    }
    return path.toString();
  }

  /** The edges of forests that are merged. */
  private final class MergedSource implements EdgeSource {
    private final MergedPieces merged;

    MergedSource(MergedPieces merged) {
      this.merged = merged;
    }

    @Override
    public int vertices() {
      return edges.vertices();
    }

    @Override
    public WeightType weightType() {
      return edges.weightType();
    }

    /** What forests can have; so little is kept ready where there are few vertices. */
    @Override
    public long edges() {
      return (long) MERGED * Math.max(0, edges.vertices() - 1);
    }

    @Override
    public void next(EdgeChunk chunk) {
      while (!chunk.isFull() && merged.next()) {
        if (weightType() == WeightType.INT) {
          chunk.add(merged.number(), merged.source(), merged.target(), (int) merged.key());
        } else {
          float weight = Keys.toFloat(merged.key());
          chunk.add(merged.number(), merged.source(), merged.target(), weight);
        }
      }
    }
  }
}
