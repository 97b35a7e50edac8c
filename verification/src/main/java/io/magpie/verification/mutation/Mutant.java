package io.magpie.verification.mutation;

import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import io.magpie.stm.Policy;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A way to break the device library. {@code magpie/stm/detail/mutants.cuh} says what each breaks,
 * under the same name.
 */
public enum Mutant {
  NO_RELEASE_FENCE("no fence before the words are freed", Group.ALL),
  LOCK_UNCHECKED("locks without comparing the claim", Group.CLAIMS, Group.VERSIONS),
  RELEASE_BEFORE_WRITE_BACK("frees the words before the writes", Group.WRITE_AT_COMMIT),
  STEAL_IGNORES_LOCK("claims a locked object", Group.CLAIMS, Group.VERSIONS),
  ROLL_BACK_BY_STORE("rolls back by a plain store"),
  READS_NOT_LOCKED(
      "what was only read is not locked at commit", Group.CLAIMS, Group.UNLOCKED_READS),
  LAST_OBJECT_NOT_LOCKED(
      "the object opened last is not locked", Group.CLAIMS, Group.LATE_LOCKS, Group.DESCRIPTORS),
  LOST_CLAIM_RETAKEN("takes a stolen claim again at commit"),
  NO_FENCE_BEFORE_WRITE(
      "no fence between last lock and first write",
      Group.ALL_WITH_CLAIMS,
      Group.IN_PLACE_WITH_VERSIONS),
  RELAXED_CLAIM("claims without acquire", Group.ALL),
  RELAXED_FAILURE("a failed exchange without acquire", Policy.HAND_OFF),
  EQUAL_RANKS("two items share a rank"),
  WAIT_SKIPPED("does not wait for the holder", Policy.HAND_OFF),
  COMPARE_EXCHANGE_CLAIM("maximum by load and exchange, bounded waits", Policy.HAND_OFF),
  OBJECT_OF_MANY_UNLOGGED("of objects opened at once one is not logged"),
  RELEASE_DROPS_WAITER("a release clears the waiter's claim", Policy.HAND_OFF),
  FORGOTTEN_REGISTRATION("a left registration is not remembered", Policy.HAND_OFF),
  WITHDRAW_ON_LEAVE("withdraws when it leaves a wait", Policy.HAND_OFF),
  GIVE_BACK_GRANTED_ONLY("withdraws only what was granted", Policy.HAND_OFF),
  NO_WITHDRAWAL_AT_END("an item's end withdraws nothing", Policy.HAND_OFF),
  EAGER_LOCK_KEPT("an eager attempt that fails keeps its locks", Group.EARLY_LOCKS),
  EAGER_WAITS("an eager attempt waits, holding locks", Policy.HAND_OFF),
  EAGER_FOREVER("all attempts are eager", Group.EAGER),
  NO_VALIDATION(
      "no look at the claims after a read", Group.CLAIMS, Group.VERSIONS, Group.DESCRIPTORS),
  RELAXED_READS("reads without acquire", Group.CLAIMS, Group.VERSIONS, Group.DESCRIPTORS),
  CANCEL_UNCHECKED("an unvalidated cancel stands unchecked", Group.ALL_WITH_CLAIMS),
  UNDO_FORGOTTEN("leaves what a failed attempt wrote in place", Group.IN_PLACE),
  RELEASE_BEFORE_UNDO("gives back before it undoes writes", Group.IN_PLACE),
  NO_FENCE_AFTER_UNDO("no fence between an undo and the release", Group.IN_PLACE),
  UNDO_KEEPS_VERSION(
      "gives back what was undone under the same version", Policy.INVISIBLE_READS_IN_PLACE),
  OVERFLOW_IGNORED("drops a write beyond the log"),
  INNER_UNDO_KEEPS_WRITES("keeps the writes of an undone inner attempt"),
  SUPERSEDED_VALUE_READ("looks up the first of two values written to a datum", Group.DESCRIPTORS),
  INNER_OVER_LOCKED("locks outer objects before an inner transaction", Policy.HAND_OFF),
  VERSION_KEPT("writes without a new version", Group.VERSIONS, Group.DESCRIPTORS),
  WEAK_FENCE_AFTER_LOCKS(
      "no total order between locks and the look at what was read", Group.UNLOCKED_READS),
  LOCKS_UNSORTED("locks in the order of opening", Policy.LOCKS);

  /** Policies that a mutant breaks in the same way. */
  private enum Group {
    ALL(EnumSet.allOf(Policy.class)),
    WRITE_AT_COMMIT(
        EnumSet.complementOf(
            EnumSet.of(Policy.PESSIMISTIC_IN_PLACE, Policy.INVISIBLE_READS_IN_PLACE))),
    IN_PLACE(EnumSet.of(Policy.PESSIMISTIC_IN_PLACE, Policy.INVISIBLE_READS_IN_PLACE)),
    IN_PLACE_WITH_VERSIONS(EnumSet.of(Policy.INVISIBLE_READS_IN_PLACE)),
    CLAIMS(EnumSet.of(Policy.HAND_OFF, Policy.PRIORITY_RULE)),
    ALL_WITH_CLAIMS(EnumSet.of(Policy.HAND_OFF, Policy.PRIORITY_RULE, Policy.OPTIMISTIC_HAND_OFF)),
    EAGER(EnumSet.of(Policy.HAND_OFF, Policy.OPTIMISTIC_HAND_OFF)),
    EARLY_LOCKS(
        EnumSet.of(
            Policy.HAND_OFF,
            Policy.PESSIMISTIC,
            Policy.COARSE_LOCK,
            Policy.OPTIMISTIC_HAND_OFF,
            Policy.PESSIMISTIC_IN_PLACE)),
    VERSIONS(
        EnumSet.of(
            Policy.INVISIBLE_READS,
            Policy.LOCKS,
            Policy.HIERARCHICAL,
            Policy.PR_STM,
            Policy.BLOCK_LEVEL,
            Policy.OPTIMISTIC_HAND_OFF,
            Policy.INVISIBLE_READS_IN_PLACE)),
    UNLOCKED_READS(
        EnumSet.of(
            Policy.INVISIBLE_READS,
            Policy.HIERARCHICAL,
            Policy.PR_STM,
            Policy.OPTIMISTIC_HAND_OFF,
            Policy.INVISIBLE_READS_IN_PLACE)),
    LATE_LOCKS(EnumSet.of(Policy.LOCKS, Policy.HIERARCHICAL, Policy.PR_STM, Policy.BLOCK_LEVEL)),
    DESCRIPTORS(EnumSet.of(Policy.OBSTRUCTION_FREE));

    final Set<Policy> policies;

    Group(Set<Policy> policies) {
      this.policies = policies;
    }
  }

  /** The policies that every module has that is compiled with {@link #defines()}. */
  public static final Set<Policy> SHIPPED =
      Collections.unmodifiableSet(EnumSet.of(Policy.HAND_OFF, Policy.PRIORITY_RULE));

  private final String rule;
  private final Set<Policy> policies = EnumSet.noneOf(Policy.class);

  Mutant(String rule) {
    this(rule, Group.CLAIMS);
  }

  Mutant(String rule, Policy policy) {
    this.rule = rule;
    policies.add(policy);
  }

  Mutant(String rule, Group... groups) {
    this.rule = rule;
    for (Group group : groups) {
      policies.addAll(group.policies);
    }
  }

  /** What it does, in a few words. */
  public String rule() {
    return rule;
  }

  /** The policies it breaks. */
  public Set<Policy> policies() {
    return EnumSet.copyOf(policies);
  }

  /**
   * What modules are compiled with to have all mutants built in. None is at work where a module is
   * new to the process; as on {@code cpu}, {@code cpu-checked} and {@code sim} a process has each
   * module once, whatever devices it is loaded on, whoever loads it so chooses first.
   */
  public static Map<String, String> defines() {
    return Map.of("MAGPIE_MUTANTS", "1");
  }

  /** The same for runs under a policy, which need not be one that every such module has. */
  static Map<String, String> defines(Policy policy) {
    Map<String, String> defines = new LinkedHashMap<>(defines());
    if (!SHIPPED.contains(policy)) {
      defines.put("MAGPIE_POLICY", policy.kernelName());
    }
    return defines;
  }

  /**
   * Puts this mutant to work, in place of another, in all further launches of a module that was
   * compiled with {@link #defines()}.
   */
  public void putToWork(KernelModule module) {
    choose(module, Optional.of(this));
  }

  /** Puts a mutant, or none, to work. */
  static void choose(KernelModule module, Optional<Mutant> mutant) {
    String name = mutant.map(some -> some.name().toLowerCase(Locale.ROOT)).orElse("none");
    int number = module.intConstant("mutant::" + name);
    module.kernel("choose_mutant").run(1, new Fields().set("number", number));
  }

  /** What it is compiled into: where it does harm. */
  public Build build() {
    return switch (this) {
      // Elsewhere a wait that runs out, and the claim that it leaves behind, undo the harm.
      case INNER_OVER_LOCKED -> Build.UNBOUNDED_WAITS;
      case CANCEL_UNCHECKED, OBJECT_OF_MANY_UNLOGGED -> Build.UNVALIDATED_READS;
      default -> Build.STANDARD;
    };
  }

  /**
   * Whether it does harm in eager attempts, or instead of what follows them: under {@link
   * Policy#OPTIMISTIC_HAND_OFF} those that break it are looked for there, as the others are those
   * of {@link Policy#HAND_OFF}.
   */
  boolean isOfEagerAttempts(Policy policy) {
    return switch (this) {
      case EAGER_LOCK_KEPT, EAGER_WAITS, EAGER_FOREVER -> true;
      default -> policy == Policy.OPTIMISTIC_HAND_OFF;
    };
  }

  /** A build of the library and of the region that runs the programs. */
  public enum Build {
    /** As shipped, reads validated. */
    STANDARD,
    /** The region's reads are not validated. */
    UNVALIDATED_READS,
    /** For a machine without an atomic maximum, where waits are not bounded. */
    UNBOUNDED_WAITS
  }
}
