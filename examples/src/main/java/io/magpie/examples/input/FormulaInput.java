package io.magpie.examples.input;

import io.magpie.algorithms.sat.DimacsFormat;
import io.magpie.algorithms.sat.Formula;
import io.magpie.algorithms.sat.FormulaGenerator;
import java.io.IOException;
import java.nio.file.Path;

/** Where a formula in conjunctive normal form comes from. */
public interface FormulaInput extends Input {
  /**
   * Reads the formula, or makes it.
   *
   * @throws IOException if a file cannot be read or is malformed
   * @throws InputException if there is no memory for it
   */
  Formula formula() throws IOException;

  /**
   * A generated formula where the text begins with the name of a kind and a colon, else one of a
   * file in DIMACS format.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  static FormulaInput of(String text) {
    int colon = text.indexOf(':');
    return colon > 0 && FormulaGenerator.isKind(text.substring(0, colon))
        ? new Generated(FormulaGenerator.parse(text))
        : new OfFile(Inputs.file(text));
  }

  /**
   * A generated one.
   *
   * @param generator what makes it
   */
  record Generated(FormulaGenerator generator) implements FormulaInput, GeneratedInput {
    @Override
    public Formula formula() {
      return GeneratedInput.made(generator);
    }
  }

  /**
   * One of a file.
   *
   * @param file in DIMACS format
   */
  record OfFile(Path file) implements FormulaInput, FileInput {
    @Override
    public Formula formula() throws IOException {
      return Inputs.read(
          file, FormulaGenerator.usage(), "ksat:n=100k,ratio=4.2", () -> DimacsFormat.read(file));
    }
  }
}
