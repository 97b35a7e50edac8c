package io.magpie.examples.input;

import io.magpie.algorithms.pointsto.ConstraintFormats;
import io.magpie.algorithms.pointsto.ConstraintGenerator;
import io.magpie.algorithms.pointsto.ConstraintSet;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Constraints in a file.
 *
 * @param file the file
 */
public record ConstraintFile(Path file) implements ConstraintInput, FileInput {
  @Override
  public List<Path> filesRead() {
    return ConstraintFormats.filesOf(file);
  }

  @Override
  public ConstraintSet constraints() throws IOException {
    return Inputs.read(
        file, ConstraintGenerator.usage(), "cycles:vars=100k", () -> ConstraintFormats.read(file));
  }
}
