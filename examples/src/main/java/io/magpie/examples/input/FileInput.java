package io.magpie.examples.input;

import java.nio.file.Path;
import java.util.List;

/** An input that is read from a file; such a type adds how it is read. */
public interface FileInput extends Input {
  /** The file. */
  Path file();

  @Override
  default String description() {
    return file().toString();
  }

  @Override
  default boolean generated() {
    return false;
  }

  @Override
  default List<Path> filesRead() {
    return List.of(file());
  }
}
