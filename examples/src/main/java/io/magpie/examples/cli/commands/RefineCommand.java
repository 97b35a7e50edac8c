package io.magpie.examples.cli.commands;

import io.magpie.algorithms.mesh.AngleHistogram;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.MeshGenerators;
import io.magpie.algorithms.mesh.MeshPicture;
import io.magpie.algorithms.mesh.RefinementClaim;
import io.magpie.algorithms.mesh.io.TriangleFormat;
import io.magpie.algorithms.mesh.refine.MeshRefinement;
import io.magpie.algorithms.mesh.refine.RefinementOptions;
import io.magpie.algorithms.mesh.refine.RefinementOptions.Synchronization;
import io.magpie.algorithms.mesh.refine.RefinementReport;
import io.magpie.algorithms.mesh.refine.RefinementReport.Round;
import io.magpie.algorithms.mesh.refine.RefinementResult;
import io.magpie.algorithms.mesh.verify.MeshVerification;
import io.magpie.algorithms.mesh.verify.MeshVerifier;
import io.magpie.examples.cli.options.Devices;
import io.magpie.examples.cli.options.EnumOption;
import io.magpie.examples.cli.options.InputOptions;
import io.magpie.examples.cli.options.Outputs;
import io.magpie.examples.cli.options.PictureSize;
import io.magpie.examples.cli.options.SettingOptions;
import io.magpie.examples.cli.output.BuildInfo;
import io.magpie.examples.cli.output.Counts;
import io.magpie.examples.cli.output.JsonOutput;
import io.magpie.examples.cli.output.OutputFile;
import io.magpie.examples.cli.output.Terminal;
import io.magpie.examples.cli.output.TextTable;
import io.magpie.examples.compare.Progress;
import io.magpie.examples.compare.RefinementComparison;
import io.magpie.examples.input.InputException;
import io.magpie.examples.input.MeshHash;
import io.magpie.examples.input.MeshInput;
import io.magpie.stm.AbortCause;
import io.magpie.stm.Device;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Refines a Delaunay mesh. */
@Command(
    name = "refine",
    description = "Refine a Delaunay mesh until its angles and areas are within bounds.")
final class RefineCommand implements Callable<Integer> {
  /** Suffixes of files that hold something else; other suffixes are parts of a name. */
  private static final Pattern OTHER_FORMAT =
      Pattern.compile(
          "\\.(obj|off|ply|stl|vtk|vtu|vtp|msh|mesh|inp|json|geojson|csv|txt|png|svg|dxf)$",
          Pattern.CASE_INSENSITIVE);

  @Spec private CommandSpec spec;

  private final InputOptions<MeshInput> input = new InputOptions<>(MeshInput.class, "a mesh");

  @Mixin private final CommandSpec inputOptions = input.spec();

  @Option(
      names = "--merge-duplicates",
      description =
          "Keep the first of several vertices at one place, and renumber those after it; with --poly"
              + " or --mesh, for files without triangles.")
  private boolean mergeDuplicates;

  private final SettingOptions<RefinementOptions> settings =
      new SettingOptions<>(
          RefinementOptions.defaults(), "phases", RefinementOptions.phaseSettings());

  @Mixin private final CommandSpec settingOptions = settings.spec();

  @Option(
      names = "--device",
      paramLabel = "DEVICE",
      defaultValue = "auto",
      description =
          "auto (a GPU, else the processor), cuda[:n], cpu[:threads], cpu-checked[:threads] or"
              + " sim[:seed[:width]]; default ${DEFAULT-VALUE}.")
  private String device;

  @Option(
      names = "--verify",
      description =
          "Check the mesh in eleven ways, independent of its making, the tenth if there is a"
              + " --reference-triangles; exit status 1 if it is wrong.")
  private boolean verify;

  @Option(
      names = "--keep-wrong",
      description =
          "With --verify: write --out, --png and --svg also if the mesh is wrong; the exit status is"
              + " 1 nevertheless.")
  private boolean keepWrong;

  @Option(
      names = "--reference-triangles",
      paramLabel = "N",
      description =
          "With --verify: triangles of another program's mesh of the same input at the same bounds;"
              + " more than "
              + MeshVerifier.LARGEST_RATIO
              + " times as many are wrong.")
  private Long referenceTriangles;

  @Option(names = "--histogram", description = "Show how many angles there are of which size.")
  private boolean histogram;

  @Option(names = "--details", description = "Show, after the result, what each round did, too.")
  private boolean details;

  @Option(
      names = "--json",
      arity = "0..1",
      fallbackValue = JsonOutput.STANDARD_OUTPUT,
      paramLabel = "FILE",
      description = "Write JSON to FILE, or to standard output in place of the table.")
  private String json;

  @Option(
      names = "--out",
      paramLabel = "BASE",
      description =
          "Write the mesh as BASE.node, BASE.ele and BASE.poly; compressed if BASE ends in .gz or"
              + " .xz.")
  private Path out;

  @Option(
      names = "--png",
      paramLabel = "FILE",
      description = "Draw the mesh before and after, bad triangles in reds.")
  private Path png;

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      description = "The same with every edge, of at most 500,000 triangles.")
  private Path svg;

  @Mixin private PictureSize pictureSize;

  @Option(
      names = "--profile",
      paramLabel = "FILE",
      description = "Write a line of CSV for each round: items, insertions, aborts by cause, ms.")
  private Path profile;

  /** What can be generated, for the end of the help text. */
  static String[] kinds() {
    List<String> lines = new ArrayList<>(List.of("", "Kinds of points and segments:"));
    MeshGenerators.usage().forEach(line -> lines.add("  " + line));
    return lines.toArray(new String[0]);
  }

  /** The mesh before and after, and what is known of both. */
  private record Refined(
      MeshInput source,
      Mesh before,
      AngleHistogram anglesBefore,
      RefinementResult result,
      AngleHistogram anglesAfter,
      MeshVerification verification) {
    Mesh after() {
      return result.mesh();
    }

    RefinementReport report() {
      return result.report();
    }

    boolean wrong() {
      return verification != null && !verification.passed();
    }

    String verdict() {
      return verification == null ? "not verified" : wrong() ? "wrong" : "verified";
    }

    long sum(ToLongFunction<Round> number) {
      return report().rounds().stream().mapToLong(number).sum();
    }

    Map<AbortCause, Long> aborts() {
      Map<AbortCause, Long> sums = new EnumMap<>(AbortCause.class);
      for (AbortCause cause : AbortCause.values()) {
        sums.put(cause, 0L);
      }
      for (Round round : report().rounds()) {
        round.aborts().forEach((cause, count) -> sums.merge(cause, count, Long::sum));
      }
      return sums;
    }
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
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

  private OutputFile picture(Outputs outputs, String option, Path file, String suffix) {
    if (file != null && !file.toString().toLowerCase(Locale.ROOT).endsWith(suffix)) {
      throw new ParameterException(
          spec.commandLine(), option + " " + file + ": expected a name that ends in " + suffix);
    }
    return outputs.at(option, file);
  }

  /** The files of --out, none of them of the input, nor of a format that is not written. */
  private OutputFile meshFiles(Outputs outputs, MeshInput source) {
    if (out == null) {
      return null;
    }
    OutputFile files = outputs.at("--out", out, TriangleFormat.filesOfMesh(out));
    String name = String.valueOf(out.getFileName());
    Matcher foreign = OTHER_FORMAT.matcher(name.replaceFirst("\\.(gz|xz)$", ""));
    if (foreign.find()) {
      throw new ParameterException(
          spec.commandLine(),
          "--out "
              + out
              + ": meshes are written in Triangle's format only, as BASE.node, BASE.ele and"
              + " BASE.poly, also with .gz or .xz; leave out "
              + foreign.group());
    }
    Optional<Path> base = source.base();
    if (base.isPresent() && TriangleFormat.haveSameBase(base.get(), out)) {
      throw new ParameterException(
          spec.commandLine(),
          "--out "
              + out
              + ": would replace the input's own files, or lie next to them under their name; name"
              + " another base, such as "
              + base.get()
              + ".1");
    }
    return files;
  }

  @Override
  public Integer call() throws IOException {
    MeshInput source = source();
    RefinementOptions options = settings.options(spec);
    checkVerification();
    Outputs outputs = new Outputs(spec);
    JsonOutput jsonOutput = outputs.json(json);
    OutputFile meshFiles = meshFiles(outputs, source);
    OutputFile profileFile = outputs.at("--profile", profile);
    List<OutputFile> pictures = new ArrayList<>();
    pictures.add(picture(outputs, "--png", png, ".png"));
    pictures.add(picture(outputs, "--svg", svg, ".svg"));
    pictures.removeIf(Objects::isNull);
    pictureSize.check(spec, "--png or --svg", !pictures.isEmpty());
    Refined refined;
    Map<String, Object> deviceJson;
    String deviceText;
    try (Progress progress = Terminal.progress();
        Device opened = Devices.open(spec, "--device", device)) {
      deviceJson = DevicesCommand.json(opened.description());
      deviceText = opened.description().toString();
      refined = refine(opened, source, options, progress);
      if (profileFile != null) {
        profileFile.writeLines(profile(refined.report().rounds()));
      }
      if (meshFiles != null && (keepWrong || !refined.wrong())) {
        progress.begin("writing", -1);
        meshFiles.writeBy(base -> TriangleFormat.write(refined.after(), base));
      }
    }
    PrintWriter to = spec.commandLine().getOut();
    if (jsonOutput == null || !jsonOutput.replacesTable()) {
      print(to, deviceText, refined);
    }
    if (jsonOutput != null) {
      jsonOutput.write(json(deviceJson, refined), to);
    }
    if (keepWrong || !refined.wrong()) {
      draw(refined, options, pictures);
    }
    if (refined.wrong()) {
      boolean kept = keepWrong || (out == null && pictures.isEmpty());
      throw new VerificationException(
          "the mesh is wrong: "
              + RefinementComparison.mistakes(refined.verification())
              + (kept ? "" : "; it was not written, --keep-wrong has it written"));
    }
    if (refined.report().outcome() != RefinementReport.Outcome.FINISHED) {
      throw new StoppedEarlyException(stop(refined));
    }
    return ExitCode.OK;
  }

  private void draw(Refined refined, RefinementOptions options, List<OutputFile> pictures) {
    MeshPicture picture =
        MeshPicture.of(refined.before(), refined.after())
            .withMinimumAngle(options.minimumAngle())
            .withSize(pictureSize.pixels());
    for (OutputFile file : pictures) {
      try {
        file.writeBy(picture::write);
      } catch (IllegalArgumentException e) { // an SVG cannot hold it
        throw new ParameterException(spec.commandLine(), e.getMessage(), e);
      }
    }
  }

  private Refined refine(
      Device opened, MeshInput source, RefinementOptions options, Progress progress)
      throws IOException {
    progress.begin(source.generated() ? "generating" : "reading", -1);
    Mesh before = source.mesh();
    progress.begin("refining", -1);
    RefinementResult result;
    try {
      result = MeshRefinement.run(opened, before, options, round -> progress.advance());
    } catch (IllegalArgumentException e) { // the mesh does not suit, or what is asked of it
      throw new InputException(source.description() + ": " + SettingOptions.message(e));
    }
    MeshVerification verification = null;
    if (verify) {
      progress.begin("verifying", -1);
      RefinementClaim claim = result.report().claim();
      verification =
          MeshVerifier.verify(
              before,
              result.mesh(),
              referenceTriangles == null ? claim : claim.withReference(referenceTriangles));
    }
    return new Refined(
        source,
        before,
        AngleHistogram.of(before),
        result,
        AngleHistogram.of(result.mesh()),
        verification);
  }

  /** Why the work stopped, what is left, and what to do. */
  private static String stop(Refined refined) {
    RefinementReport report = refined.report();
    String left = Counts.number(report.badLeft()) + " bad triangles are left; ";
    return switch (report.outcome()) {
      case FINISHED -> throw new IllegalArgumentException("it finished");
      case VERTEX_LIMIT ->
          "stopped at "
              + Counts.number(refined.after().vertices())
              + " vertices: "
              + left
              + "allow more (--max-vertices), or ask for a smaller --angle or a larger --max-area";
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
    };
  }

  private static List<String> profile(List<Round> rounds) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder("round,items,waiting,inserted,pushed,cancelled");
    for (AbortCause cause : AbortCause.values()) {
      line.append(',').append(Counts.name(cause));
    }
    lines.add(line.append(",launches,ms").toString());
    for (Round round : rounds) {
      line = new StringBuilder().append(lines.size());
      for (long number :
          new long[] {
            round.items(), round.waiting(), round.inserted(), round.pushed(), round.cancelled()
          }) {
        line.append(',').append(number);
      }
      for (AbortCause cause : AbortCause.values()) {
        line.append(',').append(round.aborts().getOrDefault(cause, 0L));
      }
      line.append(',').append(round.launches());
      lines.add(line.append(String.format(Locale.ROOT, ",%.4f", round.millis())).toString());
    }
    return lines;
  }

  private void print(PrintWriter to, String deviceText, Refined refined) {
    RefinementReport report = refined.report();
    RefinementOptions options = report.options();
    Mesh before = refined.before();
    Mesh after = refined.after();
    to.printf("mesh      %s%n", refined.source().description());
    to.printf("device    %s%n", deviceText);
    to.printf("variant   %s%n", SettingOptions.text(options));
    to.printf(
        "bounds    angles of at least %s degrees%s%n",
        decimal(options.minimumAngle()),
        options.maximumArea() == 0 ? "" : ", areas of at most " + decimal(options.maximumArea()));
    to.printf("outcome   %s%n", EnumOption.name(report.outcome()).replace('-', ' '));
    to.printf(
        "rounds    %s: %s items, %s inserted, %s needless, %s given up%n",
        Counts.number(report.rounds().size()),
        Counts.number(refined.sum(Round::items)),
        Counts.number(report.inserted()),
        Counts.number(refined.sum(Round::cancelled)),
        Counts.number(report.givenUp()));
    to.printf(
        Locale.ROOT,
        "time      %.3f ms from Java to Java: loading kernels %.3f, upload %.3f, finding work %.3f,"
            + " inserting %.3f, download %.3f, rest %.3f%n%n",
        report.totalMillis(),
        report.loadMillis(),
        report.uploadMillis(),
        report.selectMillis(),
        report.refineMillis(),
        report.downloadMillis(),
        report.otherMillis());
    TextTable table = new TextTable("", ">before", ">after");
    table.row("vertices", Counts.number(before.vertices()), Counts.number(after.vertices()));
    table.row("  inserted inside", "", Counts.number(report.insertedInside()));
    table.row("  inserted on segments", "", Counts.number(report.insertedOnSegments()));
    table.row("triangles", Counts.number(before.triangles()), Counts.number(after.triangles()));
    table.row("  bad", Counts.number(report.badBefore()), Counts.number(report.badLeft()));
    table.row("  excused by small angles", "", Counts.number(report.excused()));
    table.row("segments", Counts.number(before.segments()), Counts.number(after.segments()));
    table.row(
        "smallest angle",
        degrees(refined.anglesBefore().smallest()),
        degrees(refined.anglesAfter().smallest()));
    table.row(
        "largest angle",
        degrees(refined.anglesBefore().largest()),
        degrees(refined.anglesAfter().largest()));
    to.print(table);
    if (histogram) {
      to.printf("%n%s", refined.anglesAfter());
    }
    if (counted(options)) {
      to.printf("%naborts    %s%n", Counts.text(refined.aborts()));
    }
    MeshVerification verification = refined.verification();
    if (verification != null) {
      to.printf("%n%s%n", verification);
      to.println(
          refined.wrong()
              ? "WRONG     " + RefinementComparison.mistakes(verification)
              : "verified  by all checks that apply");
    }
    if (details) {
      to.println();
      to.print(rounds(report.rounds()));
    }
  }

  private static TextTable rounds(List<Round> rounds) {
    TextTable table =
        new TextTable(
            ">round",
            ">items",
            ">waiting",
            ">inserted",
            ">pushed",
            ">needless",
            ">launches",
            ">ms");
    for (int i = 0; i < rounds.size(); i++) {
      Round round = rounds.get(i);
      table.row(
          Integer.toString(i + 1),
          Counts.number(round.items()),
          Counts.number(round.waiting()),
          Counts.number(round.inserted()),
          Counts.number(round.pushed()),
          Counts.number(round.cancelled()),
          Counts.number(round.launches()),
          String.format(Locale.ROOT, "%.3f", round.millis()));
    }
    return table;
  }

  /** Whether aborts were counted. */
  private static boolean counted(RefinementOptions options) {
    return options.synchronization() != Synchronization.TRANSACTIONS || options.stm().statistics();
  }

  private static String decimal(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e9
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  private static String degrees(double angle) {
    return String.format(Locale.ROOT, "%.4f", angle);
  }

  private Map<String, Object> json(Map<String, Object> deviceJson, Refined refined) {
    RefinementReport report = refined.report();
    RefinementOptions options = report.options();
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("algorithm", "refine");
    value.put("version", BuildInfo.version());
    value.put("revision", BuildInfo.revision());
    value.put("device", deviceJson);
    Map<String, Object> input = new LinkedHashMap<>();
    input.put("source", refined.source().description());
    input.put("hash", MeshHash.of(refined.before()));
    input.putAll(json(refined.before(), refined.anglesBefore()));
    input.put("bad", report.badBefore());
    value.put("input", input);
    Map<String, Object> bounds = new LinkedHashMap<>();
    bounds.put("minimumAngle", options.minimumAngle());
    bounds.put("maximumArea", options.maximumArea());
    bounds.put("maximumVertices", options.maximumVertices());
    value.put("bounds", bounds);
    value.put("variant", SettingOptions.json(options));
    Map<String, Object> mesh = json(refined.after(), refined.anglesAfter());
    mesh.put("insertedInside", report.insertedInside());
    mesh.put("insertedOnSegments", report.insertedOnSegments());
    mesh.put("bad", report.badLeft());
    mesh.put("excused", report.excused());
    mesh.put("givenUp", report.givenUp());
    if (histogram) {
      mesh.put("angles", refined.anglesAfter().allAngles());
      mesh.put("smallestAngles", refined.anglesAfter().smallestAngles());
    }
    value.put("mesh", mesh);
    Map<String, Object> millis = new LinkedHashMap<>();
    millis.put("total", report.totalMillis());
    millis.put("load", report.loadMillis());
    millis.put("upload", report.uploadMillis());
    millis.put("select", report.selectMillis());
    millis.put("refine", report.refineMillis());
    millis.put("download", report.downloadMillis());
    millis.put("other", report.otherMillis());
    value.put("millis", millis);
    value.put("rounds", report.rounds().size());
    value.put("profile", report.rounds().stream().map(round -> json(round, options)).toList());
    value.put("items", refined.sum(Round::items));
    value.put("cancels", refined.sum(Round::cancelled));
    if (counted(options)) {
      value.put("aborts", Counts.json(refined.aborts()));
    }
    value.put("outcome", EnumOption.name(report.outcome()));
    value.put("verdict", refined.verdict());
    if (refined.verification() != null) {
      value.put(
          "checks", refined.verification().outcomes().stream().map(RefineCommand::json).toList());
    }
    return value;
  }

  private static Map<String, Object> json(Mesh mesh, AngleHistogram angles) {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("vertices", mesh.vertices());
    value.put("triangles", mesh.triangles());
    value.put("segments", mesh.segments());
    value.put("smallestAngle", angles.smallest());
    value.put("largestAngle", angles.largest());
    return value;
  }

  private static Map<String, Object> json(Round round, RefinementOptions options) {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("items", round.items());
    value.put("waiting", round.waiting());
    value.put("inserted", round.inserted());
    value.put("pushed", round.pushed());
    value.put("cancels", round.cancelled());
    if (counted(options)) {
      Map<AbortCause, Long> aborts = new EnumMap<>(AbortCause.class);
      for (AbortCause cause : AbortCause.values()) {
        aborts.put(cause, round.aborts().getOrDefault(cause, 0L));
      }
      value.put("aborts", Counts.json(aborts));
    }
    value.put("launches", round.launches());
    value.put("millis", round.millis());
    return value;
  }

  private static Map<String, Object> json(MeshVerification.Outcome outcome) {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("check", EnumOption.name(outcome.check()));
    value.put("status", EnumOption.name(outcome.status()));
    value.put("faults", outcome.faults());
    value.put("detail", outcome.detail());
    return value;
  }
}
