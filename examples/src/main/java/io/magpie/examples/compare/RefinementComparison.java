package io.magpie.examples.compare;

import io.magpie.algorithms.ResultArrays;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.PlanarGraph;
import io.magpie.algorithms.mesh.RefinementClaim;
import io.magpie.algorithms.mesh.Splitting;
import io.magpie.algorithms.mesh.io.TriangleFormat;
import io.magpie.algorithms.mesh.refine.MeshRefinement;
import io.magpie.algorithms.mesh.refine.RefinementOptions;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Layout;
import io.magpie.algorithms.mesh.refine.RefinementReport;
import io.magpie.algorithms.mesh.refine.RefinementReport.Round;
import io.magpie.algorithms.mesh.verify.MeshVerification;
import io.magpie.algorithms.mesh.verify.MeshVerifier;
import io.magpie.examples.input.Input;
import io.magpie.examples.input.InputException;
import io.magpie.examples.input.Inputs;
import io.magpie.examples.input.MeshHash;
import io.magpie.examples.input.MeshInput;
import io.magpie.stm.Device;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Delaunay refinement in all its variants. */
public final class RefinementComparison implements Comparison<RefinementOptions> {
  private static final String TRIANGLE = "triangle";

  /** Triangle has a use of its own for 0 and 1. */
  private static final int FIRST_MARKER = 2;

  private static final Pattern QUALITY = Pattern.compile("Quality milliseconds:\\s+([0-9.]+)");

  @Override
  public String name() {
    return "refine";
  }

  @Override
  public String summary() {
    return "Delaunay refinement of a mesh";
  }

  @Override
  public RefinementOptions defaults() {
    return RefinementOptions.defaults();
  }

  @Override
  public List<Baseline> baselines() {
    return List.of(
        Baseline.onPath(
            TRIANGLE,
            "Shewchuk's Triangle refining the same mesh; its own time of refining is the time in"
                + " kernels, files are part of the total",
            "Triangle 1.6"),
        OpenMpProgram.baseline(
            "rounds over lists of bad triangles with a lock for each triangle, as LonestarGPU's"
                + " method was ported to Cilk Plus"));
  }

  @Override
  public List<String> shown() {
    return List.of("triangles", "inserted", "badLeft", "launches");
  }

  @Override
  public List<Ladder<RefinementOptions>> ladders() {
    Steps ladder = new Steps("sync=three-phases batch=1.0 work=slots");
    ladder.step("three phases", "layout=shuffled launches=fixed recycling=off");
    ladder.step("+ layout", "layout=hilbert");
    ladder.step("+ adaptive launches", "launches=doubling");
    ladder.step("+ launches as large as work", "launches=items");
    ladder.step("+ less divergence", "sorted=on");
    ladder.step("+ single precision", "precision=single");
    ladder.step("+ recycled slots", "recycling=on");
    ladder.step("+ lists of work", "work=lists");
    ladder.step("+ local lists", "lists=local");
    ladder.step("+ order of urgency", "lists=shared batch=" + defaults().batch());
    ladder.step("two stages", "sync=two-stages");
    ladder.step("one maximum", "sync=marks");
    ladder.step("transactions", "sync=transactions");
    Steps stages = new Steps("batch=1.0 priority=lower");
    stages.step("three phases", "sync=three-phases");
    stages.step("atomic marks, two stages", "sync=atomic-stages");
    stages.step("three phases, then atomic marks", "sync=two-stages");
    stages.step("+ work sharing", "sharing=on");
    return List.of(
        new Ladder<>(
            "optimizations",
            "those of Nasre, Burtscher and Pingali (2013), and what this library does instead",
            ladder.variants),
        new Ladder<>("stages", "table III of Kumar and Vadhiyar", stages.variants));
  }

  /** Steps, each of which changes some values. */
  private static final class Steps {
    private final Map<String, String> values = new LinkedHashMap<>();
    private final Map<String, RefinementOptions> variants = new LinkedHashMap<>();

    Steps(String values) {
      set(values);
    }

    private void set(String changes) {
      for (String change : changes.split(" ", -1)) {
        values.put(change.substring(0, change.indexOf('=')), change);
      }
    }

    void step(String label, String changes) {
      set(changes);
      variants.put(label, Variants.variant(RefinementOptions.defaults(), values.values()));
    }
  }

  @Override
  public boolean writesToArrays() {
    return true;
  }

  @Override
  public boolean leavesOnDevice() {
    return true;
  }

  @Override
  public Optional<String> refusesArrays(RefinementOptions variant) {
    return variant.layout() == Layout.AS_GIVEN
        ? Optional.empty()
        : Optional.of(
            "layout="
                + RefinementOptions.LAYOUT.write(variant.layout())
                + " needs new arrays, as others are filled in the order of the input");
  }

  @Override
  public Input source(Input given) {
    return Inputs.require(MeshInput.class, "a mesh", given);
  }

  @Override
  public Prepared<RefinementOptions> prepare(Input source, Progress progress) throws IOException {
    MeshInput input = (MeshInput) source;
    progress.begin(input.generated() ? "generating" : "reading", -1);
    Mesh mesh = input.mesh();
    MeshVerification verification = MeshVerifier.delaunay(mesh);
    if (!verification.passed()) {
      throw new InputException(
          input.description()
              + ": no constrained Delaunay triangulation; --poly makes one: "
              + mistakes(verification));
    }
    return new Problem(mesh, MeshHash.of(mesh));
  }

  /** What a verification found wrong, in one line. */
  public static String mistakes(MeshVerification verification) {
    return verification.failures().stream()
        .map(check -> check.subject() + ": " + verification.outcome(check).detail())
        .collect(Collectors.joining("; "));
  }

  record Problem(Mesh mesh, String hash) implements Prepared<RefinementOptions> {
    @Override
    public Map<String, Long> sizes() {
      Map<String, Long> sizes = new LinkedHashMap<>();
      sizes.put("vertices", (long) mesh.vertices());
      sizes.put("triangles", (long) mesh.triangles());
      sizes.put("segments", (long) mesh.segments());
      return sizes;
    }

    @Override
    public Program variant(Device device, RefinementOptions options) {
      return Timed.program(
          () -> MeshRefinement.run(device, mesh, options),
          (result, total) ->
              outcome(result.report(), result.mesh().triangles(), result::mesh, total));
    }

    @Override
    public Program variant(Device device, RefinementOptions options, ResultArrays arrays) {
      return Timed.program(
          () -> MeshRefinement.run(device, mesh, options, arrays),
          (result, total) -> outcome(result.report(), result.triangles(), result::mesh, total));
    }

    private Outcome outcome(
        RefinementReport report, int triangles, Supplier<Mesh> refined, double total) {
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
      counters.put("triangles", (long) triangles);
      counters.put("inserted", report.inserted());
      counters.put("badLeft", report.badLeft());
      counters.put("launches", report.rounds().stream().mapToLong(Round::launches).sum());
      counters.put(Outcome.ABORTS, report.rounds().stream().mapToLong(Round::aborted).sum());
      Outcome outcome = new Outcome(millis, counters, () -> mistake(report, refined));
      for (Round round : report.rounds()) {
        outcome = outcome.withAborts(round.aborts());
      }
      return outcome;
    }

    /** What is wrong with a result; that it is not finished, too, unless segments kept it so. */
    private Optional<String> mistake(RefinementReport report, Supplier<Mesh> refined) {
      boolean keptSegments =
          report.outcome() == RefinementReport.Outcome.SEGMENTS_KEPT
              && report.options().splitting() != Splitting.ALL;
      if (report.outcome() != RefinementReport.Outcome.FINISHED && !keptSegments) {
        return Optional.of(report.toString());
      }
      MeshVerification verification = MeshVerifier.verify(mesh, refined.get(), report.claim());
      return verification.passed() ? Optional.empty() : Optional.of(mistakes(verification));
    }

    @Override
    public Program baseline(String name, RefinementOptions options) {
      return switch (name) {
        case TRIANGLE -> triangle(options);
        case OpenMpProgram.NAME -> openMp(OpenMpProgram.onPath(), options);
        default -> throw new IllegalArgumentException("there is no baseline '" + name + "'");
      };
    }

    private Program triangle(RefinementOptions options) {
      if (mesh.hasSingleAreaBounds()) {
        throw new InputException(
            TRIANGLE
                + " does not keep area bounds of single triangles where these were; leave out --with "
                + TRIANGLE
                + ", or remove the .area file");
      }
      if (mesh.hasSingleTriangleAttributes()) {
        throw new InputException(
            TRIANGLE
                + " does not keep attributes of triangles where these were, unless segments separate"
                + " them; leave out --with "
                + TRIANGLE
                + ", or the attributes, or add segments");
      }
      double area = options.maximumArea();
      String switches =
          "-rpq"
              + decimal(options.minimumAngle())
              + (area == 0 ? "" : "a" + decimal(area))
              + (mesh.hasAreaBounds() ? "a" : ""); // in a file
      return external(
          new ExternalProgram(TRIANGLE), List.of(switches, "mesh"), QUALITY, "mesh.1", options);
    }

    /** The program with locks, which is closed with the result. */
    Program openMp(ExternalProgram program, RefinementOptions options) {
      if (mesh.hasAreaBounds() || mesh.triangleAttributes() > 0) {
        program.close();
        throw new InputException(
            OpenMpProgram.NAME
                + " keeps no attributes of triangles, and no area bounds but one for all; leave out"
                + " --with "
                + OpenMpProgram.NAME
                + ", or the attributes and bounds");
      }
      List<String> arguments = new ArrayList<>(List.of("dmr", "mesh", "--out", "refined"));
      arguments.addAll(List.of("--angle", decimal(options.minimumAngle())));
      if (options.maximumArea() > 0) {
        arguments.addAll(List.of("--area", decimal(options.maximumArea())));
      }
      return external(program, arguments, OpenMpProgram.MILLIS, "refined", options);
    }

    /**
     * A program that refines the files of {@code mesh} in its folder.
     *
     * @param time where it prints the time that it took to refine
     * @param result the base of the files that it makes
     */
    private Program external(
        ExternalProgram program,
        List<String> arguments,
        Pattern time,
        String result,
        RefinementOptions options) {
      try {
        TriangleFormat.write(numbered(), program.folder().resolve("mesh"));
        if (mesh.hasAreaBounds()) {
          writeAreas(program.folder().resolve("mesh.area"));
        }
      } catch (IOException e) {
        program.close();
        throw new UncheckedIOException(e);
      } catch (RuntimeException e) {
        program.close();
        throw e;
      }
      return new Program() {
        @Override
        public Outcome run() {
          ExternalProgram.Output output = program.run(arguments);
          Mesh refined;
          try {
            refined = withOrigins(TriangleFormat.readMesh(program.folder().resolve(result)));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          Map<String, Double> millis = new LinkedHashMap<>();
          millis.put(Outcome.TOTAL, output.millis());
          output.number(time).ifPresent(own -> millis.put(Outcome.KERNELS, own));
          RefinementClaim claim =
              RefinementClaim.of(options.minimumAngle()).withMaximumArea(options.maximumArea());
          return new Outcome(
              millis,
              Map.of(
                  "triangles",
                  (long) refined.triangles(),
                  "inserted",
                  (long) refined.vertices() - mesh.vertices()),
              () -> {
                MeshVerification verification = MeshVerifier.verify(mesh, refined, claim);
                return verification.passed()
                    ? Optional.empty()
                    : Optional.of(mistakes(verification));
              });
        }

        @Override
        public void close() {
          program.close();
        }
      };
    }

    /**
     * The mesh with a marker of its own for each segment, which its parts will have, too, and with
     * area bounds as attributes of triangles, which those in their places will have.
     */
    private Mesh numbered() {
      int[] markers = new int[mesh.segments()];
      Arrays.setAll(markers, s -> s + FIRST_MARKER);
      int attributes = mesh.triangleAttributes();
      int columns = attributes + (mesh.hasAreaBounds() ? 1 : 0);
      double[] values = firstAttributes(mesh, columns);
      if (mesh.hasAreaBounds()) {
        for (int t = 0; t < mesh.triangles(); t++) {
          values[columns * t + attributes] = boundOrMinus(t);
        }
      }
      return Mesh.builder(
              PlanarGraph.builder(mesh.planarGraph().coordinates())
                  .segments(mesh.planarGraph().segmentEnds(), markers)
                  .build(),
              mesh.corners())
          .triangleAttributes(columns, values)
          .build();
    }

    /** The first attributes of all triangles, so many of each; 0 where there are fewer. */
    private static double[] firstAttributes(Mesh mesh, int count) {
      int attributes = mesh.triangleAttributes();
      double[] values = new double[count * mesh.triangles()];
      for (int t = 0; t < mesh.triangles(); t++) {
        System.arraycopy(
            mesh.triangleAttributeValues(),
            attributes * t,
            values,
            count * t,
            Math.min(attributes, count));
      }
      return values;
    }

    /** The area bound of a triangle, or that of Triangle for none. */
    private double boundOrMinus(int t) {
      return mesh.areaBound(t) == Double.POSITIVE_INFINITY ? -1 : mesh.areaBound(t);
    }

    /** Writes the bounds as Triangle reads them. */
    private void writeAreas(Path file) throws IOException {
      try (BufferedWriter out = Files.newBufferedWriter(file)) {
        out.write(mesh.triangles() + "\n");
        for (int t = 0; t < mesh.triangles(); t++) {
          out.write(t + " " + boundOrMinus(t) + "\n");
        }
      }
    }

    /**
     * What was read, with the segments that its own are parts of, their markers, and the attributes
     * and bounds of triangles.
     */
    private Mesh withOrigins(Mesh read) {
      int[] origins = new int[read.segments()];
      int[] markers = new int[read.segments()];
      for (int s = 0; s < origins.length; s++) {
        origins[s] = read.segmentMarker(s) - FIRST_MARKER;
        boolean known = origins[s] >= 0 && origins[s] < mesh.segments();
        markers[s] = known ? mesh.segmentMarker(origins[s]) : read.segmentMarker(s);
      }
      PlanarGraph graph =
          PlanarGraph.builder(read.planarGraph().coordinates())
              .segments(read.planarGraph().segmentEnds(), markers)
              .build();
      int attributes = mesh.triangleAttributes();
      double[] bounds = null;
      if (mesh.hasAreaBounds()) {
        bounds = new double[read.triangles()];
        for (int t = 0; t < bounds.length; t++) {
          double bound = read.triangleAttribute(t, attributes);
          bounds[t] = bound > 0 ? bound : Double.POSITIVE_INFINITY;
        }
      }
      return Mesh.builder(graph, read.corners())
          .segmentOrigins(origins)
          .triangleAttributes(attributes, firstAttributes(read, attributes))
          .areaBounds(bounds)
          .build();
    }

    /** Triangle takes no exponents. */
    private static String decimal(double value) {
      return new BigDecimal(value).toPlainString();
    }
  }
}
