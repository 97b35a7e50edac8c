package io.magpie.algorithms.partition;

import io.magpie.algorithms.DecimalText;
import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.internal.Compression;
import io.magpie.algorithms.internal.Tokenizer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Shares of parts in METIS's form, that of its option {@code -tpwgts}: lines {@code part = share}
 * or {@code first-last = share}, parts counted from 0. Empty lines are skipped. Unlike METIS's,
 * shares need not add up to 1, and each part must have one. The end of the name, {@code .gz} or
 * {@code .xz}, tells the compression.
 */
public final class PartSharesFormat {
  private static final Pattern LINE = Pattern.compile("([0-9]+)(?:-([0-9]+))?=(.*)");
  private static final String EXPECTED = "'part = share' or 'first-last = share'";

  private PartSharesFormat() {}

  /**
   * Reads shares.
   *
   * @param file what METIS takes
   * @param parts how many parts must have a share, at least 1
   * @throws FileFormatException if a line is of another form, a part is not 0 to {@code parts - 1},
   *     has a share twice or none, or a share is not above 0
   * @throws IOException if it cannot be read
   */
  public static PartShares read(Path file, int parts) throws IOException {
    double[] shares = new double[parts];
    long[] lines = new long[parts]; // that have them
    Compression compression = Compression.of(String.valueOf(file.getFileName()));
    try (ByteSource source = new ByteSource(file, compression)) {
      Tokenizer in = new Tokenizer(source);
      while (in.nextLine()) {
        if (!in.endOfLine()) {
          readLine(in, shares, lines);
        }
      }
      for (int p = 0; p < parts; p++) {
        if (shares[p] == 0) {
          throw in.error("no share of part " + p, "one for each of the parts 0 to " + (parts - 1));
        }
      }
    }
    return PartShares.of(shares);
  }

  private static void readLine(Tokenizer in, double[] shares, long... lines) throws IOException {
    List<String> words = new ArrayList<>();
    while (!in.endOfLine()) {
      words.add(in.nextText(EXPECTED));
    }
    Matcher line = LINE.matcher(String.join("", words));
    if (!line.matches()) {
      throw in.error(Tokenizer.quote(String.join(" ", words)), EXPECTED);
    }
    int first = part(in, line.group(1), shares.length);
    int last = line.group(2) == null ? first : part(in, line.group(2), shares.length);
    if (last < first) {
      throw in.error(
          "parts " + first + "-" + last, EXPECTED, "the first part may not be above the last");
    }
    String share = line.group(3);
    double value = DecimalText.isNumber(share) ? Double.parseDouble(share) : 0;
    if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
      throw in.error(Tokenizer.quote(share), "a share above 0, such as 0.25");
    }
    for (int p = first; p <= last; p++) {
      if (shares[p] != 0) {
        throw in.error(
            "another share of part " + p,
            "one for each part",
            "line " + lines[p] + " has the first");
      }
      shares[p] = value;
      lines[p] = in.line();
    }
  }

  private static int part(Tokenizer in, String text, int parts) throws FileFormatException {
    if (text.length() > 10 || Long.parseLong(text) >= parts) {
      throw in.error("part " + Tokenizer.quote(text), "a part, 0 to " + (parts - 1));
    }
    return Integer.parseInt(text);
  }
}
