package io.magpie.stm;

/**
 * An argument of a launch does not fit the field it is for. Nothing was launched. To programs it is
 * a {@link MagpieException}, as there is nothing to do about it but to read its message.
 */
final class ArgumentMismatchException extends MagpieException {
  private static final long serialVersionUID = 1L;

  private final String kernel;
  private final String field;
  private final String expected;
  private final String actual;

  /**
   * @param kernel the kernel's or region's name
   * @param field the field's name, {@code member.field} in a struct
   * @param expected what the field takes
   * @param actual what was given
   */
  ArgumentMismatchException(String kernel, String field, String expected, String actual) {
    super("'" + field + "' of " + kernel + " must be " + expected + ", got " + actual);
    this.kernel = kernel;
    this.field = field;
    this.expected = expected;
    this.actual = actual;
  }

  /** The kernel's or region's name. */
  String kernel() {
    return kernel;
  }

  /** The field's name. */
  String field() {
    return field;
  }

  /** What the field takes. */
  String expected() {
    return expected;
  }

  /** What was given. */
  String actual() {
    return actual;
  }
}
