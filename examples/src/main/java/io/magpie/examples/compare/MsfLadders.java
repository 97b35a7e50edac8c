package io.magpie.examples.compare;

import io.magpie.algorithms.msf.MsfOptions;
import io.magpie.examples.input.GeneratedGraph;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The inputs and variants of chapter 3 of the thesis: its form, which walks over vertices, and this
 * library's, which walks over edges, each with transactions and lock-free. And, over any input,
 * these next to the forms that others published.
 *
 * <p>Roads are look-alikes of as many vertices and arcs, as those of the 9th DIMACS challenge are
 * not generated; {@code --graph} takes the real ones. Numbers of random and R-MAT graphs are those
 * of vertices and edges, and the probabilities of R-MAT those of GTgraph.
 */
final class MsfLadders {
  private static final int MOST_VERTICES = 10;
  private static final int LEAST_VERTICES = 3;
  private static final long MILLION = 1_000_000;

  private static final String THESIS_FORM = "vertices, transactions";

  /** A Tesla K40 has 15 multiprocessors, with room for 2,048 threads each. */
  private static final int K40_THREADS = 15 * 2048;

  private MsfLadders() {}

  static List<Ladder<MsfOptions>> all() {
    Map<String, MsfOptions> steps = steps();
    return List.of(
        new Ladder<>(
            "thesis-3.2",
            "table 3.2 of the thesis: roads, random and R-MAT graphs",
            withFewerThreads(steps),
            List.of(
                road("USA-like", 23_900_000, 58_000_000),
                road("W-like", 6_200_000, 15_000_000),
                road("E-like", 3_500_000, 8_700_000),
                road("FLA-like", 1_000_000, 2_700_000),
                road("NY-like", 264_000, 733_000),
                random("RND1", 6_200_000, 15_000_000),
                random("RND2", 6_200_000, 7_600_000),
                rmat("R-MAT1", 6_200_000, 15_000_000),
                rmat("R-MAT2", 6_200_000, 7_600_000))),
        new Ladder<>(
            "thesis-3.4",
            "figure 3.4 of the thesis: random graphs, 3 million vertices, 15 to 75 million edges",
            steps,
            edges()),
        new Ladder<>(
            "thesis-3.5",
            "figure 3.5 of the thesis: random and R-MAT graphs, 30 million edges, 3 to 10 million"
                + " vertices",
            steps,
            vertices()),
        new Ladder<>(
            "forms",
            "this library's forms, the thesis's, and those that its papers compare with",
            forms()));
  }

  private static Map<String, MsfOptions> forms() {
    Map<String, MsfOptions> forms = new LinkedHashMap<>();
    forms.put("edges, transactions", of("traversal=edge", "merge=stm"));
    forms.put("edges, lock-free", of("traversal=edge", "merge=atomic"));
    forms.put("vertices, transactions", of("traversal=vertex", "merge=stm"));
    forms.put("sets, cycles broken", of("traversal=cycle"));
    forms.put("component space, transactions", of("traversal=component-space"));
    forms.put("contracted graph, scans", of("traversal=scan"));
    return forms;
  }

  private static Map<String, MsfOptions> steps() {
    Map<String, MsfOptions> steps = new LinkedHashMap<>();
    steps.put(THESIS_FORM, of("traversal=vertex", "merge=stm"));
    steps.put("vertices, lock-free", of("traversal=vertex", "merge=atomic"));
    steps.put("edges, transactions", of("traversal=edge", "merge=stm"));
    steps.put("edges, lock-free", of("traversal=edge", "merge=atomic"));
    return steps;
  }

  /**
   * The thesis's form again, behind itself, with as many threads as the thesis's GPU has room for.
   */
  private static Map<String, MsfOptions> withFewerThreads(Map<String, MsfOptions> steps) {
    Map<String, MsfOptions> more = new LinkedHashMap<>();
    steps.forEach(
        (name, options) -> {
          more.put(name, options);
          if (name.equals(THESIS_FORM)) {
            more.put(
                name + String.format(Locale.ROOT, ", %,d threads", K40_THREADS),
                of("traversal=vertex", "merge=stm", "threads-in-flight=" + K40_THREADS));
          }
        });
    return more;
  }

  private static MsfOptions of(String... values) {
    return Variants.variant(MsfOptions.defaults(), List.of(values));
  }

  private static List<LadderInput> edges() {
    List<LadderInput> inputs = new ArrayList<>();
    for (int millions = 15; millions <= 75; millions += 15) {
      inputs.add(random("random-" + millions + "M", 3 * MILLION, millions * MILLION));
    }
    return inputs;
  }

  private static List<LadderInput> vertices() {
    List<LadderInput> inputs = new ArrayList<>();
    for (int millions = LEAST_VERTICES; millions <= MOST_VERTICES; millions++) {
      inputs.add(random("random-" + millions + "M", millions * MILLION, 30 * MILLION));
      inputs.add(rmat("R-MAT-" + millions + "M", millions * MILLION, 30 * MILLION));
    }
    return inputs;
  }

  private static LadderInput road(String name, long vertices, long arcs) {
    String degree = String.format(Locale.ROOT, "%.3f", (double) arcs / vertices);
    return new LadderInput(
        name,
        fraction ->
            GeneratedGraph.of("road:n=" + scaled(vertices, fraction) + ",degree=" + degree));
  }

  private static LadderInput random(String name, long vertices, long edges) {
    return new LadderInput(
        name,
        fraction ->
            GeneratedGraph.of(
                "random:n=" + scaled(vertices, fraction) + ",m=" + scaled(edges, fraction)));
  }

  private static LadderInput rmat(String name, long vertices, long edges) {
    return new LadderInput(
        name,
        fraction ->
            GeneratedGraph.of(
                "rmat:n="
                    + scaled(vertices, fraction)
                    + ",edges="
                    + scaled(edges, fraction)
                    + ",constants=gtgraph"));
  }

  /** A fraction of a count; 2 at least, as edges of a random graph need two vertices. */
  private static long scaled(long count, double fraction) {
    return Math.max(2, Math.round(count * fraction));
  }
}
