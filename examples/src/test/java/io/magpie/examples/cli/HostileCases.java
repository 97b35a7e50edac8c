package io.magpie.examples.cli;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/**
 * Many hostile cases in one process, for {@code src/test/hostile}: a line for each that fails, and
 * the counts of all at the end.
 */
final class HostileCases {
  private static final int SECONDS = 120;
  private static final int MOST_STUCK = 3;

  private final String suite;
  private final List<String> rest = new ArrayList<>();
  private final List<Case> first = new ArrayList<>();
  private final List<Case> drawn = new ArrayList<>();
  private Pattern wanted = pattern("*");
  private long seed = 1;
  private int stuck;

  /** One case; {@code what} gives null, or what is wrong. */
  private record Case(String name, String repeat, Callable<String> what) {}

  /**
   * Reads what a driver is called with.
   *
   * @param arguments {@code --seed N} and {@code --case GLOB}, and behind them what is the driver's
   */
  HostileCases(String suite, String[] arguments) {
    this.suite = suite;
    for (int i = 0; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "--seed" -> seed = Long.parseLong(arguments[++i]);
        case "--case" -> wanted = pattern(arguments[++i]);
        default -> rest.add(arguments[i]);
      }
    }
  }

  /** A pattern in which {@code *} and {@code ?} have the meaning that they have in a shell. */
  private static Pattern pattern(String glob) {
    String regex = Pattern.quote(glob).replace("*", "\\E.*\\Q").replace("?", "\\E.\\Q");
    return Pattern.compile(regex, Pattern.DOTALL);
  }

  /** The argument of that number behind the common ones, if there are so many. */
  Optional<String> argument(int number) {
    return number < rest.size() ? Optional.of(rest.get(number)) : Optional.empty();
  }

  /** What the run was called with, to repeat it. */
  long seed() {
    return seed;
  }

  /** Draws the same in each run of one seed. */
  Random random() {
    return new Random(seed);
  }

  /** Adds a case that is tried whatever the time allows, if it was asked for. */
  void addFirst(String name, String repeat, Callable<String> what) {
    add(first, name, repeat, what);
  }

  /** Adds a case, if it was asked for. */
  void add(String name, String repeat, Callable<String> what) {
    add(drawn, name, repeat, what);
  }

  private void add(List<Case> to, String name, String repeat, Callable<String> what) {
    if (wanted.matcher(name).matches()) {
      to.add(new Case(name, repeat, what));
    }
  }

  /**
   * Tries the first cases, and of the others, in an order drawn by the seed, as many as the time
   * allows.
   *
   * @return the exit status
   */
  int run(long seconds) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    int tried = 0;
    int failed = 0;
    Collections.shuffle(drawn, random());
    List<Case> all = new ArrayList<>(first);
    all.addAll(drawn);
    for (Case each : all) {
      if (stuck >= MOST_STUCK || (tried >= first.size() && System.nanoTime() > end)) {
        break;
      }
      tried++;
      String wrong = outcome(each);
      if (wrong != null) {
        failed++;
        System.out.println(
            visible("FAILED " + suite + "/" + each.name + ": " + wrong + "; by: " + each.repeat));
      }
    }
    if (tried < all.size()) {
      System.out.printf("%s: %,d of %,d cases tried%n", suite, tried, all.size());
    }
    System.out.printf("counts %d %d %d%n", tried, tried - failed, failed);
    return failed == 0 ? 0 : 1;
  }

  private String outcome(Case each) {
    FutureTask<String> task = new FutureTask<>(each.what);
    Thread thread = new Thread(task, each.name);
    thread.setDaemon(true);
    thread.start();
    try {
      return task.get(SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      stuck++;
      StackTraceElement[] at = thread.getStackTrace();
      return "did not end within " + SECONDS + " s, at " + (at.length == 0 ? "?" : at[0]);
    } catch (ExecutionException e) {
      return "escaped: " + e.getCause();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A text on one line without control characters, not too long. */
  static String visible(String text) {
    StringBuilder visible = new StringBuilder();
    text.codePoints()
        .limit(1500)
        .forEach(
            c -> {
              if (c == '\n') {
                visible.append(" | ");
              } else if (Character.isISOControl(c) || Character.getType(c) == Character.FORMAT) {
                visible.append(String.format("\\u%04x", c));
              } else {
                visible.appendCodePoint(c);
              }
            });
    return visible.toString();
  }

  /** A word as bash takes it. */
  static String quoted(String word) {
    if (word.matches("[A-Za-z0-9_./:=,@%+-]+")) {
      return word;
    }
    StringBuilder quoted = new StringBuilder("$'");
    word.codePoints()
        .forEach(
            c -> {
              if (c == '\'' || c == '\\') {
                quoted.append('\\').appendCodePoint(c);
              } else if (c < ' ' || c > '~') {
                quoted.append(String.format(c > 0xffff ? "\\U%08x" : "\\u%04x", c));
              } else {
                quoted.appendCodePoint(c);
              }
            });
    return quoted.append('\'').toString();
  }
}
