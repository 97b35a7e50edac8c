package io.magpie.examples.input;

import io.magpie.algorithms.nbody.Bodies;
import io.magpie.algorithms.nbody.BodyGenerator;
import io.magpie.algorithms.nbody.TipsyFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Bodies in a file of Tipsy's format.
 *
 * @param file the file
 */
public record BodiesFile(Path file) implements BodiesInput {
  @Override
  public String description() {
    return file.toString();
  }

  @Override
  public boolean generated() {
    return false;
  }

  @Override
  public List<Path> filesRead() {
    return List.of(file);
  }

  @Override
  public Bodies bodies() throws IOException {
    return Inputs.read(file, BodyGenerator.usage(), "plummer:n=30k", () -> TipsyFormat.read(file));
  }
}
