/// @file
/// The next record is made in the state, member by member, and stored as a whole, with the padding that nobody sets.
// arguments: records=zeros:4
// items: 4
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct record {
  std::uint8_t kind;
  std::uint32_t load;
};

struct padding_of_a_state {
  magpie::stm::guarded<record> records;

  static constexpr std::uint32_t max_objects = 1, max_writes = 2;

  struct state {
    std::uint32_t at;
    record next;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.at = item % 2;
    const record before = MAGPIE_TRY(tx.get(records, s.at));
    s.next.kind = static_cast<std::uint8_t>(before.kind + 1);
    s.next.load = before.load + 7;
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t, const state& s) const {
    tx.store(records, s.at, s.next);
  }
};
MAGPIE_REGION(padding_of_a_state)
