package io.magpie.stm;

/** A module, kernel or region was asked for by a name or path that does not exist. */
public class ModuleNotFoundException extends MagpieException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what was asked for and which names exist
   */
  public ModuleNotFoundException(String message) {
    super(message);
  }
}
