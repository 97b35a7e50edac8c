package io.magpie.examples.cli;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Refuses what the parser takes with a meaning that nobody can want, for all commands and options
 * there are: {@code --verify=$UNSET} would verify nothing, {@code --devices=,} run on nothing, and
 * of two values of one name the last would win.
 */
final class StrictArguments {
  private StrictArguments() {}

  /**
   * Checks what was given, of each command in turn.
   *
   * @throws ParameterException if something makes no sense; also where help was asked for, as only
   *     then the parser lets unknown words pass
   */
  static void check(ParseResult given) {
    for (ParseResult each = given; each != null; each = each.subcommand()) {
      for (ArgSpec argument : new LinkedHashSet<>(each.matchedArgs())) {
        if (argument instanceof OptionSpec option) {
          check(each, option);
        }
      }
      List<String> unknown = new ArrayList<>(each.unmatched());
      if (each.commandSpec().parser().unmatchedOptionsArePositionalParams()) { // only short ones
        each.matchedPositionals().stream()
            .flatMap(argument -> argument.originalStringValues().stream())
            .filter(word -> word.startsWith("--"))
            .forEach(unknown::add);
      }
      boolean allowed = each.commandSpec().parser().unmatchedArgumentsAllowed();
      if (!unknown.isEmpty() && !allowed) { // as by the command in place of an engine's own
        throw new UnmatchedArgumentException(each.commandSpec().commandLine(), unknown);
      }
    }
  }

  private static void check(ParseResult given, OptionSpec option) {
    if (option.arity().max() == 0) {
      for (String argument : given.originalArgs()) {
        if (argument.equals("--")) {
          return;
        }
        int equals = argument.indexOf('=');
        String name = argument.substring(0, Math.max(0, equals));
        if (names(given, option).contains(name)) {
          throw wrong(
              given, argument + ": " + name + " takes no value; write it alone, or leave it out");
        }
      }
      return;
    }
    String name = option.longestName();
    Set<String> keys = new HashSet<>();
    for (String value : option.originalStringValues()) {
      List<String> parts =
          option.splitRegex().isEmpty()
              ? List.of(value)
              : List.of(value.split(option.splitRegex(), -1));
      if (parts.stream().anyMatch(String::isBlank)) {
        throw wrong(
            given,
            parts.size() == 1
                ? name + ": the value is empty"
                : name + " " + value + ": a value of the list is empty");
      }
      if (Map.class.isAssignableFrom(option.type())) {
        for (String part : parts) {
          String key = part.split("=", 2)[0];
          if (!keys.add(key)) {
            throw wrong(given, name + ": " + key + " is given twice; leave one of them out");
          }
        }
      }
    }
  }

  /** All names of an option, with those that negate it. */
  private static Set<String> names(ParseResult given, OptionSpec option) {
    Set<String> names = new HashSet<>(List.of(option.names()));
    if (option.negatable()) {
      CommandSpec command = given.commandSpec();
      for (String name : option.names()) {
        names.add(command.negatableOptionTransformer().makeNegative(name, command));
      }
    }
    return names;
  }

  private static ParameterException wrong(ParseResult given, String message) {
    return new ParameterException(given.commandSpec().commandLine(), message);
  }
}
