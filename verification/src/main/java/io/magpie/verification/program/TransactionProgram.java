package io.magpie.verification.program;

import io.magpie.verification.program.Step.CancelIf;
import io.magpie.verification.program.Step.Inner;
import io.magpie.verification.program.Step.Open;
import io.magpie.verification.program.Step.OpenEach;
import io.magpie.verification.program.Step.Read;
import io.magpie.verification.program.Step.ReadAt;
import io.magpie.verification.program.Step.Write;
import io.magpie.verification.program.Step.WriteAt;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A few transactions on a few objects, for the module {@code program}; transaction i is item i, and
 * the lowest has the highest rank.
 *
 * <p>Text form: {@code 2 objects of 1 word: r0 w1 | r1 w0}; {@code oK} opens object K, {@code oJ-K}
 * objects J to K at once, {@code rK} reads, {@code wK} or {@code wK+A} writes with argument A,
 * {@code r@}, {@code w@}, {@code w@+A} access the object that the accumulator names, {@code cN}
 * cancels in N of 16 cases, {@code {T ...}} is an inner transaction of at most T attempts.
 *
 * @param objects number of objects, at least 1
 * @param words words of each object, 1 or 2
 * @param transactions the steps of each
 */
public record TransactionProgram(int objects, int words, List<List<Step>> transactions) {
  private static final int OPEN = 0;
  private static final int READ = 1;
  private static final int READ_AT = 2;
  private static final int WRITE = 3;
  private static final int WRITE_AT = 4;
  private static final int CANCEL_IF = 5;
  private static final int OPEN_EACH = 6;
  private static final int INNER = 7;

  /** Largest argument of a write. */
  public static final int MOST_ARGUMENT = (1 << 24) - 1;

  public TransactionProgram {
    transactions = transactions.stream().map(List::copyOf).toList();
    if (objects < 1) {
      throw new IllegalArgumentException("a program has at least 1 object, got " + objects);
    }
    if (words < 1 || words > 2) {
      throw new IllegalArgumentException("an object has 1 or 2 words, got " + words);
    }
    for (List<Step> steps : transactions) {
      check(steps, objects, false);
    }
  }

  private static void check(List<Step> steps, int objects, boolean inner) {
    for (Step step : steps) {
      int object = 0;
      int argument = 0;
      if (step instanceof Open open) {
        object = open.object();
      } else if (step instanceof OpenEach open) {
        object = Math.min(open.first(), open.last()) < 0 ? -1 : Math.max(open.first(), open.last());
      } else if (step instanceof Read read) {
        object = read.object();
      } else if (step instanceof Write write) {
        object = write.object();
        argument = write.argument();
      } else if (step instanceof WriteAt write) {
        argument = write.argument();
      } else if (step instanceof CancelIf cancel) {
        if (cancel.sixteenths() < 0 || cancel.sixteenths() > 16) {
          throw new IllegalArgumentException("c" + cancel.sixteenths() + ": expected c0 to c16");
        }
      } else if (step instanceof Inner nested) {
        if (inner) {
          throw new IllegalArgumentException("an inner transaction within an inner one");
        }
        if (nested.attempts() < 1 || nested.attempts() > MOST_ARGUMENT) {
          throw new IllegalArgumentException(
              "an inner transaction has at least 1 attempt, got " + nested.attempts());
        }
        check(nested.steps(), objects, true);
      }
      if (object < 0 || object >= objects) {
        throw new IllegalArgumentException(
            "object " + object + " is not one of 0 to " + (objects - 1));
      }
      if (argument < 0 || argument > MOST_ARGUMENT) {
        throw new IllegalArgumentException("argument " + argument + " is not in 0 to 2^24 - 1");
      }
    }
  }

  /** Where each transaction's instructions begin; one more entry for their end. */
  int[] starts() {
    int[] starts = new int[transactions.size() + 1];
    for (int i = 0; i < transactions.size(); i++) {
      starts[i + 1] = starts[i] + length(transactions.get(i));
    }
    return starts;
  }

  private static int length(List<Step> steps) {
    return steps.stream()
        .mapToInt(step -> step instanceof Inner inner ? 1 + length(inner.steps()) : 1)
        .sum();
  }

  /** Two words for each instruction, as the kernel reads them. */
  int[] code() {
    List<int[]> all = new ArrayList<>();
    transactions.forEach(steps -> encode(steps, all));
    return all.stream().flatMapToInt(Arrays::stream).toArray();
  }

  private static void encode(List<Step> steps, List<int[]> to) {
    for (Step step : steps) {
      if (step instanceof Open open) {
        to.add(new int[] {OPEN, open.object()});
      } else if (step instanceof OpenEach open) {
        int count = Math.abs(open.last() - open.first()) + 1;
        int down = open.last() < open.first() ? 1 : 0;
        to.add(new int[] {OPEN_EACH | (2 * count + down) << 8, open.first()});
      } else if (step instanceof Read read) {
        to.add(new int[] {READ, read.object()});
      } else if (step instanceof ReadAt) {
        to.add(new int[] {READ_AT, 0});
      } else if (step instanceof Write write) {
        to.add(new int[] {WRITE | write.argument() << 8, write.object()});
      } else if (step instanceof WriteAt write) {
        to.add(new int[] {WRITE_AT | write.argument() << 8, 0});
      } else if (step instanceof CancelIf cancel) {
        to.add(new int[] {CANCEL_IF | cancel.sixteenths() << 8, 0});
      } else if (step instanceof Inner inner) {
        to.add(new int[] {INNER | inner.attempts() << 8, length(inner.steps())});
        encode(inner.steps(), to);
      }
    }
  }

  /** The text form. */
  @Override
  public String toString() {
    return objects
        + (objects == 1 ? " object of " : " objects of ")
        + words
        + (words == 1 ? " word: " : " words: ")
        + transactions.stream().map(TransactionProgram::text).collect(Collectors.joining(" | "));
  }

  private static String text(List<Step> steps) {
    return steps.stream().map(TransactionProgram::text).collect(Collectors.joining(" "));
  }

  private static String text(Step step) {
    if (step instanceof Open open) {
      return "o" + open.object();
    } else if (step instanceof OpenEach open) {
      return "o" + open.first() + "-" + open.last();
    } else if (step instanceof Read read) {
      return "r" + read.object();
    } else if (step instanceof ReadAt) {
      return "r@";
    } else if (step instanceof Write write) {
      return "w" + write.object() + argument(write.argument());
    } else if (step instanceof WriteAt write) {
      return "w@" + argument(write.argument());
    } else if (step instanceof CancelIf cancel) {
      return "c" + cancel.sixteenths();
    }
    Inner inner = (Inner) step;
    return "{" + inner.attempts() + " " + text(inner.steps()) + "}";
  }

  private static String argument(int argument) {
    return argument == 0 ? "" : "+" + argument;
  }

  /**
   * Reads the text form.
   *
   * @throws IllegalArgumentException with the token if it is malformed
   */
  public static TransactionProgram parse(String text) {
    int colon = text.indexOf(':');
    String[] head = colon < 0 ? new String[0] : text.substring(0, colon).strip().split("\\s+");
    if (head.length != 5
        || !head[1].matches("objects?")
        || !head[2].equals("of")
        || !head[4].matches("words?")) {
      throw new IllegalArgumentException(
          "'" + text + "': expected 'N objects of N words: ' before the transactions");
    }
    List<List<Step>> transactions = new ArrayList<>();
    for (String part : text.substring(colon + 1).split("\\|", -1)) {
      transactions.add(new Parser(part).all());
    }
    return new TransactionProgram(number(head[0]), number(head[3]), transactions);
  }

  private static int number(String token) {
    try {
      return Integer.parseInt(token);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + token + "' is not a number", e);
    }
  }

  private static final class Parser {
    private final List<String> tokens;
    private int next;

    Parser(String part) {
      String spaced = part.replace("{", " {").replace("}", " } ").strip();
      this.tokens = spaced.isEmpty() ? List.of() : List.of(spaced.split("\\s+"));
    }

    List<Step> all() {
      List<Step> steps = steps();
      if (next < tokens.size()) {
        throw new IllegalArgumentException("'}' without '{'");
      }
      return steps;
    }

    private List<Step> steps() {
      List<Step> steps = new ArrayList<>();
      while (next < tokens.size() && !tokens.get(next).equals("}")) {
        steps.add(step(tokens.get(next++)));
      }
      return steps;
    }

    private Step step(String token) {
      if (token.matches("\\{[0-9]+")) {
        List<Step> inner = steps();
        if (next == tokens.size()) {
          throw new IllegalArgumentException("'" + token + "' without '}'");
        }
        next++;
        return new Inner(number(token.substring(1)), inner);
      }
      if (token.matches("o[0-9]+-[0-9]+")) {
        int dash = token.indexOf('-');
        return new OpenEach(number(token.substring(1, dash)), number(token.substring(dash + 1)));
      }
      if (token.matches("[or][0-9]+|c[0-9]+")) {
        int value = number(token.substring(1));
        return switch (token.charAt(0)) {
          case 'o' -> new Open(value);
          case 'r' -> new Read(value);
          default -> new CancelIf(value);
        };
      }
      if (token.equals("r@")) {
        return new ReadAt();
      }
      if (token.matches("w(@|[0-9]+)(\\+[0-9]+)?")) {
        int plus = token.indexOf('+');
        int argument = plus < 0 ? 0 : number(token.substring(plus + 1));
        String object = token.substring(1, plus < 0 ? token.length() : plus);
        return object.equals("@") ? new WriteAt(argument) : new Write(number(object), argument);
      }
      throw new IllegalArgumentException(
          "'" + token + "': expected oK, oJ-K, rK, r@, wK, wK+A, w@, cN, or {T ... }");
    }
  }
}
