package io.magpie.stm;

/** An argument of a launch does not fit the field it is for. Nothing was launched. */
public final class ArgumentMismatchException extends MagpieException {
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
  public ArgumentMismatchException(String kernel, String field, String expected, String actual) {
    super("'" + field + "' of " + kernel + " must be " + expected + ", got " + actual);
    this.kernel = kernel;
    this.field = field;
    this.expected = expected;
    this.actual = actual;
  }

  /** The kernel's or region's name. */
  public String kernel() {
    return kernel;
  }

  /** The field's name. */
  public String field() {
    return field;
  }

  /** What the field takes. */
  public String expected() {
    return expected;
  }

  /** What was given. */
  public String actual() {
    return actual;
  }
}
