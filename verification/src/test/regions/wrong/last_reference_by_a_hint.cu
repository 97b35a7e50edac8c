/// @file
/// Owners of one record drop their references: each counts down by an object of its own, and glances at the others' to see whether it is the last.
// arguments: owns=[1,1] record=[0] notes=zeros:2 records=pool:2:1
// items: 2
// expect: unchecked hint at owns.data
// recorded: unguarded access or wrong result or leak
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct last_reference_by_a_hint {
  magpie::stm::guarded<std::uint32_t> owns;
  magpie::array<const std::uint32_t> record;
  magpie::stm::guarded<std::uint32_t> notes;
  magpie::stm::pool<0> records;

  static constexpr std::uint32_t max_objects = 1, max_writes = 0;
  static constexpr std::uint32_t max_slots[] = {1};

  struct state {
    bool last;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    if (MAGPIE_TRY(tx.get(owns, item)) == 0) return outcome::cancel;
    s.last = tx.glance(owns, 1 - item) == 0;  // here
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    tx.store(owns, item, 0);
    if (s.last) tx.free(records, record[0]);
  }
};
MAGPIE_REGION(last_reference_by_a_hint)
