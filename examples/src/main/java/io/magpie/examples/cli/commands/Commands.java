package io.magpie.examples.cli.commands;

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
    add(line, new CompareCommand(), CompareCommand.algorithms());
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

  /** What helps somebody who gave a command an option or an argument that it does not have. */
  public static Optional<String> hint(CommandSpec command) {
    return command.userObject() instanceof CompareCommand
        ? Optional.of(CompareCommand.VARIANTS_HINT)
        : Optional.empty();
  }
}
