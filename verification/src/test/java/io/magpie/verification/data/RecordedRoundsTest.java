package io.magpie.verification.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Device;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Policy;
import io.magpie.verification.data.RecordedCorpus.Found;
import io.magpie.verification.explore.Violation;
import io.magpie.verification.workload.RegionWorkload.Runs;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Regions with pools, and in rounds, where only what goes through transactions is seen, as on a
 * GPU: their runs are compared with serial ones, in which each item takes the slots that it took.
 */
class RecordedRoundsTest {
  private static final Path REGIONS =
      Path.of(System.getProperty("magpie.basedir"), "src/test/regions");
  private static final Path PUSHES = REGIONS.resolve("wrong/pushes_by_a_hint.cu");
  private static final Path REPLACES = REGIONS.resolve("right/notes_replaced_each_round.cu");
  private static final Path ASKED = REGIONS.resolve("right/asked_for_by_several.cu");

  private static Device device;
  private static Map<Path, KernelModule> modules;

  @BeforeAll
  static void compile(@TempDir Path folder) {
    device = Device.open("cpu-checked:4");
    modules =
        RecordedCorpus.compiled(
            device,
            folder,
            List.of(PUSHES, REPLACES, ASKED),
            new Runs(Policy.HAND_OFF, true, false));
  }

  @AfterAll
  static void close() {
    Set.copyOf(modules.values()).forEach(KernelModule::close);
    device.close();
  }

  private static String firstOf(Path file) {
    Found found = RecordedCorpus.find(modules.get(file), file);
    assertEquals(1, found.violations().size(), "nothing in " + found.runs() + " runs");
    return found.violations().get(0).toString();
  }

  @Test
  void itemsThatPushOthersAreFound() {
    String found = firstOf(PUSHES);
    assertTrue(found.matches("(?s)wrong result: item \\d+ pushes 1\\d, but nothing if.*"), found);
  }

  static List<Path> right() {
    return List.of(REPLACES, ASKED);
  }

  /** Also where a round has an item several times, which ends in different ways. */
  @ParameterizedTest
  @MethodSource("right")
  void rightOnesAreNotBlamed(Path file) {
    Found found = RecordedCorpus.hold(modules.get(file), file);
    assertEquals(List.of(), found.violations().stream().map(Violation::toString).toList());
    assertEquals(List.of(), found.notCompared(), "all was compared");
  }
}
