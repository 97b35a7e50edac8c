/// @file
/// Accesses of all kinds, for tests of what a trace has.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

struct pair_of_words {
  std::uint32_t first, second;
};

/// Item i is at cell i and writes cell i + 1.
struct touch {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> values;
  magpie::array<std::uint64_t> sums;
  const std::uint32_t* extra;
  std::uint32_t* pairs;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto cell = tx.open(cells, item);
    std::uint32_t value = 0;
    if (!tx.read(cell, &values[item], value)) return outcome::retry;
    value += values[item + 4];
    value += *(extra + item);
    sums[item] = value;
    const pair_of_words two{value, item};
    reinterpret_cast<pair_of_words*>(pairs)[item] = two;
    value += tx.glance(&values[0]);
    tx.tally(&sums[7], 1);
    magpie::add_rlx_dev(&values[9], 1);
    if (!tx.write(cell, &values[item], value)) return outcome::retry;
    return outcome::commit;
  }
};
MAGPIE_REGION(touch)

struct block_of_words {
  std::uint32_t words[16];
};

/// Copies and fills blocks by string functions, and by an assignment, past the transaction.
struct copy {
  magpie::stm::objects cells;
  magpie::array<block_of_words> blocks;
  std::uint32_t words;  // to be copied and filled

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto cell = tx.open(cells, item);
    block_of_words whole;
    memcpy(&whole, &blocks[item], sizeof whole);
    ++whole.words[15];
    blocks[1] = whole;
    memmove(&blocks[0].words[1], &blocks[0].words[0], words * sizeof whole.words[0]);
    memmove(&blocks[2].words[0], &blocks[2].words[1], words * sizeof whole.words[0]);
    memset(&blocks[0].words[5], 7, words * sizeof whole.words[0]);
    std::memcpy(&blocks[3], &whole, sizeof whole);
    return tx.write(cell, &blocks[item].words[15], 0) ? outcome::commit : outcome::retry;
  }
};
MAGPIE_REGION(copy)
