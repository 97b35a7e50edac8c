/// @file
/// The benchmark `sorted-list`: a set of keys in a singly linked list whose nodes are slots of a pool. By transactions, which
/// claim a node or two, and lock-free.
#define MAGPIE_ALL_POLICIES  // hand_off and priority_rule; others are compiled when they are asked for

#include "../benchmarks/requests.cuh"

using magpie::stm::outcome;

/// Item i does requests[i]. Node 0 is the head, and the end.
struct set_operation {
  magpie::stm::guarded<std::uint32_t> next;  // of each node; `gone` once it is removed
  magpie::array<std::uint32_t> key;          // of each node; stays as it is while the node is in the list
  magpie::stm::pool<0> nodes;
  magpie::array<const request> requests;
  magpie::array<std::uint32_t> found;  // of each item: whether its key was there

  static constexpr std::uint32_t max_objects = 2, max_writes = 2;
  static constexpr std::uint32_t max_slots[] = {1};
  static constexpr std::uint32_t gone = ~0u;

  struct state {
    std::uint32_t before, at, after;
    std::uint32_t made;  // the node of a key that is inserted
    bool there;
  };

  template <class Tx>
  MAGPIE_DEVICE outcome plan(Tx& tx, std::uint32_t item, state& s) const {
    const request wanted = requests[item];
    if (wanted.what == action::insert) MAGPIE_TRY(tx.reserve(nodes, 1));
    // Hints say where to look: nothing is claimed on the way.
    s.before = 0;
    for (std::uint32_t n = tx.glance(next, 0); n != 0 && n != gone; n = tx.glance(next, n)) {
      if (tx.glance(&key[n]) >= wanted.key) break;
      s.before = n;
    }
    // Looked at again under claims: is the node still in the list, and does the key still belong behind it? Its own key too: a
    // hint may have led to a new node before the key there could be seen.
    s.at = MAGPIE_TRY(tx.get(next, s.before));
    if (s.at == gone) return outcome::retry;
    if (s.before != 0 && tx.glance(&key[s.before]) >= wanted.key) return outcome::retry;
    if (s.at != 0 && tx.glance(&key[s.at]) < wanted.key) return outcome::retry;
    s.there = s.at != 0 && tx.glance(&key[s.at]) == wanted.key;
    s.made = 0;
    if (wanted.what == action::remove && s.there) s.after = MAGPIE_TRY(tx.get(next, s.at));
    if (wanted.what == action::insert && !s.there) {
      s.made = tx.take(nodes);
      MAGPIE_TRY(tx.open(next, s.made));
    }
    return outcome::commit;
  }

  template <class Tx>
  MAGPIE_DEVICE void apply(Tx& tx, std::uint32_t item, const state& s) const {
    const request wanted = requests[item];
    if (wanted.what == action::remove && s.there) {
      tx.store(next, s.before, s.after);
      tx.store(next, s.at, gone);
      tx.free(nodes, s.at);
    }
    if (s.made != 0) {
      magpie::st_rlx_dev(&key[s.made], wanted.key);
      tx.store(next, s.made, s.at);
      tx.store(next, s.before, s.made);
    }
    magpie::st_plain(&found[item], s.there ? 1u : 0u);
  }
};
MAGPIE_REGION(set_operation)

/// The same by single compare-exchanges (Harris: A pragmatic implementation of non-blocking linked-lists, DISC 2001; Michael:
/// High performance dynamic lock-free hash tables and list-based sets, SPAA 2002). A node is removed once it is marked, in the
/// word that leads to its successor, so that no key is inserted behind it any more; whoever comes by unlinks it. No node is used
/// again, so that a word never gets a value back.
struct set_operation_lock_free {
  magpie::array<std::uint32_t> links;  // of each node: twice its successor, plus 1 once the node is removed
  magpie::array<std::uint32_t> key;    // of each node; written before anything leads to it
  magpie::array<std::uint32_t> used;   // 1 element: nodes in use
  magpie::array<const request> requests;
  magpie::array<std::uint32_t> found;

  MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
    for (const std::uint32_t item : self.items(static_cast<std::uint32_t>(requests.size()))) {
      const request wanted = requests[item];
      std::uint32_t made = 0;
      bool there = false;
      while (!is_done(wanted, made, there)) magpie::pause(shortest_pause);
      magpie::st_plain(&found[item], there ? 1u : 0u);
    }
  }

 private:
  static constexpr std::uint32_t shortest_pause = 32;
  static constexpr std::uint32_t mark = 1;

  /// Goes to the first node whose key is not smaller, and unlinks removed ones on the way; false if somebody was faster.
  MAGPIE_INLINE bool is_at(std::uint32_t wanted, std::uint32_t& before, std::uint32_t& at) const {
    before = 0;
    at = magpie::ld_acq_dev(&links[0]) / 2;
    while (at != 0) {
      const std::uint32_t link = magpie::ld_acq_dev(&links[at]);
      if ((link & mark) != 0) {
        if (magpie::cas_acqrel_dev(&links[before], at * 2, link - mark) != at * 2) return false;
      } else {
        if (magpie::ld_rlx_dev(&key[at]) >= wanted) return true;
        before = at;
      }
      at = link / 2;
    }
    return true;
  }

  /// One try; `made` is a node that an earlier one has made.
  MAGPIE_INLINE bool is_done(const request& wanted, std::uint32_t& made, bool& there) const {
    std::uint32_t before = 0, at = 0;
    if (!is_at(wanted.key, before, at)) return false;
    there = at != 0 && magpie::ld_rlx_dev(&key[at]) == wanted.key;
    if (wanted.what == action::insert && !there) {
      if (made == 0) {
        made = magpie::add_rlx_dev(&used[0], 1u);
        magpie::st_rlx_dev(&key[made], wanted.key);
      }
      magpie::st_rlx_dev(&links[made], at * 2);
      return magpie::cas_acqrel_dev(&links[before], at * 2, made * 2) == at * 2;
    }
    if (wanted.what == action::remove && there) {
      const std::uint32_t link = magpie::ld_acq_dev(&links[at]);
      if ((link & mark) != 0 || magpie::cas_acqrel_dev(&links[at], link, link + mark) != link) return false;
      static_cast<void>(magpie::cas_acqrel_dev(&links[before], at * 2, link));  // else somebody else does
    }
    return true;
  }
};
MAGPIE_KERNEL(set_operation_lock_free)
