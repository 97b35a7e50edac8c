/// @file
/// Adjacency in bits, eight to a row: each vertex sets a bit of its row under its own object, but eight rows share a word.
// arguments: vertices=objects:8 bits=zeros:1
// items: 4
// expect: guard mismatch at bits
// recorded: guard mismatch at bits
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct bits_of_a_shared_word {
  magpie::stm::objects vertices;
  magpie::array<std::uint64_t> bits;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto own = tx.open(vertices, item);
    std::uint64_t word = 0;
    if (!tx.read(own, &bits[0], word)) return outcome::retry;
    if (!tx.write(own, &bits[0], word | 1ull << (8 * item + 3))) return outcome::retry;  // here
    return outcome::commit;
  }
};
MAGPIE_REGION(bits_of_a_shared_word)
