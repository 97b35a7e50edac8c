package io.magpie.examples.benchmarks;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.GuardedCells;
import io.magpie.stm.Kernel;
import io.magpie.stm.RegionReport;
import io.magpie.stm.StmOptions;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Accounts between which money moves, and scans that read a branch: all its accounts at one moment.
 *
 * @param accounts their number
 * @param transactions transfers and scans together
 * @param scans percentage of these that scan
 * @param scanned accounts of a branch
 * @param withinBranches whether money stays within its branch, so that every scan is to find what
 *     the branch began with
 * @param seed of all draws
 */
record Bank(
    int accounts, int transactions, int scans, int scanned, boolean withinBranches, long seed)
    implements Benchmark {
  /** What an account begins with. */
  private static final long MONEY = 1_000;

  private static final int MOST_MOVED = 100;

  static Bank of(WorkloadSpec spec) {
    int accounts = spec.count("accounts", spec.byContention("1M", "64k", "1k"), 2, 1 << 28);
    int transactions = spec.count("transactions", "1M", 1, 1 << 26);
    int scans = spec.percent("scans", "0");
    int scanned = spec.count("scanned", Integer.toString(Math.min(accounts, 64)), 2, 4096);
    if (scanned > accounts) {
      throw spec.bad(
          "scanned=" + scanned + ": there are only " + accounts + " accounts; scan at most these");
    }
    boolean within = spec.word("transfers", "branch", "bank").equals("branch");
    return new Bank(accounts, transactions, scans, scanned, within, spec.seed());
  }

  /** Whole ones: accounts behind the last are in none. */
  private int branches() {
    return accounts / scanned;
  }

  @Override
  public Set<Synchronization> forms() {
    return EnumSet.of(Synchronization.STM, Synchronization.LOCKS);
  }

  @Override
  public Set<Layout> layouts() {
    return EnumSet.allOf(Layout.class);
  }

  @Override
  public Instance generate() {
    SplittableRandom random = new SplittableRandom(seed);
    int[] orders = new int[3 * transactions];
    for (int i = 0; i < transactions; i++) {
      int branch = random.nextInt(branches());
      if (random.nextInt(100) < scans) {
        orders[3 * i] = branch * scanned;
        continue;
      }
      int first = withinBranches ? branch * scanned : 0;
      int among = withinBranches ? scanned : accounts;
      int from = random.nextInt(among);
      int to = (from + 1 + random.nextInt(among - 1)) % among;
      orders[3 * i] = first + from;
      orders[3 * i + 1] = first + to;
      orders[3 * i + 2] = 1 + random.nextInt(MOST_MOVED);
    }
    long[] balances = new long[accounts];
    Arrays.fill(balances, MONEY);
    return new Orders(this, balances, orders);
  }

  /**
   * What there is to do.
   *
   * @param balances of the accounts, before
   * @param orders of each item three numbers: who pays whom how much; of a scan the branch's first
   *     account, and zeros
   */
  record Orders(Bank bank, long[] balances, int[] orders) implements Instance {
    @Override
    public Map<String, Long> sizes() {
      Map<String, Long> sizes = new LinkedHashMap<>();
      sizes.put("accounts", (long) balances.length);
      sizes.put("transactions", (long) items());
      return sizes;
    }

    int items() {
      return orders.length / 3;
    }

    @Override
    public void addTo(ContentHash hash) {
      hash.add(balances).add(orders).add(bank.scanned);
    }

    @Override
    public Finished run(Device device, Synchronization how, StmOptions options) {
      return how == Synchronization.STM ? run(device, Layout.APART, options) : runByLocks(device);
    }

    private Finished runByLocks(Device device) {
      try (OnDevice here = new OnDevice(device)) {
        DeviceArray<long[]> balance = here.copyOf(balances);
        DeviceArray<int[]> moved = here.ints(items());
        DeviceArray<long[]> sums = here.longs(items());
        Fields fields =
            new Fields()
                .set("balance", balance)
                .set("locks", here.ints(balances.length))
                .set("orders", here.copyOf(orders))
                .set("moved", moved)
                .set("scanned", bank.scanned)
                .set("sums", sums);
        Kernel.Report report =
            here.load("benchmark_bank").kernel("transfer_or_scan_by_locks").run(items(), fields);
        return Finished.of(report, result(balance, moved, sums));
      }
    }

    @Override
    public Finished run(Device device, Layout layout, StmOptions options) {
      try (OnDevice here = new OnDevice(device)) {
        DeviceArray<int[]> moved = here.ints(items());
        DeviceArray<long[]> sums = here.longs(items());
        Fields fields = new Fields().set("orders", here.copyOf(orders)).set("moved", moved);
        DeviceArray<long[]> balance;
        if (layout == Layout.BESIDE) {
          GuardedCells<long[]> cells = here.cellsOf(balances);
          fields.set("balance", cells);
          balance = cells.data();
        } else {
          balance = here.copyOf(balances);
          fields.set("balance", balance, here.objects(balances.length));
        }
        if (bank.scans > 0) {
          fields.set("scanned", bank.scanned).set("sums", sums);
        }
        String region = bank.scans > 0 ? "transfer_or_scan" : "transfer";
        RegionReport report =
            here.load("benchmark_bank")
                .region(layout == Layout.BESIDE ? region + "_in_cells" : region)
                .run(options, items(), fields)
                .requireComplete();
        return Finished.of(report, result(balance, moved, sums));
      }
    }

    private Result result(
        DeviceArray<long[]> balance, DeviceArray<int[]> moved, DeviceArray<long[]> sums) {
      return new Result(this, balance.toArray(), moved.toArray(), sums.toArray());
    }
  }

  /**
   * What a run left.
   *
   * @param balances of the accounts
   * @param moved of each item, whether it moved money; 0 of scans and of payers who had too little
   * @param sums of each scan, what it read
   */
  record Result(Orders begun, long[] balances, int[] moved, long[] sums) implements CheckedResult {
    /** What is wrong with it. */
    @Override
    public Optional<String> mistake() {
      long money = Arrays.stream(begun.balances).sum();
      long left = Arrays.stream(balances).sum();
      if (money != left) {
        return Optional.of("the bank began with " + money + " and ends with " + left);
      }
      long[] expected = begun.balances.clone();
      for (int item = 0; item < moved.length; item++) {
        int amount = begun.orders[3 * item + 2];
        if (amount == 0 && moved[item] != 0) {
          return Optional.of("item " + item + " scans, but reports that it moved money");
        }
        if (moved[item] != 0) {
          expected[begun.orders[3 * item]] -= amount;
          expected[begun.orders[3 * item + 1]] += amount;
        }
      }
      for (int account = 0; account < expected.length; account++) {
        if (balances[account] != expected[account] || balances[account] < 0) {
          return Optional.of(
              "account "
                  + account
                  + " has "
                  + balances[account]
                  + ", but the committed transfers give "
                  + expected[account]);
        }
      }
      return wrongRefusal()
          .or(
              () ->
                  begun.bank.withinBranches || begun.bank.scanned == begun.bank.accounts
                      ? wrongScan()
                      : Optional.empty());
    }

    /** Who could pay all that he was to pay has paid it. */
    private Optional<String> wrongRefusal() {
      long[] least = begun.balances.clone();
      for (int item = 0; item < moved.length; item++) {
        least[begun.orders[3 * item]] -= begun.orders[3 * item + 2];
      }
      for (int item = 0; item < moved.length; item++) {
        int payer = begun.orders[3 * item];
        if (begun.orders[3 * item + 2] != 0 && moved[item] == 0 && least[payer] >= 0) {
          return Optional.of(
              "item "
                  + item
                  + " moved nothing, and account "
                  + payer
                  + " had enough for all its payments");
        }
      }
      return Optional.empty();
    }

    /**
     * Money stays in its branch, so that whoever sees all of its accounts at one moment sees all of
     * it.
     */
    private Optional<String> wrongScan() {
      for (int item = 0; item < moved.length; item++) {
        int first = begun.orders[3 * item];
        if (begun.orders[3 * item + 2] == 0) {
          long expected = Arrays.stream(begun.balances, first, first + begun.bank.scanned).sum();
          if (sums[item] != expected) {
            return Optional.of(
                "scan "
                    + item
                    + " saw "
                    + sums[item]
                    + " in the branch of account "
                    + first
                    + ", which always has "
                    + expected);
          }
        }
      }
      return Optional.empty();
    }
  }
}
