package io.magpie.algorithms.pointsto;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.internal.ByteSink;
import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.internal.Compression;
import io.magpie.algorithms.internal.FileReplacement;
import io.magpie.algorithms.internal.Tokenizer;
import io.magpie.algorithms.pointsto.ConstraintSet.Kind;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * Files of constraints, plain or packed as the end of the name, {@code .gz} or {@code .xz}, tells.
 * The rest of a line from {@code #} on is a comment, and lines without anything else do not count.
 *
 * <p><b>Lines.</b> {@code vars N}, once and first or not at all, is the number of variables, which
 * is one more than the greatest that is named otherwise. Then {@code addr D S} ({@code D = &S}),
 * {@code copy D S} ({@code D = S}), {@code load D S} ({@code D = *S}) or {@code store D S} ({@code
 * *D = S}), in any order, with variables from 0. By order within each kind, reading gives what was
 * written.
 *
 * <p><b>LonestarGPU's and Galois's files</b>, with commas between numbers, which are told by the
 * end of the name, {@code X_constraints_after_hcd.txt}. Its first line has the numbers of
 * address-of, copy, load, store and GEP constraints; then follow these, in that order, as lines of
 * number, source, destination, type, offset, of which number and type do not count. Next to it are
 * {@code X_nodes.txt}, whose first line is the number of variables, and perhaps {@code X_hcd.txt},
 * packed in the same way. The latter begins with the number of variables for which constraints name
 * another one, and a line {@code VARIABLE,OTHER} for each: both become copies of each other. The
 * rest of that file lists where cycles will be, which nobody needs to know. Constraints have no
 * fields here: a GEP constraint of offset 0 is a copy, and every other offset is refused.
 *
 * <p><b>Programs</b> in LLVM's textual IR, {@code .ll}, are only read: {@link LlvmProgram} also has
 * the names of their variables.
 */
public final class ConstraintFormats {
  private static final String AFTER_HCD = "_constraints_after_hcd.txt";
  private static final String NODES = "_nodes.txt";
  private static final String HCD = "_hcd.txt";

  /** Numbers of a constraint's line in LonestarGPU's files. */
  private static final int COLUMNS = 5;

  private ConstraintFormats() {}

  /**
   * Reads constraints.
   *
   * @param file their file; of LonestarGPU's, that of the constraints; or a program's
   * @return the constraints
   * @throws FileFormatException if a file is malformed, or has what is not supported; the message
   *     names the line
   * @throws IOException if a file cannot be read
   */
  public static ConstraintSet read(Path file) throws IOException {
    if (LlvmProgram.isName(file)) {
      return LlvmProgram.read(file).constraints();
    }
    return prefix(file) == null ? readLines(file) : readLonestar(file);
  }

  /**
   * The files that belong to one, itself first, whether they exist or not.
   *
   * @param file as for {@link #read} and {@link #write}
   */
  public static List<Path> filesOf(Path file) {
    return prefix(file) == null
        ? List.of(file)
        : List.of(file, beside(file, NODES), beside(file, HCD));
  }

  /**
   * Writes constraints. Each file appears complete or not at all; on failure an existing one stays
   * as it was.
   *
   * @param constraints what to write
   * @param file where to; if its name ends in {@code _constraints_after_hcd.txt}, perhaps packed,
   *     LonestarGPU's three files are written, without what only other tools need: all variables
   *     are objects of size 1, and the table of cycles is empty
   * @throws IllegalArgumentException if the file's name is that of a program
   * @throws IOException if it cannot be written
   */
  public static void write(ConstraintSet constraints, Path file) throws IOException {
    if (LlvmProgram.isName(file)) {
      throw new IllegalArgumentException(file + ": constraints cannot be written as a program");
    }
    if (prefix(file) == null) {
      replace(file, out -> writeLines(constraints, out));
      return;
    }
    replace(beside(file, NODES), out -> writeNodes(constraints, out));
    replace(beside(file, HCD), out -> out.text("0").newLine().text("0,0").newLine());
    replace(file, out -> writeAfterHcd(constraints, out));
  }

  /** What the names of LonestarGPU's files begin with; null if the file is none of these. */
  private static String prefix(Path file) {
    String name = String.valueOf(file.getFileName());
    name = name.substring(0, name.length() - Compression.of(name).suffix().length());
    return name.endsWith(AFTER_HCD) ? name.substring(0, name.length() - AFTER_HCD.length()) : null;
  }

  private static Path beside(Path file, String end) {
    return file.resolveSibling(
        prefix(file) + end + Compression.of(String.valueOf(file.getFileName())).suffix());
  }

  // ---- Lines.

  private static ConstraintSet readLines(Path file) throws IOException {
    try (ByteSource source = open(file)) {
      Tokenizer in = new Tokenizer(source, '#');
      ConstraintSet.Builder builder = ConstraintSet.builder(0);
      int declared = -1;
      boolean any = false;
      while (in.nextLine()) {
        if (in.endOfLine()) {
          continue;
        }
        String word = in.nextText("a kind of constraint");
        if (word.equals("vars") && declared < 0 && !any) {
          declared =
              in.nextInt(
                  0,
                  ConstraintSet.MAX_VARIABLES,
                  "the number of variables, 0 to " + ConstraintSet.MAX_VARIABLES);
          builder.atLeast(declared);
          in.expectEndOfLine("the number of variables");
          continue;
        }
        any = true;
        Kind kind = kind(in, word);
        int to = variable(in, declared);
        builder.add(kind, to, variable(in, declared));
        in.expectEndOfLine("the two variables");
      }
      if (in.line() == 0) {
        throw in.error(
            "an empty file",
            "lines 'addr|copy|load|store DESTINATION SOURCE'",
            "write no constraints at all as 'vars 0'");
      }
      return builder.build();
    }
  }

  private static Kind kind(Tokenizer in, String word) throws IOException {
    for (Kind kind : Kind.values()) {
      if (kind.word().equals(word)) {
        return kind;
      }
    }
    throw in.error(
        Tokenizer.quote(word),
        "addr, copy, load or store",
        word.equals("vars") ? "'vars' is allowed once, before all constraints" : null);
  }

  private static int variable(Tokenizer in, int declared) throws IOException {
    int most = declared < 0 ? ConstraintSet.MAX_VARIABLES - 1 : declared - 1;
    return (int)
        in.nextLong(
            0,
            most,
            most < 0 ? "no variable, as 'vars 0' says" : "a variable, 0 to " + most,
            declared < 0 ? null : "correct 'vars " + declared + "' if there are more");
  }

  private static void writeLines(ConstraintSet constraints, ByteSink out) throws IOException {
    out.text("vars ").number(constraints.variables()).newLine();
    for (Kind kind : Kind.values()) {
      for (int i = 0; i < constraints.count(kind); i++) {
        out.text(kind.word())
            .blank()
            .number(constraints.destinations(kind)[i])
            .blank()
            .number(constraints.sources(kind)[i])
            .newLine();
      }
    }
  }

  // ---- LonestarGPU's files.

  private static ConstraintSet readLonestar(Path file) throws IOException {
    ConstraintSet.Builder builder;
    int variables;
    try (ByteSource source = open(file)) { // first, as it is the one that was named
      variables = variables(file);
      builder = ConstraintSet.builder(variables);
      readAfterHcd(new Rows(source), variables, beside(file, NODES), builder);
    }
    Path hcd = beside(file, HCD);
    if (Files.exists(hcd)) {
      try (ByteSource source = open(hcd)) {
        Rows in = new Rows(source);
        long merged = in.next("the number of merged variables", 1, 0, variables)[0];
        for (long i = 0; i < merged; i++) {
          long[] pair = in.next("a variable and the one that stands for it", 2, 0, variables - 1L);
          builder.add(Kind.COPY, (int) pair[0], (int) pair[1]);
          builder.add(Kind.COPY, (int) pair[1], (int) pair[0]);
        }
      }
    }
    return builder.build();
  }

  /** The number that the file of variables next to one of constraints begins with. */
  private static int variables(Path file) throws IOException {
    Path nodes = beside(file, NODES);
    try (ByteSource source = open(nodes)) {
      Rows in = new Rows(source);
      return (int) in.next("the number of variables", 1, 0, ConstraintSet.MAX_VARIABLES)[0];
    } catch (NoSuchFileException e) {
      FileSystemException missing =
          new FileSystemException(
              file.toString(),
              null,
              "no file "
                  + nodes.getFileName()
                  + " next to it, whose first line is the number of variables");
      missing.initCause(e);
      throw missing;
    }
  }

  private static void readAfterHcd(
      Rows in, int variables, Path nodes, ConstraintSet.Builder builder) throws IOException {
    long[] counts =
        in.next(
            "the numbers of address-of, copy, load, store and GEP constraints",
            COLUMNS,
            0,
            Integer.MAX_VALUE);
    Kind[] kinds = {Kind.ADDRESS_OF, Kind.COPY, Kind.LOAD, Kind.STORE, Kind.COPY};
    for (int section = 0; section < kinds.length; section++) {
      for (long i = 0; i < counts[section]; i++) {
        long[] row =
            in.next("number, source, destination, type and offset", COLUMNS, 0, Long.MAX_VALUE);
        for (int column = 1; column <= 2; column++) {
          if (row[column] >= variables) {
            throw in.tokens.error(
                "variable " + row[column],
                "0 to " + (variables - 1L),
                "as " + nodes.getFileName() + " has " + variables + " variables");
          }
        }
        if (row[COLUMNS - 1] != 0) {
          throw in.tokens.error(
              "an offset of " + row[COLUMNS - 1],
              "0",
              "fields of structures are not supported: extract the constraints without them");
        }
        builder.add(kinds[section], (int) row[2], (int) row[1]);
      }
    }
    in.requireEnd("as many constraints as the first line says");
  }

  private static void writeNodes(ConstraintSet constraints, ByteSink out) throws IOException {
    int variables = constraints.variables();
    out.text("# variables, last object, last function, then objects: number, size, function")
        .newLine();
    out.number(variables).newLine();
    out.number(Math.max(0, variables - 1L)).newLine();
    out.number(0).newLine();
    for (int v = 0; v < variables; v++) {
      out.number(v).text(",1,0").newLine();
    }
  }

  private static void writeAfterHcd(ConstraintSet constraints, ByteSink out) throws IOException {
    for (Kind kind : Kind.values()) {
      out.number(constraints.count(kind)).text(",");
    }
    out.number(0).newLine();
    long number = 0;
    for (Kind kind : Kind.values()) {
      for (int i = 0; i < constraints.count(kind); i++) {
        out.number(number++)
            .text(",")
            .number(constraints.sources(kind)[i])
            .text(",")
            .number(constraints.destinations(kind)[i])
            .text(",")
            .number(kind.ordinal())
            .text(",0")
            .newLine();
      }
    }
  }

  // ---- Both.

  private static ByteSource open(Path file) throws IOException {
    return new ByteSource(file, Compression.of(String.valueOf(file.getFileName())));
  }

  /** Writes a file. */
  private interface Writer {
    void write(ByteSink out) throws IOException;
  }

  private static void replace(Path file, Writer writer) throws IOException {
    try (FileReplacement replacement = new FileReplacement(file)) {
      writer.write(replacement.sink());
      replacement.complete();
      replacement.commit();
    }
  }

  /** Lines of whole numbers with commas between them. */
  private static final class Rows {
    private final Tokenizer tokens;

    Rows(ByteSource source) {
      tokens = new Tokenizer(source, '#');
    }

    /** The next line's numbers, of which there must be so many, each in the range. */
    long[] next(String expected, int count, long least, long most) throws IOException {
      tokens.requireWord(expected);
      StringBuilder text = new StringBuilder(tokens.nextNumber(expected));
      while (!tokens.endOfLine()) {
        text.append(' ').append(tokens.nextNumber(expected));
      }
      String[] parts = text.toString().split(",", -1);
      String many = expected + ", " + count + " numbers from " + least;
      if (most < Integer.MAX_VALUE) {
        many += " to " + most;
      }
      if (parts.length != count) {
        throw tokens.error(Tokenizer.quote(text), many);
      }
      long[] numbers = new long[count];
      for (int i = 0; i < count; i++) {
        String part = parts[i].strip();
        numbers[i] = part.matches("[0-9]{1,18}") ? Long.parseLong(part) : -1;
        if (numbers[i] < least || numbers[i] > most) {
          throw tokens.error(Tokenizer.quote(part), many);
        }
      }
      return numbers;
    }

    void requireEnd(String expected) throws IOException {
      if (tokens.nextWord()) {
        throw tokens.error("more lines", expected);
      }
    }
  }
}
