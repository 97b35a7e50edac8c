/// @file
/// A cell of a table is known by its row to some items and by its column to others.
// arguments: rows=objects:2 columns=objects:2 table=zeros:4
// items: 4
// expect: guard mismatch at table
// recorded: guard mismatch at table
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct row_and_column_guards {
  magpie::stm::objects rows;
  magpie::stm::objects columns;
  magpie::array<std::uint64_t> table;

  static constexpr std::uint32_t max_objects = 1, max_writes = 2;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t row = item / 2, column = item % 2;
    const auto line = row == column ? tx.open(rows, row) : tx.open(columns, column);
    for (std::uint32_t i = 0; i < 2; ++i) {
      std::uint64_t* const cell = &table[row == column ? 2 * row + i : 2 * i + column];
      std::uint64_t value = 0;
      if (!tx.read(line, cell, value)) return outcome::retry;
      if (!tx.write(line, cell, value + 1)) return outcome::retry;  // here
    }
    return outcome::commit;
  }
};
MAGPIE_REGION(row_and_column_guards)
