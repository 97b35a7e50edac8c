package io.magpie.examples.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.magpie.stm.Device;
import io.magpie.stm.StmOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Results of benchmarks that are made wrong on purpose are found. */
class WrongResultsTest {
  private static Instance instance(String spec) {
    return Workload.of(spec).benchmark().generate();
  }

  /** A result, and what is done to it. */
  private record Wrong(String mistake, Runnable change, Runnable back) {
    static Wrong number(String mistake, int[] values, int at, int value) {
      int before = values[at];
      return new Wrong(mistake, () -> values[at] = value, () -> values[at] = before);
    }

    static Wrong number(String mistake, long[] values, int at, long value) {
      long before = values[at];
      return new Wrong(mistake, () -> values[at] = value, () -> values[at] = before);
    }
  }

  private static CheckedResult result(String spec) {
    try (Device device = Device.open("cpu:2")) {
      return instance(spec).run(device, Synchronization.STM, StmOptions.defaults()).result();
    }
  }

  private static void assertFound(CheckedResult result, List<Wrong> all) {
    assertEquals(Optional.empty(), result.mistake());
    for (Wrong wrong : all) {
      wrong.change.run();
      String found = result.mistake().orElse("nothing");
      assertTrue(found.contains(wrong.mistake), found + " in place of " + wrong.mistake);
      wrong.back.run();
    }
    assertEquals(Optional.empty(), result.mistake());
  }

  private static int first(int[] values, int value) {
    for (int i = 0; i < values.length; i++) {
      if (values[i] == value) {
        return i;
      }
    }
    throw new AssertionError("no " + value);
  }

  @Test
  void moneyThatIsMadeOrMovedIsFound() {
    Bank.Result bank = (Bank.Result) result(BenchmarksTest.small().get(0));
    int scan = 0;
    while (bank.begun().orders()[3 * scan + 2] != 0) {
      scan++;
    }
    int transfer = first(bank.moved(), 1);
    long[] balances = bank.balances();
    long before = balances[3];
    long other = balances[4];
    assertFound(
        bank,
        List.of(
            Wrong.number("the bank began with 64000", balances, 0, balances[0] + 1),
            new Wrong(
                "account 3 has",
                () -> {
                  balances[3] = before - 1;
                  balances[4] = other + 1;
                },
                () -> {
                  balances[3] = before;
                  balances[4] = other;
                }),
            Wrong.number("the committed transfers give", bank.moved(), transfer, 0),
            Wrong.number("scans, but reports that it moved money", bank.moved(), scan, 1),
            Wrong.number("scan " + scan + " saw", bank.sums(), scan, 7999)));
  }

  @Test
  void keysThatAreLostOrDoubledAreFound() {
    HashTable.Result table = (HashTable.Result) result(BenchmarksTest.small().get(2));
    int[] places = table.places();
    int at = 0;
    while (places[at] <= 0) {
      at++;
    }
    int item = 0;
    while (table.requests().action(item) != SetRequests.Action.INSERT || table.found()[item] == 1) {
      item++;
    }
    List<Wrong> all = new ArrayList<>();
    all.add(Wrong.number("reports imply 1 times", places, at, -1));
    all.add(Wrong.number("is not found", places, first(places, 0), places[at]));
    all.add(Wrong.number("reports imply", table.found(), item, 1));
    all.add(Wrong.number("found no room", table.found(), item, 2));
    assertFound(table, all);
  }

  @Test
  void versionsThatTwoUpdatesSawAreFound() {
    Ycsb.Result table = (Ycsb.Result) result(BenchmarksTest.small().get(3));
    int[] requests = table.begun().requests();
    int update = 1;
    while (requests[2 * update + 1] < 0 || table.seen()[update] == 0) {
      update++;
    }
    int read = first(requests, -1) / 2;
    int record = requests[2 * update];
    assertFound(
        table,
        List.of(
            Wrong.number("has version", table.version(), 3, table.version()[3] - 1),
            Wrong.number("one is lost", table.seen(), update, table.seen()[update] - 1),
            Wrong.number("that are not those of version", table.sums(), read, 1 << 30),
            Wrong.number(
                "does not have the value of its last update",
                table.fields(),
                3 * record,
                1 << 30)));
  }

  /** Each record for itself is in order. */
  @Test
  void transactionsThatFitNoOrderAreFound() {
    int all = -1;
    assertSaid("write skew", table(2, 0, all, 1, 0, 1, all, 0, 0), new int[4], 1, 1);
    assertSaid("no order", table(2, 0, 0, 0, 0, 0, 0, 1, 0), new int[] {0, 2, 1, 0}, 3, 1);
    Ycsb.Table twice = table(2, 0, 0, 0, 0, 0, all, 1, all);
    assertSaid("which a transaction left only in between", twice, new int[] {0, 1, 1, 0}, 2, 0);
    assertSaid("nothing", twice, new int[] {0, 1, 2, 0}, 2, 0);
    assertSaid("nothing", twice, new int[] {0, 1, 0, 0}, 2, 0);
    assertSaid("read skew", table(2, 0, 0, 1, 0, 0, all, 1, all), new int[] {0, 0, 1, 0}, 1, 1);
  }

  /** Transactions of two requests each. */
  private static Ycsb.Table table(int records, int... requests) {
    return new Ycsb.Table(records, 1, 2, requests);
  }

  /** What the result says in which requests saw these versions, and all else fits them. */
  private static void assertSaid(String expected, Ycsb.Table begun, int[] seen, int... versions) {
    int[] requests = begun.requests();
    int[] fields = new int[versions.length];
    int[] sums = new int[seen.length];
    for (int at = 0; at < seen.length; at++) {
      for (int update = 0; update < seen.length; update++) {
        boolean same = requests[2 * update] == requests[2 * at] && requests[2 * update + 1] == 0;
        if (same && seen[update] == versions[requests[2 * at]] - 1) {
          fields[requests[2 * at]] = update + 1;
        }
        if (same && seen[update] == seen[at] - 1 && requests[2 * at + 1] == -1) {
          sums[at] = update + 1;
        }
      }
    }
    String found = new Ycsb.Result(begun, versions, fields, seen, sums).mistake().orElse("nothing");
    assertTrue(found.contains(expected), found + " in place of " + expected);
  }

  @Test
  void itemsThatCouldHaveDoneMoreAreFound() {
    Bank.Orders orders = (Bank.Orders) instance("bank:accounts=1000,transactions=1k");
    Bank.Result bank =
        new Bank.Result(
            orders, orders.balances().clone(), new int[orders.items()], new long[orders.items()]);
    assertTrue(bank.mistake().orElse("nothing").contains("had enough for all its payments"));

    for (int users : List.of(100, 0)) {
      Vacation.Agency agency =
          (Vacation.Agency)
              instance("vacation:relations=2k,customers=2k,transactions=1k,users=" + users);
      Vacation.Result idle =
          new Vacation.Result(
              agency,
              agency.offers().clone(),
              new int[agency.customers() * Vacation.ROOM],
              new int[agency.items()]);
      String found = idle.mistake().orElse("nothing");
      assertTrue(found.contains(users == 0 ? "that it could not" : "could have booked"), found);
    }
  }

  @Test
  void listsOutOfOrderAreFound() {
    SortedList.Result list = (SortedList.Result) result(BenchmarksTest.small().get(4));
    int node = list.next()[0];
    int next = list.next()[node];
    assertFound(
        list,
        List.of(
            Wrong.number("is behind", list.key(), node, list.key()[next]),
            Wrong.number("nodes are in use", list.next(), node, list.next()[next]),
            Wrong.number("does not exist", list.next(), node, 1 << 30)));
    SkipList.Result towers = (SkipList.Result) result(BenchmarksTest.small().get(6));
    int low = towers.next()[0];
    int second = towers.next()[low * towers.levels()];
    int high = towers.next()[1];
    assertFound(
        towers,
        List.of(
            Wrong.number("is behind", towers.key(), low, towers.key()[second]),
            Wrong.number("level", towers.next(), 1, towers.next()[high * towers.levels() + 1])));
  }

  @Test
  void treesOutOfOrderAreFound() {
    BTree.Result tree = (BTree.Result) result(BenchmarksTest.small().get(7));
    int child = tree.nodes()[4 + BTree.WIDTH];
    int leaf = 0;
    while (tree.nodes()[leaf * BTree.WORDS] > 0 || tree.nodes()[leaf * BTree.WORDS + 1] < 2) {
      leaf++;
    }
    int at = leaf * BTree.WORDS;
    int[] nodes = tree.nodes();
    assertFound(
        tree,
        List.of(
            Wrong.number("and by those above it", nodes, child * BTree.WORDS, 7),
            Wrong.number("and by those above it", nodes, at + 3, nodes[at + 3] - 1),
            Wrong.number("is out of order", nodes, at + 4, nodes[at + 5]),
            Wrong.number("by those above it", nodes, 4 + BTree.WIDTH + 1, child),
            Wrong.number("reports imply", nodes, at + 1, nodes[at + 1] - 1)));
  }

  @Test
  void pointsThatAreNotCountedAreFound() {
    KMeans.Result points = (KMeans.Result) result(BenchmarksTest.small().get(5));
    assertFound(
        points,
        List.of(
            Wrong.number("has the sum", points.sums(), 5, points.sums()[5] + 1),
            Wrong.number("cluster 2 is not in the middle", points.centers(), 7, 1 << 15),
            Wrong.number(
                "and the nearest is", points.cluster(), 8, (points.cluster()[8] + 1) % 7)));
  }

  @Test
  void bookingsThatNobodyHasAreFound() {
    Vacation.Result agency = (Vacation.Result) result(BenchmarksTest.small().get(8));
    int free = first(agency.bookings(), 0);
    int growth = 0;
    while (agency.begun().task(growth) != Vacation.Task.CHANGE
        || agency.begun().tasks()[4 * growth + 2] < 0) {
      growth++;
    }
    assertFound(
        agency,
        List.of(
            Wrong.number("customers have", agency.bookings(), free, 3),
            Wrong.number("which does not exist", agency.bookings(), free, 61),
            Wrong.number("is booked", agency.offers(), 0, agency.offers()[0] + 1),
            Wrong.number("and by the changes", agency.offers(), 1, agency.offers()[1] + 1),
            Wrong.number("more places, but reports", agency.done(), growth, 0),
            Wrong.number("no change set that last", agency.offers(), 2, 51)));
  }

  @Test
  void ordersThatAreLostAreFound() {
    TpcC.Result trade = (TpcC.Result) result(BenchmarksTest.small().get(9));
    int payment = 0;
    while (trade.begun().orders(payment)) {
      payment++;
    }
    assertFound(
        trade,
        List.of(
            Wrong.number("was undone", trade.done(), payment, 0),
            Wrong.number("warehouse 0 has been paid", trade.warehousePaid(), 0, 17),
            Wrong.number("district 4 has been paid", trade.districtPaid(), 4, 17),
            Wrong.number("customer 2 has", trade.customers(), 7, 17),
            Wrong.number("orders, and", trade.nextOrder(), 3, trade.nextOrder()[3] - 1),
            Wrong.number("which is not one of the district's", trade.orders(), 0, payment + 1),
            Wrong.number("has other lines", trade.orderLines(), 2, 11),
            Wrong.number("stock of item 1 in warehouse 0", trade.stock(), 4, 9),
            Wrong.number("stock of item 2 in warehouse 1", trade.stock(), 4 * 52 + 1, 17)));
  }

  @Test
  void wiresThatDoNotConnectAreFound() {
    Labyrinth.Result board = (Labyrinth.Result) result(BenchmarksTest.small().get(10));
    int laid = 0;
    while (board.laid()[laid] < 3) {
      laid++;
    }
    int cell = board.begun().pairs()[2 * laid];
    assertFound(
        board,
        List.of(
            Wrong.number("which does not exist", board.grid(), 0, 31),
            Wrong.number("and its item says", board.laid(), laid, 0),
            Wrong.number("and its item says", board.grid(), cell, 0)));
    int[] moved = board.grid().clone();
    int free = first(moved, 0);
    moved[cell] = 0;
    moved[free] = laid + 1;
    String mistake =
        new Labyrinth.Result(board.begun(), moved, board.laid()).mistake().orElseThrow();
    assertTrue(mistake.contains("does not lead from"), mistake);
    int[] none = new int[moved.length];
    int[] nothing = new int[board.laid().length];
    mistake = new Labyrinth.Result(board.begun(), none, nothing).mistake().orElseThrow();
    assertEquals("wire 1 was not laid, but there is a path", mistake);
  }
}
