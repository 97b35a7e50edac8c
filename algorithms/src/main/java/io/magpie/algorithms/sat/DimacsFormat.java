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
 * <p>And assignments, as SAT competitions write them: lines that begin with {@code v}, with the
 * literals that are true, and a 0 at the end.
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
        throw in.error("a second header", "clauses", "put each formula into a file of its own");
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
   * Writes an assignment: the literals that are true, those of variables without a value left out.
   *
   * @param values for each variable 1 if it is true, -1 if it is false, 0 if it is neither
   * @param file where to
   * @throws IOException if it cannot be written
   */
  public static void writeAssignment(byte[] values, Path file) throws IOException {
    try (FileReplacement replacement = new FileReplacement(file)) {
      ByteSink out = replacement.sink();
      int inLine = 0;
      for (int v = 0; v < values.length; v++) {
        if (values[v] == 0) {
          continue;
        }
        out.text(inLine == 0 ? "v " : " ").signed(values[v] > 0 ? v + 1L : -v - 1L);
        if (++inLine == LITERALS_IN_LINE) {
          out.newLine();
          inLine = 0;
        }
      }
      out.text(inLine == 0 ? "v 0" : " 0").newLine();
      replacement.complete();
      replacement.commit();
    }
  }
}
