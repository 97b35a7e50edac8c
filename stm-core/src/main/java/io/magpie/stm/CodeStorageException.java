package io.magpie.stm;

/**
 * Compiled code can be stored neither in the cache nor in a temporary folder, because no space is
 * left or no folder can be written.
 */
public class CodeStorageException extends MagpieException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message the folders, what failed and the remedy
   */
  public CodeStorageException(String message) {
    super(message);
  }

  /**
   * @param message the folders, what failed and the remedy
   * @param cause what made it happen
   */
  public CodeStorageException(String message, Throwable cause) {
    super(message, cause);
  }
}
