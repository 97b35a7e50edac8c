package io.magpie.examples.cli.commands;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints what makes a shell complete commands, options, and values that have names. */
@Command(
    name = "completion",
    description = {
      "Print a script that makes bash and zsh complete commands, options and their values.",
      "For this shell: source <(magpie completion). For every bash: write it to"
          + " ~/.local/share/bash-completion/completions/magpie."
    })
final class CompletionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine root = spec.root().commandLine();
    spec.commandLine().getOut().print(AutoComplete.bash(root.getCommandName(), root));
    return ExitCode.OK;
  }
}
