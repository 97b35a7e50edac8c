package io.magpie.examples.benchmarks;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The benchmarks by name. */
final class Benchmarks {
  private static final Map<String, Function<WorkloadSpec, Benchmark>> ALL = new LinkedHashMap<>();

  static {
    ALL.put("bank", Bank::of);
    ALL.put("hash-table", HashTable::of);
    ALL.put("ycsb", Ycsb::of);
    ALL.put("sorted-list", SortedList::of);
    ALL.put("kmeans", KMeans::of);
    ALL.put("skip-list", SkipList::of);
    ALL.put("b-tree", BTree::of);
    ALL.put("vacation", Vacation::of);
    ALL.put("tpc-c", TpcC::of);
    ALL.put("labyrinth", Labyrinth::of);
  }

  private Benchmarks() {}

  /** Their names. */
  static Set<String> names() {
    return ALL.keySet();
  }

  /**
   * The one that a specification names, which has taken its parameters.
   *
   * @throws IllegalArgumentException if there is none, or it does not take what is given
   */
  static Benchmark of(WorkloadSpec spec) {
    Function<WorkloadSpec, Benchmark> maker = ALL.get(spec.name());
    if (maker == null) {
      throw spec.bad(
          "there is no benchmark '"
              + spec.name()
              + "'; expected one of "
              + String.join(", ", names()));
    }
    Benchmark benchmark = maker.apply(spec);
    spec.requireAllTaken();
    return benchmark;
  }
}
