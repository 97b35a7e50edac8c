package io.magpie.algorithms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import io.magpie.stm.MagpieException;

/** Launches in which an input of a driver and an array that is written change places. */
public final class SwappedInputs {
  private SwappedInputs() {}

  /**
   * Requires that a kernel takes its arrays as they should be, and refuses them swapped.
   *
   * @param written the field that an input is then given for
   */
  public static void assertRefused(
      KernelModule module, String kernel, Fields right, Fields swapped, String written) {
    module.kernel(kernel).run(1, right);
    MagpieException e =
        assertThrows(MagpieException.class, () -> module.kernel(kernel).run(1, swapped));
    String message = e.getMessage();
    String begin = "'" + written + "' of kernel " + kernel + " must be an array of ";
    String end = ", and the field's elements are not const";
    assertEquals(
        begin + end,
        message.substring(0, Math.min(message.length(), begin.length()))
            + message.substring(Math.max(0, message.length() - end.length())),
        message);
  }
}
