package io.magpie.stm;

/**
 * Something of a device that has not been closed.
 *
 * @param what the thing, such as {@code int array of 100 elements}
 * @param allocation where it was made; null unless the property {@code magpie.trackLeaks} asks for
 *     it
 */
public record Leak(String what, Throwable allocation) {
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(what).append(" is still open");
    if (allocation != null) {
      for (StackTraceElement frame : allocation.getStackTrace()) {
        text.append("\n    at ").append(frame);
      }
    }
    return text.toString();
  }
}
