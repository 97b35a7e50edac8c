package io.magpie.examples.compare;

import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.MeshRefinement;
import io.magpie.algorithms.mesh.MeshVerification;
import io.magpie.algorithms.mesh.MeshVerifier;
import io.magpie.algorithms.mesh.RefinementOptions;
import io.magpie.algorithms.mesh.RefinementOptions.Insertion;
import io.magpie.algorithms.mesh.RefinementOptions.Synchronization;
import io.magpie.algorithms.mesh.RefinementReport;
import io.magpie.algorithms.mesh.RefinementReport.Round;
import io.magpie.algorithms.mesh.RefinementResult;
import io.magpie.stm.Device;
import io.magpie.stm.Policy;
import io.magpie.stm.StmOptions;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Delaunay refinement in all its variants. */
public final class RefinementComparison implements Comparison {
  private static final RefinementOptions DEFAULTS = RefinementOptions.defaults();

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
    return List.of(
        Choice.of("sync", "how insertions are kept apart", DEFAULTS.synchronization()),
        Choice.of("point", "which point mends a bad triangle", DEFAULTS.insertion()),
        Choice.of("batch", "share of the bad triangles that run together", batches()),
        Choice.number("angle", "least angle in degrees", (long) DEFAULTS.minimumAngle()),
        Choice.number("slice", "items marked together; 0 = the device's choice", DEFAULTS.slice())
            .onlyWith("sync=marks"),
        Choice.of("policy", "which transaction goes first", "hand_off", "priority_rule")
            .onlyWith("sync=transactions"),
        Choice.of("statistics", "whether attempts are counted", "on", "off")
            .onlyWith("sync=transactions"),
        Choice.number("threads", "transactions in flight; 0 = the device's choice", 0)
            .onlyWith("sync=transactions"));
  }

  private static String[] batches() {
    Set<String> shares = new LinkedHashSet<>();
    shares.add(Double.toString(DEFAULTS.batch()));
    shares.addAll(List.of("0.00390625", "0.0625", "0.25", "1.0"));
    return shares.toArray(new String[0]);
  }

  @Override
  public Map<String, String> baselines() {
    return Map.of();
  }

  private static RefinementOptions options(Variant variant) {
    RefinementOptions options =
        DEFAULTS
            .withSynchronization(Choice.constant(Synchronization.class, variant.get("sync")))
            .withInsertion(Choice.constant(Insertion.class, variant.get("point")))
            .withBatch(Double.parseDouble(variant.get("batch")))
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
      millis.put("upload", report.uploadMillis());
      millis.put("select", report.selectMillis());
      millis.put("refine", report.refineMillis());
      millis.put("download", report.downloadMillis());
      Map<String, Long> counters = new LinkedHashMap<>();
      counters.put("rounds", (long) report.rounds().size());
      counters.put("triangles", (long) result.mesh().triangles());
      counters.put("inserted", report.inserted());
      Map<String, Long> aborts = new LinkedHashMap<>();
      if (report.options().synchronization() == Synchronization.MARKS
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
