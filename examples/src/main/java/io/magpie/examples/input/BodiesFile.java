package io.magpie.examples.input;

import io.magpie.algorithms.nbody.Bodies;
import io.magpie.algorithms.nbody.BodyCsvFormat;
import io.magpie.algorithms.nbody.BodyGenerator;
import io.magpie.algorithms.nbody.TipsyFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Bodies in a file: of text if its name ends in {@code .csv}, else of Tipsy's format.
 *
 * @param file the file
 */
public record BodiesFile(Path file) implements BodiesInput, FileInput {
  @Override
  public Bodies bodies() throws IOException {
    boolean isText = file.toString().toLowerCase(Locale.ROOT).endsWith(".csv");
    return Inputs.read(
        file,
        BodyGenerator.usage(),
        "plummer:n=30k",
        () -> isText ? BodyCsvFormat.read(file) : TipsyFormat.read(file));
  }
}
