package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Arrays that are given together with the objects that their data belong to. */
class GuardedArraysTest {
  private static final int POINTS = 10;
  private static final int VISITS = 1000;

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void structsAndBlocksAreWhole(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("guarded.cu"), Devices.FIXED_LOGS);
        StmObjects points = device.objects(POINTS);
        StmObjects blocks = device.objects(2);
        DeviceArray<int[]> data = device.ints(4 * POINTS); // x, y, z, visits
        DeviceArray<long[]> weights = device.longs(5)) {
      Fields arguments = new Fields().set("points", data, points).set("weights", weights, blocks);
      module.region("visit").run(VISITS, arguments).requireComplete();
      int each = VISITS / POINTS;
      int[] seen = data.toArray();
      for (int i = 0; i < POINTS; i++) {
        assertEquals(each, Float.intBitsToFloat(seen[4 * i]));
        assertEquals(each, seen[4 * i + 3]);
      }
      for (long weight : weights.toArray()) {
        assertEquals(2L * each * (each + 1) / 2, weight);
      }
    }
  }

  @Test
  void tooFewObjectsAreRefusedBeforeAnythingRuns() {
    try (Device device = Device.open("cpu:1");
        KernelModule module = device.compile(Devices.source("guarded.cu"), Devices.FIXED_LOGS);
        StmObjects points = device.objects(POINTS);
        StmObjects one = device.objects(1);
        DeviceArray<int[]> data = device.ints(4 * POINTS);
        DeviceArray<long[]> weights = device.longs(5)) {
      Region visit = module.region("visit");
      Fields arguments = new Fields().set("points", data, points).set("weights", weights, one);
      ArgumentMismatchException e =
          assertThrows(ArgumentMismatchException.class, () -> visit.run(1, arguments));
      assertEquals("weights.guards", e.field());
      assertTrue(e.getMessage().contains("the 5 elements of weights.data need 2"), e::getMessage);
      assertTrue(
          assertThrows(
                  ArgumentMismatchException.class,
                  () ->
                      visit.run(
                          1, new Fields().set("points", data, one).set("weights", weights, points)))
              .getMessage()
              .contains("the 10 elements of points.data need 10"));
      assertEquals(0, data.toArray()[3]);
    }
  }

  /** Whose name is written wrong, or whose objects are left out. */
  @Test
  void whatSetsOneIsTold() {
    try (Device device = Device.open("cpu:1");
        KernelModule module = device.compile(Devices.source("guarded.cu"), Devices.FIXED_LOGS);
        StmObjects points = device.objects(POINTS);
        DeviceArray<int[]> data = device.ints(4 * POINTS);
        DeviceArray<long[]> weights = device.longs(5)) {
      Region visit = module.region("visit");
      Fields misspelled = new Fields().set("points", data, points).set("weigths", weights, points);
      assertEquals(
          "'weights' of region visit must be a guarded array, by set(\"weights\", data, objects),"
              + " got no value; 'weigths' is no field of it",
          assertThrows(ArgumentMismatchException.class, () -> visit.run(1, misspelled))
              .getMessage());
      Fields alone = new Fields().set("points", data, points).set("weights", weights);
      assertEquals(
          "'weights' of region visit must be a guarded array, by set(\"weights\", data, objects),"
              + " got "
              + weights,
          assertThrows(ArgumentMismatchException.class, () -> visit.run(1, alone)).getMessage());
    }
  }

  /** In any form that looks like an ordinary access, of any guarded array; and tried too late. */
  @Test
  void wrongAccessesAreAnsweredWithWhatToWrite(@TempDir Path folder) throws IOException {
    assertAnswered(
        folder,
        "color[u]",
        "a guarded array is reached by tx.get(array, i); unguarded(i)",
        "cells.data[u]",
        "the data of a guarded array are reached by tx.get(array, i); array.unguard",
        "table(u, 1)",
        "a guarded matrix is reached by tx.get(m.row(i), column); m.row(i).unguarde",
        "table[u][1]",
        "the rows of a guarded matrix are m.row(i), and their data tx.get(m.row(i)",
        "*tx.get(color, u)",
        "what tx.get gives is taken where it is called, by MAGPIE_TRY(tx",
        "[&] { const auto x = tx.get(cells, u); return x ? 1 : 0; }()",
        "magpie::stm::result<T> x");
  }

  /** The same answers, to accesses of other arrays. */
  @Tag("slow") // compiles each
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "color.data[u] | the data of a guarded array are reached by tx.get(array, i); array.unguard",
        "cells[u]      | a guarded array is reached by tx.get(array, i); unguarded(i)",
        "table.data[u] | the data of a guarded array are reached by tx.get(array, i); array.unguard",
        "table.row(u).data[1] | the data of a guarded array are reached by tx.get(array, i)",
        "*color.data.data     | has no member named",
      })
  void aWrongAccessOfAnotherArrayIsAnsweredToo(String access, String answer, @TempDir Path folder)
      throws IOException {
    assertAnswered(folder, access, answer);
  }

  /** The compiler's answers, each to an access in a line of its own. */
  private static void assertAnswered(Path folder, String... accessesAndAnswers) throws IOException {
    Path source = folder.resolve("indexed.cu");
    StringBuilder accesses = new StringBuilder();
    for (int i = 0; i < accessesAndAnswers.length; i += 2) {
      accesses.append("    if (" + accessesAndAnswers[i] + " == 0) return outcome::cancel;\n");
    }
    String before =
        """
        #include "magpie/stm.cuh"
        using namespace magpie::stm;
        struct indexed {
          static constexpr std::uint32_t max_objects = 1, max_writes = 1;
          guarded<std::int32_t> color;
          guarded_cells<std::int32_t> cells;
          guarded_matrix<std::int32_t> table;
          template <class Tx>
          MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t u) const {
        """;
    Files.writeString(
        source,
        before
            + accesses
            + """
                return outcome::commit;
              }
            };
            MAGPIE_REGION(indexed)
            """);
    try (Device device = Device.open("cpu:1")) {
      CompilationException e =
          assertThrows(CompilationException.class, () -> device.compile(source));
      for (int i = 0; i < accessesAndAnswers.length; i += 2) {
        String place = source + ":" + (before.lines().count() + 1 + i / 2) + ": ";
        String answer = accessesAndAnswers[i + 1];
        assertTrue(
            e.getMessage().lines().anyMatch(line -> line.contains(place) && line.contains(answer)),
            () -> answer + " is missing in " + e.getMessage());
      }
    }
  }
}
