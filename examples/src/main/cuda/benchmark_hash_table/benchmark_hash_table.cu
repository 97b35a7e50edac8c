/// @file
/// The benchmark `hash-table`: a set of keys in a table with open addressing and linear probing. By transactions, which claim
/// eight places together, and lock-free.
#define MAGPIE_ALL_POLICIES  // `policy` chooses one, also where there is no compiler

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

/// The same by single compare-exchanges. A place that had a key gets no other one. So the places before the first that never
/// had one cannot become a key's behind somebody who has looked there, and no key is inserted twice.
struct set_operation_lock_free {
  magpie::array<std::uint32_t> places;
  magpie::array<const request> requests;
  magpie::array<std::uint32_t> found;

  MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
    for (const std::uint32_t item : self.items(static_cast<std::uint32_t>(requests.size()))) {
      magpie::st_plain(&found[item], finds(requests[item]) ? 1u : 0u);
    }
  }

 private:
  MAGPIE_INLINE bool finds(const request& wanted) const {
    const std::uint64_t mask = places.size() - 1;
    for (std::uint64_t at = scattered(wanted.key) & mask;; at = (at + 1) & mask) {
      std::uint32_t key = magpie::ld_rlx_dev(&places[at]);
      if (key == no_key::never) {
        if (wanted.what != action::insert) return false;
        key = magpie::cas_rlx_dev(&places[at], no_key::never, wanted.key);
        if (key == no_key::never) return false;  // and now it is there
      }
      if (key != wanted.key) continue;
      if (wanted.what != action::remove) return true;
      if (magpie::cas_rlx_dev(&places[at], key, no_key::removed) == key) return true;
    }
  }
};
MAGPIE_KERNEL(set_operation_lock_free)
