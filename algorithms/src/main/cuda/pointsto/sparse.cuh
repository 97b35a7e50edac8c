/// @file
/// Sparse sets: of each set the words that are not empty, in a list, and all of them in one hash table.
///
/// Layer: algorithm. A word is 64 locations of a variable's set; its slot in the table has its key (variable and number of the
/// word), its bits, and the next slot of the same set's list. Neighboring words of a set have neighboring slots where these are free,
/// so that a walk that adds to another set stays in few cache lines.
///
/// Shared state: `key`, claimed by one compare-exchange and never changed after; `words`, by or, relaxed, monotone; `next`, by the one
/// thread that has claimed the slot, before the list's head has it; `first`, the heads, by compare-exchanges that release, read by
/// loads that acquire, so that whoever sees a word in a list sees all that are behind it. A word whose bits a reader does not see
/// yet belongs to a set that `changed` in this round, as with dense sets.
///
/// Room is bounded: an addition that finds none is counted in `totals`, and the host makes a table twice as long, or gives up. Words
/// of nodes that are merged stay until the host moves all words to another table; there they are the roots'.
/// Rules for repeating: add is idempotent. Cost: an addition is a search in the table; a walk takes each word of a list once, and all
/// lanes of a warp follow it. Bytes: 20 for a slot.
#pragma once

#include "pointsto.cuh"

namespace pointsto {

/// A place is a slot. Arrays besides `words`, of differences, have their words at the same places.
struct sparse_sets {
  u32 room;          ///< number of words from which on none is begun, at most that of slots
  u64 slots;         ///< a power of 2
  array<u64> key;    ///< of each slot
  array<u64> words;  ///< the same; or none of what is not kept
  array<u32> next;   ///< the same
  array<u32> first;  ///< of each variable
  array<u64> totals;

  static constexpr u32 block = 8;  ///< words of a set that begin their search side by side

  MAGPIE_INLINE u64* at(u64 place) const { return &words[place]; }

  /// Calls body(k, word, place) for each word of v's set that is this lane's, the same ones in each walk.
  template <class Body>
  MAGPIE_INLINE void for_each_word(const thread& self, u32 v, Body&& body) const {
    MAGPIE_NO_UNROLL
    for (u32 slot = magpie::ld_acq_dev(&first[v]); slot != none; slot = magpie::ld_rlx_dev(&next[slot])) {
      if (slot % self.width() != self.lane()) continue;
      body(magpie::ld_rlx_dev(&key[slot]) & 0xffffffffu, magpie::ld_rlx_dev(&words[slot]), u64{slot});
    }
  }

  /// Adds bits to word k of v's set, by one writer or several; whether that changed it.
  MAGPIE_INLINE bool add(u32 v, u64 k, u64 bits) const {
    if (bits == 0) return false;
    const u64 wanted = key_of(v, k);
    u64 slot = begin_of(v, k);
    for (u64 step = 0; step < slots; ++step) {
      u64 seen = magpie::ld_rlx_dev(&key[slot]);
      if (seen == no_key) {
        // So many may be on their way past this look as there are threads, and the table has slots for them or they lose.
        if (magpie::ld_rlx_dev(&totals[total::words]) >= room) return lose();
        seen = magpie::cas_rlx_dev(&key[slot], no_key, wanted);
        if (seen == no_key) {
          magpie::red_or_rlx_dev(&words[slot], bits);
          link(v, static_cast<u32>(slot));
          return true;
        }
      }
      if (seen == wanted) {
        if ((bits & ~magpie::ld_rlx_dev(&words[slot])) == 0) return false;
        return (bits & ~magpie::or_rlx_dev(&words[slot], bits)) != 0;
      }
      slot = (slot + 1) & (slots - 1);
    }
    return lose();
  }

  /// The same: lanes of a warp that has v alone may meet at a word, which has its slot's lane in one set and another's in the next.
  MAGPIE_INLINE bool add_alone(u32 v, u64 k, u64 bits) const { return add(v, k, bits); }

  /// Leaves in root's set what v's has, too, by one writer or several. All lanes of a warp.
  MAGPIE_INLINE void keep_common(const thread& self, u32 root, u32 v) const {
    if (words.size() == 0) return;
    for_each_word(self, root, [&](u64 k, u64 word, u64 place) {
      const u64 other = word == 0 ? 0 : get(v, k);
      if ((word & ~other) != 0) magpie::red_and_rlx_dev(&words[place], other);
    });
  }

 private:
  static MAGPIE_INLINE u64 key_of(u32 v, u64 k) { return u64{v} << 32 | k; }
  MAGPIE_INLINE u64 begin_of(u32 v, u64 k) const {
    return (spread(key_of(v, k / block)) * block + k % block) & (slots - 1);
  }

  /// Word k of v's set, to which nobody adds.
  MAGPIE_INLINE u64 get(u32 v, u64 k) const {
    u64 slot = begin_of(v, k);
    for (u64 step = 0; step < slots; ++step) {
      const u64 seen = magpie::ld_rlx_dev(&key[slot]);
      if (seen == key_of(v, k)) return magpie::ld_rlx_dev(&words[slot]);
      if (seen == no_key) return 0;
      slot = (slot + 1) & (slots - 1);
    }
    return 0;
  }

  MAGPIE_INLINE void link(u32 v, u32 slot) const {
    magpie::red_add_rlx_dev(&totals[total::words], u64{1});
    u32 head = magpie::ld_rlx_dev(&first[v]);
    while (true) {
      magpie::st_rlx_dev(&next[slot], head);
      const u32 seen = magpie::cas_acqrel_dev(&first[v], head, slot);
      if (seen == head) return;
      head = seen;
    }
  }

  MAGPIE_INLINE bool lose() const {
#if !defined(MAGPIE_POINTSTO_WORDS_FORGOTTEN)  // a planted fault, which the verifier must notice
    magpie::red_add_rlx_dev(&totals[total::lost_words], u64{1});
#endif
    return false;
  }
};

/// Adds the words of another table to this one, each to the set of the root. Shared state: see there; `rep`, read only. If this one
/// has room for as many words as the other has, none is lost.
struct move_words {
  array<const u64> key;
  array<const u64> words;
  node_arrays nodes;
  sparse_sets to;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 slot : self.items(key.size())) {
      const u64 k = magpie::ld_plain(&key[slot]);
      if (k == no_key) continue;
      to.add(find(nodes.rep, static_cast<u32>(k >> 32)), k & 0xffffffffu, magpie::ld_plain(&words[slot]));
    }
  }
};
MAGPIE_KERNEL(move_words)

}  // namespace pointsto
