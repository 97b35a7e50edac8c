package io.magpie.examples.input;

import io.magpie.algorithms.pointsto.ConstraintFormats;
import io.magpie.algorithms.pointsto.ConstraintGenerator;
import io.magpie.algorithms.pointsto.ConstraintSet;
import io.magpie.algorithms.pointsto.LlvmProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The constraints of a program in LLVM's textual IR.
 *
 * @param file its file
 */
public record ProgramFile(Path file) implements ConstraintInput, FileInput {
  @Override
  public List<Path> filesRead() {
    return ConstraintFormats.filesOf(file);
  }

  /**
   * Reads the program, which has the names of its variables besides its constraints.
   *
   * @throws IOException if the file cannot be read, is malformed, or has what is not supported
   */
  public LlvmProgram program() throws IOException {
    return Inputs.read(
        file, ConstraintGenerator.usage(), "cycles:vars=100k", () -> LlvmProgram.read(file));
  }

  @Override
  public ConstraintSet constraints() throws IOException {
    return program().constraints();
  }
}
