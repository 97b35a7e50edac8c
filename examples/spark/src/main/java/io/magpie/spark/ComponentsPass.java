package io.magpie.spark;

import io.magpie.examples.cli.output.OutputException;
import io.magpie.examples.input.InputException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * Checks components as they were written, by a second pass over all edges: tasks unite the edges of
 * their partitions, others what these have united, until one compares all with the file. Shares
 * with the first pass only how edges are read and computed.
 *
 * <p>Java memory of a task: 4 bytes for each vertex.
 *
 * @param file the components'
 * @param vertices how many there are
 * @param components how many the job says that there are
 * @param settings of Hadoop's file systems
 */
record ComponentsPass(String file, int vertices, int components, Settings settings)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Vertices of a slice: 1 MB. */
  private static final int SLICE = 1 << 18;

  private static final ParquetRows.Columns COLUMNS =
      new ParquetRows.Columns(LabelsFile.VERTEX, LabelsFile.COMPONENT, null, null, false);

  /**
   * What a task unites.
   *
   * @param first the first row
   * @param end one more than the last
   */
  private record Part(Edges edges, long first, long end) implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Some vertices that follow each other, each with another that edges lead to; or that a row was
   * refused.
   *
   * @param first of the vertices
   * @param others for each of them
   * @param refusal what is wrong with a row, in place of vertices; else null
   */
  private record Slice(int first, int[] others, String refusal) implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  /**
   * What is wrong, one sentence each.
   *
   * @param refusal what is wrong with the input, in place of all others; or null
   */
  private record Verdict(ArrayList<String> mistakes, String refusal) implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  /** Disjoint sets of vertices, each known by its least one. */
  private static final class Sets {
    private final int[] parents;

    Sets(int vertices) {
      parents = new int[vertices];
      Arrays.setAll(parents, v -> v);
    }

    int least(int vertex) {
      int v = vertex;
      while (parents[v] != v) {
        parents[v] = parents[parents[v]];
        v = parents[v];
      }
      return v;
    }

    void unite(int one, int other) {
      int u = least(one);
      int v = least(other);
      parents[Math.max(u, v)] = Math.min(u, v);
    }

    /**
     * The sets in slices, each made when it is asked for.
     *
     * @param set their number among those of their level
     */
    Iterator<Tuple2<Piece.Place, Slice>> slices(int set) {
      return new Iterator<>() {
        private int next;

        @Override
        public boolean hasNext() {
          return next < parents.length;
        }

        @Override
        public Tuple2<Piece.Place, Slice> next() {
          int first = next;
          int count = Math.min(SLICE, parents.length - first);
          int[] others = new int[count];
          Arrays.setAll(others, i -> least(first + i));
          next += count;
          return new Tuple2<>(new Piece.Place(set, first), new Slice(first, others, null));
        }
      };
    }
  }

  /**
   * Makes the pass.
   *
   * @param all the edges that the components are of
   * @return what is wrong; empty if nothing is
   * @throws InputException if the edges are not those that they were
   */
  List<String> run(JavaSparkContext spark, Edges all, int partitions) {
    List<Part> parts =
        ForestJob.ranges(all.rows(), partitions).stream()
            .map(
                range ->
                    new Part(all.within(range.first(), range.end()), range.first(), range.end()))
            .toList();
    JavaPairRDD<Piece.Place, Slice> sets =
        spark.parallelize(parts, partitions).mapPartitionsToPair(this::ofEdges);
    int count = partitions;
    while (count > ForestJob.MERGED) {
      int groups = (count - 1) / ForestJob.MERGED + 1;
      sets = ForestJob.together(sets, groups).mapPartitionsToPair(this::ofSlices);
      count = groups;
    }
    Verdict verdict = ForestJob.together(sets, 1).mapPartitions(this::compared).first();
    if (verdict.refusal != null) {
      throw new InputException(verdict.refusal);
    }
    return verdict.mistakes;
  }

  private Iterator<Tuple2<Piece.Place, Slice>> ofEdges(Iterator<Part> given) {
    Part part = given.next();
    Sets sets = new Sets(vertices);
    try {
      part.edges.pass(
          part.first,
          part.end,
          settings,
          (rows, count) -> {
            for (int i = 0; i < count; i++) {
              sets.unite(rows.sources[i], rows.targets[i]);
            }
            return true;
          });
    } catch (RowRefusal e) { // the first pass refused none
      return refused(e);
    }
    return sets.slices(TaskContext.getPartitionId());
  }

  private Iterator<Tuple2<Piece.Place, Slice>> ofSlices(
      Iterator<Tuple2<Piece.Place, Slice>> slices) {
    try {
      return united(slices).slices(TaskContext.getPartitionId());
    } catch (RowRefusal e) {
      return refused(e);
    }
  }

  private static Iterator<Tuple2<Piece.Place, Slice>> refused(RowRefusal e) {
    Piece.Place place = new Piece.Place(TaskContext.getPartitionId(), e.row());
    return Collections.singleton(new Tuple2<>(place, new Slice(0, new int[0], e.getMessage())))
        .iterator();
  }

  private Sets united(Iterator<Tuple2<Piece.Place, Slice>> slices) {
    Sets sets = new Sets(vertices);
    RowRefusal refusal = null;
    while (slices.hasNext()) {
      Tuple2<Piece.Place, Slice> next = slices.next();
      Slice slice = next._2();
      if (slice.refusal != null && (refusal == null || next._1().first() < refusal.row())) {
        refusal = new RowRefusal(next._1().first(), slice.refusal);
      }
      for (int i = 0; i < slice.others.length; i++) {
        sets.unite(slice.first + i, slice.others[i]);
      }
    }
    if (refusal != null) {
      throw refusal;
    }
    return sets;
  }

  private Iterator<Verdict> compared(Iterator<Tuple2<Piece.Place, Slice>> slices) {
    try {
      return List.of(new Verdict(mistakes(united(slices)), null)).iterator();
    } catch (RowRefusal e) {
      return List.of(new Verdict(new ArrayList<>(), e.getMessage())).iterator();
    }
  }

  /** Compares what was written with what edges unite. */
  private ArrayList<String> mistakes(Sets sets) {
    try {
      return mistakes(sets, written());
    } catch (InputException | RowRefusal e) { // of the result: the input is right
      throw new OutputException(
          "the components that were written cannot be read again: "
              + e.getMessage()
              + "; see that all executors can read in the folder of --out",
          e);
    }
  }

  private ArrayList<String> mistakes(Sets sets, ParquetRows written) {
    ArrayList<String> mistakes = new ArrayList<>();
    int[] found = {0, 0, 0}; // rows, components, wrong labels
    written.pass(
        0,
        vertices,
        settings,
        (rows, count) -> {
          for (int i = 0; i < count; i++) {
            int vertex = found[0]++;
            int label = rows.targets[i];
            int least = sets.least(vertex);
            found[1] += least == vertex ? 1 : 0;
            if ((rows.sources[i] != vertex || label != least) && found[2]++ == 0) {
              mistakes.add(
                  rows.sources[i] == vertex
                      ? "vertex "
                          + vertex
                          + " has label "
                          + label
                          + ", the least vertex that its edges lead to is "
                          + least
                      : "row " + vertex + " is of vertex " + rows.sources[i]);
            }
          }
          return true;
        });
    if (found[2] > 1) {
      mistakes.add("so have " + (found[2] - 1) + " more");
    }
    if (found[1] != components) {
      mistakes.add("the result says " + components + " components, the edges make " + found[1]);
    }
    return mistakes;
  }

  /** What was written, which has a row for each vertex. */
  private ParquetRows written() {
    ParquetRows rows = ParquetRows.of(file, COLUMNS, (long) vertices, settings.configuration());
    if (rows.rows() != vertices) {
      throw new InputException("it has " + rows.rows() + " rows for " + vertices + " vertices");
    }
    return rows;
  }
}
