/// @file
/// Four bytes of a word belong to four objects, and are changed under these.
// arguments: corners=objects:4 squares=zeros:1
// items: 4
// expect: nothing
// left open: no two items met
// recorded: vacuous run (nothing goes through tx)
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct square {
  std::uint8_t colors[4];
};

struct bytes_of_one_word {
  magpie::stm::objects corners;
  magpie::array<square> squares;

  static constexpr std::uint32_t max_objects = 1, max_writes = 0;

  struct state {
    magpie::stm::handle corner;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    s.corner = tx.open(corners, item);
    return s.corner ? outcome::commit : outcome::retry;
  }
  template <class Tx>
  MAGPIE_DEVICE void apply(Tx&, std::uint32_t item, const state&) const {
    squares[0].colors[item] = static_cast<std::uint8_t>(item + 1);
  }
};
MAGPIE_REGION(bytes_of_one_word)
