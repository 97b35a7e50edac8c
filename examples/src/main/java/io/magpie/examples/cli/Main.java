package io.magpie.examples.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Where Java begins. Needs next to nothing, so that it can still say what is wrong where the heap
 * is too small for the command line's own classes.
 */
public final class Main {
  /** Of {@link ExitStatus}, which may be among what cannot be loaded. */
  static final int OUT_OF_MEMORY = 5;

  static final int INTERNAL_ERROR = 70;

  private static final byte[] NO_ROOM =
      "magpie: Java's heap is too small to start; give it more, such as MAGPIE_JAVA_OPTIONS=-Xmx1g\n"
          .getBytes(StandardCharsets.US_ASCII);

  private Main() {}

  /** Runs the command line and ends the process with its {@link ExitStatus}. */
  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  /** Runs the command line on the process's own output, and gives its {@link ExitStatus}. */
  public static int run(String[] arguments) {
    try {
      return Magpie.start(arguments);
    } catch (Throwable e) { // the process must not end with Java's own status, which is a verdict
      return lackOfHeap(e) ? outOfMemory() : unexpected(e);
    }
  }

  /**
   * Whether Java's memory ran out, as such or as what made something else fail. A class that could
   * not be initialized for that reason keeps only its name.
   */
  static boolean lackOfHeap(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof OutOfMemoryError
          || (each instanceof ExceptionInInitializerError
              && each.getMessage() != null
              && each.getMessage().contains("java.lang.OutOfMemoryError"))) {
        return true;
      }
    }
    return false;
  }

  private static int outOfMemory() {
    try (FileOutputStream err = new FileOutputStream(FileDescriptor.err)) {
      err.write(NO_ROOM);
    } catch (IOException | OutOfMemoryError e) {
      // The status says it, too.
    }
    return OUT_OF_MEMORY;
  }

  private static int unexpected(Throwable e) {
    e.printStackTrace();
    return INTERNAL_ERROR;
  }
}
