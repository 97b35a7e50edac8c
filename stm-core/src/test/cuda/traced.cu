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

/// Does everything that the compiler has for an atomic word of each width, one after the other, past all accessors.
struct use_builtins {
  magpie::stm::objects cells;
  magpie::array<std::uint64_t> words;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto cell = tx.open(cells, item);
    use<unsigned __int128>(&words[0]);
    use<std::uint64_t>(&words[2]);
    use<std::uint32_t>(&words[3]);
    use<std::uint16_t>(&words[4]);
    use<std::uint8_t>(&words[5]);
    return tx.write(cell, &words[6], 1) ? outcome::commit : outcome::retry;
  }

  template <class T>
  static void use(void* at) {
    T* const p = static_cast<T*>(at);
    constexpr T all = static_cast<T>(~T{0}), a = all / 3, b = all / 5, c = all / 15, d = all / 17;
    constexpr int order = __ATOMIC_SEQ_CST;
    __atomic_store_n(p, a, order);
    T sum = __atomic_load_n(p, order);
    sum += __atomic_fetch_add(p, a, order);
    sum += __atomic_fetch_sub(p, c, order);
    sum += __atomic_fetch_and(p, b, order);
    sum += __atomic_fetch_or(p, d, order);
    sum += __atomic_fetch_xor(p, a, order);
    sum += __atomic_fetch_nand(p, b, order);
    sum += __atomic_exchange_n(p, c, order);
    for (const bool weak : {false, true}) {
      T expected = c;
      __atomic_compare_exchange_n(p, &expected, d, weak, order, order);
      expected = b;
      __atomic_compare_exchange_n(p, &expected, a, weak, order, order);  // fails
      sum += expected;
      __atomic_store_n(p, c, __ATOMIC_RELEASE);
    }
    __atomic_store_n(p, sum, order);
  }
};
MAGPIE_REGION(use_builtins)

/// Item 0 does it all to a word that item 1 changes meanwhile, unseen, and tells the sums of what it stored, loaded, and left by
/// updates.
struct meet_by_builtins {
  magpie::stm::objects cells;
  magpie::array<std::uint32_t> words;
  magpie::array<std::uint32_t> flags;  // whether the items run: 1 from the beginning, 2 in the end
  magpie::array<std::uint64_t> sums;

  static constexpr std::uint32_t max_objects = 1, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto cell = tx.open(cells, item);
    magpie::st_rel_dev(&flags[item], 1);
    for (std::uint32_t i = 0; i < 1u << 20 && magpie::ld_acq_dev(&flags[1 - item]) == 0; ++i) magpie::pause(1000);
    if (item == 0) {
      meet();
      magpie::st_rel_dev(&flags[0], 2);
    } else {
      while (magpie::ld_acq_dev(&flags[0]) != 2) disturb(&words[0]);
    }
    return tx.write(cell, &words[1 + item], 1) ? outcome::commit : outcome::retry;
  }

  MAGPIE_UNTRACED static void disturb(volatile std::uint32_t* word) {
    for (std::uint32_t i = 0; i < 1000; ++i) *word = *word + 1;
  }

  /// Until the other one is seen to be running.
  MAGPIE_UNTRACED static void await(const volatile std::uint32_t* word) {
    const std::uint32_t before = *word;
    for (std::uint32_t i = 0; i < 1u << 20 && *word == before; ++i) {
    }
  }

  void meet() const {
    const std::atomic_ref<std::uint32_t> word(words[0]);
    std::uint64_t stored = 0, loaded = 0, left = 0;
    for (std::uint32_t i = 0; i < 100; ++i) {
      word.store(i, std::memory_order_relaxed);
      stored += i;
      await(&words[0]);
      for (std::uint32_t k = 0; k < 100; ++k) loaded += word.load(std::memory_order_relaxed);
      const std::uint32_t sum = word.fetch_add(3, std::memory_order_relaxed) + 3;
      left += sum;
      await(&words[0]);
      std::uint32_t expected = sum;
      left += word.compare_exchange_strong(expected, i, std::memory_order_relaxed) ? i : expected;
    }
    sums[0] = stored;
    sums[1] = loaded;
    sums[2] = left;
  }
};
MAGPIE_REGION(meet_by_builtins)
