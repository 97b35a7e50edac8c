package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunDataTest {
  /** Adds to a counter what an item finds in arrays of each type. */
  private static final String REGION =
      """
      #include "magpie/stm.cuh"
      using magpie::stm::outcome;
      struct sums {
        magpie::stm::guarded<std::int32_t> whole;
        magpie::stm::guarded<std::int64_t> large;
        magpie::stm::guarded<float> single;
        magpie::stm::guarded<double> twice;
        magpie::array<const std::int8_t> bytes;
        magpie::array<const std::int16_t> shorts;
        magpie::array<const std::int32_t> ints;
        magpie::array<const std::int64_t> longs;
        magpie::array<const float> floats;
        magpie::array<const double> doubles;
        std::int32_t more;
        static constexpr std::uint32_t max_objects = 4, max_writes = 4;
        template <class Tx>
        MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t i) const {
          const std::uint32_t at = i % 2;
          MAGPIE_TRY(tx.set(whole, at, MAGPIE_TRY(tx.get(whole, at)) + bytes[i] + shorts[i] + ints[i] + more));
          MAGPIE_TRY(tx.set(large, at, MAGPIE_TRY(tx.get(large, at)) + longs[i]));
          MAGPIE_TRY(tx.set(single, at, MAGPIE_TRY(tx.get(single, at)) + floats[i]));
          MAGPIE_TRY(tx.set(twice, at, MAGPIE_TRY(tx.get(twice, at)) + doubles[i]));
          return outcome::commit;
        }
      };
      MAGPIE_REGION(sums)
      """;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"cpu-checked:2", "sim:1:4"})
  void takesArraysOfEachTypeAndGivesThemBack(String spec) throws Exception {
    Path source = Files.writeString(folder.resolve("sums.cu"), REGION);
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(source)) {
      try (RunData data = new RunData(device)) {
        data.guarded("whole", new int[] {1, Integer.MAX_VALUE - 113})
            .guarded("large", new long[] {1L << 40, 0})
            .guarded("single", new float[] {0.5f, 0})
            .guarded("twice", new double[] {0.25, 0})
            .array("bytes", new byte[] {1, -2, 3})
            .array("shorts", new short[] {10, 20, 30})
            .array("ints", new int[] {100, 90, 200})
            .array("longs", new long[] {1L << 41, -5, 1})
            .array("floats", new float[] {1, 2, 3})
            .array("doubles", new double[] {10, 20, 30});
        module.region("sums").run(3, data.fields().set("more", 5)).requireComplete();
        assertArrayEquals(new int[] {355, Integer.MAX_VALUE}, data.ints("whole"));
        assertArrayEquals(new long[] {(1L << 40) + (1L << 41) + 1, -5}, data.longs("large"));
        assertArrayEquals(new float[] {4.5f, 2}, data.floats("single"));
        assertArrayEquals(new double[] {40.25, 20}, data.doubles("twice"));
        assertArrayEquals(new int[] {100, 90, 200}, data.ints("ints"));
        assertArrayEquals(new byte[] {1, -2, 3}, data.bytes("bytes"));
        assertArrayEquals(new short[] {10, 20, 30}, data.shorts("shorts"));
      }
      try (RunData data = new RunData(device);
          StmObjects guards = device.objects(2)) {
        data.array("whole.data", new int[] {1, 2})
            .guarded("large", new long[2])
            .guarded("single", new float[2])
            .guarded("twice", new double[2])
            .array("bytes", new byte[] {1, 2})
            .array("shorts", new short[2])
            .array("ints", new int[2])
            .array("longs", new long[2])
            .array("floats", new float[2])
            .array("doubles", new double[2]);
        data.fields().set("more", 5).set("whole.guards", guards);
        module.region("sums").run(2, data.fields()).requireComplete();
        assertArrayEquals(new int[] {7, 9}, data.ints("whole.data"));
      }
      assertEquals(List.of("module sums"), device.leaks().stream().map(Device.Leak::what).toList());
    }
  }

  @Test
  void emptyArraysAreArrays() {
    try (Device device = Device.open("cpu:1");
        RunData data = new RunData(device)) {
      data.guarded("none", new int[0]).array("nothing", new double[0]);
      assertEquals(0, data.ints("none").length);
      assertEquals(0, data.doubles("nothing").length);
      assertEquals("[none, nothing]", data.fields().toString());
    }
  }

  @Test
  void whatIsNotThereIsNamed() {
    try (Device device = Device.open("cpu:1")) {
      try (RunData data = new RunData(device)) {
        data.array("from", new int[3]);
        assertRefused("array 'from' holds int", () -> data.longs("from"));
        assertRefused("there is no array 'to', but from", () -> data.ints("to"));
        assertRefused("there is an array 'from' already", () -> data.guarded("from", new long[1]));
      }
      assertTrue(device.leaks().isEmpty(), "that of the second 'from' neither");
    }
  }

  @Test
  void freesAllWhateverFails() {
    Devices.assertFreesAllAlthoughItFails(
        device -> new RunData(device).array("from", new int[3]).guarded("to", new long[3]));
  }

  private static void assertRefused(String message, Runnable call) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, call::run).getMessage());
  }
}
