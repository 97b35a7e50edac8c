package io.magpie.verification.data;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The slots of which runs do not tell whether something is wrong with them, over all runs that are
 * checked with it. Not thread-safe.
 */
public final class UnjudgedSlots {
  private final Map<String, Set<String>> leaks = new TreeMap<>();
  private final Map<String, Set<String>> uses = new TreeMap<>();

  private final Map<String, Set<String>> references = new TreeMap<>();

  void addLeak(String slot, Set<String> arrays) {
    leaks.computeIfAbsent(slot, key -> new TreeSet<>()).addAll(arrays);
  }

  void addUse(String slot, Set<String> arrays) {
    uses.computeIfAbsent(slot, key -> new TreeSet<>()).addAll(arrays);
  }

  void addReference(String slot, Set<String> arrays) {
    references.computeIfAbsent(slot, key -> new TreeSet<>()).addAll(arrays);
  }

  /**
   * Slots that were in use at the start and that some run may have lost, such as {@code nodes[3]}:
   * each with the arrays where its number is, of which the run did not tell whether they refer to
   * slots.
   */
  public Map<String, Set<String>> leaks() {
    return Collections.unmodifiableMap(leaks);
  }

  /**
   * Slots whose data some run may have used after they were freed: each with the arrays that were
   * used by its number, of which the run did not tell whether they are indexed by slots.
   */
  public Map<String, Set<String>> uses() {
    return Collections.unmodifiableMap(uses);
  }

  /**
   * Slots to which some run may have kept references after they were freed, or have none although
   * they are in use: each with the arrays where these may be, of which the run did not tell in
   * which form they hold numbers.
   */
  public Map<String, Set<String>> references() {
    return Collections.unmodifiableMap(references);
  }

  /** What is open, in sentences; empty if that is nothing. */
  public Optional<String> sentences() {
    List<String> all = new ArrayList<>();
    if (!leaks.isEmpty()) {
      all.add(
          String.format(
              Locale.ROOT,
              "Leaks of %,d slot%s in use at the start were not judged: their numbers also stand in"
                  + " %s.",
              leaks.size(),
              leaks.size() == 1 ? " that was" : "s that were",
              arrays(leaks.values())));
    }
    if (!uses.isEmpty()) {
      all.add(
          String.format(
              Locale.ROOT,
              "Uses of %,d slot%s after being freed were not judged: other commits use %s by what is"
                  + " no slot's number; what is indexed by something else can be declared: --slots"
                  + " ARRAY=unindexed.",
              uses.size(),
              uses.size() == 1 ? "" : "s",
              arrays(uses.values())));
    }
    if (!references.isEmpty()) {
      all.add(
          String.format(
              Locale.ROOT,
              "References to %,d slot%s were not judged: no one way to store numbers explains"
                  + " what commits have of their slots in %s; what an array holds can be declared:"
                  + " --slots ARRAY=POOL, or ARRAY=none.",
              references.size(),
              references.size() == 1 ? "" : "s",
              arrays(references.values())));
    }
    return all.isEmpty() ? Optional.empty() : Optional.of(String.join(" ", all));
  }

  private static String arrays(Collection<Set<String>> of) {
    return of.stream().flatMap(Set::stream).distinct().sorted().collect(Collectors.joining(", "));
  }
}
