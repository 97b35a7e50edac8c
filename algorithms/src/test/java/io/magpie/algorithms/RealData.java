package io.magpie.algorithms;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Real graphs for tests, which are no part of the project: in the folder that the system property
 * or environment variable {@code MAGPIE_DATA} names. Without it their tests are skipped and say so.
 */
public final class RealData {
  private RealData() {}

  /** The file of that name; ends the test as skipped if it is not at hand. */
  public static Path file(String name) {
    String folder = System.getProperty("MAGPIE_DATA", System.getenv("MAGPIE_DATA"));
    assumeTrue(folder != null, "the environment variable MAGPIE_DATA names no folder of real data");
    Path file = Path.of(folder).resolve(name);
    assumeTrue(Files.exists(file), () -> file + " is absent");
    return file;
  }
}
