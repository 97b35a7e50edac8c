package io.magpie.spark;

import io.magpie.algorithms.components.StreamedComponents;
import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.msf.EdgeChunk;
import io.magpie.algorithms.msf.EdgeSource;
import io.magpie.algorithms.msf.MsfOptions;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import io.magpie.algorithms.msf.NumberedForest;
import io.magpie.algorithms.msf.StreamedForest;
import io.magpie.examples.cli.output.BuildInfo;
import io.magpie.examples.cli.output.OutputException;
import java.io.IOException;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
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
 * @param vertices how many there are
 * @param weightType of all edges
 * @param objective minimum or maximum
 * @param device of each task
 * @param product what the last task makes of the forest
 * @param folder where the file is written; null if none is
 * @param checkpoint where the forests of partitions are kept; null if they are not
 * @param settings of Hadoop's file systems
 */
record ForestJob(
    int vertices,
    WeightType weightType,
    Objective objective,
    String device,
    Product product,
    String folder,
    Checkpoint checkpoint,
    Settings settings)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** What a file has, and what is told. */
  enum Product {
    /** The forest's edges. */
    FOREST,
    /** The label of each vertex, and how many vertices the largest component has. */
    COMPONENTS
  }

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
  record Range(long first, long end) {}

  /**
   * What a task makes a forest of.
   *
   * @param edges with as little as there need be for the range
   * @param first the first row
   * @param end one more than the last
   */
  private record Part(Edges edges, long first, long end) implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  /**
   * What the last task gives.
   *
   * @param file what it has written; null if nothing
   * @param edges of the forest
   * @param weight the sum of the weights
   * @param largest vertices of the largest component; 0 if nobody asked
   * @param refusal what is wrong with the input, in place of all others; or null
   */
  record Result(String file, int edges, BigDecimal weight, int largest, String refusal)
      implements Serializable {
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
   * @param edges what the forest is of
   * @param partitions how many
   */
  Result run(JavaSparkContext spark, Edges edges, int partitions) {
    List<Part> parts =
        ranges(edges.rows(), partitions).stream()
            .map(range -> new Part(edges.within(range.first, range.end), range.first, range.end))
            .toList();
    JavaPairRDD<Piece.Place, Piece> forests =
        spark.parallelize(parts, partitions).mapPartitionsToPair(this::forestOf);
    int count = partitions;
    while (count > MERGED) {
      int groups = (count - 1) / MERGED + 1;
      forests = together(forests, groups).mapPartitionsToPair(this::merged);
      count = groups;
    }
    return together(forests, 1).mapPartitions(this::result).first();
  }

  /**
   * What {@value #MERGED} tasks have made, in one, and in the order of their places.
   *
   * @param groups how many tasks there are to be
   */
  static <T> JavaPairRDD<Piece.Place, T> together(JavaPairRDD<Piece.Place, T> made, int groups) {
    return made.repartitionAndSortWithinPartitions(new Groups(groups));
  }

  /** What decides the forests of partitions, by name. */
  static Map<String, String> decisive(Edges edges, Objective objective, int partitions) {
    Map<String, String> decisive = new TreeMap<>(edges.identity());
    decisive.put("build", BuildInfo.version() + " " + BuildInfo.revision());
    decisive.put("vertices", Integer.toString(edges.vertices()));
    decisive.put("edges", Long.toString(edges.rows()));
    decisive.put("weights", edges.weightType().toString());
    decisive.put("objective", objective.name().toLowerCase(Locale.ROOT));
    decisive.put("partitions", Integer.toString(partitions));
    return decisive;
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
    return MsfOptions.defaults().withObjective(objective).withPhaseTimes(false);
  }

  private Iterator<Tuple2<Piece.Place, Piece>> forestOf(Iterator<Part> given) {
    Part part = given.next();
    int forest = TaskContext.getPartitionId();
    try {
      return (checkpoint == null ? forestOf(part) : keptForestOf(part, forest)).pieces(forest);
    } catch (RowRefusal e) {
      return refused(forest, e);
    }
  }

  private ForestArrays forestOf(Part part) {
    try (TaskDevice open = TaskDevice.open(device)) {
      ForestArrays found =
          part.edges.forest(open.device(), part.first, part.end, options(), settings);
      open.done();
      return found;
    }
  }

  private ForestArrays keptForestOf(Part part, int partition) {
    Configuration configuration = settings.configuration();
    return checkpoint
        .read(partition, configuration)
        .orElseGet(
            () -> {
              ForestArrays found = forestOf(part);
              checkpoint.write(partition, found, configuration);
              return found;
            });
  }

  private Iterator<Tuple2<Piece.Place, Piece>> merged(Iterator<Tuple2<Piece.Place, Piece>> pieces) {
    int forest = TaskContext.getPartitionId();
    try {
      return ForestArrays.of(merge(pieces)).pieces(forest);
    } catch (RowRefusal e) {
      return refused(forest, e);
    }
  }

  private static Iterator<Tuple2<Piece.Place, Piece>> refused(int forest, RowRefusal e) {
    Piece.Place place = new Piece.Place(forest, e.row());
    return Collections.singleton(new Tuple2<>(place, Piece.of(e))).iterator();
  }

  private NumberedForest merge(Iterator<Tuple2<Piece.Place, Piece>> pieces) {
    EdgeSource source = new MergedSource(new MergedPieces(pieces));
    try (TaskDevice open = TaskDevice.open(device)) {
      NumberedForest forest = StreamedForest.run(open.device(), source, options());
      open.done();
      return forest;
    }
  }

  private Iterator<Result> result(Iterator<Tuple2<Piece.Place, Piece>> pieces) {
    NumberedForest forest;
    try {
      forest = merge(pieces);
    } catch (RowRefusal e) {
      return List.of(new Result(null, 0, null, 0, e.getMessage())).iterator();
    }
    StreamedComponents components =
        product == Product.COMPONENTS ? StreamedComponents.of(forest) : null;
    String file = folder == null ? null : write(forest, components);
    int largest = components == null ? 0 : components.largest();
    Result result = new Result(file, forest.edges(), forest.exactWeight(), largest, null);
    return List.of(result).iterator();
  }

  /**
   * @param components null if the forest itself is wanted
   */
  private String write(NumberedForest forest, StreamedComponents components) {
    Configuration configuration = settings.configuration();
    Path path = new Path(folder, TaskContext.get().taskAttemptId() + ".parquet");
    try {
      // To write would make the folder again, which a job that has ended has removed.
      if (TaskContext.get().isInterrupted()
          || !path.getFileSystem(configuration).exists(path.getParent())) {
        throw new IOException("the job has ended, or does not need this attempt");
      }
      if (components == null) {
        ForestFile.write(forest, path, configuration);
      } else {
        LabelsFile.write(components.labels(), path, configuration);
      }
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
      return vertices;
    }

    @Override
    public WeightType weightType() {
      return weightType;
    }

    /** What forests can have; so little is kept ready where there are few vertices. */
    @Override
    public long edges() {
      return (long) MERGED * Math.max(0, vertices - 1);
    }

    @Override
    public void next(EdgeChunk chunk) {
      while (!chunk.isFull() && merged.next()) {
        long number = merged.number();
        int source = merged.source();
        int target = merged.target();
        long key = merged.key();
        switch (weightType) {
          case INT -> chunk.add(number, source, target, (int) key);
          case LONG -> chunk.add(number, source, target, key);
          case FLOAT -> chunk.add(number, source, target, Keys.toFloat(key));
          case DOUBLE -> chunk.add(number, source, target, Keys.toDouble(key));
        }
      }
    }
  }
}
