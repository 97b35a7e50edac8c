package io.magpie.stm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.RegionReport.HotObject;
import io.magpie.stm.parallel.Primitives;
import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Data that lie beside their objects' words. */
class GuardedCellsTest {
  private static final int ACCOUNTS = 5;

  /** Three more than the items that come round to all. */
  private static final int ITEMS = 1003;

  private static final int[] AFTER = {100 - 7, 100, 100, 100 + 7, 100};

  private static void withModule(String spec, Consumer<KernelModule> use) {
    try (Device device = Device.open(spec);
        KernelModule module = device.compile(Devices.source("cells.cu"), Devices.FIXED_LOGS)) {
      use.accept(module);
    }
  }

  private static void passesOn(Device device, KernelModule module, List<Policy> policies) {
    try (GuardedCells<int[]> balance = device.cells(int[].class, ACCOUNTS)) {
      Fields arguments = new Fields().set("balance", balance).set("amount", 7);
      for (Policy policy : policies) {
        balance.data().fill(100);
        RegionReport report =
            module
                .region("pass_on")
                .run(StmOptions.defaults().withPolicy(policy), ITEMS, arguments)
                .requireComplete();
        assertEquals(ITEMS, report.commits());
        assertArrayEquals(AFTER, balance.data().toArray(), policy.name());
        assertEquals(0, balance.objects().claimed());
        // Kernels take what regions take.
        module.kernel("twice").run(ACCOUNTS, new Fields().set("balance", balance));
        assertEquals(2 * AFTER[3], balance.data().getInt(3));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void areWhatTheItemsMakeOfThem(String spec) {
    withModule(spec, module -> passesOn(module.device(), module, Devices.SHIPPED));
  }

  @ParameterizedTest
  @MethodSource("io.magpie.stm.Devices#all")
  void fusedOnesAreToo(String spec) {
    withModule(
        spec,
        module -> {
          Device device = module.device();
          Region pass = module.region("pass_on_fused");
          try (GuardedCells<int[]> balance = device.fusedCells(int[].class, ACCOUNTS);
              GuardedCells<float[]> visits = device.fusedCells(float[].class, ACCOUNTS)) {
            Fields arguments =
                new Fields().set("balance", balance).set("visits", visits).set("amount", 7);
            for (Policy policy : Devices.SHIPPED) {
              balance.data().fill(100);
              visits.data().fill(0);
              RegionReport report =
                  pass.run(StmOptions.defaults().withPolicy(policy), ITEMS, arguments)
                      .requireComplete();
              assertEquals(ITEMS, report.commits());
              assertArrayEquals(AFTER, balance.data().toArray(), policy.name());
              assertArrayEquals(
                  new float[] {100, 100.5f, 100.5f, 100.5f, 100}, visits.data().toArray());
              assertEquals(0, balance.objects().claimed());
              assertEquals(0, visits.objects().claimed());
            }
          }
        });
  }

  @Test
  void fusedOnesAndOthersAreToldApart() {
    withModule(
        "cpu:1",
        module -> {
          Device device = module.device();
          try (GuardedCells<int[]> beside = device.cells(int[].class, ACCOUNTS);
              GuardedCells<int[]> fused = device.fusedCells(int[].class, ACCOUNTS);
              GuardedCells<int[]> others = device.fusedCells(int[].class, ACCOUNTS);
              GuardedCells<float[]> visits = device.fusedCells(float[].class, ACCOUNTS)) {
            assertRefused(
                module.region("pass_on"),
                new Fields().set("balance", fused),
                "'balance.data' of region pass_on must be cells of i32 (a GuardedCells) on cpu:1,"
                    + " got data in cells, int array of 5 elements on cpu:1, fused");
            Region pass = module.region("pass_on_fused");
            assertRefused(
                pass,
                new Fields().set("balance", beside).set("visits", visits),
                "must be fused cells of i32 (a GuardedCells) on cpu:1, got data in cells, int array"
                    + " of 5 elements on cpu:1, not fused");
            assertRefused(
                pass,
                new Fields().set("balance", fused.data(), others.objects()).set("visits", visits),
                "5 objects in cells on cpu:1 of other cells than the data");
            assertRefused(
                pass,
                new Fields().set("balance", fused.data()).set("visits", visits),
                "'balance' of region pass_on_fused must be fused cells, by set(\"balance\", cells)");
          }
          assertEquals(
              "a datum in a fused cell has 4 bytes, int[] or float[], got long[]: use cells",
              assertThrows(IllegalArgumentException.class, () -> device.fusedCells(long[].class, 1))
                  .getMessage());
          assertThrows(IllegalArgumentException.class, () -> device.fusedCells(int[].class, -1));
        });
  }

  /** By an error of the compiler, in the region's own words. */
  @Test
  void whatFusedOnesDoNotTakeIsSaid(@TempDir Path folder) throws IOException {
    assertRefused(
        folder,
        "true",
        "tx.glance(cells, u)",
        "data of fused cells cannot be reached past a transaction",
        "true",
        "tx.peek(cells, u)",
        "data of fused cells cannot be read past a transaction",
        "true",
        "bool(tx.open(color, u).object)",
        "a region that declares opens_fused_cells opens nothing else",
        "true",
        "tx.write(tx.open(cells, u).object, wide, 1)",
        "writes data of 4 bytes only",
        "true; static constexpr bool irrevocable = true",
        "bool(tx.open(cells, u).object)",
        "declares irrevocable opens no fused cells",
        "false",
        "bool(tx.open(cells, u).object)",
        "declares: static constexpr bool opens_fused_cells = true");
  }

  @Tag("slow") // compiles for the answer to tx.glance
  @Test
  void fusedOnesTakeNoHint(@TempDir Path folder) throws IOException {
    assertRefused(
        folder,
        "true",
        "(tx.leave_hint(cells, u, 1), 1)",
        "data of fused cells cannot be reached past a transaction");
  }

  /**
   * All answers of the compiler to a file of regions that are to be refused.
   *
   * @param refused for each region what it declares, an access and the answer, which no other has
   */
  private static void assertRefused(Path folder, String... refused) throws IOException {
    Path source = folder.resolve("refused.cu");
    StringBuilder text =
        new StringBuilder("#include \"magpie/stm.cuh\"\nusing namespace magpie::stm;\n");
    for (int i = 0; i < refused.length; i += 3) {
      text.append(
          """
          struct NAME {
            static constexpr std::uint32_t max_objects = 1, max_writes = 1;
            static constexpr bool opens_fused_cells = DECLARED;
            guarded<std::int32_t> color;
            magpie::stm::fused_cells<std::int32_t> cells;
            std::uint64_t* wide;
            template <class Tx>
            MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t u) const {
              return ACCESS ? outcome::cancel : outcome::commit;
            }
          };
          MAGPIE_REGION(NAME)
          """
              .replace("NAME", "refused" + i)
              .replace("DECLARED", refused[i])
              .replace("ACCESS", refused[i + 1]));
    }
    Files.writeString(source, text);
    try (Device device = Device.open("cpu:1")) {
      CompilationException e =
          assertThrows(CompilationException.class, () -> device.compile(source));
      for (int i = 0; i < refused.length; i += 3) {
        assertTrue(e.getMessage().contains(refused[i + 2]), e::getMessage);
      }
    }
  }

  /** Words are filled again from policy to policy, and before each launch where it has to be. */
  @ParameterizedTest
  @EnumSource(
      names = {
        "BLOCK_LEVEL",
        "HIERARCHICAL",
        "COARSE_LOCK",
        "PR_STM",
        "OPTIMISTIC_HAND_OFF",
        "OBSTRUCTION_FREE"
      })
  @Tag("slow")
  void serveUnderPoliciesWithoutVersions(Policy policy) {
    withModule(
        "cpu:4",
        module -> {
          if (!policy.hasVersionsApart() && !policy.hasDescriptors()) {
            passesOn(
                module.device(), module, List.of(Policy.HAND_OFF, policy, policy, Policy.HAND_OFF));
            return;
          }
          try (GuardedCells<int[]> balance = module.device().cells(int[].class, ACCOUNTS)) {
            balance.data().fill(100);
            Fields arguments = new Fields().set("balance", balance).set("amount", 7);
            StmOptions options = StmOptions.defaults().withPolicy(policy);
            MagpieException e =
                assertThrows(
                    MagpieException.class,
                    () -> module.region("pass_on").run(options, ITEMS, arguments));
            assertEquals(
                "5 objects in cells on cpu:4 cannot be used under "
                    + policy
                    + ", whose objects have versions: keep data and objects in two arrays, as"
                    + " guarded<T>",
                e.getMessage());
            assertEquals(100, balance.data().getInt(0));
            module.region("pass_on").run(ITEMS, arguments).requireComplete();
            assertArrayEquals(AFTER, balance.data().toArray());
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu:4", "cpu-checked:3", "sim:1:4"})
  void structsAndOtherTypesAreWhole(String spec) {
    withModule(
        spec,
        module -> {
          Device device = module.device();
          try (GuardedCells<float[]> points = device.cells(float[].class, ACCOUNTS, 3);
              GuardedCells<int[]> visits = device.cells(int[].class, ACCOUNTS, 4, 8);
              GuardedCells<double[]> weights = device.cells(double[].class, ACCOUNTS);
              GuardedCells<short[]> small = device.cells(short[].class, ACCOUNTS)) {
            points.data().fill(2.5);
            small.data().fill(-3);
            module
                .region("visit")
                .run(
                    10 * ACCOUNTS,
                    new Fields()
                        .set("points", points)
                        .set("visits", visits)
                        .set("weights", weights)
                        .set("small", small))
                .requireComplete();
            float[] seen = points.data().toArray();
            int[] sums = visits.data().toArray();
            for (int i = 0; i < ACCOUNTS; i++) {
              assertArrayEquals(
                  new float[] {12.5f, 2.5f, -7.5f}, Arrays.copyOfRange(seen, 3 * i, 3 * i + 3));
              assertArrayEquals(
                  new int[] {10 * i + ACCOUNTS * 45, 0, 10, i},
                  Arrays.copyOfRange(sums, 4 * i, 4 * i + 4));
              assertEquals(5.0, weights.data().getDouble(i));
              assertEquals(-13, small.data().getInt(i));
            }
          }
        });
  }

  @Test
  void whatDoesNotFitIsRefusedBeforeAnythingRuns() {
    withModule(
        "cpu:1",
        module -> {
          Device device = module.device();
          Region pass = module.region("pass_on");
          try (GuardedCells<int[]> balance = device.cells(int[].class, ACCOUNTS);
              GuardedCells<int[]> others = device.cells(int[].class, ACCOUNTS);
              GuardedCells<int[]> pairs = device.cells(int[].class, ACCOUNTS, 2);
              GuardedCells<float[]> floats = device.cells(float[].class, ACCOUNTS);
              DeviceArray<int[]> apart = device.ints(ACCOUNTS);
              StmObjects objects = device.objects(ACCOUNTS)) {
            assertRefused(
                pass,
                new Fields().set("balance", apart, objects),
                "'balance.data' of region pass_on must be cells of i32 (a GuardedCells) on cpu:1,"
                    + " got int array of 5 elements on cpu:1");
            assertRefused(
                pass,
                new Fields().set("balance", balance.data(), objects),
                "'balance.guards' of region pass_on must be the objects of cells (a GuardedCells) on"
                    + " cpu:1, got 5 objects on cpu:1 of 4 bytes each");
            assertRefused(
                pass,
                new Fields().set("balance", balance.data(), others.objects()),
                "5 objects in cells on cpu:1 of other cells than the data");
            assertRefused(
                pass,
                new Fields().set("balance", balance.data().slice(1, 4), balance.objects()),
                "of other cells than the data");
            assertRefused(
                pass,
                new Fields().set("balance", pairs),
                "whose 8 bytes are aligned to 4, where 4 are to 4");
            assertRefused(pass, new Fields().set("balance", floats), "float array of 5 elements");
            assertRefused(
                pass,
                new Fields().set("balance", pairs.data().slice(1, 4), pairs.objects()),
                "whose 8 bytes are aligned to 4");
            assertEquals(
                "'values' of kernel sum must be an array of i32 on cpu:1, got a struct of data,"
                    + " guards",
                assertThrows(
                        ArgumentMismatchException.class,
                        () ->
                            module
                                .kernel("sum")
                                .run(1, new Fields().set("values", balance).set("into", apart)))
                    .getMessage());
            assertRefused(
                pass,
                new Fields().set("balance", apart),
                "'balance' of region pass_on must be guarded cells, by set(\"balance\", cells)");
            ArgumentMismatchException e =
                assertThrows(
                    ArgumentMismatchException.class,
                    () ->
                        module
                            .kernel("sum")
                            .run(1, new Fields().set("values", balance.data()).set("into", apart)));
            assertTrue(
                e.getMessage()
                    .endsWith(
                        "an array of i32 on cpu:1, got data in cells, int array of 5 elements on"
                            + " cpu:1"),
                e::getMessage);
            assertThrows(
                ArgumentMismatchException.class, () -> Primitives.of(device).sum(balance.data()));
            assertThrows(IllegalStateException.class, () -> balance.objects().grow(9));
            assertThrows(IllegalStateException.class, () -> balance.data().grown(9));
          }
          assertEquals(
              "a datum in a cell has 1 to 8 elements of type long, at most 64 bytes, got 9",
              assertThrows(IllegalArgumentException.class, () -> device.cells(long[].class, 1, 9))
                  .getMessage());
          assertEquals(
              "a datum of 12 bytes, elements of type int, is aligned to a power of 2 that divides"
                  + " it, from 4 to 8 bytes, got 8",
              assertThrows(IllegalArgumentException.class, () -> device.cells(int[].class, 1, 3, 8))
                  .getMessage());
          assertThrows(IllegalArgumentException.class, () -> device.cells(int[].class, 1, 4, 16));
          assertThrows(IllegalArgumentException.class, () -> device.cells(long[].class, 1, 1, 4));
          assertThrows(IllegalArgumentException.class, () -> device.cells(int[].class, 1, 0));
          assertThrows(IllegalArgumentException.class, () -> device.cells(int[].class, -1));
          assertEquals(
              "char[] is not a type of device arrays: byte[], short[], int[], long[], float[] or"
                  + " double[]",
              assertThrows(IllegalArgumentException.class, () -> device.cells(char[].class, 1))
                  .getMessage());
        });
  }

  private static void assertRefused(Region pass, Fields arguments, String message) {
    ArgumentMismatchException e =
        assertThrows(
            ArgumentMismatchException.class, () -> pass.run(1, arguments.set("amount", 7)));
    assertTrue(e.getMessage().contains(message), e::getMessage);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu:1", "cuda"})
  void dataOfEveryTypeComeBack(String spec) {
    if (spec.equals("cuda")) {
      Devices.assumeGpu();
    }
    try (Device device = Device.open(spec)) {
      comeBack(device, byte[].class, new byte[] {1, -2, 3, 127, -128, 5}, 3);
      comeBack(device, short[].class, new short[] {1, -2, 3, 32767, -32768, 5}, 2);
      comeBack(device, int[].class, new int[] {1, -2, 3, 1 << 31, -1 >>> 1, 5}, 3);
      comeBack(device, long[].class, new long[] {1, -2, 3, 1L << 63, -1L >>> 1, 5}, 1);
      comeBack(device, float[].class, new float[] {1, -2, 3.5f, Float.MAX_VALUE, -0f, 5}, 6);
      comeBack(device, double[].class, new double[] {1, -2, 3.5, Double.MIN_VALUE, -0., 5}, 2);
    }
  }

  /** From Java, from another layout on the device, and by fills. */
  private static <A> void comeBack(Device device, Class<A> type, A values, int each) {
    int length = Array.getLength(values);
    try (GuardedCells<A> cells = device.cells(type, length / each, each);
        GuardedCells<A> single = device.cells(type, length);
        GuardedCells<A> none = device.cells(type, 0, each)) {
      cells.data().copyFrom(values);
      single.data().copyFrom(cells.data());
      assertSame(values, single.data().toArray());
      assertEquals(0, none.data().length());
      none.data().copyFrom(none.data());
      none.data().fill(0);
      assertEquals(0, Array.getLength(none.data().toArray()));
      // From within a cell to within another one.
      cells.data().slice(1, length - 2).fill(0);
      A cleared = cells.data().toArray();
      for (int i = 1; i < length - 1; i++) {
        assertEquals(0, ((Number) Array.get(cleared, i)).doubleValue());
      }
      assertEquals(Array.get(values, length - 1), Array.get(cleared, length - 1));
      assertEquals(0, cells.objects().claimed());
    }
  }

  private static void assertSame(Object expected, Object actual) {
    assertTrue(Objects.deepEquals(expected, actual), () -> "got " + actual);
  }

  @Test
  void theyEndTogether() {
    try (Device device = Device.open("cpu:1")) {
      GuardedCells<int[]> cells = device.cells(int[].class, 3);
      DeviceArray<int[]> part = cells.data().slice(1, 2);
      cells.close();
      cells.close();
      assertThrows(IllegalStateException.class, part::toArray);
      assertThrows(IllegalStateException.class, () -> cells.data().toArray());
      assertThrows(IllegalStateException.class, () -> cells.objects().claimed());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu-checked:3", "sim:1:4"})
  void aFaultNamesThemByIndex(String spec) {
    withModule(
        spec,
        module -> {
          Device device = module.device();
          try (GuardedCells<int[]> balance = device.cells(int[].class, ACCOUNTS)) {
            KernelFaultException e =
                assertThrows(
                    KernelFaultException.class,
                    () -> module.region("leave").run(1, new Fields().set("balance", balance)));
            assertTrue(
                e.getMessage().contains("index 5 is outside 'balance.data' of length 5"),
                e::getMessage);
            long[] held =
                balance.objects().lockedObjects().length > 0
                    ? balance.objects().lockedObjects()
                    : balance.objects().claimedObjects();
            assertArrayEquals(new long[] {2}, held);
            assertArrayEquals(new int[ACCOUNTS], balance.data().toArray());
            balance.objects().reset();
            assertEquals(0, balance.objects().claimed());
          }
        });
  }

  /** Conflicts are counted by cell: all items are between account 0 and the only other one. */
  @Test
  @Tag("slow")
  void conflictsAreNamedByIndex() {
    try (Device device = Device.open("sim:3:32");
        KernelModule module = device.compile(Devices.source("cells.cu"), Devices.FIXED_LOGS);
        GuardedCells<int[]> balance = device.cells(int[].class, 2)) {
      RegionReport report =
          module
              .region("pass_on")
              .run(
                  StmOptions.defaults().withConflictSampling(true),
                  400,
                  new Fields().set("balance", balance).set("amount", 1))
              .requireComplete();
      assertTrue(!report.hotObjects().isEmpty(), report::toString);
      for (HotObject each : report.hotObjects()) {
        assertEquals("balance.guards", each.array());
        assertTrue(each.index() < 2, each::toString);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu:4", "sim:1:4"})
  @Tag("slow")
  void runsAreRecorded(String spec) {
    try (Device device = Device.open(spec);
        KernelModule module =
            device.compile(Devices.source("cells.cu"), Devices.recording(Policy.HAND_OFF));
        GuardedCells<int[]> balance = device.cells(int[].class, ACCOUNTS);
        Recording recording = device.recording(Recording.Options.defaults().withData(true))) {
      Fields arguments = new Fields().set("balance", balance).set("amount", 7);
      module.region("pass_on").record(recording, StmOptions.defaults(), ITEMS, arguments);
      int[] versions = recording.finalStamps(balance.objects());
      int each = 2 * (ITEMS / ACCOUNTS);
      assertArrayEquals(new int[] {each + 1, each + 2, each + 2, each + 1, each}, versions);
      if (device.machine() != DeviceDescription.Machine.SIM) {
        Recording.Data data = recording.data();
        assertEquals("balance.data[2]", data.inWords(data.first(0) + 16).orElseThrow());
        assertEquals("balance.data[2] + 2 bytes", data.inWords(data.first(0) + 18).orElseThrow());
        assertTrue(!data.anyAtomic(), "words are no data");
      }
    }
  }
}
