package io.magpie.algorithms;

/** A value of a setting that cannot be used, such as one out of range. */
public final class SettingException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final transient Setting<?> setting;
  private final String objection;

  /**
   * @param setting whose value it is
   * @param objection what is wrong with it, to follow the setting's name in a sentence
   */
  public SettingException(Setting<?> setting, String objection) {
    super(setting.name() + " " + objection);
    this.setting = setting;
    this.objection = objection;
  }

  /** Whose value it is. */
  public Setting<?> setting() {
    return setting;
  }

  /** What is wrong with it, to follow the setting's name in a sentence. */
  public String objection() {
    return objection;
  }
}
