package io.magpie.algorithms.pointsto;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.algorithms.internal.PixelImage;
import io.magpie.algorithms.pointsto.ConstraintSet.Kind;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class PointsToPictureProperties {
  private static final int SIZE = 16;

  /** Compared with a count of all pairs, one by one, for fewer rows and columns than pixels too. */
  @Property(tries = 200)
  void everyPixelTellsItsPairs(
      @ForAll @Size(max = 70) List<@Size(max = 5) Set<@IntRange(max = 50) Integer>> sets) {
    ConstraintSet.Builder constraints = ConstraintSet.builder(0);
    for (int v = 0; v < sets.size(); v++) {
      for (int target : sets.get(v)) {
        constraints.add(Kind.ADDRESS_OF, v, target);
      }
    }
    List<TreeSet<Integer>> rows =
        IntStream.range(0, sets.size())
            .filter(v -> !sets.get(v).isEmpty())
            .boxed()
            .sorted(
                Comparator.<Integer>comparingInt(v -> new TreeSet<>(sets.get(v)).first())
                    .thenComparing(v -> -sets.get(v).size())
                    .thenComparing(v -> sets.indexOf(sets.get(v)))
                    .thenComparing(v -> v))
            .map(v -> new TreeSet<>(sets.get(v)))
            .toList();
    TreeSet<Integer> targets = new TreeSet<>();
    rows.forEach(targets::addAll);
    List<Integer> columns = List.copyOf(targets);
    double[][] parts = new double[SIZE][SIZE];
    double largest = 0;
    for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
        int all = 0;
        int there = 0;
        for (int r = 0; r < rows.size(); r++) {
          for (int c = 0; c < columns.size(); c++) {
            if (isShown(r, rows.size(), y) && isShown(c, columns.size(), x)) {
              all++;
              there += rows.get(r).contains(columns.get(c)) ? 1 : 0;
            }
          }
        }
        parts[y][x] = there == 0 ? 0 : (double) there / all;
        largest = Math.max(largest, parts[y][x]);
      }
    }
    double least = 1.0 / (most(rows.size()) * most(columns.size()));
    PixelImage image =
        PointsToPicture.of(PointsToReference.run(constraints.build())).withSize(SIZE).image();
    for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
        int expected = PointsToPicture.color(parts[y][x], least, largest);
        assertEquals(expected, image.get(x, y), x + ", " + y);
      }
    }
  }

  /** Whether a pixel stands for one of so many items: it has some, or a part of one. */
  private static boolean isShown(int item, int items, int pixel) {
    return items < SIZE
        ? item == pixel * items / SIZE
        : item >= pixel * items / SIZE && item < (pixel + 1) * items / SIZE;
  }

  private static int most(int items) {
    return (int) Math.ceil((double) items / SIZE);
  }
}
