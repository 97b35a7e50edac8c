/// @file
/// The next record is made in a state that has an initializer too, and the padding of the record is stored with it.
// arguments: cells=objects:2 records=zeros:8
// items: 4
// expect: nothing
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct padded {
  std::uint16_t kind;
  std::uint64_t load;
};

struct padding_beside_an_initializer {
  magpie::stm::objects cells;
  magpie::array<padded> records;

  static constexpr std::uint32_t max_objects = 1, max_writes = 0;

  struct state {
    magpie::stm::handle cell;  // none at first
    padded next;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.cell = tx.open(cells, item % 2);
    std::uint64_t load = 0;
    if (!tx.read(s.cell, &records[item % 2].load, load)) return outcome::retry;
    s.next.kind = 3;
    s.next.load = load + 1;
    return outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx&, std::uint32_t item, const state& s) const {
    records[item % 2] = s.next;  // under the lock, past the transaction
  }
};
MAGPIE_REGION(padding_beside_an_initializer)
