/// @file
/// The benchmark `hash-table`: a set of keys in a table with open addressing and linear probing. By transactions, which claim
/// eight places together, and lock-free.
#define MAGPIE_ALL_POLICIES  // hand_off and priority_rule; others are compiled when they are asked for

#include "../benchmarks/requests.cuh"

using magpie::stm::outcome;

/// What is in a place without a key.
struct no_key {
  static constexpr std::uint32_t never = 0;      ///< and there was never one: nobody has to look behind it
  static constexpr std::uint32_t removed = ~0u;  ///< there was one
};

/// Item i does requests[i]. The number of places is a power of two.
struct set_operation {
  magpie::stm::guarded<std::uint32_t, magpie::stm::blocks_of<8>> places;
  magpie::array<const request> requests;
  magpie::array<std::uint32_t> found;  // of each item: whether its key was there

  static constexpr std::uint32_t max_objects = 4, max_writes = 1;

  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const request wanted = requests[item];
    const std::uint64_t mask = places.size() - 1;
    const std::uint64_t first = scattered(wanted.key);
    std::uint64_t vacant = places.size();
    bool there = false;
    std::uint64_t at = 0;
    for (std::uint64_t looked = 0; looked < places.size() && !there; ++looked) {
      at = (first + looked) & mask;
      const std::uint32_t key = MAGPIE_TRY(tx.get(places, at));
      there = key == wanted.key;
      if (vacant == places.size() && (key == no_key::never || key == no_key::removed)) vacant = at;
      if (key == no_key::never) break;
    }
    if (wanted.what == action::remove && there) MAGPIE_TRY(tx.set(places, at, no_key::removed));
    if (wanted.what == action::insert && !there) {
      if (vacant == places.size()) {
        magpie::st_plain(&found[item], no_room);
        return outcome::cancel;
      }
      MAGPIE_TRY(tx.set(places, vacant, wanted.key));
    }
    magpie::st_plain(&found[item], there ? 1u : 0u);
    return outcome::commit;
  }
};
MAGPIE_REGION(set_operation)

/// The same by single compare-exchanges. A place that a key once has stays that key's, and says whether the key is in the set. So
/// a key has one place, the first that never had another one, and no two items can insert it twice.
struct set_operation_lock_free {
  magpie::array<std::uint32_t> places;  // twice the key, plus 1 while it is in the set; or `never`
  magpie::array<const request> requests;
  magpie::array<std::uint32_t> found;

  MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
    for (const std::uint32_t item : self.items(static_cast<std::uint32_t>(requests.size()))) {
      magpie::st_plain(&found[item], finds(requests[item]) ? 1u : 0u);
    }
  }

 private:
  static constexpr std::uint32_t in_set = 1;

  MAGPIE_INLINE bool finds(const request& wanted) const {
    const std::uint64_t mask = places.size() - 1;
    std::uint64_t at = scattered(wanted.key) & mask;
    std::uint32_t word = magpie::ld_rlx_dev(&places[at]);
    while (word / 2 != wanted.key) {
      if (word != no_key::never) {
        at = (at + 1) & mask;
        word = magpie::ld_rlx_dev(&places[at]);
      } else if (wanted.what != action::insert) {
        return false;
      } else {
        word = magpie::cas_rlx_dev(&places[at], no_key::never, wanted.key * 2 + in_set);
        if (word == no_key::never) return false;  // and now it is there
      }
    }
    // Its place: only what it says of the key can change.
    for (;;) {
      const bool there = (word & in_set) != 0;
      const bool changes = wanted.what == (there ? action::remove : action::insert);
      if (!changes) return there;
      const std::uint32_t before = magpie::cas_rlx_dev(&places[at], word, word ^ in_set);
      if (before == word) return there;
      word = before;
    }
  }
};
MAGPIE_KERNEL(set_operation_lock_free)
