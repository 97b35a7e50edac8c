package io.magpie.algorithms;

import java.util.ArrayList;
import java.util.List;

/**
 * The settings of an algorithm's {@link Options}, in the order in which they are declared: each
 * constant adds itself, so that none is forgotten.
 *
 * <pre>{@code
 * private static final SettingList SETTINGS = new SettingList();
 *
 * public static final Setting<Effort> EFFORT =
 *     SETTINGS.add(Setting.oneOf("effort", Effort.DEFAULT, "time against cut"));
 * }</pre>
 */
public final class SettingList {
  private final List<Setting<?>> settings = new ArrayList<>();
  private List<Setting<?>> all; // two threads may set it, to equal lists

  /** An empty list. */
  public SettingList() {}

  /**
   * Adds a setting behind those that are there.
   *
   * @return the same setting
   * @throws IllegalArgumentException if there is one of its name
   * @throws IllegalStateException if {@link #all} was called
   */
  public <V> Setting<V> add(Setting<V> setting) {
    addAll(List.of(setting));
    return setting;
  }

  /** Adds several. */
  public void addAll(List<Setting<?>> several) {
    if (all != null) {
      throw new IllegalStateException(several + " come too late: the settings are in use");
    }
    for (Setting<?> each : several) {
      if (settings.stream().anyMatch(other -> other.name().equals(each.name()))) {
        throw new IllegalArgumentException("there are two settings '" + each.name() + "'");
      }
      settings.add(each);
    }
  }

  /** All settings; from now on, there are no more. */
  public List<Setting<?>> all() {
    if (all == null) {
      all = List.copyOf(settings);
    }
    return all;
  }
}
