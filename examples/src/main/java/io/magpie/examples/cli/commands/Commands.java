package io.magpie.examples.cli.commands;

import io.magpie.examples.input.InputKind;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** All commands, in the order in which the help lists them. */
public final class Commands {
  private Commands() {}

  /**
   * Adds them to a command line.
   *
   * @param kinds of input that there are
   * @param explanation a failure's message, for commands that show some failures and go on
   * @param arguments all that was given: an engine of another jar is the command in place of ours
   */
  public static void addTo(
      CommandLine line,
      List<InputKind> kinds,
      Function<Throwable, String> explanation,
      List<String> arguments) {
    addWithEngines(line, "msf", () -> new MsfCommand(kinds), arguments);
    add(line, new RefineCommand(kinds), RefineCommand.kinds());
    add(line, new TriangleCommand(), TriangleSwitches.usage());
    CommandLine triangle = line.getSubcommands().get("triangle");
    triangle.setUnmatchedOptionsArePositionalParams(true);
    triangle.setPosixClusteredShortOptionsAllowed(false); // -Vp is no -V
    add(line, new PartitionCommand(kinds));
    addWithEngines(line, "components", () -> new ComponentsCommand(kinds), arguments);
    add(line, new PathsCommand(kinds));
    add(line, new SatCommand(kinds), SatCommand.kinds());
    add(line, new NBodyCommand(kinds), NBodyCommand.kinds());
    add(line, new PointsToCommand(kinds), PointsToCommand.kinds());
    add(line, new CompareCommand(kinds));
    add(line, new ReportCommand());
    add(line, new GenerateCommand(), GenerateCommand.kinds());
    add(line, new ConvertCommand(kinds));
    add(line, new DevicesCommand());
    add(line, new DoctorCommand(explanation));
    add(line, new VerifyCommand());
    add(line, new MutantsCommand(), MutantsCommand.list());
    add(line, new RunCommand());
    add(line, new SchemaCommand());
    add(line, new CompletionCommand());
  }

  /** Adds a command, or in its place that of an engine that a jar adds, if it is for this one. */
  private static void addWithEngines(
      CommandLine line, String name, Supplier<Object> own, List<String> arguments) {
    if (!AddedEngines.isAskedFor(name, arguments)) {
      add(line, own.get());
      return;
    }
    Optional<Object> command = AddedEngines.spark(name);
    add(line, command.orElseGet(own));
    if (command.isEmpty()) { // which is what it says, and not that it does not know an option
      line.getSubcommands().get(name).setUnmatchedArgumentsAllowed(true);
    }
  }

  /**
   * @param list what the help ends with
   */
  private static void add(CommandLine line, Object command, String... list) {
    CommandLine added = new CommandLine(command);
    added.getCommandSpec().usageMessage().footer(list);
    line.addSubcommand(added);
  }

  /**
   * What a command's help ends with, line by line. That of {@code compare} asks jars of others, of
   * which no other command is to depend.
   *
   * @param broken takes what is wrong with those of their services that cannot be used
   */
  public static String[] list(CommandSpec command, Consumer<ServiceConfigurationError> broken) {
    return command.userObject() instanceof CompareCommand
        ? CompareCommand.algorithms(broken)
        : command.usageMessage().footer();
  }

  /**
   * What is wrong with a command before anything that the parser can find.
   *
   * @param arguments all that was given
   */
  public static Optional<String> fault(CommandSpec command, List<String> arguments) {
    return command.userObject() instanceof CompareCommand compare
        ? compare.unknownAlgorithm(arguments)
        : Optional.empty();
  }

  /** What helps somebody who gave a command an option or an argument that it does not have. */
  public static Optional<String> hint(CommandSpec command) {
    return command.userObject() instanceof CompareCommand
        ? Optional.of(CompareCommand.VARIANTS_HINT)
        : Optional.empty();
  }
}
