package io.magpie.algorithms.sat;

import io.magpie.algorithms.Generator;
import io.magpie.algorithms.internal.GeneratorSpec;
import io.magpie.algorithms.internal.SeededHash;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A kind of random formula with all its parameters set; made by {@link #parse}. The same generator
 * makes the same formula every time, on every machine.
 *
 * <ul>
 *   <li>{@code ksat:n=,k=,ratio=,seed=}: n variables and ratio * n clauses, rounded, each of k
 *       different variables, which all sets of k are as likely to be, signs by a fair coin. Most
 *       are satisfiable below a ratio of 4.267, 9.931, 21.117 and 43.37 for k of 3 to 6, and almost
 *       none above (Mertens, M&eacute;zard and Zecchina, Random Structures and Algorithms 28,
 *       2006).
 *   <li>{@code planted:n=,k=,ratio=,seed=}: the same, but each clause is drawn again until a hidden
 *       assignment satisfies it: satisfiable, and easier than the others.
 *   <li>{@code tree:n=,k=,units=,seed=}: clauses of k variables that form a tree with their
 *       variables, as many as fit into n; and so many clauses of one variable.
 * </ul>
 */
public final class FormulaGenerator extends Generator<Formula> {
  private static final Map<String, List<String>> KINDS = new LinkedHashMap<>();

  static {
    KINDS.put("ksat", List.of("n", "k", "ratio"));
    KINDS.put("planted", List.of("n", "k", "ratio"));
    KINDS.put("tree", List.of("n", "k", "units"));
  }

  private static final int MOST_LITERALS_OF_CLAUSE = 64;

  /** Draws of a clause: its variables, with repetitions, and then its signs. */
  private static final int DRAWS = 1 << 12;

  private final String kind;
  private final int variables;
  private final int length;
  private final int clauses;

  private FormulaGenerator(GeneratorSpec parsed, int variables, int length, int clauses) {
    super(parsed.complete(), parsed.takenSeed());
    this.kind = parsed.kind();
    this.variables = variables;
    this.length = length;
    this.clauses = clauses;
  }

  /**
   * Reads a specification, such as {@code ksat:n=10k,k=3,ratio=4.2,seed=7}.
   *
   * @throws IllegalArgumentException if it is malformed; the message is for users
   */
  public static FormulaGenerator parse(String text) {
    GeneratorSpec parsed = new GeneratorSpec(text, "formula", KINDS, List.of());
    boolean tree = parsed.kind().equals("tree");
    int variables = (int) parsed.integer("n", null, 0, Formula.MAX_VARIABLES);
    int length = (int) parsed.integer("k", "3", tree ? 2 : 1, MOST_LITERALS_OF_CLAUSE);
    int clauses =
        tree
            ? (int) parsed.integer("units", "0", 0, variables)
            : drawnClauses(parsed, variables, length);
    parsed.seed();
    return new FormulaGenerator(parsed, variables, length, clauses);
  }

  private static int drawnClauses(GeneratorSpec parsed, int variables, int length) {
    double most = (double) Formula.MAX_LITERALS / length / Math.max(1, variables);
    String why =
        String.format(
            ", as clauses have at most %d literals in all (n=%d, k=%d)",
            Formula.MAX_LITERALS, variables, length);
    double ratio = parsed.real("ratio", length == 3 ? "4.2" : null, 0, most, why);
    int clauses = (int) Math.rint(ratio * variables);
    if (clauses > 0 && length > variables) {
      throw parsed.bad("k=" + length + " needs at least " + length + " variables, n=" + variables);
    }
    return clauses;
  }

  /** Whether a word is the name of a kind. */
  public static boolean isKind(String word) {
    return KINDS.containsKey(word);
  }

  /** A line for each kind with its parameters, for help. */
  public static List<String> usage() {
    return GeneratorSpec.usage(KINDS, List.of());
  }

  @Override
  protected Formula make() {
    return kind.equals("tree") ? tree() : random();
  }

  private Formula random() {
    boolean planted = kind.equals("planted");
    long key = SeededHash.key(seed());
    long hidden = SeededHash.mix(~key);
    Formula.Builder formula = new Formula.Builder(variables);
    int[] clause = new int[length];
    for (int a = 0; a < clauses; a++) {
      long own = SeededHash.draw(key, a);
      long next = 0;
      boolean right;
      do {
        for (int k = 0; k < length; ) {
          clause[k] = 2 * SeededHash.below(SeededHash.draw(own, next++), variables);
          if (!has(clause, k, clause[k])) {
            k++;
          }
        }
        right = !planted;
        for (int k = 0; k < length; k++) {
          int sign = (int) (SeededHash.draw(own, DRAWS + next++) >>> 63);
          right |= sign == (SeededHash.draw(hidden, clause[k] / 2) >>> 63);
          clause[k] += sign;
        }
      } while (!right);
      for (int literal : clause) {
        formula.literal(literal);
      }
      formula.endClause();
    }
    return formula.build();
  }

  private static boolean has(int[] clause, int count, int literal) {
    for (int k = 0; k < count; k++) {
      if (clause[k] == literal) {
        return true;
      }
    }
    return false;
  }

  private Formula tree() {
    long key = SeededHash.key(seed());
    long next = 0;
    Formula.Builder formula = new Formula.Builder(variables);
    for (int known = 1; known + length - 1 <= variables; known += length - 1) {
      int root = SeededHash.below(SeededHash.draw(key, next++), known);
      for (int k = 0; k < length; k++) {
        int v = k == 0 ? root : known + k - 1;
        formula.literal(2 * v + (int) (SeededHash.draw(key, next++) >>> 63));
      }
      formula.endClause();
    }
    int[] shuffled = new int[variables];
    Arrays.setAll(shuffled, v -> v);
    for (int u = 0; u < clauses; u++) {
      int place = u + SeededHash.below(SeededHash.draw(key, next++), variables - u);
      int v = shuffled[place];
      shuffled[place] = shuffled[u];
      formula.literal(2 * v + (int) (SeededHash.draw(key, next++) >>> 63)).endClause();
    }
    return formula.build();
  }
}
