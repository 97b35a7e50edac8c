package io.magpie.examples.cli.commands;

import io.magpie.algorithms.graph.Graph;
import io.magpie.algorithms.graph.GraphGenerators;
import io.magpie.algorithms.msf.KruskalReference;
import io.magpie.algorithms.msf.MinimumSpanningForest;
import io.magpie.algorithms.msf.MsfOptions;
import io.magpie.algorithms.msf.MsfResult;
import io.magpie.algorithms.msf.MsfVerifier;
import io.magpie.examples.cli.options.AddedJars;
import io.magpie.examples.cli.options.EnumOption;
import io.magpie.examples.cli.options.JsonOption;
import io.magpie.examples.cli.options.Outputs;
import io.magpie.examples.cli.output.JsonOutput;
import io.magpie.examples.cli.output.TextTable;
import io.magpie.examples.compare.Comparison;
import io.magpie.examples.compare.Comparisons;
import io.magpie.examples.input.InputKind;
import io.magpie.examples.input.Inputs;
import io.magpie.examples.input.Registered;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceDescription;
import io.magpie.stm.Diagnosis;
import io.magpie.stm.Diagnosis.State;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Says what Magpie finds on this machine, and what to do where something is missing. */
@Command(
    name = "doctor",
    description = {
      "Check what Magpie needs on this machine, and say how to fix what is missing.",
      "Finally computes and verifies a forest of 1,000 vertices on each device. If its code is not"
          + " compiled for a device yet, that takes about ten seconds more for each, which --quick"
          + " leaves out. Exit status 0 if all of them compute it correctly."
    })
final class DoctorCommand implements Callable<Integer> {
  private static final int LITTLE_HEAP_MIB = 512;
  private static final int FEW_FILES = 256;
  private static final String TRIAL = "road:1000";

  private final Function<Throwable, String> explanation;

  @Spec private CommandSpec spec;

  @Option(names = "--quick", description = "Only check; run nothing on the devices.")
  private boolean quick;

  @Mixin private JsonOption json;

  /**
   * @param explanation what to say of a device's failure
   */
  DoctorCommand(Function<Throwable, String> explanation) {
    this.explanation = explanation;
  }

  @Override
  public Integer call() {
    JsonOutput output = json.output(new Outputs(spec, List.of()));
    List<Diagnosis> all = new ArrayList<>(ofProcess());
    all.addAll(Diagnosis.ofThisMachine());
    RuntimeException failure = null;
    if (!quick) {
      for (DeviceDescription device : Device.list()) {
        try {
          all.add(trial(device));
        } catch (RuntimeException e) {
          failure = failure == null ? e : failure;
          all.add(
              new Diagnosis(
                  device.spec(), State.BAD, explanation.apply(e), "--stacktrace shows more"));
        }
      }
    }
    if (output == null || !output.replacesTable()) {
      print(all);
    }
    if (output != null) {
      output.write(
          Map.of("diagnoses", all.stream().map(DoctorCommand::json).toList()),
          spec.commandLine().getOut());
    }
    if (failure != null) {
      throw failure;
    }
    all.stream()
        .filter(each -> each.state() == State.BAD)
        .findFirst()
        .ifPresent(
            each -> {
              throw new VerificationException(each.subject() + " " + each.found());
            });
    return ExitCode.OK;
  }

  private static List<Diagnosis> ofProcess() {
    List<Diagnosis> all = new ArrayList<>();
    long heap = Runtime.getRuntime().maxMemory() >> 20;
    all.add(
        diagnosis(
            "Java",
            heap >= LITTLE_HEAP_MIB,
            String.format(
                Locale.ROOT,
                "%s, %s; a heap of at most %,d MiB%s",
                Runtime.version(),
                System.getProperty("java.vm.name"),
                heap,
                memory()),
            "large inputs need a larger heap, for example MAGPIE_JAVA_OPTIONS=-Xmx16g"));
    String encoding = System.getProperty("sun.jnu.encoding", "US-ASCII");
    Charset names =
        Charset.isSupported(encoding) ? Charset.forName(encoding) : StandardCharsets.US_ASCII;
    all.add(
        diagnosis(
            "locale",
            names.newEncoder().canEncode("\u00e9\u4e2d"),
            "names of files are in " + names + ", output is in " + Charset.defaultCharset(),
            "other names cannot be given; set the locale, such as LC_ALL=C.UTF-8"));
    openFiles().ifPresent(all::add);
    String added = System.getenv(AddedJars.VARIABLE);
    classPath(added).ifPresent(all::add);
    all.addAll(services(added));
    return all;
  }

  private static String memory() {
    OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
    return system instanceof com.sun.management.OperatingSystemMXBean known
        ? String.format(Locale.ROOT, " of %,d MiB of memory", known.getTotalMemorySize() >> 20)
        : "";
  }

  private static Optional<Diagnosis> openFiles() {
    OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
    if (!(system instanceof com.sun.management.UnixOperatingSystemMXBean unix)) {
      return Optional.empty();
    }
    long most = unix.getMaxFileDescriptorCount();
    return Optional.of(
        diagnosis(
            "open files",
            most >= FEW_FILES,
            String.format(Locale.ROOT, "at most %,d", most),
            "let the process open more files, for example with 'ulimit -n 1024'"));
  }

  /**
   * Whether the jars of the user's are there.
   *
   * @param added what the launchers add to the class path; null or empty if there is nothing
   */
  static Optional<Diagnosis> classPath(String added) {
    if (added == null || added.isEmpty()) {
      return Optional.empty();
    }
    List<String> missing = AddedJars.missing(added);
    return Optional.of(
        diagnosis(
            "class path",
            missing.isEmpty(),
            missing.isEmpty() ? AddedJars.VARIABLE + " adds " + added : AddedJars.told(missing),
            AddedJars.REMEDY));
  }

  /**
   * What each jar of the user's registers, and what is registered and cannot be used.
   *
   * @param added what the launchers add to the class path; null or empty if there is nothing
   */
  static List<Diagnosis> services(String added) {
    List<Diagnosis> all = new ArrayList<>();
    Consumer<ServiceConfigurationError> broken =
        e -> all.add(new Diagnosis("class path", State.BAD, e.getMessage(), AddedJars.FIX));
    Map<String, List<String>> registered = new TreeMap<>();
    for (Comparison<?> each : Comparisons.usable(broken)) {
      note(registered, each, "comparison '" + each.name() + "'");
    }
    for (InputKind each : Inputs.usable(broken)) {
      note(registered, each, "input kind '" + each.name() + "'");
    }
    for (Path jar : added == null ? List.<Path>of() : AddedJars.files(added)) {
      List<String> its = registered.get(jar.toString());
      if (its == null && all.stream().anyMatch(each -> each.found().contains(jar.toString()))) {
        continue; // what it registers is broken
      }
      all.add(
          new Diagnosis(
              "class path",
              State.GOOD,
              jar
                  + " registers "
                  + (its == null ? "no comparison and no input kind" : String.join(", ", its)),
              ""));
    }
    return all;
  }

  private static void note(Map<String, List<String>> registered, Object service, String named) {
    Registered.jar(service)
        .map(jar -> AddedJars.file(jar).toString())
        .ifPresent(jar -> registered.computeIfAbsent(jar, none -> new ArrayList<>()).add(named));
  }

  private static Diagnosis diagnosis(String subject, boolean good, String found, String remedy) {
    return new Diagnosis(subject, good ? State.GOOD : State.LIMITED, found, good ? "" : remedy);
  }

  /** A small forest by transactions, compared with a sequential one. */
  private static Diagnosis trial(DeviceDescription description) {
    Graph graph = GraphGenerators.generate(TRIAL);
    try (Device device = Device.open(description.spec())) {
      MsfResult result = MinimumSpanningForest.run(device, graph, MsfOptions.defaults());
      List<String> wrong = MsfVerifier.verify(result, KruskalReference.run(graph));
      return wrong.isEmpty()
          ? new Diagnosis(description.spec(), State.GOOD, "computes a right forest of " + TRIAL, "")
          : new Diagnosis(
              description.spec(),
              State.BAD,
              "computes a wrong forest of " + TRIAL + ": " + String.join("; ", wrong),
              "do not trust this device");
    }
  }

  private void print(List<Diagnosis> all) {
    TextTable table = new TextTable("", "subject", "found");
    for (Diagnosis each : all) {
      table.row(EnumOption.name(each.state()), each.subject(), each.found());
      if (!each.remedy().isEmpty()) {
        table.row("", "", each.remedy());
      }
    }
    spec.commandLine().getOut().print(table);
  }

  private static Map<String, Object> json(Diagnosis diagnosis) {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("subject", diagnosis.subject());
    value.put("state", EnumOption.name(diagnosis.state()));
    value.put("found", diagnosis.found());
    if (!diagnosis.remedy().isEmpty()) {
      value.put("remedy", diagnosis.remedy());
    }
    return value;
  }
}
