package io.magpie.examples.cli.output;

import io.magpie.examples.compare.Progress;
import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** What depends on whether a person watches. */
public final class Terminal {
  /** Bits of a file's mode that say what it is, as in stat(2), and two values. */
  private static final int FILE_TYPE = 0170000;

  private static final int PIPE = 0010000;
  private static final int SOCKET = 0140000;

  private static final int UPDATE_MILLIS = 1_000;

  private Terminal() {}

  /** Whether input and output are a terminal. */
  public static boolean present() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try { // since Java 22 there is a console without a terminal, too
      return (Boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException e) {
      return true;
    }
  }

  /** Whether standard output is a pipe or a socket, with somebody at its other end. */
  public static boolean outputIsPipe() {
    try {
      int mode = (Integer) Files.getAttribute(Path.of("/dev/stdout"), "unix:mode");
      return (mode & FILE_TYPE) == PIPE || (mode & FILE_TYPE) == SOCKET;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return false;
    }
  }

  /** A bar on standard error, renewed each second, if that is a terminal; else nothing. */
  public static Progress progress() {
    return isTerminal(Path.of("/proc/self/fd/2")) ? new Bar() : Progress.NONE;
  }

  /**
   * Whether an open file is a terminal.
   *
   * @param descriptor link to it, which need not lead anywhere in a container
   */
  static boolean isTerminal(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().matches("/dev/(pts/\\d+|tty.*|console)");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  private static final class Bar implements Progress {
    private ProgressBar bar;

    @Override
    public void begin(String task, long steps) {
      close();
      bar =
          new ProgressBarBuilder()
              .setTaskName(task)
              .setInitialMax(steps)
              .setStyle(ProgressBarStyle.ASCII)
              .setUpdateIntervalMillis(UPDATE_MILLIS)
              .clearDisplayOnFinish()
              .build();
    }

    @Override
    public void advance() {
      if (bar != null) {
        bar.step();
      }
    }

    @Override
    public void tell(String more) {
      if (bar != null) {
        bar.setExtraMessage(more);
      }
    }

    @Override
    public void close() {
      if (bar != null) {
        bar.close();
        bar = null;
      }
    }
  }
}
