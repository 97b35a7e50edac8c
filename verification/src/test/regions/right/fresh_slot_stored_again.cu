/// @file
/// A slot is filled before the commit that links it. An attempt that is undone gives it back filled, and the next fills it again.
// arguments: link=fill:99:2 end=zeros:4 records=pool:4
// items: 4
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct fresh_slot_stored_again {
  magpie::stm::guarded<std::uint32_t> link;  // of two lists: the record, or none
  magpie::array<std::uint32_t> end;          // of each record
  magpie::stm::pool<0> records;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  static constexpr std::uint32_t max_slots[] = {1};
  static constexpr std::uint32_t none = 99;

  struct state {
    std::uint32_t record;
    bool makes;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    MAGPIE_TRY(tx.reserve(records, 1));
    s.record = MAGPIE_TRY(tx.get(link, item % 2));
    s.makes = s.record == none;
    if (s.makes) {
      s.record = tx.take(records);
      magpie::st_rlx_dev(&end[s.record], item);
      return outcome::commit;
    }
    return magpie::ld_rlx_dev(&end[s.record]) % 2 == item % 2 ? outcome::commit : outcome::cancel;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    tx.store(link, item % 2, s.makes ? s.record : none);
    if (!s.makes) tx.free(records, s.record);
  }
};
MAGPIE_REGION(fresh_slot_stored_again)
