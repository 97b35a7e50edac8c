package io.magpie.examples.input;

import java.nio.file.Path;
import java.util.List;

/**
 * Where an input comes from: files or a generator. Nothing is read or generated until it is asked
 * for. What is asked for is up to the type, such as {@link GraphInput#graph()}.
 */
public interface Input {
  /**
   * The input in words: the file's path, or the generator with all its parameters. Where there is a
   * seed, it is among them, such as {@code seed=7}.
   */
  String description();

  /** Whether it is generated rather than read. */
  boolean generated();

  /**
   * The files that it is read from, which commands never replace; links stay what they are. None
   * unless an input that reads files names them.
   */
  default List<Path> filesRead() {
    return List.of();
  }

  /** The seed by which it is drawn: 1 if none was given, or nothing is drawn. */
  default long seed() {
    return 1;
  }
}
