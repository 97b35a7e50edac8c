package io.magpie.examples.cli;

import io.magpie.examples.cli.commands.Commands;
import io.magpie.examples.cli.commands.ComparedInputException;
import io.magpie.examples.cli.commands.JobException;
import io.magpie.examples.cli.options.AddedJars;
import io.magpie.examples.cli.options.OptionTypes;
import io.magpie.examples.cli.output.BuildInfo;
import io.magpie.examples.cli.output.Terminal;
import io.magpie.examples.compare.ContestantException;
import io.magpie.examples.input.InputKind;
import io.magpie.examples.input.Inputs;
import io.magpie.examples.input.Registered;
import io.magpie.stm.ModuleNotFoundException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command line. */
@Command(
    name = "magpie",
    description = "Transactional memory for GPU morph algorithms.",
    versionProvider = BuildInfo.class,
    scope = ScopeType.INHERIT,
    sortOptions = false,
    usageHelpAutoWidth = true,
    commandListHeading = "%nCommands:%n",
    optionListHeading = "%nOptions:%n",
    exitCodeListHeading = "%nExit status:%n",
    synopsisSubcommandLabel = "COMMAND")
public final class Magpie implements Runnable {
  /** What picocli's messages about groups of options begin with, which is no part of them here. */
  private static final String PICOCLIS_WORD = "Error: ";

  /** Asks for help or the version, whatever else there is. */
  private static final Set<String> ANSWERED = Set.of("-h", "--help", "-V", "--version");

  @Spec private CommandSpec spec;

  @Option(
      names = "--stacktrace",
      scope = ScopeType.INHERIT,
      description = "Show where in the program a failure occurred.")
  private boolean stacktrace;

  private List<String> arguments = List.of();

  /** Runs the command line on the process's own output; gives the exit status. */
  static int start(String... arguments) {
    Locale.setDefault(Locale.ROOT);
    PrintWriter out = new PrintWriter(System.out, false, Charset.defaultCharset());
    PrintWriter err = new PrintWriter(System.err, true, Charset.defaultCharset());
    Optional<String> missing = missingJars(System.getenv(AddedJars.VARIABLE), arguments);
    if (missing.isPresent()) {
      err.println("magpie: " + Printable.line(missing.get()));
      return ExitStatus.USAGE.code();
    }
    return run(out, err, Terminal::outputIsPipe, arguments);
  }

  /**
   * What is wrong with the jars that the user adds, whose kinds of input are options of most
   * commands: before anything is said of these.
   *
   * @param added null if nothing is
   * @return empty also for the command that looks at the machine, which tells of them itself, and
   *     for help and version, which lack only what these add
   */
  static Optional<String> missingJars(String added, String... arguments) {
    List<String> missing = added == null ? List.of() : AddedJars.missing(added);
    return missing.isEmpty() || answers(arguments)
        ? Optional.empty()
        : Optional.of(AddedJars.told(missing) + "; " + AddedJars.REMEDY);
  }

  /** Whether help or the version is asked for, or the command that looks at the machine. */
  private static boolean answers(String... arguments) {
    return Arrays.stream(arguments).anyMatch(ANSWERED::contains) || looksAtTheMachine(arguments);
  }

  private static boolean looksAtTheMachine(String... arguments) {
    return Arrays.stream(arguments)
        .filter(each -> !each.startsWith("-"))
        .findFirst()
        .filter("doctor"::equals)
        .isPresent();
  }

  /**
   * Runs the command line within this process.
   *
   * @param out takes results
   * @param err takes errors and warnings
   * @param arguments as given to {@code magpie}
   * @return the exit status
   */
  public static int run(PrintWriter out, PrintWriter err, String... arguments) {
    return run(out, err, () -> false, arguments);
  }

  /**
   * @param pipe whether results go through a pipe, which fails only where its reader has gone
   */
  static int run(PrintWriter out, PrintWriter err, BooleanSupplier pipe, String... arguments) {
    Magpie magpie = new Magpie();
    magpie.arguments = List.of(arguments);
    CommandLine line;
    try {
      line = commandLine(magpie, Inputs.kinds(), out, err);
    } catch (CommandLine.DuplicateOptionAnnotationsException | ServiceConfigurationError e) {
      ServiceConfigurationError broken =
          e instanceof CommandLine.DuplicateOptionAnnotationsException duplicate
              ? namedLikeAnOption(duplicate)
              : (ServiceConfigurationError) e;
      if (!answers(arguments)) {
        return magpie.unusable(broken, Printable.over(err, true));
      }
      if (!looksAtTheMachine(arguments)) { // which tells of it itself
        magpie.warn(broken, Printable.over(err, true));
      }
      line = commandLine(magpie, own(), out, err);
    }
    int status;
    try {
      status = line.execute(arguments);
    } catch (Error e) { // picocli hands on exceptions only, not this, which may be a lack of memory
      status = magpie.failed(e, line, err);
    }
    line.getOut().flush();
    // Writers keep failures to themselves until asked. What is checked is flushed.
    if (out.checkError() && status == ExitStatus.OK.code()) {
      if (pipe.getAsBoolean()) { // such as head, which has seen enough: no failure to tell of
        return ExitStatus.READER_GONE.code();
      }
      err.println("magpie: standard output: cannot be written");
      status = ExitStatus.OUTPUT_FAILED.code();
    }
    err.flush();
    return status;
  }

  /** The kinds of input that come with Magpie. */
  private static List<InputKind> own() {
    return Inputs.usable(broken -> {}).stream().filter(Inputs::isBuiltIn).toList();
  }

  /** A kind of input of somebody else's has the name of an option of some command. */
  private static ServiceConfigurationError namedLikeAnOption(
      CommandLine.DuplicateOptionAnnotationsException e) {
    return Inputs.kinds().stream()
        .filter(
            kind -> !Inputs.isBuiltIn(kind) && e.getMessage().contains("'--" + kind.name() + "'"))
        .findFirst()
        .map(
            kind ->
                new ServiceConfigurationError(
                    "input kind '"
                        + kind.name()
                        + "' of "
                        + Registered.origin(kind)
                        + " has the name of the option --"
                        + kind.name(),
                    e))
        .orElseThrow(() -> e);
  }

  /** Tells of a failure before there is a command line to tell it with. */
  private int unusable(ServiceConfigurationError e, PrintWriter err) {
    tell("magpie: ", e, err);
    return ExitStatus.of(e).code();
  }

  /** Tells of one where the command goes on without. */
  private void warn(ServiceConfigurationError e, PrintWriter err) {
    tell("magpie: warning: ", e, err);
  }

  private void tell(String prefix, ServiceConfigurationError e, PrintWriter err) {
    err.println(prefix + message(e));
    if (arguments.contains("--stacktrace")) {
      e.printStackTrace(err);
    }
    err.flush();
  }

  /** The command line with all that it knows of. */
  static CommandLine commandLine(Magpie magpie, PrintWriter out, PrintWriter err) {
    return commandLine(magpie, Inputs.kinds(), out, err);
  }

  private static CommandLine commandLine(
      Magpie magpie, List<InputKind> kinds, PrintWriter out, PrintWriter err) {
    CommandLine line = new CommandLine(magpie);
    Commands.addTo(line, kinds, Magpie::message, magpie.arguments);
    PrintWriter shown = Printable.over(out, false);
    line.setOut(shown);
    line.setErr(Printable.over(err, true));
    line.setColorScheme(
        CommandLine.Help.defaultColorScheme(Terminal.present() ? Ansi.ON : Ansi.OFF));
    line.setParameterExceptionHandler(
        (e, given) -> {
          CommandLine at = e.getCommandLine();
          if (Main.lackOfHeap(e)) {
            return magpie.failed(e, at, err);
          }
          boolean isUnsuitable = ExitStatus.of(e.getCause()) == ExitStatus.BAD_INPUT;
          if (isUnsuitable && e.getArgSpec() != null) { // an option reads it while it is parsed
            return magpie.failed(e.getCause(), at, err);
          }
          err.print(prefix(at)); // with color
          Optional<String> fault =
              Commands.fault(at.getCommandSpec(), magpie.arguments).or(() -> magpie.repeated(e));
          if (fault.isPresent()) {
            at.getErr().println(Printable.line(fault.get()));
            err.println(whatIsPossible(at));
            return ExitStatus.USAGE.code();
          }
          at.getErr().println(magpie.shown(e));
          CommandLine.UnmatchedArgumentException.printSuggestions(e, at.getErr());
          magpie.hint(e).ifPresent(err::println);
          err.println(whatIsPossible(at));
          return ExitStatus.USAGE.code();
        });
    line.setExecutionStrategy(
        parsed -> {
          StrictArguments.check(parsed);
          line.setOut(out); // with color
          Integer helped = CommandLine.executeHelpRequest(parsed);
          line.setOut(shown);
          return helped != null ? helped : new CommandLine.RunLast().execute(parsed);
        });
    line.setExecutionExceptionHandler((e, at, parsed) -> magpie.failed(e, at, err));
    OptionTypes.register(line);
    addHelp(line);
    describeExitStatus(line);
    HelpSections.register(line, broken -> magpie.warn(broken, line.getErr()));
    return line;
  }

  private static String whatIsPossible(CommandLine at) {
    return "'" + called(at.getCommandSpec()) + " --help' shows what is possible.";
  }

  /** What is wrong with words that a command does not take. */
  private static String unmatched(CommandLine.UnmatchedArgumentException e) {
    List<String> words = e.getUnmatched();
    if (e.isUnknownOption()) { // the others may be meant as their values
      words = words.stream().filter(word -> word.startsWith("-")).toList();
    } else if (e.getCommandLine().getParent() == null) {
      return "there is no command '" + words.get(0) + "'";
    }
    String what = e.isUnknownOption() ? "Unknown option" : "Unexpected argument";
    return what
        + (words.size() == 1 ? ": " : "s: ")
        + words.stream().map(word -> "'" + word + "'").collect(Collectors.joining(", "));
  }

  /** What helps in addition to a message: what an option takes, or how to compare. */
  private Optional<String> hint(CommandLine.ParameterException e) {
    boolean value = e.getCause() instanceof CommandLine.TypeConversionException;
    if (value && e.getArgSpec() instanceof OptionSpec option) {
      if (option.completionCandidates() != null) { // the message has listed them
        return Optional.empty();
      }
      return Optional.of(given(option) + ": " + String.join(" ", option.description()));
    }
    CommandLine at = e.getCommandLine();
    if (at.getParent() == null && e instanceof CommandLine.UnmatchedArgumentException) {
      return Optional.of("expected one of " + String.join(", ", at.getSubcommands().keySet()));
    }
    if (!(e instanceof CommandLine.UnmatchedArgumentException unmatched)) {
      return Optional.empty();
    }
    Optional<String> hint = Commands.hint(at.getCommandSpec());
    boolean isAdded = // perhaps, if its jar were there
        unmatched.isUnknownOption() && at.getCommandSpec().findOption("--input") != null;
    return isAdded
        ? Optional.of(hint.map(text -> text + "\n").orElse("") + Registered.whatMayBeAdded())
        : hint;
  }

  /** What is wrong where one of options that exclude each other, as inputs do, is given again. */
  private Optional<String> repeated(CommandLine.ParameterException e) {
    if (!(e instanceof CommandLine.MaxValuesExceededException)) {
      return Optional.empty();
    }
    return e.getCommandLine().getCommandSpec().argGroups().stream()
        .filter(CommandLine.Model.ArgGroupSpec::exclusive)
        .flatMap(group -> group.options().stream())
        .map(OptionSpec::longestName)
        .filter(
            name ->
                arguments.stream()
                        .filter(word -> word.equals(name) || word.startsWith(name + "="))
                        .count()
                    > 1)
        .map(name -> name + " is given twice; leave one out")
        .findFirst();
  }

  /** The name by which an option was given. */
  private String given(OptionSpec option) {
    return Arrays.stream(option.names())
        .filter(
            name ->
                arguments.stream()
                    .anyMatch(word -> word.equals(name) || word.startsWith(name + "=")))
        .findFirst()
        .orElse(option.longestName());
  }

  /** The last options of each command, behind those that it has and those of all. */
  private static void addHelp(CommandLine line) {
    CommandSpec command = line.getCommandSpec();
    command.mixinStandardHelpOptions(true);
    if (command.parser().unmatchedOptionsArePositionalParams()) { // -V is a word of its own
      OptionSpec version = command.findOption("--version");
      command.remove(version);
      command.addOption(OptionSpec.builder(version).names("--version").build());
    }
    line.getSubcommands().values().forEach(Magpie::addHelp);
  }

  private static void describeExitStatus(CommandLine line) {
    line.getCommandSpec().usageMessage().exitCodeList(ExitStatus.table());
    line.getSubcommands().values().forEach(Magpie::describeExitStatus);
  }

  private int failed(Throwable e, CommandLine at, PrintWriter err) {
    ExitStatus status = ExitStatus.of(e);
    err.print(prefix(at)); // with color
    at.getErr().println(shown(e));
    if (stacktrace) {
      e.printStackTrace(at.getErr());
    } else if (status == ExitStatus.INTERNAL_ERROR
        && !(e instanceof ServiceConfigurationError)) { // which says itself whose fault it is
      at.getErr()
          .println(
              "This is a fault of "
                  + ForeignCode.culprit(e, arguments).orElse("Magpie itself")
                  + "; --stacktrace shows where.");
    }
    return status.code();
  }

  /** A command as the user calls it: with the path of the launcher. */
  static String called(CommandSpec command) {
    String name = command.qualifiedName();
    return BuildInfo.command() + name.substring(command.root().name().length());
  }

  private static String prefix(CommandLine at) {
    return at.getColorScheme().errorText(at.getCommandSpec().qualifiedName() + ": ").toString();
  }

  /**
   * A failure's message, in which what was given stays in one line: its line breaks are known by
   * what is on both sides of them, as messages show arguments in parts.
   */
  private String shown(Throwable e) {
    String shown =
        e instanceof CommandLine.UnmatchedArgumentException words ? unmatched(words) : message(e);
    if (e instanceof CommandLine.ParameterException of && of.getArgSpec() instanceof OptionSpec o) {
      shown = shown.replace("'" + o.longestName() + "'", "'" + given(o) + "'");
    }
    for (String argument : arguments) {
      for (int at = argument.indexOf('\n'); at >= 0; at = argument.indexOf('\n', at + 1)) {
        String around =
            argument.substring(Math.max(0, at - 2), Math.min(argument.length(), at + 3));
        if (!around.isBlank()) { // else it would be found between the message's own lines
          shown = shown.replace(around, Printable.line(around));
        }
      }
    }
    return shown;
  }

  /** What a failure's message lacks for somebody who does not know the program. */
  static String message(Throwable e) {
    if (e instanceof ContestantException failed) {
      return failed.contestant() + " failed: " + message(failed.getCause());
    }
    if (e instanceof ComparedInputException failed) {
      return failed.title() + ": " + message(failed.getCause());
    }
    if (e instanceof JobException failed) {
      boolean memory = ExitStatus.of(e) == ExitStatus.OUT_OF_MEMORY;
      return failed.job()
          + " could not begin: "
          + message(failed.getCause())
          + (memory ? "; fewer --jobs need less" : "");
    }
    if (e instanceof NoSuchFileException missing) {
      return missing.getFile() + ": no such file";
    }
    if (e instanceof AccessDeniedException denied) {
      return denied.getFile() + ": permission denied";
    }
    boolean heap = Main.lackOfHeap(e);
    if (e instanceof OutOfMemoryError || (heap && e.getMessage() == null)) {
      return String.format(
          "Java's heap of %,d MiB is too small; give it more, such as"
              + " MAGPIE_JAVA_OPTIONS=-Xmx16g",
          Runtime.getRuntime().maxMemory() >> 20);
    }
    Optional<Throwable> descriptors = ExitStatus.lackOfDescriptors(e);
    if (descriptors.isPresent()) {
      return descriptors.get().getMessage()
          + "; let the process open more files, for example with 'ulimit -n 1024'";
    }
    if (heap) {
      return e.getMessage() + "; MAGPIE_JAVA_OPTIONS=-Xmx16g gives Java more memory";
    }
    if (e instanceof ServiceConfigurationError) {
      return "a jar on the class path registers a service that cannot be used: "
          + e.getMessage()
          + "; "
          + AddedJars.FIX;
    }
    boolean tells = e instanceof ModuleNotFoundException; // for people, as it is
    if (e.getMessage() == null || (ExitStatus.of(e) == ExitStatus.INTERNAL_ERROR && !tells)) {
      return e.toString();
    }
    String message = e.getMessage();
    return e instanceof CommandLine.ParameterException && message.startsWith(PICOCLIS_WORD)
        ? message.substring(PICOCLIS_WORD.length())
        : message;
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "missing command; expected one of " + String.join(", ", spec.subcommands().keySet()));
  }
}
