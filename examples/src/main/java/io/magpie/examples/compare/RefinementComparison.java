package io.magpie.examples.compare;

import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.MeshRefinement;
import io.magpie.algorithms.mesh.MeshVerification;
import io.magpie.algorithms.mesh.MeshVerifier;
import io.magpie.algorithms.mesh.PhaseOptions;
import io.magpie.algorithms.mesh.PhaseOptions.Launches;
import io.magpie.algorithms.mesh.PhaseOptions.Precision;
import io.magpie.algorithms.mesh.PhaseOptions.Priority;
import io.magpie.algorithms.mesh.PhaseOptions.Work;
import io.magpie.algorithms.mesh.RefinementOptions;
import io.magpie.algorithms.mesh.RefinementOptions.Insertion;
import io.magpie.algorithms.mesh.RefinementOptions.Layout;
import io.magpie.algorithms.mesh.RefinementOptions.Synchronization;
import io.magpie.algorithms.mesh.RefinementReport;
import io.magpie.algorithms.mesh.RefinementReport.Round;
import io.magpie.algorithms.mesh.RefinementResult;
import io.magpie.stm.Device;
import io.magpie.stm.Policy;
import io.magpie.stm.StmOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Delaunay refinement in all its variants. */
public final class RefinementComparison implements Comparison {
  private static final RefinementOptions DEFAULTS = RefinementOptions.defaults();

  private static final String IN_PHASES =
      Arrays.stream(Synchronization.values())
          .filter(Synchronization::inPhases)
          .map(Choice::written)
          .collect(Collectors.joining("|"));

  private static final Choice SYNC =
      Choice.of("sync", "how insertions are kept apart", DEFAULTS.synchronization());

  private static final List<Choice> PHASES =
      Stream.of(
              Choice.of("priority", "which item wins", PhaseOptions.defaults().priority()),
              Choice.of("work", "where items come from", PhaseOptions.defaults().work()),
              Choice.of("launches", "threads of a launch", PhaseOptions.defaults().launches()),
              Choice.of("sorted", "tiles with triangles on one side", "off", "on"),
              Choice.of("lists", "lists of work: common, or of each thread", "shared", "local"),
              Choice.of("recycling", "fans take over slots", "on", "off"),
              Choice.of("sharing", "new triangles tested by all threads", "off", "on"),
              Choice.of("precision", "arithmetic that comes first", Precision.DOUBLE))
          .map(choice -> choice.onlyWith("sync=" + IN_PHASES))
          .toList();

  /** Names of the choices that are about phases. */
  public static List<String> phaseChoices() {
    return PHASES.stream().map(Choice::name).toList();
  }

  /**
   * The options of phases that are written so.
   *
   * @param sync the synchronization, as on the command line
   * @param given values by name; defaults for the rest
   * @throws IllegalArgumentException if a name or value is unknown, or has no effect
   */
  public static PhaseOptions phases(Synchronization sync, Map<String, String> given) {
    for (String name : given.keySet()) {
      if (!phaseChoices().contains(name)) {
        throw new IllegalArgumentException(
            "'" + name + "': expected one of " + String.join(", ", phaseChoices()));
      }
    }
    if (!given.isEmpty() && !sync.inPhases()) {
      throw new IllegalArgumentException(
          "there are no phases; expected one of --sync " + IN_PHASES.replace("|", ", "));
    }
    List<Choice> choices = new ArrayList<>(List.of(SYNC));
    choices.addAll(PHASES);
    Map<String, String> values = new LinkedHashMap<>(given);
    values.put(SYNC.name(), Choice.written(sync));
    return phases(Variant.of(choices, values));
  }

  /** A variant's; the defaults where it has no phases. */
  private static PhaseOptions phases(Variant variant) {
    if (variant.get("work") == null) {
      return PhaseOptions.defaults();
    }
    return new PhaseOptions(
        Choice.constant(Priority.class, variant.get("priority")),
        Choice.constant(Work.class, variant.get("work")),
        Choice.constant(Launches.class, variant.get("launches")),
        variant.get("sorted").equals("on"),
        variant.get("lists").equals("local"),
        variant.get("recycling").equals("on"),
        variant.get("sharing").equals("on"),
        Choice.constant(Precision.class, variant.get("precision")));
  }

  /** The same as they are written, by name. */
  public static Map<String, String> written(PhaseOptions options) {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("priority", Choice.written(options.priority()));
    values.put("work", Choice.written(options.work()));
    values.put("launches", Choice.written(options.launches()));
    values.put("sorted", options.sorted() ? "on" : "off");
    values.put("lists", options.localLists() ? "local" : "shared");
    values.put("recycling", options.recycling() ? "on" : "off");
    values.put("sharing", options.workSharing() ? "on" : "off");
    values.put("precision", Choice.written(options.precision()));
    return values;
  }

  @Override
  public String name() {
    return "refine";
  }

  @Override
  public String summary() {
    return "Delaunay refinement of a mesh";
  }

  @Override
  public List<Choice> choices() {
    List<Choice> choices =
        new ArrayList<>(
            List.of(
                SYNC,
                Choice.of("point", "which point mends a bad triangle", DEFAULTS.insertion()),
                Choice.of("batch", "share of the bad triangles that run together", batches()),
                Choice.of("layout", "how the mesh is numbered meanwhile", DEFAULTS.layout()),
                Choice.number(
                    "angle",
                    "least angle in degrees",
                    (long) DEFAULTS.minimumAngle(),
                    0,
                    (int) RefinementOptions.LARGEST_ANGLE),
                Choice.number(
                        "slice",
                        "items marked together; 0 = the device's choice",
                        DEFAULTS.slice(),
                        0,
                        1 << 20)
                    .onlyWith("sync=marks|" + IN_PHASES)));
    choices.addAll(PHASES);
    choices.add(
        Choice.of("policy", "which transaction goes first", "hand_off", "priority_rule")
            .onlyWith("sync=transactions"));
    choices.add(
        Choice.of("statistics", "whether attempts are counted", "on", "off")
            .onlyWith("sync=transactions"));
    choices.add(
        Choice.number("threads", "transactions in flight; 0 = the device's choice", 0)
            .onlyWith("sync=transactions"));
    return List.copyOf(choices);
  }

  private static String[] batches() {
    Set<String> shares = new LinkedHashSet<>();
    shares.add(Double.toString(DEFAULTS.batch()));
    shares.addAll(List.of("0.001953125", "0.0625", "0.25", "1.0"));
    return shares.toArray(new String[0]);
  }

  @Override
  public Map<String, String> baselines() {
    return Map.of();
  }

  @Override
  public List<String> shown() {
    return List.of("triangles", "inserted", "badLeft", "launches");
  }

  @Override
  public List<Ladder> ladders() {
    Steps ladder = new Steps(choices(), "sync=three-phases batch=1.0 work=slots");
    ladder.step("three phases", "layout=shuffled launches=fixed recycling=off");
    ladder.step("+ layout", "layout=hilbert");
    ladder.step("+ adaptive launches", "launches=doubling");
    ladder.step("+ launches as large as work", "launches=items");
    ladder.step("+ less divergence", "sorted=on");
    ladder.step("+ single precision", "precision=single");
    ladder.step("+ recycled slots", "recycling=on");
    ladder.step("+ lists of work", "work=lists");
    ladder.step("+ local lists", "lists=local");
    ladder.step("+ order of urgency", "lists=shared batch=" + DEFAULTS.batch());
    ladder.step("two stages", "sync=two-stages");
    ladder.step("one maximum", "sync=marks");
    ladder.step("transactions", "sync=transactions");
    Steps stages = new Steps(choices(), "batch=1.0 priority=lower");
    stages.step("three phases", "sync=three-phases");
    stages.step("atomic marks, two stages", "sync=atomic-stages");
    stages.step("three phases, then atomic marks", "sync=two-stages");
    stages.step("+ work sharing", "sharing=on");
    return List.of(
        new Ladder(
            "optimizations",
            "those of Nasre, Burtscher and Pingali (2013), and what this library does instead",
            ladder.variants),
        new Ladder("stages", "table III of Kumar and Vadhiyar", stages.variants));
  }

  /** Steps, each of which changes some values. */
  private static final class Steps {
    private final List<Choice> choices;
    private final Map<String, String> values = new LinkedHashMap<>();
    private final Map<String, Variant> variants = new LinkedHashMap<>();

    Steps(List<Choice> choices, String values) {
      this.choices = choices;
      set(values);
    }

    private void set(String changes) {
      for (String change : changes.split(" ", -1)) {
        values.put(
            change.substring(0, change.indexOf('=')), change.substring(change.indexOf('=') + 1));
      }
    }

    void step(String label, String changes) {
      set(changes);
      variants.put(label, Variant.of(choices, values));
    }
  }

  private static RefinementOptions options(Variant variant) {
    RefinementOptions options =
        DEFAULTS
            .withSynchronization(Choice.constant(Synchronization.class, variant.get("sync")))
            .withInsertion(Choice.constant(Insertion.class, variant.get("point")))
            .withBatch(Double.parseDouble(variant.get("batch")))
            .withLayout(Choice.constant(Layout.class, variant.get("layout")))
            .withPhases(phases(variant))
            .withMinimumAngle(Integer.parseInt(variant.get("angle")));
    if (variant.get("slice") != null) {
      return options.withSlice(Integer.parseInt(variant.get("slice")));
    }
    StmOptions stm =
        DEFAULTS
            .stm()
            .withPolicy(Choice.constant(Policy.class, variant.get("policy")))
            .withStatistics(variant.get("statistics").equals("on"))
            .withThreadsInFlight(Integer.parseInt(variant.get("threads")));
    return options.withStm(stm);
  }

  @Override
  public Optional<String> objection(Variant variant) {
    try {
      options(variant);
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(e.getMessage().replaceFirst("^minimumAngle ", "angle "));
    }
  }

  @Override
  public InputSource source(InputSource given) {
    return given.ofMesh();
  }

  @Override
  public Prepared prepare(InputSource source, Progress progress) throws IOException {
    MeshSource input = source.ofMesh();
    progress.begin(input.points() == null ? "reading" : "generating", -1);
    Mesh mesh = input.load();
    MeshVerification verification = MeshVerifier.delaunay(mesh);
    if (!verification.passed()) {
      throw new InputException(
          input.description()
              + ": no constrained Delaunay triangulation; --poly makes one: "
              + mistakes(verification));
    }
    return new Input(mesh, MeshHash.of(mesh));
  }

  /** What a verification found wrong, in one line. */
  public static String mistakes(MeshVerification verification) {
    return verification.failures().stream()
        .map(check -> check.subject() + ": " + verification.outcome(check).detail())
        .collect(Collectors.joining("; "));
  }

  private record Input(Mesh mesh, String hash) implements Prepared {
    @Override
    public Map<String, Long> sizes() {
      Map<String, Long> sizes = new LinkedHashMap<>();
      sizes.put("vertices", (long) mesh.vertices());
      sizes.put("triangles", (long) mesh.triangles());
      sizes.put("segments", (long) mesh.segments());
      return sizes;
    }

    @Override
    public Program variant(Device device, Variant variant) {
      RefinementOptions options = options(variant);
      return () -> {
        long begin = System.nanoTime();
        RefinementResult result = MeshRefinement.run(device, mesh, options);
        return outcome(result, (System.nanoTime() - begin) / 1e6);
      };
    }

    private Outcome outcome(RefinementResult result, double total) {
      RefinementReport report = result.report();
      Map<String, Double> millis = new LinkedHashMap<>();
      millis.put(Outcome.TOTAL, total);
      millis.put(Outcome.KERNELS, report.selectMillis() + report.refineMillis());
      millis.put("load", report.loadMillis());
      millis.put("upload", report.uploadMillis());
      millis.put("select", report.selectMillis());
      millis.put("refine", report.refineMillis());
      millis.put("download", report.downloadMillis());
      millis.put("other", report.otherMillis());
      Map<String, Long> counters = new LinkedHashMap<>();
      counters.put("rounds", (long) report.rounds().size());
      counters.put("triangles", (long) result.mesh().triangles());
      counters.put("inserted", report.inserted());
      counters.put("badLeft", report.badLeft());
      counters.put("launches", report.rounds().stream().mapToLong(Round::launches).sum());
      Map<String, Long> aborts = new LinkedHashMap<>();
      if (report.options().synchronization() != Synchronization.TRANSACTIONS
          || report.options().stm().statistics()) {
        counters.put("aborts", report.rounds().stream().mapToLong(Round::aborted).sum());
        for (Round round : report.rounds()) {
          round
              .aborts()
              .forEach(
                  (cause, count) ->
                      aborts.merge(cause.name().toLowerCase(Locale.ROOT), count, Long::sum));
        }
      }
      return new Outcome(millis, counters, aborts, () -> mistake(result));
    }

    /** What is wrong with a result; that it is not finished, too. */
    private Optional<String> mistake(RefinementResult result) {
      RefinementReport report = result.report();
      if (report.outcome() != RefinementReport.Outcome.FINISHED) {
        return Optional.of(report.toString());
      }
      MeshVerification verification = MeshVerifier.verify(mesh, result.mesh(), report.claim());
      return verification.passed() ? Optional.empty() : Optional.of(mistakes(verification));
    }

    @Override
    public Program baseline(String name) {
      throw new IllegalArgumentException("there is no baseline '" + name + "'");
    }
  }
}
