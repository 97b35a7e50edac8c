package io.magpie.algorithms;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A value for each of an algorithm's {@linkplain Setting settings}. Immutable: {@link #with} gives
 * a changed copy. What a setting's default is need not be stored, so options are small.
 *
 * <p>An algorithm's options extend this with its settings and, for use from Java, a method that
 * reads and one that changes each:
 *
 * <pre>{@code
 * public final class PartitionOptions extends Options<PartitionOptions> {
 *   private static final SettingList SETTINGS = new SettingList();
 *
 *   public static final Setting<Effort> EFFORT =
 *       SETTINGS.add(Setting.oneOf("effort", Effort.DEFAULT, "..."));
 *
 *   public List<Setting<?>> settings() {
 *     return SETTINGS.all();
 *   }
 *
 *   public Effort effort() {
 *     return get(EFFORT);
 *   }
 *
 *   public PartitionOptions withEffort(Effort value) {
 *     return with(EFFORT, value);
 *   }
 * }
 * }</pre>
 *
 * @param <O> the options themselves
 */
public abstract class Options<O extends Options<O>> {
  private final Map<String, Object> values;

  /** Options with all defaults. */
  protected Options() {
    this.values = Map.of();
  }

  /**
   * A changed copy.
   *
   * @param values from {@link #copy}
   */
  protected Options(Map<String, Object> values) {
    this.values = values;
  }

  /** All settings, those on which others depend first. */
  public abstract List<Setting<?>> settings();

  /** Options of the same type that hold these values; checks what they must have in common. */
  protected abstract O copy(Map<String, Object> changed);

  /** The value of a setting. */
  public final <V> V get(Setting<V> setting) {
    return setting.in(this);
  }

  /**
   * A copy in which a setting has another value.
   *
   * @throws SettingException if the value is out of its range, or a component of it is that has a
   *     setting of its own
   * @throws IllegalArgumentException if these options have no such setting, or the value
   *     contradicts another one
   */
  public final <V> O with(Setting<V> setting, V value) {
    own(setting).check(value);
    Map<String, Object> changed = new LinkedHashMap<>(values);
    String home = setting.home().name();
    changed.put(home, setting.stored(this, value));
    O copy = copy(changed);
    for (Setting<?> each : settings()) {
      if (each.home().name().equals(home)) {
        checkIn(copy, each);
      }
    }
    return copy;
  }

  private static <V> void checkIn(Options<?> options, Setting<V> setting) {
    setting.check(options.get(setting));
  }

  /** The setting of this name that these options have, which may take fewer values. */
  @SuppressWarnings("unchecked") // settings of one name have values of one type
  private <V> Setting<V> own(Setting<V> setting) {
    return (Setting<V>)
        settings().stream()
            .filter(each -> each.name().equals(setting.name()))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "there is no setting '"
                            + setting.name()
                            + "'; expected one of "
                            + settings().stream()
                                .map(Setting::name)
                                .collect(Collectors.joining(", "))));
  }

  /** Whether a setting has an effect with the others as they are. */
  public final boolean hasEffect(Setting<?> setting) {
    return setting.condition().holds(this);
  }

  @SuppressWarnings("unchecked") // stored by with() under the same name
  <V> V stored(Setting<V> setting) {
    return (V) values.getOrDefault(setting.name(), setting.byDefault());
  }

  /** The values of all settings that have an effect, as they are written, by name. */
  public final Map<String, String> written() {
    Map<String, String> written = new LinkedHashMap<>();
    for (Setting<?> setting : settings()) {
      if (setting.written() && hasEffect(setting)) {
        written.put(setting.name(), written(setting));
      }
    }
    return written;
  }

  private <V> String written(Setting<V> setting) {
    return setting.write(get(setting));
  }

  @Override
  public final boolean equals(Object other) {
    return other != null
        && other.getClass() == getClass()
        && all().equals(((Options<?>) other).all());
  }

  @Override
  public final int hashCode() {
    return all().hashCode();
  }

  private Map<String, Object> all() {
    Map<String, Object> all = new LinkedHashMap<>();
    for (Setting<?> setting : settings()) {
      all.put(setting.name(), Objects.requireNonNull(get(setting)));
    }
    return all;
  }

  @Override
  public String toString() {
    return written().entrySet().stream()
        .map(each -> each.getKey() + "=" + each.getValue())
        .collect(Collectors.joining(" "));
  }
}
