/// @file
/// Links are slot numbers plus one, with 0 for none, and beside them stand small numbers that are equal to slots by chance.
// arguments: link=zeros:6 cell=zeros:6 records=pool:6 at=[0,1,0]
// items: 3
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct links_beside_equal_cells {
  magpie::stm::guarded<std::uint32_t> link;  // of each cell: its record plus one, or 0
  magpie::stm::guarded<std::uint32_t> cell;  // of each record
  magpie::stm::pool<0> records;
  magpie::array<const std::uint32_t> at;  // of each item: the cell that it gives a record

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    std::uint32_t record;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    MAGPIE_TRY(tx.reserve(records, 1));
    if (MAGPIE_TRY(tx.get(link, at[item])) != 0) return outcome::cancel;
    s.record = tx.take(records);
    MAGPIE_TRY(tx.open(cell, s.record));
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    tx.store(cell, s.record, at[item]);
    tx.store(link, at[item], s.record + 1);
  }
};
MAGPIE_REGION(links_beside_equal_cells)
