package io.magpie.algorithms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import io.magpie.stm.MagpieException;

/** Launches in which two arrays of a driver change places, at least one of which is written. */
public final class SwappedArrays {
  private SwappedArrays() {}

  /**
   * Requires that a kernel takes its arrays as they should be, and no input for what it writes.
   *
   * @param written the field that an input is given for
   */
  public static void assertInputRefused(
      KernelModule module, String kernel, Fields right, Fields swapped, String written) {
    assertRefused(
        module, kernel, right, swapped, written, ", and the field's elements are not const");
  }

  /**
   * Requires that a kernel takes its arrays as they should be, and not one that it writes for
   * another one.
   *
   * @param field that the array named after another field is given for
   * @param other that one
   */
  public static void assertOtherRefused(
      KernelModule module,
      String kernel,
      Fields right,
      Fields swapped,
      String field,
      String other) {
    String remedy = "': set that to it, or name no arrays that change places";
    assertRefused(
        module, kernel, right, swapped, field, ", which is named after '" + other + remedy);
  }

  private static void assertRefused(
      KernelModule module, String kernel, Fields right, Fields swapped, String field, String end) {
    module.kernel(kernel).run(1, right);
    MagpieException e =
        assertThrows(MagpieException.class, () -> module.kernel(kernel).run(1, swapped));
    String message = e.getMessage();
    String begin = "'" + field + "' of kernel " + kernel + " must be an array of ";
    assertEquals(
        begin + end,
        message.substring(0, Math.min(message.length(), begin.length()))
            + message.substring(Math.max(0, message.length() - end.length())),
        message);
  }
}
