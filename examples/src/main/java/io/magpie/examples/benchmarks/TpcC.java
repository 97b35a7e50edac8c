package io.magpie.examples.benchmarks;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.RegionReport;
import io.magpie.stm.StmObjects;
import io.magpie.stm.StmOptions;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * The transactions NewOrder and Payment of TPC-C.
 *
 * @param warehouses their number
 * @param items that a warehouse has in stock
 * @param customers of each of the ten districts of a warehouse
 * @param transactions their number
 * @param payments percentage of these; the others order
 * @param seed of all draws
 */
record TpcC(int warehouses, int items, int customers, int transactions, int payments, long seed)
    implements Benchmark {
  static final int DISTRICTS = 10;
  static final int MOST_LINES = 15;
  private static final int FEWEST_LINES = 5;

  /** In place of an item: one that there is not. */
  private static final int NONE = -1;

  static TpcC of(WorkloadSpec spec) {
    TpcC tpcC =
        new TpcC(
            spec.count("warehouses", spec.byContention("256", "32", "1"), 1, 4096),
            spec.count("items", "10k", 1, 100_000),
            spec.count("customers", "300", 1, 3000),
            spec.count("transactions", "1M", 1, 1 << 24),
            spec.percent("payments", "50"),
            spec.seed());
    if ((long) tpcC.warehouses * tpcC.items > 1 << 28) {
      throw spec.bad(
          "warehouses="
              + tpcC.warehouses
              + " of items="
              + tpcC.items
              + ": expected at most "
              + (1 << 28)
              + " rows of stock; ask for fewer");
    }
    return tpcC;
  }

  @Override
  public boolean storesInApply() {
    return true;
  }

  @Override
  public Instance generate() {
    SplittableRandom random = new SplittableRandom(seed);
    int[] prices = random.ints(items, 100, 10_001).toArray();
    int[] tasks = new int[5 * transactions];
    int[] lines = new int[3 * MOST_LINES * transactions];
    int used = 0;
    for (int i = 0; i < transactions; i++) {
      int warehouse = random.nextInt(warehouses);
      int district = warehouse * DISTRICTS + random.nextInt(DISTRICTS);
      tasks[5 * i] = district;
      if (random.nextInt(100) < payments) {
        // Who pays is of another warehouse in 15 of 100 cases: clause 2.5.1.2.
        int home =
            random.nextInt(100) < 15
                ? other(warehouse, random) * DISTRICTS + random.nextInt(DISTRICTS)
                : district;
        tasks[5 * i + 1] = home * customers + random.nextInt(customers);
        tasks[5 * i + 4] = random.nextInt(100, 500_001);
        continue;
      }
      int count = random.nextInt(FEWEST_LINES, MOST_LINES + 1);
      tasks[5 * i + 1] = district * customers + random.nextInt(customers);
      tasks[5 * i + 2] = used;
      tasks[5 * i + 3] = count;
      boolean undone = random.nextInt(100) == 0;
      for (int k = 0; k < count; k++) {
        int at = 3 * used++;
        lines[at] = undone && k + 1 == count ? NONE : random.nextInt(items);
        lines[at + 1] = random.nextInt(100) == 0 ? other(warehouse, random) : warehouse;
        lines[at + 2] = random.nextInt(1, 11);
      }
    }
    int[] stock = new int[4 * warehouses * items];
    for (int at = 0; at < stock.length; at += 4) {
      stock[at] = random.nextInt(10, 101);
    }
    return new Trade(warehouses, customers, prices, stock, tasks, Arrays.copyOf(lines, 3 * used));
  }

  private int other(int warehouse, SplittableRandom random) {
    return warehouses == 1
        ? warehouse
        : (warehouse + 1 + random.nextInt(warehouses - 1)) % warehouses;
  }

  /**
   * The tables before; nothing was ordered or paid.
   *
   * @param warehouses their number
   * @param customers of a district
   * @param prices of the items
   * @param stock of each warehouse's items four numbers: quantity, sold, orders, remote orders
   * @param tasks of each transaction five numbers: district, customer, first line, lines, amount
   *     paid
   * @param lines of each three numbers: item, supplying warehouse, quantity
   */
  record Trade(int warehouses, int customers, int[] prices, int[] stock, int[] tasks, int[] lines)
      implements Instance {
    int count() {
      return tasks.length / 5;
    }

    int districts() {
      return warehouses * DISTRICTS;
    }

    int district(int i) {
      return tasks[5 * i];
    }

    boolean orders(int i) {
      return tasks[5 * i + 3] > 0;
    }

    /** Whether it orders what there is not, and is undone. */
    boolean isUndone(int i) {
      int last = tasks[5 * i + 2] + tasks[5 * i + 3] - 1;
      return orders(i) && lines[3 * last] == NONE;
    }

    /** Where the orders of each district begin, and how many there can be in all. */
    int[] firstRows() {
      int[] first = new int[districts() + 1];
      for (int i = 0; i < count(); i++) {
        first[district(i) + 1] += orders(i) ? 1 : 0;
      }
      for (int d = 0; d < districts(); d++) {
        first[d + 1] += first[d];
      }
      return first;
    }

    @Override
    public Map<String, Long> sizes() {
      Map<String, Long> sizes = new LinkedHashMap<>();
      sizes.put("warehouses", (long) warehouses);
      sizes.put("items", (long) prices.length);
      sizes.put("customers", (long) districts() * customers);
      sizes.put("transactions", (long) count());
      return sizes;
    }

    @Override
    public void addTo(ContentHash hash) {
      hash.add(warehouses, customers).add(prices).add(stock).add(tasks).add(lines);
    }

    @Override
    public Finished run(Device device, Synchronization how, StmOptions options) {
      int[] firstRows = firstRows();
      int rows = firstRows[districts()];
      try (OnDevice here = new OnDevice(device)) {
        DeviceArray<long[]> warehousePaid = here.longs(warehouses);
        DeviceArray<long[]> districtPaid = here.longs(districts());
        DeviceArray<int[]> nextOrder = here.ints(districts());
        DeviceArray<long[]> who = here.longs(3L * districts() * customers);
        DeviceArray<int[]> levels = here.copyOf(stock);
        DeviceArray<int[]> orders = here.ints(4L * rows);
        DeviceArray<int[]> orderLines = here.ints(4L * MOST_LINES * rows);
        DeviceArray<int[]> done = here.ints(count());
        StmObjects districts = here.objects(districts());
        RegionReport report =
            here.load("benchmark_tpc_c")
                .region("trade")
                .run(
                    options,
                    count(),
                    new Fields()
                        .set("warehouse_paid", warehousePaid, here.objects(warehouses))
                        .set("district_paid", districtPaid, districts)
                        .set("next_order", nextOrder, districts)
                        .set("customers", who, here.objects((long) districts() * customers))
                        .set("stock", levels, here.objects(stock.length / 4))
                        .set("orders", orders)
                        .set("order_lines", orderLines)
                        .set("first_row", here.copyOf(firstRows))
                        .set("prices", here.copyOf(prices))
                        .set("tasks", here.copyOf(tasks))
                        .set("asked", here.copyOf(lines))
                        .set("done", done))
                .requireComplete();
        return Finished.of(
            report,
            new Result(
                this,
                warehousePaid.toArray(),
                districtPaid.toArray(),
                nextOrder.toArray(),
                who.toArray(),
                levels.toArray(),
                orders.toArray(),
                orderLines.toArray(),
                done.toArray()));
      }
    }
  }

  /**
   * The tables after.
   *
   * @param begun the tables before, and what there was to do
   * @param warehousePaid W_YTD
   * @param districtPaid D_YTD
   * @param nextOrder D_NEXT_O_ID, counted from 0
   * @param customers of each three numbers: C_BALANCE, C_YTD_PAYMENT, C_PAYMENT_CNT
   * @param stock as before
   * @param orders of each four numbers: the transaction, counted from 1, customer, lines, whether
   *     all of these are local
   * @param orderLines of each four numbers: item, supplying warehouse, quantity, amount
   * @param done of each transaction 1; 0 if it was undone
   */
  record Result(
      Trade begun,
      long[] warehousePaid,
      long[] districtPaid,
      int[] nextOrder,
      long[] customers,
      int[] stock,
      int[] orders,
      int[] orderLines,
      int[] done)
      implements CheckedResult {
    /**
     * What is wrong with it: consistency conditions of clause 3.3.2 as far as there are the tables,
     * and the input.
     */
    @Override
    public Optional<String> mistake() {
      for (int i = 0; i < done.length; i++) {
        if (done[i] != (begun.isUndone(i) ? 0 : 1)) {
          return Optional.of(
              "transaction " + i + (done[i] == 0 ? " was undone" : " was not undone"));
        }
      }
      return wrongPayments().or(this::wrongOrders).or(this::wrongStock);
    }

    private Optional<String> wrongPayments() {
      long[] warehouse = new long[warehousePaid.length];
      long[] district = new long[districtPaid.length];
      long[] customer = new long[customers.length];
      for (int i = 0; i < done.length; i++) {
        if (!begun.orders(i)) {
          int amount = begun.tasks()[5 * i + 4];
          int who = 3 * begun.tasks()[5 * i + 1];
          warehouse[begun.district(i) / DISTRICTS] += amount;
          district[begun.district(i)] += amount;
          customer[who] -= amount;
          customer[who + 1] += amount;
          customer[who + 2]++;
        }
      }
      return different("warehouse", "has been paid", warehousePaid, warehouse, 1)
          .or(() -> different("district", "has been paid", districtPaid, district, 1))
          .or(() -> different("customer", "has", customers, customer, 3));
    }

    private static Optional<String> different(
        String what, String has, long[] values, long[] expected, int columns) {
      int at = Arrays.mismatch(values, expected);
      return at < 0
          ? Optional.empty()
          : Optional.of(
              what
                  + " "
                  + at / columns
                  + " "
                  + has
                  + " "
                  + values[at]
                  + ", and by the payments "
                  + expected[at]);
    }

    /** Each order is in a row of its district, once, with the lines that were asked for. */
    private Optional<String> wrongOrders() {
      int[] firstRows = begun.firstRows();
      boolean[] seen = new boolean[done.length];
      long count = 0;
      for (int d = 0; d < nextOrder.length; d++) {
        int room = firstRows[d + 1] - firstRows[d];
        if (nextOrder[d] < 0 || nextOrder[d] > room) {
          return Optional.of("district " + d + " has " + nextOrder[d] + " orders of " + room);
        }
        for (int number = 0; number < nextOrder[d]; number++) {
          int row = firstRows[d] + number;
          int i = orders[4 * row] - 1;
          if (i < 0 || i >= done.length || seen[i] || !begun.orders(i) || begun.district(i) != d) {
            return Optional.of(
                "order "
                    + number
                    + " of district "
                    + d
                    + " is that of transaction "
                    + i
                    + ", which is not one of the district's or already has another");
          }
          seen[i] = true;
          count++;
          if (!isAsAsked(row, i)) {
            return Optional.of(
                "order " + number + " of district " + d + " has other lines than transaction " + i);
          }
        }
      }
      long expected = 0;
      for (int i = 0; i < done.length; i++) {
        expected += begun.orders(i) ? done[i] : 0;
      }
      return count == expected
          ? Optional.empty()
          : Optional.of("there are " + count + " orders, and " + expected + " committed");
    }

    private boolean isAsAsked(int row, int i) {
      int first = begun.tasks()[5 * i + 2];
      int count = begun.tasks()[5 * i + 3];
      int local = 1;
      for (int k = 0; k < count; k++) {
        int asked = 3 * (first + k);
        int written = 4 * (row * MOST_LINES + k);
        int item = begun.lines()[asked];
        int quantity = begun.lines()[asked + 2];
        if (orderLines[written] != item
            || orderLines[written + 1] != begun.lines()[asked + 1]
            || orderLines[written + 2] != quantity
            || orderLines[written + 3] != quantity * begun.prices()[item]) {
          return false;
        }
        local = begun.lines()[asked + 1] == begun.district(i) / DISTRICTS ? local : 0;
      }
      return orders[4 * row + 1] == begun.tasks()[5 * i + 1]
          && orders[4 * row + 2] == count
          && orders[4 * row + 3] == local;
    }

    private Optional<String> wrongStock() {
      int items = begun.prices().length;
      int[] expected = new int[stock.length];
      for (int i = 0; i < done.length; i++) {
        for (int k = 0; begun.orders(i) && done[i] == 1 && k < begun.tasks()[5 * i + 3]; k++) {
          int asked = 3 * (begun.tasks()[5 * i + 2] + k);
          int supplier = begun.lines()[asked + 1];
          int at = 4 * (supplier * items + begun.lines()[asked]);
          expected[at + 1] += begun.lines()[asked + 2];
          expected[at + 2]++;
          expected[at + 3] += supplier == begun.district(i) / DISTRICTS ? 0 : 1;
        }
      }
      for (int at = 0; at < stock.length; at += 4) {
        boolean same =
            stock[at + 1] == expected[at + 1]
                && stock[at + 2] == expected[at + 2]
                && stock[at + 3] == expected[at + 3];
        // Each order takes away what it asks for, and 91 are added where too few would be left.
        int missing = begun.stock()[at] - stock[at + 1] - stock[at];
        if (!same || missing % 91 != 0 || missing > 0 || stock[at] < 10) {
          return Optional.of(
              "stock of item "
                  + at / 4 % items
                  + " in warehouse "
                  + at / 4 / items
                  + ": quantity "
                  + stock[at]
                  + ", sold "
                  + stock[at + 1]
                  + " in "
                  + stock[at + 2]
                  + " orders; by the orders sold "
                  + expected[at + 1]
                  + " in "
                  + expected[at + 2]);
        }
      }
      return Optional.empty();
    }
  }
}
