package io.magpie.examples.cli;

import io.magpie.examples.cli.output.BuildInfo;
import java.nio.file.Path;

/** Tells the command line where the tutorials are, as the launchers do. */
final class Tutorials {
  private Tutorials() {}

  static void makeKnown() {
    System.setProperty(
        BuildInfo.HOME, Path.of(System.getProperty("magpie.basedir")).getParent().toString());
  }
}
