/// @file
/// Regions with and without scattered accesses, for the facade's tests.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

/// Adds 1 to a datum.
template <bool Declared, class Layout>
struct add_in {
  magpie::stm::guarded<std::int32_t, magpie::stm::same_index, Layout> value;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  static constexpr bool scattered_accesses = Declared;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const std::uint64_t at = item % value.size();
    MAGPIE_TRY(tx.set(value, at, MAGPIE_TRY(tx.get(value, at)) + 1));
    return outcome::commit;
  }
};
using scattered = add_in<true, magpie::stm::apart>;
using scattered_in_cells = add_in<true, magpie::stm::beside>;
using not_declared = add_in<false, magpie::stm::apart>;
MAGPIE_REGION(scattered)
MAGPIE_REGION(scattered_in_cells)
MAGPIE_REGION(not_declared)

/// The same with more arguments.
struct scattered_among_others {
  scattered first;                          // a struct among the fields
  magpie::stm::guarded<std::int64_t> same;  // of the same objects
  magpie::stm::guarded_matrix<float> rows;  // of objects of its own
  magpie::array<std::uint32_t> unguarded;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  static constexpr bool scattered_accesses = true;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    return first(tx, item);
  }
};
MAGPIE_REGION(scattered_among_others)
