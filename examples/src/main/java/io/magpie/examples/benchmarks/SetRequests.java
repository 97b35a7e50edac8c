package io.magpie.examples.benchmarks;

import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;

/**
 * What the items of a benchmark of sets do, and what that must leave: {@code
 * benchmarks/requests.cuh} has the same in C++.
 *
 * @param begun whether a key is in the set before; key 0 is none
 * @param requests of each item two numbers: its key, and the ordinal of what it does with it
 */
record SetRequests(boolean[] begun, int[] requests) {
  /** What an item does with its key. */
  enum Action {
    LOOK_UP,
    INSERT,
    REMOVE
  }

  /** What an item says that found no room for its key. */
  private static final int NO_ROOM = 2;

  /**
   * What is drawn.
   *
   * @param keys 1 to this; half of them are in the set before
   * @param transactions items
   * @param updates percentage of these that insert or remove, as many of each
   * @param zipf how much more often some keys are drawn than others
   * @param seed of all draws
   */
  record Shape(int keys, int transactions, int updates, double zipf, long seed) {
    /** Keys and transactions at most: what a structure needs of memory fits Java's arrays then. */
    private static final int MOST = 1 << 24;

    /**
     * Takes the parameters.
     *
     * @param keys as many by default, and fewer in the presets of more contention
     * @param transactions as many by default
     */
    static Shape of(WorkloadSpec spec, String[] keys, String transactions) {
      return new Shape(
          spec.count("keys", spec.byContention(keys[0], keys[1], keys[2]), 2, MOST),
          spec.count("transactions", transactions, 1, MOST),
          spec.percent("updates", "20"),
          spec.decimal("zipf", spec.byContention("0", "0.8", "0.99"), 0, 0.99),
          spec.seed());
    }

    SetRequests generate() {
      SplittableRandom random = new SplittableRandom(seed);
      boolean[] begun = new boolean[keys + 1];
      for (int key = 1; key <= keys; key++) {
        begun[key] = random.nextBoolean();
      }
      ScrambledKeys draws = new ScrambledKeys(keys, zipf, random);
      int[] requests = new int[2 * transactions];
      for (int item = 0; item < transactions; item++) {
        requests[2 * item] = 1 + draws.next(random);
        Action action =
            random.nextInt(100) >= updates
                ? Action.LOOK_UP
                : random.nextBoolean() ? Action.INSERT : Action.REMOVE;
        requests[2 * item + 1] = action.ordinal();
      }
      return new SetRequests(begun, requests);
    }
  }

  /** A set of this many keys to choose from, for tests. */
  static SetRequests of(int keys, Iterable<Integer> begun, int... requests) {
    boolean[] there = new boolean[keys + 1];
    begun.forEach(key -> there[key] = true);
    return new SetRequests(there, requests);
  }

  int keys() {
    return begun.length - 1;
  }

  int items() {
    return requests.length / 2;
  }

  int key(int item) {
    return requests[2 * item];
  }

  Action action(int item) {
    return Action.values()[requests[2 * item + 1]];
  }

  /** Keys in the set before, ascending. */
  int[] sorted() {
    int[] sorted = new int[begun.length];
    int count = 0;
    for (int key = 1; key < begun.length; key++) {
      if (begun[key]) {
        sorted[count++] = key;
      }
    }
    return Arrays.copyOf(sorted, count);
  }

  /** How many items insert. */
  int insertions() {
    int count = 0;
    for (int item = 0; item < items(); item++) {
      count += action(item) == Action.INSERT ? 1 : 0;
    }
    return count;
  }

  Map<String, Long> sizes() {
    Map<String, Long> sizes = new LinkedHashMap<>();
    sizes.put("keys", (long) keys());
    sizes.put("transactions", (long) items());
    return sizes;
  }

  void addTo(ContentHash hash) {
    hash.add(keys()).add(sorted()).add(requests);
  }

  /** The fields that every such region has. */
  Fields fields(OnDevice here, KernelModule module, DeviceArray<int[]> found) {
    int[] numbers = Enumerators.of(module, "action", Action.values());
    int[] theirs = requests.clone();
    for (int at = 1; at < theirs.length; at += 2) {
      theirs[at] = numbers[theirs[at]];
    }
    return new Fields().set("requests", here.copyOf(theirs)).set("found", found);
  }

  /** Visits the keys of a structure, after it has found the structure whole. */
  interface Structure {
    /**
     * Visits each key once.
     *
     * @return what is wrong with the structure, or empty
     */
    Optional<String> forEachKey(IntConsumer visitor);
  }

  /**
   * What is wrong with a result: the keys that it has are to be those before, with those that items
   * say they inserted, without those that they say they removed.
   *
   * @param found what each item said: whether its key was there
   */
  Optional<String> mistake(int[] found, Structure structure) {
    int[] expected = new int[begun.length];
    boolean[] changes = new boolean[begun.length];
    for (int key = 1; key < begun.length; key++) {
      expected[key] = begun[key] ? 1 : 0;
    }
    for (int item = 0; item < items(); item++) {
      if (found[item] == NO_ROOM) {
        return Optional.of("item " + item + " found no room for key " + key(item));
      }
      if (found[item] < 0 || found[item] > NO_ROOM) {
        return Optional.of("item " + item + " says " + found[item]);
      }
      Action action = action(item);
      if (action == Action.INSERT && found[item] == 0) {
        changes[key(item)] = true;
        expected[key(item)]++;
      } else if (action == Action.REMOVE && found[item] == 1) {
        changes[key(item)] = true;
        expected[key(item)]--;
      }
    }
    for (int item = 0; item < items(); item++) {
      int key = key(item);
      if (!changes[key] && found[item] != (begun[key] ? 1 : 0)) {
        return Optional.of(
            "item "
                + item
                + " reports "
                + found[item]
                + " for key "
                + key
                + ", which nobody changes");
      }
    }
    int[] there = new int[begun.length];
    Optional<String> wrong =
        structure.forEachKey(
            key -> {
              if (key > 0 && key < there.length) {
                there[key]++;
              } else {
                there[0]++;
              }
            });
    if (wrong.isPresent()) {
      return wrong;
    }
    for (int key = 0; key < expected.length; key++) {
      if (there[key] != expected[key]) {
        return Optional.of(
            key == 0
                ? there[0] + " keys that nobody inserts"
                : "key "
                    + key
                    + " is there "
                    + there[key]
                    + " times, but the items' reports imply "
                    + expected[key]
                    + " times");
      }
    }
    return Optional.empty();
  }
}
