package io.magpie.algorithms.sat;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.internal.ByteSink;
import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.internal.Compression;
import io.magpie.algorithms.internal.FileReplacement;
import io.magpie.algorithms.internal.Tokenizer;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Formulas in the DIMACS format of conjunctive normal forms: comments, lines that begin with {@code
 * c}; a header {@code p cnf VARIABLES CLAUSES}; then the clauses, each a list of literals, v or -v
 * for variable v counted from 1, that ends in 0 and may go over several lines. A line {@code %}, as
 * the instances of SATLIB have one, ends the file. The end of the name, {@code .gz} or {@code .xz},
 * tells the compression.
 *
 * <p>And results, as SAT competitions write them: a line that begins with {@code s} tells whether
 * there is a solution, and lines that begin with {@code v} have its literals.
 */
public final class DimacsFormat {
  private static final String HEADER = "a header 'p cnf VARIABLES CLAUSES'";
  private static final int LITERALS_IN_LINE = 10;

  private DimacsFormat() {}

  /**
   * Reads a formula.
   *
   * @param file where from
   * @return the formula, clauses as they are in the file
   * @throws FileFormatException if it is malformed; the message names the line, what was found and
   *     what was expected
   * @throws IOException if it cannot be read
   */
  public static Formula read(Path file) throws IOException {
    Compression compression = Compression.of(String.valueOf(file.getFileName()));
    try (ByteSource source = new ByteSource(file, compression)) {
      return read(new Tokenizer(source));
    }
  }

  private static Formula read(Tokenizer in) throws IOException {
    int variables = -1;
    long declared = 0;
    long clauses = 0;
    boolean open = false;
    Formula.Builder formula = null;
    while (in.nextLine()) {
      int c = in.first();
      if (c == -1 || c == 'c') {
        continue;
      }
      if (formula == null) {
        if (!in.takeLetter('p')) {
          throw in.error(Tokenizer.quote(in.nextText(HEADER)), HEADER);
        }
        String kind = in.nextText(HEADER);
        if (!kind.equals("cnf")) {
          throw in.error(
              Tokenizer.quote(kind), HEADER, "other problems of DIMACS are not formulas");
        }
        variables =
            in.nextInt(
                0, Formula.MAX_VARIABLES, "the number of variables, 0 to " + Formula.MAX_VARIABLES);
        declared =
            in.nextLong(
                0, Formula.MAX_LITERALS, "the number of clauses, 0 to " + Formula.MAX_LITERALS);
        in.expectEndOfLine("the header");
        formula = new Formula.Builder(variables);
        continue;
      }
      if (c == 'p') {
        throw in.error("a second header", "clauses", "put each formula into its own file");
      }
      if (c == '%') {
        break;
      }
      while (!in.endOfLine()) {
        if (clauses == declared) {
          throw in.error(
              "more clauses",
              declared + " clauses, as the header says",
              "correct the header, 'p cnf " + variables + " CLAUSES'");
        }
        int literal = nextLiteral(in, variables);
        try {
          if (literal == 0) {
            formula.endClause();
            clauses++;
          } else {
            formula.literal(2 * (Math.abs(literal) - 1) + (literal < 0 ? 1 : 0));
          }
        } catch (IllegalArgumentException e) {
          throw in.error(e.getMessage(), "at most " + Formula.MAX_LITERALS + " literals in all");
        }
        open = literal != 0;
      }
    }
    if (formula == null) {
      throw in.error(in.line() == 0 ? "an empty file" : "the end of the file", HEADER);
    }
    if (open) {
      throw in.error(
          "the end of the file inside a clause", "a 0 that ends it", "the file may be truncated");
    }
    if (clauses < declared) {
      throw in.error(
          "the end of the file after " + clauses + " clauses",
          declared + " clauses, as the header says",
          "the file may be truncated; or correct the header, 'p cnf "
              + variables
              + " "
              + clauses
              + "'");
    }
    return formula.build();
  }

  private static int nextLiteral(Tokenizer in, int variables) throws IOException {
    long value = in.takeWhole();
    if (value >= -variables && value <= variables) {
      return (int) value;
    }
    String expected =
        variables == 0
            ? "0, as there are no variables"
            : "a literal, 1 to " + variables + " or the negative of that, or 0";
    if (value != Long.MIN_VALUE) {
      throw in.error(
          "'" + value + "'",
          expected,
          "the header says that there are " + variables + " variables");
    }
    // What takeWhole does not take: text, or a number at the end of the buffer.
    String text = in.nextNumber(expected);
    if (text.matches("[-+]?[0-9]{1,10}")) {
      long slow = Long.parseLong(text);
      if (slow >= -variables && slow <= variables) {
        return (int) slow;
      }
    }
    throw in.error(Tokenizer.quote(text), expected);
  }

  /**
   * Writes a formula. The file appears complete or not at all; on failure an existing one stays as
   * it was.
   *
   * @param formula what
   * @param file where to
   * @throws IOException if it cannot be written
   */
  public static void write(Formula formula, Path file) throws IOException {
    try (FileReplacement replacement = new FileReplacement(file)) {
      ByteSink out = replacement.sink();
      out.text("p cnf ").number(formula.variables()).blank().number(formula.clauses()).newLine();
      for (int a = 0; a < formula.clauses(); a++) {
        for (int e = formula.offsets()[a]; e < formula.offsets()[a + 1]; e++) {
          int literal = formula.literals()[e];
          out.signed((literal & 1) == 0 ? (literal >>> 1) + 1L : -(literal >>> 1) - 1L).blank();
        }
        out.number(0).newLine();
      }
      replacement.complete();
      replacement.commit();
    }
  }

  /**
   * Writes what was found. Solved: a line {@code s SATISFIABLE}, and the assignment in lines that
   * begin with {@code v}, a 0 at its end. Shown to have no solution: {@code s UNSATISFIABLE}. Else
   * {@code s UNKNOWN}, and the literals that decided values make true in comments, lines that begin
   * with {@code c decided}: they may be no part of any solution.
   *
   * @param result of any outcome
   * @param file where to; it appears complete or not at all
   * @throws IOException if it cannot be written
   */
  public static void writeResult(SurveyResult result, Path file) throws IOException {
    try (FileReplacement replacement = new FileReplacement(file)) {
      ByteSink out = replacement.sink();
      if (result.assignment().isPresent()) {
        out.text("s SATISFIABLE").newLine();
        boolean lineIsFull = literals(result.assignment().get(), "v", out);
        out.text(lineIsFull ? "v 0" : " 0").newLine();
      } else {
        out.text(result.unsatisfiable() ? "s UNSATISFIABLE" : "s UNKNOWN").newLine();
        if (!literals(result.decided(), "c decided", out)) {
          out.newLine();
        }
      }
      replacement.complete();
      replacement.commit();
    }
  }

  /** Writes the literals that are true; whether the last line has an end. */
  private static boolean literals(byte[] values, String begin, ByteSink out) throws IOException {
    int inLine = 0;
    for (int v = 0; v < values.length; v++) {
      if (values[v] == 0) {
        continue;
      }
      out.text(inLine == 0 ? begin + " " : " ").signed(values[v] > 0 ? v + 1L : -v - 1L);
      if (++inLine == LITERALS_IN_LINE) {
        out.newLine();
        inLine = 0;
      }
    }
    return inLine == 0;
  }
}
