package io.magpie.examples.cli.options;

import io.magpie.algorithms.Condition;
import io.magpie.algorithms.Options;
import io.magpie.algorithms.Setting;
import io.magpie.algorithms.SettingException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/**
 * An algorithm's settings as options of its command, made from their descriptions; to be mixed into
 * the command by its {@link #spec()}.
 */
public final class SettingOptions<O extends Options<O>> {
  private final O defaults;
  private final CommandSpec spec = CommandSpec.create();
  private final Map<Setting<?>, OptionSpec> own = new LinkedHashMap<>();
  private final Map<String, Setting<?>> grouped = new LinkedHashMap<>();
  private final OptionSpec group;

  public SettingOptions(O defaults) {
    this(defaults, null, List.of());
  }

  /**
   * @param group an option that takes {@code NAME=VALUE} for settings that have none of their own;
   *     null for none
   * @param inGroup those settings
   */
  public SettingOptions(O defaults, String group, List<Setting<?>> inGroup) {
    this.defaults = defaults;
    inGroup.forEach(setting -> grouped.put(setting.name(), setting));
    for (Setting<?> setting : defaults.settings()) {
      if (setting.written() && !grouped.containsKey(setting.name())) {
        OptionSpec option = option(setting);
        own.put(setting, option);
        spec.addOption(option);
      }
    }
    this.group = group == null ? null : group(group);
    if (group != null) {
      spec.addOption(this.group);
    }
  }

  /** The options. */
  public CommandSpec spec() {
    return spec;
  }

  /** A setting's option, such as {@code --effort}. */
  static String name(Setting<?> setting) {
    return "--" + setting.name();
  }

  /** The names of the options of those settings. */
  public List<String> names(Predicate<Setting<?>> which) {
    return own.keySet().stream().filter(which).map(SettingOptions::name).toList();
  }

  private OptionSpec option(Setting<?> setting) {
    List<String> names = new ArrayList<>();
    if (setting.letter() != null) {
      names.add("-" + setting.letter());
    }
    names.add(name(setting));
    boolean flag = setting.byDefault() instanceof Boolean;
    OptionSpec.Builder option =
        OptionSpec.builder(names.toArray(new String[0]))
            .description(setting.help())
            .required(setting.required());
    if (flag) {
      return option.type(Boolean.class).negatable(true).fallbackValue("true").build();
    }
    if (setting.listed()) {
      option.completionCandidates(written(setting));
    }
    return option
        .type(type(setting.byDefault()))
        .arity("1")
        .paramLabel(setting.label())
        .converters(text -> parsed(setting, text))
        .build();
  }

  private static Class<?> type(Object value) {
    return value instanceof Enum<?> constant ? constant.getDeclaringClass() : value.getClass();
  }

  private static <V> List<String> written(Setting<V> setting) {
    return setting.all().stream().map(setting::write).toList();
  }

  private static Object parsed(Setting<?> setting, String text) {
    try {
      return setting.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  private OptionSpec group(String name) {
    String all =
        grouped.values().stream()
            .map(setting -> setting.name() + "=" + setting.allowed().replace(", ", "|"))
            .collect(Collectors.joining(", "));
    Condition condition = grouped.values().iterator().next().condition();
    return OptionSpec.builder("--" + name)
        .arity("1..*")
        .paramLabel("NAME=VALUE")
        .type(Map.class)
        .auxiliaryTypes(String.class, String.class)
        .description("With " + condition.onCommandLine() + ": " + all + ".")
        .build();
  }

  /** What was given, by name. */
  private Map<String, Object> given() {
    Map<String, Object> given = new LinkedHashMap<>();
    own.forEach(
        (setting, option) -> {
          Object value = option.getValue();
          if (value != null) {
            given.put(setting.name(), value);
          }
        });
    Map<String, String> inGroup = group == null ? null : group.getValue();
    if (inGroup != null) {
      inGroup.forEach((key, value) -> given.put(key, grouped(key, value)));
    }
    return given;
  }

  private Object grouped(String key, String value) {
    Setting<?> setting = grouped.get(key);
    if (setting == null) {
      throw new IllegalArgumentException(
          group.longestName()
              + ": '"
              + key
              + "': expected one of "
              + String.join(", ", grouped.keySet()));
    }
    try {
      return setting.parse(value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          group.longestName() + ": " + key + "=" + value + ": " + e.getMessage(), e);
    }
  }

  /**
   * The defaults with what was given.
   *
   * @param command whose options they are
   * @throws ParameterException if a value is out of range, contradicts another one, or has no
   *     effect
   */
  public O options(CommandSpec command) {
    try {
      Map<String, Object> given = given();
      O options = defaults;
      for (Setting<?> setting : defaults.settings()) {
        if (given.containsKey(setting.name())) {
          options = with(options, setting, given.get(setting.name()));
        }
      }
      return options;
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), message(e), e);
    }
  }

  @SuppressWarnings("unchecked") // parsed by the setting
  private <V> O with(O options, Setting<V> setting, Object value) {
    setting.check((V) value);
    if (!options.hasEffect(setting)) {
      String option =
          grouped.containsKey(setting.name())
              ? group.longestName() + " " + setting.name()
              : name(setting);
      throw new IllegalArgumentException(
          option
              + " has no effect without "
              + setting.condition().onCommandLine()
              + "; add that, or leave this out");
    }
    return options.with(setting, (V) value);
  }

  /**
   * Refuses what was given and has no effect, as {@code auto} stands for other values than those
   * that it needs.
   *
   * @param command whose options they are
   * @param options from {@link #options}
   * @param chosen the same with what {@code auto} stands for
   * @throws ParameterException if there is such a setting
   */
  public void requireEffect(CommandSpec command, O options, O chosen) {
    Map<String, Object> given = given();
    for (Setting<?> setting : options.settings()) {
      if (given.containsKey(setting.name()) && !chosen.hasEffect(setting)) {
        String reasons =
            options.settings().stream()
                .filter(each -> !taking(chosen, each, options).hasEffect(setting))
                .map(each -> name(each) + " " + written(chosen, each))
                .collect(Collectors.joining(" and "));
        throw new ParameterException(
            command.commandLine(),
            name(setting)
                + " has no effect on this device and input, where auto stands for "
                + reasons
                + "; choose another value there, or leave this out");
      }
    }
  }

  /** Options with the value that a setting has in others. */
  private static <O extends Options<O>, V> O taking(O others, Setting<V> setting, O options) {
    return options.with(setting, others.get(setting));
  }

  /** A failure's message, about an option where it is about a setting. */
  public static String message(IllegalArgumentException e) {
    return e instanceof SettingException about
        ? name(about.setting()) + " " + about.objection()
        : e.getMessage();
  }

  /** What was computed by, in one line: what has names, and numbers other than their defaults. */
  public static String text(Options<?> options) {
    return options.settings().stream()
        .filter(each -> each.written() && options.hasEffect(each) && !each.required())
        .filter(each -> each.listed() || !isDefault(options, each))
        .map(each -> each.name() + " " + written(options, each))
        .collect(Collectors.joining(", "));
  }

  private static boolean isDefault(Options<?> options, Setting<?> setting) {
    return options.get(setting).equals(setting.byDefault());
  }

  private static <V> String written(Options<?> options, Setting<V> setting) {
    return setting.write(options.get(setting));
  }

  /** The values of all settings that have an effect, for JSON. */
  public static Map<String, Object> json(Options<?> options) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (Setting<?> setting : options.settings()) {
      if (setting.written() && options.hasEffect(setting)) {
        values.put(setting.jsonName(), json(options, setting));
      }
    }
    return values;
  }

  private static <V> Object json(Options<?> options, Setting<V> setting) {
    return setting.json(options.get(setting));
  }
}
