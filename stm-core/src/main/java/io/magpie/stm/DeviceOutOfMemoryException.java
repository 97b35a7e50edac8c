package io.magpie.stm;

/**
 * A device has too little free memory for an allocation. Nothing was allocated; the device stays
 * usable.
 */
public final class DeviceOutOfMemoryException extends MagpieException {
  private static final long serialVersionUID = 1L;

  private final long neededBytes;
  private final long freeBytes;

  /**
   * @param what what the memory was for, such as {@code long array of 1000 elements}
   * @param device the device's specification
   * @param neededBytes size of the allocation that failed
   * @param freeBytes what was free at that moment
   */
  public DeviceOutOfMemoryException(String what, String device, long neededBytes, long freeBytes) {
    this(what, device, neededBytes, freeBytes, "");
  }

  /**
   * @param remedy what to do about it; empty if that is plain
   */
  DeviceOutOfMemoryException(
      String what, String device, long neededBytes, long freeBytes, String remedy) {
    super(
        String.format(
            "%s: %s needs %,d bytes, %,d are free%s",
            device, what, neededBytes, freeBytes, remedy.isEmpty() ? "" : ": " + remedy));
    this.neededBytes = neededBytes;
    this.freeBytes = freeBytes;
  }

  /** Size of the allocation that failed, in bytes. */
  public long neededBytes() {
    return neededBytes;
  }

  /** Free memory of the device when it failed, in bytes. */
  public long freeBytes() {
    return freeBytes;
  }
}
