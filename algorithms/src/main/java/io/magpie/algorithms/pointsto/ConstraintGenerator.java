package io.magpie.algorithms.pointsto;

import io.magpie.algorithms.Generator;
import io.magpie.algorithms.internal.GeneratorSpec;
import io.magpie.algorithms.internal.SeededHash;
import io.magpie.algorithms.pointsto.ConstraintSet.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Seeded generators of constraints, named by a short text. All are synthetic: no program has these
 * constraints, and the shapes of real ones differ.
 *
 * <p>A spec is a kind, a colon and parameters, as for graphs: {@code
 * constraints:vars=6126,cons=6768,seed=7}. The value of the kind's first parameter may stand alone.
 *
 * <table>
 * <caption>Kinds</caption>
 * <tr><th>kind</th><th>parameters (default)</th><th>constraints</th></tr>
 * <tr><td>constraints</td><td>vars, cons (vars), mix (4:3:2:1)</td><td>{@code cons} constraints,
 *     address-of, copy, load and store in the proportions of {@code mix}; both variables drawn
 *     uniformly</td></tr>
 * <tr><td>powerlaw</td><td>vars, cons (vars), mix (4:3:2:1)</td><td>the same, but the variable
 *     that is {@code u} of the way through all, from 0 to 1, is drawn in proportion to {@code
 *     u^(-2/3)}: a few are in very many constraints</td></tr>
 * <tr><td>crafty, gzip, bzip2, mcf, equake, art</td><td>mix (4:3:2:1)</td><td>as many variables and
 *     constraints as the programs of SPEC 2000 of those names have in Nasre, Burtscher and Pingali
 *     (PPoPP 2013, figure 10), drawn as for {@code constraints}: sizes are all that is real</td></tr>
 * <tr><td>cycles</td><td>vars, length (32, or vars - 1 if that is less), links (2)</td><td>rings
 *     of {@code length} variables, each of which copies the one before. A ring has a pointer to its
 *     first variable, and the copy from the last one is a store through it: no ring is a cycle
 *     until that is dereferenced. Each ring has the address of a variable of its own, and copies
 *     from {@code links} variables of earlier rings, drawn uniformly. Variables are numbered at
 *     random</td></tr>
 * <tr><td>chain</td><td>vars, locations (64)</td><td>variable v copies v - 1; the first {@code
 *     locations} have addresses of different variables</td></tr>
 * </table>
 *
 * <p>Every kind takes {@code seed} (1), which makes no difference to {@code chain}. The result
 * depends on the spec only.
 */
public final class ConstraintGenerator extends Generator<ConstraintSet> {
  private static final String MIX = "4:3:2:1";
  private static final String PART = "[0-9]{1,6}";
  private static final int MOST = 1 << 28;

  /** Sizes of the programs of figure 10. */
  private static final Map<String, int[]> PROGRAMS = programs();

  private static final Map<String, List<String>> KINDS = kinds();

  private final GeneratorSpec parsed;
  private final Supplier<ConstraintSet> recipe;

  private ConstraintGenerator(GeneratorSpec parsed, Supplier<ConstraintSet> recipe) {
    super(parsed.complete(), parsed.takenSeed());
    this.parsed = parsed;
    this.recipe = recipe;
  }

  private static Map<String, int[]> programs() {
    Map<String, int[]> programs = new LinkedHashMap<>();
    programs.put("crafty", new int[] {6126, 6768});
    programs.put("gzip", new int[] {1595, 1773});
    programs.put("bzip2", new int[] {1147, 1081});
    programs.put("mcf", new int[] {1230, 1509});
    programs.put("equake", new int[] {1317, 1279});
    programs.put("art", new int[] {586, 603});
    return Collections.unmodifiableMap(programs);
  }

  private static Map<String, List<String>> kinds() {
    Map<String, List<String>> kinds = new LinkedHashMap<>();
    kinds.put("constraints", List.of("vars", "cons", "mix"));
    kinds.put("powerlaw", List.of("vars", "cons", "mix"));
    PROGRAMS.keySet().forEach(program -> kinds.put(program, List.of("mix")));
    kinds.put("cycles", List.of("vars", "length", "links"));
    kinds.put("chain", List.of("vars", "locations"));
    return Collections.unmodifiableMap(kinds);
  }

  /** One line for each kind, for help texts. */
  public static List<String> usage() {
    return GeneratorSpec.usage(KINDS, List.of());
  }

  /**
   * Whether a text names a kind, and so is not meant as a file.
   *
   * @param text any text
   */
  public static boolean isSpec(String text) {
    int colon = text.indexOf(':');
    return KINDS.containsKey(colon < 0 ? text : text.substring(0, colon));
  }

  /**
   * Parses a spec.
   *
   * @param spec such as {@code cycles:vars=100k,length=64}
   * @return its generator; nothing is generated yet
   * @throws IllegalArgumentException when the kind or a parameter is unknown, missing or out of
   *     range; the message lists what is possible
   */
  public static ConstraintGenerator parse(String spec) {
    return of(new GeneratorSpec(spec, "constraints", KINDS, List.of()));
  }

  /**
   * Parses a spec and makes its constraints.
   *
   * @param spec as for {@link #parse}
   * @return the constraints
   * @throws IllegalArgumentException as for {@link #parse}
   */
  public static ConstraintSet generate(String spec) {
    return parse(spec).generate();
  }

  /**
   * The same generator with a seed.
   *
   * @throws IllegalArgumentException if the spec has one already
   */
  public ConstraintGenerator withSeed(long seed) {
    return of(parsed.with("seed", Long.toString(seed)));
  }

  @Override
  protected ConstraintSet make() {
    return recipe.get();
  }

  private static ConstraintGenerator of(GeneratorSpec spec) {
    return switch (spec.kind()) {
      case "constraints", "powerlaw" -> {
        int vars = count(spec, "vars", null, 1);
        int cons = count(spec, "cons", Integer.toString(vars), 0);
        yield drawn(spec, vars, cons, spec.kind().equals("powerlaw"));
      }
      case "cycles" -> {
        int vars = count(spec, "vars", null, 3);
        int most = vars - 1; // a ring has a pointer next to it
        int length = (int) spec.integer("length", Integer.toString(Math.min(32, most)), 2, most);
        int links = (int) spec.integer("links", "2", 0, 1 << 16);
        long seed = spec.seed();
        yield new ConstraintGenerator(spec, () -> cycles(vars, length, links, seed));
      }
      case "chain" -> {
        int vars = count(spec, "vars", null, 1);
        int locations =
            (int) spec.integer("locations", Integer.toString(Math.min(64, vars)), 0, vars);
        spec.seed(); // of no effect, but part of every complete spec
        yield new ConstraintGenerator(spec, () -> chain(vars, locations));
      }
      default -> {
        int[] size = PROGRAMS.get(spec.kind());
        yield drawn(spec, size[0], size[1], false);
      }
    };
  }

  private static int count(GeneratorSpec spec, String name, String byDefault, long least) {
    return (int) spec.integer(name, byDefault, least, MOST);
  }

  private static ConstraintGenerator drawn(GeneratorSpec spec, int vars, int cons, boolean skewed) {
    String mix = spec.text("mix", MIX);
    if (!mix.matches(PART + "(:" + PART + "){3}") || mix.matches("[0:]+")) {
      throw spec.bad(
          "mix="
              + mix
              + ": expected four whole numbers, up to six digits each, not all 0, as "
              + MIX);
    }
    List<Integer> parts = new ArrayList<>();
    for (String part : mix.split(":")) {
      parts.add(Integer.valueOf(part));
    }
    long seed = spec.seed();
    return new ConstraintGenerator(spec, () -> drawn(vars, cons, parts, skewed, seed));
  }

  private static ConstraintSet drawn(
      int vars, int cons, List<Integer> parts, boolean skewed, long seed) {
    ConstraintSet.Builder builder = ConstraintSet.builder(vars);
    long key = SeededHash.key(seed);
    long whole = parts.stream().mapToLong(part -> part).sum();
    long passed = 0;
    long done = 0;
    for (Kind kind : Kind.values()) {
      passed += parts.get(kind.ordinal());
      long until = cons * passed / whole;
      for (; done < until; done++) {
        builder.add(
            kind,
            variable(SeededHash.draw(key, 2 * done), vars, skewed),
            variable(SeededHash.draw(key, 2 * done + 1), vars, skewed));
      }
    }
    return builder.build();
  }

  private static int variable(long random, int vars, boolean skewed) {
    if (!skewed) {
      return SeededHash.below(random, vars);
    }
    double u = SeededHash.unit(random);
    return (int) (vars * u * u * u);
  }

  private static ConstraintSet cycles(int vars, int length, int links, long seed) {
    int[] order = permutation(vars, seed);
    ConstraintSet.Builder builder = ConstraintSet.builder(vars);
    long key = SeededHash.key(seed);
    long draws = 0;
    int size = length + 1; // with the pointer, which is also what the ring has the address of
    for (int first = 0; vars - first >= size; first += size) {
      int pointer = order[first + length];
      builder.add(Kind.ADDRESS_OF, pointer, order[first]);
      builder.add(Kind.STORE, pointer, order[first + length - 1]);
      builder.add(Kind.ADDRESS_OF, order[first + length / 2], pointer);
      for (int i = 1; i < length; i++) {
        builder.add(Kind.COPY, order[first + i], order[first + i - 1]);
      }
      for (int link = 0; first > 0 && link < links; link++) {
        int to = first + SeededHash.below(SeededHash.draw(key, draws++), length);
        int ring = SeededHash.below(SeededHash.draw(key, draws++), first / size);
        int from = ring * size + SeededHash.below(SeededHash.draw(key, draws++), length);
        builder.add(Kind.COPY, order[to], order[from]);
      }
    }
    return builder.build();
  }

  /** The numbers from 0 in a random order, each equally likely (Fisher and Yates). */
  private static int[] permutation(int count, long seed) {
    long key = SeededHash.key(~seed);
    int[] order = new int[count];
    for (int i = 0; i < count; i++) {
      int j = SeededHash.below(SeededHash.draw(key, i), i + 1L);
      order[i] = order[j];
      order[j] = i;
    }
    return order;
  }

  private static ConstraintSet chain(int vars, int locations) {
    ConstraintSet.Builder builder = ConstraintSet.builder(vars);
    for (int v = 0; v < locations; v++) {
      builder.add(Kind.ADDRESS_OF, v, vars - 1 - v);
    }
    for (int v = 1; v < vars; v++) {
      builder.add(Kind.COPY, v, v - 1);
    }
    return builder.build();
  }
}
