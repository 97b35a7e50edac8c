/// @file
/// A sorted list without duplicates, whose nodes are slots of a pool: each item inserts a key or deletes one.
#include "magpie/stm.cuh"

using magpie::stm::outcome;

/// Item i inserts the key changes[i] if that is positive, and otherwise deletes the key -changes[i]. Node 0 is the head, and
/// the end.
struct change {
  magpie::stm::guarded<std::uint32_t> next;  // of each node; `gone` once it is deleted
  magpie::array<std::int32_t> key;           // of each node; stays as it is while the node is in the list
  magpie::stm::pool<0> nodes;
  magpie::array<const std::int32_t> changes;

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;
  static constexpr std::uint32_t max_slots[] = {1};
  static constexpr std::uint32_t gone = ~0u;

  struct state {
    std::uint32_t before, at, after, made;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    const bool inserts = changes[item] > 0;
    const std::int32_t wanted = inserts ? changes[item] : -changes[item];
    if (inserts) MAGPIE_TRY(tx.reserve(nodes, 1));
    // Hints say where to look: nothing is claimed on the way.
    s.before = 0;
    for (std::uint32_t n = tx.glance(next, 0); n != 0 && n != gone; n = tx.glance(next, n)) {
      if (tx.glance(&key[n]) >= wanted) break;
      s.before = n;
    }
    // Looked at again under claims: is the node still in the list, and does the key still belong behind it?
    s.at = MAGPIE_TRY(tx.get(next, s.before));
    if (s.at == gone) return outcome::retry;
    if (s.before != 0 && tx.glance(&key[s.before]) >= wanted) return outcome::retry;
    if (s.at != 0 && tx.glance(&key[s.at]) < wanted) return outcome::retry;
    const bool there = s.at != 0 && tx.glance(&key[s.at]) == wanted;
    if (there == inserts) return outcome::cancel;
    if (there) {
      s.after = MAGPIE_TRY(tx.get(next, s.at));
    } else {
      s.made = tx.take(nodes);
      MAGPIE_TRY(tx.open(next, s.made));
    }
    return outcome::commit;
  }

  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    if (changes[item] <= 0) {
      tx.store(next, s.before, s.after);
      tx.store(next, s.at, gone);
      tx.free(nodes, s.at);
    } else {
      magpie::st_rlx_dev(&key[s.made], changes[item]);
      tx.store(next, s.made, s.at);
      tx.store(next, s.before, s.made);
    }
  }
};
MAGPIE_REGION(change)
