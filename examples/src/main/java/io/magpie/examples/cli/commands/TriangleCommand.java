package io.magpie.examples.cli.commands;

import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.io.TriangleFormat;
import io.magpie.algorithms.mesh.io.TriangleFormat.Part;
import io.magpie.algorithms.mesh.refine.MeshRefinement;
import io.magpie.algorithms.mesh.refine.RefinementOptions;
import io.magpie.algorithms.mesh.refine.RefinementReport;
import io.magpie.algorithms.mesh.refine.RefinementResult;
import io.magpie.algorithms.mesh.verify.MeshVerification;
import io.magpie.algorithms.mesh.verify.MeshVerifier;
import io.magpie.examples.cli.commands.RefinementOutcome.Shown;
import io.magpie.examples.cli.commands.TriangleSwitches.Decimal;
import io.magpie.examples.cli.options.DeviceOption;
import io.magpie.examples.cli.options.EnumOption;
import io.magpie.examples.cli.options.Outputs;
import io.magpie.examples.cli.options.SettingOptions;
import io.magpie.examples.cli.output.Counts;
import io.magpie.examples.cli.output.NamedLines;
import io.magpie.examples.cli.output.OutputFile;
import io.magpie.examples.cli.output.Terminal;
import io.magpie.examples.compare.Progress;
import io.magpie.examples.compare.RefinementComparison;
import io.magpie.examples.input.InputException;
import io.magpie.stm.Device;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Does what Triangle does with the same arguments. */
@Command(
    name = "triangle",
    description =
        "Triangulate and refine as Triangle does with the same switches, such as -pq30a0.1, and write"
            + " files of the same names.")
final class TriangleCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "-SWITCHES|FILE",
      description =
          "Triangle's switches, and the file: FILE.node, FILE.poly with p, FILE.ele with r. Output is"
              + " FILE.1, that of FILE.1 is FILE.2.")
  private List<String> words;

  @Mixin private DeviceOption device;

  private TriangleSwitches switches;
  private TriangleInput input;
  private Path base;

  @Override
  public Integer call() throws IOException {
    if (TriangleSwitches.askForHelp(words)) {
      spec.commandLine().usage(spec.commandLine().getOut());
      return ExitCode.OK;
    }
    checkWords();
    RefinementOptions options = switches.refines() ? options() : null;
    Set<Part> parts = parts();
    Path out = switches.output(base);
    List<Path> written = TriangleFormat.filesOfMesh(out, parts);
    OutputFile files = outputs(written).at("FILE", out, written);
    RefinementOutcome refined = null;
    Mesh mesh;
    if (!switches.has('Q')) {
      switches.notes().forEach(spec.commandLine().getErr()::println);
    }
    try (Progress progress = Terminal.progress();
        Device on = options == null ? null : device.open(spec)) {
      progress.begin("reading", -1);
      mesh = Reading.of(input, input::mesh);
      if (options == null) {
        check(mesh);
      } else {
        refined = refine(on, mesh, options, progress);
        mesh = refined.after();
      }
      progress.begin("writing", -1);
      Mesh used = switches.has('j') ? TriangleInput.withoutUnused(mesh) : mesh;
      Mesh marked = switches.has('B') ? TriangleInput.with(used, null, null) : used;
      files.writeBy(place -> TriangleFormat.write(marked, place, parts));
      if (!switches.has('Q')) {
        print(refined, mesh, on, written);
      }
    }
    if (refined != null) {
      requireFinished(refined.report());
    }
    return ExitCode.OK;
  }

  private void checkWords() {
    try {
      switches = TriangleSwitches.parse(words);
    } catch (IllegalArgumentException e) {
      throw usage(e.getMessage());
    }
    base = TriangleFormat.base(switches.file());
    input = new TriangleInput(switches, base);
  }

  /** What is read is kept; with I, {@link #parts} has decided what else of that name is. */
  private Outputs outputs(List<Path> written) {
    return new Outputs(
        spec, input.filesRead().stream().filter(each -> !written.contains(each)).toList());
  }

  private RefinementOptions options() {
    Decimal angle = switches.angle();
    Decimal area = switches.area();
    if (angle != null && angle.value() > RefinementOptions.LARGEST_ANGLE) {
      throw usage(
          "-q"
              + angle.text()
              + ": angles of at most "
              + RefinementOptions.LARGEST_ANGLE
              + " degrees can be asked for");
    }
    return RefinementOptions.defaults()
        .withMinimumAngle(angle == null ? 0 : angle.value())
        .withMaximumArea(area == null ? 0 : area.value())
        .withMaximumSteinerPoints(switches.steiner().orElse(-1))
        .withSplitting(switches.splitting());
  }

  /** What is written: with I nothing over the input. */
  private Set<Part> parts() throws IOException {
    Set<Part> parts = EnumSet.noneOf(Part.class);
    boolean keepsNode = switches.has('I') && Reading.of(input, input::readsNode);
    if (keepsNode && switches.refines()) {
      throw usage(
          "-I: "
              + base
              + ".node is not written over, so the vertices that are added would be lost; leave out"
              + " I");
    }
    if (keepsNode && switches.has('j')) {
      throw usage(
          "-I with -j: "
              + base
              + ".node is not written over, so its numbers would be others; leave out one of them");
    }
    if (!switches.has('N') && !keepsNode) {
      parts.add(Part.VERTICES);
    }
    boolean hasSegments = switches.has('p') || switches.has('c');
    if (hasSegments && !switches.has('P') && !switches.has('I')) {
      parts.add(Part.SEGMENTS);
    }
    if (!switches.has('E')) {
      parts.add(Part.TRIANGLES);
    }
    if (switches.has('e')) {
      parts.add(Part.EDGES);
    }
    if (switches.has('n')) {
      parts.add(Part.NEIGHBORS);
    }
    if (switches.has('v')) {
      parts.add(Part.VORONOI);
    }
    if (parts.isEmpty()) {
      throw usage("nothing would be written; leave out N, E or I");
    }
    return parts;
  }

  private RefinementOutcome refine(
      Device on, Mesh mesh, RefinementOptions options, Progress progress) {
    progress.begin("refining", -1);
    RefinementResult result;
    try {
      result = MeshRefinement.run(on, mesh, options, round -> progress.advance());
    } catch (IllegalArgumentException e) { // the mesh does not suit, or what is asked of it
      throw new InputException(base + ": " + asGiven(SettingOptions.message(e)));
    }
    MeshVerification verification = null;
    if (switches.has('C')) {
      progress.begin("verifying", -1);
      verification = MeshVerifier.verify(mesh, result.mesh(), result.report().claim());
      require(verification);
    }
    return RefinementOutcome.of(
        input, mesh, result, verification, new Shown(false, switches.has('V')));
  }

  /** A message about an area, as that was written here. */
  private String asGiven(String message) {
    Decimal area = switches.area();
    return area == null
        ? message
        : message.replace("--max-area " + area.value(), "-a" + area.text());
  }

  /** Checks a mesh that is not refined. */
  private void check(Mesh mesh) {
    if (switches.has('C')) {
      require(MeshVerifier.delaunay(mesh));
    }
  }

  private static void require(MeshVerification verification) {
    if (!verification.passed()) {
      throw new VerificationException(
          "the mesh is wrong, and was not written: " + RefinementComparison.mistakes(verification));
    }
  }

  private void print(RefinementOutcome refined, Mesh mesh, Device on, List<Path> written) {
    PrintWriter out = spec.commandLine().getOut();
    NamedLines to = new NamedLines(out);
    List<String> names = new ArrayList<>();
    written.forEach(file -> names.add(file.toString()));
    to.line("written", "%s", String.join(" ", names));
    if (refined != null) {
      refined.print(to, on.description());
    } else {
      to.line("mesh", "%s", input.description());
      to.line(
          "sizes",
          "%s vertices, %s triangles, %s segments",
          Counts.number(mesh.vertices()),
          Counts.number(mesh.triangles()),
          Counts.number(mesh.segments()));
      if (switches.has('C')) {
        to.line("verified", "by all checks that apply");
      }
    }
  }

  private static void requireFinished(RefinementReport report) {
    if (report.outcome() != RefinementReport.Outcome.FINISHED) {
      throw new StoppedEarlyException(
          "stopped early ("
              + EnumOption.name(report.outcome()).replace('-', ' ')
              + ") with "
              + Counts.number(report.inserted(), "vertex", "vertices")
              + " added: "
              + Counts.number(report.badLeft(), "bad triangle is", "bad triangles are")
              + " left; the mesh was written. "
              + (report.outcome() == RefinementReport.Outcome.SEGMENTS_KEPT
                  ? "Leave out Y, or put more vertices on the segments yourself"
                  : "Ask for a smaller -q, a larger -a or a larger -S"));
    }
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
