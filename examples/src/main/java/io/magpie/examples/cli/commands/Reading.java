package io.magpie.examples.cli.commands;

import io.magpie.algorithms.FileFormatException;
import io.magpie.examples.input.Input;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileSystemException;

/** Reads an input, of whatever kind. */
final class Reading {
  /** What reads. */
  interface Reader<T> {
    T read() throws IOException;
  }

  private Reading() {}

  /**
   * What a reader gives.
   *
   * @throws IOException if it fails; the message names the input, which that of a kind of somebody
   *     else's need not do
   */
  static <T> T of(Input input, Reader<T> reader) throws IOException {
    try {
      return reader.read();
    } catch (FileSystemException | FileNotFoundException | FileFormatException e) {
      throw e; // names the file
    } catch (IOException e) {
      String said = String.valueOf(e.getMessage());
      throw said.contains(input.description())
          ? e
          : new IOException(input.description() + ": cannot be read: " + said, e);
    }
  }
}
