/// @file
/// References to a record are counted by a relaxed operation, which orders no data; who drops the last one clears the record and frees it.
// arguments: desks=fill:0:4 references=[4,0] note=[7,8] seen=zeros:4 records=pool:2:1
// items: 4
// expect: unguarded access at note
// recorded: nothing (items of which each atomic operation comes before the free end alike)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct clears_after_the_last_count {
  magpie::stm::guarded<std::uint32_t> desks;  // of each desk: the record there, or 9
  magpie::array<std::uint32_t> references;
  magpie::array<std::uint32_t> note;
  magpie::array<std::uint32_t> seen;
  magpie::stm::pool<0> records;

  static constexpr std::uint32_t max_objects = 1, max_writes = 0;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    std::uint32_t record;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.record = MAGPIE_TRY(tx.get(desks, item));
    return s.record == 9 ? outcome::cancel : outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    seen[item] = note[s.record];
    tx.store(desks, item, 9);
    if (magpie::add_rlx_dev(&references[s.record], ~0u) == 1) {
      note[s.record] = 0;  // here
      tx.free(records, s.record);
    }
  }
};
MAGPIE_REGION(clears_after_the_last_count)
