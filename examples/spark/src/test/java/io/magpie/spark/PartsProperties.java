package io.magpie.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.graph.WeightType;
import io.magpie.algorithms.msf.MsfOptions;
import io.magpie.spark.TestEdges.Edge;
import io.magpie.stm.Device;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import scala.Tuple2;

/** The parts that tasks are made of. */
class PartsProperties {
  @Property(tries = 200)
  void ordersAreThoseOfAStableSort(@ForAll long[] keys, @ForAll @IntRange(max = 63) int shift) {
    long[] shifted = Arrays.stream(keys).map(key -> key >> shift).toArray();
    int[] all = IntStream.range(0, keys.length).toArray();
    int[] expected =
        IntStream.of(all)
            .boxed()
            .sorted(Comparator.comparingLong(i -> shifted[i]))
            .mapToInt(i -> i)
            .toArray();
    assertArrayEquals(expected, RadixOrder.sorted(shifted, all));
  }

  @Property(tries = 100)
  void keysHaveTheOrderOfWeights(@ForAll double a, @ForAll double b) {
    assertEquals(Double.compare(a + 0.0, b + 0.0), Long.compare(Keys.of(a), Keys.of(b)));
    assertEquals(a, Keys.toDouble(Keys.of(a)), 0);
    float c = (float) a;
    float d = (float) b;
    if (Float.isFinite(c) && Float.isFinite(d)) {
      assertEquals(Float.compare(c + 0.0f, d + 0.0f), Long.compare(Keys.of(c), Keys.of(d)));
      assertEquals(c, Keys.toFloat(Keys.of(c)), 0);
    }
  }

  @Property(tries = 100)
  void rangesHaveEachRowOnce(
      @ForAll @IntRange(max = 1000) int rows, @ForAll @IntRange(min = 1, max = 70) int partitions) {
    List<ForestJob.Range> ranges = ForestJob.ranges(rows, partitions);
    assertEquals(partitions, ranges.size());
    long least = rows / partitions;
    long next = 0;
    for (ForestJob.Range range : ranges) {
      assertEquals(next, range.first());
      long size = range.end() - range.first();
      assertTrue(size == least || size == least + 1, () -> range + " beside " + least);
      next = range.end();
    }
    assertEquals(rows, next);
  }

  @Property(tries = 100)
  void whatARangeNeedsHasItsRowsAndNoOtherGroup(
      @ForAll List<@IntRange(max = 9) Integer> sizes,
      @ForAll @IntRange(min = 1, max = 20) int partitions) {
    List<ParquetRows.Group> groups = new ArrayList<>();
    long rows = 0;
    for (int size : sizes) {
      groups.add(new ParquetRows.Group("file", 1, 1, groups.size(), rows, rows, size));
      rows += size;
    }
    ParquetRows all =
        new ParquetRows(
            "file", new ParquetRows.Columns("a", "b", "c", null), 1, WeightType.INT, rows, groups);
    for (ForestJob.Range range : ForestJob.ranges(rows, partitions)) {
      ParquetRows some = (ParquetRows) all.within(range.first(), range.end());
      TreeSet<Integer> expected = new TreeSet<>();
      for (long row = range.first(); row < range.end(); row++) {
        long at = row;
        groups.stream()
            .filter(group -> group.first() <= at && at < group.first() + group.rows())
            .forEach(group -> expected.add(group.index()));
      }
      assertEquals(
          List.copyOf(expected), some.groups().stream().map(ParquetRows.Group::index).toList());
    }
  }

  @Property(tries = 100)
  void piecesAreMergedInTheOrderOfNumbers(
      @ForAll @IntRange(min = 1, max = 6) int forests, @ForAll Random random) {
    List<Tuple2<Piece.Place, Piece>> pieces = new ArrayList<>();
    int edges = random.nextInt(300);
    List<List<Long>> numbers = new ArrayList<>();
    IntStream.range(0, forests).forEach(i -> numbers.add(new ArrayList<>()));
    for (long number = 0; number < edges; number++) {
      numbers.get(random.nextInt(forests)).add(number);
    }
    for (int forest = 0; forest < forests; forest++) {
      List<Long> own = numbers.get(forest);
      for (int from = 0, to; from < own.size(); from = to) {
        to = Math.min(own.size(), from + 1 + random.nextInt(40));
        long[] some = own.subList(from, to).stream().mapToLong(n -> n).toArray();
        int[] ends = Arrays.stream(some).mapToInt(n -> (int) n % 7).toArray();
        Piece piece = new Piece(some, ends, ends, some, null);
        pieces.add(new Tuple2<>(new Piece.Place(forest, some[0]), piece));
      }
    }
    pieces.sort(Comparator.comparing(Tuple2::_1));
    MergedPieces merged = new MergedPieces(pieces.iterator());
    for (long number = 0; number < edges; number++) {
      assertEquals(true, merged.next());
      assertEquals(number, merged.number());
      assertEquals(number % 7, merged.source());
      assertEquals(number, merged.key());
    }
    assertEquals(false, merged.next());
  }

  @Property(tries = 20)
  void forestsOfBlocksAreThatOfAllEdges(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 40) int vertices,
      @ForAll @IntRange(max = 300) int count,
      @ForAll @IntRange(min = 1, max = 9000) int block,
      @ForAll boolean maximum) {
    int most = Math.min(count * 60, 30 * block); // so that there are not too many blocks
    List<Edge> edges = new ArrayList<>(TestEdges.random(seed, vertices, most, 50));
    Collections.shuffle(edges, new Random(seed));
    MsfOptions options =
        MsfOptions.defaults()
            .withObjective(maximum ? MsfOptions.Objective.MAXIMUM : MsfOptions.Objective.MINIMUM);
    try (Device device = Device.open("cpu:1")) {
      RankedForest forest = new RankedForest(device, vertices, options, block);
      for (Edge edge : edges) {
        forest.add(edge.id(), edge.source(), edge.target(), edge.weight() << 40);
      }
      TreeSet<Long> found = new TreeSet<>();
      Arrays.stream(forest.end().numbers()).forEach(found::add);
      assertEquals(TestEdges.forest(edges, maximum), found);
    }
  }
}
