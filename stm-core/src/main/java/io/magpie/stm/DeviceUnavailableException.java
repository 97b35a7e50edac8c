package io.magpie.stm;

/** A device was asked for that does not exist, is not usable here, or is named wrongly. */
public final class DeviceUnavailableException extends MagpieException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what was asked for, why it cannot be had, what is allowed and what there is
   */
  public DeviceUnavailableException(String message) {
    super(message);
  }

  /**
   * @param message what was asked for, why it cannot be had, what is allowed and what there is
   * @param cause what the driver or the loader said
   */
  public DeviceUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
