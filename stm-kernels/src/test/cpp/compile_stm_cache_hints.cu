// flavors: nvcc
// ptx: cache_hints.awk
/// @file
/// Which regions let cache lines go first: those that write what they open, through the transaction. No load asks for anything.
#include "magpie/stm.cuh"

namespace {

namespace stm = magpie::stm;

/// Adds 1 to a datum.
template <std::uint32_t Objects, std::uint32_t Writes>
struct counting {
  stm::guarded<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = Objects, max_writes = Writes;

  template <class Tx>
  MAGPIE_DEVICE stm::outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint32_t i = item % values.size();
    MAGPIE_TRY(tx.set(values, i, MAGPIE_TRY(tx.get(values, i)) + 1));
    return stm::outcome::commit;
  }
};
using passes_lines = counting<2, 2>;
using reads_more = counting<2, 1>;
using opens_many = counting<16, 16>;

/// The same, with an `apply`.
struct applies {
  stm::guarded<std::uint32_t> values;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  struct state {
    std::uint32_t before;
  };

  template <class Tx>
  MAGPIE_DEVICE stm::outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.before = MAGPIE_TRY(tx.get(values, item % values.size()));
    return stm::outcome::commit;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    tx.store(values, item % values.size(), s.before + 1);
  }
};

}  // namespace

MAGPIE_REGION(passes_lines)
MAGPIE_REGION(reads_more)
MAGPIE_REGION(opens_many)
MAGPIE_REGION(applies)
