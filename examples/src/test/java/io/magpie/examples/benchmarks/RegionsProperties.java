package io.magpie.examples.benchmarks;

import io.magpie.verification.testing.RegionCheck;
import io.magpie.verification.testing.RegionData;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Assertions;

/** Regions do under many schedules what their items one after the other would do. */
@Tag("slow")
class RegionsProperties {
  private static int[] flat(List<int[]> rows) {
    return rows.stream().flatMapToInt(Arrays::stream).toArray();
  }

  // ---- bank

  /** Who pays whom how much, or a scan: three numbers, of 6 accounts in branches of 3. */
  @Provide
  Arbitrary<List<int[]>> orders() {
    Arbitrary<Integer> account = Arbitraries.integers().between(0, 5);
    Arbitrary<int[]> transfer =
        Combinators.combine(
                account, Arbitraries.integers().between(1, 5), Arbitraries.integers().between(1, 8))
            .as((from, apart, amount) -> new int[] {from, (from + apart) % 6, amount});
    Arbitrary<int[]> scan = Arbitraries.of(0, 3).map(first -> new int[] {first, 0, 0});
    return Arbitraries.oneOf(transfer, scan).list().ofMinSize(1).ofMaxSize(6);
  }

  @Property(tries = 25)
  void moneyMovesAndIsScanned(@ForAll("orders") List<int[]> orders) {
    long[] balance = new long[6];
    Arrays.fill(balance, 10);
    RegionCheck.ofModule("benchmark_bank", "transfer_or_scan")
        .guarded("balance", balance)
        .array("orders", flat(orders))
        .array("moved", new int[orders.size()])
        .number("scanned", 3)
        .array("sums", new long[orders.size()])
        .items(orders.size())
        .explore("pct:3", 60)
        .explore("pct:3+weak", 40)
        .specification(
            (data, item) -> {
              int[] order = orders.get(item);
              long[] has = data.longs("balance");
              if (order[2] == 0) {
                data.longs("sums")[item] = has[order[0]] + has[order[0] + 1] + has[order[0] + 2];
                return true;
              }
              return pays(data, item, order);
            })
        .allowNoCommits()
        .check();
  }

  @Property(tries = 25)
  void moneyMoves(@ForAll("orders") List<int[]> orders) {
    List<int[]> transfers =
        orders.stream().filter(order -> order[2] > 0).collect(Collectors.toList());
    long[] balance = new long[6];
    Arrays.fill(balance, 10);
    RegionCheck.ofModule("benchmark_bank", "transfer")
        .guarded("balance", balance)
        .array("orders", flat(transfers))
        .array("moved", new int[transfers.size()])
        .items(transfers.size())
        .explore("pct:3", 60)
        .explore("pct:3+weak", 40)
        .specification((data, item) -> pays(data, item, transfers.get(item)))
        .allowNoCommits()
        .check();
  }

  private static boolean pays(RegionData data, int item, int[] order) {
    long[] balance = data.longs("balance");
    if (balance[order[0]] < order[2]) {
      return false;
    }
    balance[order[0]] -= order[2];
    balance[order[1]] += order[2];
    data.ints("moved")[item] = 1;
    return true;
  }

  // ---- ycsb

  /** Requests of 3 records with 2 fields, two each. */
  @Property(tries = 25)
  void recordsAreReadAndUpdated(
      @ForAll @Size(min = 1, max = 5) List<@Size(4) List<@IntRange(max = 2) Integer>> drawn) {
    int items = drawn.size();
    int[] requests = new int[4 * items];
    for (int item = 0; item < items; item++) {
      for (int k = 0; k < 4; k++) {
        int value = drawn.get(item).get(k);
        requests[4 * item + k] = k % 2 == 0 ? value : value - 1; // a field, or all
      }
    }
    RegionCheck.ofModule("benchmark_ycsb", "serve")
        .guarded("version", new int[3])
        .array("fields.data", new int[6])
        .number("fields.columns", 2)
        .argument("fields.guards", "version.guards")
        .array("requests", requests)
        .number("per_item", 2)
        .array("seen", new int[2 * items])
        .array("sums", new int[2 * items])
        .items(items)
        .explore("pct:3", 60)
        .explore("pct:3+weak", 40)
        .specification(
            (data, item) -> {
              int[] version = data.ints("version");
              int[] fields = data.ints("fields");
              for (int at = 2 * item; at < 2 * item + 2; at++) {
                int record = requests[2 * at];
                data.ints("seen")[at] = version[record];
                if (requests[2 * at + 1] < 0) {
                  data.ints("sums")[at] = fields[2 * record] + fields[2 * record + 1];
                } else {
                  fields[2 * record + requests[2 * at + 1]] = at + 1;
                  version[record]++;
                }
              }
              return true;
            })
        .check();
  }

  // ---- kmeans

  @Property(tries = 25)
  void pointsJoinTheNearestCluster(
      @ForAll @Size(min = 1, max = 6) List<@Size(2) List<@IntRange(max = 9) Integer>> points) {
    int[] flat = points.stream().flatMap(List::stream).mapToInt(each -> each).toArray();
    int[] centers = {2, 2, 7, 7};
    RegionCheck.ofModule("benchmark_kmeans", "join_cluster")
        .array("sums.data", new long[6])
        .number("sums.columns", 3)
        .objects("sums.guards", 2)
        .array("all.points", flat)
        .array("all.centers", centers)
        .number("all.dimensions", 2)
        .number("all.clusters", 2)
        .array("cluster", new int[points.size()])
        .items(points.size())
        .explore("pct:3", 60)
        .explore("pct:3+weak", 40)
        .specification(
            (data, item) -> {
              int x = flat[2 * item];
              int y = flat[2 * item + 1];
              int joined = x + y > 9 ? 1 : 0; // of the two on the diagonal
              data.ints("cluster")[item] = joined;
              long[] sums = data.longs("sums");
              sums[3 * joined] += x;
              sums[3 * joined + 1] += y;
              sums[3 * joined + 2]++;
              return true;
            })
        .check();
  }

  // ---- vacation

  /** What an item does, whose, places, price; then two offers of six to look at. */
  @Provide
  Arbitrary<List<int[]>> tasks() {
    Arbitrary<Integer> offer = Arbitraries.integers().between(0, 5);
    return Combinators.combine(
            Arbitraries.integers().between(0, 2),
            Arbitraries.integers().between(0, 1),
            Arbitraries.integers().between(-2, 2),
            Arbitraries.integers().between(1, 3),
            offer,
            offer)
        .as((kind, whose, more, price, a, b) -> new int[] {kind, whose, more, price, a, b})
        .list()
        .ofMinSize(1)
        .ofMaxSize(6);
  }

  @Property(tries = 25)
  void customersBookAndGiveUp(@ForAll("tasks") List<int[]> drawn) {
    int[] tasks = flat(drawn.stream().map(each -> Arrays.copyOf(each, 4)).toList());
    int[] queried = flat(drawn.stream().map(each -> Arrays.copyOfRange(each, 4, 6)).toList());
    int[] offers = {0, 1, 2, 0, 2, 1, 0, 1, 1, 0, 1, 3, 0, 0, 2, 0, 2, 2};
    RegionCheck.ofModule("benchmark_vacation", "manage")
        .array("offers.data", offers)
        .objects("offers.guards", 6)
        .array("bookings.data", new int[6])
        .number("bookings.columns", 3)
        .objects("bookings.guards", 2)
        .array("tasks", tasks)
        .array("queried", queried)
        .number("queries", 2)
        .array("done", new int[drawn.size()])
        .items(drawn.size())
        .explore("pct:3", 60)
        .explore("pct:3+weak", 40)
        .specification((data, item) -> manages(data, item, drawn.get(item)))
        .allowNoCommits()
        .check();
  }

  private static boolean manages(RegionData data, int item, int[] task) {
    int[] offers = data.ints("offers");
    int[] bookings = data.ints("bookings");
    int count = 0;
    if (task[0] == Vacation.Task.CHANGE.ordinal()) {
      int places = offers[3 * task[1] + 1] + task[2];
      if (task[2] >= 0 || places >= offers[3 * task[1]]) {
        offers[3 * task[1] + 1] = places;
        offers[3 * task[1] + 2] = task[3];
        count = 1;
      }
    } else if (task[0] == Vacation.Task.GIVE_UP.ordinal()) {
      for (int at = 3 * task[1]; at < 3 * task[1] + 3; at++) {
        if (bookings[at] != 0) {
          offers[3 * (bookings[at] - 1)]--;
          bookings[at] = 0;
          count++;
        }
      }
    } else {
      int[] chosen = {-1, -1, -1};
      for (int offer : new int[] {task[4], task[5]}) {
        int best = chosen[offer / 2];
        boolean free = offers[3 * offer] < offers[3 * offer + 1];
        if (free && (best < 0 || offers[3 * offer + 2] > offers[3 * best + 2])) {
          chosen[offer / 2] = offer;
        }
      }
      long wanted = Arrays.stream(chosen).filter(offer -> offer >= 0).count();
      long room = Arrays.stream(bookings, 3 * task[1], 3 * task[1] + 3).filter(b -> b == 0).count();
      for (int kind = 0; kind < 3 && wanted <= room; kind++) {
        if (chosen[kind] >= 0) {
          int at = 3 * task[1];
          while (bookings[at] != 0) {
            at++;
          }
          bookings[at] = chosen[kind] + 1;
          offers[3 * chosen[kind]]++;
          count++;
        }
      }
    }
    if (count > 0) {
      data.ints("done")[item] = count;
    }
    return count > 0;
  }

  // ---- tpc-c

  /** District of ten, customer of ten, amount paid, or two lines of two items. */
  @Provide
  Arbitrary<List<int[]>> trades() {
    Arbitrary<Integer> small = Arbitraries.integers().between(0, 1);
    return Combinators.combine(
            small,
            small,
            Arbitraries.integers().between(0, 3),
            small,
            Arbitraries.integers().between(-1, 1),
            Arbitraries.integers().between(1, 10))
        .as(
            (district, customer, amount, first, second, quantity) ->
                new int[] {district, customer, amount, first, second, quantity})
        .list()
        .ofMinSize(1)
        .ofMaxSize(5);
  }

  @Property(tries = 25)
  void ordersAndPayments(@ForAll("trades") List<int[]> drawn) {
    int items = drawn.size();
    int[] tasks = new int[5 * items];
    int[] lines = new int[6 * items];
    for (int i = 0; i < items; i++) {
      int[] each = drawn.get(i);
      tasks[5 * i] = each[0];
      tasks[5 * i + 1] = each[1];
      tasks[5 * i + 2] = 2 * i;
      tasks[5 * i + 3] = each[2] == 0 ? 2 : 0;
      tasks[5 * i + 4] = each[2];
      System.arraycopy(new int[] {each[3], 0, each[5], each[4], 0, 1}, 0, lines, 6 * i, 6);
    }
    int[] firstRow = new int[11];
    Arrays.fill(firstRow, 1, 11, items); // district 1 behind district 0
    RegionCheck.ofModule("benchmark_tpc_c", "trade")
        .guarded("warehouse_paid", new long[1])
        .guarded("district_paid", new long[10])
        .array("next_order.data", new int[10])
        .argument("next_order.guards", "district_paid.guards")
        .array("customers.data", new int[60])
        .objects("customers.guards", 10)
        .array("stock.data", 12, 0, 0, 0, 30, 0, 0, 0)
        .objects("stock.guards", 2)
        .array("orders", new int[4 * 2 * items])
        .array("order_lines", new int[4 * 15 * 2 * items])
        .array("first_row", firstRow)
        .array("prices", 100, 7)
        .array("tasks", tasks)
        .array("asked", lines)
        .array("done", new int[items])
        .items(items)
        .explore("pct:3", 60)
        .explore("pct:3+weak", 40)
        .specification((data, i) -> trades(data, i, tasks, lines, firstRow))
        .allowNoCommits()
        .check();
  }

  private static boolean trades(RegionData data, int i, int[] tasks, int[] lines, int[] firstRow) {
    int district = tasks[5 * i];
    int customer = tasks[5 * i + 1];
    int amount = tasks[5 * i + 4];
    if (tasks[5 * i + 3] == 0) {
      data.longs("warehouse_paid")[0] += amount;
      data.longs("district_paid")[district] += amount;
      add(data.ints("customers"), 6 * customer, -amount);
      add(data.ints("customers"), 6 * customer + 2, amount);
      add(data.ints("customers"), 6 * customer + 4, 1);
      data.ints("done")[i] = 1;
      return true;
    }
    if (lines[6 * i + 3] < 0) {
      return false;
    }
    int row = firstRow[district] + data.ints("next_order")[district]++;
    int[] stock = data.ints("stock");
    for (int k = 0; k < 2; k++) {
      int item = lines[6 * i + 3 * k];
      int quantity = lines[6 * i + 3 * k + 2];
      stock[4 * item] += (stock[4 * item] >= quantity + 10 ? 0 : 91) - quantity;
      stock[4 * item + 1] += quantity;
      stock[4 * item + 2]++;
      int[] line = {item, 0, quantity, quantity * (item == 0 ? 100 : 7)};
      System.arraycopy(line, 0, data.ints("order_lines"), 4 * (15 * row + k), 4);
    }
    System.arraycopy(new int[] {i + 1, customer, 2, 1}, 0, data.ints("orders"), 4 * row, 4);
    data.ints("done")[i] = 1;
    return true;
  }

  /** Adds to a number of 64 bits in two words. */
  private static void add(int[] words, int at, int value) {
    long sum = Integer.toUnsignedLong(words[at]) | (long) words[at + 1] << 32;
    sum += value;
    words[at] = (int) sum;
    words[at + 1] = (int) (sum >> 32);
  }

  // ---- labyrinth

  private static final int SIDE = 3;

  /**
   * Ends of up to three wires on a board of nine cells, all different. Which of several shortest
   * ways a wire takes depends on those that were there, of which its objects say nothing.
   */
  @Property(tries = 25)
  void wiresTakeShortestWays(
      @ForAll @IntRange(min = 1, max = 3) int wires, @ForAll("shuffled") List<Integer> cells) {
    int[] pairs = cells.stream().limit(2 * wires).mapToInt(each -> each).toArray();
    Labyrinth.Board board = new Labyrinth.Board(new Labyrinth(SIDE, SIDE, 1, wires, 1), pairs);
    int size = SIDE * SIDE;
    RegionCheck.ofModule("benchmark_labyrinth", "route")
        .guarded("grid", new int[size])
        .number("width", SIDE)
        .number("height", SIDE)
        .array("pairs", pairs)
        .array("steps", new int[wires * size])
        .array("cells", new int[wires * size])
        .array("laid", new int[wires])
        .items(wires)
        .explore("pct:3", 60)
        .explore("pct:3+weak", 40)
        .invariant(
            data -> {
              int[] grid = data.ints("grid");
              if (Arrays.stream(grid).anyMatch(cell -> cell != 0)) { // it has run
                new Labyrinth.Result(board, grid, data.ints("laid"))
                    .mistake()
                    .ifPresent(Assertions::fail);
              }
            })
        .check();
  }

  @Provide
  Arbitrary<List<Integer>> shuffled() {
    return Arbitraries.shuffle(0, 1, 2, 3, 4, 5, 6, 7, 8);
  }
}
