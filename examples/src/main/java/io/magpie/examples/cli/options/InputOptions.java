package io.magpie.examples.cli.options;

import io.magpie.examples.input.Input;
import io.magpie.examples.input.InputKind;
import io.magpie.examples.input.Inputs;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * The options that name an input: one for each kind of a type that there is, and {@code --input}
 * for any; one must be given, unless they are {@linkplain #optional optional}. To be mixed into a
 * command by its {@link #spec()}.
 */
public final class InputOptions<I extends Input> {
  private final Class<I> type;
  private final String noun;
  private final CommandSpec spec = CommandSpec.create();
  private final Map<InputKind, OptionSpec> options = new LinkedHashMap<>();
  private final OptionSpec any;

  /**
   * @param type of the inputs that the command takes
   * @param noun what they are, such as "a graph"
   * @param kinds those that there are, of any type
   */
  public InputOptions(Class<I> type, String noun, List<InputKind> kinds) {
    this(type, noun, kinds, "1");
  }

  /**
   * The same options, none of which need be given.
   *
   * @param type of the inputs that the command takes
   * @param noun what they are, such as "a graph"
   * @param kinds those that there are, of any type
   */
  public static <I extends Input> InputOptions<I> optional(
      Class<I> type, String noun, List<InputKind> kinds) {
    return new InputOptions<>(type, noun, kinds, "0..1");
  }

  private InputOptions(Class<I> type, String noun, List<InputKind> kinds, String multiplicity) {
    this.type = type;
    this.noun = noun;
    ArgGroupSpec.Builder group = ArgGroupSpec.builder().exclusive(true).multiplicity(multiplicity);
    for (InputKind kind : kinds) {
      if (!type.isAssignableFrom(kind.type())) {
        continue;
      }
      OptionSpec option =
          OptionSpec.builder("--" + kind.name())
              .required(true)
              .type(String.class)
              .paramLabel(kind.label())
              .description(kind.description())
              .build();
      options.put(kind, option);
      group.addArg(option);
    }
    any =
        OptionSpec.builder("--input")
            .required(true)
            .type(String.class)
            .paramLabel("KIND:SPEC")
            .description(
                "The same in one word, such as "
                    + options.keySet().iterator().next().name()
                    + ":"
                    + options.keySet().iterator().next().label()
                    + "; kinds are "
                    + options.keySet().stream()
                        .map(InputKind::name)
                        .collect(Collectors.joining(", "))
                    + ".")
            .build();
    group.addArg(any);
    spec.addArgGroup(group.build());
  }

  /** The options. */
  public CommandSpec spec() {
    return spec;
  }

  /** Whether one of them was given. */
  public boolean given() {
    return any.getValue() != null
        || options.values().stream().anyMatch(option -> option.getValue() != null);
  }

  /**
   * What was given to one of the kinds, by its option or by {@code --input}.
   *
   * @param kind the name of the kind
   * @return empty if another was given, or none
   */
  public Optional<String> given(String kind) {
    String text = any.getValue();
    if (text != null) {
      return Optional.of(text)
          .filter(each -> each.startsWith(kind + ":"))
          .map(each -> each.substring(kind.length() + 1));
    }
    return options.entrySet().stream()
        .filter(each -> each.getKey().name().equals(kind))
        .map(each -> (String) each.getValue().getValue())
        .filter(Objects::nonNull)
        .findAny();
  }

  /**
   * The input that was named; nothing has been read.
   *
   * @param command whose options they are
   * @throws ParameterException if what was given is malformed, or of a kind that does not fit; or
   *     if nothing was
   */
  public I input(CommandSpec command) {
    try {
      String text = any.getValue();
      if (text != null) {
        return Inputs.parse(type, noun, text);
      }
      for (Map.Entry<InputKind, OptionSpec> each : options.entrySet()) {
        String given = each.getValue().getValue();
        if (given != null) {
          return type.cast(Inputs.parse(each.getKey(), given));
        }
      }
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), e.getMessage(), e);
    }
    throw new ParameterException(
        command.commandLine(),
        "expected "
            + noun
            + ", by "
            + options.keySet().stream()
                .map(kind -> "--" + kind.name())
                .collect(Collectors.joining(" or "))
            + " or --input");
  }
}
