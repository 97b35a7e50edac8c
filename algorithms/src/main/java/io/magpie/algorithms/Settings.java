package io.magpie.algorithms;

import java.util.List;
import java.util.Map;

/**
 * Options that are nothing but their settings, for an algorithm that needs no class of its own for
 * them:
 *
 * <pre>{@code
 * Settings defaults = Settings.of(ORDER, TransactionSettings.POLICY);
 * Settings changed = defaults.with(ORDER, Order.DEGREE);
 * changed.get(ORDER); // DEGREE
 * }</pre>
 */
public final class Settings extends Options<Settings> {
  private final List<Setting<?>> settings;

  private Settings(List<Setting<?>> settings, Map<String, Object> values) {
    super(values);
    this.settings = settings;
  }

  /** All defaults of these settings, those on which others depend first. */
  public static Settings of(Setting<?>... settings) {
    return new Settings(List.of(settings), Map.of());
  }

  @Override
  public List<Setting<?>> settings() {
    return settings;
  }

  @Override
  protected Settings copy(Map<String, Object> changed) {
    return new Settings(settings, changed);
  }
}
