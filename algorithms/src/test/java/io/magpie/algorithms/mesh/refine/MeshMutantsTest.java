package io.magpie.algorithms.mesh.refine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.algorithms.mesh.DelaunayTriangulation;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import io.magpie.algorithms.mesh.Splitting;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Insertion;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Synchronization;
import io.magpie.algorithms.mesh.refine.RefinementReport.Outcome;
import io.magpie.algorithms.mesh.verify.MeshVerification;
import io.magpie.algorithms.mesh.verify.MeshVerifier;
import io.magpie.stm.Device;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelFaultException;
import io.magpie.stm.KernelModule;
import io.magpie.stm.RegionReport.AbortCause;
import io.magpie.stm.StmOptions;
import io.magpie.stm.UnfinishedItemsException;
import io.magpie.stm.simulator.Schedule;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The checks notice every way in which mutants.cuh breaks refinement. */
@Tag("slow")
class MeshMutantsTest {
  private static final String HEADER = "META-INF/magpie/source/mesh/mutants.cuh";
  private static final Map<String, String> DEFINES = Map.of("MAGPIE_MESH_MUTANTS", "1");
  private static final int TRIES = 60;

  /** Inputs in which a mutant is looked for: it may need a schedule that is rare. */
  private static final int MOST_TRIES = 400;

  /** Time for what ends in less than a second, or never. */
  private static final Duration ENDLESS = Duration.ofSeconds(20);

  /** The simulator over weak memory, with a schedule of its own for each try. */
  private static final String WEAK = "sim over weak memory";

  /** Of fans, which no other input has so many segments of. */
  private static final int SPOKES = 40;

  private static final int MARKER_OF_SPOKES = 2; // of the generator

  /** Several times what the inputs need. */
  private static final int VERTICES = 3_000;

  /** Where each shows: those that need rivals on the simulator, whose seed makes that certain. */
  enum Mutant {
    LINK_NOT_UPDATED(Synchronization.MARKS, "cpu-checked:4", "uniform:300"),
    FAN_REVERSED(Synchronization.MARKS, "cpu-checked:4", "uniform:300"),
    CAVITY_SHORT(Synchronization.MARKS, "cpu-checked:4", "uniform:300"),
    ENCROACHMENT_IGNORED(Synchronization.MARKS, "cpu-checked:4", "uniform:300"),
    BAD_NOT_PUSHED(Synchronization.MARKS, "cpu-checked:4", "uniform:300"),
    WRONG_SEGMENT(Synchronization.MARKS, "cpu-checked:4", "uniform:300"),
    KEPT_SPLIT(Synchronization.MARKS, "cpu-checked:4", "uniform:300"),
    RECORD_FLIPPED(Synchronization.MARKS, "cpu-checked:4", "uniform:300"),
    REGION_IGNORED(Synchronization.MARKS, "cpu-checked:4", "nested squares"),
    IN_CIRCLE_ROUNDED(Synchronization.MARKS, "cpu-checked:4", "grid:64,jitter=0", 0.02),
    ABSENT_POSITION_USED(Synchronization.TRANSACTIONS, WEAK, "comb", 0.005),
    RIM_MARK_IGNORED(Synchronization.MARKS, "sim:1:4", "uniform:30"),
    CHECK_LEFT_OUT(Synchronization.THREE_PHASES, "sim:1:4", "uniform:30"),
    RING_LEFT_OUT(Synchronization.THREE_PHASES, "sim:1:4", "uniform:30"),
    DAMAGE_IGNORED(Synchronization.TWO_STAGES, "sim:1:4", "uniform:30"),
    LOSERS_FORGOTTEN(Synchronization.MAXIMAL_SETS, "cpu-checked:4", "uniform:60"),
    OVERLAP_IGNORED(Synchronization.MAXIMAL_SETS, "cpu-checked:4", "uniform:60"),
    RIM_NOT_OPENED(Synchronization.TRANSACTIONS, "sim:1:4", "uniform:30"),
    STILL_THERE_SKIPPED(Synchronization.TRANSACTIONS, "sim:1:4", "uniform:30"),
    OBSTACLE_UNCONFIRMED(Synchronization.TRANSACTIONS, WEAK, "spokes:" + SPOKES),
    SEGMENTS_READ_EARLY(Synchronization.TRANSACTIONS, WEAK, "comb", 0.005);

    private final Synchronization way;
    private final String device;
    private final String input;
    private final double maximumArea;

    Mutant(Synchronization way, String device, String input) {
      this(way, device, input, 0);
    }

    Mutant(Synchronization way, String device, String input, double maximumArea) {
      this.way = way;
      this.device = device;
      this.input = input;
      this.maximumArea = maximumArea;
    }

    /** What is wrong with the first of the mutant's inputs where anything is. */
    Optional<String> complaint(boolean broken) {
      RefinementOptions options =
          RefinementOptions.defaults()
              .withMinimumAngle(input.equals("comb") ? 25 : 30)
              .withSynchronization(way)
              .withBatch(1)
              .withMaximumArea(maximumArea)
              .withSplitting(this == KEPT_SPLIT ? Splitting.NONE : Splitting.ALL)
              .withMaximumVertices(VERTICES);
      if (broken) { // which may never end
        options = options.withStm(options.stm().withTimeout(Duration.ofSeconds(5)));
      }
      for (int seed = 1; seed <= (broken ? MOST_TRIES : TRIES); seed++) {
        Optional<String> found;
        if (device.equals(WEAK)) {
          try (Device simulator = Device.open("sim:1:4")) {
            simulator.simulator().setSchedule(Schedule.randomWalk(seed).withWeakMemory());
            found = complaint(simulator, mesh(seed), options, broken);
          }
        } else {
          Device device = Refinements.device(this.device);
          found = complaint(device, mesh(seed), options, broken);
        }
        if (found.isPresent()) {
          return found;
        }
      }
      return Optional.empty();
    }

    private Optional<String> complaint(
        Device device, Mesh mesh, RefinementOptions options, boolean broken) {
      choose(device, broken ? ordinal() + 1 : 0);
      return MeshMutantsTest.complaint(device, mesh, options);
    }

    /** For the launches that follow, in the modules that this way to refine runs. */
    void putToWork(Device device) {
      choose(device, ordinal() + 1);
    }

    private void choose(Device device, int number) {
      choose(device, MeshKernels.MODULE, number);
      if (way.inPhases()) {
        choose(device, PhaseMarkedInsertions.MODULE, number);
      } else if (way == Synchronization.MAXIMAL_SETS) {
        choose(device, MaximalSets.MODULE, number);
      }
    }

    private static void choose(Device device, String name, int number) {
      try (KernelModule module = device.load(name, DEFINES)) {
        module.kernel("choose_mesh_mutant").run(1, new Fields().set("number", number));
      }
    }

    private Mesh mesh(int seed) {
      if (input.equals("nested squares")) {
        return DelaunayTriangulation.of(
            RegionsOfMeshTest.nestedSquares(new PlanarGraph.Region(2, 2, 1, 0.1)).build());
      }
      // Moved, so that a grid's fours of vertices lie on one circle but for rounding.
      Mesh mesh =
          input.equals("comb")
              ? RefinementInputs.comb()
              : RefinementInputs.moved(
                  RefinementInputs.generated(input + ",seed=" + seed), seed / 3.0);
      if (input.startsWith("spokes")) {
        assertEquals(SPOKES, Refinements.segmentsOfMarker(mesh, MARKER_OF_SPOKES));
      }
      return mesh;
    }
  }

  private static Optional<String> complaint(Device device, Mesh mesh, RefinementOptions options) {
    if (options.synchronization() == Synchronization.MAXIMAL_SETS) {
      return MaximalSetCheck.complaint(
          device, mesh, options.withInsertion(Insertion.CIRCUMCENTER), DEFINES);
    }
    RefinementResult result;
    try {
      result = MeshRefinement.run(device, mesh, options, DEFINES, round -> {});
    } catch (RuntimeException e) {
      return Optional.of(e.toString());
    }
    Outcome outcome = result.report().outcome();
    if (outcome != Outcome.FINISHED && outcome != Outcome.SEGMENTS_KEPT) {
      return Optional.of(result.report().toString());
    }
    long spokes = Refinements.segmentsOfMarker(mesh, MARKER_OF_SPOKES);
    long parts = Refinements.segmentsOfMarker(result.mesh(), MARKER_OF_SPOKES);
    if (spokes == SPOKES && parts > spokes) {
      return Optional.of("a fan's segments were split into " + parts);
    }
    MeshVerification found = MeshVerifier.verify(mesh, result.mesh(), result.report().claim());
    return found.passed() ? Optional.empty() : Optional.of(found.toString());
  }

  @ParameterizedTest
  @EnumSource
  void isNoticed(Mutant mutant) {
    Optional<String> complaint = mutant.complaint(true);
    assertTrue(complaint.isPresent(), mutant + " goes unnoticed");
  }

  /**
   * A mesh that is no triangulation any more makes searches contradict themselves, though nobody
   * changes it meanwhile: counted with the other failed attempts, and given up.
   */
  @ParameterizedTest
  @EnumSource(names = {"LINK_NOT_UPDATED", "RING_LEFT_OUT"})
  void searchesInVainAreCounted(Mutant mutant) {
    long[] torn = new long[1];
    Device device = Refinements.device("sim:1:4");
    mutant.putToWork(device);
    RefinementResult result;
    try {
      result =
          MeshRefinement.run(
              device,
              RefinementInputs.generated("uniform:30,seed=1"),
              RefinementOptions.defaults()
                  .withMinimumAngle(25)
                  .withSynchronization(mutant.way)
                  .withBatch(1)
                  .withMaximumVertices(VERTICES)
                  .withStm(StmOptions.defaults().withTimeout(ENDLESS)),
              DEFINES,
              round -> torn[0] += round.aborts().getOrDefault(AbortCause.REQUESTED, 0L));
    } catch (KernelFaultException e) {
      // Links that lead in a circle: as much room as there is does not end the search.
      assertTrue(e.getMessage().contains("no progress"), e::getMessage);
      return;
    } catch (UnfinishedItemsException e) {
      // The same, and the watchdog was quicker.
      assertTrue(e.report().timedOut(), e::getMessage);
      return;
    }
    assertTrue(torn[0] > 0, () -> result.report().toString());
    assertTrue(result.report().givenUp() > 0, () -> result.report().toString());
  }

  /** What is noticed is the mutation: nothing is wrong without it, on the same inputs. */
  @ParameterizedTest
  @EnumSource(
      value = Mutant.class,
      names = {
        "REGION_IGNORED",
        "KEPT_SPLIT",
        "IN_CIRCLE_ROUNDED",
        "RIM_MARK_IGNORED",
        "CHECK_LEFT_OUT",
        "DAMAGE_IGNORED",
        "LOSERS_FORGOTTEN",
        "STILL_THERE_SKIPPED",
        "SEGMENTS_READ_EARLY"
      })
  void nothingIsNoticedOfTheControl(Mutant mutant) {
    assertEquals(Optional.empty(), mutant.complaint(false));
  }

  @Test
  void allAreTestedUnderTheirNumbers() throws IOException {
    try (InputStream in = MeshMutantsTest.class.getClassLoader().getResourceAsStream(HEADER)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      String list = text.substring(text.indexOf("enum class mutant {"), text.indexOf("};"));
      List<String> names =
          Pattern.compile("^  (\\w+),$", Pattern.MULTILINE)
              .matcher(list)
              .results()
              .map(match -> match.group(1).toUpperCase(Locale.ROOT))
              .toList();
      List<String> tested =
          Stream.concat(Stream.of("NONE"), Arrays.stream(Mutant.values()).map(Mutant::name))
              .toList();
      assertEquals(names, tested);
    }
  }
}
