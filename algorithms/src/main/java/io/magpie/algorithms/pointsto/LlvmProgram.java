package io.magpie.algorithms.pointsto;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.internal.Compression;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;

/**
 * A program in LLVM's textual IR, as {@code clang -S -emit-llvm} and {@code llvm-dis} write it, and
 * the constraints of its points-to analysis: without regard to fields, to the order of statements
 * and to calling contexts, over the whole module.
 *
 * <p>Variables have names: {@code @f/%x} is register or parameter {@code %x} of function {@code
 * @f}, {@code @f/return} what the function returns, and {@code @g} the address of a global variable
 * or function. {@code *} before a name is the memory whose address it is: {@code *@g} is what C
 * calls the variable g, {@code *@f/%x} what the instruction that sets {@code %x} allocates, and
 * {@code *@f/...} the function's variable arguments.
 *
 * <p>What holds a pointer: pointers, integers and vectors of integers at least as long as one, and
 * arrays and structures of these. The page of the algorithm says what each instruction means, and
 * what is known of functions that have no body in the module.
 */
public final class LlvmProgram {
  private static final String SUFFIX = ".ll";

  private final ConstraintSet constraints;
  private final List<String> names;
  private final int functions;
  private final long instructions;
  private final long indirectCalls;
  private final int externalVariables;
  private final Map<String, Integer> ignoredCalls;
  private Map<String, Integer> numbers;

  LlvmProgram(
      ConstraintSet constraints,
      List<String> names,
      int functions,
      long instructions,
      long indirectCalls,
      int externalVariables,
      Map<String, Integer> ignoredCalls) {
    this.constraints = constraints;
    this.names = names;
    this.functions = functions;
    this.instructions = instructions;
    this.indirectCalls = indirectCalls;
    this.externalVariables = externalVariables;
    this.ignoredCalls = Collections.unmodifiableMap(ignoredCalls);
  }

  /**
   * Whether a file's name is that of a program: it ends in {@code .ll}, {@code .ll.gz} or {@code
   * .ll.xz}.
   */
  public static boolean isName(Path file) {
    String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    name = name.substring(0, name.length() - Compression.of(name).suffix().length());
    return name.endsWith(SUFFIX);
  }

  /**
   * Reads a program.
   *
   * @param file a module that holds all of it; llvm-link makes one of several
   * @return its constraints and names
   * @throws FileFormatException if the file is malformed, or has an instruction that is not
   *     supported; the message names the line
   * @throws IOException if the file cannot be read
   */
  public static LlvmProgram read(Path file) throws IOException {
    Compression compression = Compression.of(String.valueOf(file.getFileName()));
    try (ByteSource source = new ByteSource(file, compression)) {
      return new LlvmReader(source).read();
    }
  }

  /** The constraints. */
  public ConstraintSet constraints() {
    return constraints;
  }

  /**
   * The name of a variable.
   *
   * @param variable from 0
   * @throws IndexOutOfBoundsException if there is no such variable
   */
  public String name(int variable) {
    return names.get(variable);
  }

  /**
   * The variable of a name.
   *
   * @param name such as {@code *@g}
   * @return empty if there is none; of several the first
   */
  public OptionalInt variable(String name) {
    if (numbers == null) {
      Map<String, Integer> all = new HashMap<>();
      for (int v = 0; v < names.size(); v++) {
        all.putIfAbsent(names.get(v), v);
      }
      numbers = all;
    }
    Integer variable = numbers.get(name);
    return variable == null ? OptionalInt.empty() : OptionalInt.of(variable);
  }

  /** The number of functions with a body. */
  public int functions() {
    return functions;
  }

  /** The number of instructions. */
  public long instructions() {
    return instructions;
  }

  /** The number of calls of which only a pointer tells what they call. */
  public long indirectCalls() {
    return indirectCalls;
  }

  /**
   * The number of variables that another module defines. They are taken to point to nothing until
   * the program stores something in them, so the sets are unsound as far as they do.
   */
  public int externalVariables() {
    return externalVariables;
  }

  /**
   * Calls that are taken to do nothing with pointers, because what they call has no body in the
   * module and is not known otherwise: their numbers by name. The sets are unsound as far as these
   * store, return or call back anything. Lines of assembler count as {@code module asm} and {@code
   * inline assembler}.
   */
  public Map<String, Integer> ignoredCalls() {
    return ignoredCalls;
  }
}
