package io.magpie.spark;

import io.magpie.algorithms.graph.GeneratedEdges;
import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.msf.MsfOptions.Objective;
import io.magpie.examples.cli.Main;
import io.magpie.examples.cli.commands.VerificationException;
import io.magpie.examples.cli.options.JsonOption;
import io.magpie.examples.cli.options.Outputs;
import io.magpie.examples.cli.output.JsonOutput;
import io.magpie.examples.input.EngineMemoryException;
import io.magpie.examples.input.InputException;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceUnavailableException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.serializer.JavaSerializer;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * A command that works on edges in a job of Apache Spark: options, and what comes in which order.
 */
abstract class JobCommand implements Runnable {
  private static final String MASTER = "spark.master";
  private static final String LOCAL = "local[*]";
  private static final String SERIALIZER = "spark.serializer";

  /** What partitions send are records, which Kryo cannot. */
  private static final String JAVAS = JavaSerializer.class.getName();

  /** Edges that are worth a partition, where nothing is said. */
  private static final long WORTH_A_PARTITION = 1 << 20;

  /** Where the edges are. */
  private static final class Input {
    @Option(
        names = "--input",
        paramLabel = "PATH",
        description =
            "Parquet files of edges: one, or a folder of files *.parquet, on any file system of"
                + " Hadoop's (such as hdfs://, s3a://). Other options name the columns, such as"
                + " --source.")
    private String parquet;

    @Option(
        names = "--generate",
        paramLabel = "SPEC",
        description =
            "Generated edges that partitions compute, up to 2^48: random or rmat, as in"
                + " rmat:scale=20,edges=10G.")
    private String generated;
  }

  @Spec private CommandSpec spec;

  @ArgGroup(multiplicity = "1")
  private Input input;

  @Option(names = "--engine", paramLabel = "spark", description = "spark: this engine.")
  private String engine;

  @Option(
      names = "--source",
      paramLabel = "COLUMN",
      defaultValue = "src",
      description = "One end of each edge, an int or long from 0; default ${DEFAULT-VALUE}.")
  private String source;

  @Option(
      names = "--target",
      paramLabel = "COLUMN",
      defaultValue = "dst",
      description = "The other end; default ${DEFAULT-VALUE}.")
  private String target;

  @Option(
      names = "--vertices",
      paramLabel = "N",
      description =
          "How many vertices there are, from 0; by default as many as the files' footers tell: one"
              + " more than the largest, or more where magpie convert has written them.")
  private Long vertices;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      description =
          "Number of partitions, each a task; required on a cluster. In local mode the default is as"
              + " many as tasks run at once, but at least a million edges each.")
  private Integer partitions;

  @Option(
      names = "--master",
      paramLabel = "URL",
      description =
          "Spark's master, such as spark://HOST:7077; default what spark-submit says, else"
              + " local[*]: in this process.")
  private String master;

  @Option(
      names = "--conf",
      paramLabel = "KEY=VALUE",
      description = "A setting of Spark's, such as spark.task.cpus=4. May be given repeatedly.")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(
      names = "--device",
      paramLabel = "DEVICE",
      defaultValue = TaskDevice.AUTO,
      description =
          "Of each task: auto (the GPU that Spark gives it, else its cores), cuda[:n],"
              + " cpu[:threads] or sim[:seed[:width]]; default ${DEFAULT-VALUE}.")
  private String device;

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description =
          "Write the result as Parquet to this folder, which must not be there, and a"
              + " _manifest.json: of a forest the columns id, src, dst and weight, of components"
              + " vertex and component.")
  private String out;

  @Option(
      names = "--checkpoint",
      paramLabel = "FOLDER",
      description =
          "Keep the forest of each partition in this folder, and take from there what an earlier"
              + " job of the same edges and settings has kept. It is made if it is not there, and"
              + " stays; remove it once it is not needed.")
  private String checkpointFolder;

  @Option(
      names = "--verify",
      description =
          "Check what was written in a second pass over all edges, by as many tasks; exit status 1,"
              + " and no result, if it is wrong. Needs --out.")
  private boolean verify;

  @Mixin private JsonOption json;

  /** The name of the command. */
  abstract String name();

  /** What it finds, in a sentence: "the forest is". */
  abstract String found();

  /** Refuses what is wrong with the options of this command alone. */
  abstract void checkOwnOptions();

  /** The options of this command that name columns. */
  abstract List<String> columnOptions();

  /** The columns of files. */
  abstract ParquetRows.Columns columns(String source, String target);

  /**
   * The edges that were generated, as this command takes them.
   *
   * @throws ParameterException if it does not
   */
  abstract GeneratedEdges taken(GeneratedEdges edges);

  /** Which forest it is that partitions keep. */
  abstract Objective objective();

  /** What the last task makes of it. */
  abstract ForestJob.Product product();

  /**
   * Makes the second pass over all edges.
   *
   * @return what is wrong with the result that was written; empty if nothing is
   */
  abstract List<String> mistakes(
      JavaSparkContext spark, Edges edges, ForestJob.Result result, int partitions);

  /** What is told. */
  abstract JobOutcome outcome(JobOutcome.Job job);

  /** Runs a command with arguments as {@code spark-submit} gives them. */
  static void submit(String name, String[] arguments) {
    int status =
        Main.run(
            Stream.concat(Stream.of(name, "--engine", "spark"), Stream.of(arguments))
                .toArray(String[]::new));
    if (status != 0) {
      System.exit(status);
    }
  }

  @Override
  public final void run() {
    GeneratedEdges generated = checkOptions();
    JsonOutput to = checkFiles();
    try (JavaSparkContext spark = start()) {
      Configuration configuration = spark.hadoopConfiguration();
      checkFolders(configuration);
      Edges edges = generated == null ? rows(configuration) : ComputedRows.of(generated);
      int count = partitions == null ? partitionsFor(edges, spark) : partitions;
      tell(out == null ? worked(spark, edges, count, null) : written(spark, edges, count), to);
    } finally {
      TaskDevice.closeIdle();
    }
  }

  /** The same, with a folder for the result. */
  private JobOutcome written(JavaSparkContext spark, Edges edges, int count) {
    PrintWriter warnings = spec.commandLine().getErr();
    try (OutputFolder folder = new OutputFolder(out, spark.hadoopConfiguration(), warnings)) {
      JobOutcome outcome = worked(spark, edges, count, folder.attempts());
      if (!outcome.verdict().wrong()) {
        String file = outcome.job().result().file();
        folder.complete(Map.of(OutputFolder.PART, file), outcome.manifest());
      }
      return outcome;
    }
  }

  /**
   * Runs the job, and the second pass if there is to be one.
   *
   * @param attempts where tasks write the result; null if none is written
   */
  private JobOutcome worked(JavaSparkContext spark, Edges edges, int count, String attempts) {
    Configuration configuration = spark.hadoopConfiguration();
    Checkpoint checkpoint = null;
    JobOutcome.Kept kept = null;
    if (checkpointFolder != null) {
      Map<String, String> decisive = ForestJob.decisive(edges, objective(), count);
      checkpoint = Checkpoint.open(checkpointFolder, edges.description(), decisive, configuration);
      kept = new JobOutcome.Kept(checkpointFolder, checkpoint.found(count, configuration));
    }
    ForestJob job =
        new ForestJob(
            edges.vertices(),
            edges.weightType(),
            objective(),
            device,
            product(),
            attempts,
            checkpoint,
            Settings.of(configuration));
    long begin = System.nanoTime();
    ForestJob.Result result = done(spark, () -> job.run(spark, edges, count));
    double millis = (System.nanoTime() - begin) / 1e6;
    if (result.refusal() != null) {
      throw new InputException(result.refusal());
    }
    JobOutcome.Verified verified = null;
    if (verify) {
      begin = System.nanoTime();
      List<String> mistakes = done(spark, () -> mistakes(spark, edges, result, count));
      verified = new JobOutcome.Verified((System.nanoTime() - begin) / 1e6, mistakes);
    }
    JobOutcome.Run run = new JobOutcome.Run(spark.version(), spark.master(), count, device, millis);
    return outcome(new JobOutcome.Job(edges, result, run, kept, verified));
  }

  private void tell(JobOutcome outcome, JsonOutput json) {
    PrintWriter to = spec.commandLine().getOut();
    if (json == null || !json.replacesTable()) {
      outcome.print(to);
    }
    if (json != null) {
      json.write(outcome.json(), to);
      to.flush();
    }
    if (outcome.verdict().wrong()) {
      String kept =
          checkpointFolder == null
              ? ""
              : "; remove --checkpoint "
                  + checkpointFolder
                  + " before the next job, as forests that are kept there may be wrong";
      throw new VerificationException(found() + " wrong: " + outcome.verdict().mistake() + kept);
    }
  }

  /** Looks at the file of JSON, and gives it; null if there is to be none. */
  private JsonOutput checkFiles() {
    String file = spec.commandLine().getParseResult().matchedOptionValue("--json", (String) null);
    Optional<Path> read = LocalPaths.of(input.parquet);
    Outputs outputs = new Outputs(spec, read.map(List::of).orElse(List.of()));
    if (file != null && !file.equals(JsonOutput.STANDARD_OUTPUT)) {
      Path to = absolute(outputs.path("--json", file));
      Optional<Path> edges = read.map(JobCommand::absolute);
      if (edges.isPresent() && !to.equals(edges.get()) && to.startsWith(edges.get())) {
        throw isWithin(file, "--input", input.parquet);
      }
      checkFolder(file, to, "--out", out);
      checkFolder(file, to, "--checkpoint", checkpointFolder);
    }
    return json.output(outputs);
  }

  /** Refuses a file where a folder is to be, above it, or in it. */
  private void checkFolder(String file, Path to, String option, String given) {
    Optional<Path> folder = LocalPaths.of(given).map(JobCommand::absolute);
    if (folder.isPresent() && folder.get().startsWith(to)) {
      throw usage("--json " + file + ": " + given + " is to be a folder there; name another");
    }
    if (folder.isPresent() && to.startsWith(folder.get())) {
      throw isWithin(file, option, given);
    }
  }

  private ParameterException isWithin(String file, String option, String folder) {
    return usage(
        "--json " + file + ": is in the folder of " + option + ", " + folder + "; name another");
  }

  private static Path absolute(Path path) {
    return path.toAbsolutePath().normalize();
  }

  /** Refuses folders of which one is the other, or in it, however they are named. */
  private void checkFolders(Configuration configuration) {
    if (out == null || checkpointFolder == null) {
      return;
    }
    String result;
    String kept;
    try {
      result = qualified(out, configuration);
      kept = qualified(checkpointFolder, configuration);
    } catch (IOException | RuntimeException e) { // told of where it is used
      return;
    }
    if (kept.startsWith(result)) {
      throw usage(
          "--checkpoint "
              + checkpointFolder
              + " is in the folder of --out, which must not be there; name another");
    }
    if (result.startsWith(kept)) {
      throw usage("--out " + out + " is in the folder of --checkpoint, which stays; name another");
    }
  }

  /** A folder with its file system, and a slash at the end. */
  private static String qualified(String given, Configuration configuration) throws IOException {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(given);
    String all = path.getFileSystem(configuration).makeQualified(path).toString();
    return all.endsWith("/") ? all : all + "/";
  }

  /** What is wrong with the options alone; gives the generated edges, or null. */
  private GeneratedEdges checkOptions() {
    checkOwnOptions();
    if (partitions != null && partitions < 1) {
      throw usage("--partitions must be 1 or more, but is " + partitions);
    }
    if (vertices != null && (vertices < 0 || vertices > Graph.MAX_VERTICES)) {
      throw usage("--vertices must be 0 to " + Graph.MAX_VERTICES + ", but is " + vertices);
    }
    if (verify && out == null) {
      throw usage("--verify reads the result where it was written; give --out, too");
    }
    if (!settings.getOrDefault(SERIALIZER, JAVAS).equals(JAVAS)) {
      throw usage(
          "--conf "
              + SERIALIZER
              + "="
              + settings.get(SERIALIZER)
              + ": partitions are sent by Java's serialization only; leave it out");
    }
    if (!device.equals(TaskDevice.AUTO)) {
      checkDevice();
    }
    if (input.generated == null) {
      List<String> names = columns(source, target).names();
      if (names.size() > names.stream().distinct().count()) {
        throw usage(String.join(", ", columnOptionsOfAll()) + " must name different columns");
      }
      return null;
    }
    for (String option :
        Stream.concat(columnOptionsOfAll().stream(), Stream.of("--vertices")).toList()) {
      if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
        throw usage(option + " is for files; leave it out, or give --input");
      }
    }
    try {
      return taken(GeneratedEdges.parse(input.generated));
    } catch (IllegalArgumentException e) {
      throw usage("--generate: " + e.getMessage());
    }
  }

  private List<String> columnOptionsOfAll() {
    return Stream.concat(Stream.of("--source", "--target"), columnOptions().stream()).toList();
  }

  /** Refuses what no machine has; what this one has is of no account. */
  private void checkDevice() {
    try {
      Device.open(device).close();
    } catch (IllegalArgumentException e) {
      throw usage("--device: " + e.getMessage());
    } catch (DeviceUnavailableException e) {
      return; // executors may have it
    }
  }

  /** Refuses options. */
  final ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private JavaSparkContext start() {
    SparkLog.quieten();
    SparkConf conf = new SparkConf();
    conf.setAppName("magpie " + name());
    settings.forEach(conf::set);
    conf.set(SERIALIZER, JAVAS); // whatever the cluster's is
    if (master != null) {
      conf.setMaster(master);
    }
    conf.setIfMissing(MASTER, LOCAL);
    if (partitions == null && !conf.get(MASTER).matches("local(\\[.*)?")) {
      throw usage(
          "--partitions is needed with the master "
              + conf.get(MASTER)
              + ", as a cluster's executors come and go; best as many as tasks run at once");
    }
    if (conf.get(MASTER).startsWith("local")) {
      conf.setIfMissing("spark.ui.enabled", "false");
      conf.setIfMissing("spark.driver.host", "127.0.0.1");
      conf.setIfMissing("spark.driver.bindAddress", "127.0.0.1");
    }
    try {
      return new JavaSparkContext(conf);
    } catch (Exception e) { // SparkException among them, which Scala does not declare
      throw failure("Spark cannot start with the master " + conf.get(MASTER), e);
    }
  }

  private Edges rows(Configuration configuration) {
    return ParquetRows.of(input.parquet, columns(source, target), vertices, configuration);
  }

  /** As many as tasks run at once in this process, which are no more than its cores allow. */
  private static int partitionsFor(Edges edges, JavaSparkContext spark) {
    long worth = Math.max(1, edges.rows() / WORTH_A_PARTITION);
    int atOnce = spark.defaultParallelism() / spark.getConf().getInt("spark.task.cpus", 1);
    return (int) Math.min(Math.max(1, atOnce), worth);
  }

  /** What a job of Spark's gives. */
  private static <T> T done(JavaSparkContext spark, Supplier<T> job) {
    try {
      return job.get();
    } catch (Exception e) { // SparkException among them, which Scala does not declare
      throw ofTask(e, spark.isLocal()).orElseGet(() -> failure("the job failed", e));
    }
  }

  /**
   * What a task threw, or Magpie outside of the tasks, unless it was Spark that failed: what Magpie
   * tells, lack of memory, or else a fault of Magpie's.
   *
   * @param local whether tasks run in this process
   */
  static Optional<RuntimeException> ofTask(Exception e, boolean local) {
    RuntimeException fault = null;
    for (Throwable each = isMagpies(e) ? e : e.getCause(); each != null; each = each.getCause()) {
      if (each instanceof OutOfMemoryError && !local) {
        return Optional.of(
            new EngineMemoryException(
                "the job failed: the Java heap of an executor is too small; give it more, as by"
                    + " --conf spark.executor.memory=16g, or fewer tasks at once, by"
                    + " spark.task.cpus"));
      }
      if (each instanceof Error error) {
        throw error;
      }
      if (each instanceof RuntimeException thrown
          && !each.getClass().getName().startsWith("org.apache.spark.")) {
        if (isMagpies(each)) {
          return Optional.of(thrown);
        }
        fault = thrown;
      }
    }
    return Optional.ofNullable(fault);
  }

  private static boolean isMagpies(Throwable e) {
    return e.getClass().getName().startsWith("io.magpie.");
  }

  /** What Spark says, in one line. */
  private static RuntimeException failure(String what, Exception e) {
    Throwable deepest = e;
    while (deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    String message = Optional.ofNullable(deepest.getMessage()).orElse(deepest.toString());
    String reason =
        deepest instanceof SparkException || e == deepest
            ? ""
            : deepest.getClass().getSimpleName() + ": ";
    String log =
        LoggerFactory.getLogger(SparkLog.SPARK).isErrorEnabled()
            ? "see Spark's log"
            : "MAGPIE_JAVA_OPTIONS=-D"
                + SparkLog.PROPERTY
                + SparkLog.SPARK
                + "=error shows Spark's log";
    return new DeviceUnavailableException(
        what + ": " + reason + message.lines().findFirst().orElse("") + "; " + log, e);
  }
}
