package io.magpie.examples.cli.commands;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** All commands, in the order in which the help lists them. */
public final class Commands {
  private Commands() {}

  /**
   * Adds them to a command line.
   *
   * @param explanation a failure's message, for commands that show some failures and go on
   */
  public static void addTo(CommandLine line, Function<Throwable, String> explanation) {
    add(line, new MsfCommand());
    add(line, new RefineCommand(), RefineCommand.kinds());
    add(line, new PartitionCommand());
    add(line, new CompareCommand());
    add(line, new ReportCommand());
    add(line, new GenerateCommand(), GenerateCommand.kinds());
    add(line, new DevicesCommand());
    add(line, new DoctorCommand(explanation));
    add(line, new VerifyCommand());
    add(line, new MutantsCommand(), MutantsCommand.list());
    add(line, new RunCommand());
    add(line, new SchemaCommand());
    add(line, new CompletionCommand());
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
   */
  public static String[] list(CommandSpec command) {
    return command.userObject() instanceof CompareCommand
        ? CompareCommand.algorithms()
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
