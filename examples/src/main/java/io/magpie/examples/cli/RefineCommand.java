package io.magpie.examples.cli;

import io.magpie.algorithms.mesh.AngleHistogram;
import io.magpie.algorithms.mesh.Mesh;
import io.magpie.algorithms.mesh.MeshGenerators;
import io.magpie.algorithms.mesh.MeshPicture;
import io.magpie.algorithms.mesh.MeshRefinement;
import io.magpie.algorithms.mesh.MeshVerification;
import io.magpie.algorithms.mesh.MeshVerifier;
import io.magpie.algorithms.mesh.PhaseOptions;
import io.magpie.algorithms.mesh.RefinementClaim;
import io.magpie.algorithms.mesh.RefinementOptions;
import io.magpie.algorithms.mesh.RefinementOptions.Insertion;
import io.magpie.algorithms.mesh.RefinementOptions.Layout;
import io.magpie.algorithms.mesh.RefinementOptions.Synchronization;
import io.magpie.algorithms.mesh.RefinementReport;
import io.magpie.algorithms.mesh.RefinementReport.Round;
import io.magpie.algorithms.mesh.RefinementResult;
import io.magpie.algorithms.mesh.TriangleFormat;
import io.magpie.examples.compare.InputException;
import io.magpie.examples.compare.MeshHash;
import io.magpie.examples.compare.MeshSource;
import io.magpie.examples.compare.Progress;
import io.magpie.examples.compare.RefinementComparison;
import io.magpie.stm.AbortCause;
import io.magpie.stm.Device;
import io.magpie.stm.StmOptions;
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
import java.util.concurrent.Callable;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
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
  private static final RefinementOptions DEFAULTS = RefinementOptions.defaults();

  /** Suffixes of files that hold something else; other suffixes are parts of a name. */
  private static final Pattern OTHER_FORMAT =
      Pattern.compile(
          "\\.(obj|off|ply|stl|vtk|vtu|vtp|msh|mesh|inp|json|geojson|csv|txt|png|svg|dxf)$",
          Pattern.CASE_INSENSITIVE);

  @Spec private CommandSpec spec;

  @Mixin private MeshOptions input;

  @Option(
      names = "--angle",
      paramLabel = "DEGREES",
      description = "Least angle of every triangle, 0 to 33; default ${DEFAULT-VALUE}.")
  private double angle = DEFAULTS.minimumAngle();

  @Option(
      names = "--max-area",
      paramLabel = "AREA",
      description =
          "Largest area of a triangle; default 0: no bound. Refused where the device has no room for"
              + " so many triangles, unless --max-vertices says where to stop.")
  private double maximumArea = DEFAULTS.maximumArea();

  @Option(
      names = "--max-vertices",
      paramLabel = "N",
      description =
          "Vertices at which to stop, unfinished; default 0: any number, unless edges become ever"
              + " shorter without end.")
  private int maximumVertices = DEFAULTS.maximumVertices();

  @Option(
      names = "--device",
      paramLabel = "DEVICE",
      defaultValue = "auto",
      description =
          "auto (a GPU, else the processor), cuda[:n], cpu[:threads], cpu-checked[:threads] or"
              + " sim[:seed[:width]]; default ${DEFAULT-VALUE}.")
  private String device;

  @Option(
      names = "--sync",
      paramLabel = "HOW",
      description =
          "Keep concurrent insertions apart by transactions (transactions, the default), by marks in"
              + " two launches (marks), or as published: three-phases, two-stages or"
              + " atomic-stages.")
  private Synchronization synchronization = DEFAULTS.synchronization();

  @Option(
      names = "--point",
      paramLabel = "WHICH",
      description =
          "Mend a bad triangle by its off-center (off-center, the default) or its circumcenter"
              + " (circumcenter).")
  private Insertion insertion = DEFAULTS.insertion();

  @Option(
      names = "--batch",
      paramLabel = "SHARE",
      description =
          "Share of the bad triangles, the most urgent, that run together, up to 1; default"
              + " ${DEFAULT-VALUE}.")
  private double batch = DEFAULTS.batch();

  @Option(
      names = "--slice",
      paramLabel = "N",
      description =
          "Items marked together; default 0: the device decides. Not with --sync transactions.")
  private Integer slice;

  @Option(
      names = "--layout",
      paramLabel = "HOW",
      description =
          "Number the mesh, while it is refined, as it is (as-given, the default), along a Hilbert"
              + " curve (hilbert), or at random (shuffled).")
  private Layout layout = DEFAULTS.layout();

  @Option(
      names = "--phases",
      arity = "1..*",
      paramLabel = "NAME=VALUE",
      description =
          "How marks are set and used with --sync three-phases, two-stages and atomic-stages, such"
              + " as work=slots sorted=on; magpie compare --help lists them.")
  private Map<String, String> phases = new LinkedHashMap<>();

  @Mixin private TransactionOptions transactions;

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
      MeshSource source,
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

  private RefinementOptions options() {
    try {
      if (synchronization != Synchronization.TRANSACTIONS) {
        transactions.forbid("--sync transactions");
      } else if (slice != null) {
        throw new IllegalArgumentException(
            "--slice has no effect without marks; leave it out, or use --sync marks");
      }
      if (referenceTriangles != null && !verify) {
        throw new IllegalArgumentException(
            "--reference-triangles has no effect without --verify; add it, or leave this out");
      }
      if (keepWrong && !verify) {
        throw new IllegalArgumentException(
            "--keep-wrong has no effect without --verify; add it, or leave this out");
      }
      if (referenceTriangles != null && referenceTriangles < 1) {
        throw new IllegalArgumentException(
            "--reference-triangles must be at least 1, got " + referenceTriangles);
      }
      PhaseOptions options;
      try {
        options = RefinementComparison.phases(synchronization, phases);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("--phases: " + e.getMessage(), e);
      }
      return DEFAULTS
          .withMinimumAngle(angle)
          .withMaximumArea(maximumArea)
          .withMaximumVertices(maximumVertices)
          .withSynchronization(synchronization)
          .withInsertion(insertion)
          .withBatch(batch)
          .withSlice(slice == null ? DEFAULTS.slice() : slice)
          .withLayout(layout)
          .withPhases(options)
          .withStm(transactions.over(DEFAULTS.stm()));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), OptionNames.in(spec, e.getMessage()), e);
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
  private OutputFile meshFiles(Outputs outputs, MeshSource source) {
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
    if (source.base() != null && TriangleFormat.haveSameBase(source.base(), out)) {
      throw new ParameterException(
          spec.commandLine(),
          "--out "
              + out
              + ": would replace the input's own files, or lie next to them under their name; name"
              + " another base, such as "
              + source.base()
              + ".1");
    }
    return files;
  }

  @Override
  public Integer call() throws IOException {
    MeshSource source = input.source(spec);
    RefinementOptions options = options();
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
    return ExitStatus.OK.code();
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
      Device opened, MeshSource source, RefinementOptions options, Progress progress)
      throws IOException {
    progress.begin(source.points() == null ? "reading" : "generating", -1);
    Mesh before = source.load();
    progress.begin("refining", -1);
    RefinementResult result;
    try {
      result = MeshRefinement.run(opened, before, options, round -> progress.advance());
    } catch (IllegalArgumentException e) { // the mesh does not suit, or what is asked of it
      throw new InputException(source.description() + ": " + OptionNames.in(spec, e.getMessage()));
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
    to.printf("variant   %s%n", variant(options));
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

  private static String variant(RefinementOptions options) {
    StringBuilder text = new StringBuilder(EnumOption.name(options.synchronization()));
    if (options.synchronization() == Synchronization.TRANSACTIONS) {
      StmOptions stm = options.stm();
      text.append(" (").append(EnumOption.name(stm.policy())).append(", statistics ");
      text.append(stm.statistics() ? "on)" : "off)");
    }
    if (options.synchronization().inPhases()) {
      RefinementComparison.written(options.phases())
          .forEach((name, value) -> text.append(' ').append(name).append('=').append(value));
    }
    text.append(", ").append(EnumOption.name(options.insertion()));
    if (options.layout() != DEFAULTS.layout()) {
      text.append(", ").append(EnumOption.name(options.layout()));
    }
    return text.append(", batches of ").append(decimal(options.batch())).toString();
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
    Map<String, Object> variant = new LinkedHashMap<>();
    variant.put("sync", EnumOption.name(options.synchronization()));
    variant.put("point", EnumOption.name(options.insertion()));
    variant.put("batch", options.batch());
    if (options.synchronization() == Synchronization.TRANSACTIONS) {
      variant.put("policy", EnumOption.name(options.stm().policy()));
      variant.put("statistics", options.stm().statistics());
      variant.put("threadsInFlight", options.stm().threadsInFlight());
    } else {
      variant.put("slice", options.slice());
    }
    variant.put("layout", EnumOption.name(options.layout()));
    if (options.synchronization().inPhases()) {
      variant.putAll(RefinementComparison.written(options.phases()));
    }
    value.put("variant", variant);
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
