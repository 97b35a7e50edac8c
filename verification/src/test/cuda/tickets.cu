/// @file
/// Items draw tickets when they have committed, by an atomic operation of the standard library: the second before the first.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

/// What the two of the first launch wait for: 1 the first has committed, 2 the second has its ticket.
MAGPIE_MODULE_VARIABLE std::uint32_t stage = 0;

struct tickets {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> commits;
  magpie::array<std::uint32_t> next;
  magpie::array<std::uint32_t> drawn;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    if (item == 1) await(1);
    const auto cell = tx.open(cells, 0);
    std::uint32_t count = 0;
    if (!tx.read(cell, &commits[0], count)) return outcome::retry;
    return tx.write(cell, &commits[0], count + 1) ? outcome::commit : outcome::retry;
  }

  template <class Tx>
  MAGPIE_DEVICE void committed(Tx&, std::uint32_t item) const {
    if (item == 0 && magpie::ld_acq_dev(&stage) == 0) {
      magpie::st_rel_dev(&stage, 1);
      await(2);
    }
    drawn[item] = std::atomic_ref(next[0]).fetch_add(1);
    if (item == 1) magpie::st_rel_dev(&stage, 2);
  }

  MAGPIE_DEVICE static void await(std::uint32_t wanted) {
    for (std::uint32_t i = 0; i < 1u << 20 && magpie::ld_acq_dev(&stage) < wanted; ++i) magpie::pause(1000);
  }
};
MAGPIE_REGION(tickets)
