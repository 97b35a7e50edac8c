package io.magpie.stm;

/** An argument of a launch does not fit the field it is for. Nothing was launched. */
public final class ArgumentMismatchException extends MagpieException {
  private static final long serialVersionUID = 1L;

  private final String kernel;
  private final int index;
  private final String field;
  private final String expected;
  private final String actual;

  /**
   * @param kernel the kernel's or region's name
   * @param index position of the argument, from 0; -1 if the number of arguments is wrong
   * @param field the field's name; the list of all fields if the number is wrong
   * @param expected what the field takes
   * @param actual what was given
   */
  public ArgumentMismatchException(
      String kernel, int index, String field, String expected, String actual) {
    super(
        index < 0
            ? kernel + " takes " + expected + " (" + field + "), got " + actual
            : "argument "
                + index
                + " ('"
                + field
                + "') of "
                + kernel
                + " must be "
                + expected
                + ", got "
                + actual);
    this.kernel = kernel;
    this.index = index;
    this.field = field;
    this.expected = expected;
    this.actual = actual;
  }

  /** The kernel's or region's name. */
  public String kernel() {
    return kernel;
  }

  /** Position of the argument, from 0; -1 if the number of arguments is wrong. */
  public int index() {
    return index;
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
