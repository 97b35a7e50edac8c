package io.magpie.examples.benchmarks;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.KernelModule;
import io.magpie.stm.RegionReport;
import io.magpie.stm.StmOptions;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A travel agency whose customers book cars, flights and rooms, or give up what they have booked,
 * and which changes what there is.
 *
 * @param relations cars, and as many flights and rooms
 * @param customers their number
 * @param transactions their number
 * @param queries offers that a customer looks at to book
 * @param queried percentage of the offers that are looked at: the first ones
 * @param users percentage of transactions that book; of the others half give up, and half change
 * @param seed of all draws
 */
record Vacation(
    int relations, int customers, int transactions, int queries, int queried, int users, long seed)
    implements Benchmark {
  /** What an item does, as {@code benchmark_vacation.cu} has it. */
  enum Task {
    BOOK,
    GIVE_UP,
    CHANGE
  }

  private static final int KINDS = 3;

  /** Bookings of a customer at most. */
  static final int ROOM = 8;

  static Vacation of(WorkloadSpec spec) {
    return new Vacation(
        spec.count("relations", spec.byContention("1M", "64k", "16k"), 1, 1 << 24),
        spec.count("customers", "1M", 1, 1 << 24),
        spec.count("transactions", "1M", 1, 1 << 24),
        spec.count("queries", spec.byContention("2", "4", "8"), 1, 8),
        spec.count("queried", spec.byContention("90", "90", "60"), 1, 100),
        spec.percent("users", spec.byContention("98", "90", "90")),
        spec.seed());
  }

  @Override
  public Instance generate() {
    SplittableRandom random = new SplittableRandom(seed);
    int[] offers = new int[3 * KINDS * relations];
    for (int at = 0; at < offers.length; at += 3) {
      offers[at + 1] = 100 * (1 + random.nextInt(5));
      offers[at + 2] = price(random);
    }
    int among = Math.max(1, (int) ((long) relations * queried / 100));
    int[] tasks = new int[4 * transactions];
    int[] queries = new int[this.queries * transactions];
    for (int item = 0; item < transactions; item++) {
      Task task =
          random.nextInt(100) < users
              ? Task.BOOK
              : random.nextBoolean() ? Task.GIVE_UP : Task.CHANGE;
      tasks[4 * item] = task.ordinal();
      if (task == Task.CHANGE) {
        tasks[4 * item + 1] = random.nextInt(KINDS) * relations + random.nextInt(among);
        tasks[4 * item + 2] = random.nextBoolean() ? 100 : -100;
        tasks[4 * item + 3] = price(random);
      } else {
        tasks[4 * item + 1] = random.nextInt(customers);
      }
      for (int k = 0; k < this.queries; k++) {
        queries[item * this.queries + k] =
            random.nextInt(KINDS) * relations + random.nextInt(among);
      }
    }
    return new Agency(customers, offers, tasks, queries);
  }

  /** As STAMP's: 50 to 90, in tens. */
  private static int price(SplittableRandom random) {
    return 50 + 10 * random.nextInt(5);
  }

  /**
   * The agency before; nobody has booked anything.
   *
   * @param customers their number
   * @param offers of each three numbers: booked, places, price
   * @param tasks of each item four numbers: the ordinal of what it does, whose customer or offer,
   *     places that an offer gets, its price then
   * @param queried offers that items look at, as many each
   */
  record Agency(int customers, int[] offers, int[] tasks, int[] queried) implements Instance {
    int items() {
      return tasks.length / 4;
    }

    Task task(int item) {
      return Task.values()[tasks[4 * item]];
    }

    @Override
    public Map<String, Long> sizes() {
      Map<String, Long> sizes = new LinkedHashMap<>();
      sizes.put("offers", offers.length / 3L);
      sizes.put("customers", (long) customers);
      sizes.put("transactions", (long) items());
      return sizes;
    }

    @Override
    public void addTo(ContentHash hash) {
      hash.add(customers).add(offers).add(tasks).add(queried);
    }

    @Override
    public Finished run(Device device, Synchronization how, StmOptions options) {
      try (OnDevice here = new OnDevice(device)) {
        DeviceArray<int[]> offered = here.copyOf(offers);
        DeviceArray<int[]> bookings = here.ints((long) customers * ROOM);
        DeviceArray<int[]> done = here.ints(items());
        KernelModule module = here.load("benchmark_vacation");
        int[] numbers = Enumerators.of(module, "task", Task.values());
        int[] theirs = tasks.clone();
        for (int at = 0; at < theirs.length; at += 4) {
          theirs[at] = numbers[theirs[at]];
        }
        RegionReport report =
            module
                .region("manage")
                .run(
                    options,
                    items(),
                    new Fields()
                        .set("offers", offered, here.objects(offers.length / 3))
                        .set("bookings", bookings, ROOM, here.objects(customers))
                        .set("tasks", here.copyOf(theirs))
                        .set("queried", here.copyOf(queried))
                        .set("queries", queried.length / items())
                        .set("done", done))
                .requireComplete();
        return Finished.of(
            report, new Result(this, offered.toArray(), bookings.toArray(), done.toArray()));
      }
    }
  }

  /**
   * The agency after.
   *
   * @param begun the agency before, and what there was to do
   * @param offers of each three numbers: booked, places, price
   * @param bookings of each customer offers, counted from 1, and 0 where there is room
   * @param done of each item bookings made or given up, 1 for a change; 0 if it canceled
   */
  record Result(Agency begun, int[] offers, int[] bookings, int[] done) implements CheckedResult {
    /** What is wrong with it. */
    @Override
    public Optional<String> mistake() {
      int count = offers.length / 3;
      int[] booked = new int[count];
      long all = 0;
      for (int booking : bookings) {
        if (booking < 0 || booking > count) {
          return Optional.of("a customer has booked offer " + booking + ", which does not exist");
        }
        if (booking > 0) {
          booked[booking - 1]++;
          all++;
        }
      }
      int[] places = new int[count];
      for (int at = 0; at < count; at++) {
        places[at] = begun.offers()[3 * at + 1];
      }
      Map<Integer, Set<Integer>> prices = new HashMap<>();
      long expected = 0;
      for (int item = 0; item < done.length; item++) {
        switch (begun.task(item)) {
          case BOOK -> expected += done[item];
          case GIVE_UP -> expected -= done[item];
          case CHANGE -> {
            if (done[item] != 0) {
              int offer = begun.tasks()[4 * item + 1];
              places[offer] += begun.tasks()[4 * item + 2];
              prices.computeIfAbsent(offer, o -> new HashSet<>()).add(begun.tasks()[4 * item + 3]);
            }
          }
        }
      }
      Optional<String> undone = wrongCancel();
      if (undone.isPresent()) {
        return undone;
      }
      if (all != expected) {
        return Optional.of(
            "customers have " + all + " bookings, but the items' reports imply " + expected);
      }
      for (int at = 0; at < count; at++) {
        if (offers[3 * at] != booked[at]) {
          return Optional.of(
              "offer "
                  + at
                  + " is booked "
                  + offers[3 * at]
                  + " times, and customers have "
                  + booked[at]);
        }
        if (offers[3 * at + 1] != places[at] || booked[at] > places[at]) {
          return Optional.of(
              "offer "
                  + at
                  + " has "
                  + offers[3 * at + 1]
                  + " places, of which "
                  + booked[at]
                  + " are booked, and by the changes "
                  + places[at]);
        }
        int price = offers[3 * at + 2];
        Set<Integer> possible = prices.getOrDefault(at, Set.of(begun.offers()[3 * at + 2]));
        if (!possible.contains(price)) {
          return Optional.of(
              "offer " + at + " has price " + price + ", but no change set that last");
        }
      }
      return Optional.empty();
    }

    /**
     * Items that did less than they could have done, whatever came before them: an offer can always
     * get places; and a customer who has room for all that he may book finds an offer that never
     * runs out, in each kind where he looks at one.
     */
    private Optional<String> wrongCancel() {
      int queries = begun.queried().length / done.length;
      int[] left = new int[offers.length / 3];
      for (int at = 0; at < left.length; at++) {
        left[at] = begun.offers()[3 * at + 1];
      }
      int[] bookers = new int[begun.customers()];
      for (int item = 0; item < done.length; item++) {
        int whose = begun.tasks()[4 * item + 1];
        switch (begun.task(item)) {
          case BOOK -> {
            bookers[whose]++;
            for (int k = 0; k < queries; k++) {
              left[begun.queried()[item * queries + k]]--;
            }
          }
          case GIVE_UP -> {}
          case CHANGE -> left[whose] += Math.min(0, begun.tasks()[4 * item + 2]);
        }
      }
      for (int item = 0; item < done.length; item++) {
        int whose = begun.tasks()[4 * item + 1];
        boolean grows =
            begun.task(item) == Task.CHANGE && begun.tasks()[4 * item + 2] > 0 && done[item] == 0;
        if (grows) {
          return Optional.of(
              "item "
                  + item
                  + " gives offer "
                  + whose
                  + " more places, but reports that it could not");
        }
        if (begun.task(item) == Task.BOOK && KINDS * bookers[whose] <= ROOM) {
          Set<Integer> kinds = new HashSet<>();
          for (int k = 0; k < queries; k++) {
            int offer = begun.queried()[item * queries + k];
            if (left[offer] >= 0) {
              kinds.add(offer / (left.length / KINDS));
            }
          }
          if (done[item] < kinds.size()) {
            return Optional.of(
                "item "
                    + item
                    + " booked "
                    + done[item]
                    + " offers, and could have booked "
                    + kinds.size());
          }
        }
      }
      return Optional.empty();
    }
  }
}
