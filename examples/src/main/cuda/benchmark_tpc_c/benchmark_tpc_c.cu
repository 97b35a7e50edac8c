/// @file
/// The benchmark `tpc-c`: the transactions NewOrder and Payment of TPC-C (TPC Benchmark C, revision 5.11, clauses 2.4 and 2.5),
/// nine tenths of its mix, on tables in arrays. Amounts are in cents.
#define MAGPIE_ALL_POLICIES  // hand_off and priority_rule; others are compiled when they are asked for

#include "magpie/stm.cuh"

using magpie::stm::outcome;

/// A row of CUSTOMER.
struct alignas(8) customer {
  std::int64_t balance;
  std::uint64_t paid;
  std::uint64_t payments;
};

/// A row of STOCK.
struct alignas(8) stock_level {
  std::uint32_t quantity;
  std::uint32_t sold;
  std::uint32_t orders;
  std::uint32_t remote;  ///< orders by another warehouse's customers
};

/// A row of ORDER.
struct order_row {
  std::uint32_t made_by;  ///< the item, counted from 1
  std::uint32_t customer;
  std::uint32_t lines;
  std::uint32_t all_local;
};

/// A row of ORDER-LINE.
struct order_line {
  std::uint32_t item;
  std::uint32_t supplier;  ///< a warehouse
  std::uint32_t quantity;
  std::uint32_t amount;
};

/// What an item does: an order of the lines `first` to `first + lines - 1`, or, if there are none, a payment.
struct task {
  std::uint32_t district;  ///< of all warehouses
  std::uint32_t customer;  ///< of all districts; who pays may be of another one
  std::uint32_t first;
  std::uint32_t lines;
  std::uint32_t amount;  ///< paid
};

/// What an order asks for.
struct asked_line {
  std::uint32_t item;  ///< or `none`, as one order in a hundred asks for what there is not, and is undone
  std::uint32_t supplier;
  std::uint32_t quantity;

  static constexpr std::uint32_t none = ~0u;
};

/// Item i does tasks[i].
struct trade {
  magpie::stm::guarded<std::uint64_t> warehouse_paid;
  magpie::stm::guarded<std::uint64_t> district_paid;
  magpie::stm::guarded<std::uint32_t> next_order;  // of each district; the same objects
  magpie::stm::guarded<customer> customers;
  magpie::stm::guarded<stock_level> stock;  // of each warehouse's items
  // What an order writes is its district's: the rows of the number that the district gives it.
  magpie::array<order_row> orders;
  magpie::array<order_line> order_lines;
  magpie::array<const std::uint32_t> first_row;  // of each district: where its orders begin
  magpie::array<const std::uint32_t> prices;     // of each item
  magpie::array<const task> tasks;
  magpie::array<const asked_line> asked;
  magpie::array<std::uint32_t> done;  // of each item: 1, or 0 if it was undone

  static constexpr std::uint32_t districts_per_warehouse = 10;
  static constexpr std::uint32_t most_lines = 15;
  static constexpr std::uint32_t max_objects = 16, max_writes = 1;

  struct state {
    magpie::stm::datum<std::uint32_t> district;
    std::uint32_t number;  // of the order
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    const task wanted = tasks[item];
    s.district = MAGPIE_TRY(tx.open(next_order, wanted.district));
    if (wanted.lines == 0) {
      MAGPIE_TRY(tx.open(warehouse_paid, warehouse_of(wanted.district)));
      MAGPIE_TRY(tx.open(customers, wanted.customer));
      return outcome::commit;
    }
    s.number = MAGPIE_TRY(tx.get(s.district));
    for (std::uint32_t k = 0; k < wanted.lines; ++k) {
      const asked_line line = asked[wanted.first + k];
      if (line.item == asked_line::none) {
        magpie::st_plain(&done[item], 0u);
        return outcome::cancel;
      }
      MAGPIE_TRY(tx.open(stock, stock_of(line)));
    }
    return outcome::commit;
  }

  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    const task wanted = tasks[item];
    if (wanted.lines == 0) {
      pay(tx, wanted);
    } else {
      order(tx, item, wanted, s);
    }
    magpie::st_plain(&done[item], 1u);
  }

 private:
  MAGPIE_INLINE std::uint32_t warehouse_of(std::uint32_t district) const { return district / districts_per_warehouse; }
  MAGPIE_INLINE std::uint64_t stock_of(const asked_line& line) const {
    return std::uint64_t{line.supplier} * prices.size() + line.item;
  }

  template <class Tx>
  MAGPIE_INLINE void pay(Tx& tx, const task& wanted) const {
    const std::uint32_t warehouse = warehouse_of(wanted.district);
    tx.store(warehouse_paid, warehouse, tx.load(warehouse_paid, warehouse) + wanted.amount);
    tx.store(district_paid, wanted.district, tx.load(district_paid, wanted.district) + wanted.amount);
    customer who = tx.load(customers, wanted.customer);
    who.balance -= wanted.amount;
    who.paid += wanted.amount;
    ++who.payments;
    tx.store(customers, wanted.customer, who);
  }

  template <class Tx>
  MAGPIE_INLINE void order(Tx& tx, std::uint32_t item, const task& wanted, const state& s) const {
    const magpie::stm::handle district = s.district.object;
    const std::uint64_t row = std::uint64_t{magpie::ld_plain(&first_row[wanted.district])} + s.number;
    std::uint32_t all_local = 1;
    for (std::uint32_t k = 0; k < wanted.lines; ++k) {
      const asked_line line = asked[wanted.first + k];
      const bool remote = line.supplier != warehouse_of(wanted.district);
      if (remote) all_local = 0;
      stock_level level = tx.load(stock, stock_of(line));
      level.quantity =
          level.quantity >= line.quantity + 10 ? level.quantity - line.quantity : level.quantity - line.quantity + 91;
      level.sold += line.quantity;
      ++level.orders;
      if (remote) ++level.remote;
      tx.store(stock, stock_of(line), level);
      order_line& written = order_lines[row * most_lines + k];
      tx.store(district, &written.item, line.item);
      tx.store(district, &written.supplier, line.supplier);
      tx.store(district, &written.quantity, line.quantity);
      tx.store(district, &written.amount, line.quantity * magpie::ld_plain(&prices[line.item]));
    }
    tx.store(district, &orders[row].made_by, item + 1);
    tx.store(district, &orders[row].customer, wanted.customer);
    tx.store(district, &orders[row].lines, wanted.lines);
    tx.store(district, &orders[row].all_local, all_local);
    tx.store(next_order, wanted.district, s.number + 1);
  }
};
MAGPIE_REGION(trade)
