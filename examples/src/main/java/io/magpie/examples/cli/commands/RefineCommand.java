package io.magpie.examples.cli.commands;

import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.MeshGenerators;
import io.magpie.algorithms.mesh.MeshPicture;
import io.magpie.algorithms.mesh.RefinementClaim;
import io.magpie.algorithms.mesh.io.MeshFormats;
import io.magpie.algorithms.mesh.io.TriangleFormat;
import io.magpie.algorithms.mesh.io.TriangleFormat.Part;
import io.magpie.algorithms.mesh.refine.MeshRefinement;
import io.magpie.algorithms.mesh.refine.RefinementOptions;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Synchronization;
import io.magpie.algorithms.mesh.refine.RefinementReport;
import io.magpie.algorithms.mesh.refine.RefinementResult;
import io.magpie.algorithms.mesh.verify.MeshVerification;
import io.magpie.algorithms.mesh.verify.MeshVerifier;
import io.magpie.examples.cli.commands.RefinementOutcome.Shown;
import io.magpie.examples.cli.options.DeviceOption;
import io.magpie.examples.cli.options.InputOptions;
import io.magpie.examples.cli.options.JsonOption;
import io.magpie.examples.cli.options.MeshPictureOptions;
import io.magpie.examples.cli.options.Outputs;
import io.magpie.examples.cli.options.SettingOptions;
import io.magpie.examples.cli.output.Counts;
import io.magpie.examples.cli.output.OutputFile;
import io.magpie.examples.compare.Progress;
import io.magpie.examples.input.InputException;
import io.magpie.examples.input.InputKind;
import io.magpie.examples.input.MeshInput;
import io.magpie.stm.Device;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Refines a Delaunay mesh. */
@Command(
    name = "refine",
    description = "Refine a Delaunay mesh until its angles and areas are within bounds.")
final class RefineCommand extends AlgorithmCommand<RefinementOutcome> {
  /** Suffixes of files that hold something else; other suffixes are parts of a name. */
  private static final Pattern OTHER_FORMAT =
      Pattern.compile(
          "\\.(ply|stl|vtp|mesh|inp|json|geojson|wkt|csv|txt|png|svg|dxf)$",
          Pattern.CASE_INSENSITIVE);

  private final InputOptions<MeshInput> input;

  @Mixin private final CommandSpec inputOptions;

  @Option(
      names = "--merge-duplicates",
      description =
          "Keep the first of several vertices at the same place, and renumber the later ones; with"
              + " --poly or --mesh, for files without triangles.")
  private boolean mergeDuplicates;

  private final SettingOptions<RefinementOptions> settings =
      new SettingOptions<>(
          RefinementOptions.defaults(), "phases", RefinementOptions.phaseSettings());

  @Mixin private final CommandSpec settingOptions = settings.spec();

  @Mixin private DeviceOption device;

  @Option(
      names = "--verify",
      description =
          "Check the mesh in eleven independent ways, the tenth only with --reference-triangles;"
              + " exit status 1 if it is wrong.")
  private boolean verify;

  @Option(
      names = "--keep-wrong",
      description =
          "With --verify: write --out, --png and --svg even if the mesh is wrong; the exit status is"
              + " still 1.")
  private boolean keepWrong;

  @Option(
      names = "--reference-triangles",
      paramLabel = "N",
      description =
          "With --verify: number of triangles in another program's mesh of the same input at the"
              + " same bounds; more than "
              + MeshVerifier.LARGEST_RATIO
              + " times as many are wrong.")
  private Long referenceTriangles;

  @Option(names = "--histogram", description = "Show the number of angles by size.")
  private boolean histogram;

  @Option(names = "--details", description = "After the result, also show what each round did.")
  private boolean details;

  @Mixin private JsonOption json;

  @Option(
      names = "--out",
      paramLabel = "BASE|FILE",
      description =
          "Write the mesh as BASE.node, BASE.ele and BASE.poly, or as a FILE in the format of its"
              + " suffix, .obj, .off, .vtk, .vtu or .msh; compressed if the name ends in .gz or"
              + " .xz.")
  private Path out;

  @Option(names = "--edges", description = "With --out: also write all edges, as BASE.edge.")
  private boolean edges;

  @Option(
      names = "--neighbors",
      description = "With --out: also write the neighbors of each triangle, as BASE.neigh.")
  private boolean neighbors;

  @Option(
      names = "--voronoi",
      description =
          "With --out: also write the circumcenters and what joins them, as BASE.v.node and"
              + " BASE.v.edge; the Voronoi diagram, where no segment cuts through it.")
  private boolean voronoi;

  @Mixin private MeshPictureOptions picture;

  @Option(
      names = "--profile",
      paramLabel = "FILE",
      description = "Write a line of CSV for each round: items, insertions, aborts by cause, ms.")
  private Path profile;

  @Option(
      names = "--available-parallelism",
      paramLabel = "FILE",
      description =
          "With --sync maximal-sets: write a line of CSV for each step: items, those whose cavities"
              + " were filled together, and those filled after them because their cavities were too"
              + " large.")
  private Path parallelism;

  private MeshInput source;
  private RefinementOptions options;
  private Set<Part> parts;
  private OutputFile meshFiles;
  private OutputFile profileFile;
  private OutputFile parallelismFile;
  private List<OutputFile> pictures;

  /** What can be generated, for the end of the help text. */
  static String[] kinds() {
    List<String> lines = new ArrayList<>(List.of("", "Kinds of points and segments:"));
    MeshGenerators.usage().forEach(line -> lines.add("  " + line));
    return lines.toArray(new String[0]);
  }

  /**
   * @param kinds of input that there are
   */
  RefineCommand(List<InputKind> kinds) {
    input = new InputOptions<>(MeshInput.class, "a mesh", kinds);
    inputOptions = input.spec();
  }

  @Override
  void checkOptions() {
    source = source();
    options = settings.options(spec);
    if (parallelism != null && options.synchronization() != Synchronization.MAXIMAL_SETS) {
      throw usage(
          "--available-parallelism has no effect without --sync maximal-sets; add it, or leave this"
              + " out");
    }
    checkVerification();
  }

  private MeshInput source() {
    MeshInput given = input.input(spec);
    try {
      return mergeDuplicates ? given.withoutDuplicates() : given;
    } catch (IllegalArgumentException e) {
      throw usage(e.getMessage());
    }
  }

  /** Checks what is asked of the verification. */
  private void checkVerification() {
    if (referenceTriangles != null && !verify) {
      throw usage(
          "--reference-triangles has no effect without --verify; add it, or leave this out");
    }
    if (keepWrong && !verify) {
      throw usage("--keep-wrong has no effect without --verify; add it, or leave this out");
    }
    if (referenceTriangles != null && referenceTriangles < 1) {
      throw usage("--reference-triangles must be at least 1, got " + referenceTriangles);
    }
  }

  @Override
  JsonOption json() {
    return json;
  }

  @Override
  List<Path> filesRead() {
    return source.filesRead();
  }

  @Override
  void checkFiles(Outputs outputs) {
    Set<Part> more = moreParts();
    if (out == null && !more.isEmpty()) {
      throw usage(
          "--edges, --neighbors and --voronoi have no effect without --out; add it, or leave them"
              + " out");
    }
    if (out != null) {
      if (MeshFormats.isKnown(out) && !more.isEmpty()) {
        throw usage(
            "--edges, --neighbors and --voronoi write files of Triangle's format next to others of it,"
                + " and --out "
                + out
                + " is one file of another format; write --out BASE, without a suffix, or leave them"
                + " out");
      }
      parts = EnumSet.of(Part.VERTICES, Part.SEGMENTS, Part.TRIANGLES);
      parts.addAll(more);
      checkOut();
      meshFiles =
          outputs.at(
              "--out",
              out,
              MeshFormats.isKnown(out) ? List.of(out) : TriangleFormat.filesOfMesh(out, parts));
    }
    profileFile = outputs.at("--profile", profile);
    parallelismFile = outputs.at("--available-parallelism", parallelism);
    pictures = picture.files(spec, outputs);
  }

  /** What is to be written besides the mesh. */
  private Set<Part> moreParts() {
    Set<Part> more = EnumSet.noneOf(Part.class);
    if (edges) {
      more.add(Part.EDGES);
    }
    if (neighbors) {
      more.add(Part.NEIGHBORS);
    }
    if (voronoi) {
      more.add(Part.VORONOI);
    }
    return more;
  }

  /** Refuses files of the input, and formats that are not written. */
  private void checkOut() {
    String name = String.valueOf(out.getFileName());
    Matcher foreign = OTHER_FORMAT.matcher(name.replaceFirst("\\.(gz|xz)$", ""));
    if (foreign.find()) {
      throw usage(
          "--out "
              + out
              + ": meshes are written as "
              + String.join(", ", MeshFormats.suffixes())
              + ", or in Triangle's format as BASE.node, BASE.ele and BASE.poly, all also with .gz"
              + " or .xz; choose one of these, or leave out "
              + foreign.group());
    }
    Optional<Path> base = source.base();
    if (base.isPresent() && TriangleFormat.haveSameBase(base.get(), out)) {
      throw usage(
          "--out "
              + out
              + ": would replace the input's own files, or share their name next to them; choose"
              + (MeshFormats.isKnown(out)
                  ? " another name"
                  : " another base, such as " + base.get() + ".1"));
    }
  }

  @Override
  Device open() {
    return device.open(spec);
  }

  @Override
  RefinementOutcome run(Device device, Progress progress) throws IOException {
    progress.begin(source.generated() ? "generating" : "reading", -1);
    Mesh before = Reading.of(source, source::mesh);
    progress.begin("refining", -1);
    RefinementResult result;
    try {
      result = MeshRefinement.run(device, before, options, round -> progress.advance());
    } catch (IllegalArgumentException e) { // the mesh does not suit, or what is asked of it
      throw new InputException(source.description() + ": " + SettingOptions.message(e));
    }
    MeshVerification verification = null;
    if (verify) {
      progress.begin("verifying", -1);
      verification = MeshVerifier.verify(before, result.mesh(), claim(result));
    }
    RefinementOutcome refined =
        RefinementOutcome.of(source, before, result, verification, new Shown(histogram, details));
    if (profileFile != null) {
      profileFile.writeLines(refined.rounds().csv());
    }
    if (parallelismFile != null) {
      parallelismFile.writeLines(refined.rounds().parallelism());
    }
    return refined;
  }

  private RefinementClaim claim(RefinementResult result) {
    RefinementClaim claim = result.report().claim();
    return referenceTriangles == null ? claim : claim.withReference(referenceTriangles);
  }

  @Override
  boolean isKept(RefinementOutcome refined) {
    return keepWrong || super.isKept(refined);
  }

  @Override
  void write(RefinementOutcome refined, Progress progress) {
    if (meshFiles != null) {
      progress.begin("writing", -1);
      meshFiles.writeBy(
          path -> {
            if (MeshFormats.isKnown(path)) {
              MeshFormats.write(refined.after(), path);
            } else {
              TriangleFormat.write(refined.after(), path, parts);
            }
          });
    }
  }

  @Override
  void writeLast(RefinementOutcome refined) {
    MeshPicture drawn =
        MeshPicture.of(refined.before(), refined.after()).withMinimumAngle(options.minimumAngle());
    picture.draw(spec, drawn, pictures);
  }

  @Override
  void require(RefinementOutcome refined) {
    if (refined.wrong()) {
      boolean noted = isKept(refined) || (out == null && pictures.isEmpty());
      throw new VerificationException(
          "the mesh is wrong: "
              + refined.mistake()
              + (noted ? "" : "; it was not written, --keep-wrong has it written"));
    }
    if (refined.report().outcome() != RefinementReport.Outcome.FINISHED) {
      throw new StoppedEarlyException(stop(refined));
    }
  }

  /** Why the work stopped, what is left, and what to do. */
  private static String stop(RefinementOutcome refined) {
    RefinementReport report = refined.report();
    String left =
        Counts.number(report.badLeft(), "bad triangle is left; ", "bad triangles are left; ");
    return switch (report.outcome()) {
      case FINISHED -> throw new IllegalArgumentException("it finished");
      case VERTEX_LIMIT ->
          "stopped at "
              + Counts.number(refined.after().vertices())
              + " vertices: "
              + left
              + "allow more (--max-vertices, --steiner), or ask for a smaller --angle or a larger --max-area";
      case NO_PROGRESS ->
          "stopped without progress at "
              + Counts.number(refined.after().vertices())
              + " vertices, with edges of less than a hundredth of the input's smallest feature: "
              + left
              + "ask for a smaller --angle, or for a number of vertices (--max-vertices)";
      case OUT_OF_MEMORY ->
          "stopped for lack of memory on the device: "
              + left
              + "ask for a smaller --angle or a larger --max-area, or use a device with more memory";
      case PRECISION ->
          "stopped where double precision ends: "
              + left
              + "vertices or segments there are closer together than doubles can refine, or --angle is"
              + " too large";
      case SEGMENTS_KEPT ->
          "stopped where repair points are beyond segments that stay whole, or too near them: "
              + left
              + "let them be split (--split all), ask for a smaller --angle or a larger --max-area, or put"
              + " more vertices on the segments yourself";
    };
  }
}
